/* SPDX-License-Identifier: Apache-2.0 */
/* start: one attempt to bring a task up, in one tier. */
#ifndef SBXI_SPAWN_START_H
#define SBXI_SPAWN_START_H

#include "base/errors.h"
#include "kernel/handoff.h"
#include "spawn/grants.h"
#include "spawn/streams.h"
#include "spawn/task.h"

/* What a spawn has gathered; the same for every attempt. */
struct sbxi_start {
	struct sbx_policy *policy;
	const struct sbx_spawn_opts *opts;
	struct sbxi_grants grants;
	struct sbxi_streams streams;
	int payload;		/* memfd, owned */
	bool dry;
};

/*
 * Start the helper, hand everything over, wait until the task has passed
 * execve or failed.  On failure the jail is gone; fail->where and ->step say
 * where it stopped.
 */
int sbxi_start(const struct sbxi_start *start, uint32_t tier,
	       struct sbx_task *task, struct sbxi_fail *fail);

#endif

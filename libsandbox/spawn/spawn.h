/* SPDX-License-Identifier: Apache-2.0 */
/* spawn: a jail made ready, and a task handed to it. */
#ifndef SBXI_SPAWN_SPAWN_H
#define SBXI_SPAWN_SPAWN_H

#include <stdbool.h>

#include <sandbox/task.h>

#include "base/errors.h"
#include "kernel/handoff.h"
#include "policy/policy.h"

/*
 * opts: checked and of the library's own size.
 * Returns 0 and a running task, or a negative code and nothing left.
 */
int sbxi_spawn(struct sbx_policy *policy, const struct sbx_spawn_opts *opts,
	       struct sbx_task **ret_task, struct sbxi_fail *fail);

/* A jail that is thrown away once it has reported. */
int sbxi_dry_run(struct sbx_policy *policy, struct sbxi_msg_report *ret,
		 struct sbxi_fail *fail);

#endif

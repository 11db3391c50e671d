/* SPDX-License-Identifier: Apache-2.0 */
/* streams: what a task gets as its standard streams. */
#ifndef SBXI_SPAWN_STREAMS_H
#define SBXI_SPAWN_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

#include <sandbox/task.h>

#include "base/errors.h"
#include "policy/policy.h"

struct sbxi_streams {
	uint32_t kind[3];	/* SBXI_STDIO_NULL or SBXI_STDIO_FD */
	int fd[3];		/* the task's side, owned; -1 with NULL */
	int ours[3];		/* our ends of pipes, owned; or -1 */
	bool inet;		/* one is an inet socket of our network namespace */
};

/* Dup, or make pipes.  0, -EINVAL, -EBADF, -EMFILE or -ENFILE. */
int sbxi_streams_open(const struct sbx_policy *policy,
		      const struct sbx_spawn_opts *opts,
		      struct sbxi_streams *ret, struct sbxi_fail *fail);

/*
 * Must stream i pass through the supervisor?  Yes if it is counted, or a
 * terminal that was not given as such (SBX_SPAWN_CTTY); and, for a task with
 * an id of its own, if it is the harness's: then the task could not open it
 * anew by name.
 */
int sbxi_streams_relayed(const struct sbxi_streams *streams, int i,
			 const struct sbx_policy *policy, uint32_t tier,
			 uint32_t flags);

void sbxi_streams_done(struct sbxi_streams *streams);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch: from the harness to the helper, without a copy of the harness.
 *
 * clone(CLONE_VM | CLONE_VFORK | CLONE_PIDFD): the child borrows the
 * harness's memory, on a stack of its own, for a dozen raw system calls, and
 * becomes the helper by execveat.  The calling thread sleeps until then.
 */
#ifndef SBXI_SPAWN_LAUNCH_H
#define SBXI_SPAWN_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/errors.h"
#include "kernel/handoff.h"

struct sbxi_launch {
	int helper_fd;			/* the program: sealed memfd, or a file */
	const char *mode;		/* SBXI_MODE_... */
	const char *private_name;	/* "/sbx-..." for tier B, or "" */
	uint32_t cgroup_has;		/* SBXI_CGROUP_...: what the task's cgroup limits */
	int fd[SBXI_FD_END];		/* what the helper gets on each number; -1 = nothing.
					 * 0 to 2 and SBXI_FD_HARNESS are the launcher's own affair */
	bool keeps;			/* on failure a helper that runs is the caller's to end */
	uint32_t fault_step;		/* test builds only */
	int fault_errno;
};
#define SBXI_LAUNCH_INIT { .helper_fd = -1, \
	.fd = { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 } }

/*
 * Start the helper.  ret_pidfd: a close-on-exec pidfd of it, owned by the
 * caller; ret_pid: its pid, to be reaped with waitid(P_PIDFD).
 * Returns 0 or a negative code with step CLONE, PLACE_HELPER or EXEC_HELPER;
 * then no process is left, or with `keeps` *ret_pidfd is one to be ended and
 * reaped: it may have made others.  Signal mask and everything else of the caller are
 * as before.
 */
int sbxi_launch(const struct sbxi_launch *launch, int *ret_pidfd,
		pid_t *ret_pid, struct sbxi_fail *fail);

/*
 * The helper as a program: a sealed memfd of the embedded copy, or the
 * installed one where memfds cannot be executed.  A descriptor, or a negative
 * code.
 */
int sbxi_helper_open(struct sbxi_fail *fail);
/* The installed one: owned by root, writable by nobody else; or -errno. */
int sbxi_helper_open_installed(void);

#endif

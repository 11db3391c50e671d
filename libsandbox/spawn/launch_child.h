/* SPDX-License-Identifier: Apache-2.0 */
/* launch_child: the code between clone and exec. */
#ifndef SBXI_SPAWN_LAUNCH_CHILD_H
#define SBXI_SPAWN_LAUNCH_CHILD_H

#include <stdint.h>

#include "kernel/handoff.h"

/* Shared with the harness thread, which sleeps while the child runs. */
struct sbxi_launch_child {
	int helper_fd;
	int harness_pid;
	int fd[SBXI_FD_END];	/* as in struct sbxi_launch */
	const char *argv[5];
	char cgroup_has[2];	/* a digit of SBXI_CGROUP_... bits */
	uint32_t fault_step;	/* test builds only */
	int fault_errno;
	uint32_t step;		/* out: the step that failed */
	int error;		/* out: its negative errno */
};

/* Argument of clone(2): returns only on failure. */
int sbxi_launch_child(void *arg);

#endif

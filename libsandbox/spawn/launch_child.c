/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_child: the code between clone and exec.
 *
 * It runs in the memory of a harness whose other threads may hold any lock
 * and be in the middle of anything, with its thread pointer.  So: raw system
 * calls, nothing else; a test checks this object's undefined symbols.
 */
#include "spawn/launch_child.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <sandbox/error.h>

#include "base/closefrom.h"
#include "base/kconst.h"
#include "base/rawcall.h"

#define EMPTY_PATH 0x1000	/* AT_EMPTY_PATH */

struct limit64 {
	uint64_t soft, hard;
};

#ifdef SBX_FAULT_INJECTION
SBXI_BORROWED static int inject(const struct sbxi_launch_child *c,
				uint32_t step)
{
	if (c->fault_step != step)
		return 0;
	if (c->fault_errno == -SIGKILL)
		sbxi_raw(SYS_kill, sbxi_raw(SYS_getpid), SIGKILL);
	return -c->fault_errno;
}
#else
#define inject(c, step) 0
#endif

/* A harness with few descriptors allowed must not stop us: our limit only. */
SBXI_BORROWED static void raise_limit(void)
{
	struct limit64 l;

	if (sbxi_raw(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &l) < 0)
		return;
	l.soft = l.hard;
	sbxi_raw(SYS_prlimit64, 0, RLIMIT_NOFILE, &l, NULL);
}

/* Everything above the numbers that are to be filled, then down onto them. */
SBXI_BORROWED static long place(struct sbxi_launch_child *c)
{
	long high[SBXI_FD_END], helper;

	helper = sbxi_raw(SYS_fcntl, c->helper_fd, F_DUPFD, SBXI_FD_END + 1);
	if (helper < 0)
		return helper;
	for (int i = 0; i < SBXI_FD_END; i++) {
		high[i] = -1;
		if (c->fd[i] < 0)
			continue;
		high[i] = sbxi_raw(SYS_fcntl, c->fd[i], F_DUPFD,
				   SBXI_FD_END + 1);
		if (high[i] < 0)
			return high[i];
	}
	for (int i = 0; i < SBXI_FD_END; i++) {
		long rc = high[i] < 0 ? sbxi_raw(SYS_close, i)
				      : sbxi_raw(SYS_dup3, high[i], i, 0);

		if (rc < 0 && high[i] >= 0)
			return rc;
	}
	return sbxi_raw(SYS_dup3, helper, SBXI_FD_END, O_CLOEXEC);
}

SBXI_BORROWED static long prepare(struct sbxi_launch_child *c)
{
	long rc = inject(c, SBX_STEP_PLACE_HELPER);

	if (rc < 0)
		return rc;
	raise_limit();
	/* The helper polls it: its end is the end of the harness. */
	rc = sbxi_raw(SYS_pidfd_open, c->harness_pid, 0);
	if (rc < 0)
		return rc;
	c->fd[SBXI_FD_HARNESS] = (int)rc;
	rc = place(c);
	if (rc < 0)
		return rc;
	return sbxi_close_from(SBXI_FD_END + 1);
}

SBXI_BORROWED int sbxi_launch_child(void *arg)
{
	struct sbxi_launch_child *c = arg;
	static const char *const no_environment[] = { NULL };
	long rc;

	c->step = SBX_STEP_PLACE_HELPER;
	rc = prepare(c);
	if (rc >= 0) {
		c->step = SBX_STEP_EXEC_HELPER;
		rc = inject(c, SBX_STEP_EXEC_HELPER);
	}
	if (rc >= 0)
		rc = sbxi_raw(SYS_execveat, SBXI_FD_END, "", c->argv,
			      no_environment, EMPTY_PATH);
	c->error = (int)rc;
	for (;;)
		sbxi_raw(SYS_exit_group, 1);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* launch: from the harness to the helper, without a copy of the harness. */
#include "spawn/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fault.h"
#include "base/fd.h"
#include "base/kconst.h"
#include "spawn/launch_child.h"

/*
 * clone(3) by its other name, which sanitizers do not replace: theirs locks
 * what a child that shares our memory would never unlock.
 */
int __clone(int (*fn)(void *), void *stack, int flags, void *arg, ...);

#define CHILD_STACK (8u << 10)

/*
 * All 64, also the two that glibc keeps for itself: a handler that ran in the
 * child would run on the harness's memory.
 */
static int block_all(uint64_t *ret_old)
{
	const uint64_t all = ~UINT64_C(0);

	return syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, ret_old,
		       sizeof(all)) < 0 ? -errno : 0;
}

static int restore_mask(const uint64_t *old)
{
	return syscall(SYS_rt_sigprocmask, SIG_SETMASK, old, NULL,
		       sizeof(*old)) < 0 ? -errno : 0;
}

/*
 * The child's stack is a piece of ours, which sleeps: a mapping of its own
 * would cost as much as the clone, for pages that are thrown away again.
 */
static pid_t clone_child(struct sbxi_launch_child *child, int *ret_pidfd)
{
	const int flags = CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD;
	char stack[CHILD_STACK] __attribute__((aligned(16)));
	pid_t pid = __clone(sbxi_launch_child, stack + sizeof(stack), flags,
			  child, ret_pidfd);

	return pid < 0 ? -errno : pid;
}

static void reap(int pidfd)
{
	siginfo_t info;

	/* ECHILD: the harness ignores SIGCHLD, or another thread was faster. */
	while (waitid((idtype_t)SBXI_P_PIDFD, (id_t)pidfd, &info, WEXITED) <
	       0 && errno == EINTR)
		;
}

static int fail_of_child(const struct sbxi_launch_child *child,
			 struct sbxi_fail *fail)
{
	int rc;

	if (child->step == SBX_STEP_EXEC_HELPER)
		rc = sbxi_fail_remedy(fail, child->step, child->error,
				      child->error == -EACCES
					      ? SBXI_REMEDY_MEMFD_EXEC
					      : SBXI_REMEDY_NONE,
				      "sbx-init", NULL);
	else
		rc = sbxi_fail_remedy(fail, child->step, child->error,
				      child->error == -EMFILE
					      ? SBXI_REMEDY_OPEN_FILES
					      : SBXI_REMEDY_NONE,
				      "descriptors", NULL);
	fail->where = SBX_WHERE_LAUNCHER;
	return rc;
}

static int check_pid(pid_t pid, struct sbxi_fail *fail)
{
	if (pid >= 0)
		return 0;
	return sbxi_fail_remedy(fail, SBX_STEP_CLONE, pid,
				pid == -EAGAIN ? SBXI_REMEDY_PROCESSES
				: pid == -EMFILE ? SBXI_REMEDY_OPEN_FILES
						 : SBXI_REMEDY_NONE,
				"clone", NULL);
}

static void fill_child(struct sbxi_launch_child *c, const struct sbxi_launch *l)
{
	*c = (struct sbxi_launch_child){
		.helper_fd = l->helper_fd,
		.harness_pid = getpid(),
		.argv = { "sbx-init", l->mode, l->private_name,
			  c->cgroup_has, NULL },
		.cgroup_has = { (char)('0' + (l->cgroup_has & 7)), '\0' },
		.fault_step = l->fault_step,
		.fault_errno = l->fault_errno,
	};
	memcpy(c->fd, l->fd, sizeof(c->fd));
}

/*
 * Killed before exec: then it is in the step that it was in.  Killed in the
 * step of exec it looks like a helper that died at once, and is found so.
 */
static int check_child(const struct sbxi_launch_child *child,
		       struct sbxi_fail *fail)
{
	if (child->error < 0)
		return fail_of_child(child, fail);
	if (child->step == SBX_STEP_EXEC_HELPER)
		return 0;
	sbxi_fail(fail, child->step ? child->step : SBX_STEP_CLONE, -EIO,
		  "launcher", "it was killed");
	fail->where = SBX_WHERE_LAUNCHER;
	return -EIO;
}

int sbxi_launch(const struct sbxi_launch *launch, int *ret_pidfd,
		pid_t *ret_pid, struct sbxi_fail *fail)
{
	struct sbxi_launch_child child;
	AUTO_FD pidfd = -1;
	uint64_t mask;
	pid_t pid;
	int rc = sbxi_inject(SBX_STEP_CLONE);

	fill_child(&child, launch);
	if (rc == 0)
		rc = block_all(&mask);
	if (rc < 0)
		return sbxi_fail(fail, SBX_STEP_CLONE, rc, "signal mask",
				 NULL);
	pid = clone_child(&child, &pidfd);
	rc = restore_mask(&mask);
	if (rc == 0)
		rc = sbxi_inject(SBX_STEP_RESTORE_MASK);
	if (pid < 0)
		return check_pid(pid, fail);
	if (rc < 0)
		sbxi_fail(fail, SBX_STEP_RESTORE_MASK, rc, "signal mask",
			  NULL);
	if (rc == 0)
		rc = check_child(&child, fail);
	if (rc == 0)
		rc = sbxi_fd_above_stdio(&pidfd);
	if (rc < 0 && launch->keeps) {
		*ret_pidfd = sbxi_steal_fd(&pidfd);
		return rc;
	}
	if (rc < 0) {
		(void)syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
		reap(pidfd);
		return rc;
	}
	*ret_pidfd = sbxi_steal_fd(&pidfd);
	*ret_pid = pid;
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* descent: is a process one of the task's tree? */
#include "init/descent.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "init/usage_proc.h"

/* A longer line of parents is refused. */
#define DEEPEST 4096
/* How often a tree that moves is looked at before it is refused. */
#define ROUNDS 16

bool sbxi_descent_counts_as_we_do(int proc)
{
	char self[24];
	const char *at = self;
	ssize_t n = readlinkat(proc, "self", self, sizeof(self) - 1);

	if (n <= 0)
		return false;
	self[n] = '\0';
	return sbxi_number(&at) == (uint64_t)getpid();
}

static int stat_of(int proc, pid_t pid, struct sbxi_stat_line *ret)
{
	AUTO_FD dir = -1;
	char name[24];

	sbxi_pid_name(pid, name, sizeof(name));
	dir = sbxi_proc_open(proc, name, O_DIRECTORY);
	if (dir < 0 || sbxi_stat_read(dir, ret) < 0)
		return -ESRCH;
	return 0;
}

/*
 * One step up.  That the child has the same parent before and after shows
 * that what was read in between is its parent's and not another's who got the
 * number: who loses his parent gets an older one, never one of that number.
 */
static int step_up(int proc, struct sbxi_stat_line *at)
{
	struct sbxi_stat_line up, again;

	if (stat_of(proc, at->ppid, &up) < 0 ||
	    stat_of(proc, at->pid, &again) < 0 || again.ppid != at->ppid ||
	    again.start != at->start)
		return -EAGAIN;
	*at = up;
	return 0;
}

static int climb(int proc, pid_t pid, pid_t self)
{
	struct sbxi_stat_line at;

	if (stat_of(proc, pid, &at) < 0)
		return -ESRCH;
	for (int i = 0; i < DEEPEST; i++) {
		if (at.ppid == self)
			return 0;
		if (at.ppid <= 1)
			return -EPERM;
		if (step_up(proc, &at) < 0)
			return -EAGAIN;
	}
	return -EPERM;
}

int sbxi_descent_check(int proc, pid_t pid)
{
	pid_t self = getpid();
	int rc = -EAGAIN;

	if (pid <= 0)
		return -ESRCH;
	if (pid == self || !sbxi_descent_counts_as_we_do(proc))
		return -EPERM;
	for (int i = 0; i < ROUNDS && rc == -EAGAIN; i++)
		rc = climb(proc, pid, self);
	return rc == -EAGAIN ? -EPERM : rc;
}

int sbxi_descent_check_pidfd(int proc, int pidfd, pid_t pid)
{
	int rc = sbxi_descent_check(proc, pid);

	if (rc < 0)
		return rc;
	/* It is not reaped yet: so the number was its own all the time. */
	return syscall(SYS_pidfd_send_signal, pidfd, 0, NULL, 0) < 0 ? -errno
								      : 0;
}

int sbxi_descent_pin(int proc, pid_t pid, unsigned int flags)
{
	AUTO_FD pidfd = -1;
	int rc;

	if (pid <= 0)
		return -ESRCH;
	pidfd = (int)syscall(SYS_pidfd_open, pid, flags);
	if (pidfd < 0)
		return -errno;
	rc = sbxi_descent_check_pidfd(proc, pidfd, pid);
	return rc < 0 ? rc : sbxi_steal_fd(&pidfd);
}

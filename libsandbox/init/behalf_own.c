/* SPDX-License-Identifier: Apache-2.0 */
/*
 * behalf_own: what a process of tier B may do to a number that is not 0, and
 * what it may learn of one.
 *
 * A filter does not know whose number it is.  One's own, and others of the
 * tree, get their affinity, policy and priority from us; the rest, and limits
 * above all, is for 0 alone: no descriptor holds a number there, and one that
 * passes on at the wrong moment must not cost an outsider more than some
 * speed.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <sandbox/task.h>

#include "base/cleanup.h"
#include "init/behalf.h"
#include "init/descent.h"

#define MASK_SIZE 1024		/* 8,192 processors */

#define ARG(i) ((int)c->n.args[i])

static int set_affinity(const struct sbxi_call *c, pid_t pid)
{
	static uint64_t mask[MASK_SIZE / sizeof(uint64_t)];
	unsigned int size = (unsigned int)c->n.args[1];
	int rc;

	/* What is beyond is no processor of any kernel. */
	if (size > MASK_SIZE)
		size = MASK_SIZE;
	rc = sbxi_call_read(c, c->n.args[2], mask, size);
	if (rc == 0)
		rc = sbxi_descent_check(c->proc, pid);
	if (rc == 0 && syscall(SYS_sched_setaffinity, pid, size, mask) < 0)
		rc = -errno;
	return rc;
}

static int set_policy(const struct sbxi_call *c, pid_t pid)
{
	struct sched_param p;
	int rc = sbxi_call_read(c, c->n.args[2], &p.sched_priority,
				sizeof(p.sched_priority));

	if (rc == 0)
		rc = sbxi_descent_check(c->proc, pid);
	if (rc == 0 &&
	    syscall(SYS_sched_setscheduler, pid, ARG(1), &p) < 0)
		rc = -errno;
	return rc;
}

static int set_priority(const struct sbxi_call *c, pid_t pid)
{
	int rc = sbxi_descent_check(c->proc, pid);

	if (rc == 0 && syscall(SYS_setpriority, PRIO_PROCESS, pid, ARG(2)) < 0)
		rc = -errno;
	return rc;
}

static int do_to(const struct sbxi_call *c, pid_t pid)
{
	switch (c->n.nr) {
	case SYS_sched_setaffinity:
		return set_affinity(c, pid);
	case SYS_sched_setscheduler:
		return set_policy(c, pid);
	case SYS_setpriority:
		return set_priority(c, pid);
	default:
		return -EPERM;
	}
}

static bool handle_number(struct sbxi_behalf *b, struct sbxi_call *c)
{
	struct sbxi_denied d = {
		.kind = SBX_DENIAL_SYSCALL,
		.call = c->n.nr,
		.object = "",
	};
	/* setpriority has what the number is of first: a process. */
	int pid = c->n.nr == SYS_setpriority ? ARG(1) : ARG(0);
	int rc = pid > 0 ? do_to(c, pid) : -EPERM;

	d.code = rc;
	if (rc == -EPERM)
		sbxi_tell(&b->tell, &d);
	sbxi_call_return(c, rc);
	return true;
}

static long get_affinity(const struct sbxi_call *c, pid_t pid)
{
	static uint64_t mask[MASK_SIZE / sizeof(uint64_t)];
	unsigned int size = (unsigned int)c->n.args[1];
	long n;
	int rc;

	if (size > MASK_SIZE)
		size = MASK_SIZE;
	n = syscall(SYS_sched_getaffinity, pid, size, mask);
	if (n < 0)
		return -errno;
	rc = sbxi_call_write(c, c->n.args[2], mask, (size_t)n);
	return rc < 0 ? rc : n;
}

static long get_limit(const struct sbxi_call *c, pid_t pid)
{
	uint64_t limit[2];	/* struct rlimit64 */

	if (syscall(SYS_prlimit64, pid, ARG(1), NULL, limit) < 0)
		return -errno;
	return c->n.args[3] == 0 ? 0
				 : sbxi_call_write(c, c->n.args[3], limit,
						   sizeof(limit));
}

static long tell_of(const struct sbxi_call *c, pid_t pid)
{
	long rc;

	switch (c->n.nr) {
	case SYS_sched_getaffinity:
		return get_affinity(c, pid);
	case SYS_prlimit64:
		return get_limit(c, pid);
	case SYS_sched_getscheduler:
		rc = syscall(SYS_sched_getscheduler, pid);
		break;
	case SYS_getpriority:
		rc = syscall(SYS_getpriority, PRIO_PROCESS, pid);
		break;
	case SYS_getsid:
		rc = syscall(SYS_getsid, pid);
		break;
	default:
		rc = syscall(SYS_getpgid, pid);
		break;
	}
	return rc < 0 ? -errno : rc;
}

/* That there are other processes is to be seen; what they are like is not. */
static bool handle_question(struct sbxi_behalf *b, struct sbxi_call *c)
{
	int pid = c->n.nr == SYS_getpriority ? ARG(1) : ARG(0);
	int rc = sbxi_descent_check(c->proc, pid);

	(void)b;
	sbxi_call_return(c, rc < 0 ? rc : tell_of(c, pid));
	return true;
}

static bool handle_pidfd(struct sbxi_behalf *b, struct sbxi_call *c)
{
	AUTO_FD fd = ARG(0) <= 0 ? -EINVAL
				 : sbxi_descent_pin(c->proc, ARG(0),
						    (unsigned int)ARG(1));

	(void)b;
	if (fd < 0)
		sbxi_call_return(c, fd);
	else
		sbxi_call_return_fd(c, fd, true);
	return true;
}

sbxi_handler sbxi_behalf_own(int nr)
{
	switch (nr) {
	case SYS_pidfd_open:
		return handle_pidfd;
	case SYS_sched_getaffinity:
	case SYS_sched_getscheduler:
	case SYS_getpriority:
	case SYS_getsid:
	case SYS_getpgid:
	case SYS_prlimit64:	/* without new ones: the filter sees to it */
		return handle_question;
	case SYS_sched_setaffinity:
	case SYS_sched_setscheduler:
	case SYS_setpriority:
		return handle_number;
	default:
		return NULL;
	}
}

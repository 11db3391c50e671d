/* SPDX-License-Identifier: Apache-2.0 */
/*
 * behalf_own: what a process of tier B may do to a number that is not 0.
 *
 * A filter does not know whose number it is.  One's own is as good as 0, and
 * stays one's own while the call lasts, so the kernel goes on with it.  Others
 * of the tree get their affinity, policy and priority from us; the rest, and
 * limits above all, is for the process itself alone: no descriptor holds a
 * number there, and one that passes on at the wrong moment must not cost an
 * outsider more than some speed.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <sandbox/task.h>

#include "init/behalf.h"
#include "init/descent.h"

#define MASK_SIZE 1024		/* 8,192 processors */
#define IOPRIO_OF_PROCESS 1

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

/* Where the number stands, if it is one of a process; else -1. */
static int number_in(const struct sbxi_call *c)
{
	switch (c->n.nr) {
	case SYS_setpriority:
		return ARG(0) == PRIO_PROCESS ? ARG(1) : -1;
	case SYS_ioprio_set:
		return ARG(0) == IOPRIO_OF_PROCESS ? ARG(1) : -1;
	default:
		return ARG(0);
	}
}

static bool handle_number(struct sbxi_behalf *b, struct sbxi_call *c)
{
	struct sbxi_denied d = {
		.kind = SBX_DENIAL_SYSCALL,
		.call = c->n.nr,
		.object = "",
	};
	int pid = number_in(c), rc;

	if (sbxi_call_is_own(c, pid))
		return sbxi_call_go_on(c);
	rc = pid > 0 ? do_to(c, pid) : -EPERM;
	d.code = rc;
	if (rc == -EPERM)
		sbxi_tell(&b->tell, &d);
	sbxi_call_return(c, rc);
	return true;
}

sbxi_handler sbxi_behalf_own(int nr)
{
	switch (nr) {
	case SYS_prlimit64:
	case SYS_sched_setaffinity:
	case SYS_sched_setparam:
	case SYS_sched_setscheduler:
	case SYS_sched_setattr:
	case SYS_move_pages:
	case SYS_migrate_pages:
	case SYS_setpriority:
	case SYS_ioprio_set:
		return handle_number;
	default:
		return NULL;
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* run: one process becomes two: the supervisor and the target. */
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <sandbox/policy.h>

#include "base/cleanup.h"
#include "base/errors.h"
#include "base/fdmsg.h"
#include "base/kconst.h"
#include "init/jail.h"
#include "kernel/landlock.h"
#include "kernel/process.h"

/*
 * Made by the supervisor, so that they belong to the task's id: then the
 * task can open /dev/stdout by name.
 */
void sbxi_relay_pipes_make(struct sbxi_jail *jail)
{
	if (!jail->relays)
		return;
	for (int i = 0; i < 3; i++) {
		int end[2];

		if (pipe2(end, O_CLOEXEC) < 0)
			sbxi_check(jail, -errno, "pipe");
		jail->pipe[i].task = end[i == 0 ? 0 : 1];
		jail->pipe[i].mine = end[i == 0 ? 1 : 0];
		/* A description of our own: nobody shares this flag. */
		if (fcntl(jail->pipe[i].mine, F_SETFL, O_NONBLOCK) < 0)
			sbxi_check(jail, -errno, "pipe");
	}
}

static void close_targets(struct sbxi_jail *jail)
{
	close(jail->hand);
	close(jail->progress);
	sbxi_closep(&jail->ruleset);
	sbxi_closep(&jail->listener[1]);
	sbxi_closep(&jail->cgroup);
	for (int i = 0; i < 3; i++)
		sbxi_closep(&jail->pipe[i].task);
}

static void allow_more(struct sbxi_jail *jail, int fd, uint64_t access)
{
	if (fd >= 0)
		sbxi_check(jail, sbxi_landlock_allow(jail->outer, fd, access),
			   "landlock_add_rule");
}

/*
 * Before the target is there, so that the target's domain lies inside the
 * supervisor's: Landlock lets nobody look at a process of another domain.
 * It has the task's rules, so that the supervisor cannot be talked into doing
 * more for a task than the task itself may.
 */
static void take_outer_layer(struct sbxi_jail *jail)
{
	uint64_t proc = SBXI_LL_FS_READ_FILE | SBXI_LL_FS_READ_DIR;

	if (jail->outer < 0)
		return;
	/* The target maps its ids under this layer. */
	if (jail->tier == SBX_TIER_A)
		proc |= SBXI_LL_FS_WRITE_FILE;
	allow_more(jail, jail->proc, proc);
	allow_more(jail, jail->cgroup, SBXI_LL_FS_WRITE_FILE);
	sbxi_check(jail, sbxi_landlock_enter(jail->outer),
		   "landlock_restrict_self");
	sbxi_closep(&jail->outer);
	jail->outer = -1;
}

/*
 * Some filters outside refuse it.  Then sockets are refused where we listen;
 * in tier A, with a network namespace of its own, that would cost too much.
 */
static bool can_take_descriptors(void)
{
	AUTO_FD pidfd = (int)syscall(SYS_pidfd_open, getpid(), 0);
	AUTO_FD fd = -1;

	if (pidfd < 0)
		return false;
	fd = (int)syscall(SYS_pidfd_getfd, pidfd, pidfd, 0);
	return fd >= 0;
}

/* What the target sends its listener by; without a /proc it would be no use. */
static void make_listener_pair(struct sbxi_jail *jail)
{
	if (jail->tier == SBX_TIER_A && !can_take_descriptors())
		return;
	if (jail->proc >= 0 && jail->facts.landlock_abi > 0 &&
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0,
		       jail->listener) < 0)
		sbxi_check(jail, -errno, "socketpair");
}

/* Milliseconds, where clone3 costs nothing; but the limit must hold. */
void sbxi_cgroup_join(struct sbxi_jail *jail)
{
	AUTO_FD fd = openat(jail->cgroup, "cgroup.procs",
			    O_WRONLY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 || write(fd, "0", 1) != 1)
		sbxi_die(jail, -errno, SBXI_REMEDY_CGROUP, "cgroup.procs",
			 "");
}

static int target(void *jail)
{
	sbxi_target_main(jail);
}

/*
 * The target borrows our memory until it has become the task: its page tables
 * would cost as much as its exec.  Only clone3 starts in a cgroup, and that
 * without a stack of its own: so there it is a copy.
 */
static pid_t fork_target(struct sbxi_jail *jail)
{
	/* What the target changes in it is not ours. */
	static struct sbxi_jail its;
	pid_t pid;

	its = *jail;
	if (jail->cgroup < 0)
		return sbxi_process_borrow(target, &its);
	jail->copied = true;
	pid = sbxi_process_clone(0, jail->cgroup, NULL);
	if (pid == 0)
		target(&its);
	if (pid != -EOPNOTSUPP)
		return pid;
	jail->copied = false;
	its.joins_cgroup = true;
	return sbxi_process_borrow(target, &its);
}

/*
 * The end of the stream says so too, unless another thread of the harness
 * forked at a bad moment: then a stranger holds the other end.
 */
static void say_running(const struct sbxi_jail *jail)
{
	const uint32_t type = SBXI_MSG_RUNNING;

	(void)sbxi_fdmsg_send(jail->ctl, &type, sizeof(type), NULL, 0);
}

void sbxi_jail_run(struct sbxi_jail *jail)
{
	pid_t pid;

	sbxi_step(jail, SBX_STEP_FORK_TARGET);
	sbxi_relay_pipes_make(jail);
	make_listener_pair(jail);
	take_outer_layer(jail);
	pid = fork_target(jail);
	if (pid == -EAGAIN)
		sbxi_die(jail, pid, SBXI_REMEDY_PROCESSES, "clone", "");
	sbxi_check(jail, pid, "clone");
	close_targets(jail);
	if (!jail->copied)
		say_running(jail);
	sbxi_supervise(jail, pid);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tier_a: from the host's namespaces into the jail's. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/errors.h"
#include "base/kconst.h"
#include "base/rawcall.h"
#include "init/jail.h"
#include "init/lend.h"
#include "kernel/ids.h"
#include "kernel/process.h"

/* A removed network namespace lingers some 60 ms in the kernel's count. */
#define NETNS_TRIES 10
#define NETNS_PAUSE_NS 25000000

/*
 * The message that carries the supervisor's pidfd.  It is complete before the
 * clone, which writes the descriptor into it.
 */
struct pidfd_message {
	struct sbxi_msg_pidfd body;
	union {
		struct cmsghdr align;
		char buf[CMSG_SPACE(sizeof(int))];
	} ctl;
	struct iovec iov;
	struct msghdr msg;
};

static int *prepare_message(struct pidfd_message *m)
{
	*m = (struct pidfd_message){ .body = { .type = SBXI_MSG_PIDFD } };
	m->iov = (struct iovec){ &m->body, sizeof(m->body) };
	m->msg = (struct msghdr){
		.msg_iov = &m->iov,
		.msg_iovlen = 1,
		.msg_control = m->ctl.buf,
		.msg_controllen = sizeof(m->ctl.buf),
	};
	m->ctl.align.cmsg_level = SOL_SOCKET;
	m->ctl.align.cmsg_type = SCM_RIGHTS;
	m->ctl.align.cmsg_len = CMSG_LEN(sizeof(int));
	return (int *)(void *)CMSG_DATA(&m->ctl.align);
}

/* Can a user namespace be had at all?  Then ENOSPC means another kind. */
static bool user_namespace_is_free(void)
{
	int pidfd = -1;
	pid_t pid = sbxi_process_clone(SBXI_CLONE_NEWUSER, -1, &pidfd);

	if (pid == 0)
		_exit(0);
	if (pid < 0)
		return false;
	close(pidfd);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return true;
}

static int jail_side(void *jail);

/*
 * With a cgroup the supervisor is in it too: only the harness's own id may
 * put a process there.  clone3 can, and gives no stack, so that is a copy.
 */
static pid_t clone_once(struct sbxi_jail *jail, int *ret_pidfd)
{
	const uint64_t flags = SBXI_JAIL_NAMESPACES | SBXI_CLONE_PARENT;
	pid_t pid;

	if (jail->cgroup < 0)
		return sbxi_process_share(jail_side, jail, flags, ret_pidfd);
	pid = sbxi_process_clone(flags, jail->cgroup, ret_pidfd);
	if (pid == 0)
		jail_side(jail);
	if (pid != -EOPNOTSUPP)
		return pid;
	sbxi_cgroup_join(jail);
	return sbxi_process_share(jail_side, jail, flags, ret_pidfd);
}

static pid_t clone_jail(struct sbxi_jail *jail, int *ret_pidfd)
{
	const struct timespec pause = { .tv_nsec = NETNS_PAUSE_NS };
	uint32_t remedy = SBXI_REMEDY_USERNS_FILTER;
	pid_t pid = clone_once(jail, ret_pidfd);

	for (int i = 0; pid == -ENOSPC && i < NETNS_TRIES; i++) {
		remedy = SBXI_REMEDY_USERNS_SYSCTL;
		if (i == 0 && !user_namespace_is_free())
			break;
		remedy = SBXI_REMEDY_NET_NAMESPACES;
		nanosleep(&pause, NULL);
		pid = clone_once(jail, ret_pidfd);
	}
	if (pid < 0)
		sbxi_die(jail, pid, remedy, "clone", "");
	return pid;
}

/*
 * The host side of the clone: hand the pidfd over, map ids if we must, go.
 * The other side runs on this memory already, unless it waits for its maps:
 * so raw calls, which leave errno alone.
 */
_Noreturn static void leave_to(struct sbxi_jail *jail, pid_t pid,
			       struct pidfd_message *m, const int *pidfd)
{
	long rc;

	m->body.pid = pid;
	rc = sbxi_raw(SYS_sendmsg, jail->ctl, &m->msg, MSG_NOSIGNAL);
	if (rc >= 0 && jail->facts.lent) {
		const struct sbxi_id_pair uid = { jail->uid, jail->host_uid };
		const struct sbxi_id_pair gid = { jail->gid, jail->host_gid };

		rc = sbxi_ids_map_child(pid, &uid, &gid);
	}
	if (rc < 0) {
		sbxi_raw(SYS_pidfd_send_signal, *pidfd, SIGKILL, 0, 0);
		jail->step = SBX_STEP_MAP_IDS;
		sbxi_check(jail, (int)rc, "uid_map");
	}
	/* The end of the pipe says that we touch nothing any more. */
	for (;;)
		sbxi_raw(SYS_exit_group, 0);
}

/*
 * Who the task is: outside, the harness's id, or the one that root lends its
 * trees to; inside, the same number, but never 0: exec would keep all
 * capabilities then.
 */
static void choose_ids(struct sbxi_jail *jail)
{
	jail->host_uid = geteuid();
	jail->host_gid = getegid();
	if (jail->facts.lent)
		jail->host_uid = jail->host_gid = jail->plan->task_id;
	jail->facts.root_id = jail->host_uid == 0 &&
			      sbxi_ids_initial_namespace();
	jail->uid = jail->host_uid ? jail->host_uid : jail->plan->task_id;
	jail->gid = jail->host_gid ? jail->host_gid : jail->plan->task_id;
}

static void become_task_id(struct sbxi_jail *jail)
{
	if (setresgid(jail->gid, jail->gid, jail->gid) < 0 ||
	    setresuid(jail->uid, jail->uid, jail->uid) < 0)
		sbxi_check(jail, -errno, "setresuid");
}

static void map_self(struct sbxi_jail *jail)
{
	const struct sbxi_id_pair uid = { jail->uid, jail->host_uid };
	const struct sbxi_id_pair gid = { jail->gid, jail->host_gid };
	int rc = sbxi_ids_map_self(&uid, &gid);

	if (rc < 0)
		sbxi_die(jail, rc, SBXI_REMEDY_USERNS_APPARMOR,
			 "/proc/self/uid_map", "");
}

static void enter_jail(struct sbxi_jail *jail)
{
	sbxi_step(jail, SBX_STEP_MAP_IDS);
	if (jail->facts.lent)
		become_task_id(jail);
	else
		map_self(jail);
	sbxi_step(jail, SBX_STEP_CHECK_IDS);
	if (getuid() != jail->uid || geteuid() != jail->uid ||
	    getgid() != jail->gid || getegid() != jail->gid)
		sbxi_die(jail, -EPERM, SBXI_REMEDY_USERNS_APPARMOR,
			 "/proc/self/uid_map", "the map is not in force");
	sbxi_step(jail, SBX_STEP_SUPERVISE);
	if (prctl(PR_SET_DUMPABLE, 0) < 0)
		sbxi_check(jail, -errno, "dumpable");
	sbxi_step(jail, SBX_STEP_MOUNTS);
	sbxi_root_build(jail);
	sbxi_step(jail, SBX_STEP_SYSTEM);
	sbxi_system_set(jail);
}

/*
 * The jail's side, on the same memory.  With its maps come those of the host
 * side's last calls that use errno; before, only raw ones are made here.
 */
static int jail_side(void *arg)
{
	struct sbxi_jail *jail = arg;
	char byte;

	if (jail->facts.lent) {
		sbxi_raw(SYS_close, jail->sync[1]);
		while (sbxi_raw(SYS_read, jail->sync[0], &byte, 1) == -EINTR)
			;
		sbxi_raw(SYS_close, jail->sync[0]);
	}
	/* The target inherits it. */
	if (jail->cgroup >= 0)
		sbxi_raw(SYS_close, jail->cgroup);
	jail->cgroup = -1;
	enter_jail(jail);
	sbxi_jail_run(jail);
}

void sbxi_tier_a_main(struct sbxi_jail *jail)
{
	static struct pidfd_message message;
	int *pidfd = prepare_message(&message);
	pid_t pid;

	jail->tier = SBX_TIER_A;
	sbxi_step(jail, SBX_STEP_NAMESPACES);
	jail->facts.lent = sbxi_lend_trees(jail);
	choose_ids(jail);
	if (jail->facts.lent && pipe2(jail->sync, O_CLOEXEC) < 0)
		sbxi_check(jail, -errno, "pipe");
	pid = clone_jail(jail, pidfd);
	leave_to(jail, pid, &message, pidfd);
}

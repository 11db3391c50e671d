/* SPDX-License-Identifier: Apache-2.0 */
/* tier_a: from the host's namespaces into the jail's. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/errors.h"
#include "base/fdmsg.h"
#include "base/kconst.h"
#include "init/jail.h"
#include "init/lend.h"
#include "kernel/ids.h"
#include "kernel/process.h"

/* A removed network namespace lingers some 60 ms in the kernel's count. */
#define NETNS_TRIES 10
#define NETNS_PAUSE_NS 25000000

static int send_pidfd(const struct sbxi_jail *jail, int pidfd)
{
	const uint32_t type = SBXI_MSG_PIDFD;

	return sbxi_fdmsg_send(jail->ctl, &type, sizeof(type), &pidfd, 1);
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

static pid_t clone_jail(struct sbxi_jail *jail, int *ret_pidfd)
{
	const struct timespec pause = { .tv_nsec = NETNS_PAUSE_NS };
	const uint64_t flags = SBXI_JAIL_NAMESPACES | SBXI_CLONE_PARENT;
	uint32_t remedy = SBXI_REMEDY_USERNS_FILTER;
	pid_t pid = sbxi_process_clone(flags, -1, ret_pidfd);

	for (int i = 0; pid == -ENOSPC && i < NETNS_TRIES; i++) {
		remedy = SBXI_REMEDY_USERNS_SYSCTL;
		if (i == 0 && !user_namespace_is_free())
			break;
		remedy = SBXI_REMEDY_NET_NAMESPACES;
		nanosleep(&pause, NULL);
		pid = sbxi_process_clone(flags, -1, ret_pidfd);
	}
	if (pid < 0)
		sbxi_die(jail, pid, remedy, "clone", "");
	return pid;
}

/* The host side of the clone: hand the pidfd over, map ids if we must, go. */
_Noreturn static void leave_to(struct sbxi_jail *jail, pid_t pid, int pidfd,
			       int sync)
{
	int rc = send_pidfd(jail, pidfd);

	if (rc == 0 && jail->facts.lent) {
		const struct sbxi_id_pair uid = { jail->uid, jail->host_uid };
		const struct sbxi_id_pair gid = { jail->gid, jail->host_gid };

		jail->step = SBX_STEP_MAP_IDS;
		rc = sbxi_ids_map_child(pid, &uid, &gid);
	}
	if (rc < 0) {
		(void)syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
		sbxi_check(jail, rc, "uid_map");
	}
	if (jail->facts.lent)
		(void)!write(sync, "", 1);
	_exit(0);
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

static void wait_for_maps(struct sbxi_jail *jail, int sync)
{
	char byte;

	while (read(sync, &byte, 1) < 0)
		if (errno != EINTR)
			sbxi_check(jail, -errno, "uid_map");
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

static void enter_jail(struct sbxi_jail *jail, int sync)
{
	sbxi_step(jail, SBX_STEP_MAP_IDS);
	if (jail->facts.lent)
		wait_for_maps(jail, sync);
	else
		map_self(jail);
	close(sync);
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

void sbxi_tier_a_main(struct sbxi_jail *jail)
{
	int sync[2], pidfd = -1;
	pid_t pid;

	jail->tier = SBX_TIER_A;
	sbxi_step(jail, SBX_STEP_NAMESPACES);
	jail->facts.lent = sbxi_lend_trees(jail);
	choose_ids(jail);
	if (pipe2(sync, O_CLOEXEC) < 0)
		sbxi_check(jail, -errno, "pipe");
	pid = clone_jail(jail, &pidfd);
	if (pid > 0)
		leave_to(jail, pid, pidfd, sync[1]);
	close(sync[1]);
	enter_jail(jail, sync[0]);
}

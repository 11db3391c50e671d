/* SPDX-License-Identifier: Apache-2.0 */
/* probe: start a helper that tries all mechanisms, and collect its answers. */
#include "spawn/probe.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fdmsg.h"
#include "base/kconst.h"
#include "kernel/cgroup.h"
#include "spawn/launch.h"

#define DEADLINE_MS 20000
/* Of a group that nothing is ever started in: any number will do. */
#define CGROUP_MEMORY (64u << 20)
#define CGROUP_PROCESSES 64

static int64_t now_ms(void)
{
	struct timespec t = { 0, 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Take what has arrived.  The number of rows, or -EPIPE at the end. */
static int drain(int sock, struct sbx_report *report)
{
	struct sbxi_fdmsg m;
	int rc, rows = 0;

	while ((rc = sbxi_fdmsg_recv(sock, &m, 1)) > 0) {
		struct sbxi_msg_probe row;

		sbxi_fdmsg_drop(&m);
		if (m.len != sizeof(row))
			continue;
		memcpy(&row, m.data, sizeof(row));
		rows += sbxi_probe_report_enter(report, &row);
	}
	return rc == -EAGAIN || rows > 0 ? rows : -EPIPE;
}

/*
 * Collect until the helper has ended or its time is up.  Its end of the
 * socket proves nothing while it is open: another thread of the harness may
 * have forked a copy of it.  Returns the number of rows.
 */
static int collect(int sock, int pidfd, struct sbx_report *report)
{
	struct pollfd p[] = {
		{ .fd = sock, .events = POLLIN },
		{ .fd = pidfd, .events = POLLIN },
	};
	const int64_t end = now_ms() + DEADLINE_MS;
	int rows = 0;

	for (;;) {
		int64_t left = end - now_ms();
		int got, n = poll(p, SBXI_COUNT(p), left > 0 ? (int)left : 0);

		if (n == 0 || (n < 0 && errno != EINTR))
			return rows;
		/* Seen before the last look: nothing comes after that. */
		got = drain(sock, report);
		if (got > 0)
			rows += got;
		if (got == -EPIPE || (n > 0 && p[1].revents))
			return rows;
	}
}

static void end_helper(int pidfd)
{
	siginfo_t info;

	(void)syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
	/* ECHILD: the harness ignores SIGCHLD, or another thread was faster. */
	while (waitid((idtype_t)SBXI_P_PIDFD, (id_t)pidfd, &info, WEXITED) <
	       0 && errno == EINTR)
		;
}

static int start_helper(int theirs, int *ret_pidfd, struct sbxi_fail *fail)
{
	struct sbxi_launch launch = SBXI_LAUNCH_INIT;
	AUTO_FD helper = sbxi_helper_open(fail);
	pid_t pid;

	if (helper < 0)
		return helper;
	launch.helper_fd = helper;
	launch.mode = SBXI_MODE_PROBE;
	launch.private_name = "";
	launch.fd[SBXI_FD_HAND] = theirs;
	return sbxi_launch(&launch, ret_pidfd, &pid, fail);
}

static int ask_helper(struct sbx_report *report, struct sbxi_fail *fail)
{
	AUTO_FD mine = -1, theirs = -1, pidfd = -1;
	int rc, pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return sbxi_fail(fail, SBX_STEP_PROBE, -errno, "socketpair",
				 NULL);
	mine = pair[0];
	theirs = pair[1];
	rc = start_helper(theirs, &pidfd, fail);
	if (rc < 0)
		return rc;
	close(sbxi_steal_fd(&theirs));
	rc = collect(mine, pidfd, report);
	end_helper(pidfd);
	if (rc == 0)
		return sbxi_fail(fail, SBX_STEP_PROBE, -EIO, "sbx-init",
				 "the helper ended without an answer");
	return 0;
}

/* The same calls as a spawn makes, on a group that stays empty. */
static int make_cgroup(uint32_t *ret_has)
{
	const struct sbxi_cgroup_limits limits = {
		.memory_bytes = CGROUP_MEMORY,
		.processes = CGROUP_PROCESSES,
	};
	struct sbxi_cgroup group = SBXI_CGROUP_INIT;
	AUTO_FD parent = sbxi_cgroup_find(NULL);
	int rc;

	if (parent < 0)
		return parent;
	rc = sbxi_cgroup_prepare(parent, &limits, &group);
	if (rc < 0)
		return rc;
	*ret_has = group.has;
	sbxi_cgroup_done(&group);
	return 0;
}

static void try_cgroup(struct sbx_report *report)
{
	struct sbxi_msg_probe row = {
		.type = SBXI_MSG_PROBE,
		.id = SBXI_PROBE_CGROUP,
		.state = SBX_STATE_ENFORCED,
	};
	uint32_t has = 0;
	int rc = make_cgroup(&has);

	if (!(has & SBXI_CGROUP_MEMORY)) {
		row.state = SBX_STATE_ABSENT;
		row.sys_errno = rc < 0 ? -rc : 0;
		row.remedy = SBXI_REMEDY_CGROUP;
	}
	(void)sbxi_probe_report_enter(report, &row);
}

int sbxi_probe(struct sbx_report **ret, struct sbxi_fail *fail)
{
	struct sbx_report *report;
	int rc = sbxi_probe_report_new(&report);

	if (rc < 0)
		return sbxi_fail(fail, SBX_STEP_PROBE, rc, "report", NULL);
	rc = ask_helper(report, fail);
	if (rc < 0) {
		sbxi_report_free(report);
		return rc;
	}
	try_cgroup(report);
	sbxi_probe_report_conclude(report);
	*ret = report;
	return 0;
}

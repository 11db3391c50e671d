/* SPDX-License-Identifier: Apache-2.0 */
/*
 * probe: what this host offers, found out by doing.
 *
 * A try may be killed by a filter of the host, hang in one that nobody
 * answers, or leave its process useless.  So each has a process of its own,
 * and what it found comes through a pipe; no answer is an answer too.
 */
#include "init/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sandbox/types.h>

#include "base/cleanup.h"
#include "base/errors.h"
#include "base/fdmsg.h"
#include "init/jail.h"
#include "kernel/handoff.h"
#include "kernel/privileges.h"
#include "kernel/process.h"

/* The harness waits 20 s for all of them. */
#define TRY_MS 3000

static const struct try_entry {
	uint32_t id;		/* SBXI_PROBE_... */
	uint32_t filtered;	/* remedy, if an outer filter kills the try */
	sbxi_try_fn *fn;
} tries[] = {
	{ SBXI_PROBE_USERNS, SBXI_REMEDY_USERNS_FILTER, sbxi_try_userns },
	{ SBXI_PROBE_IDMAP_FILES, SBXI_REMEDY_USERNS_FILTER, sbxi_try_id_maps },
	{ SBXI_PROBE_MOUNTS, SBXI_REMEDY_USERNS_FILTER, sbxi_try_mounts },
	{ SBXI_PROBE_PROC, SBXI_REMEDY_USERNS_FILTER, sbxi_try_proc },
	{ SBXI_PROBE_NETNS, SBXI_REMEDY_USERNS_FILTER, sbxi_try_netns },
	{ SBXI_PROBE_PIDNS, SBXI_REMEDY_USERNS_FILTER, sbxi_try_pidns },
	{ SBXI_PROBE_IPCNS, SBXI_REMEDY_USERNS_FILTER, sbxi_try_ipcns },
	{ SBXI_PROBE_UTSNS, SBXI_REMEDY_USERNS_FILTER, sbxi_try_utsns },
	{ SBXI_PROBE_CGROUPNS, SBXI_REMEDY_USERNS_FILTER, sbxi_try_cgroupns },
	{ SBXI_PROBE_OVERLAY, SBXI_REMEDY_USERNS_FILTER, sbxi_try_overlay },
	{ SBXI_PROBE_LANDLOCK, 0, sbxi_try_landlock },
	{ SBXI_PROBE_SECCOMP, SBXI_REMEDY_SECCOMP, sbxi_try_seccomp },
	{ SBXI_PROBE_NOTIFY, SBXI_REMEDY_SECCOMP, sbxi_try_notify },
	{ SBXI_PROBE_NO_NEW_PRIVS, 0, sbxi_try_no_new_privs },
	{ SBXI_PROBE_CLONE3, 0, sbxi_try_clone3 },
	{ SBXI_PROBE_CLOSE_RANGE, 0, sbxi_try_close_range },
	{ SBXI_PROBE_PIDFD, 0, sbxi_try_pidfd },
	{ SBXI_PROBE_PIDFD_GETFD, 0, sbxi_try_pidfd_getfd },
	{ SBXI_PROBE_MEMFD_EXEC, SBXI_REMEDY_MEMFD_EXEC, sbxi_try_memfd_exec },
	{ SBXI_PROBE_KEYRING, 0, sbxi_try_keyring },
};

/* In the child, or in one that it has made. */
_Noreturn static void run_try(const struct try_entry *entry, int out)
{
	struct sbxi_try t = { .state = SBX_STATE_OFF };
	int rc;

	/* Our end must not stay open in a try that outlives us. */
	close(SBXI_FD_HAND);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* As in a spawn.  Whether it holds is a row of its own. */
	(void)sbxi_no_new_privs_enter();
	rc = entry->fn(&t);
	if (rc < 0) {
		t.state = SBX_STATE_ABSENT;
		t.sys_errno = -rc;
	} else if (t.state == SBX_STATE_OFF) {
		t.state = SBX_STATE_ENFORCED;
	}
	(void)!write(out, &t, sizeof(t));
	_exit(0);
}

/* Its answer.  False: none before the end of all its processes, or in time. */
static bool read_answer(int in, struct sbxi_try *ret, bool *ret_late)
{
	struct pollfd p = { .fd = in, .events = POLLIN };
	int n;

	do
		n = poll(&p, 1, TRY_MS);
	while (n < 0 && errno == EINTR);
	*ret_late = n == 0;
	return n > 0 && read(in, ret, sizeof(*ret)) == (ssize_t)sizeof(*ret);
}

/* The signal that ended the try, passed on by its exit status or not; or 0. */
static uint32_t signal_of(int status)
{
	if (WIFSIGNALED(status))
		return (uint32_t)WTERMSIG(status);
	return WEXITSTATUS(status) > 128 ? WEXITSTATUS(status) - 128u : 0;
}

static void no_answer(const struct try_entry *entry, bool late, int status,
		      struct sbxi_try *ret)
{
	*ret = (struct sbxi_try){ .state = SBX_STATE_ABSENT };
	if (late) {
		ret->sys_errno = ETIMEDOUT;
		return;
	}
	ret->value = signal_of(status);
	if (ret->value == SIGSYS)
		ret->remedy = entry->filtered;
}

static void follow_try(const struct try_entry *entry, pid_t pid, int in,
		       struct sbxi_try *ret)
{
	bool late, answered = read_answer(in, ret, &late);
	int status = 0;

	/* It is not reaped yet, so the number is still its own. */
	if (answered || late)
		(void)kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!answered)
		no_answer(entry, late, status, ret);
	/* Children that it left are ours now, and die with it. */
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
}

static void make_try(const struct try_entry *entry, struct sbxi_try *ret)
{
	int end[2];
	pid_t pid;

	*ret = (struct sbxi_try){ .state = SBX_STATE_ABSENT };
	if (pipe2(end, O_CLOEXEC) < 0) {
		ret->sys_errno = errno;
		return;
	}
	pid = sbxi_process_clone(0, -1, NULL);
	if (pid == 0) {
		close(end[0]);
		run_try(entry, end[1]);
	}
	close(end[1]);
	if (pid > 0) {
		follow_try(entry, pid, end[0], ret);
	} else {
		ret->sys_errno = -pid;
		ret->remedy = pid == -EAGAIN ? SBXI_REMEDY_PROCESSES : 0;
	}
	close(end[0]);
}

void sbxi_probe_main(void)
{
	sbxi_process_reset_signals();
	/* What a killed try leaves must not become the harness's child. */
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (size_t i = 0; i < SBXI_COUNT(tries); i++) {
		struct sbxi_msg_probe m = { .type = SBXI_MSG_PROBE };
		struct sbxi_try t;

		make_try(&tries[i], &t);
		m.id = tries[i].id;
		m.state = t.state;
		m.sys_errno = t.sys_errno;
		m.remedy = t.remedy;
		m.value = t.value;
		/* Nobody listens any more. */
		if (sbxi_fdmsg_send(SBXI_FD_HAND, &m, sizeof(m), NULL, 0) < 0)
			_exit(1);
	}
	_exit(0);
}

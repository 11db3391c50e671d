/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sbx_probe() on this host: as whoever runs the tests, as an ordinary user,
 * under filters that kill or stop a try, and what it leaves behind: nothing.
 */
#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <sandbox/sandbox.h>

#define SKIP 77
#define ORDINARY 65534

/* What a child has to tell, as its exit code. */
enum {
	GOOD = 0,
	PROBE_FAILED,
	ROWS_MISSING,
	ROW_SILENT,
	TIER_LOWER,
	SETUP_FAILED,
	CHILD_LEFT,
	DESCRIPTOR_LEFT,
	WRONG_STATE,
	WRONG_ERRNO,
	WRONG_OBJECT,
	MASK_CHANGED
};

TestSuite(probe_live, .timeout = 60);

/* Run fn in a child: its exit code, or 128 + signal. */
static int in_child(int (*fn)(void))
{
	pid_t pid = fork();
	int st;

	if (pid < 0)
		return -errno;
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(fn());
	}
	while (waitpid(pid, &st, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st);
}

static void expect_good(int (*fn)(void))
{
	int rc = in_child(fn);

	if (rc != SKIP) {
		cr_expect_eq(rc, GOOD, "the child says %d", rc);
		return;
	}
	cr_assert_null(getenv("SBX_REQUIRE_LIVE"), "nothing may be skipped");
	cr_skip_test("this host has no tier A, no listener or no keyrings");
}

static int n_open(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	if (!dir)
		return -1;
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static int find_row(const struct sbx_report *report, const char *name,
		    struct sbx_report_row *ret)
{
	for (size_t i = 0; sbx_report_row(report, i, ret) == 0; i++)
		if (!strcmp(ret->name, name))
			return 0;
	return -1;
}

/* Every row has a name, a state, and words or an errno for what is missing. */
static int check_rows(const struct sbx_report *report)
{
	struct sbx_report_row row = SBX_REPORT_ROW_INIT;
	size_t n;

	for (n = 0; sbx_report_row(report, n, &row) == 0; n++) {
		if (!row.name[0] || row.state == SBX_STATE_OFF)
			return ROW_SILENT;
		if (row.state != SBX_STATE_ENFORCED && !row.object[0])
			return ROW_SILENT;
		if (!strcmp(row.object, "the probe's process died"))
			return ROWS_MISSING;
	}
	return n == 21 ? GOOD : ROWS_MISSING;
}

static int probe_whole(void)
{
	struct sbx_report *report = NULL;
	int rc;

	if (sbx_probe(&report, NULL) != 0)
		return PROBE_FAILED;
	rc = check_rows(report);
	if (rc == GOOD && sbx_report_tier(report) != SBX_TIER_A)
		rc = sbx_report_tier(report) == SBX_TIER_B ? SKIP : TIER_LOWER;
	sbx_report_free(report);
	return rc;
}

Test(probe_live, every_mechanism_is_told_of)
{
	expect_good(probe_whole);
}

static int probe_as_ordinary_user(void)
{
	/* Root of a user namespace may not: outside he is one already. */
	if (geteuid() == 0 && setgroups(0, NULL) == 0 &&
	    (setresgid(ORDINARY, ORDINARY, ORDINARY) < 0 ||
	     setresuid(ORDINARY, ORDINARY, ORDINARY) < 0))
		return SETUP_FAILED;
	return probe_whole();
}

Test(probe_live, an_ordinary_user_can_probe_too)
{
	expect_good(probe_as_ordinary_user);
}

/* With SIGCHLD ignored the kernel reaps the helper before we do. */
static int probe_ignoring_children(void)
{
	signal(SIGCHLD, SIG_IGN);
	return probe_whole();
}

Test(probe_live, a_harness_that_ignores_its_children_can_probe)
{
	expect_good(probe_ignoring_children);
}

static int probe_without_stdio(void)
{
	close(0);
	close(1);
	close(2);
	return probe_whole();
}

Test(probe_live, a_harness_without_standard_streams_can_probe)
{
	expect_good(probe_without_stdio);
}

static int nothing_is_left(void)
{
	sigset_t before, after;
	int open_before, rc;

	/* What any process of the probe leaves becomes our child. */
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return SETUP_FAILED;
	sigemptyset(&before);
	sigaddset(&before, SIGUSR1);
	sigprocmask(SIG_SETMASK, &before, NULL);
	open_before = n_open();
	rc = probe_whole();
	if (rc != GOOD)
		return rc;
	if (n_open() != open_before)
		return DESCRIPTOR_LEFT;
	if (waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD)
		return CHILD_LEFT;
	sigprocmask(SIG_SETMASK, NULL, &after);
	for (int sig = 1; sig < 32; sig++)
		if (sigismember(&before, sig) != sigismember(&after, sig))
			return MASK_CHANGED;
	return GOOD;
}

Test(probe_live, no_process_and_no_descriptor_is_left)
{
	expect_good(nothing_is_left);
}

/* An outer filter that does this with keyctl.  A listener, 0, or -1. */
static int filter_keyctl(uint32_t action, unsigned int flags)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_keyctl, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = {
		.len = sizeof(code) / sizeof(*code),
		.filter = code,
	};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags,
			    &prog);
}

/* The row of keyctl is lost with its try; the next ones are told. */
static int only_keyring_is_lost(int err, const char *word)
{
	struct sbx_report_row row = SBX_REPORT_ROW_INIT;
	struct sbx_report *report = NULL;
	int rc = GOOD;

	if (sbx_probe(&report, NULL) != 0)
		return PROBE_FAILED;
	if (find_row(report, "keyring", &row) < 0 ||
	    row.state != SBX_STATE_ABSENT)
		rc = WRONG_STATE;
	else if (row.sys_errno != err)
		rc = WRONG_ERRNO;
	else if (!strstr(row.object, word))
		rc = WRONG_OBJECT;
	else if (find_row(report, "seccomp", &row) < 0 ||
		 row.state != SBX_STATE_ENFORCED)
		rc = WRONG_STATE;
	else
		rc = check_rows(report);
	sbx_report_free(report);
	return rc;
}

static int probe_under_a_killing_filter(void)
{
	if (filter_keyctl(SECCOMP_RET_KILL_PROCESS, 0) < 0)
		return SKIP;
	return only_keyring_is_lost(0, "SIGSYS");
}

Test(probe_live, a_try_that_is_killed_costs_one_row)
{
	expect_good(probe_under_a_killing_filter);
}

/* We hold the listener and never answer. */
static int probe_under_a_deaf_filter(void)
{
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return SETUP_FAILED;
	/* Where a filter refuses it already, ours is not asked. */
	if (syscall(SYS_keyctl, 0, -3, 0, 0, 0) < 0 &&
	    (errno == EPERM || errno == ENOSYS))
		return SKIP;
	if (filter_keyctl(SECCOMP_RET_USER_NOTIF,
			  SECCOMP_FILTER_FLAG_NEW_LISTENER) < 0)
		return SKIP;
	if (only_keyring_is_lost(ETIMEDOUT, "keys") != GOOD)
		return WRONG_STATE;
	return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD
		       ? GOOD
		       : CHILD_LEFT;
}

Test(probe_live, a_try_that_never_ends_costs_one_row)
{
	expect_good(probe_under_a_deaf_filter);
}

static int fail_without_descriptors(void)
{
	struct sbx_error error = { .code = 0 };
	const struct rlimit few = { .rlim_cur = 64, .rlim_max = 64 };
	struct sbx_report *report = NULL;

	if (setrlimit(RLIMIT_NOFILE, &few) < 0)
		return SETUP_FAILED;
	while (dup(2) >= 0)
		;
	if (errno != EMFILE)
		return SETUP_FAILED;
	if (sbx_probe(&report, &error) != -EMFILE || report != NULL)
		return PROBE_FAILED;
	return error.code == -EMFILE && error.sys_errno == EMFILE &&
			       error.step != SBX_STEP_NONE && error.text[0]
		       ? GOOD
		       : WRONG_ERRNO;
}

Test(probe_live, a_full_descriptor_table_is_an_error_that_touches_nothing)
{
	expect_good(fail_without_descriptors);
}

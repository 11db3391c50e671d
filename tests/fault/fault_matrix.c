/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fault_matrix: each step of a spawn is made to fail, with each of several
 * errors and by a SIGKILL.  The spawn then fails, its error names the step,
 * and the harness is as it was.
 *
 * Without an argument: all of that in four copies, with user namespaces and
 * without, as whoever runs it and, if that is root, as an ordinary user.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sandbox/sandbox.h>

#include "base/fault.h"
#include "ledger.h"
#include "no_userns.h"

#define ORDINARY 65534
#define CASE_SECONDS 30

static const int errors[] = { EPERM, ENOSYS, ENOMEM, EMFILE, -SIGKILL };

static bool tier_b;
static char workspace[] = "/tmp/fault-XXXXXX";

static bool is_documented(int code)
{
	static const int codes[] = {
		EINVAL, E2BIG, EBADF, EPERM, ENOENT, EACCES, ENOTDIR, ELOOP,
		ENAMETOOLONG, ENOEXEC, ESTALE, ECONNREFUSED, ETIMEDOUT,
		EHOSTUNREACH, ENETUNREACH, EMFILE, ENFILE, ENOMEM, EAGAIN,
		ENOSPC, ECHILD, EOPNOTSUPP, EIO
	};

	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		if (code == -codes[i])
			return true;
	return false;
}

/* Is there such a case?  Not all steps exist without user namespaces. */
static bool is_case(uint32_t step, int err)
{
	if (tier_b && (step == SBX_STEP_NAMESPACES ||
		       step == SBX_STEP_MAP_IDS ||
		       step == SBX_STEP_CHECK_IDS || step == SBX_STEP_SYSTEM))
		return false;
	/* These are steps of the harness itself. */
	if (err == -SIGKILL && (step < SBX_STEP_PLACE_HELPER ||
				step == SBX_STEP_RESTORE_MASK))
		return false;
	return true;
}

static struct sbx_policy *make_policy(void)
{
	struct sbx_policy *p = NULL;

	if (sbx_policy_new(SBX_PROFILE_TOOL, &p, NULL) == 0 &&
	    sbx_policy_path(p, workspace, SBX_READ | SBX_WRITE, 0, NULL) == 0 &&
	    sbx_policy_limit(p, SBX_LIMIT_OUTPUT, 1000) == 0)
		return p;
	sbx_policy_unref(p);
	return NULL;
}

/* A spawn with something of everything: a grant, a relay, pipes. */
static int spawn(struct sbx_policy *p, struct sbx_task **ret_task,
		 struct sbx_error *e)
{
	static const char *const argv[] = { "/bin/true", NULL };
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_grant g = SBX_GRANT_INIT;

	g.kind = SBX_GRANT_DATA;
	g.name = "data";
	g.target = "text";
	o.argv = argv;
	o.stdio[0] = SBX_STDIO_PIPE;
	o.stdio[1] = SBX_STDIO_PIPE;
	o.grants = &g;
	o.n_grants = 1;
	return sbx_spawn(p, &o, ret_task, e);
}

/* The twin: with nothing ordered, a task runs; its tier in *ret_tier. */
static int spawn_well(struct sbx_policy *p, uint32_t *ret_tier,
		      struct sbx_error *e)
{
	struct sbx_exit ex = SBX_EXIT_INIT;
	struct sbx_report *report = NULL;
	struct sbx_task *t = NULL;
	int rc;

	sbxi_fault_set(0, 0);
	rc = spawn(p, &t, e);
	if (rc == 0)
		rc = sbx_task_wait(t, 20000, &ex);
	if (rc == 0 && (ex.kind != SBX_EXITED || ex.code != 0))
		rc = -EPROTO;
	if (rc == 0)
		rc = sbx_task_report(t, &report);
	if (rc == 0)
		*ret_tier = sbx_report_tier(report);
	sbx_report_free(report);
	sbx_task_unref(t);
	return rc;
}

/* What is wrong with the failure that was ordered?  "" = nothing. */
static void judge(int rc, uint32_t step, const struct sbx_error *e,
		  bool untouched, char *why, size_t size)
{
	if (rc >= 0)
		snprintf(why, size, "the spawn succeeded");
	else if (!is_documented(rc) || e->code != rc)
		snprintf(why, size, "code %d, in the error %d", rc, e->code);
	else if (e->step != step)
		snprintf(why, size, "the error names step %u (%s), object %s",
			 e->step, sbx_step_name(e->step), e->object);
	else if (!e->object[0])
		snprintf(why, size, "the error names no object");
	else if (!untouched)
		snprintf(why, size, "the handle was written to");
	else
		why[0] = '\0';
}

static void run_case(uint32_t step, int err, char *why, size_t size)
{
	struct sbx_error e = { .code = 0 };
	struct sbx_task *sentinel = (struct sbx_task *)&e;
	struct sbx_task *t = sentinel;
	char *before = ledger_take(LEDGER_SCRATCH);
	struct sbx_policy *p = make_policy();
	uint32_t tier = SBX_TIER_NONE;
	int rc;

	why[0] = '\0';
	sbxi_fault_set(step, err);
	rc = spawn(p, &t, &e);
	sbxi_fault_set(0, 0);
	judge(rc, step, &e, t == sentinel, why, size);
	if (rc >= 0)
		sbx_task_unref(t);
	if (!why[0] && (waitpid(-1, NULL, WNOHANG | __WALL) != -1 ||
			errno != ECHILD))
		snprintf(why, size, "a process is left");
	/* The policy is none the worse for it. */
	rc = spawn_well(p, &tier, &e);
	if (!why[0] && rc < 0)
		snprintf(why, size, "afterwards: %d, step %u, %s", rc, e.step,
			 e.object);
	sbx_policy_unref(p);
	if (!why[0])
		ledger_compare(before, LEDGER_SCRATCH, why, size);
	ledger_no_children(2000);
	free(before);
}

static void run_cases(const char *who)
{
	char why[600];

	for (uint32_t step = SBX_STEP_COMPILE; step <= SBX_STEP_EXEC; step++)
		for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
			if (!is_case(step, errors[i]))
				continue;
			alarm(CASE_SECONDS);
			run_case(step, errors[i], why, sizeof(why));
			printf("%s - %s: step %u (%s) fails by %s%s%s\n",
			       why[0] ? "not ok" : "ok", who, step,
			       sbx_step_name(step), errors[i] < 0 ? "SIGKILL" :
			       strerrorname_np(errors[i]),
			       why[0] ? ": " : "", why);
		}
}

static bool may_skip(void)
{
	const char *required = getenv("SBX_REQUIRE_LIVE");

	return !required || strcmp(required, "1") != 0;
}

/* One copy: all cases in one tier, as one user. */
static int be_copy(const char *tier)
{
	struct sbx_error e = { .code = 0 };
	struct sbx_policy *p;
	uint32_t got = SBX_TIER_NONE;
	char who[64];
	int rc;

	setvbuf(stdout, NULL, _IOLBF, 0);
	tier_b = !strcmp(tier, "tier-b");
	snprintf(who, sizeof(who), "%s, uid %u", tier, geteuid());
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (!mkdtemp(workspace) || (tier_b && refuse_user_namespaces() < 0)) {
		printf("not ok - %s: cannot be set up\n", who);
		return 1;
	}
	alarm(CASE_SECONDS);
	p = make_policy();
	rc = p ? spawn_well(p, &got, &e) : -ENOMEM;
	sbx_policy_unref(p);
	if (rc == 0 && got == (tier_b ? SBX_TIER_B : SBX_TIER_A)) {
		run_cases(who);
	} else if (!tier_b && may_skip() && (rc == 0 || rc == -EPERM)) {
		fprintf(stderr, "SKIPPED: %s: no such tier here\n", who);
		printf("ok - %s # SKIP no such tier here\n", who);
	} else {
		printf("not ok - %s: without a fault: %d, tier %u, step %u, "
		       "%s: %s\n", who, rc, got, e.step, e.object, e.text);
	}
	rmdir(workspace);
	return 0;
}

/* Is any part of this program below /tmp, which is about to be hidden? */
static bool lives_in_tmp(void)
{
	FILE *in = fopen("/proc/self/maps", "re");
	char line[4096];
	bool found = false;

	while (in && fgets(line, sizeof(line), in))
		found |= strstr(line, " /tmp/") || strstr(line, " /var/tmp/");
	if (in)
		fclose(in);
	return found;
}

/* Others may make and remove folders there at the same time. */
static void hide_tmp(void)
{
	if (geteuid() != 0 || lives_in_tmp() || unshare(CLONE_NEWNS) < 0)
		return;
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("tmpfs", "/tmp", "tmpfs", 0, "mode=1777") < 0 ||
	    mount("tmpfs", "/var/tmp", "tmpfs", 0, "mode=1777") < 0)
		fprintf(stderr, "no /tmp of our own: %s\n", strerror(errno));
}

static void start_copy(int program, int out, const char *tier, bool ordinary)
{
	char name[] = "fault_matrix", argument[16];
	char *argv[] = { name, argument, NULL };

	snprintf(argument, sizeof(argument), "%s", tier);
	if (ordinary && (setgroups(0, NULL) < 0 ||
			 setresgid(ORDINARY, ORDINARY, ORDINARY) < 0 ||
			 setresuid(ORDINARY, ORDINARY, ORDINARY) < 0))
		_exit(1);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(out, 1);
	fexecve(program, argv, environ);
	fprintf(stderr, "fault_matrix: %s: %s\n", tier, strerror(errno));
	_exit(1);
}

/* Pass a copy's lines on, numbered.  Returns how many are not ok. */
static int pass_on(FILE *in, int *number)
{
	char line[4096];
	int bad = 0;

	while (fgets(line, sizeof(line), in)) {
		if (!strncmp(line, "ok ", 3)) {
			printf("ok %d %s", ++*number, line + 3);
		} else if (!strncmp(line, "not ok ", 7)) {
			printf("not ok %d %s", ++*number, line + 7);
			bad++;
		} else {
			fputs(line, stdout);
		}
		fflush(stdout);
	}
	return bad;
}

static int run_copy(const char *tier, bool ordinary, int *number)
{
	int program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int fds[2], st, bad;
	FILE *in;
	pid_t pid;

	if (program < 0 || pipe2(fds, O_CLOEXEC) < 0)
		return 1;
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		start_copy(program, fds[1], tier, ordinary);
	close(fds[1]);
	close(program);
	in = fdopen(fds[0], "r");
	bad = in ? pass_on(in, number) : 1;
	if (in)
		fclose(in);
	if (pid < 0 || waitpid(pid, &st, 0) != pid || st != 0) {
		printf("not ok %d - %s%s: ended early, status %#x\n",
		       ++*number, tier, ordinary ? ", an ordinary user" : "",
		       (unsigned)st);
		bad++;
	}
	return bad;
}

int main(int argc, char **argv)
{
	int number = 0, bad = 0;

	if (argc > 1)
		return be_copy(argv[1]);
	hide_tmp();
	bad += run_copy("tier-a", false, &number);
	bad += run_copy("tier-b", false, &number);
	if (geteuid() == 0) {
		bad += run_copy("tier-a", true, &number);
		bad += run_copy("tier-b", true, &number);
	}
	printf("1..%d\n", number);
	return bad > 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Without a pid namespace of its own a task signals and tunes its own tree
 * and nobody else, whatever Landlock judges.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live.h"

TestSuite(signals_live, .timeout = 120);

/* Without user namespaces alone: in tier A there are no other numbers. */
#define TIER_B_TEST(name)                                                     \
	LIVE_BEHAVIOUR(name)                                                  \
	Test(signals_live, name##__without_user_namespaces)                   \
	{                                                                     \
		live_try(#name, LIVE_TIER_B);                                 \
	}                                                                     \
	Test(signals_live,                                                    \
	     name##__for_an_ordinary_user_without_user_namespaces)            \
	{                                                                     \
		live_try(#name, LIVE_USER | LIVE_TIER_B);                     \
	}                                                                     \
	static int name(__attribute__((unused)) struct live *l)

static int run(const struct live *l, const char *program, const char *what,
	       long pid, struct live_run *r)
{
	struct sbx_policy *p = live_policy(l);
	char number[24];
	const char *const argv[] = { live_program(l, program), what, number,
				     NULL };
	int rc;

	snprintf(number, sizeof(number), "%ld", pid);
	rc = p ? live_exec(p, NULL, argv, r) : -1;
	sbx_policy_unref(p);
	return rc;
}

/* The same without a jail, for the process to be hit. */
static int run_outside(const struct live *l, const char *program, long pid)
{
	pid_t child = fork();
	int st = -1;

	if (child == 0) {
		char number[24];
		int null = open("/dev/null", O_WRONLY);

		snprintf(number, sizeof(number), "%ld", pid);
		dup2(null, 1);
		execl(live_program(l, program), program, "at", number,
		      (char *)NULL);
		_exit(1);
	}
	return waitpid(child, &st, 0) == child ? st : -1;
}

/* A process of the same user that leads a group, and ends by any signal. */
static pid_t start_victim(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		/* A test that fails leaves nobody behind. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setpgid(0, 0);
		for (;;)
			pause();
	}
	setpgid(pid, pid);
	return pid;
}

static bool lives(pid_t pid)
{
	return waitpid(pid, NULL, WNOHANG) == 0;
}

/* Every line of out must be one of wanted, in their order. */
static int check_lines(const struct live_run *r, const char *const *wanted,
		       size_t n)
{
	const char *at = r->out;

	CHECK(r->exit.kind == SBX_EXITED && r->exit.code == 0, "%u %d\n%s%s",
	      r->exit.kind, r->exit.code, r->out, r->err);
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(wanted[i]);

		CHECK(strncmp(at, wanted[i], len) == 0 && at[len] == '\n',
		      "wanted %s in\n%s%s", wanted[i], r->out, r->err);
		at += len + 1;
	}
	CHECK(*at == '\0', "%s", at);
	return 0;
}

#define LINES(r, array) check_lines(r, array, sizeof(array) / sizeof(*(array)))

TIER_B_TEST(a_task_signals_itself_its_threads_and_its_children)
{
	static const char *wanted[] = {
		"raise=ok", "kill=ok", "tkill=ok", "pthread_kill=ok",
		"pidfd=ok", "queue=ok", "bad signal=EINVAL", "thread=ok",
		"thread pidfd=ok", "thread tkill=ok", "child kill=ok",
		"child tgkill=ok", "child queue=ok", "child pidfd=ok",
		"child group=ok", "ended child=ESRCH", "ended group=ESRCH",
		"abort=ok", "all=ok", "all came=0"
	};
	static struct live_run r;

	CHECK(run(l, "signals", "own", 0, &r) == 0);
	/* Linux 6.9 names threads by a descriptor; glibc needs none. */
	if (!strstr(r.out, "thread pidfd=ok")) {
		wanted[8] = "thread pidfd=EINVAL";
		fprintf(stderr, "no descriptors of threads here\n");
	}
	return LINES(&r, wanted);
}

TIER_B_TEST(a_task_signals_nobody_else)
{
	static const char *const refused[] = {
		"kill=EPERM", "tkill=EPERM", "tgkill=EPERM", "queue=EPERM",
		"tgqueue=EPERM", "pidfd=EPERM", "group=EPERM"
	};
	static struct live_run r;
	pid_t victim = start_victim();
	int st = 0;

	CHECK(victim > 0);
	CHECK(run(l, "signals", "at", victim, &r) == 0);
	CHECK(LINES(&r, refused) == 0);
	CHECK(lives(victim), "it was hit");
	/* The supervisor leads no group of that number, but its session's. */
	CHECK(run(l, "signals", "at", 0, &r) == 0);
	for (size_t i = 0; i < 6; i++)
		CHECK(strstr(r.out, refused[i]), "%s", r.out);
	CHECK(!strstr(r.out, "=ok"), "%s", r.out);
	CHECK(r.exit.kind == SBX_EXITED && r.exit.code == 0);
	/* Nothing but the jail kept it from that. */
	CHECK(run_outside(l, "signals", victim) >= 0);
	CHECK(waitpid(victim, &st, 0) == victim);
	CHECK(WIFSIGNALED(st) && WTERMSIG(st) == SIGUSR1, "%x", st);
	return 0;
}

TIER_B_TEST(a_task_tunes_its_own_tree_by_number)
{
	static const char *const wanted[] = {
		"child affinity=ok", "child policy=ok", "child priority=ok",
		"child limit=EPERM", "child attributes=EPERM",
		"child parameters=EPERM", "child io=EPERM",
		"child pages=EPERM", "from a thread=EPERM", "thread's own=EPERM",
		"thread affinity=ok", "thread policy=ok",
		"thread priority=ok", "own affinity=ok", "own policy=ok",
		"own priority=ok", "own limit=EPERM", "own attributes=EPERM",
		"own parameters=EPERM", "own io=EPERM", "own pages=EPERM",
		"group=EPERM", "user=EPERM"
	};
	static struct live_run r;

	CHECK(run(l, "numbers", "own", 0, &r) == 0);
	return LINES(&r, wanted);
}

TIER_B_TEST(a_task_tunes_nobody_else)
{
	static const char *const refused[] = {
		"other affinity=EPERM", "other policy=EPERM",
		"other priority=EPERM", "other limit=EPERM",
		"other attributes=EPERM", "other parameters=EPERM",
		"other io=EPERM", "other pages=EPERM"
	};
	static struct live_run r;
	pid_t victim = start_victim();
	cpu_set_t before, after;

	CHECK(victim > 0);
	CHECK(sched_getaffinity(victim, sizeof(before), &before) == 0);
	CHECK(run(l, "numbers", "at", victim, &r) == 0);
	CHECK(LINES(&r, refused) == 0);
	CHECK(getpriority(PRIO_PROCESS, (id_t)victim) == 0);
	CHECK(sched_getscheduler(victim) == SCHED_OTHER);
	CHECK(sched_getaffinity(victim, sizeof(after), &after) == 0 &&
	      CPU_EQUAL(&before, &after));
	CHECK(run(l, "numbers", "at", 0, &r) == 0);
	CHECK(LINES(&r, refused) == 0);
	/* Nothing but the jail kept it from that. */
	CHECK(run_outside(l, "numbers", victim) >= 0);
	CHECK(getpriority(PRIO_PROCESS, (id_t)victim) == 5);
	CHECK(sched_getscheduler(victim) == SCHED_BATCH);
	kill(victim, SIGKILL);
	CHECK(waitpid(victim, NULL, 0) == victim);
	return 0;
}

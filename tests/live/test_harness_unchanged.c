/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever happens to tasks, the harness is as it was. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "live.h"

TestSuite(harness_live, .timeout = 120);

static void handle(int sig)
{
	(void)sig;
}

/* Settings that are nobody's default, so that a reset is seen. */
static int be_peculiar(const struct live *l)
{
	struct sigaction sa = { .sa_handler = handle,
				.sa_flags = SA_RESTART | SA_ONSTACK };
	struct rlimit r = { .rlim_cur = 500 };
	sigset_t mask;
	/* Static: an alternate stack stays in use to the end. */
	static char room[65536];
	stack_t stack = { .ss_size = sizeof(room), .ss_sp = room };

	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR2);
	sigaddset(&mask, SIGRTMIN + 5);
	sigaddset(&sa.sa_mask, SIGHUP);
	CHECK(sigaltstack(&stack, NULL) == 0);
	CHECK(sigprocmask(SIG_SETMASK, &mask, NULL) == 0);
	CHECK(sigaction(SIGUSR1, &sa, NULL) == 0);
	CHECK(sigaction(SIGCHLD, &sa, NULL) == 0);
	CHECK(sigaction(SIGRTMIN + 1, &sa, NULL) == 0);
	CHECK(signal(SIGQUIT, SIG_IGN) != SIG_ERR);
	CHECK(getrlimit(RLIMIT_NOFILE, &r) == 0);
	r.rlim_cur = 500;
	CHECK(setrlimit(RLIMIT_NOFILE, &r) == 0);
	CHECK(chdir(l->dir) == 0);
	umask(027);
	CHECK(setenv("PECULIAR", "yes", 1) == 0 && unsetenv("HOME") == 0);
	CHECK(prctl(PR_SET_NAME, "peculiar") == 0);
	CHECK(open("/dev/null", O_RDONLY) >= 0);
	return 0;
}

/* The life of a policy and of tasks that end each in another way. */
static int live_through(const struct live *l)
{
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_grant g = SBX_GRANT_INIT;
	struct sbx_policy *p = live_policy(l);
	struct sbx_report *report = NULL;
	struct sbx_task *t;
	struct live_run r;
	char *json = NULL;

	CHECK(p);
	g.kind = SBX_GRANT_DATA;
	g.name = "data";
	g.target = "text";
	o.grants = &g;
	o.n_grants = 1;
	o.stdio[0] = SBX_STDIO_PIPE;
	CHECK(sbx_policy_limit(p, SBX_LIMIT_OUTPUT, 1000) == 0);
	CHECK(sbx_policy_limit(p, SBX_LIMIT_WALL_MS, 5000) == 0);
	CHECK(live_sh(p, NULL, "head -c 5000 /dev/zero; exit 3", &r) == 0);
	CHECK(live_sh(p, NULL, "kill -9 $$", &r) == 0);
	t = live_start(p, &o, "cat <&3; sleep 1000");
	CHECK(t);
	CHECK(sbx_task_report(t, &report) == 0);
	CHECK(sbx_report_json(report, &json) == 0);
	free(json);
	sbx_report_free(report);
	CHECK(sbx_task_kill(t, SIGUSR1) == 0);
	sbx_task_unref(t);
	o.cwd = "/no/such/folder";
	CHECK(live_sh(p, &o, "exit 0", &r) == -ENOENT);
	report = NULL;
	CHECK(sbx_policy_dry_run(p, &report, NULL) == 0);
	sbx_report_free(report);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(harness_live, a_peculiar_harness_stays_as_it_is)
{
	char why[512], *before;

	CHECK(be_peculiar(l) == 0);
	before = ledger_take(0);
	CHECK(live_through(l) == 0);
	CHECK(ledger_compare(before, 0, why, sizeof(why)) == 0, "%s", why);
	free(before);
	return 0;
}

LIVE_TEST_BOTH_TIERS(harness_live, the_ledger_sees_each_change)
{
	char why[512] = "", *before = ledger_take(0);
	struct rlimit r = { .rlim_cur = 0 };
	struct sigaction sa;
	sigset_t mask;
	int fd;

	/* The twin of all other tests here. */
	CHECK(ledger_compare(before, 0, why, sizeof(why)) == 0, "%s", why);
	fd = dup(0);
	CHECK(ledger_compare(before, 0, why, sizeof(why)) == 1);
	CHECK(strstr(why, "descriptor"), "%s", why);
	close(fd);
	umask(0111);
	CHECK(ledger_compare(before, 0, why, sizeof(why)) == 1);
	umask(0022);
	CHECK(ledger_compare(before, 0, why, sizeof(why)) == 0, "%s", why);
	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	CHECK(ledger_compare(before, 0, why, sizeof(why)) == 1);
	sigprocmask(SIG_UNBLOCK, &mask, NULL);
	CHECK(sigaction(SIGUSR1, NULL, &sa) == 0);
	signal(SIGUSR1, handle);
	CHECK(ledger_compare(before, 0, why, sizeof(why)) == 1);
	CHECK(sigaction(SIGUSR1, &sa, NULL) == 0);
	CHECK(setenv("NEW", "x", 1) == 0);
	CHECK(ledger_compare(before, 0, why, sizeof(why)) == 1);
	CHECK(unsetenv("NEW") == 0);
	if (fork() == 0)
		_exit(0);
	CHECK(ledger_compare(before, 0, why, sizeof(why)) == 1);
	CHECK(strstr(why, "children"), "%s", why);
	CHECK(ledger_no_children(5000) == 0);
	CHECK(getrlimit(RLIMIT_CPU, &r) == 0);
	r.rlim_cur = 5000;
	CHECK(setrlimit(RLIMIT_CPU, &r) == 0);
	CHECK(ledger_compare(before, 0, why, sizeof(why)) == 1);
	CHECK(strstr(why, "rlimit"), "%s", why);
	free(before);
	return 0;
}

static pid_t harness;
static volatile sig_atomic_t handled, handled_elsewhere;

static void count(int sig)
{
	(void)sig;
	handled++;
	if (syscall(__NR_getpid) != harness)
		handled_elsewhere++;
}

LIVE_TEST_BOTH_TIERS(harness_live, a_storm_of_signals_disturbs_no_spawn)
{
	struct itimerval often = { .it_interval.tv_usec = 300,
				   .it_value.tv_usec = 300 };
	struct itimerval never = { .it_value.tv_usec = 0 };
	struct sigaction sa = { .sa_handler = count };
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	const char *const argv[] = { "/bin/true", NULL };
	struct sbx_policy *p = live_policy(l);

	/*
	 * The child of a spawn borrows our memory: a handler that runs in it
	 * writes to our variables.
	 */
	CHECK(p);
	harness = getpid();
	o.argv = argv;
	CHECK(sigaction(SIGALRM, &sa, NULL) == 0);
	CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
	for (int i = 0; i < 100; i++) {
		struct sbx_exit ex = SBX_EXIT_INIT;
		struct sbx_error e = { .code = 0 };
		struct sbx_task *t = NULL;
		int rc = sbx_spawn(p, &o, &t, &e);

		CHECK(rc == 0, "%d step %u %s", rc, e.step, e.object);
		while ((rc = sbx_task_wait(t, 20000, &ex)) == -EINTR)
			;
		CHECK(rc == 0 && ex.kind == SBX_EXITED && ex.code == 0,
		      "%d kind %u code %d", rc, ex.kind, ex.code);
		sbx_task_unref(t);
	}
	CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0);
	CHECK(handled > 50, "%d", (int)handled);
	CHECK(handled_elsewhere == 0, "%d", (int)handled_elsewhere);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(harness_live, a_signal_that_is_pending_stays_so)
{
	struct sbx_policy *p = live_policy(l);
	struct live_run r;
	sigset_t mask, pending;

	CHECK(p);
	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	CHECK(sigprocmask(SIG_BLOCK, &mask, NULL) == 0);
	CHECK(raise(SIGUSR1) == 0);
	CHECK(live_sh(p, NULL, "exit 0", &r) == 0 && r.exit.code == 0);
	CHECK(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1));
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(harness_live, a_large_harness_is_not_copied)
{
	struct sbx_policy *p = live_policy(l);
	struct rlimit r = { .rlim_cur = 0 };
	size_t size = 512u << 20;
	struct live_run run;
	char *memory;

	/* A copy of it would not fit in twice: fork(2) would fail here. */
	CHECK(p);
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(memory != MAP_FAILED);
	for (size_t i = 0; i < size; i += 4096)
		memory[i] = 1;
	CHECK(getrlimit(RLIMIT_AS, &r) == 0);
	CHECK(live_sh(p, NULL, "grep -h VmPeak /proc/1/status "
		      "/proc/self/status | awk '{ print $2 }'", &run) == 0);
	for (char *line = strtok(run.out, "\n"); line;
	     line = strtok(NULL, "\n"))
		CHECK(strtol(line, NULL, 10) < 256 << 10, "%s kB", line);
	CHECK(munmap(memory, size) == 0);
	sbx_policy_unref(p);
	return 0;
}

static void *do_nothing(void *arg)
{
	return arg;
}

static void *spawn_some(void *arg)
{
	struct live_run *r = calloc(1, sizeof(*r));
	long wrong = 0;

	for (int i = 0; r && i < 5; i++) {
		char script[32];

		snprintf(script, sizeof(script), "exit %d", i);
		if (live_sh(arg, NULL, script, r) != 0 || r->exit.code != i)
			wrong++;
	}
	free(r);
	return (void *)wrong;
}

LIVE_TEST_BOTH_TIERS(harness_live, many_threads_leave_it_unchanged_too)
{
	struct sbx_policy *p;
	char why[512], *before;
	pthread_t thread[6];
	void *wrong;

	/* The first thread of all makes the C library install a handler. */
	CHECK(pthread_create(&thread[0], NULL, do_nothing, NULL) == 0);
	CHECK(pthread_join(thread[0], NULL) == 0);
	before = ledger_take(0);
	p = live_policy(l);
	CHECK(p);
	for (int i = 0; i < 6; i++)
		CHECK(pthread_create(&thread[i], NULL, spawn_some, p) == 0);
	for (int i = 0; i < 6; i++) {
		CHECK(pthread_join(thread[i], &wrong) == 0);
		CHECK(!wrong, "%ld tasks", (long)wrong);
	}
	sbx_policy_unref(p);
	CHECK(ledger_compare(before, 0, why, sizeof(why)) == 0, "%s", why);
	free(before);
	return 0;
}

LIVE_TEST_BOTH_TIERS(harness_live, the_hosts_folders_have_nothing_new)
{
	struct sbx_policy *p = live_policy(l);
	struct live_run r;
	char path[128];

	/* Nothing is left in a granted tree: no mount point, no dropping. */
	CHECK(p);
	CHECK(sbx_policy_limit(p, SBX_LIMIT_SCRATCH, 1 << 20) == 0);
	CHECK(live_sh(p, NULL, "echo x >\"$HOME/f\"; echo x >\"$TMPDIR/f\"",
		      &r) == 0);
	CHECK(r.exit.code == 0, "%s", r.err);
	sbx_policy_unref(p);
	CHECK(rmdir(l->ws) == 0, "the workspace is not empty");
	snprintf(path, sizeof(path), "%s/f", l->dir);
	CHECK(access(path, F_OK) < 0);
	return 0;
}

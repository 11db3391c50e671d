/* SPDX-License-Identifier: Apache-2.0 */
/* A task starts, gets what it was given, and its end is told. */
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live.h"

TestSuite(spawn_live, .timeout = 120);

LIVE_TEST_BOTH_TIERS(spawn_live, an_exit_status_is_told)
{
	struct sbx_policy *p = live_policy(l);
	struct live_run r;

	CHECK(p);
	CHECK(live_sh(p, NULL, "exit 0", &r) == 0);
	CHECK(r.exit.kind == SBX_EXITED && r.exit.code == 0);
	CHECK(live_sh(p, NULL, "exit 42", &r) == 0);
	CHECK(r.exit.kind == SBX_EXITED && r.exit.code == 42,
	      "kind %u code %d", r.exit.kind, r.exit.code);
	CHECK(live_sh(p, NULL, "exit 255", &r) == 0);
	CHECK(r.exit.kind == SBX_EXITED && r.exit.code == 255);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(spawn_live, death_by_a_signal_is_told)
{
	struct sbx_policy *p = live_policy(l);
	struct live_run r;

	CHECK(p);
	CHECK(live_sh(p, NULL, "kill -TERM $$", &r) == 0);
	CHECK(r.exit.kind == SBX_SIGNALED && r.exit.code == SIGTERM,
	      "kind %u code %d", r.exit.kind, r.exit.code);
	CHECK(live_sh(p, NULL, "kill -KILL $$", &r) == 0);
	CHECK(r.exit.kind == SBX_SIGNALED && r.exit.code == SIGKILL);
	CHECK(live_sh(p, NULL, "kill -SEGV $$", &r) == 0);
	CHECK(r.exit.kind == SBX_SIGNALED && r.exit.code == SIGSEGV);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(spawn_live, arguments_arrive_byte_by_byte)
{
	const char *const argv[] = { "/usr/bin/printf", "<%s>\\n", "a b",
				     "", "--", "\xff\x01'\"\\n", NULL };
	struct sbx_policy *p = live_policy(l);
	struct live_run r;

	CHECK(p);
	CHECK(live_exec(p, NULL, argv, &r) == 0);
	CHECK(!strcmp(r.out, "<a b>\n<>\n<-->\n<\xff\x01'\"\\n>\n"),
	      "%s", r.out);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(spawn_live, a_bare_name_is_found_in_the_tasks_path)
{
	const char *const argv[] = { "printf", "found", NULL };
	struct sbx_policy *p = live_policy(l);
	struct live_run r;

	/* The caller's own is of no account. */
	setenv("PATH", "/nonexistent", 1);
	CHECK(p);
	CHECK(live_exec(p, NULL, argv, &r) == 0);
	CHECK(!strcmp(r.out, "found"));
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(spawn_live, standard_input_travels_by_a_pipe)
{
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	const char *const argv[] = { "/bin/sh", "-c",
				     "tr a-z A-Z; echo end", NULL };
	struct sbx_policy *p = live_policy(l);
	struct sbx_task *t = NULL;
	static struct live_run r;

	CHECK(p);
	o.argv = argv;
	o.stdio[0] = SBX_STDIO_PIPE;
	o.stdio[1] = SBX_STDIO_PIPE;
	CHECK(sbx_spawn(p, &o, &t, NULL) == 0);
	CHECK(sbx_task_stdio(t, 2) == -EBADF);
	CHECK(write(sbx_task_stdio(t, 0), "hello\n", 6) == 6);
	CHECK(sbx_task_close_stdio(t, 0) == 0);
	CHECK(sbx_task_stdio(t, 0) == -EBADF);
	CHECK(sbx_task_close_stdio(t, 0) == -EBADF);
	CHECK(live_collect(t, &r) == 0);
	CHECK(!strcmp(r.out, "HELLO\nend\n"), "%s", r.out);
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(spawn_live, the_two_outputs_stay_apart)
{
	struct sbx_policy *p = live_policy(l);
	struct live_run r;

	CHECK(p);
	CHECK(live_sh(p, NULL, "echo one; echo two >&2", &r) == 0);
	CHECK(!strcmp(r.out, "one\n") && !strcmp(r.err, "two\n"));
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(spawn_live, a_megabyte_of_output_arrives_whole)
{
	struct sbx_policy *p = live_policy(l);
	struct live_run r;

	CHECK(p);
	CHECK(live_sh(p, NULL, "head -c 1000000 /dev/zero", &r) == 0);
	CHECK(r.n_out == 1000000, "%zu", r.n_out);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(spawn_live, by_default_the_streams_are_the_null_device)
{
	struct sbx_policy *p = live_policy(l);
	struct sbx_task *t;
	struct sbx_exit ex;
	char script[400], path[160];

	CHECK(p);
	snprintf(path, sizeof(path), "%s/read", l->ws);
	snprintf(script, sizeof(script),
		 "cat >%s && echo x && echo y >&2 && test -c /dev/fd/1", path);
	t = live_start(p, NULL, script);
	CHECK(t);
	CHECK(live_wait(t, &ex) == 0);
	CHECK(ex.kind == SBX_EXITED && ex.code == 0, "code %d", ex.code);
	CHECK(live_read(path) && !*live_read(path));
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(spawn_live, a_descriptor_of_the_callers_becomes_a_stream)
{
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_policy *p = live_policy(l);
	struct sbx_task *t;
	struct sbx_exit ex;
	char path[160];
	int fd;

	CHECK(p);
	/* Not in the workspace: it is the descriptor that is lent. */
	snprintf(path, sizeof(path), "%s/out", l->dir);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	CHECK(fd >= 0);
	o.stdio[1] = fd;
	o.stdio[2] = fd;
	t = live_start(p, &o, "echo out; echo err >&2");
	CHECK(t);
	CHECK(live_wait(t, &ex) == 0);
	CHECK(!strcmp(live_read(path), "out\nerr\n"), "%s", live_read(path));
	CHECK(fcntl(fd, F_GETFD) == FD_CLOEXEC);
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(spawn_live, inherited_streams_are_the_callers)
{
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_policy *p = live_policy(l);
	struct sbx_task *t;
	struct sbx_exit ex;
	char path[160];
	int fd, out;

	CHECK(p);
	snprintf(path, sizeof(path), "%s/out", l->dir);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	CHECK(fd >= 0);
	out = dup(1);
	CHECK(dup2(fd, 1) == 1);
	o.stdio[1] = SBX_STDIO_INHERIT;
	t = live_start(p, &o, "echo inherited");
	CHECK(dup2(out, 1) == 1);
	CHECK(t);
	CHECK(live_wait(t, &ex) == 0);
	CHECK(!strcmp(live_read(path), "inherited\n"));
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(spawn_live, without_a_folder_it_starts_in_its_home)
{
	struct sbx_policy *p = live_policy(l);
	struct live_run r;

	CHECK(p);
	CHECK(live_sh(p, NULL, "test \"$(pwd -P)\" = \"$(cd \"$HOME\" && "
		      "pwd -P)\" && echo x >f && cat f", &r) == 0);
	CHECK(!strcmp(r.out, "x\n"), "%s%s", r.out, r.err);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(spawn_live, a_folder_can_be_chosen)
{
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_policy *p = live_policy(l);
	struct live_run r;
	char cwd[PATH_MAX];

	CHECK(p);
	o.cwd = l->ws;
	CHECK(getcwd(cwd, sizeof(cwd)));
	CHECK(live_sh(p, &o, "pwd -P; echo x >here", &r) == 0);
	CHECK(!strncmp(r.out, l->ws, strlen(l->ws)), "%s", r.out);
	snprintf(cwd, sizeof(cwd), "%s/here", l->ws);
	CHECK(live_read(cwd) && !strcmp(live_read(cwd), "x\n"));
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(spawn_live, the_environment_is_the_policys_alone)
{
	struct sbx_policy *p = live_policy(l);
	struct live_run r;

	CHECK(p);
	CHECK(setenv("HARNESS_ONLY", "x", 1) == 0);
	CHECK(sbx_policy_env(p, "GIVEN", "a value=with\ttab") == 0);
	CHECK(sbx_policy_env(p, "TERM", NULL) == 0);
	CHECK(live_sh(p, NULL, "/usr/bin/env", &r) == 0);
	CHECK(strstr(r.out, "GIVEN=a value=with\ttab\n"), "%s", r.out);
	CHECK(strstr(r.out, "HOME=/") && strstr(r.out, "PATH=/"));
	CHECK(!strstr(r.out, "HARNESS_ONLY"));
	CHECK(!strstr(r.out, "TERM="));
	CHECK(!strstr(r.out, l->token));
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(spawn_live, a_task_can_be_waited_for_twice)
{
	struct sbx_policy *p = live_policy(l);
	struct sbx_exit ex = SBX_EXIT_INIT;
	struct sbx_task *t;

	CHECK(p);
	t = live_start(p, NULL, "sleep 0.3; exit 9");
	CHECK(t);
	CHECK(sbx_task_wait(t, 0, &ex) == -ETIMEDOUT);
	CHECK(ex.kind == 0, "untouched on failure");
	CHECK(live_wait(t, &ex) == 0 && ex.code == 9);
	CHECK(live_wait(t, &ex) == 0 && ex.code == 9);
	CHECK(ex.kind == SBX_EXITED && ex.wall_ms >= 250 &&
	      ex.wall_ms < 30000, "%llu ms", (unsigned long long)ex.wall_ms);
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(spawn_live, the_user_data_is_the_callers)
{
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_policy *p = live_policy(l);
	struct sbx_exit ex;
	struct sbx_task *t;

	CHECK(p);
	o.userdata = &ex;
	t = live_start(p, &o, "exit 0");
	CHECK(t);
	CHECK(sbx_task_userdata(t) == &ex);
	CHECK(live_wait(t, &ex) == 0);
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(spawn_live, many_tasks_of_one_policy_run_side_by_side)
{
	struct sbx_policy *p = live_policy(l);
	struct sbx_task *t[20];
	struct sbx_exit ex;
	char script[64];

	CHECK(p);
	for (int i = 0; i < 20; i++) {
		snprintf(script, sizeof(script), "sleep 0.2; exit %d", i);
		t[i] = live_start(p, NULL, script);
		CHECK(t[i]);
	}
	for (int i = 19; i >= 0; i--) {
		CHECK(live_wait(t[i], &ex) == 0);
		CHECK(ex.kind == SBX_EXITED && ex.code == i, "task %d: %d", i,
		      ex.code);
		sbx_task_unref(t[i]);
	}
	sbx_policy_unref(p);
	CHECK(ledger_no_children(0) == 0);
	return 0;
}

LIVE_TEST_BOTH_TIERS(spawn_live, signals_of_a_task_start_as_they_should)
{
	struct {
		void (*handler)(int);
		unsigned long flags;
		void (*restorer)(void);
		unsigned long mask;
	} ignore = { .handler = SIG_IGN };
	struct sbx_policy *p = live_policy(l);
	struct live_run r;
	sigset_t all;

	/* What the harness blocks and ignores is not passed on. */
	CHECK(p);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGUSR1, SIG_IGN);
	/* Those that C libraries keep for themselves, too. */
	for (int sig = 32; sig < 35; sig++)
		CHECK(syscall(__NR_rt_sigaction, sig, &ignore, NULL, 8) == 0);
	CHECK(live_sh(p, NULL, "grep -E '^Sig(Blk|Ign)' /proc/self/status",
		      &r) == 0);
	sbx_policy_unref(p);
	/* Without user namespaces a jail may have no /proc to see it by. */
	if (l->tier_b && r.exit.code == 2)
		return 0;
	CHECK(strstr(r.out, "SigBlk:\t0000000000000000\n"), "%s", r.out);
	CHECK(strstr(r.out, "SigIgn:\t0000000000000000\n"), "%s", r.out);
	return 0;
}

LIVE_TEST(spawn_live, the_report_says_which_tier_and_what_holds)
{
	struct sbx_report_row row = SBX_REPORT_ROW_INIT;
	struct sbx_policy *p = live_policy(l);
	struct sbx_report *report = NULL;
	struct sbx_exit ex;
	struct sbx_task *t;
	size_t i;

	CHECK(p);
	t = live_start(p, NULL, "exit 0");
	CHECK(t);
	CHECK(sbx_task_report(t, &report) == 0);
	CHECK(sbx_report_tier(report) == SBX_TIER_A);
	for (i = 0; sbx_report_row(report, i, &row) == 0; i++)
		CHECK(row.level != SBX_REQUIRE ||
		      row.state == SBX_STATE_ENFORCED ||
		      row.state == SBX_STATE_OFF,
		      "%s is %u: %s", row.name, row.state, row.object);
	CHECK(i == 17);
	sbx_report_free(report);
	CHECK(live_wait(t, &ex) == 0);
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

static int use_in_a_copy(void *arg)
{
	struct sbx_task *task = arg;
	struct sbx_exit ex = SBX_EXIT_INIT;

	if (sbx_task_wait(task, 0, &ex) != -ECHILD)
		return 1;
	if (sbx_task_kill(task, SIGKILL) != -ECHILD)
		return 2;
	if (sbx_task_dispatch(task) != -ECHILD)
		return 3;
	sbx_task_unref(task);
	return 0;
}

static int spawn_in_a_copy(void *arg)
{
	const char *const argv[] = { "/bin/true", NULL };
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_task *untouched = (struct sbx_task *)&o;

	o.argv = argv;
	if (sbx_spawn(arg, &o, &untouched, NULL) != -ECHILD)
		return 1;
	return untouched == (struct sbx_task *)&o ? 0 : 2;
}

LIVE_TEST_BOTH_TIERS(spawn_live, a_forked_copy_of_the_harness_has_no_handles)
{
	struct sbx_policy *p = live_policy(l);
	struct sbx_exit ex;
	struct sbx_task *t;
	int rc;

	CHECK(p);
	t = live_start(p, NULL, "sleep 0.5; exit 6");
	CHECK(t);
	rc = in_child(use_in_a_copy, t);
	CHECK(rc == 0, "stage %d", rc);
	rc = in_child(spawn_in_a_copy, p);
	CHECK(rc == 0, "stage %d", rc);
	/* And the task is none the worse. */
	CHECK(live_wait(t, &ex) == 0 && ex.kind == SBX_EXITED && ex.code == 6,
	      "kind %u code %d", ex.kind, ex.code);
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

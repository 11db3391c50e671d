/* SPDX-License-Identifier: Apache-2.0 */
/* However a task ends, its status is told and nothing of it is left. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "live.h"

TestSuite(lifecycle_live, .timeout = 120);

/* Start daemonize: how = "stay" or "leave".  Its heartbeat is in path. */
static struct sbx_task *start_daemon(const struct live *l,
				     struct sbx_policy *p, const char *how,
				     char *path, size_t size)
{
	static unsigned turn;
	const char *argv[] = { live_program(l, "daemonize"), path, how, NULL };
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_error e = { .code = 0 };
	struct sbx_task *t = NULL;

	snprintf(path, size, "%s/heartbeat%u", l->ws, turn++);
	o.argv = argv;
	if (sbx_spawn(p, &o, &t, &e) == 0)
		return t;
	fprintf(stderr, "no task: %d step %u: %s: %s\n", e.code, e.step,
		e.object, e.text);
	return NULL;
}

/* Nothing of the task is on this host any more. */
static int check_gone(const struct live *l, const char *heartbeat)
{
	CHECK(ledger_processes(l->dir) == 0, "%d processes",
	      ledger_processes(l->dir));
	CHECK(ledger_no_children(0) == 0, "a child is left");
	CHECK(live_still(heartbeat), "the heartbeat goes on");
	return 0;
}

LIVE_TEST_BOTH_TIERS(lifecycle_live, the_last_unref_ends_the_whole_tree)
{
	struct sbx_policy *p = live_policy(l);
	struct sbx_task *t;
	char beat[128];

	CHECK(p);
	t = start_daemon(l, p, "stay", beat, sizeof(beat));
	CHECK(t);
	CHECK(live_appears(beat) && live_grows(beat));
	CHECK(ledger_processes(l->dir) >= 3, "the count can see them");
	sbx_task_unref(sbx_task_ref(t));
	CHECK(live_grows(beat), "another handle is left");
	sbx_task_unref(t);
	CHECK(check_gone(l, beat) == 0);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(lifecycle_live, a_kill_ends_the_whole_tree)
{
	struct sbx_policy *p = live_policy(l);
	struct sbx_exit ex;
	struct sbx_task *t;
	char beat[128];

	CHECK(p);
	t = start_daemon(l, p, "stay", beat, sizeof(beat));
	CHECK(t);
	CHECK(live_appears(beat) && live_grows(beat));
	CHECK(sbx_task_kill(t, 0) == -EINVAL);
	CHECK(sbx_task_kill(t, 65) == -EINVAL);
	CHECK(sbx_task_kill(t, SIGKILL) == 0);
	CHECK(live_wait(t, &ex) == 0);
	CHECK(ex.kind == SBX_SIGNALED && ex.code == SIGKILL, "kind %u code %d",
	      ex.kind, ex.code);
	CHECK(sbx_task_kill(t, SIGTERM) == -ESRCH);
	sbx_task_unref(t);
	CHECK(check_gone(l, beat) == 0);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(lifecycle_live, the_end_of_the_first_process_ends_the_rest)
{
	struct sbx_policy *p = live_policy(l);
	struct sbx_exit ex;
	struct sbx_task *t;
	char beat[128];

	CHECK(p);
	t = start_daemon(l, p, "leave", beat, sizeof(beat));
	CHECK(t);
	CHECK(live_wait(t, &ex) == 0);
	CHECK(ex.kind == SBX_EXITED && ex.code == 0, "kind %u code %d",
	      ex.kind, ex.code);
	/* Before the handle is dropped: the status says all has ended. */
	CHECK(ledger_processes(l->dir) == 0);
	CHECK(live_still(beat));
	sbx_task_unref(t);
	CHECK(check_gone(l, beat) == 0);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(lifecycle_live, the_time_limit_ends_the_whole_tree)
{
	struct sbx_policy *p = live_policy(l);
	struct sbx_exit ex;
	struct sbx_task *t;
	char beat[128];

	CHECK(p);
	CHECK(sbx_policy_limit(p, SBX_LIMIT_WALL_MS, 1500) == 0);
	t = start_daemon(l, p, "stay", beat, sizeof(beat));
	CHECK(t);
	CHECK(live_appears(beat) && live_grows(beat));
	CHECK(live_wait(t, &ex) == 0);
	CHECK(ex.kind == SBX_TIMEOUT && ex.code == 0, "kind %u code %d",
	      ex.kind, ex.code);
	CHECK(ex.wall_ms >= 1490, "%llu", (unsigned long long)ex.wall_ms);
	sbx_task_unref(t);
	CHECK(check_gone(l, beat) == 0);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(lifecycle_live, the_time_limit_holds_while_nobody_looks)
{
	struct sbx_policy *p = live_policy(l);
	struct sbx_exit ex;
	struct sbx_task *t;
	char beat[128];

	CHECK(p);
	CHECK(sbx_policy_limit(p, SBX_LIMIT_WALL_MS, 800) == 0);
	t = start_daemon(l, p, "stay", beat, sizeof(beat));
	CHECK(t);
	CHECK(live_appears(beat) && live_grows(beat));
	live_sleep(3000);
	/* Neither wait nor dispatch has been called. */
	CHECK(ledger_processes(l->dir) == 0);
	CHECK(live_still(beat));
	CHECK(live_wait(t, &ex) == 0 && ex.kind == SBX_TIMEOUT);
	CHECK(ex.wall_ms < 2500, "%llu", (unsigned long long)ex.wall_ms);
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(lifecycle_live, a_signal_reaches_the_first_process)
{
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	const char *const argv[] = { "/bin/sh", "-c",
		"trap 'echo got; exit 5' TERM; echo up; "
		"while :; do sleep 0.05; done", NULL };
	struct sbx_policy *p = live_policy(l);
	struct sbx_task *t = NULL;
	static struct live_run r;

	CHECK(p);
	o.argv = argv;
	o.stdio[1] = SBX_STDIO_PIPE;
	CHECK(sbx_spawn(p, &o, &t, NULL) == 0);
	CHECK(read(sbx_task_stdio(t, 1), r.err, 3) == 3);
	CHECK(sbx_task_kill(t, SIGTERM) == 0);
	CHECK(live_collect(t, &r) == 0);
	CHECK(!strcmp(r.out, "got\n") && r.exit.code == 5, "%s %d", r.out,
	      r.exit.code);
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

/* Twenty tasks, each with a status of its own. */
static int check_statuses(const struct live *l)
{
	struct sbx_policy *p = live_policy(l);
	char script[32];

	CHECK(p);
	for (int i = 1; i <= 20; i++) {
		struct sbx_task *t;
		struct sbx_exit ex;

		snprintf(script, sizeof(script), "exit %d", i);
		t = live_start(p, NULL, script);
		CHECK(t);
		CHECK(live_wait(t, &ex) == 0);
		CHECK(ex.kind == SBX_EXITED && ex.code == i,
		      "task %d: kind %u code %d", i, ex.kind, ex.code);
		sbx_task_unref(t);
	}
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(lifecycle_live, ignoring_sigchld_loses_no_status)
{
	struct sigaction sa = { .sa_handler = SIG_IGN };

	CHECK(sigaction(SIGCHLD, &sa, NULL) == 0);
	CHECK(check_statuses(l) == 0);
	sa.sa_handler = SIG_DFL;
	sa.sa_flags = SA_NOCLDWAIT;
	CHECK(sigaction(SIGCHLD, &sa, NULL) == 0);
	CHECK(check_statuses(l) == 0);
	return 0;
}

static volatile bool thief_stop;

static void *steal(void *arg)
{
	(void)arg;
	while (!thief_stop)
		if (waitpid(-1, NULL, __WALL) < 0)
			live_sleep(1);
	return NULL;
}

LIVE_TEST_BOTH_TIERS(lifecycle_live, a_thread_that_reaps_all_steals_no_status)
{
	pthread_t thief;
	int rc;

	CHECK(pthread_create(&thief, NULL, steal, NULL) == 0);
	rc = check_statuses(l);
	thief_stop = true;
	pthread_join(thief, NULL);
	return rc;
}

struct order {
	struct sbx_policy *policy;
	struct sbx_task *task;
};

static void *start_and_end(void *arg)
{
	struct order *o = arg;

	o->task = live_start(o->policy, NULL, "sleep 0.5; exit 8");
	return NULL;
}

LIVE_TEST_BOTH_TIERS(lifecycle_live, the_thread_that_spawned_may_end)
{
	struct order o = { .policy = live_policy(l) };
	pthread_t thread;
	struct sbx_exit ex;

	CHECK(o.policy);
	CHECK(pthread_create(&thread, NULL, start_and_end, &o) == 0);
	CHECK(pthread_join(thread, NULL) == 0);
	CHECK(o.task);
	CHECK(live_wait(o.task, &ex) == 0);
	CHECK(ex.kind == SBX_EXITED && ex.code == 8, "kind %u code %d",
	      ex.kind, ex.code);
	sbx_task_unref(o.task);
	sbx_policy_unref(o.policy);
	return 0;
}

/* A harness of its own process, which tells when its task is up. */
static void be_harness(const struct live *l, int ready)
{
	struct sbx_policy *p = live_policy(l);
	char beat[128];

	if (!p || !start_daemon(l, p, "stay", beat, sizeof(beat)) ||
	    !live_appears(beat) || write(ready, beat, sizeof(beat)) < 0)
		_exit(1);
	for (;;)
		pause();
}

static int check_death(const struct live *l, int sig)
{
	char beat[128] = "";
	int ready[2];
	pid_t pid;

	CHECK(pipe2(ready, O_CLOEXEC) == 0);
	pid = fork();
	CHECK(pid >= 0);
	if (pid == 0)
		be_harness(l, ready[1]);
	close(ready[1]);
	CHECK(read(ready[0], beat, sizeof(beat)) == sizeof(beat));
	CHECK(live_grows(beat));
	CHECK(kill(pid, sig) == 0);
	/* This process is the subreaper: all orphans come to it. */
	CHECK(ledger_no_children(1000) == 0, "something is left after 1 s");
	CHECK(ledger_processes(l->dir) == 0);
	CHECK(live_still(beat));
	close(ready[0]);
	return 0;
}

LIVE_TEST_BOTH_TIERS(lifecycle_live, nothing_outlives_a_killed_harness)
{
	return check_death(l, SIGKILL);
}

LIVE_TEST_BOTH_TIERS(lifecycle_live, nothing_outlives_a_terminated_harness)
{
	return check_death(l, SIGTERM);
}

LIVE_TEST_BOTH_TIERS(lifecycle_live, nor_one_whose_copy_lives_on)
{
	char beat[128] = "";
	int ready[2];
	pid_t pid, copy;

	/* The copy holds every descriptor that the harness held. */
	CHECK(pipe2(ready, O_CLOEXEC) == 0);
	pid = fork();
	if (pid == 0) {
		struct sbx_policy *p = live_policy(l);

		if (!p || !start_daemon(l, p, "stay", beat, sizeof(beat)))
			_exit(1);
		copy = fork();
		if (copy == 0) {
			alarm(20);
			for (;;)
				pause();
		}
		if (!live_appears(beat) ||
		    write(ready[1], beat, sizeof(beat)) < 0 ||
		    write(ready[1], &copy, sizeof(copy)) < 0)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	CHECK(read(ready[0], beat, sizeof(beat)) == sizeof(beat));
	CHECK(read(ready[0], &copy, sizeof(copy)) == sizeof(copy));
	CHECK(live_grows(beat));
	CHECK(kill(pid, SIGKILL) == 0);
	live_sleep(1000);
	CHECK(ledger_processes(l->dir) == 0);
	CHECK(live_still(beat));
	kill(copy, SIGKILL);
	CHECK(ledger_no_children(1000) == 0);
	return 0;
}

LIVE_TEST_BOTH_TIERS(lifecycle_live, the_descriptors_to_poll_tell_the_end)
{
	struct sbx_policy *p = live_policy(l);
	struct sbx_task *t;
	struct sbx_exit ex;
	struct pollfd fds[2];
	int rc = 0;

	CHECK(p);
	t = live_start(p, NULL, "sleep 0.5; exit 3");
	CHECK(t);
	fds[0] = (struct pollfd){ .fd = sbx_task_fd(t), .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = sbx_task_pidfd(t), .events = POLLIN };
	CHECK(fds[0].fd >= 0 && fds[1].fd >= 0);
	CHECK(fcntl(fds[0].fd, F_GETFD) == FD_CLOEXEC);
	CHECK(fcntl(fds[1].fd, F_GETFD) == FD_CLOEXEC);
	CHECK(sbx_task_dispatch(t) == 0);
	CHECK(poll(&fds[1], 1, 0) == 0, "it runs");
	/* An event loop: poll, dispatch, until it says 1. */
	while (rc == 0) {
		CHECK(poll(fds, 1, 10000) == 1);
		rc = sbx_task_dispatch(t);
	}
	CHECK(rc == 1, "%d", rc);
	CHECK(poll(&fds[1], 1, 5000) == 1);
	CHECK(sbx_task_dispatch(t) == 1, "and goes on saying so");
	CHECK(sbx_task_wait(t, 0, &(struct sbx_exit)SBX_EXIT_INIT) == 0);
	CHECK(live_wait(t, &ex) == 0 && ex.code == 3);
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

static void *wait_in_thread(void *arg)
{
	static struct sbx_exit ex;

	return live_wait(arg, &ex) == 0 ? &ex : NULL;
}

LIVE_TEST_BOTH_TIERS(lifecycle_live, another_thread_may_kill_what_one_waits_for)
{
	struct sbx_policy *p = live_policy(l);
	struct sbx_exit *ex;
	struct sbx_task *t;
	pthread_t thread;
	void *result;

	CHECK(p);
	t = live_start(p, NULL, "sleep 1000");
	CHECK(t);
	CHECK(pthread_create(&thread, NULL, wait_in_thread, t) == 0);
	live_sleep(200);
	CHECK(sbx_task_kill(t, SIGKILL) == 0);
	CHECK(pthread_join(thread, &result) == 0);
	ex = result;
	CHECK(ex && ex->kind == SBX_SIGNALED && ex->code == SIGKILL);
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(lifecycle_live, a_stopped_task_is_ended_too)
{
	struct sbx_policy *p = live_policy(l);
	struct sbx_task *t;
	struct sbx_exit ex;

	CHECK(p);
	CHECK(sbx_policy_limit(p, SBX_LIMIT_WALL_MS, 700) == 0);
	t = live_start(p, NULL, "sleep 1000 & kill -STOP $! $$");
	CHECK(t);
	CHECK(live_wait(t, &ex) == 0 && ex.kind == SBX_TIMEOUT, "kind %u",
	      ex.kind);
	sbx_task_unref(t);
	t = live_start(p, NULL, "kill -STOP $$");
	CHECK(t);
	sbx_task_unref(t);
	sbx_policy_unref(p);
	CHECK(ledger_no_children(0) == 0);
	return 0;
}

LIVE_TEST_BOTH_TIERS(lifecycle_live, a_policy_may_go_before_its_tasks)
{
	struct sbx_policy *p = live_policy(l);
	struct sbx_task *t;
	struct sbx_exit ex;

	CHECK(p);
	t = live_start(p, NULL, "sleep 0.3; exit 2");
	CHECK(t);
	sbx_policy_unref(p);
	CHECK(live_wait(t, &ex) == 0 && ex.code == 2);
	sbx_task_unref(t);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* After execve a task holds 0, 1, 2 and what it was granted. */
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "live.h"

TestSuite(descriptors_live, .timeout = 120);

/* Descriptors of many kinds, none of them close-on-exec. */
static int be_dirty(const struct live *l)
{
	int fds[2];
	int high;

	if (open(l->dir, O_RDONLY | O_DIRECTORY) < 0 ||
	    open("/", O_PATH) < 0 || open("/dev/null", O_RDWR) < 0 ||
	    open("/proc/self/mem", O_RDWR) < 0 ||
	    socket(AF_INET, SOCK_STREAM, 0) < 0 ||
	    socket(AF_INET, SOCK_DGRAM, 0) < 0 ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds) < 0 ||
	    pipe(fds) < 0 || epoll_create1(0) < 0 || eventfd(0, 0) < 0 ||
	    memfd_create("dirty", 0) < 0)
		return -1;
	for (high = 50; high < 2000; high += 97)
		if (dup2(fds[0], high) < 0)
			return -1;
	return 0;
}

static int spawn_fds(const struct live *l, struct sbx_policy *p,
		     const struct sbx_grant *grants, size_t n,
		     struct live_run *r)
{
	const char *argv[] = { live_program(l, "fds"), NULL };
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;

	o.grants = grants;
	o.n_grants = n;
	return live_exec(p, &o, argv, r);
}

LIVE_TEST_BOTH_TIERS(descriptors_live, a_dirty_harness_leaks_nothing)
{
	struct sbx_policy *p = live_policy(l);
	struct live_run r;

	CHECK(p);
	CHECK(be_dirty(l) == 0);
	CHECK(spawn_fds(l, p, NULL, 0, &r) == 0);
	CHECK(!strcmp(r.out, "0 1 2 end\n"), "%s", r.out);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(descriptors_live, the_checker_sees_what_is_open)
{
	int pipes[2];
	char text[64] = "";
	pid_t pid;
	int high;

	/* The twin: without a jail the same program finds them. */
	CHECK(pipe2(pipes, O_CLOEXEC) == 0);
	high = fcntl(0, F_DUPFD, 777);
	CHECK(high == 777);
	pid = fork();
	if (pid == 0) {
		dup2(pipes[1], 1);
		execl(live_program(l, "fds"), "fds", (char *)NULL);
		_exit(1);
	}
	close(pipes[1]);
	CHECK(read(pipes[0], text, sizeof(text) - 1) > 0);
	CHECK(strstr(text, " 777 "), "%s", text);
	CHECK(ledger_no_children(5000) == 0);
	return 0;
}

LIVE_TEST_BOTH_TIERS(descriptors_live, granted_numbers_and_no_others)
{
	struct sbx_grant g[3] = { SBX_GRANT_INIT, SBX_GRANT_INIT,
				  SBX_GRANT_INIT };
	static const char *const names[] = { "seven", "high", "lowest" };
	static const int numbers[] = { 7, 300, -1 };
	struct sbx_policy *p = live_policy(l);
	struct live_run r;
	int fds[2];

	CHECK(p);
	CHECK(be_dirty(l) == 0 && pipe(fds) == 0);
	for (int i = 0; i < 3; i++) {
		g[i].kind = SBX_GRANT_FD;
		g[i].name = names[i];
		g[i].fd = fds[0];
		g[i].task_fd = numbers[i];
	}
	CHECK(spawn_fds(l, p, g, 3, &r) == 0);
	CHECK(!strcmp(r.out, "0 1 2 3 7 300 end\n"), "%s", r.out);
	CHECK(fcntl(fds[0], F_GETFD) == 0, "the caller's stays as it was");
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(descriptors_live, numbers_that_the_library_uses_are_free)
{
	struct sbx_grant g[40];
	struct sbx_policy *p = live_policy(l);
	char names[40][8], expected[256] = "0 1 2 ";
	struct live_run r;
	int fds[2];

	/* Whatever numbers set-up itself needs, a grant may have them. */
	CHECK(p && pipe(fds) == 0);
	for (int i = 0; i < 40; i++) {
		struct sbx_grant one = SBX_GRANT_INIT;

		snprintf(names[i], sizeof(names[i]), "g%d", i);
		snprintf(expected + strlen(expected), 8, "%d ", 3 + i);
		one.kind = SBX_GRANT_FD;
		one.name = names[i];
		one.fd = fds[i % 2];
		one.task_fd = 42 - i;
		g[i] = one;
	}
	strcat(expected, "end\n");
	CHECK(spawn_fds(l, p, g, 40, &r) == 0);
	CHECK(!strcmp(r.out, expected), "%s", r.out);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(descriptors_live, numbers_are_not_mixed_up)
{
	struct sbx_grant g[2] = { SBX_GRANT_INIT, SBX_GRANT_INIT };
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_policy *p = live_policy(l);
	struct live_run r;
	int a[2], b[2];

	/* Each sits on the number that the other is to have. */
	CHECK(p && pipe(a) == 0 && pipe(b) == 0);
	CHECK(write(a[1], "a\n", 2) == 2 && write(b[1], "b\n", 2) == 2);
	CHECK(dup2(a[0], 20) == 20 && dup2(b[0], 21) == 21);
	g[0].kind = g[1].kind = SBX_GRANT_FD;
	g[0].name = "a";
	g[0].fd = 20;
	g[0].task_fd = 5;
	g[1].name = "b";
	g[1].fd = 21;
	g[1].task_fd = 4;
	o.grants = g;
	o.n_grants = 2;
	CHECK(live_sh(p, &o, "read a <&5; read b <&4; echo \"$a$b $SBX_FDS\"",
		      &r) == 0);
	CHECK(!strcmp(r.out, "ab a:5 b:4\n") ||
	      !strcmp(r.out, "ab b:4 a:5\n"), "%s", r.out);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(descriptors_live, one_descriptor_serves_many_tasks)
{
	struct sbx_grant g = SBX_GRANT_INIT;
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_policy *p = live_policy(l);
	struct sbx_task *t[5];
	struct sbx_exit ex;
	char text[64] = "";
	int fds[2];

	CHECK(p && pipe2(fds, O_CLOEXEC) == 0);
	g.kind = SBX_GRANT_FD;
	g.name = "out";
	g.fd = fds[1];
	o.grants = &g;
	o.n_grants = 1;
	for (int i = 0; i < 5; i++) {
		t[i] = live_start(p, &o, "echo x >&3");
		CHECK(t[i]);
	}
	for (int i = 0; i < 5; i++) {
		CHECK(live_wait(t[i], &ex) == 0 && ex.code == 0);
		sbx_task_unref(t[i]);
	}
	CHECK(write(fds[1], "own\n", 4) == 4, "the caller keeps his");
	CHECK(read(fds[0], text, sizeof(text) - 1) == 14);
	CHECK(!strcmp(text, "x\nx\nx\nx\nx\nown\n"), "%s", text);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(descriptors_live, a_grants_end_is_seen_at_once)
{
	struct sbx_grant g = SBX_GRANT_INIT;
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_policy *p = live_policy(l);
	struct sbx_task *t;
	struct sbx_exit ex;
	char c;
	int fds[2];

	/* No dup of it may linger in the supervisor or in the library. */
	CHECK(p && pipe2(fds, O_CLOEXEC) == 0);
	g.kind = SBX_GRANT_FD;
	g.name = "out";
	g.fd = fds[1];
	o.grants = &g;
	o.n_grants = 1;
	t = live_start(p, &o, "exec 3>&-; sleep 2; exit 4");
	CHECK(t);
	close(fds[1]);
	CHECK(read(fds[0], &c, 1) == 0, "end of stream");
	CHECK(sbx_task_wait(t, 0, &(struct sbx_exit)SBX_EXIT_INIT) ==
	      -ETIMEDOUT, "while the task still runs");
	CHECK(live_wait(t, &ex) == 0 && ex.code == 4);
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(descriptors_live, high_numbers_above_a_lowered_limit)
{
	struct sbx_policy *p = live_policy(l);
	struct rlimit r = { .rlim_cur = 0 };
	struct live_run run;
	int fd;

	CHECK(p);
	CHECK(be_dirty(l) == 0);
	CHECK(getrlimit(RLIMIT_NOFILE, &r) == 0);
	fd = fcntl(0, F_DUPFD, (int)r.rlim_cur - 1);
	CHECK(fd == (int)r.rlim_cur - 1);
	r.rlim_cur = 100;
	CHECK(setrlimit(RLIMIT_NOFILE, &r) == 0);
	CHECK(fcntl(fd, F_GETFD) == 0, "open, and above the limit");
	CHECK(spawn_fds(l, p, NULL, 0, &run) == 0);
	CHECK(!strcmp(run.out, "0 1 2 end\n"), "%s", run.out);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(descriptors_live, a_harness_without_standard_streams)
{
	struct sbx_grant g = SBX_GRANT_INIT;
	struct sbx_policy *p = live_policy(l);
	struct sbx_task *t = NULL;
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	static struct live_run r;
	const char *argv[] = { live_program(l, "fds"), NULL };
	int saved = fcntl(2, F_DUPFD_CLOEXEC, 100);
	int rc;

	/* Then the library's own descriptors may come to be 0, 1 and 2. */
	CHECK(p && saved >= 100);
	g.kind = SBX_GRANT_DATA;
	g.name = "data";
	g.target = "text";
	g.task_fd = 9;
	o.argv = argv;
	o.stdio[1] = SBX_STDIO_PIPE;
	o.grants = &g;
	o.n_grants = 1;
	close(0);
	close(1);
	close(2);
	rc = sbx_spawn(p, &o, &t, NULL);
	if (rc == 0)
		rc = live_collect(t, &r);
	dup2(saved, 2);
	CHECK(rc == 0, "%d", rc);
	CHECK(!strcmp(r.out, "0 1 2 9 end\n"), "%s", r.out);
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(descriptors_live, children_of_the_task_have_no_more)
{
	struct sbx_policy *p = live_policy(l);
	struct live_run r;
	char script[256];

	CHECK(p && be_dirty(l) == 0);
	snprintf(script, sizeof(script), "%s; (%s)", live_program(l, "fds"),
		 live_program(l, "fds"));
	CHECK(live_sh(p, NULL, script, &r) == 0);
	CHECK(!strcmp(r.out, "0 1 2 end\n0 1 2 end\n"), "%s", r.out);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(descriptors_live, another_tasks_pipes_are_not_inherited)
{
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	const char *const cat[] = { "/bin/cat", NULL };
	struct sbx_policy *p = live_policy(l);
	struct sbx_task *first = NULL, *second;
	struct sbx_exit ex;

	/* If the second held the first's input, it would never see its end. */
	CHECK(p);
	o.argv = cat;
	o.stdio[0] = SBX_STDIO_PIPE;
	CHECK(sbx_spawn(p, &o, &first, NULL) == 0);
	second = live_start(p, NULL, "sleep 5");
	CHECK(second);
	CHECK(sbx_task_close_stdio(first, 0) == 0);
	ex = (struct sbx_exit)SBX_EXIT_INIT;
	CHECK(sbx_task_wait(first, 3000, &ex) == 0, "cat has seen the end");
	sbx_task_unref(first);
	sbx_task_unref(second);
	sbx_policy_unref(p);
	return 0;
}

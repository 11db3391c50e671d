/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was not granted cannot be reached.  Each denial has its twin that is
 * allowed, and the harness's side decides whether something got through.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live.h"

TestSuite(isolation_live, .timeout = 120);

static int run_reach(const struct live *l, struct sbx_policy *p,
		     const char *how, const char *what, struct live_run *r)
{
	const char *const argv[] = { live_program(l, "reach"), how, what,
				     NULL };

	return live_exec(p, NULL, argv, r);
}

/* The same program without a jail: does it get there? */
static int reach_outside(const struct live *l, const char *how,
			 const char *what)
{
	pid_t pid = fork();
	int st;

	if (pid == 0) {
		execl(live_program(l, "reach"), "reach", how, what,
		      (char *)NULL);
		_exit(1);
	}
	return waitpid(pid, &st, 0) == pid && st == 0 ? 0 : -1;
}

static bool has_caller(int listener)
{
	struct pollfd p = { .fd = listener, .events = POLLIN };

	return poll(&p, 1, 200) == 1;
}

LIVE_TEST_BOTH_TIERS(isolation_live, files_that_were_not_granted)
{
	struct sbx_policy *p = live_policy(l);
	struct live_run r;
	char secret[128], granted[128], script[1500];

	CHECK(p);
	snprintf(secret, sizeof(secret), "%s/secret", l->dir);
	snprintf(granted, sizeof(granted), "%s/granted", l->ws);
	CHECK(live_write(secret, l->token) == 0);
	CHECK(live_write(granted, "granted\n") == 0);
	snprintf(script, sizeof(script), "cat %s", granted);
	CHECK(live_sh(p, NULL, script, &r) == 0);
	CHECK(!strcmp(r.out, "granted\n"), "%s", r.err);
	/* By its path, by a link, by the way up, by another root. */
	snprintf(script, sizeof(script), "cat %s; cd %s; ln -s %s link; "
		 "cat link; cat ../secret; cat /proc/1/root%s; "
		 "cat /proc/self/cwd/../secret; cat /proc/$PPID/root%s; "
		 "ln %s hard && cat hard; mv %s here && cat here; "
		 "cat /proc/1/cwd/../secret; find / -name secret "
		 "-exec cat {} + 2>/dev/null", secret, l->ws, secret, secret,
		 secret, secret, secret);
	CHECK(live_sh(p, NULL, script, &r) == 0);
	CHECK(!strstr(r.out, l->token), "%s", r.out);
	CHECK(!strcmp(live_read(secret), l->token), "it is as it was");
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(isolation_live, files_in_other_folders_of_the_host)
{
	static const char *const places[] = { "/var/tmp", "/dev/shm", "/tmp" };
	struct sbx_policy *p = live_policy(l);
	struct live_run r;
	char path[3][128], script[1500];

	CHECK(p);
	for (int i = 0; i < 3; i++) {
		snprintf(path[i], sizeof(path[i]), "%s/live-%s", places[i],
			 l->token);
		CHECK(live_write(path[i], l->token) == 0);
		snprintf(script, sizeof(script), "cat %s; cat %s/live-*; "
			 "echo x >>%s", path[i], places[i], path[i]);
		CHECK(live_sh(p, NULL, script, &r) == 0);
		CHECK(!strstr(r.out, l->token), "%s", path[i]);
		CHECK(!strcmp(live_read(path[i]), l->token), "%s changed",
		      path[i]);
		unlink(path[i]);
	}
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(isolation_live, a_grant_to_read_does_not_let_write)
{
	struct sbx_policy *p = NULL;
	struct live_run r;
	struct stat before, after;
	char file[128], script[1500];

	snprintf(file, sizeof(file), "%s/file", l->ws);
	CHECK(live_write(file, "content\n") == 0);
	CHECK(stat(file, &before) == 0);
	CHECK(sbx_policy_new(SBX_PROFILE_TOOL, &p, NULL) == 0);
	CHECK(sbx_policy_path(p, l->ws, SBX_READ, 0, NULL) == 0);
	snprintf(script, sizeof(script), "cd %s; cat file; echo x >file; "
		 "echo x >>file; : >new; rm -f file; mv file moved; "
		 "ln file hard; ln -s file soft; mkdir folder; "
		 "truncate -s 0 file; chmod 777 file; touch -d 2001-01-01 file;"
		 "dd if=/dev/zero of=file conv=notrunc count=1 2>/dev/null; "
		 "mkfifo fifo; exec 3<>file; cp /bin/true file", l->ws);
	CHECK(live_sh(p, NULL, script, &r) == 0);
	CHECK(!strcmp(r.out, "content\n"), "%s", r.out);
	CHECK(stat(file, &after) == 0 && !strcmp(live_read(file), "content\n"));
	CHECK(after.st_mode == before.st_mode && after.st_nlink == 1 &&
	      after.st_uid == before.st_uid &&
	      after.st_mtim.tv_sec == before.st_mtim.tv_sec,
	      "mode %o, %ld links", after.st_mode, (long)after.st_nlink);
	CHECK(unlink(file) == 0 && rmdir(l->ws) == 0, "something was made");
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(isolation_live, a_grant_to_write_lets_write_as_the_caller)
{
	struct sbx_policy *p = live_policy(l);
	struct live_run r;
	struct stat st;
	char path[128], script[1500];

	CHECK(p);
	snprintf(path, sizeof(path), "%s/own", l->ws);
	CHECK(live_write(path, "own\n") == 0 && chmod(path, 0600) == 0);
	snprintf(script, sizeof(script), "cd %s && cat own && echo more >>own "
		 "&& %s && mkdir d && echo x >d/f && mv d/f d/g && "
		 "ln -s g d/s && ln d/g d/h && rm d/h && test -O own && "
		 "test -O d/g", l->ws,
		 l->tier_b ? "true" : "chmod 640 own");
	CHECK(live_sh(p, NULL, script, &r) == 0);
	CHECK(r.exit.code == 0, "%s", r.err);
	/* Without mounts, changes of metadata are refused as a whole. */
	CHECK(stat(path, &st) == 0 &&
	      (st.st_mode & 07777) == (l->tier_b ? 0600 : 0640));
	CHECK(!strcmp(live_read(path), "own\nmore\n"));
	snprintf(path, sizeof(path), "%s/d/g", l->ws);
	CHECK(stat(path, &st) == 0 && st.st_nlink == 1);
	CHECK(st.st_uid == geteuid() && st.st_gid == getegid(),
	      "owner %u:%u", st.st_uid, st.st_gid);
	CHECK(live_read(path) && !strcmp(live_read(path), "x\n"));
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(isolation_live, a_file_alone_may_be_granted)
{
	struct sbx_policy *p = live_policy(l);
	struct live_run r;
	char one[128], two[128], script[1500];

	CHECK(p);
	snprintf(one, sizeof(one), "%s/one", l->dir);
	snprintf(two, sizeof(two), "%s/two", l->dir);
	CHECK(live_write(one, "one\n") == 0 && live_write(two, "two\n") == 0);
	CHECK(sbx_policy_path(p, one, SBX_READ, 0, NULL) == 0);
	snprintf(script, sizeof(script), "cat %s; cat %s; echo x >%s", one,
		 two, one);
	CHECK(live_sh(p, NULL, script, &r) == 0);
	CHECK(!strcmp(r.out, "one\n"), "%s", r.out);
	CHECK(!strcmp(live_read(one), "one\n"));
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(isolation_live, a_grant_without_execution_does_not_let_run)
{
	struct sbx_policy *p = NULL;
	struct live_run r;
	char path[128], script[1500];

	CHECK(sbx_policy_new(SBX_PROFILE_TOOL, &p, NULL) == 0);
	CHECK(sbx_policy_path(p, l->ws, SBX_READ | SBX_WRITE, 0, NULL) == 0);
	CHECK(sbx_policy_path(p, l->bin, SBX_READ | SBX_EXEC, 0, NULL) == 0);
	snprintf(path, sizeof(path), "%s/fds", l->ws);
	snprintf(script, sizeof(script), "%s && cp %s %s && %s",
		 live_program(l, "fds"), live_program(l, "fds"), path, path);
	CHECK(live_sh(p, NULL, script, &r) == 0);
	/* The one with the right runs, its copy does not. */
	CHECK(!strcmp(r.out, "0 1 2 end\n"), "%s%s", r.out, r.err);
	CHECK(access(path, X_OK) == 0, "it was copied: %s", r.err);
	CHECK(strstr(r.err, "Permission denied"), "%s", r.err);
	sbx_policy_unref(p);
	return 0;
}

static int check_listener(const struct live *l, struct sbx_policy *p,
			  const char *how, const char *what, int listener)
{
	struct live_run r;

	CHECK(listen(listener, 4) == 0);
	CHECK(reach_outside(l, how, what) == 0 && has_caller(listener));
	close(accept(listener, NULL, NULL));
	CHECK(run_reach(l, p, how, what, &r) == 0);
	CHECK(r.exit.kind == SBX_DENIED_SYSCALL || strstr(r.out, "=E"),
	      "%s", r.out);
	CHECK(!has_caller(listener), "the listener has a caller");
	return 0;
}

LIVE_TEST_BOTH_TIERS(isolation_live, a_tcp_listener_of_the_host)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sbx_policy *p = live_policy(l);
	socklen_t len = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char port[16];

	CHECK(p && fd >= 0 && bind(fd, (struct sockaddr *)&a, len) == 0);
	CHECK(getsockname(fd, (struct sockaddr *)&a, &len) == 0);
	snprintf(port, sizeof(port), "%d", ntohs(a.sin_port));
	CHECK(check_listener(l, p, "tcp", port, fd) == 0);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(isolation_live, a_udp_socket_of_the_host)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sbx_policy *p = live_policy(l);
	socklen_t len = sizeof(a);
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct live_run r;
	char port[16];

	CHECK(p && fd >= 0 && bind(fd, (struct sockaddr *)&a, len) == 0);
	CHECK(getsockname(fd, (struct sockaddr *)&a, &len) == 0);
	snprintf(port, sizeof(port), "%d", ntohs(a.sin_port));
	CHECK(reach_outside(l, "udp", port) == 0 && has_caller(fd));
	CHECK(read(fd, port + 8, 1) == 1);
	CHECK(run_reach(l, p, "udp", port, &r) == 0);
	CHECK(!has_caller(fd), "a datagram has come: %s", r.out);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(isolation_live, an_abstract_socket_of_the_host)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	struct sbx_policy *p = live_policy(l);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	CHECK(p && fd >= 0);
	memcpy(a.sun_path + 1, l->token, 32);
	CHECK(bind(fd, (struct sockaddr *)&a,
		   offsetof(struct sockaddr_un, sun_path) + 33) == 0);
	CHECK(check_listener(l, p, "abstract", l->token, fd) == 0);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(isolation_live, a_socket_file_of_the_host)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	struct sbx_policy *p = live_policy(l);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	CHECK(p && fd >= 0);
	snprintf(a.sun_path, sizeof(a.sun_path), "%s/socket", l->dir);
	CHECK(bind(fd, (struct sockaddr *)&a, sizeof(a)) == 0);
	CHECK(check_listener(l, p, "unix", a.sun_path, fd) == 0);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST(isolation_live, a_loopback_of_the_tasks_own_works)
{
	struct sbx_policy *p = live_policy(l);
	struct live_run r;

	CHECK(p);
	CHECK(run_reach(l, p, "own", NULL, &r) == 0);
	CHECK(!strcmp(r.out, "own=ok\n"), "%s", r.out);
	sbx_policy_unref(p);
	p = live_policy(l);
	CHECK(p && sbx_policy_network(p, SBX_NET_NONE, 0) == 0);
	CHECK(run_reach(l, p, "own", NULL, &r) == 0);
	CHECK(!strncmp(r.out, "own=E", 5), "%s", r.out);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST(isolation_live, processes_of_the_host_are_not_seen)
{
	struct sbx_policy *p = live_policy(l);
	struct live_run r;

	CHECK(p);
	CHECK(live_sh(p, NULL, "ls -d /proc/[0-9]* | wc -l; "
		      "cat /proc/[0-9]*/comm", &r) == 0);
	CHECK(strtol(r.out, NULL, 10) >= 1 && strtol(r.out, NULL, 10) <= 8,
	      "%s", r.out);
	CHECK(strstr(r.out, "sh\n"), "its own are: %s", r.out);
	CHECK(!strstr(r.out, "live-behaviour"), "%s", r.out);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(isolation_live, processes_of_the_host_are_not_signalled)
{
	struct sbx_policy *p = live_policy(l);
	pid_t victim = fork();
	struct live_run r;
	char script[1500];
	int st = 0;

	if (victim == 0) {
		alarm(60);
		for (;;)
			pause();
	}
	CHECK(p && victim > 0);
	/* Each in turn, then all that may be signalled, itself included. */
	snprintf(script, sizeof(script), "sleep 50 & kill -9 $! && echo own; "
		 "kill -9 %d; kill -9 %d; kill -15 -%d; kill -9 -1", victim,
		 getpid(), getpgrp());
	CHECK(live_sh(p, NULL, script, &r) == 0);
	CHECK(!strcmp(r.out, "own\n"), "%s", r.out);
	live_sleep(100);
	CHECK(waitpid(victim, &st, WNOHANG) == 0, "it got signal %d",
	      WTERMSIG(st));
	CHECK(kill(victim, SIGKILL) == 0 && waitpid(victim, NULL, 0) == victim,
	      "the harness itself may");
	sbx_policy_unref(p);
	return 0;
}

static int sweep_for(const struct live *l, struct sbx_policy *p,
		     const char *token, struct live_run *r)
{
	const char *argv[] = { live_program(l, "sweep"), NULL };
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_task *t = NULL;

	memset(r, 0, sizeof(*r));
	o.argv = argv;
	o.stdio[0] = SBX_STDIO_PIPE;
	o.stdio[1] = SBX_STDIO_PIPE;
	CHECK(sbx_spawn(p, &o, &t, NULL) == 0);
	CHECK(write(sbx_task_stdio(t, 0), token, strlen(token)) > 0);
	CHECK(sbx_task_close_stdio(t, 0) == 0);
	CHECK(live_collect(t, r) == 0);
	sbx_task_unref(t);
	return 0;
}

LIVE_TEST_BOTH_TIERS(isolation_live, the_harness_environment_is_nowhere)
{
	struct sbx_policy *p = live_policy(l);
	struct live_run r;

	CHECK(p && getenv("SBX_LIVE_TOKEN"));
	CHECK(sbx_policy_env(p, "GIVEN", "fedcba9876543210") == 0);
	CHECK(sweep_for(l, p, l->token, &r) == 0);
	CHECK(strstr(r.out, "own=0 hits=0"), "%s", r.out);
	/* The twin: what it was given is found the same way. */
	CHECK(sweep_for(l, p, "fedcba9876543210", &r) == 0);
	CHECK(strstr(r.out, "own=1 "), "%s", r.out);
	if (!l->tier_b)
		CHECK(!strstr(r.out, "hits=0") && strstr(r.out, "read=some"),
		      "%s", r.out);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST(isolation_live, no_capability_and_no_way_to_one)
{
	static const char *const lines[] = {
		"CapInh:\t0000000000000000\n", "CapPrm:\t0000000000000000\n",
		"CapEff:\t0000000000000000\n", "CapBnd:\t0000000000000000\n",
		"CapAmb:\t0000000000000000\n", "NoNewPrivs:\t1\n",
		"Seccomp:\t2\n"
	};
	struct sbx_policy *p = live_policy(l);
	struct live_run r;

	CHECK(p);
	CHECK(live_sh(p, NULL, "cat /proc/self/status", &r) == 0);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		CHECK(strstr(r.out, lines[i]), "%s: %s", lines[i], r.out);
	CHECK(live_sh(p, NULL, "id -u; unshare -U true && echo made; "
		      "unshare -n true && echo made; mount -t tmpfs x /tmp "
		      "&& echo made; exit 0", &r) == 0);
	CHECK(!strstr(r.out, "made"), "%s", r.out);
	CHECK(strcmp(r.out, "0\n") != 0, "it is not root inside");
	sbx_policy_unref(p);
	return 0;
}

/* No file below the workspace has a set-id bit or is a device. */
static int check_modes(const struct live *l)
{
	static const char *const names[] = { "plain", "created", "opened",
					     "node", "null", "disk",
					     "folder" };
	char path[128];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct stat st;

		snprintf(path, sizeof(path), "%s/%s", l->ws, names[i]);
		if (lstat(path, &st) < 0)
			continue;
		CHECK(!(st.st_mode & 06000) && !S_ISCHR(st.st_mode) &&
		      !S_ISBLK(st.st_mode), "%s has mode %o", names[i],
		      st.st_mode);
	}
	return 0;
}

LIVE_TEST_BOTH_TIERS(isolation_live, no_set_id_bit_and_no_device_can_be_made)
{
	struct sbx_policy *p = live_policy(l);
	const char *argv[] = { live_program(l, "suid"), l->ws, NULL };
	struct live_run r;

	CHECK(p);
	CHECK(live_exec(p, NULL, argv, &r) == 0);
	CHECK(strstr(r.out, l->tier_b ? "open=ok\n" :
		     "open=ok\nchmod-plain=ok\n"), "%s", r.out);
	CHECK(strstr(r.out, "chmod-suid=E") && strstr(r.out, "chmod-sgid=E"));
	CHECK(strstr(r.out, "fchmod-suid=E") && strstr(r.out, "mkfifo=ok"),
	      "%s", r.out);
	CHECK(check_modes(l) == 0);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(isolation_live, a_task_may_trace_its_own_child)
{
	struct sbx_policy *p = live_policy(l);
	const char *argv[] = { live_program(l, "trace"), NULL };
	struct live_run r;

	CHECK(p);
	CHECK(live_exec(p, NULL, argv, &r) == 0);
	CHECK(!strcmp(r.out, "peek=ok\ncontinue=ok\ntrace=ok\n"), "%s", r.out);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST(isolation_live, shared_memory_is_the_tasks_own)
{
	struct sbx_policy *p = live_policy(l);
	struct live_run r;
	char path[128], script[1500];

	CHECK(p);
	snprintf(path, sizeof(path), "/dev/shm/live-%s", l->token);
	CHECK(live_write(path, "outside") == 0);
	snprintf(script, sizeof(script), "ls /dev/shm; cat %s; "
		 "echo inside >%s && cat %s", path, path, path);
	CHECK(live_sh(p, NULL, script, &r) == 0);
	CHECK(!strcmp(r.out, "inside\n"), "%s", r.out);
	CHECK(!strcmp(live_read(path), "outside"), "%s", live_read(path));
	CHECK(unlink(path) == 0);
	CHECK(live_sh(p, NULL, "ls /dev/shm", &r) == 0 && !r.out[0],
	      "the next task sees %s", r.out);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST(isolation_live, the_host_name_is_the_tasks_own)
{
	struct sbx_policy *p = live_policy(l);
	struct utsname before, after;
	struct live_run r;

	CHECK(p && uname(&before) == 0);
	CHECK(live_sh(p, NULL, "uname -n; hostname taken 2>/dev/null; "
		      "uname -n", &r) == 0);
	CHECK(r.out[0] && strncmp(r.out, before.nodename,
				  strcspn(r.out, "\n")) != 0, "%s", r.out);
	CHECK(!strstr(r.out, "taken"), "%s", r.out);
	CHECK(uname(&after) == 0 && !strcmp(before.nodename, after.nodename));
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(isolation_live, memory_of_the_harness_cannot_be_read)
{
	struct sbx_policy *p = live_policy(l);
	struct live_run r;
	char script[1500];

	CHECK(p);
	snprintf(script, sizeof(script), "cat /proc/%d/maps /proc/%d/environ; "
		 "head -c 1 /proc/%d/mem; ls -l /proc/%d/fd; "
		 "grep -c . /proc/self/maps", getpid(), getpid(), getpid(),
		 getpid());
	CHECK(live_sh(p, NULL, script, &r) == 0);
	CHECK(!strstr(r.out, "live-behaviour") && !strstr(r.out, l->token),
	      "%s", r.out);
	/* In tier B the number may be seen; what is behind it may not. */
	CHECK(strlen(r.out) < 20, "%s", r.out);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(isolation_live, an_empty_profile_reaches_nothing)
{
	const char *argv[] = { live_program(l, "fds"), NULL };
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_policy *p = NULL;
	struct sbx_error e = { .code = 0 };
	struct sbx_task *t = NULL;
	struct live_run r;

	/* Not even its own program, */
	CHECK(sbx_policy_new(SBX_PROFILE_EMPTY, &p, NULL) == 0);
	o.argv = argv;
	CHECK(sbx_spawn(p, &o, &t, &e) < 0 && !t);
	CHECK(e.step == SBX_STEP_EXEC && strstr(e.object, "fds"), "step %u %s",
	      e.step, e.object);
	sbx_policy_unref(p);
	/* which, once granted, is all that there is: it is static. */
	p = NULL;
	CHECK(sbx_policy_new(SBX_PROFILE_EMPTY, &p, NULL) == 0);
	CHECK(sbx_policy_path(p, argv[0], SBX_READ | SBX_EXEC, 0, NULL) == 0);
	CHECK(live_exec(p, NULL, argv, &r) == 0);
	CHECK(!strcmp(r.out, "0 1 2 end\n"), "%s%s", r.out, r.err);
	CHECK(live_sh(p, NULL, "exit 0", &r) < 0, "no shell");
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(isolation_live, two_tasks_do_not_meet)
{
	struct sbx_policy *p = live_policy(l);
	struct sbx_task *t;
	struct live_run r;
	char path[128], script[1500];

	CHECK(p);
	snprintf(path, sizeof(path), "%s/up", l->ws);
	snprintf(script, sizeof(script), "echo secret >/tmp/mine; "
		 "echo secret >$HOME/mine; echo up >%s; sleep 30", path);
	t = live_start(p, NULL, script);
	CHECK(t && live_appears(path));
	CHECK(live_sh(p, NULL, "cat /tmp/mine $HOME/mine; "
		      "find / -name mine -exec cat {} + 2>/dev/null; "
		      "kill -9 -1", &r) == 0);
	CHECK(!strstr(r.out, "secret"), "%s", r.out);
	CHECK(sbx_task_wait(t, 200, &(struct sbx_exit)SBX_EXIT_INIT) ==
	      -ETIMEDOUT, "the other was ended");
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

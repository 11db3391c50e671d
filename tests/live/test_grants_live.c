/* SPDX-License-Identifier: Apache-2.0 */
/* Each kind of grant gives what it names, and no more. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live.h"

TestSuite(grants_live, .timeout = 120);

/* A listener on loopback; its port in *ret_port. */
static int listen_tcp(int *ret_port)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&a, len) < 0 ||
	    listen(fd, 8) < 0 || getsockname(fd, (struct sockaddr *)&a, &len))
		return -1;
	*ret_port = ntohs(a.sin_port);
	return fd;
}

static int connect_tcp(int port)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
				 .sin_port = htons((uint16_t)port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || connect(fd, (struct sockaddr *)&a, sizeof(a)) < 0)
		return -1;
	return fd;
}

static bool has_caller(int listener)
{
	struct pollfd p = { .fd = listener, .events = POLLIN };

	return poll(&p, 1, 200) == 1;
}

/* Run a script with one grant. */
static int run_with(struct sbx_policy *p, const struct sbx_grant *g,
		    const char *script, struct live_run *r)
{
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;

	o.grants = g;
	o.n_grants = 1;
	return live_sh(p, &o, script, r);
}

LIVE_TEST_BOTH_TIERS(grants_live, a_file_to_read)
{
	struct sbx_grant g = SBX_GRANT_INIT;
	struct sbx_policy *p = live_policy(l);
	struct live_run r;
	char path[128], script[800];

	CHECK(p);
	snprintf(path, sizeof(path), "%s/file", l->dir);
	CHECK(live_write(path, "content\n") == 0);
	g.kind = SBX_GRANT_FILE;
	g.name = "file";
	g.target = path;
	g.rights = SBX_READ;
	CHECK(run_with(p, &g, "cat <&3; echo $SBX_FDS", &r) == 0);
	CHECK(!strcmp(r.out, "content\nfile:3\n"), "%s%s", r.out, r.err);
	/* Neither by its number, nor opened anew, nor by its path. */
	snprintf(script, sizeof(script), "cat %s; echo x >&3; "
		 "echo x >/dev/fd/3; echo x >/proc/self/fd/3; echo x >%s; "
		 "chmod 600 %s", path, path, path);
	CHECK(run_with(p, &g, script, &r) == 0);
	CHECK(!r.out[0], "the path is not granted: %s", r.out);
	CHECK(!strcmp(live_read(path), "content\n"), "%s", live_read(path));
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(grants_live, a_file_to_write)
{
	struct sbx_grant g = SBX_GRANT_INIT;
	struct sbx_policy *p = live_policy(l);
	struct live_run r;
	char path[128];

	CHECK(p);
	snprintf(path, sizeof(path), "%s/file", l->dir);
	CHECK(live_write(path, "content\n") == 0);
	g.kind = SBX_GRANT_FILE;
	g.name = "file";
	g.target = path;
	g.rights = SBX_READ | SBX_WRITE;
	g.task_fd = 8;
	CHECK(run_with(p, &g, "read x <&8; echo new >&8; echo $x", &r) == 0);
	CHECK(!strcmp(r.out, "content\n"), "%s%s", r.out, r.err);
	CHECK(strstr(live_read(path), "new\n"), "%s", live_read(path));
	sbx_policy_unref(p);
	return 0;
}

static int check_data(const struct live *l, struct sbx_policy *p,
		      const struct sbx_grant *g)
{
	const char *argv[] = { live_program(l, "sealed"), "3", NULL };
	static const char *const refused[] = {
		"\nwrite=E", "\npwrite=E", "\nftruncate=E", "\nmmap=E",
		"\nunseal=E", "\nrewrite=E", "\ntruncate=E"
	};
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct live_run r;

	o.grants = g;
	o.n_grants = 1;
	CHECK(live_exec(p, &o, argv, &r) == 0);
	CHECK(strstr(r.out, "read=ok\ncontent=hello data\n"), "%s", r.out);
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		CHECK(strstr(r.out, refused[i]), "%s: %s", refused[i], r.out);
	return 0;
}

LIVE_TEST_BOTH_TIERS(grants_live, data_from_text_is_sealed)
{
	struct sbx_grant g = SBX_GRANT_INIT;
	struct sbx_policy *p = live_policy(l);

	CHECK(p);
	g.kind = SBX_GRANT_DATA;
	g.name = "data";
	g.target = "hello data";
	CHECK(check_data(l, p, &g) == 0);
	/* What one task did, the next does not see. */
	CHECK(check_data(l, p, &g) == 0);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(grants_live, data_from_a_descriptor_is_a_copy)
{
	struct sbx_grant g = SBX_GRANT_INIT;
	struct sbx_policy *p = live_policy(l);
	char path[128];
	int fd;

	CHECK(p);
	snprintf(path, sizeof(path), "%s/file", l->dir);
	CHECK(live_write(path, "hello data") == 0);
	fd = open(path, O_RDWR | O_CLOEXEC);
	CHECK(fd >= 0);
	g.kind = SBX_GRANT_DATA;
	g.name = "data";
	g.fd = fd;
	CHECK(check_data(l, p, &g) == 0);
	CHECK(!strcmp(live_read(path), "hello data"));
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(grants_live, a_connection_by_tcp)
{
	struct sbx_grant g = SBX_GRANT_INIT;
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_policy *p = live_policy(l);
	struct sbx_task *t;
	struct sbx_exit ex;
	char target[64], text[16] = "";
	int port, listener = listen_tcp(&port), peer;

	CHECK(p && listener >= 0);
	snprintf(target, sizeof(target), "tcp:127.0.0.1:%d", port);
	g.kind = SBX_GRANT_CONNECT;
	g.name = "peer";
	g.target = target;
	o.grants = &g;
	o.n_grants = 1;
	t = live_start(p, &o, "echo ping >&3; read x <&3; test $x = pong");
	CHECK(t);
	CHECK(has_caller(listener));
	peer = accept(listener, NULL, NULL);
	CHECK(read(peer, text, sizeof(text) - 1) == 5 &&
	      !strcmp(text, "ping\n"));
	CHECK(write(peer, "pong\n", 5) == 5);
	CHECK(live_wait(t, &ex) == 0 && ex.kind == SBX_EXITED && ex.code == 0,
	      "code %d", ex.code);
	CHECK(read(peer, text, 1) == 0, "its end is seen");
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(grants_live, a_connection_by_a_socket_file)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	struct sbx_grant g = SBX_GRANT_INIT;
	struct sbx_policy *p = live_policy(l);
	struct live_run r;
	char target[128];
	int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int peer;

	CHECK(p && listener >= 0);
	snprintf(a.sun_path, sizeof(a.sun_path), "%s/socket", l->dir);
	CHECK(bind(listener, (struct sockaddr *)&a, sizeof(a)) == 0 &&
	      listen(listener, 1) == 0);
	snprintf(target, sizeof(target), "unix:%s", a.sun_path);
	g.kind = SBX_GRANT_CONNECT;
	g.name = "peer";
	g.target = target;
	CHECK(run_with(p, &g, "echo ping >&3", &r) == 0);
	CHECK(r.exit.code == 0, "%s", r.err);
	peer = accept(listener, NULL, NULL);
	CHECK(read(peer, r.out, 5) == 5 && !strncmp(r.out, "ping\n", 5));
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(grants_live, a_connection_that_nobody_takes)
{
	const char *const argv[] = { "/bin/true", NULL };
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_grant g = SBX_GRANT_INIT;
	struct sbx_error e = { .code = 0 };
	struct sbx_policy *p = live_policy(l);
	struct sbx_task *t = NULL;
	char target[64];
	int port, listener = listen_tcp(&port);

	CHECK(p && listener >= 0);
	close(listener);
	snprintf(target, sizeof(target), "tcp:127.0.0.1:%d", port);
	g.kind = SBX_GRANT_CONNECT;
	g.name = "peer";
	g.target = target;
	o.argv = argv;
	o.grants = &g;
	o.n_grants = 1;
	CHECK(sbx_spawn(p, &o, &t, &e) == -ECONNREFUSED, "%d", e.code);
	CHECK(!t && e.step == SBX_STEP_GRANTS && strstr(e.object, target),
	      "step %u object %s", e.step, e.object);
	sbx_policy_unref(p);
	return 0;
}

/* Answer "ping" by "pong" in a process of its own. */
static pid_t answer(int peer)
{
	pid_t pid = fork();
	char text[8] = "";

	if (pid != 0)
		return pid;
	if (read(peer, text, 4) == 4 && !strcmp(text, "ping") &&
	    write(peer, "pong", 4) == 4)
		_exit(0);
	_exit(1);
}

/* Run reach on a connected socket, outside: what it can do without a jail. */
static int reach_outside(const struct live *l, int fd, int other)
{
	char port[16];
	pid_t pid = fork();
	int st;

	if (pid == 0) {
		snprintf(port, sizeof(port), "%d", other);
		dup2(fd, 3);
		execl(live_program(l, "reach"), "reach", "held", "3", port,
		      (char *)NULL);
		_exit(1);
	}
	return waitpid(pid, &st, 0) == pid && st == 0 ? 0 : -1;
}

static int check_held(const struct live *l, struct sbx_policy *p, int fd,
		      int other_port, int other)
{
	char port[16];
	const char *argv[] = { live_program(l, "reach"), "held", "3", port,
			       NULL };
	static const char *const refused[] = {
		"again=E", "loosen=E", "bind=E", "listen=E", "fastopen=E",
		"turn=E", "fresh=E", "mptcp=E"
	};
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_grant g = SBX_GRANT_INIT;
	struct live_run r;

	snprintf(port, sizeof(port), "%d", other_port);
	g.kind = SBX_GRANT_FD;
	g.name = "peer";
	g.fd = fd;
	o.grants = &g;
	o.n_grants = 1;
	CHECK(live_exec(p, &o, argv, &r) == 0);
	CHECK(strstr(r.out, "send=ok\nreceive=ok\n"), "%s", r.out);
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		CHECK(strstr(r.out, refused[i]), "%s: %s", refused[i], r.out);
	CHECK(!has_caller(other), "it has reached another listener");
	return 0;
}

LIVE_TEST_BOTH_TIERS(grants_live, a_connected_socket_cannot_be_turned_elsewhere)
{
	struct sbx_policy *p = live_policy(l);
	int port, other_port, fd, peer;
	int listener = listen_tcp(&port), other = listen_tcp(&other_port);

	CHECK(p && listener >= 0 && other >= 0);
	/* The twin: without a jail the same program gets there. */
	fd = connect_tcp(port);
	peer = accept(listener, NULL, NULL);
	CHECK(fd >= 0 && peer >= 0 && answer(peer) > 0);
	CHECK(reach_outside(l, fd, other_port) == 0);
	CHECK(has_caller(other));
	while (has_caller(other))
		close(accept(other, NULL, NULL));
	close(fd);
	close(peer);

	fd = connect_tcp(port);
	peer = accept(listener, NULL, NULL);
	CHECK(fd >= 0 && peer >= 0 && answer(peer) > 0);
	CHECK(check_held(l, p, fd, other_port, other) == 0);
	CHECK(ledger_no_children(5000) == 0);
	sbx_policy_unref(p);
	return 0;
}

/* Is a grant of this descriptor refused, as -EINVAL that names it? */
static int check_refused(struct sbx_policy *p, int fd, const char *what)
{
	const char *const argv[] = { "/bin/true", NULL };
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_grant g = SBX_GRANT_INIT;
	struct sbx_error e = { .code = 0 };
	struct sbx_task *t = NULL;
	int rc;

	CHECK(fd >= 0, "%s", what);
	g.kind = SBX_GRANT_FD;
	g.name = what;
	g.fd = fd;
	o.argv = argv;
	o.grants = &g;
	o.n_grants = 1;
	rc = sbx_spawn(p, &o, &t, &e);
	CHECK(rc == -EINVAL && !t, "%s: %d", what, rc);
	CHECK(strstr(e.object, what) && e.text[0], "%s: %s", what, e.object);
	close(fd);
	return 0;
}

LIVE_TEST_BOTH_TIERS(grants_live, what_reaches_more_than_it_names_is_refused)
{
	struct sbx_policy *p = live_policy(l);
	int fds[2];

	CHECK(p);
	CHECK(check_refused(p, open(l->ws, O_RDONLY | O_CLOEXEC),
			    "directory") == 0);
	CHECK(check_refused(p, open("/etc/passwd", O_PATH | O_CLOEXEC),
			    "path") == 0);
	CHECK(check_refused(p, socket(AF_INET, SOCK_DGRAM, 0), "udp") == 0);
	CHECK(check_refused(p, socket(AF_INET, SOCK_STREAM, 0), "tcp") == 0);
	CHECK(check_refused(p, socket(AF_INET6, SOCK_DGRAM, 0), "udp6") == 0);
	CHECK(check_refused(p, socket(AF_NETLINK, SOCK_RAW, 0),
			    "netlink") == 0);
	CHECK(check_refused(p, socket(AF_UNIX, SOCK_DGRAM, 0), "dgram") == 0);
	CHECK(socketpair(AF_UNIX, SOCK_DGRAM, 0, fds) == 0);
	CHECK(check_refused(p, fds[0], "dgram-pair") == 0);
	/* The twin is every other test: files, pipes, streams go through. */
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(grants_live, rights_narrow_a_descriptor)
{
	struct sbx_grant g = SBX_GRANT_INIT;
	struct sbx_policy *p = live_policy(l);
	struct live_run r;
	char path[128];
	int fd;

	CHECK(p);
	snprintf(path, sizeof(path), "%s/file", l->dir);
	CHECK(live_write(path, "content\n") == 0);
	fd = open(path, O_RDWR | O_CLOEXEC);
	g.kind = SBX_GRANT_FD;
	g.name = "file";
	g.fd = fd;
	g.rights = SBX_READ;
	CHECK(run_with(p, &g, "cat <&3; echo changed >&3", &r) == 0);
	CHECK(!strcmp(r.out, "content\n") && r.exit.code != 0, "%s", r.out);
	CHECK(!strcmp(live_read(path), "content\n"));
	g.rights = 0;
	CHECK(run_with(p, &g, "echo changed >&3", &r) == 0);
	CHECK(r.exit.code == 0 && strstr(live_read(path), "changed"));
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(grants_live, rights_never_widen_a_descriptor)
{
	const char *const argv[] = { "/bin/true", NULL };
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_grant g = SBX_GRANT_INIT;
	struct sbx_policy *p = live_policy(l);
	struct sbx_error e = { .code = 0 };
	struct sbx_task *t = NULL;
	char path[128];
	int rc;

	CHECK(p);
	snprintf(path, sizeof(path), "%s/file", l->dir);
	CHECK(live_write(path, "content\n") == 0);
	g.kind = SBX_GRANT_FD;
	g.name = "file";
	g.fd = open(path, O_RDONLY | O_CLOEXEC);
	g.rights = SBX_READ | SBX_WRITE;
	o.argv = argv;
	o.grants = &g;
	o.n_grants = 1;
	rc = sbx_spawn(p, &o, &t, &e);
	CHECK((rc == -EINVAL || rc == -EACCES) && !t, "%d", rc);
	CHECK(strstr(e.object, "file"), "%s", e.object);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(grants_live, names_are_listed_in_the_environment)
{
	struct sbx_grant g[3] = { SBX_GRANT_INIT, SBX_GRANT_INIT,
				  SBX_GRANT_INIT };
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_policy *p = live_policy(l);
	struct live_run r;

	CHECK(p);
	g[0].name = "a.b";
	g[1].name = "Z_9-x";
	g[1].task_fd = 3;
	g[2].name = "third";
	for (int i = 0; i < 3; i++) {
		g[i].kind = SBX_GRANT_DATA;
		g[i].target = g[i].name;
	}
	o.grants = g;
	o.n_grants = 3;
	CHECK(live_sh(p, &o, "for g in $SBX_FDS; do fd=${g##*:}; "
		      "test \"$(cat <&$fd)\" = \"${g%:*}\" || exit 1; "
		      "echo $g; done | sort", &r) == 0);
	CHECK(!strcmp(r.out, "Z_9-x:3\na.b:4\nthird:5\n"), "%s", r.out);
	CHECK(live_sh(p, NULL, "echo \"[${SBX_FDS-unset}]\"", &r) == 0);
	CHECK(!strcmp(r.out, "[]\n") || !strcmp(r.out, "[unset]\n"), "%s",
	      r.out);
	sbx_policy_unref(p);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* connect: strict targets, real sockets on loopback, a name server of ours. */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "spawn/connect.h"

static int n_open(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	if (!d)
		return -1;
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static int parse(const char *text, struct sbxi_target *ret)
{
	const char *why = NULL;
	int rc = sbxi_target_parse(text, ret, &why);

	cr_expect(rc == 0 || why, "%s is refused without a reason", text);
	return rc;
}

TestSuite(target, .timeout = 10);

Test(target, addresses_and_names_are_taken_apart)
{
	struct sbxi_target t;
	struct sockaddr_in sin;
	struct sockaddr_in6 sin6;

	cr_assert_eq(parse("tcp:192.0.2.7:443", &t), 0);
	cr_expect_eq(t.kind, SBXI_TARGET_ADDRESS);
	memcpy(&sin, &t.address, sizeof(sin));
	cr_expect_eq(sin.sin_family, AF_INET);
	cr_expect_eq(sin.sin_port, htons(443));
	cr_expect_eq(sin.sin_addr.s_addr, htonl(0xc0000207));

	cr_assert_eq(parse("tcp:[2001:db8::1]:65535", &t), 0);
	cr_expect_eq(t.kind, SBXI_TARGET_ADDRESS);
	memcpy(&sin6, &t.address, sizeof(sin6));
	cr_expect_eq(sin6.sin6_family, AF_INET6);
	cr_expect_eq(sin6.sin6_port, htons(65535));
	cr_expect_eq(sin6.sin6_addr.s6_addr[0], 0x20);

	cr_assert_eq(parse("tcp:Api-1.example.com:1", &t), 0);
	cr_expect_eq(t.kind, SBXI_TARGET_NAME);
	cr_expect_str_eq(t.host, "Api-1.example.com");
	cr_expect_eq(t.port, 1);

	cr_assert_eq(parse("tcp:3com.com:80", &t), 0);
	cr_expect_eq(t.kind, SBXI_TARGET_NAME);

	cr_assert_eq(parse("unix:/run/x.sock", &t), 0);
	cr_expect_eq(t.kind, SBXI_TARGET_UNIX);
	cr_expect_str_eq(t.path, "/run/x.sock");
}

Test(target, odd_forms_are_refused)
{
	static const char *const bad[] = {
		"", "tcp", "tcp:", "tcp::80", "tcp:host", "tcp:host:",
		"tcp:host:0", "tcp:host:65536", "tcp:host:080", "tcp:host:+80",
		"tcp:host:-1", "tcp:host: 80", "tcp:host:80 ", "tcp:host:8a",
		"tcp:host:99999999999", "TCP:host:80", " tcp:host:80",
		/* numbers that inet_aton(3) reads as an address */
		"tcp:127.1:80", "tcp:2130706433:80", "tcp:0x7f.1:80",
		"tcp:0x7f000001:80", "tcp:0X7F.0.0.1:80", "tcp:127.0.0.01:80",
		"tcp:0177.0.0.1:80", "tcp:1.2.3.4.5:80", "tcp:1.2.3.256:80",
		"tcp:example.0x10:80", "tcp:0x:80", "tcp:1.2.3:80",
		/* names */
		"tcp:.example.com:80", "tcp:example..com:80",
		"tcp:example.com.:80", "tcp:-a.com:80", "tcp:a-.com:80",
		"tcp:a_b.com:80", "tcp:a b.com:80", "tcp:a@b.com:80",
		"tcp:a/b:80", "tcp:a\n.com:80", "tcp:ex\xc3\xa4mple.com:80",
		"tcp:a%00.com:80",
		/* IPv6 */
		"tcp:::1:80", "tcp:[::1]", "tcp:[::1]80", "tcp:[::1:80",
		"tcp:[]:80", "tcp:[127.0.0.1]:80", "tcp:[fe80::1%eth0]:80",
		"tcp:[host]:80", "tcp:x[::1]:80",
		/* paths */
		"unix:", "unix:run/x", "unix:@abstract", "unix:/run/../x",
		"unix:/run/./x", "unix:./x", "udp:host:80", "host:80",
	};
	struct sbxi_target t = { .port = 4711 };
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		cr_expect_eq(parse(bad[i], &t), -EINVAL, "%s", bad[i]);
		cr_expect_eq(t.port, 4711, "%s writes on failure", bad[i]);
	}
}

Test(target, lengths_are_bounded)
{
	char name[64 + 8], text[5000];
	struct sbxi_target t;
	int i;

	memset(name, 'a', sizeof(name));
	snprintf(text, sizeof(text), "tcp:%.63s.com:80", name);
	cr_expect_eq(parse(text, &t), 0);
	snprintf(text, sizeof(text), "tcp:%.64s.com:80", name);
	cr_expect_eq(parse(text, &t), -EINVAL);

	strcpy(text, "tcp:");
	for (i = 0; i < 126; i++)
		strcat(text, "a.");
	strcat(text, "b:80");
	cr_expect_eq(parse(text, &t), 0, "253 bytes");
	strcpy(text + strlen(text) - 3, "b:80");
	cr_expect_eq(parse(text, &t), -EINVAL, "254 bytes");

	memset(text, 'a', sizeof(text));
	memcpy(text, "unix:/", 6);
	text[4999] = '\0';
	cr_expect_eq(parse(text, &t), -ENAMETOOLONG);
}

/* A listener on loopback; returns it and its port. */
static int listener(int family, uint16_t *ret_port)
{
	struct sockaddr_storage a = { .ss_family = (sa_family_t)family };
	struct sockaddr_in sin = { .sin_family = AF_INET };
	struct sockaddr_in6 sin6 = { .sin6_family = AF_INET6,
				     .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	socklen_t len = sizeof(a);
	int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	sin.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (family == AF_INET)
		memcpy(&a, &sin, sizeof(sin));
	else
		memcpy(&a, &sin6, sizeof(sin6));
	if (fd < 0 || bind(fd, (struct sockaddr *)&a,
			   family == AF_INET ? sizeof(sin) :
					       sizeof(sin6)) < 0 ||
	    listen(fd, 8) < 0 ||
	    getsockname(fd, (struct sockaddr *)&a, &len) < 0) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	memcpy(&sin, &a, sizeof(sin));
	*ret_port = ntohs(sin.sin_port);	/* at the same place for both */
	return fd;
}

/* Bound and not listening: nobody else gets it, and it refuses. */
static int closed_port(uint16_t *ret_port)
{
	struct sockaddr_in sin = { .sin_family = AF_INET };
	socklen_t len = sizeof(sin);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	sin.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	cr_assert_eq(bind(fd, (struct sockaddr *)&sin, sizeof(sin)), 0);
	cr_assert_eq(getsockname(fd, (struct sockaddr *)&sin, &len), 0);
	*ret_port = ntohs(sin.sin_port);
	return fd;
}

static struct sbxi_fail fail;
static bool inet;

static int go(const char *text)
{
	return sbxi_connect(text, sbxi_deadline_ms(3000), &inet, &fail);
}

static void expect_usable(int fd, int listening)
{
	char buf[4] = { 0 };
	int peer = accept4(listening, NULL, NULL, SOCK_CLOEXEC);

	cr_assert_geq(fd, 3);
	cr_assert_geq(peer, 0);
	cr_expect_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	cr_expect_eq(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
	cr_expect_eq(write(fd, "hi", 2), 2);
	cr_expect_eq(read(peer, buf, 2), 2);
	cr_expect_str_eq(buf, "hi");
	close(peer);
	close(fd);
}

TestSuite(connect, .timeout = 30);

Test(connect, reaches_an_ipv4_listener)
{
	char text[64];
	uint16_t port;
	int l = listener(AF_INET, &port);

	snprintf(text, sizeof(text), "tcp:127.0.0.1:%u", port);
	expect_usable(go(text), l);
	cr_expect(inet);
	close(l);
}

Test(connect, reaches_an_ipv6_listener)
{
	char text[64];
	uint16_t port;
	int l = listener(AF_INET6, &port);

	if (l < 0)
		cr_skip_test("no IPv6 loopback here");
	snprintf(text, sizeof(text), "tcp:[::1]:%u", port);
	expect_usable(go(text), l);
	cr_expect(inet);
	close(l);
}

Test(connect, localhost_is_both_loopback_addresses)
{
	char text[64];
	uint16_t port;
	int l = listener(AF_INET, &port);

	snprintf(text, sizeof(text), "tcp:LocalHost:%u", port);
	expect_usable(go(text), l);
	close(l);
	l = listener(AF_INET6, &port);
	if (l < 0)
		return;
	snprintf(text, sizeof(text), "tcp:localhost:%u", port);
	expect_usable(go(text), l);
	close(l);
}

Test(connect, nobody_listens_is_connrefused_and_names_the_target)
{
	char text[64];
	uint16_t port;
	int l = closed_port(&port), before = n_open();

	inet = true;
	snprintf(text, sizeof(text), "tcp:localhost:%u", port);
	cr_expect_eq(go(text), -ECONNREFUSED);
	cr_expect_str_eq(fail.object, text);
	cr_expect_eq(fail.step, SBX_STEP_GRANTS);
	cr_expect(inet, "written on failure");
	cr_expect_eq(n_open(), before);
	close(l);
}

/* A listener that accepts nobody: when its queue is full, it is silent. */
Test(connect, a_silent_peer_is_a_timeout)
{
	int fill[16], before, l, i, rc = 0;
	char text[64];
	uint16_t port;
	struct sockaddr_in sin = { .sin_family = AF_INET };

	l = listener(AF_INET, &port);
	cr_assert_eq(listen(l, 0), 0);
	sin.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	sin.sin_port = htons(port);
	for (i = 0; i < 16; i++) {
		fill[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK |
						  SOCK_CLOEXEC, 0);
		(void)connect(fill[i], (struct sockaddr *)&sin, sizeof(sin));
	}
	before = n_open();
	snprintf(text, sizeof(text), "tcp:127.0.0.1:%u", port);
	rc = sbxi_connect(text, sbxi_deadline_ms(300), &inet, &fail);
	cr_expect_eq(rc, -ETIMEDOUT);
	cr_expect_eq(n_open(), before);
	for (i = 0; i < 16; i++)
		close(fill[i]);
	close(l);
}

static char dir[64];

static void make_dir(void)
{
	strcpy(dir, "/tmp/sbx-connect-XXXXXX");
	cr_assert(mkdtemp(dir));
	cr_assert_eq(chdir(dir), 0);
}

static void drop_dir(void)
{
	char command[128];

	cr_assert_eq(chdir("/"), 0);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	cr_assert_eq(system(command), 0);
}

static int unix_listener(const char *name, int type)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);

	strcpy(un.sun_path, name);
	cr_assert_eq(bind(fd, (struct sockaddr *)&un, sizeof(un)), 0);
	if (type != SOCK_DGRAM)
		cr_assert_eq(listen(fd, 4), 0);
	return fd;
}

static int go_unix(const char *name)
{
	char text[1024];

	snprintf(text, sizeof(text), "unix:%s/%s", dir, name);
	return go(text);
}

TestSuite(connect_unix, .init = make_dir, .fini = drop_dir, .timeout = 30);

Test(connect_unix, reaches_a_listener)
{
	int l = unix_listener("s", SOCK_STREAM);

	inet = true;
	expect_usable(go_unix("s"), l);
	cr_expect_not(inet);
	close(l);
}

Test(connect_unix, a_path_longer_than_sun_path_works)
{
	char name[160], deep[140];
	int l;

	memset(deep, 'd', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	cr_assert_eq(mkdir(deep, 0700), 0);
	cr_assert_eq(chdir(deep), 0);
	l = unix_listener("s", SOCK_STREAM);
	snprintf(name, sizeof(name), "%s/s", deep);
	expect_usable(go_unix(name), l);
	close(l);
}

Test(connect_unix, a_link_to_a_socket_is_followed)
{
	int l = unix_listener("s", SOCK_STREAM);

	cr_assert_eq(symlink("s", "link"), 0);
	expect_usable(go_unix("link"), l);
	close(l);
}

Test(connect_unix, what_is_not_a_stream_listener_is_refused)
{
	int dgram = unix_listener("dgram", SOCK_DGRAM);
	int packet = unix_listener("packet", SOCK_SEQPACKET);
	int dead = unix_listener("dead", SOCK_STREAM);
	int file = open("file", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	int before;

	close(dead);
	close(file);
	before = n_open();
	cr_expect_eq(go_unix("missing"), -ENOENT);
	cr_expect_eq(go_unix("file"), -EINVAL);
	cr_expect_eq(go_unix("file/x"), -ENOTDIR);
	cr_expect_eq(go_unix(""), -EINVAL, "a directory");
	cr_expect_eq(go_unix("dead"), -ECONNREFUSED);
	cr_expect_eq(go_unix("dgram"), -EINVAL);
	cr_expect_eq(go_unix("packet"), -EINVAL);
	cr_expect_eq(n_open(), before);
	close(dgram);
	close(packet);
}

Test(connect_unix, a_full_queue_is_a_timeout)
{
	int l = unix_listener("s", SOCK_STREAM), fill[8], before, i;
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "s" };
	char text[128];

	cr_assert_eq(listen(l, 0), 0);
	for (i = 0; i < 8; i++) {
		fill[i] = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK |
						  SOCK_CLOEXEC, 0);
		(void)connect(fill[i], (struct sockaddr *)&un, sizeof(un));
	}
	before = n_open();
	snprintf(text, sizeof(text), "unix:%s/s", dir);
	cr_expect_eq(sbxi_connect(text, sbxi_deadline_ms(200), &inet, &fail),
		     -ETIMEDOUT);
	cr_expect_eq(n_open(), before);
	for (i = 0; i < 8; i++)
		close(fill[i]);
	close(l);
}

/*
 * A name server of ours, in a child: "v4.test" is 127.0.0.1, "both.test" and
 * "v6.test" too or ::1, "silent.test" gets no answer, "fails.test" SERVFAIL,
 * anything else NXDOMAIN.  Names that it was asked for go to a pipe.
 */
static struct {
	pid_t pid;
	char address[32];
	int names;
} server;

static size_t read_name(const unsigned char *q, size_t len, char *ret)
{
	size_t at = 12, out = 0;

	while (at < len && q[at]) {
		memcpy(ret + out, q + at + 1, q[at]);
		out += q[at];
		ret[out++] = '.';
		at += q[at] + 1u;
	}
	ret[out ? out - 1 : 0] = '\0';
	return at + 1;
}

static void answer_query(int fd, int names)
{
	static const unsigned char v4[] = { 127, 0, 0, 1 };
	static const unsigned char v6[16] = { [15] = 1 };
	struct sockaddr_in from;
	socklen_t from_len = sizeof(from);
	unsigned char q[600];
	char name[300];
	ssize_t n = recvfrom(fd, q, 512, 0, (struct sockaddr *)&from,
			     &from_len);
	size_t end, len;
	bool a, aaaa;

	if (n < 17)
		return;
	end = read_name(q, (size_t)n, name);
	a = q[end + 1] == 1;
	aaaa = q[end + 1] == 28;
	if (dprintf(names, "%s\n", name) < 0 || !strcmp(name, "silent.test"))
		return;
	q[2] = 0x81;
	q[3] = 0x80;
	memset(q + 6, 0, 6);
	end += 4;
	len = end;
	if (!strcmp(name, "fails.test")) {
		q[3] |= 2;
	} else if (strcmp(name, "v4.test") && strcmp(name, "both.test") &&
		   strcmp(name, "v6.test")) {
		q[3] |= 3;
	} else if ((a && strcmp(name, "v6.test")) ||
		   (aaaa && strcmp(name, "v4.test"))) {
		static const unsigned char head[] = { 0xc0, 12, 0, 1, 0, 1,
						      0, 0, 0, 60, 0 };

		q[7] = 1;
		memcpy(q + len, head, sizeof(head));
		q[len + 3] = a ? 1 : 28;
		len += sizeof(head);
		q[len++] = a ? 4 : 16;
		memcpy(q + len, a ? v4 : v6, a ? 4 : 16);
		len += a ? 4 : 16;
	}
	sendto(fd, q, len, 0, (struct sockaddr *)&from, from_len);
}

static void start_server(void)
{
	struct sockaddr_in sin = { .sin_family = AF_INET };
	socklen_t len = sizeof(sin);
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), names[2];

	sin.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	cr_assert_eq(pipe2(names, O_CLOEXEC), 0);
	cr_assert_eq(bind(fd, (struct sockaddr *)&sin, sizeof(sin)), 0);
	cr_assert_eq(getsockname(fd, (struct sockaddr *)&sin, &len), 0);
	snprintf(server.address, sizeof(server.address), "127.0.0.1:%u",
		 ntohs(sin.sin_port));
	server.pid = fork();
	cr_assert_geq(server.pid, 0);
	if (server.pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			answer_query(fd, names[1]);
	}
	close(fd);
	close(names[1]);
	server.names = names[0];
}

static void stop_server(void)
{
	kill(server.pid, SIGKILL);
	waitpid(server.pid, NULL, 0);
	close(server.names);
}

static int look_up(const char *host, struct sbxi_addresses *ret)
{
	return sbxi_name_resolve(host, 80, server.address,
				 sbxi_deadline_ms(5000), ret);
}

TestSuite(resolve, .init = start_server, .fini = stop_server, .timeout = 30);

Test(resolve, addresses_of_both_families_are_found_with_their_port)
{
	struct sbxi_addresses a = { .n = 0 };
	struct sockaddr_in sin;
	int before = n_open();

	cr_assert_eq(look_up("v4.test", &a), 0);
	cr_assert_eq(a.n, 1);
	memcpy(&sin, &a.address[0], sizeof(sin));
	cr_expect_eq(sin.sin_family, AF_INET);
	cr_expect_eq(sin.sin_port, htons(80));
	cr_expect_eq(sin.sin_addr.s_addr, htonl(INADDR_LOOPBACK));
	cr_assert_eq(look_up("v6.test", &a), 0);
	cr_assert_eq(a.n, 1);
	cr_expect_eq(a.address[0].ss_family, AF_INET6);
	cr_assert_eq(look_up("both.test", &a), 0);
	cr_expect_eq(a.n, 2);
	cr_expect_eq(n_open(), before);
}

Test(resolve, an_unknown_name_is_enoent_and_writes_nothing)
{
	struct sbxi_addresses a = { .n = 77 };
	int before = n_open();

	cr_expect_eq(look_up("missing.test", &a), -ENOENT);
	cr_expect_eq(a.n, 77);
	cr_expect_eq(n_open(), before);
}

Test(resolve, a_server_that_fails_is_no_unknown_name)
{
	struct sbxi_addresses a = { .n = 77 };

	cr_expect_eq(look_up("fails.test", &a), -EHOSTUNREACH);
	cr_expect_eq(a.n, 77);
}

Test(resolve, a_silent_server_is_a_timeout_at_the_deadline)
{
	struct sbxi_addresses a = { .n = 77 };
	int before = n_open();
	int64_t start = sbxi_deadline_ms(0);

	cr_expect_eq(sbxi_name_resolve("silent.test", 80, server.address,
				  sbxi_deadline_ms(400), &a), -ETIMEDOUT);
	cr_expect_geq(sbxi_deadline_ms(0) - start, 399);
	cr_expect_eq(a.n, 77);
	cr_expect_eq(n_open(), before);
}

Test(resolve, localhost_asks_nobody)
{
	struct sbxi_addresses a = { .n = 0 };
	struct sockaddr_in sin;
	char c;

	cr_assert_eq(look_up("localhost", &a), 0);
	cr_expect_eq(a.n, 2);
	memcpy(&sin, &a.address[0], sizeof(sin));
	cr_expect_eq(sin.sin_addr.s_addr, htonl(INADDR_LOOPBACK));
	cr_expect_eq(a.address[1].ss_family, AF_INET6);
	cr_assert_eq(look_up("Any.LOCALHOST", &a), 0);
	cr_expect_eq(a.n, 2);
	cr_expect_eq(look_up("notlocalhost", &a), -ENOENT);
	/* The twin: that one was asked for, and it is the first. */
	cr_expect_eq(read(server.names, &c, 1), 1);
	cr_expect_eq(c, 'n');
}

Test(resolve, the_environment_changes_nothing)
{
	struct sbxi_addresses a = { .n = 0 };
	char seen[512] = { 0 };
	char aliases[] = "/tmp/sbx-aliases-XXXXXX";
	int fd = mkostemp(aliases, O_CLOEXEC);

	cr_assert_geq(fd, 0);
	cr_assert_gt(dprintf(fd, "alias v4.test\n"), 0);
	close(fd);
	setenv("HOSTALIASES", aliases, 1);
	setenv("LOCALDOMAIN", "evil.example", 1);
	setenv("RES_OPTIONS", "ndots:9 timeout:1 attempts:1 rotate", 1);
	cr_expect_eq(look_up("alias", &a), -ENOENT);
	cr_expect_eq(look_up("missing.test", &a), -ENOENT);
	cr_expect_eq(look_up("v4.test", &a), 0);
	unlink(aliases);
	cr_assert_gt(read(server.names, seen, sizeof(seen) - 1), 0);
	cr_expect(strstr(seen, "missing.test\n"));
	cr_expect_not(strstr(seen, "evil"), "asked for: %s", seen);
}

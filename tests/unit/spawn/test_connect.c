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

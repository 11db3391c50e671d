/* SPDX-License-Identifier: Apache-2.0 */
/* connect_resolve: names, asked of a name server of ours. */
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

/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of grants share.  Include criterion.h first. */
#ifndef TEST_SPAWN_GRANTS_TEST_H
#define TEST_SPAWN_GRANTS_TEST_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "spawn/grants.h"

static char dir[64];
static struct sbx_policy policy;
static struct sbxi_grants out;
static struct sbxi_fail fail;

static inline int n_open(void)
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

static inline void set_up(void)
{
	size_t i;

	strcpy(dir, "/tmp/sbx-grants-XXXXXX");
	cr_assert(mkdtemp(dir));
	for (i = 0; i < SBXI_N_LIMITS; i++)
		policy.limit[i] = SBXI_NO_LIMIT;
	policy.limit[SBX_LIMIT_OPEN_FILES] = 1024;
	out = (struct sbxi_grants){ .n = 4711 };
}

static inline int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static inline void tear_down(void)
{
	nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static inline int open_all(const struct sbx_grant *g, size_t n)
{
	return sbxi_grants_open(&policy, g, n, 2000, &out, &fail);
}

/* Refused, with this code, nothing written and nothing left open. */
#define expect_refused(grants_, n_, code)                                   \
	do {                                                                \
		int before_ = n_open();                                     \
		fail = (struct sbxi_fail){ .step = 0 };                     \
		cr_expect_eq(open_all(grants_, n_), code, "%s: %s",         \
			     fail.object, fail.text);                       \
		cr_expect_eq(out.n, 4711, "written on failure");            \
		cr_expect_eq(n_open(), before_, "descriptors leak");        \
		cr_expect_eq(fail.step, SBX_STEP_GRANTS);                   \
		cr_expect_neq(fail.object[0], '\0');                        \
		cr_expect_neq(fail.text[0], '\0');                          \
	} while (0)

static inline void done(void)
{
	sbxi_grants_done(&out);
	out.n = 4711;
}

static inline struct sbx_grant fd_grant(const char *name, int fd,
					uint32_t rights)
{
	struct sbx_grant g = SBX_GRANT_INIT;

	g.kind = SBX_GRANT_FD;
	g.name = name;
	g.fd = fd;
	g.rights = rights;
	return g;
}

static inline struct sbx_grant named(uint32_t kind, const char *name,
			      const char *target, uint32_t rights)
{
	struct sbx_grant g = SBX_GRANT_INIT;

	g.kind = kind;
	g.name = name;
	g.target = target;
	g.rights = rights;
	return g;
}

/* A skip runs no .fini. */
static inline void skip(const char *why)
{
	tear_down();
	cr_skip_test("%s", why);
}

/* Is fd granted as it is?  Closes fd. */
static inline void expect_fd(int fd, bool ok)
{
	struct sbx_grant g = fd_grant("x", fd, 0);

	cr_assert_geq(fd, 0, "the test could not make it: %s",
		      strerror(errno));
	if (ok) {
		int before = n_open();

		cr_assert_eq(open_all(&g, 1), 0, "%s", fail.text);
		cr_expect_eq(out.n, 1);
		cr_expect_geq(out.grant[0].fd, 3);
		cr_expect_neq(out.grant[0].fd, fd, "the caller keeps his");
		cr_expect_eq(fcntl(out.grant[0].fd, F_GETFD), FD_CLOEXEC);
		cr_expect_eq(out.grant[0].task_fd, 3);
		cr_expect_eq(n_open(), before + 1);
		done();
		cr_expect_eq(n_open(), before);
	} else {
		expect_refused(&g, 1, -EINVAL);
		cr_expect_str_eq(fail.object, "x");
	}
	cr_expect_geq(fcntl(fd, F_GETFD), 0);
	close(fd);
}

static inline const char *file(const char *name, const char *text)
{
	static char path[8][160];
	static unsigned int next;
	char *p = path[next++ % 8];
	int fd;

	snprintf(p, sizeof(path[0]), "%s/%s", dir, name);
	fd = open(p, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	return p;
}

static inline int bound(int family, int type)
{
	struct sockaddr_in6 a = { .sin6_family = (sa_family_t)family };
	struct sockaddr_in *in = (void *)&a;
	int fd = socket(family, type | SOCK_CLOEXEC, 0);

	if (family == AF_INET)
		in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else
		a.sin6_addr = in6addr_loopback;
	cr_assert_eq(bind(fd, (struct sockaddr *)&a,
			  family == AF_INET ? sizeof(*in) : sizeof(a)), 0);
	return fd;
}

static inline int listening(int family)
{
	int fd = bound(family, SOCK_STREAM);

	cr_assert_eq(listen(fd, 4), 0);
	return fd;
}

static inline uint16_t port_of(int fd)
{
	struct sockaddr_in a;
	socklen_t len = sizeof(a);

	cr_assert_eq(getsockname(fd, (struct sockaddr *)&a, &len), 0);
	return ntohs(a.sin_port);
}

#endif

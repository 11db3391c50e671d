/* SPDX-License-Identifier: Apache-2.0 */
/*
 * enter: what the tests of a process that confines itself share.  Each
 * behaviour does so in a child of its own, which first does what is to be
 * refused later: so every denial has its control, in the same process.
 */
#ifndef TESTS_LIVE_ENTER_H
#define TESTS_LIVE_ENTER_H

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "live.h"

/* A test's policy, but for what no process can hold for itself. */
static inline struct sbx_policy *in_place_policy(const struct live *l)
{
	struct sbx_policy *p = live_policy(l);

	if (p && (sbx_policy_require(p, SBX_PROP_ENVIRONMENT, SBX_PREFER) < 0 ||
		  sbx_policy_require(p, SBX_PROP_TERMINAL, SBX_PREFER) < 0))
		return NULL;
	return p;
}

static inline int say(int rc, const struct sbx_error *e)
{
	if (rc < 0)
		fprintf(stderr, "%d where %u step %u: %s: %s\n", rc, e->where,
			e->step, e->object, e->text);
	return rc;
}

/* Confine this process by p; the report is dropped. */
static inline int enter(struct sbx_policy *p, uint32_t flags, struct sbx_error *e)
{
	struct sbx_report *report = NULL;
	int rc = sbx_enter_self(p, flags, &report, e);

	sbx_report_free(report);
	return rc;
}

static inline int enter_closed(const struct live *l)
{
	struct sbx_error e = { .code = 0 };
	struct sbx_policy *p = in_place_policy(l);

	return p ? say(enter(p, SBX_ENTER_CLOSE, &e), &e) : -1;
}

static inline bool can_open(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* An open for writing of a file outside: nothing has been confined yet. */
static inline bool is_free(const struct live *l)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/free", l->dir);
	return can_open(path, O_RDWR | O_CREAT) && can_open("/", O_RDONLY);
}

static inline int row_of(const struct sbx_report *report, uint32_t id,
		  struct sbx_report_row *ret)
{
	*ret = (struct sbx_report_row)SBX_REPORT_ROW_INIT;
	return sbx_report_row(report, id, ret);
}

static inline int listen_on_loopback(struct sockaddr_in *ret)
{
	socklen_t len = sizeof(*ret);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	*ret = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	if (fd < 0 || bind(fd, (struct sockaddr *)ret, len) < 0 ||
	    listen(fd, 8) < 0 ||
	    getsockname(fd, (struct sockaddr *)ret, &len) < 0)
		return -1;
	return fd;
}

static inline int connect_to(const struct sockaddr_in *to)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || connect(fd, (const void *)to, sizeof(*to)) < 0)
		return -1;
	return fd;
}

#endif

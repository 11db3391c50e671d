/* SPDX-License-Identifier: Apache-2.0 */
/* connect: from the text of a CONNECT grant to a connected socket. */
#include "spawn/connect.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/cleanup.h"

/* The codes of connect(2) that sbx_spawn(3) documents; others become these. */
static int code_of(int err)
{
	switch (err) {
	case ECONNREFUSED:
	case ECONNRESET:
		return -ECONNREFUSED;
	case ETIMEDOUT:
		return -ETIMEDOUT;
	case EHOSTUNREACH:
	case EHOSTDOWN:
		return -EHOSTUNREACH;
	case ENETUNREACH:
	case ENETDOWN:
	case EADDRNOTAVAIL:
	case EAFNOSUPPORT:
		return -ENETUNREACH;
	case EACCES:
	case EPERM:
		return -EACCES;
	case ENOBUFS:
	case ENOMEM:
		return -ENOMEM;
	case EMFILE:
	case ENFILE:
	case ENOENT:
	case ENOTDIR:
	case ELOOP:
	case ENAMETOOLONG:
		return -err;
	default:
		return -EIO;
	}
}

static int above_stdio(int *fd)
{
	int high = fcntl(*fd, F_DUPFD_CLOEXEC, 3);

	if (high < 0)
		return -errno;
	close(*fd);
	*fd = high;
	return 0;
}

static socklen_t address_len(const struct sockaddr_storage *address)
{
	return address->ss_family == AF_INET ? sizeof(struct sockaddr_in) :
					       sizeof(struct sockaddr_in6);
}

/* A non-blocking connect has begun: how does it end? */
static int await_connect(int fd, int64_t deadline_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	int err = 0, n;
	socklen_t len = sizeof(err);

	for (;;) {
		n = poll(&p, 1, sbxi_deadline_left(deadline_ms));
		if (n > 0)
			break;
		if (n == 0)
			return -ETIMEDOUT;
		if (errno != EINTR)
			return code_of(errno);
	}
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len) < 0)
		return code_of(errno);
	return err ? code_of(err) : 0;
}

/*
 * Nobody listens, and the kernel chose as source the very port that was
 * asked for: TCP then connects the socket with itself.
 */
static bool is_own_peer(int fd)
{
	struct sockaddr_storage here = { 0 }, peer = { 0 };
	socklen_t here_len = sizeof(here), peer_len = sizeof(peer);

	return getsockname(fd, (struct sockaddr *)&here, &here_len) == 0 &&
	       getpeername(fd, (struct sockaddr *)&peer, &peer_len) == 0 &&
	       here_len == peer_len && memcmp(&here, &peer, here_len) == 0;
}

static int set_blocking(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) < 0)
		return -EIO;
	return 0;
}

static int connect_address(const struct sockaddr_storage *address,
			   int64_t deadline_ms)
{
	AUTO_FD fd = socket(address->ss_family,
			    SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			    IPPROTO_TCP);
	int rc = 0;

	if (fd < 0)
		return code_of(errno);
	if (fd <= 2)
		rc = above_stdio(&fd);
	if (rc < 0)
		return rc;
	if (connect(fd, (const struct sockaddr *)address,
		    address_len(address)) < 0) {
		/* Interrupted or not, it goes on by itself. */
		if (errno != EINPROGRESS && errno != EINTR)
			return code_of(errno);
		rc = await_connect(fd, deadline_ms);
	}
	if (rc == 0 && is_own_peer(fd))
		rc = -ECONNREFUSED;
	if (rc == 0)
		rc = set_blocking(fd);
	return rc < 0 ? rc : sbxi_steal_fd(&fd);
}

/* Of several failures, the one that says most. */
static int weight(int code)
{
	switch (code) {
	case -ECONNREFUSED:
		return 5;
	case -EACCES:
		return 4;
	case -ETIMEDOUT:
		return 3;
	case -EHOSTUNREACH:
		return 2;
	case -ENETUNREACH:
		return 1;
	default:
		return 6;	/* memory, descriptors: ours, not the peer's */
	}
}

/* An address that never answers must not use up the time of the next. */
static int64_t share(int64_t deadline_ms, size_t n_left)
{
	int left = sbxi_deadline_left(deadline_ms);

	if (left < 0 || n_left <= 1)
		return deadline_ms;
	return deadline_ms - left + left / (int64_t)n_left;
}

static int connect_first(const struct sbxi_addresses *to, int64_t deadline_ms)
{
	int worst = 0;
	size_t i;

	for (i = 0; i < to->n; i++) {
		int fd = connect_address(&to->address[i],
					 share(deadline_ms, to->n - i));

		if (fd >= 0)
			return fd;
		if (worst == 0 || weight(fd) > weight(worst))
			worst = fd;
	}
	return worst;
}

static int connect_tcp(const struct sbxi_target *target, const char *text,
		       int64_t deadline_ms, struct sbxi_fail *fail)
{
	struct sbxi_addresses to = { .n = 1 };
	int rc = 0;

	to.address[0] = target->address;
	if (target->kind == SBXI_TARGET_NAME)
		rc = sbxi_name_resolve(target->host, target->port, NULL,
				       deadline_ms, &to);
	if (rc < 0)
		return sbxi_fail(fail, SBX_STEP_GRANTS, rc, text,
				 "the name was not found: %s", strerror(-rc));
	rc = connect_first(&to, deadline_ms);
	return rc >= 0 ? rc :
			 sbxi_fail(fail, SBX_STEP_GRANTS, rc, text, NULL);
}

/*
 * connect(2) of a unix socket knows no progress: non-blocking, a full queue
 * is EAGAIN and nothing to poll for.  A time limit on sending is what it
 * waits by.
 */
static int set_patience(int fd, int64_t deadline_ms)
{
	int left = sbxi_deadline_left(deadline_ms);
	struct timeval tv = { .tv_sec = left / 1000,
			      .tv_usec = left % 1000 * 1000 };

	if (left == 0)
		return -ETIMEDOUT;
	if (left < 0)
		tv = (struct timeval){ .tv_sec = 0 };
	return setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &tv, sizeof(tv)) < 0 ?
		       -EIO :
		       0;
}

static int connect_path(int fd, const char *path, int64_t deadline_ms)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	size_t len = strlen(path);
	int rc;

	if (len >= sizeof(un.sun_path))
		return -ENAMETOOLONG;
	memcpy(un.sun_path, path, len);
	do {
		rc = set_patience(fd, deadline_ms);
		if (rc < 0)
			return rc;
		rc = connect(fd, (const struct sockaddr *)&un, sizeof(un));
	} while (rc < 0 && errno == EINTR);
	if (rc < 0 && errno == EAGAIN)
		return -ETIMEDOUT;
	/* Another kind of socket than a stream. */
	if (rc < 0 && errno == EPROTOTYPE)
		return -EINVAL;
	return rc < 0 ? code_of(errno) : set_patience(fd, INT64_MAX);
}

/*
 * Through the descriptor that was looked at: the name may mean another file
 * by now, and a path may be longer than sun_path.
 */
static int connect_node(int fd, int node, const char *path,
			int64_t deadline_ms)
{
	char link[40];
	int rc;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", node);
	rc = connect_path(fd, link, deadline_ms);
	/* The node is there, so what is missing is /proc. */
	if (rc == -ENOENT || rc == -ENOTDIR)
		rc = connect_path(fd, path, deadline_ms);
	return rc;
}

static int connect_unix(const struct sbxi_target *target, const char *text,
			int64_t deadline_ms, struct sbxi_fail *fail)
{
	AUTO_FD node = open(target->path, O_PATH | O_CLOEXEC);
	AUTO_FD fd = -1;
	struct stat st;
	int rc = 0;

	if (node < 0 || fstat(node, &st) < 0)
		return sbxi_fail(fail, SBX_STEP_GRANTS, code_of(errno), text,
				 NULL);
	if (!S_ISSOCK(st.st_mode))
		return sbxi_fail(fail, SBX_STEP_GRANTS, -EINVAL, text,
				 "this file is no socket");
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		rc = code_of(errno);
	else if (fd <= 2)
		rc = above_stdio(&fd);
	if (rc == 0)
		rc = connect_node(fd, node, target->path, deadline_ms);
	if (rc == -EINVAL)
		return sbxi_fail(fail, SBX_STEP_GRANTS, rc, text,
				 "this is no stream socket");
	if (rc < 0)
		return sbxi_fail(fail, SBX_STEP_GRANTS, rc, text, NULL);
	return sbxi_steal_fd(&fd);
}

int sbxi_connect(const char *text, int64_t deadline_ms, bool *ret_inet,
		 struct sbxi_fail *fail)
{
	struct sbxi_target target;
	const char *why = NULL;
	int rc = sbxi_target_parse(text, &target, &why);

	if (rc < 0)
		return sbxi_fail(fail, SBX_STEP_GRANTS, rc, text, "%s", why);
	if (target.kind == SBXI_TARGET_UNIX)
		rc = connect_unix(&target, text, deadline_ms, fail);
	else
		rc = connect_tcp(&target, text, deadline_ms, fail);
	if (rc >= 0)
		*ret_inet = target.kind != SBXI_TARGET_UNIX;
	return rc;
}

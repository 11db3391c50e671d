/* SPDX-License-Identifier: Apache-2.0 */
/* fdmsg: one datagram and its descriptors over SOCK_SEQPACKET. */
#include "base/fdmsg.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/kconst.h"

void sbxi_fds_drop(int *fd, size_t *n_fds)
{
	while (*n_fds > 0)
		if (fd[--*n_fds] >= 0)
			close(fd[*n_fds]);
}

int sbxi_fds_take(int *fd, size_t n_fds, size_t i)
{
	int taken;

	if (i >= n_fds)
		return -1;
	taken = fd[i];
	fd[i] = -1;
	/* A free 0, 1 or 2 of the harness is not ours to fill. */
	if (taken >= 0 && sbxi_fd_above_stdio(&taken) < 0) {
		close(taken);
		return -1;
	}
	return taken;
}

void sbxi_fdmsg_drop(struct sbxi_fdmsg *m)
{
	sbxi_fds_drop(m->fd, &m->n_fds);
}

int sbxi_fdmsg_take(struct sbxi_fdmsg *m, size_t i)
{
	return sbxi_fds_take(m->fd, m->n_fds, i);
}

/* Own every descriptor before any check can fail, or it leaks. */
static bool own_descriptors(struct msghdr *msg, struct sbxi_fdmsg_room *ret)
{
	bool good = true;
	struct cmsghdr *c;

	for (c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		size_t bytes = c->cmsg_len - CMSG_LEN(0);
		int pidfd;

		/* A peer that has a dup of our end can switch these on. */
		if (c->cmsg_level == SOL_SOCKET &&
		    c->cmsg_type == SBXI_SCM_PIDFD && bytes >= sizeof(int)) {
			memcpy(&pidfd, CMSG_DATA(c), sizeof(int));
			if (pidfd >= 0)
				close(pidfd);
		}
		if (c->cmsg_level != SOL_SOCKET ||
		    c->cmsg_type != SCM_RIGHTS || ret->n_fds > 0) {
			good = false;
			continue;
		}
		memcpy(ret->fd, CMSG_DATA(c), bytes);
		ret->n_fds = bytes / sizeof(int);
	}
	return good;
}

/*
 * A peer that ended without having read all of our messages leaves ECONNRESET
 * in front of its own, once: they are still there.
 */
static ssize_t recv_retry(int sock, struct msghdr *msg, int flags)
{
	ssize_t n;

	do
		n = recvmsg(sock, msg, flags);
	while (n < 0 && (errno == EINTR || errno == ECONNRESET));
	return n;
}

static void drop_room(struct sbxi_fdmsg_room *room)
{
	while (room->n_fds > 0)
		close(room->fd[--room->n_fds]);
}

int sbxi_fdmsg_recv_room(int sock, struct sbxi_fdmsg_room *room, int dontwait)
{
	/* A union, because CMSG_DATA() is only aligned if the buffer is. */
	union {
		struct cmsghdr align;
		char buf[CMSG_SPACE(sizeof(int) * SBXI_FDMSG_FDS)];
	} ctl;
	struct iovec iov = { .iov_base = room->data, .iov_len = room->size };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = ctl.buf,
		/* CMSG_LEN: the padding of CMSG_SPACE can hold one more. */
		.msg_controllen = CMSG_LEN(sizeof(int) * room->max_fds),
	};
	bool good;
	ssize_t n;

	room->n_fds = 0;
	room->len = 0;
	if (room->max_fds > SBXI_FDMSG_FDS)
		return -EINVAL;
	n = recv_retry(sock, &msg, MSG_CMSG_CLOEXEC |
				   (dontwait ? MSG_DONTWAIT : 0));
	if (n < 0)
		return -errno;
	good = own_descriptors(&msg, room);
	if (!good || (msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC))) {
		/* Cut below the most that we take: our table had no room. */
		bool full = good && !(msg.msg_flags & MSG_TRUNC) &&
			    room->n_fds < room->max_fds;

		drop_room(room);
		room->len = full ? (size_t)n : 0;
		return full ? -EMFILE : -EPROTO;
	}
	/* No data is the end of the stream, or one who imitates it. */
	if (n == 0)
		drop_room(room);
	room->len = (size_t)n;
	return n > 0;
}

int sbxi_fdmsg_recv(int sock, struct sbxi_fdmsg *ret, int dontwait)
{
	struct sbxi_fdmsg_room room = {
		.data = ret->data,
		.size = sizeof(ret->data),
		.fd = ret->fd,
		.max_fds = SBXI_FDMSG_FDS,
	};
	int rc = sbxi_fdmsg_recv_room(sock, &room, dontwait);

	ret->len = room.len;
	ret->n_fds = room.n_fds;
	return rc;
}

static int send_with(int sock, const void *data, size_t len, const int *fds,
		     size_t n_fds, int flags)
{
	union {
		struct cmsghdr align;
		char buf[CMSG_SPACE(sizeof(int) * SBXI_FDMSG_FDS)];
	} ctl;
	struct iovec iov = { .iov_base = (void *)(size_t)data,
			     .iov_len = len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t n;

	if (n_fds > SBXI_FDMSG_FDS)
		return -E2BIG;
	if (n_fds > 0) {
		struct cmsghdr *c = &ctl.align;

		msg.msg_control = ctl.buf;
		msg.msg_controllen = CMSG_SPACE(sizeof(int) * n_fds);
		memset(ctl.buf, 0, msg.msg_controllen);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int) * n_fds);
		memcpy(CMSG_DATA(c), fds, sizeof(int) * n_fds);
	}
	do
		n = sendmsg(sock, &msg, MSG_NOSIGNAL | flags);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : 0;
}

int sbxi_fdmsg_send(int sock, const void *data, size_t len, const int *fds,
		    size_t n_fds)
{
	return send_with(sock, data, len, fds, n_fds, 0);
}

int sbxi_fdmsg_send_now(int sock, const void *data, size_t len,
			const int *fds, size_t n_fds)
{
	return send_with(sock, data, len, fds, n_fds, MSG_DONTWAIT);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* fdmsg: one datagram and its descriptors over SOCK_SEQPACKET. */
#ifndef SBXI_BASE_FDMSG_H
#define SBXI_BASE_FDMSG_H

#include <stddef.h>

#define SBXI_FDMSG_DATA 8192	/* bytes of one datagram */
#define SBXI_FDMSG_FDS 250	/* SCM_MAX_FD is 253 */

struct sbxi_fdmsg {
	size_t len;
	size_t n_fds;
	int fd[SBXI_FDMSG_FDS];		/* owned by whoever received it */
	char data[SBXI_FDMSG_DATA];
};

/*
 * Receive one datagram.  Returns 1, 0 at the end of the stream, or -errno:
 * -EPROTO for a truncated, doubled or foreign control message (all of its
 * descriptors are closed then), -EMFILE if our descriptor table is full (then
 * the data is there all the same), -EAGAIN with dontwait if there is none.
 */
int sbxi_fdmsg_recv(int sock, struct sbxi_fdmsg *ret, int dontwait);

/* Where a datagram goes that another module has the room for. */
struct sbxi_fdmsg_room {
	void *data;
	size_t size;		/* bytes at data */
	int *fd;
	size_t max_fds;		/* at fd; SBXI_FDMSG_FDS at most */
	size_t len;		/* set: bytes that came */
	size_t n_fds;		/* set: descriptors that came, the receiver's */
};

/*
 * The same into other room.  -EPROTO for a datagram that is longer than the
 * room, or has more descriptors; -EINVAL for room that is too large.
 */
int sbxi_fdmsg_recv_room(int sock, struct sbxi_fdmsg_room *room, int dontwait);

/*
 * Send len bytes and n_fds descriptors, which stay the caller's.  Returns 0
 * or -errno; -EPIPE if the peer is gone (no signal is raised).
 */
int sbxi_fdmsg_send(int sock, const void *data, size_t len, const int *fds,
		    size_t n_fds);

/* The same, but -EAGAIN where it would wait for the peer to read. */
int sbxi_fdmsg_send_now(int sock, const void *data, size_t len,
			const int *fds, size_t n_fds);

/* The same two for descriptors that lie in other room. */
void sbxi_fds_drop(int *fd, size_t *n_fds);
int sbxi_fds_take(int *fd, size_t n_fds, size_t i);

/* Close all descriptors that came with a message. */
void sbxi_fdmsg_drop(struct sbxi_fdmsg *m);

/* Take descriptor number i out of a message, 3 or above; -1 if there is none. */
int sbxi_fdmsg_take(struct sbxi_fdmsg *m, size_t i);

#endif

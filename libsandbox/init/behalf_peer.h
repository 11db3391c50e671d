/* SPDX-License-Identifier: Apache-2.0 */
/*
 * behalf_peer: who is at the other end of a connection made on behalf.
 *
 * The kernel notes whoever connects, and that was the supervisor.  So it keeps
 * for whom it did, by the number of the socket that it connected, and answers
 * SO_PEERCRED itself: the socket diagnosis of the kernel tells the number of
 * the peer of the socket that is asked about.
 */
#ifndef SBXI_INIT_BEHALF_PEER_H
#define SBXI_INIT_BEHALF_PEER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SBXI_PEERS 1024		/* connections that are known; the oldest goes */

struct sbxi_peers {
	int diag;		/* NETLINK_SOCK_DIAG, or -1 */
	uint32_t asked;		/* questions so far: the number of the last */
	size_t next;		/* where the next one is noted */
	struct sbxi_peer {
		uint32_t ino;	/* of the socket that connected; 0 = none */
		pid_t pid;	/* of the process that it did so for */
	} all[SBXI_PEERS];
};

/* Once, before the supervisor confines itself: it opens a socket. */
void sbxi_peers_init(struct sbxi_peers *p);

/* The socket fd was connected for the process pid. */
void sbxi_peers_note(struct sbxi_peers *p, int fd, pid_t pid);

/* For whom the other end of fd was connected; 0 = nobody knows. */
pid_t sbxi_peers_find(struct sbxi_peers *p, int fd);

#endif

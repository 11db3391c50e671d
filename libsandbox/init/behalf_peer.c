/* SPDX-License-Identifier: Apache-2.0 */
/* behalf_peer: who is at the other end of a connection made on behalf. */
#include "init/behalf_peer.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>

#include "base/cleanup.h"
#include "init/behalf.h"

struct question {
	struct nlmsghdr head;
	struct unix_diag_req body;
};

/* One socket with one attribute: some tens of bytes. */
union reply {
	struct nlmsghdr head;
	char bytes[512];
};

void sbxi_peers_init(struct sbxi_peers *p)
{
	/* Without it nobody knows whose a connection is, and 0 is said. */
	p->diag = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK,
			 NETLINK_SOCK_DIAG);
}

/* The kernel's own numbers of sockets have 32 bits. */
static uint32_t number_of(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISSOCK(st.st_mode))
		return 0;
	return (uint32_t)st.st_ino;
}

void sbxi_peers_note(struct sbxi_peers *p, int fd, pid_t pid)
{
	uint32_t ino = number_of(fd);
	struct sbxi_peer *place = &p->all[p->next];

	/* A number that comes again is another socket's now. */
	for (size_t i = 0; i < SBXI_PEERS; i++)
		if (p->all[i].ino == ino)
			p->all[i].ino = 0;
	*place = (struct sbxi_peer){ .ino = ino, .pid = pid };
	p->next = (p->next + 1) % SBXI_PEERS;
}

static bool ask(struct sbxi_peers *p, uint32_t ino)
{
	struct question q = {
		.head = { .nlmsg_len = sizeof(q),
			  .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			  .nlmsg_flags = NLM_F_REQUEST,
			  .nlmsg_seq = ++p->asked },
		.body = { .sdiag_family = AF_UNIX,
			  .udiag_states = UINT32_MAX,
			  .udiag_ino = ino,
			  .udiag_show = UDIAG_SHOW_PEER,
			  .udiag_cookie = { UINT32_MAX, UINT32_MAX } },
	};

	return send(p->diag, &q, sizeof(q), 0) == (ssize_t)sizeof(q);
}

/* The kernel has answered before ask() returns.  What was left is passed by. */
static size_t hear(const struct sbxi_peers *p, union reply *ret)
{
	ssize_t n;

	do {
		n = recv(p->diag, ret, sizeof(*ret), MSG_DONTWAIT);
		if (n < (ssize_t)sizeof(ret->head))
			return 0;
	} while (ret->head.nlmsg_seq != p->asked);
	return ret->head.nlmsg_type == SOCK_DIAG_BY_FAMILY &&
			       ret->head.nlmsg_len <= (size_t)n
		       ? ret->head.nlmsg_len
		       : 0;
}

/* 0: it has no peer, or one that was closed. */
static uint32_t peer_in(const union reply *r, size_t size)
{
	size_t at = NLMSG_LENGTH(sizeof(struct unix_diag_msg));
	struct nlattr a;
	uint32_t ino;

	for (; at + sizeof(a) <= size; at += NLMSG_ALIGN(a.nla_len)) {
		memcpy(&a, r->bytes + at, sizeof(a));
		if (a.nla_len < sizeof(a) || a.nla_len > size - at)
			return 0;
		if (a.nla_type != UNIX_DIAG_PEER ||
		    a.nla_len != sizeof(a) + sizeof(ino))
			continue;
		memcpy(&ino, r->bytes + at + sizeof(a), sizeof(ino));
		return ino;
	}
	return 0;
}

pid_t sbxi_peers_find(struct sbxi_peers *p, int fd)
{
	uint32_t ino = number_of(fd), peer = 0;
	union reply r;

	if (p->diag < 0 || ino == 0 || !ask(p, ino))
		return 0;
	peer = peer_in(&r, hear(p, &r));
	for (size_t i = 0; i < SBXI_PEERS && peer != 0; i++)
		if (p->all[i].ino == peer)
			return p->all[i].pid;
	return 0;
}

/* As the kernel does it: no more than fits, and how much that was. */
static int answer(struct sbxi_behalf *b, struct sbxi_call *c, int fd)
{
	struct ucred cred;
	socklen_t size = sizeof(cred);
	int room, rc;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &size) < 0)
		return -errno;
	rc = sbxi_call_read(c, c->n.args[4], &room, sizeof(room));
	if (rc == 0 && room < 0)
		rc = -EINVAL;
	if (rc < 0)
		return rc;
	if ((socklen_t)room > size)
		room = (int)size;
	if (cred.pid == getpid())
		cred.pid = sbxi_peers_find(&b->peers, fd);
	if (room > 0)
		rc = sbxi_call_write(c, c->n.args[3], &cred, (size_t)room);
	return rc < 0 ? rc
		      : sbxi_call_write(c, c->n.args[4], &room, sizeof(room));
}

bool sbxi_behalf_peer(struct sbxi_behalf *b, struct sbxi_call *c)
{
	AUTO_FD fd = sbxi_call_take_fd(c, (int)c->n.args[0]);

	sbxi_call_return(c, fd < 0 ? fd : answer(b, c, fd));
	return true;
}

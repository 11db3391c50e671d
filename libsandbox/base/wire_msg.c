/* SPDX-License-Identifier: Apache-2.0 */
/* wire_msg: a message as one datagram with its descriptors. */
#include <errno.h>

#include "base/fdmsg.h"
#include "base/wire.h"
#include "base/wire_bytes.h"

void sbxi_wire_drop(struct sbxi_wire_msg *m)
{
	sbxi_fds_drop(m->fd, &m->n_fds);
}

int sbxi_wire_take(struct sbxi_wire_msg *m, size_t i)
{
	return sbxi_fds_take(m->fd, m->n_fds, i);
}

int sbxi_wire_recv(int sock, struct sbxi_wire_msg *ret)
{
	struct sbxi_fdmsg_room room = {
		.data = ret->data,
		.size = sizeof(ret->data),
		.fd = ret->fd,
		.max_fds = SBX_WIRE_FDS,
	};
	size_t n_fds;
	int rc, how;

	ret->head = (struct sbxi_wire_head){ .id = 0 };
	ret->body = (struct sbxi_wire_tags){ NULL, 0 };
	how = sbxi_fdmsg_recv_room(sock, &room, 1);
	ret->n_fds = room.n_fds;
	if (how != 1 && how != -EMFILE)
		return how;
	n_fds = room.n_fds;
	/* Those that our table had no room for did come, for all we know. */
	if (how == -EMFILE && room.len >= SBX_WIRE_HEADER)
		n_fds = sbxi_get32(ret->data + 20);
	rc = sbxi_wire_read(ret->data, room.len, n_fds, &ret->head,
			    &ret->body);
	if (rc < 0) {
		sbxi_wire_drop(ret);
		return rc;
	}
	return how;
}

int sbxi_wire_send(int sock, struct sbxi_wire_out *out, const int *fds,
		   size_t n_fds)
{
	int len = sbxi_wire_finish(out);

	if (len < 0)
		return len;
	return sbxi_fdmsg_send_now(sock, out->buf, (size_t)len, fds, n_fds);
}

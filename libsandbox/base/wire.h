/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire: messages between a task and its broker, read and written.
 *
 * Both sides use it, and each takes the other for hostile: nothing is read
 * beyond what came, and what was read once by sbxi_wire_read() can be looked
 * at without another check.  No heap.  docs/wire.md is the protocol.
 */
#ifndef SBXI_BASE_WIRE_H
#define SBXI_BASE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sandbox/wire.h>

struct sbxi_wire_head {
	uint32_t version;
	uint16_t type;		/* SBX_MSG_... */
	uint16_t flags;		/* SBX_WIRE_... */
	uint64_t id;
	uint32_t n_fds;
	int32_t status;		/* 0 or a negative errno, Linux numbers */
};

/* A run of tags; it points into the datagram that it came in. */
struct sbxi_wire_tags {
	const uint8_t *at;
	size_t len;
};

struct sbxi_wire_tag {
	uint16_t tag;		/* without the critical bit */
	bool critical;
	const uint8_t *value;
	size_t len;
};

/*
 * Read a datagram of len bytes that came with n_fds descriptors.
 *
 * Returns 0; -EPROTO (whoever sent that does not speak the protocol: end the
 * channel); or, with ret_head set so that it can be answered:
 * -EPROTONOSUPPORT (another version), -EOPNOTSUPP (an unknown type, flag, or
 * critical tag).
 */
int sbxi_wire_read(const void *data, size_t len, size_t n_fds,
		   struct sbxi_wire_head *ret_head,
		   struct sbxi_wire_tags *ret_body);

/* The checks of a body, by the type of its message; codes as above. */
int sbxi_wire_check(uint16_t type, struct sbxi_wire_tags body);

/* Take the first tag off; false at the end, and where a tag is cut. */
bool sbxi_wire_next(struct sbxi_wire_tags *tags, struct sbxi_wire_tag *ret);

/* The first tag of that number; false if there is none. */
bool sbxi_wire_find(struct sbxi_wire_tags tags, uint16_t tag,
		    struct sbxi_wire_tag *ret);

/* Numbers; what to take where the tag is missing. */
uint32_t sbxi_wire_u32(struct sbxi_wire_tags tags, uint16_t tag,
		       uint32_t missing);
uint64_t sbxi_wire_u64(struct sbxi_wire_tags tags, uint16_t tag,
		       uint64_t missing);

/* Copy a text, with a NUL; "" where it is missing.  Cut where buf is small. */
void sbxi_wire_text(struct sbxi_wire_tags tags, uint16_t tag, char *buf,
		    size_t size);

/* What is inside of a tag that holds tags. */
struct sbxi_wire_tags sbxi_wire_inside(const struct sbxi_wire_tag *tag);

/* [A-Za-z0-9._-]{1,64} */
bool sbxi_wire_name_ok(const void *name, size_t len);

/* A message while it is written; what does not fit makes it full. */
struct sbxi_wire_out {
	uint8_t *buf;
	size_t size, len;
	bool full;
};

/* Begin a message in size bytes of buf; later calls append to its body. */
void sbxi_wire_begin(struct sbxi_wire_out *out, void *buf, size_t size,
		     const struct sbxi_wire_head *head);
void sbxi_wire_put(struct sbxi_wire_out *out, uint16_t tag, const void *value,
		   size_t len);
void sbxi_wire_put_text(struct sbxi_wire_out *out, uint16_t tag,
			const char *text);
void sbxi_wire_put_u32(struct sbxi_wire_out *out, uint16_t tag,
		       uint32_t value);
void sbxi_wire_put_u64(struct sbxi_wire_out *out, uint16_t tag,
		       uint64_t value);

/* Open a tag that holds tags; give what it returns to the closing call. */
size_t sbxi_wire_open(struct sbxi_wire_out *out, uint16_t tag);
void sbxi_wire_close(struct sbxi_wire_out *out, size_t mark);

/* Write the body's length.  The datagram's length, or -EMSGSIZE if full. */
int sbxi_wire_finish(struct sbxi_wire_out *out);

/* A message that came. */
struct sbxi_wire_msg {
	struct sbxi_wire_head head;
	struct sbxi_wire_tags body;	/* in data */
	size_t n_fds;
	int fd[SBX_WIRE_FDS];		/* owned by whoever received it */
	uint8_t data[SBX_WIRE_DATAGRAM];
};

/*
 * Receive and read one message; never waits.
 *
 * Returns 1, 0 at the end of the stream, -EAGAIN if there is none, or -errno.
 * On every failure all descriptors are closed.  With the codes of
 * sbxi_wire_read() that can be answered head is set; with -EMFILE (our table
 * had no room for its descriptors) head and body are.
 */
int sbxi_wire_recv(int sock, struct sbxi_wire_msg *ret);

/*
 * Finish and send a message with its descriptors, whose number was in its
 * head; never waits.  0, -EAGAIN, -EPIPE, -EMSGSIZE or another -errno.
 */
int sbxi_wire_send(int sock, struct sbxi_wire_out *out, const int *fds,
		   size_t n_fds);

/* Close all descriptors that came with a message. */
void sbxi_wire_drop(struct sbxi_wire_msg *m);

/* Take descriptor number i out of it, 3 or above; -1 if there is none. */
int sbxi_wire_take(struct sbxi_wire_msg *m, size_t i);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* wire_write: a message, written. */
#include <errno.h>
#include <string.h>

#include "base/wire.h"
#include "base/wire_bytes.h"

/* Room for n more bytes, or NULL and the message is full for good. */
static uint8_t *room(struct sbxi_wire_out *out, size_t n)
{
	uint8_t *at;

	if (out->full || n > out->size - out->len) {
		out->full = true;
		return NULL;
	}
	at = out->buf + out->len;
	out->len += n;
	return at;
}

void sbxi_wire_begin(struct sbxi_wire_out *out, void *buf, size_t size,
		     const struct sbxi_wire_head *head)
{
	uint8_t *p;

	*out = (struct sbxi_wire_out){ .buf = buf, .size = size };
	if (out->size > SBX_WIRE_DATAGRAM)
		out->size = SBX_WIRE_DATAGRAM;
	p = room(out, SBX_WIRE_HEADER);
	if (!p)
		return;
	sbxi_set(p, SBX_WIRE_MAGIC | SBX_WIRE_VERSION << 24, 4);
	sbxi_set(p + 4, head->type, 2);
	sbxi_set(p + 6, head->flags, 2);
	sbxi_set(p + 8, head->id, 8);
	sbxi_set(p + 16, 0, 4);
	sbxi_set(p + 20, head->n_fds, 4);
	sbxi_set(p + 24, (uint32_t)head->status, 4);
	sbxi_set(p + 28, 0, 4);
}

void sbxi_wire_put(struct sbxi_wire_out *out, uint16_t tag, const void *value,
		   size_t len)
{
	uint8_t *p;

	/* The length has 16 bits, and a datagram fewer bytes than that. */
	if (len > SBX_WIRE_DATAGRAM) {
		out->full = true;
		return;
	}
	p = room(out, SBXI_WIRE_TAG_HEAD + len);
	if (!p)
		return;
	sbxi_set(p, tag, 2);
	sbxi_set(p + 2, len, 2);
	if (len > 0)
		memcpy(p + SBXI_WIRE_TAG_HEAD, value, len);
}

void sbxi_wire_put_text(struct sbxi_wire_out *out, uint16_t tag,
			const char *text)
{
	sbxi_wire_put(out, tag, text, strlen(text));
}

void sbxi_wire_put_u32(struct sbxi_wire_out *out, uint16_t tag,
		       uint32_t value)
{
	uint8_t bytes[4];

	sbxi_set(bytes, value, 4);
	sbxi_wire_put(out, tag, bytes, 4);
}

void sbxi_wire_put_u64(struct sbxi_wire_out *out, uint16_t tag,
		       uint64_t value)
{
	uint8_t bytes[8];

	sbxi_set(bytes, value, 8);
	sbxi_wire_put(out, tag, bytes, 8);
}

size_t sbxi_wire_open(struct sbxi_wire_out *out, uint16_t tag)
{
	size_t mark = out->len;

	sbxi_wire_put(out, tag, NULL, 0);
	return mark;
}

void sbxi_wire_close(struct sbxi_wire_out *out, size_t mark)
{
	if (!out->full)
		sbxi_set(out->buf + mark + 2,
			 out->len - mark - SBXI_WIRE_TAG_HEAD, 2);
}

int sbxi_wire_finish(struct sbxi_wire_out *out)
{
	if (out->full)
		return -EMSGSIZE;
	sbxi_set(out->buf + 16, out->len - SBX_WIRE_HEADER, 4);
	return (int)out->len;
}

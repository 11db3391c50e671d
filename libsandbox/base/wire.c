/* SPDX-License-Identifier: Apache-2.0 */
/* wire: the header of a message, and what its body says. */
#include "base/wire.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/wire_bytes.h"

#define ERRNO_MAX 4095

/* Which types there are: descriptors that come along, flags. */
static const struct type_rule {
	uint16_t type, flags;
	uint8_t min_fds, max_fds;
	bool from_broker;
} types[] = {
	{ SBX_MSG_ATTACH, SBX_WIRE_EVENTS, 1, 1, false },
	{ SBX_MSG_REQUEST, 0, 0, 0, false },
	{ SBX_MSG_CANCEL, 0, 0, 0, false },
	{ SBX_MSG_LIST, 0, 0, 0, false },
	{ SBX_MSG_NARROW, 0, 0, 0, false },
	{ SBX_MSG_RELEASE, 0, 0, 0, false },
	{ SBX_MSG_DELEGATE, 0, 0, 3, false },
	{ SBX_MSG_LOG, 0, 0, 0, false },
	{ SBX_MSG_READY, 0, 0, 0, false },
	{ SBX_MSG_REPLY, SBX_WIRE_MORE | SBX_WIRE_NARROWED, 0, 1, true },
	{ SBX_MSG_EVENT, 0, 0, 0, true },
};

static const struct type_rule *rule_of(uint16_t type)
{
	for (size_t i = 0; i < SBXI_COUNT(types); i++)
		if (types[i].type == type)
			return &types[i];
	return NULL;
}

/* What holds for every version and every type. */
static int read_fixed(const uint8_t *p, size_t len, size_t n_fds,
		      struct sbxi_wire_head *ret)
{
	uint32_t magic;

	if (len < SBX_WIRE_HEADER || len > SBX_WIRE_DATAGRAM)
		return -EPROTO;
	magic = sbxi_get32(p);
	if ((magic & 0xffffffu) != SBX_WIRE_MAGIC)
		return -EPROTO;
	*ret = (struct sbxi_wire_head){
		.version = magic >> 24,
		.type = sbxi_get16(p + 4),
		.flags = sbxi_get16(p + 6),
		.id = sbxi_get64(p + 8),
		.n_fds = sbxi_get32(p + 20),
		.status = (int32_t)sbxi_get32(p + 24),
	};
	if (sbxi_get32(p + 16) != len - SBX_WIRE_HEADER ||
	    ret->n_fds != n_fds || n_fds > SBX_WIRE_FDS)
		return -EPROTO;
	return ret->version == SBX_WIRE_VERSION ? 0 : -EPROTONOSUPPORT;
}

/* Only the broker has a status; a failure carries nothing and ends all. */
static bool status_ok(const struct type_rule *rule,
		      const struct sbxi_wire_head *h)
{
	if (rule->type != SBX_MSG_REPLY)
		return h->status == 0;
	if (h->status == 0)
		return h->n_fds == 0 || !(h->flags & SBX_WIRE_MORE);
	return h->status < 0 && h->status >= -ERRNO_MAX && h->n_fds == 0 &&
	       !(h->flags & (SBX_WIRE_MORE | SBX_WIRE_NARROWED));
}

int sbxi_wire_read(const void *data, size_t len, size_t n_fds,
		   struct sbxi_wire_head *ret_head,
		   struct sbxi_wire_tags *ret_body)
{
	const struct type_rule *rule;
	const uint8_t *p = data;
	int rc = read_fixed(p, len, n_fds, ret_head);

	if (rc < 0)
		return rc;
	*ret_body = (struct sbxi_wire_tags){ p + SBX_WIRE_HEADER,
					     len - SBX_WIRE_HEADER };
	if (sbxi_get32(p + 28) != 0)
		return -EPROTO;
	/* The broker may speak of what nobody asked for, and only he. */
	if (ret_head->id == 0 && ret_head->type != SBX_MSG_EVENT)
		return -EPROTO;
	rule = rule_of(ret_head->type);
	if (!rule)
		return -EOPNOTSUPP;
	if (n_fds < rule->min_fds || n_fds > rule->max_fds ||
	    !status_ok(rule, ret_head))
		return -EPROTO;
	rc = sbxi_wire_check(ret_head->type, *ret_body);
	if (rc < 0)
		return rc;
	return ret_head->flags & ~rule->flags ? -EOPNOTSUPP : 0;
}

bool sbxi_wire_next(struct sbxi_wire_tags *tags, struct sbxi_wire_tag *ret)
{
	uint16_t tag;
	size_t len;

	if (tags->len < SBXI_WIRE_TAG_HEAD)
		return false;
	tag = sbxi_get16(tags->at);
	len = sbxi_get16(tags->at + 2);
	if (len > tags->len - SBXI_WIRE_TAG_HEAD)
		return false;
	*ret = (struct sbxi_wire_tag){
		.tag = (uint16_t)(tag & ~SBX_TAG_CRITICAL),
		.critical = tag & SBX_TAG_CRITICAL,
		.value = tags->at + SBXI_WIRE_TAG_HEAD,
		.len = len,
	};
	tags->at += SBXI_WIRE_TAG_HEAD + len;
	tags->len -= SBXI_WIRE_TAG_HEAD + len;
	return true;
}

bool sbxi_wire_find(struct sbxi_wire_tags tags, uint16_t tag,
		    struct sbxi_wire_tag *ret)
{
	struct sbxi_wire_tag t;

	while (sbxi_wire_next(&tags, &t)) {
		if (t.tag == tag) {
			*ret = t;
			return true;
		}
	}
	return false;
}

uint32_t sbxi_wire_u32(struct sbxi_wire_tags tags, uint16_t tag,
		       uint32_t missing)
{
	struct sbxi_wire_tag t;

	if (!sbxi_wire_find(tags, tag, &t) || t.len != 4)
		return missing;
	return sbxi_get32(t.value);
}

uint64_t sbxi_wire_u64(struct sbxi_wire_tags tags, uint16_t tag,
		       uint64_t missing)
{
	struct sbxi_wire_tag t;

	if (!sbxi_wire_find(tags, tag, &t) || t.len != 8)
		return missing;
	return sbxi_get64(t.value);
}

void sbxi_wire_text(struct sbxi_wire_tags tags, uint16_t tag, char *buf,
		    size_t size)
{
	struct sbxi_wire_tag t;
	size_t n = 0;

	if (sbxi_wire_find(tags, tag, &t)) {
		n = t.len < size ? t.len : size - 1;
		memcpy(buf, t.value, n);
	}
	buf[n] = '\0';
}

struct sbxi_wire_tags sbxi_wire_inside(const struct sbxi_wire_tag *tag)
{
	return (struct sbxi_wire_tags){ tag->value, tag->len };
}

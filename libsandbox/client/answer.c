/* SPDX-License-Identifier: Apache-2.0 */
/* answer: from a message of the broker to what the caller sees. */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "client/client.h"

static void labels(struct sbxi_wire_tags grant, char *buf, size_t size)
{
	struct sbxi_text all = { .buf = buf, .size = size };
	struct sbxi_wire_tag t;

	buf[0] = '\0';
	while (sbxi_wire_next(&grant, &t)) {
		if (t.tag != SBX_TAG_LABEL)
			continue;
		if (all.len > 0)
			sbxi_text_char(&all, ' ');
		for (size_t i = 0; i < t.len; i++)
			sbxi_text_char(&all, (char)t.value[i]);
	}
}

void sbxi_client_held(struct sbxi_wire_tags g, struct sbx_held *ret)
{
	*ret = (struct sbx_held){
		.size = sizeof(*ret),
		.kind = sbxi_wire_u32(g, SBX_TAG_KIND, 0),
		.rights = sbxi_wire_u32(g, SBX_TAG_RIGHTS, 0),
		.flags = sbxi_wire_u32(g, SBX_TAG_GRANT_FLAGS, 0),
		.lifetime_ms = sbxi_wire_u64(g, SBX_TAG_LIFETIME_MS,
					     SBX_NO_LIMIT),
		.max_uses = sbxi_wire_u64(g, SBX_TAG_MAX_USES, SBX_NO_LIMIT),
		.max_bytes_in = sbxi_wire_u64(g, SBX_TAG_MAX_BYTES_IN,
					      SBX_NO_LIMIT),
		.max_bytes_out = sbxi_wire_u64(g, SBX_TAG_MAX_BYTES_OUT,
					       SBX_NO_LIMIT),
		.max_cost = sbxi_wire_u64(g, SBX_TAG_MAX_COST, SBX_NO_LIMIT),
		.used_uses = sbxi_wire_u64(g, SBX_TAG_USED_USES, 0),
		.used_bytes_in = sbxi_wire_u64(g, SBX_TAG_USED_BYTES_IN, 0),
		.used_bytes_out = sbxi_wire_u64(g, SBX_TAG_USED_BYTES_OUT, 0),
		.used_cost = sbxi_wire_u64(g, SBX_TAG_USED_COST, 0),
	};
	sbxi_wire_text(g, SBX_TAG_NAME, ret->name, sizeof(ret->name));
	sbxi_wire_text(g, SBX_TAG_TARGET, ret->target, sizeof(ret->target));
	labels(g, ret->labels, sizeof(ret->labels));
}

static int event(const struct sbxi_wire_msg *msg, struct sbx_answer *ret)
{
	ret->type = SBX_ANSWER_EVENT;
	ret->event = sbxi_wire_u32(msg->body, SBX_TAG_EVENT, 0);
	ret->exit_kind = sbxi_wire_u32(msg->body, SBX_TAG_EXIT_KIND, 0);
	ret->exit_code = (int32_t)sbxi_wire_u32(msg->body, SBX_TAG_EXIT_CODE,
						0);
	sbxi_wire_text(msg->body, SBX_TAG_NAME, ret->grant.name,
		       sizeof(ret->grant.name));
	/* Only a sub-task was asked for by a message, which has an id. */
	if ((ret->event == SBX_EVENT_EXIT) != (msg->head.id != 0))
		return -EPROTO;
	return ret->event == 0 ? -EPROTO : 0;
}

int sbxi_client_answer(const struct sbxi_wire_msg *msg, struct sbx_answer *ret)
{
	struct sbxi_wire_tag grant;

	if (msg->head.type != SBX_MSG_REPLY && msg->head.type != SBX_MSG_EVENT)
		return -EPROTO;
	*ret = (struct sbx_answer){
		.size = sizeof(*ret),
		.type = SBX_ANSWER_REPLY,
		.id = msg->head.id,
		.status = sbxi_client_code(msg->head.status),
		.fd = -1,
		.flags = msg->head.flags & SBX_WIRE_NARROWED ?
				 SBX_ANSWER_NARROWED : 0,
		.task = sbxi_wire_u64(msg->body, SBX_TAG_TASK, 0),
	};
	sbxi_wire_text(msg->body, SBX_TAG_TEXT, ret->text, sizeof(ret->text));
	if (sbxi_wire_find(msg->body, SBX_TAG_GRANT, &grant))
		sbxi_client_held(sbxi_wire_inside(&grant), &ret->grant);
	else
		sbxi_client_held((struct sbxi_wire_tags){ NULL, 0 },
				 &ret->grant);
	return msg->head.type == SBX_MSG_EVENT ? event(msg, ret) : 0;
}

int sbxi_client_give(const struct sbx_answer *from, struct sbx_answer *to)
{
	uint32_t size = to->size;

	/* A newer one has fields that this library knows nothing of. */
	if (size < sizeof(*to) || size > 65536)
		return -EINVAL;
	memset(to, 0, size);
	memcpy(to, from, sizeof(*from));
	to->size = size;
	return 0;
}

int sbxi_client_take(void *to, size_t size, const void *from,
		     uint32_t from_size)
{
	const char *tail = from;

	if (from_size < size)
		return -EINVAL;
	if (from_size > 4096)
		return -E2BIG;
	for (size_t i = size; i < from_size; i++)
		if (tail[i] != 0)
			return -E2BIG;
	memcpy(to, from, size);
	return 0;
}

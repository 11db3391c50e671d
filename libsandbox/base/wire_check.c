/* SPDX-License-Identifier: Apache-2.0 */
/* wire_check: which tags a message may have, and what is in them. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/wire.h"

/* Where a tag is known: in a message, or inside of another tag. */
#define M(type) (1u << (SBX_MSG_##type))
#define IN_REPLY (1u << 10)
#define IN_EVENT (1u << 11)
#define IN_GRANT (1u << 12)
#define IN_SHARE (1u << 13)
#define BUDGETS (M(REQUEST) | M(NARROW) | IN_GRANT | IN_SHARE)

enum form {
	FORM_U32,
	FORM_U64,
	FORM_NAME,
	FORM_TARGET,
	FORM_TEXT,
	FORM_BYTES,
	FORM_TAGS
};

static const struct tag_rule {
	uint16_t tag;
	uint8_t form;
	uint8_t most;		/* how often; 0 = as often as there is room */
	uint32_t in;
} rules[] = {
	{ SBX_TAG_KIND, FORM_U32, 1, M(REQUEST) | IN_GRANT },
	{ SBX_TAG_TARGET, FORM_TARGET, 1, M(REQUEST) | IN_GRANT },
	{ SBX_TAG_RIGHTS, FORM_U32, 1, BUDGETS },
	{ SBX_TAG_REASON, FORM_TEXT, 1, M(REQUEST) | M(DELEGATE) },
	{ SBX_TAG_DEADLINE_MS, FORM_U64, 1, M(REQUEST) | M(DELEGATE) },
	{ SBX_TAG_NAME, FORM_NAME, 1, M(NARROW) | M(RELEASE) | IN_EVENT |
	  IN_GRANT | IN_SHARE },
	{ SBX_TAG_LABEL, FORM_NAME, SBX_WIRE_LABELS, IN_GRANT },
	{ SBX_TAG_TEXT, FORM_TEXT, 1, M(LOG) | M(READY) | IN_REPLY |
	  IN_EVENT },
	{ SBX_TAG_GRANT, FORM_TAGS, 0, IN_REPLY },
	{ SBX_TAG_ID, FORM_U64, 1, M(CANCEL) },
	{ SBX_TAG_GRANT_FLAGS, FORM_U32, 1, IN_GRANT },
	{ SBX_TAG_LIFETIME_MS, FORM_U64, 1, BUDGETS },
	{ SBX_TAG_MAX_USES, FORM_U64, 1, BUDGETS },
	{ SBX_TAG_MAX_BYTES_IN, FORM_U64, 1, BUDGETS },
	{ SBX_TAG_MAX_BYTES_OUT, FORM_U64, 1, BUDGETS },
	{ SBX_TAG_MAX_COST, FORM_U64, 1, BUDGETS },
	{ SBX_TAG_USED_USES, FORM_U64, 1, IN_GRANT },
	{ SBX_TAG_USED_BYTES_IN, FORM_U64, 1, IN_GRANT },
	{ SBX_TAG_USED_BYTES_OUT, FORM_U64, 1, IN_GRANT },
	{ SBX_TAG_USED_COST, FORM_U64, 1, IN_GRANT },
	{ SBX_TAG_ARG, FORM_BYTES, 0, M(DELEGATE) },
	{ SBX_TAG_ENV, FORM_BYTES, 0, M(DELEGATE) },
	{ SBX_TAG_CWD, FORM_TARGET, 1, M(DELEGATE) },
	{ SBX_TAG_SHARE, FORM_TAGS, 0, M(DELEGATE) },
	{ SBX_TAG_STDIO, FORM_U32, 1, M(DELEGATE) },
	{ SBX_TAG_WALL_MS, FORM_U64, 1, M(DELEGATE) },
	{ SBX_TAG_TASK, FORM_U64, 1, M(RELEASE) | IN_REPLY | IN_EVENT },
	{ SBX_TAG_EVENT, FORM_U32, 1, IN_EVENT },
	{ SBX_TAG_EXIT_KIND, FORM_U32, 1, IN_EVENT },
	{ SBX_TAG_EXIT_CODE, FORM_U32, 1, IN_EVENT },
};

bool sbxi_wire_name_ok(const void *name, size_t len)
{
	const char *p = name;

	if (len == 0 || len > SBX_WIRE_NAME)
		return false;
	for (size_t i = 0; i < len; i++)
		if (!((p[i] >= 'a' && p[i] <= 'z') ||
		      (p[i] >= 'A' && p[i] <= 'Z') ||
		      (p[i] >= '0' && p[i] <= '9') || p[i] == '.' ||
		      p[i] == '_' || p[i] == '-'))
			return false;
	return true;
}

static bool value_ok(const struct sbxi_wire_tag *t, enum form form)
{
	bool has_nul = memchr(t->value, '\0', t->len) != NULL;

	switch (form) {
	case FORM_U32:
		return t->len == 4;
	case FORM_U64:
		return t->len == 8;
	case FORM_NAME:
		return sbxi_wire_name_ok(t->value, t->len);
	case FORM_TARGET:
		return t->len > 0 && t->len <= SBX_WIRE_TARGET && !has_nul;
	case FORM_TEXT:
		return t->len <= SBX_WIRE_TEXT && !has_nul;
	case FORM_BYTES:
		return !has_nul;
	case FORM_TAGS:
		return true;
	}
	return false;
}

static int rule_of(uint16_t tag, uint32_t in)
{
	for (size_t i = 0; i < SBXI_COUNT(rules); i++)
		if (rules[i].tag == tag && (rules[i].in & in))
			return (int)i;
	return -1;
}

/*
 * One run of tags: what is not known here is skipped, or refused at the end,
 * since what is malformed behind it weighs more.  Tags that hold tags are
 * left to the caller: nothing nests twice.
 */
static int check_run(struct sbxi_wire_tags tags, uint32_t in)
{
	uint8_t seen[SBXI_COUNT(rules)] = { 0 };
	struct sbxi_wire_tag t;
	int rc = 0;

	while (sbxi_wire_next(&tags, &t)) {
		int i = rule_of(t.tag, in);

		if (i < 0) {
			if (t.critical)
				rc = -EOPNOTSUPP;
			continue;
		}
		if (!value_ok(&t, rules[i].form))
			return -EPROTO;
		if (rules[i].most > 0 && ++seen[i] > rules[i].most)
			return -EPROTO;
	}
	return tags.len > 0 ? -EPROTO : rc;
}

static uint32_t place_of(uint16_t type)
{
	if (type == SBX_MSG_REPLY)
		return IN_REPLY;
	if (type == SBX_MSG_EVENT)
		return IN_EVENT;
	return type <= SBX_MSG_READY ? 1u << type : 0;
}

int sbxi_wire_check(uint16_t type, struct sbxi_wire_tags body)
{
	uint32_t in = place_of(type);
	struct sbxi_wire_tag t;
	int rc = check_run(body, in);

	if (rc == -EPROTO)
		return rc;
	while (sbxi_wire_next(&body, &t)) {
		int i = rule_of(t.tag, in), inner;

		if (i < 0 || rules[i].form != FORM_TAGS)
			continue;
		inner = check_run(sbxi_wire_inside(&t),
				  t.tag == SBX_TAG_GRANT ? IN_GRANT :
							   IN_SHARE);
		if (inner == -EPROTO)
			return inner;
		if (inner < 0)
			rc = inner;
	}
	return rc;
}

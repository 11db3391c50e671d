/* SPDX-License-Identifier: Apache-2.0 */
/* json_values: reading values of each kind, and saying where one is bad. */
#include "policy/json.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/expand.h"

/* Cut what does not fit: `at` is for people. */
static size_t add(struct sbxi_load *l, const char *text)
{
	size_t before = l->at_len;
	size_t len = strlen(text);
	size_t room = sizeof(l->at) - 1 - before;

	if (len > room)
		len = room;
	memcpy(l->at + before, text, len);
	l->at_len = before + len;
	l->at[l->at_len] = '\0';
	return before;
}

size_t sbxi_load_key(struct sbxi_load *l, const char *key)
{
	size_t before = l->at_len;

	if (before > 0)
		add(l, ".");
	add(l, key);
	return before;
}

size_t sbxi_load_index(struct sbxi_load *l, size_t index)
{
	char text[32];

	snprintf(text, sizeof(text), "[%zu]", index);
	return add(l, text);
}

void sbxi_load_back(struct sbxi_load *l, size_t before)
{
	l->at_len = before;
	l->at[before] = '\0';
}

int sbxi_load_bad(struct sbxi_load *l, const char *fmt, ...)
{
	char text[sizeof(l->fail->text)];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return sbxi_fail(l->fail, SBX_STEP_PARSE, -EINVAL, l->at, "%s", text);
}

static const struct sbxi_key *find_key(const struct sbxi_key *keys,
				       const char *name)
{
	for (; keys->name; keys++)
		if (strcmp(keys->name, name) == 0)
			return keys;
	return NULL;
}

/* Jansson iterates over objects that may be changed only; we change none. */
static json_t *changeable(const json_t *value)
{
	union {
		const json_t *from;
		json_t *to;
	} u = { .from = value };

	return u.to;
}

int sbxi_load_members(struct sbxi_load *l, const json_t *value,
		      int (*read)(struct sbxi_load *l, const char *name,
				  const json_t *member))
{
	json_t *object = changeable(value);
	const char *name;
	json_t *member;

	if (!json_is_object(value))
		return sbxi_load_bad(l, "has to be an object");
	json_object_foreach(object, name, member) {
		size_t before = sbxi_load_key(l, name);
		int rc = read(l, name, member);

		sbxi_load_back(l, before);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int check_keys(struct sbxi_load *l, const json_t *value,
		      const struct sbxi_key *keys)
{
	json_t *object = changeable(value);
	const char *name;
	json_t *member;

	json_object_foreach(object, name, member) {
		size_t before;

		if (find_key(keys, name))
			continue;
		before = sbxi_load_key(l, name);
		(void)sbxi_load_bad(l, "unknown key");
		sbxi_load_back(l, before);
		return -EINVAL;
	}
	return 0;
}

int sbxi_load_object(struct sbxi_load *l, const json_t *value,
		     const struct sbxi_key *keys, void *into)
{
	int rc;

	if (!json_is_object(value))
		return sbxi_load_bad(l, "has to be an object");
	rc = check_keys(l, value, keys);
	for (; rc == 0 && keys->name; keys++) {
		const json_t *member = json_object_get(value, keys->name);
		size_t before = sbxi_load_key(l, keys->name);

		if (member)
			rc = keys->read(l, member, into);
		else if (keys->needed)
			rc = sbxi_load_bad(l, "is missing");
		sbxi_load_back(l, before);
	}
	return rc;
}

int sbxi_load_array(struct sbxi_load *l, const json_t *value,
		    int (*read)(struct sbxi_load *l, const json_t *element))
{
	int rc = 0;

	if (!json_is_array(value))
		return sbxi_load_bad(l, "has to be a list");
	for (size_t i = 0; rc == 0 && i < json_array_size(value); i++) {
		size_t before = sbxi_load_index(l, i);

		rc = read(l, json_array_get(value, i));
		sbxi_load_back(l, before);
	}
	return rc;
}

/* Say which variable has no value, or that it is none. */
static int bad_variable(struct sbxi_load *l, const char *at)
{
	size_t len = strcspn(at + 2, "}");

	if (at[2 + len] == '\0')
		return sbxi_load_bad(l, "\"${\" without \"}\"; \"$$\" is a dollar sign");
	return sbxi_load_bad(l, "variable \"%.*s\" has no value",
			     len > 100 ? 100 : (int)len, at + 2);
}

int sbxi_load_text(struct sbxi_load *l, const json_t *value, char **ret)
{
	const char *text = json_string_value(value);
	const char *at = NULL;
	char *out = NULL;
	int rc;

	if (!text)
		return sbxi_load_bad(l, "has to be a string");
	rc = sbxi_expand(text, l->vars, &out, &at);
	if (rc == -EINVAL)
		return bad_variable(l, at);
	if (rc == -E2BIG)
		return sbxi_fail(l->fail, SBX_STEP_PARSE, rc, l->at,
				 "is over 128 KiB with its variables");
	if (rc < 0)
		return sbxi_fail(l->fail, SBX_STEP_PARSE, rc, l->at, NULL);
	free(*ret);
	*ret = out;
	return 0;
}

int sbxi_load_bool(struct sbxi_load *l, const json_t *value, bool *ret)
{
	if (!json_is_boolean(value))
		return sbxi_load_bad(l, "has to be true or false");
	*ret = json_is_true(value);
	return 0;
}

int sbxi_load_word(struct sbxi_load *l, const json_t *value,
		   const char *const *words, uint32_t *ret)
{
	const char *text = json_string_value(value);

	if (!text)
		return sbxi_load_bad(l, "has to be a string");
	for (uint32_t i = 0; words[i]; i++) {
		if (strcmp(words[i], text) == 0) {
			*ret = i;
			return 0;
		}
	}
	return sbxi_load_bad(l, "\"%.80s\" is not known here", text);
}

int sbxi_load_rights(struct sbxi_load *l, const json_t *value,
		     const char *letters, uint32_t *ret)
{
	static const char all[] = "rwx";	/* bit by bit as SBX_READ... */
	const char *text = json_string_value(value);
	uint32_t rights = 0;

	if (!text)
		return sbxi_load_bad(l, "has to be a string");
	for (; *text; text++) {
		uint32_t bit;

		if (!strchr(letters, *text))
			return sbxi_load_bad(l, "has letters that are none of \"%s\"",
					     letters);
		bit = 1u << (strchr(all, *text) - all);
		if (rights & bit)
			return sbxi_load_bad(l, "has '%c' twice", *text);
		rights |= bit;
	}
	if (rights == 0)
		return sbxi_load_bad(l, "needs at least one of \"%s\"",
				     letters);
	*ret = rights;
	return 0;
}

int sbxi_load_count(struct sbxi_load *l, const json_t *value, uint64_t *ret)
{
	if (!json_is_integer(value) || json_integer_value(value) <= 0)
		return sbxi_load_bad(l, "has to be a whole number over 0");
	*ret = (uint64_t)json_integer_value(value);
	return 0;
}

int sbxi_load_refused(struct sbxi_load *l, int rc, const char *key)
{
	struct sbxi_fail why = *l->fail;
	size_t before;

	if (rc == 0)
		return 0;
	before = sbxi_load_key(l, key);
	sbxi_fail_remedy(l->fail, SBX_STEP_PARSE, rc, why.remedy, l->at,
			 "%.80s: %.120s", why.object, why.text);
	sbxi_load_back(l, before);
	return rc;
}

int sbxi_load_not_yet(struct sbxi_load *l, const json_t *value, void *into)
{
	(void)value;
	(void)into;
	return sbxi_fail_remedy(l->fail, SBX_STEP_PARSE, -EOPNOTSUPP,
				SBXI_REMEDY_VERSION, l->at,
				"\"%.150s\" is not enforced by this version",
				l->at);
}

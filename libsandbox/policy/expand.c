/* SPDX-License-Identifier: Apache-2.0 */
/* expand: "${x}" in the texts of a policy file. */
#include "policy/expand.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define DIGITS "0123456789"

struct text {
	char *buf;
	size_t len, room;
};

static int append(struct text *t, const char *from, size_t len)
{
	size_t room = t->room ? t->room : 64;
	char *bigger;

	if (len > SBXI_TEXT_BYTES - t->len)
		return -E2BIG;
	while (room < t->len + len + 1)
		room *= 2;
	if (room != t->room) {
		bigger = realloc(t->buf, room);
		if (!bigger)
			return -ENOMEM;
		t->buf = bigger;
		t->room = room;
	}
	memcpy(t->buf + t->len, from, len);
	t->len += len;
	t->buf[t->len] = '\0';
	return 0;
}

/* The length of a proper name at the start of text, or 0. */
static size_t name_length(const char *text)
{
	if (strspn(text, LETTERS) == 0)
		return 0;
	return strspn(text, LETTERS DIGITS);
}

static bool is_named(const char *entry, const char *name, size_t len)
{
	return strncmp(entry, name, len) == 0 && entry[len] == '=';
}

const char *sbxi_list_value(const char *const *list, const char *name)
{
	size_t len = strlen(name);

	for (; list && *list; list++)
		if (is_named(*list, name, len))
			return *list + len + 1;
	return NULL;
}

static const char *last_value(const char *const *list, const char *name,
			      size_t len)
{
	const char *value = NULL;

	for (; list && *list; list++)
		if (is_named(*list, name, len))
			value = *list + len + 1;
	return value;
}

const char *sbxi_list_bad(const char *const *list)
{
	for (; list && *list; list++) {
		size_t len = name_length(*list);

		if (len == 0 || (*list)[len] != '=')
			return *list;
	}
	return NULL;
}

/* One "${NAME}" at *at, which is moved behind it. */
static int append_value(struct text *t, const char **at,
			const char *const *vars)
{
	const char *name = *at + 2;
	size_t len = name_length(name);
	const char *value;

	if (len == 0 || name[len] != '}')
		return -EINVAL;
	value = last_value(vars, name, len);
	if (!value)
		return -EINVAL;
	*at = name + len + 1;
	return append(t, value, strlen(value));
}

int sbxi_expand(const char *text, const char *const *vars, char **ret,
		const char **ret_at)
{
	struct text t = { NULL, 0, 0 };
	int rc = append(&t, "", 0);

	*ret_at = text;
	while (rc == 0 && *text) {
		*ret_at = text;
		if (text[0] == '$' && text[1] == '{') {
			rc = append_value(&t, &text, vars);
		} else if (text[0] == '$') {
			rc = append(&t, "$", 1);
			text += text[1] == '$' ? 2 : 1;
		} else {
			size_t len = strcspn(text, "$");

			rc = append(&t, text, len);
			text += len;
		}
	}
	if (rc < 0) {
		free(t.buf);
		return rc;
	}
	*ret = t.buf;
	return 0;
}

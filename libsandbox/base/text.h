/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text: building short texts in a fixed buffer, without stdio.
 *
 * The helper has no stdio, and code after fork may not use it.  Text that
 * does not fit is cut, and `cut` says so; the buffer always ends in NUL.
 */
#ifndef SBXI_BASE_TEXT_H
#define SBXI_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sbxi_text {
	char *buf;
	size_t size, len;
	bool cut;
};

/* An empty text in a char array. */
#define SBXI_TEXT(array) ((array)[0] = '\0', \
	(struct sbxi_text){ .buf = (array), .size = sizeof(array) })

static inline void sbxi_text_char(struct sbxi_text *t, char c)
{
	if (t->len + 1 >= t->size) {
		t->cut = true;
		return;
	}
	t->buf[t->len++] = c;
	t->buf[t->len] = '\0';
}

static inline void sbxi_text_add(struct sbxi_text *t, const char *s)
{
	while (*s)
		sbxi_text_char(t, *s++);
}

static inline void sbxi_text_number(struct sbxi_text *t, uint64_t n)
{
	char digits[20];
	int i = 0;

	do
		digits[i++] = (char)('0' + n % 10);
	while ((n /= 10) > 0);
	while (i > 0)
		sbxi_text_char(t, digits[--i]);
}

#endif

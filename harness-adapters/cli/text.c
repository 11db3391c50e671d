/* SPDX-License-Identifier: Apache-2.0 */
/* text: strings from anywhere, made fit for a terminal or for JSON. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

#define NOT_UTF8 UINT32_MAX

/* Bytes of the character that begins with c, by its first byte; 0 = none. */
static size_t length_of(unsigned char c)
{
	if (c < 0x80)
		return 1;
	if (c >= 0xc2 && c < 0xe0)
		return 2;
	if (c >= 0xe0 && c < 0xf0)
		return 3;
	if (c >= 0xf0 && c < 0xf5)
		return 4;
	return 0;
}

/*
 * The character at text, and in *ret_n how many bytes it has.  NOT_UTF8 and
 * 1 for a byte that begins none, overlong forms and surrogates included.
 */
static uint32_t decode(const char *text, size_t *ret_n)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char c = (unsigned char)*text;
	size_t n = length_of(c), i;
	uint32_t u;

	*ret_n = 1;
	if (n < 2)
		return n ? c : NOT_UTF8;
	u = c & (0x7fu >> n);
	for (i = 1; i < n; i++) {
		c = (unsigned char)text[i];
		if ((c & 0xc0) != 0x80)
			return NOT_UTF8;
		u = u << 6 | (c & 0x3f);
	}
	if (u < least[n] || u > 0x10ffff || (u >= 0xd800 && u < 0xe000))
		return NOT_UTF8;
	*ret_n = n;
	return u;
}

/* Could it move the cursor, hide, or reorder what stands beside it? */
static bool is_unsafe(uint32_t u)
{
	return u < 0x20 || (u >= 0x7f && u < 0xa0) || u == 0xad ||
	       u == 0x061c || u == 0xfeff || (u >= 0x200b && u <= 0x200f) || (u >= 0x2028 && u <= 0x202e) ||
	       (u >= 0x2066 && u <= 0x2069) || u == NOT_UTF8;
}

static void print_escaped(FILE *out, const char *text, size_t n)
{
	static const char from[] = "\n\t\r", to[] = "ntr";
	const char *named = strchr(from, *text);

	if (n == 1 && named) {
		(void)fprintf(out, "\\%c", to[named - from]);
		return;
	}
	for (; n > 0; n--, text++)
		(void)fprintf(out, "\\x%02x", (unsigned char)*text);
}

void cli_text_print(FILE *out, const char *text)
{
	size_t n;

	for (; *text; text += n) {
		if (is_unsafe(decode(text, &n)))
			print_escaped(out, text, n);
		else
			(void)fwrite(text, 1, n, out);
	}
}

char *cli_text_escaped(const char *text)
{
	char *copy = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&copy, &len);

	if (!out)
		return NULL;
	cli_text_print(out, text);
	if (fclose(out) != 0) {
		free(copy);
		return NULL;
	}
	return copy;
}

void cli_text_json(FILE *out, const char *text)
{
	uint32_t u;
	size_t n;

	(void)fputc('"', out);
	for (; *text; text += n) {
		u = decode(text, &n);
		if (u == NOT_UTF8)
			(void)fputs("\\ufffd", out);
		else if (u == '"' || u == '\\')
			(void)fprintf(out, "\\%c", (int)u);
		else if (u < 0x20 || u == 0x7f)
			(void)fprintf(out, "\\u%04x", (unsigned int)u);
		else
			(void)fwrite(text, 1, n, out);
	}
	(void)fputc('"', out);
}

const char *cli_errno_name(int err)
{
	const char *name = NULL;

#ifdef __GLIBC__
	name = strerrorname_np(err);
#endif
	return name ? name : strerror(err);
}

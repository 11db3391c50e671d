/* SPDX-License-Identifier: Apache-2.0 */
/* text: short texts never leave their buffer and always end. */
#include <stdint.h>
#include <string.h>

#include <criterion/criterion.h>

#include "base/text.h"

TestSuite(text, .timeout = 10);

/* The buffer of a text, between bytes that nobody may touch. */
static struct {
	char before[8];
	char buf[16];
	char after[8];
} b;

static struct sbxi_text start(size_t size)
{
	memset(&b, '#', sizeof(b));
	b.buf[0] = '\0';
	return (struct sbxi_text){ .buf = b.buf, .size = size };
}

static void expect(const struct sbxi_text *t, const char *text, bool cut)
{
	cr_expect_str_eq(t->buf, text, "'%s'", t->buf);
	cr_expect_eq(t->len, strlen(text));
	cr_expect_eq(t->cut, cut);
	for (size_t i = 0; i < sizeof(b.before); i++)
		cr_expect_eq(b.before[i], '#');
	for (size_t i = t->size; i < sizeof(b.buf); i++)
		cr_expect_eq(b.buf[i], '#');
	for (size_t i = 0; i < sizeof(b.after); i++)
		cr_expect_eq(b.after[i], '#');
}

Test(text, is_empty_at_first)
{
	char buf[4] = "abc";
	struct sbxi_text t = SBXI_TEXT(buf);

	cr_expect_eq(buf[0], '\0');
	cr_expect_eq(t.size, 4);
	cr_expect_eq(t.len, 0);
	cr_expect_not(t.cut);
}

Test(text, grows_by_each_call)
{
	struct sbxi_text t = start(16);

	sbxi_text_add(&t, "/proc/");
	sbxi_text_number(&t, 42);
	sbxi_text_char(&t, '/');
	sbxi_text_add(&t, "");
	sbxi_text_add(&t, "fd");
	expect(&t, "/proc/42/fd", false);
}

Test(text, fills_the_buffer_to_the_last_byte)
{
	struct sbxi_text t = start(8);

	sbxi_text_add(&t, "1234567");
	expect(&t, "1234567", false);
	sbxi_text_add(&t, "");
	expect(&t, "1234567", false);
}

Test(text, what_does_not_fit_is_cut_and_that_is_said)
{
	struct sbxi_text t = start(8);

	sbxi_text_add(&t, "12345678");
	expect(&t, "1234567", true);
	sbxi_text_char(&t, 'x');
	sbxi_text_number(&t, 1);
	expect(&t, "1234567", true);
}

Test(text, a_number_is_cut_too)
{
	struct sbxi_text t = start(4);

	sbxi_text_number(&t, 12345);
	expect(&t, "123", true);
}

Test(text, a_buffer_of_one_byte_holds_nothing)
{
	struct sbxi_text t = start(1);

	sbxi_text_char(&t, 'x');
	expect(&t, "", true);
}

Test(text, a_buffer_of_no_byte_is_not_written)
{
	struct sbxi_text t = start(0);

	b.buf[0] = '#';
	sbxi_text_add(&t, "x");
	cr_expect_eq(b.buf[0], '#');
	cr_expect(t.cut);
}

static void expect_number(uint64_t n, const char *text)
{
	char buf[32];
	struct sbxi_text t = SBXI_TEXT(buf);

	sbxi_text_number(&t, n);
	cr_expect_str_eq(buf, text, "'%s'", buf);
	cr_expect_not(t.cut);
}

Test(text, numbers_have_all_their_digits)
{
	expect_number(0, "0");
	expect_number(9, "9");
	expect_number(10, "10");
	expect_number(100, "100");
	expect_number(4294967295u, "4294967295");
	expect_number(4294967296u, "4294967296");
	expect_number(10000000000000000000u, "10000000000000000000");
	expect_number(UINT64_MAX, "18446744073709551615");
}

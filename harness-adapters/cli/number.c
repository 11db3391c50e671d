/* SPDX-License-Identifier: Apache-2.0 */
/* number: durations, sizes and counts as people write them. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "number.h"

/*
 * Six digits after the point: with the largest factor (2^40) the product of
 * the two still fits 64 bits.
 */
#define MAX_FRACTION_DIGITS 6

struct unit {
	const char *suffix;
	uint64_t factor;
};

struct decimal {
	uint64_t whole;
	uint64_t fraction;	/* of power */
	uint64_t power;		/* 10 ^ digits after the point; 1 = no point */
};

static const struct unit durations[] = {
	{ "", 1000 },	    { "ms", 1 },       { "s", 1000 },
	{ "m", 60 * 1000 }, { "h", 3600 * 1000 }, { NULL, 0 },
};

static const struct unit sizes[] = {
	{ "", 1 },
	{ "k", UINT64_C(1) << 10 },
	{ "m", UINT64_C(1) << 20 },
	{ "g", UINT64_C(1) << 30 },
	{ "t", UINT64_C(1) << 40 },
	{ NULL, 0 },
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Digits at *text, at least one; *text is moved behind them. */
static int scan_digits(const char **text, uint64_t *ret_value)
{
	uint64_t value = 0;

	if (!is_digit(**text))
		return -EINVAL;
	for (; is_digit(**text); (*text)++) {
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, **text - '0', &value))
			return -ERANGE;
	}
	*ret_value = value;
	return 0;
}

static int scan_decimal(const char **text, struct decimal *ret)
{
	struct decimal d = { .power = 1 };
	const char *start;
	int rc;

	rc = scan_digits(text, &d.whole);
	if (rc < 0)
		return rc;
	if (**text == '.') {
		start = ++*text;
		rc = scan_digits(text, &d.fraction);
		if (rc < 0 || *text - start > MAX_FRACTION_DIGITS)
			return -EINVAL;
		for (; start < *text; start++)
			d.power *= 10;
	}
	*ret = d;
	return 0;
}

static int scale(const struct decimal *d, uint64_t factor, uint64_t *ret)
{
	uint64_t value, part;

	if (d->power > 1 && factor == 1)
		return -EINVAL;	/* half a byte */
	if (__builtin_mul_overflow(d->whole, factor, &value))
		return -ERANGE;
	part = (d->fraction * factor + d->power - 1) / d->power;
	/* UINT64_MAX means "no limit" to the library. */
	if (__builtin_add_overflow(value, part, &value) ||
	    value == UINT64_MAX)
		return -ERANGE;
	*ret = value;
	return 0;
}

static int parse(const char *text, const struct unit *units,
		 int (*same)(const char *, const char *), uint64_t *ret)
{
	const struct unit *u;
	struct decimal d;
	int rc;

	rc = scan_decimal(&text, &d);
	/* A number that is too long may be junk all the same; say so first. */
	if (rc == -ERANGE)
		text += strspn(text, "0123456789");
	if (rc == -EINVAL)
		return rc;
	for (u = units; u->suffix; u++) {
		if (same(text, u->suffix) == 0)
			return rc < 0 ? rc : scale(&d, u->factor, ret);
	}
	return -EINVAL;
}

int cli_parse_duration(const char *text, uint64_t *ret_ms)
{
	return parse(text, durations, strcmp, ret_ms);
}

int cli_parse_size(const char *text, uint64_t *ret_bytes)
{
	return parse(text, sizes, strcasecmp, ret_bytes);
}

int cli_parse_count(const char *text, uint64_t max, uint64_t *ret_count)
{
	uint64_t value;
	int rc;

	rc = scan_digits(&text, &value);
	if (rc == -ERANGE)
		text += strspn(text, "0123456789");
	if (rc == -EINVAL || *text != '\0')
		return -EINVAL;
	if (rc < 0 || value > max)
		return -ERANGE;
	*ret_count = value;
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdint.h>

#include <criterion/criterion.h>

#include "number.h"

#define UNTOUCHED UINT64_C(0x5a5a)

TestSuite(number, .timeout = 10);

struct sample {
	const char *text;
	int rc;
	uint64_t value;
};

#define N(samples) (sizeof(samples) / sizeof(samples[0]))

static void check(int (*parse)(const char *, uint64_t *),
		  const struct sample *s, size_t n)
{
	uint64_t value;
	size_t i;
	int rc;

	for (i = 0; i < n; i++) {
		value = UNTOUCHED;
		rc = parse(s[i].text, &value);
		cr_expect_eq(rc, s[i].rc, "'%s' is %d", s[i].text, rc);
		cr_expect_eq(value, rc == 0 ? s[i].value : UNTOUCHED,
			     "'%s' gives %ju", s[i].text, (uintmax_t)value);
	}
}

Test(number, durations_have_units_and_bare_ones_are_seconds)
{
	static const struct sample samples[] = {
		{ "0", 0, 0 },	       { "1", 0, 1000 },
		{ "1ms", 0, 1 },       { "10s", 0, 10000 },
		{ "5m", 0, 300000 },   { "2h", 0, 7200000 },
		{ "1.5", 0, 1500 },    { "1.5s", 0, 1500 },
		{ "0.25h", 0, 900000 }, { "007s", 0, 7000 },
	};

	check(cli_parse_duration, samples, N(samples));
}

Test(number, parts_of_a_millisecond_are_rounded_up)
{
	static const struct sample samples[] = {
		{ "0.0001s", 0, 1 },
		{ "0.000001", 0, 1 },
		{ "1.0005s", 0, 1001 },
		{ "0.000000s", 0, 0 },
	};

	check(cli_parse_duration, samples, N(samples));
}

Test(number, junk_is_no_duration)
{
	static const struct sample samples[] = {
		{ "", -EINVAL, 0 },	 { "s", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },	 { "+1", -EINVAL, 0 },
		{ " 1", -EINVAL, 0 },	 { "1 s", -EINVAL, 0 },
		{ "1.", -EINVAL, 0 },	 { ".5", -EINVAL, 0 },
		{ "1.5ms", -EINVAL, 0 }, { "1S", -EINVAL, 0 },
		{ "1d", -EINVAL, 0 },	 { "0x10", -EINVAL, 0 },
		{ "1e3", -EINVAL, 0 },	 { "1.0000001s", -EINVAL, 0 },
		{ "1..5", -EINVAL, 0 },	 { "inf", -EINVAL, 0 },
		{ "5sm", -EINVAL, 0 },	 { "1,5", -EINVAL, 0 },
	};

	check(cli_parse_duration, samples, N(samples));
}

Test(number, durations_do_not_overflow)
{
	static const struct sample samples[] = {
		{ "18446744073709551614ms", 0, UINT64_MAX - 1 },
		{ "18446744073709551615ms", -ERANGE, 0 },
		{ "18446744073709551616ms", -ERANGE, 0 },
		{ "18446744073709551s", 0, UINT64_C(18446744073709551000) },
		{ "18446744073709552s", -ERANGE, 0 },
		{ "18446744073709551.999s", -ERANGE, 0 },
		{ "99999999999999999999h", -ERANGE, 0 },
		{ "99999999999999999999x", -EINVAL, 0 },
	};

	check(cli_parse_duration, samples, N(samples));
}

Test(number, sizes_are_binary_and_bare_ones_are_bytes)
{
	static const struct sample samples[] = {
		{ "0", 0, 0 },
		{ "1", 0, 1 },
		{ "64K", 0, 65536 },
		{ "64k", 0, 65536 },
		{ "1M", 0, 1048576 },
		{ "1.5G", 0, UINT64_C(1610612736) },
		{ "2T", 0, UINT64_C(2199023255552) },
		{ "0.5K", 0, 512 },
		{ "0.0001K", 0, 1 },
	};

	check(cli_parse_size, samples, N(samples));
}

Test(number, junk_is_no_size_and_large_ones_do_not_overflow)
{
	static const struct sample samples[] = {
		{ "", -EINVAL, 0 },	  { "K", -EINVAL, 0 },
		{ "1.5", -EINVAL, 0 },	  { "1KB", -EINVAL, 0 },
		{ "1KiB", -EINVAL, 0 },	  { "1P", -EINVAL, 0 },
		{ "-1K", -EINVAL, 0 },	  { "1 K", -EINVAL, 0 },
		{ "16777215T", 0, UINT64_C(16777215) << 40 },
		{ "16777216T", -ERANGE, 0 },
		{ "16777215.999999T", 0,
		  (UINT64_C(16777215) << 40) + UINT64_C(1099510528265) },
		{ "18446744073709551615", -ERANGE, 0 },
		{ "18446744073709551614", 0, UINT64_MAX - 1 },
	};

	check(cli_parse_size, samples, N(samples));
}

static int up_to_100(const char *text, uint64_t *ret)
{
	return cli_parse_count(text, 100, ret);
}

Test(number, counts_are_whole_and_bounded)
{
	static const struct sample samples[] = {
		{ "0", 0, 0 },		 { "100", 0, 100 },
		{ "101", -ERANGE, 0 },	 { "", -EINVAL, 0 },
		{ "1.0", -EINVAL, 0 },	 { "1K", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },	 { "12a", -EINVAL, 0 },
		{ "99999999999999999999", -ERANGE, 0 },
		{ "99999999999999999999a", -EINVAL, 0 },
	};

	check(up_to_100, samples, N(samples));
}

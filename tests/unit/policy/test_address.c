/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/address.h"

#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

TestSuite(address, .timeout = 10);

Test(address, only_the_usual_spelling_is_an_address)
{
	static const char *const bad[] = {
		"", "1", "127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1",
		"127.0.0.1.", "127.0.0.256", "127.0.0.01", " 127.0.0.1",
		"127.0.0.1 ", "127.0.0.1/8", "1.2.3", "1.2.3.4.5", ":", ":::",
		"::1%lo", "[::1]", "::1::", "g::", "1:2:3:4:5:6:7:8:9",
		"::ffff:127.1", "::12345",
	};
	struct sbxi_address a;

	memset(&a, 0x5a, sizeof(a));
	for (size_t i = 0; i < COUNT(bad); i++) {
		cr_expect_eq(sbxi_address_parse(bad[i], &a), -EINVAL, "%s",
			     bad[i]);
		cr_expect_eq(a.byte[0], 0x5a, "%s", bad[i]);
	}
	cr_expect_eq(sbxi_address_parse("127.0.0.1", &a), 0);
	cr_expect_eq(sbxi_address_parse("2001:DB8::1", &a), 0);
}

static enum sbxi_address_class class_of(const char *text)
{
	struct sbxi_address a;

	cr_assert_eq(sbxi_address_parse(text, &a), 0, "%s", text);
	return sbxi_address_class(&a);
}

Test(address, each_class_is_known)
{
	static const struct {
		const char *text;
		enum sbxi_address_class class;
	} cases[] = {
		{ "93.184.216.34", SBXI_ADDRESS_PUBLIC },
		{ "9.255.255.255", SBXI_ADDRESS_PUBLIC },
		{ "10.0.0.0", SBXI_ADDRESS_PRIVATE },
		{ "10.255.255.255", SBXI_ADDRESS_PRIVATE },
		{ "11.0.0.0", SBXI_ADDRESS_PUBLIC },
		{ "100.64.0.1", SBXI_ADDRESS_PRIVATE },
		{ "100.128.0.0", SBXI_ADDRESS_PUBLIC },
		{ "100.100.100.200", SBXI_ADDRESS_METADATA },
		{ "127.0.0.1", SBXI_ADDRESS_LOOPBACK },
		{ "127.255.255.254", SBXI_ADDRESS_LOOPBACK },
		{ "168.63.129.16", SBXI_ADDRESS_METADATA },
		{ "169.254.0.1", SBXI_ADDRESS_LINK_LOCAL },
		{ "169.254.169.254", SBXI_ADDRESS_METADATA },
		{ "172.15.255.255", SBXI_ADDRESS_PUBLIC },
		{ "172.16.0.1", SBXI_ADDRESS_PRIVATE },
		{ "172.32.0.0", SBXI_ADDRESS_PUBLIC },
		{ "192.168.1.1", SBXI_ADDRESS_PRIVATE },
		{ "198.19.255.255", SBXI_ADDRESS_RESERVED },
		{ "0.0.0.0", SBXI_ADDRESS_RESERVED },
		{ "224.0.0.1", SBXI_ADDRESS_MULTICAST },
		{ "255.255.255.255", SBXI_ADDRESS_RESERVED },
		{ "2606:4700::1", SBXI_ADDRESS_PUBLIC },
		{ "::", SBXI_ADDRESS_RESERVED },
		{ "::1", SBXI_ADDRESS_LOOPBACK },
		{ "fc00::1", SBXI_ADDRESS_PRIVATE },
		{ "fdff::1", SBXI_ADDRESS_PRIVATE },
		{ "fd00:ec2::254", SBXI_ADDRESS_METADATA },
		{ "fe80::1", SBXI_ADDRESS_LINK_LOCAL },
		{ "fec0::1", SBXI_ADDRESS_PRIVATE },
		{ "ff02::1", SBXI_ADDRESS_MULTICAST },
		{ "2001:db8::1", SBXI_ADDRESS_RESERVED },
		{ "2001::1", SBXI_ADDRESS_RESERVED },
		{ "64:ff9b:1::1", SBXI_ADDRESS_RESERVED },
		{ "4000::1", SBXI_ADDRESS_RESERVED },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		cr_expect_eq(class_of(cases[i].text), cases[i].class, "%s: %s",
			     cases[i].text,
			     sbxi_address_class_name(class_of(cases[i].text)));
}

Test(address, what_carries_an_ipv4_address_is_that_one)
{
	static const char *const wrapped[] = {
		"::ffff:10.1.2.3", "::ffff:0:10.1.2.3", "64:ff9b::10.1.2.3",
		"64:ff9b::a01:203", "2002:a01:203::", "2002:0a01:0203:1::9",
		"::10.1.2.3",
	};
	struct sbxi_address plain, a;

	cr_assert_eq(sbxi_address_parse("10.1.2.3", &plain), 0);
	for (size_t i = 0; i < COUNT(wrapped); i++) {
		cr_assert_eq(sbxi_address_parse(wrapped[i], &a), 0);
		cr_expect_eq(memcmp(&a, &plain, sizeof(a)), 0, "%s",
			     wrapped[i]);
	}
	cr_expect_eq(class_of("::ffff:169.254.169.254"),
		     SBXI_ADDRESS_METADATA);
	cr_expect_eq(class_of("::ffff:93.184.216.34"), SBXI_ADDRESS_PUBLIC);
}

static bool range_ok(const char *text, struct sbxi_range *r)
{
	const char *why = NULL;
	int rc = sbxi_range_parse(text, r, &why);

	cr_expect_eq(rc < 0, why != NULL, "%s", text);
	return rc == 0;
}

Test(address, ranges_that_are_none_are_refused)
{
	static const char *const bad[] = {
		"", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1",
		"10.0.0.0/08", "10.0.0.0/8/8", "10.0.0.0/8 ", "10.0.0.1/8",
		"10.0.0.0/7x", "10/8", "fd00::/129", "fd00::1/64",
		"::ffff:10.0.0.0/104", "::ffff:0:0/96", "64:ff9b::/96",
		"2002::/16", "2002:a00::/24", "10.0.0.0/1000",
	};
	struct sbxi_range r;

	for (size_t i = 0; i < COUNT(bad); i++)
		cr_expect_not(range_ok(bad[i], &r), "%s", bad[i]);
	cr_expect(range_ok("10.0.0.0/7", &r));
	cr_expect(range_ok("0.0.0.0/0", &r));
	cr_expect(range_ok("::/0", &r));
	cr_expect(range_ok("::ffff:10.0.0.1", &r));
	cr_expect_not(r.from.v6);
	cr_expect_eq(r.bits, 32);
}

static bool within(const char *outer, const char *inner)
{
	struct sbxi_range a, b;

	cr_assert(range_ok(outer, &a));
	cr_assert(range_ok(inner, &b));
	return sbxi_range_within(&a, &b);
}

Test(address, ranges_lie_in_each_other_to_the_bit)
{
	cr_expect(within("10.0.0.0/8", "10.1.0.0/16"));
	cr_expect(within("10.0.0.0/8", "10.0.0.0/8"));
	cr_expect_not(within("10.1.0.0/16", "10.0.0.0/8"));
	cr_expect(within("10.0.0.0/9", "10.127.255.255"));
	cr_expect_not(within("10.0.0.0/9", "10.128.0.0"));
	cr_expect(within("0.0.0.0/0", "255.1.2.3"));
	cr_expect_not(within("0.0.0.0/0", "::1"), "another family");
	cr_expect_not(within("::/0", "1.2.3.4"), "another family");
	cr_expect(within("2001:db8::/33", "2001:db8:7fff::1"));
	cr_expect_not(within("2001:db8::/33", "2001:db8:8000::1"));
}

Test(address, print_and_parse_agree)
{
	static const char *const texts[] = {
		"10.0.0.0/8", "1.2.3.4", "0.0.0.0/0",
	};
	char buf[SBXI_RANGE_BYTES];
	struct sbxi_range r;

	for (size_t i = 0; i < COUNT(texts); i++) {
		cr_assert(range_ok(texts[i], &r));
		sbxi_range_print(&r, buf);
		cr_expect_str_eq(buf, texts[i]);
	}
	cr_assert(range_ok("fd00::/8", &r));
	sbxi_range_print(&r, buf);
	cr_expect_str_eq(buf, "[fd00::/8]");
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/scope.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))
#define CONNECT SBX_GRANT_CONNECT

static struct sbxi_scope scope;

static void drop(void)
{
	sbxi_scope_done(&scope);
}

TestSuite(scope, .fini = drop, .timeout = 10);

static int parse(uint32_t kind, const char *text, bool pattern)
{
	const char *why = NULL;
	int rc;

	drop();
	scope = (struct sbxi_scope){ .kind = 99 };
	rc = sbxi_scope_parse(kind, text, pattern, &scope, &why);
	cr_expect_eq(rc < 0, why != NULL, "%s", text);
	cr_expect_eq(rc < 0, scope.kind == 99, "%s", text);
	return rc;
}

static void prints(uint32_t kind, const char *text, const char *as)
{
	char buf[300];

	cr_assert_eq(parse(kind, text, true), 0, "%s", text);
	sbxi_scope_print(&scope, buf, sizeof(buf));
	cr_expect_str_eq(buf, as);
}

/* Hostile first: neither a rule nor a request. */
Test(scope, hosts_that_are_none_are_refused_on_both_sides)
{
	static const char *const bad[] = {
		"", "tcp", "tcp:", "tcp::", "tcp::443", "tcp:h", "tcp:h:",
		"tcp:h:0", "tcp:h:65536", "tcp:h:080", "tcp:h:+80",
		"tcp:h: 80", "tcp:h:80 ", "tcp:h:80x", "tcp:h:99999999999",
		"tcp:h:-1", "tcp:h:80:80", "udp:h:53", "TCP:h:80", "h:80",
		"tcp:.:80", "tcp:..:80", "tcp:a..b:80", "tcp:.a:80",
		"tcp:a b:80", "tcp:a\tb:80", "tcp:a\nb:80", "tcp:a\x1b[0m:80",
		"tcp:u@h:80", "tcp:h/x:80", "tcp:h?:80", "tcp:h%2e:80",
		"tcp:h#:80", "tcp:\xc3\xa9.org:80", "tcp:a\xe3\x80\x82org:80",
		"tcp:-a.org:80", "tcp:a-.org:80", "tcp:*a.org:80",
		"tcp:a.*.org:80", "tcp:a.*:80", "tcp:**:80", "tcp:*.:80",
		"tcp:*.*.org:80", "tcp:127.1:80", "tcp:2130706433:80",
		"tcp:0x7f000001:80", "tcp:0x7f.1:80", "tcp:0177.0.0.1:80",
		"tcp:127.0.0.1.:80", "tcp:a.1:80", "tcp:*.1:80",
		"tcp:256.1.1.1:80", "tcp:::1:80", "tcp:[::1:80",
		"tcp:::1]:80", "tcp:[::1]80", "tcp:[]:80", "tcp:[::1%lo]:80",
		"tcp:[h]:80", "tcp:[127.0.0.1]:80", "tcp:[[::1]]:80",
		"unix:", "unix:x", "unix:@x", "unix:/a/../b", "unix://./x",
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		cr_expect_eq(parse(CONNECT, bad[i], true), -EINVAL, "%s",
			     bad[i]);
		cr_expect_eq(parse(CONNECT, bad[i], false), -EINVAL, "%s",
			     bad[i]);
	}
}

Test(scope, long_names_are_refused_at_their_limit)
{
	char text[400] = "tcp:";
	char label[65];

	memset(label, 'a', 64);
	label[64] = '\0';
	snprintf(text, sizeof(text), "tcp:%s:1", label);
	cr_expect_eq(parse(CONNECT, text, false), -EINVAL);
	label[63] = '\0';
	snprintf(text, sizeof(text), "tcp:%s:1", label);
	cr_expect_eq(parse(CONNECT, text, false), 0);
	snprintf(text, sizeof(text), "tcp:%s.%s.%s.%.61s:1", label, label,
		 label, label);
	cr_expect_eq(parse(CONNECT, text, false), 0, "253 bytes");
	snprintf(text, sizeof(text), "tcp:%s.%s.%s.%.62s:1", label, label,
		 label, label);
	cr_expect_eq(parse(CONNECT, text, false), -EINVAL, "254 bytes");
	memset(text, '/', sizeof(text));
	memset(text + 6, 'a', 150);
	memcpy(text, "unix:/", 6);
	text[5 + 107] = '\0';
	cr_expect_eq(parse(CONNECT, text, false), 0);
	text[5 + 107] = 'a';
	text[5 + 108] = '\0';
	cr_expect_eq(parse(CONNECT, text, false), -EINVAL);
}

Test(scope, a_request_names_one_thing)
{
	static const char *const many[] = {
		"tcp:*:443", "tcp:*.example.org:443", "tcp:example.org:1-2",
		"tcp:10.0.0.0/8:443", "tcp:[fd00::/8]:443", "unix:/run/",
		"tcp:10.0.0.1/32:443",
	};

	for (size_t i = 0; i < COUNT(many); i++) {
		cr_expect_eq(parse(CONNECT, many[i], false), -EINVAL, "%s",
			     many[i]);
		cr_expect_eq(parse(CONNECT, many[i], true), 0, "%s", many[i]);
	}
	cr_expect_eq(parse(SBX_GRANT_FILE, "/srv/x/", false), -EINVAL);
	cr_expect_eq(parse(SBX_GRANT_FILE, "/srv/x/", true), 0);
	cr_expect_eq(parse(SBX_GRANT_DATA, "x*", false), -EINVAL);
	cr_expect_eq(parse(SBX_GRANT_DATA, "x*", true), 0);
	cr_expect_eq(parse(SBX_GRANT_DIRECTORY, "/srv/x/", false), 0);
	cr_expect_eq(scope.form, SBXI_SCOPE_PATH);
}

Test(scope, one_thing_has_one_form)
{
	prints(CONNECT, "tcp:EXAMPLE.Org.:443", "tcp:example.org:443");
	prints(CONNECT, "tcp:*.Example.org:1024-65535",
	       "tcp:*.example.org:1024-65535");
	prints(CONNECT, "tcp:*:7-7", "tcp:*:7");
	prints(CONNECT, "tcp:LOCALHOST.:80", "tcp:localhost:80");
	prints(CONNECT, "tcp:[::FFFF:10.0.0.1]:80", "tcp:10.0.0.1:80");
	prints(CONNECT, "tcp:[64:ff9b::7f00:1]:80", "tcp:127.0.0.1:80");
	prints(CONNECT, "tcp:[2001:DB8:0:0::1]:80", "tcp:[2001:db8::1]:80");
	prints(CONNECT, "unix://run//x", "unix:/run/x");
	prints(CONNECT, "unix:/run/x//", "unix:/run/x/");
	prints(SBX_GRANT_FILE, "//srv//docs//", "/srv/docs/");
	prints(SBX_GRANT_TASK, "/", "/");
	prints(SBX_GRANT_DATA, "conf-*", "conf-*");
	prints(SBX_GRANT_LISTEN, "tcp:0.0.0.0:8080", "tcp:0.0.0.0:8080");
}

Test(scope, port_ranges_go_upwards)
{
	cr_expect_eq(parse(CONNECT, "tcp:h:2-1", true), -EINVAL);
	cr_expect_eq(parse(CONNECT, "tcp:h:1-", true), -EINVAL);
	cr_expect_eq(parse(CONNECT, "tcp:h:-1", true), -EINVAL);
	cr_expect_eq(parse(CONNECT, "tcp:h:1-2-3", true), -EINVAL);
	cr_expect_eq(parse(CONNECT, "tcp:h:0-5", true), -EINVAL);
	cr_expect_eq(parse(CONNECT, "tcp:h:1-65536", true), -EINVAL);
	cr_expect_eq(parse(CONNECT, "tcp:h:1-65535", true), 0);
	cr_expect_eq(scope.port_low, 1);
	cr_expect_eq(scope.port_high, 65535);
}

Test(scope, paths_are_absolute_and_go_nowhere_else)
{
	static const char *const bad[] = {
		"", "x", "./x", "/a/../b", "/..", "/a/./b", "tcp:h:1",
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		cr_expect_eq(parse(SBX_GRANT_FILE, bad[i], true), -EINVAL);
		cr_expect_eq(parse(SBX_GRANT_DIRECTORY, bad[i], false),
			     -EINVAL);
	}
	cr_expect_eq(parse(SBX_GRANT_FILE, "/a/..b/c", true), 0);
}

Test(scope, kinds_that_no_rule_has_are_refused)
{
	cr_expect_eq(parse(0, "/a", true), -EINVAL);
	cr_expect_eq(parse(SBX_GRANT_FD, "/a", true), -EINVAL);
	cr_expect_eq(parse(77, "/a", true), -EINVAL);
	cr_expect_null(sbxi_scope_kind_name(SBX_GRANT_FD));
	cr_expect_eq(sbxi_scope_kind_by_name("fd"), 0);
	cr_expect_eq(sbxi_scope_kind_by_name("open"), SBX_GRANT_FILE);
}

Test(scope, printed_text_is_cut_and_has_no_controls)
{
	char buf[12];

	cr_assert_eq(parse(SBX_GRANT_FILE, "/a\x1b[31m\nb\xc2\x9b", false), 0);
	sbxi_scope_print(&scope, buf, sizeof(buf));
	cr_expect_str_eq(buf, "/a?[31m?b??");
	cr_assert_eq(parse(SBX_GRANT_FILE, "/abcdefghijklmnop", false), 0);
	sbxi_scope_print(&scope, buf, sizeof(buf));
	cr_expect_str_eq(buf, "/abcdefghij");
}

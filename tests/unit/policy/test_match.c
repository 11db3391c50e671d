/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/match.h"

#include <string.h>

#include <criterion/criterion.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))
#define CONNECT SBX_GRANT_CONNECT
#define OPEN SBX_GRANT_FILE

TestSuite(match, .timeout = 60);

static struct sbxi_scope scope(uint32_t kind, const char *text)
{
	struct sbxi_scope s = { .kind = 0 };
	const char *why = "";

	cr_assert_eq(sbxi_scope_parse(kind, text, true, &s, &why), 0, "%s: %s",
		     text, why);
	return s;
}

static bool with(bool (*fn)(const struct sbxi_scope *,
			    const struct sbxi_scope *),
		 uint32_t kind, const char *a, const char *b)
{
	struct sbxi_scope x = scope(kind, a), y = scope(kind, b);
	bool yes = fn(&x, &y);

	sbxi_scope_done(&x);
	sbxi_scope_done(&y);
	return yes;
}

static bool names(const char *a, const char *b)
{
	return with(sbxi_match_names, CONNECT, a, b);
}

static bool covers(const char *a, const char *b)
{
	return with(sbxi_match_covers, CONNECT, a, b);
}

Test(match, a_wildcard_is_one_label_or_more_below)
{
	cr_expect(names("tcp:*.example.org:443", "tcp:a.example.org:443"));
	cr_expect(names("tcp:*.example.org:443", "tcp:a.b.example.org:443"));
	cr_expect(names("tcp:*.example.org:443", "tcp:A.EXAMPLE.ORG.:443"));
	cr_expect_not(names("tcp:*.example.org:443", "tcp:example.org:443"));
	cr_expect_not(names("tcp:*.example.org:443",
			    "tcp:evilexample.org:443"));
	cr_expect_not(names("tcp:*.example.org:443",
			    "tcp:a.example.org.evil.net:443"));
	cr_expect_not(names("tcp:*.example.org:443", "tcp:a.example.org:80"));
	cr_expect_not(names("tcp:a.example.org:443",
			    "tcp:*.example.org:443"));
}

Test(match, special_addresses_are_meant_only_by_rules_within_them)
{
	cr_expect(names("tcp:0.0.0.0/0:80", "tcp:93.184.216.34:80"));
	cr_expect_not(names("tcp:0.0.0.0/0:80", "tcp:10.0.0.1:80"));
	cr_expect_not(names("tcp:0.0.0.0/0:80", "tcp:127.0.0.1:80"));
	cr_expect_not(names("tcp:8.0.0.0/6:80", "tcp:10.0.0.1:80"));
	cr_expect(names("tcp:10.0.0.0/8:80", "tcp:10.0.0.1:80"));
	cr_expect(names("tcp:10.0.0.1:80", "tcp:10.0.0.1:80"));
	cr_expect_not(names("tcp:169.254.0.0/16:80",
			    "tcp:169.254.169.254:80"));
	cr_expect(names("tcp:169.254.169.254:80", "tcp:169.254.169.254:80"));
	cr_expect_not(names("tcp:[::/0]:80", "tcp:[::1]:80"));
	cr_expect_not(names("tcp:[::/3]:80", "tcp:[::]:80"));
	cr_expect_not(names("tcp:*:80", "tcp:10.0.0.1:80"));
	cr_expect_not(names("tcp:*:80", "tcp:localhost:80"));
	cr_expect_not(names("tcp:*:80", "tcp:[::ffff:10.0.0.1]:80"));
	cr_expect(names("tcp:*:80", "tcp:93.184.216.34:80"));
	cr_expect(names("tcp:*:80", "tcp:example.org:80"));
}

Test(match, rules_that_deny_mean_all)
{
	cr_expect(covers("tcp:0.0.0.0/0:80", "tcp:10.0.0.1:80"));
	cr_expect(covers("tcp:*:80", "tcp:localhost:80"));
	cr_expect(covers("tcp:*:80", "tcp:169.254.169.254:80"));
}

Test(match, localhost_is_both_loopback_addresses)
{
	cr_expect(names("tcp:localhost:80", "tcp:localhost:80"));
	cr_expect(names("tcp:localhost:80", "tcp:127.0.0.1:80"));
	cr_expect(names("tcp:localhost:80", "tcp:[::1]:80"));
	cr_expect_not(names("tcp:localhost:80", "tcp:127.0.0.2:80"));
	cr_expect_not(names("tcp:localhost:80", "tcp:127.0.0.1:81"));
	cr_expect_not(names("tcp:127.0.0.1:80", "tcp:localhost:80"));
	cr_expect(with(sbxi_match_meets, CONNECT, "tcp:127.0.0.0/8:80",
		       "tcp:localhost:80"));
}

Test(match, names_and_addresses_are_apart)
{
	cr_expect_not(names("tcp:example.org:80", "tcp:93.184.216.34:80"));
	cr_expect_not(names("tcp:93.184.216.34:80", "tcp:example.org:80"));
	cr_expect_not(names("unix:/run/x", "tcp:x:80"));
	cr_expect_not(names("tcp:*:1-65535", "unix:/run/x"));
	cr_expect(with(sbxi_match_may_resolve, CONNECT, "tcp:example.org:80",
		       "tcp:0.0.0.0/0:1-100"));
	cr_expect_not(with(sbxi_match_may_resolve, CONNECT,
			   "tcp:example.org:80", "tcp:0.0.0.0/0:81"));
}

Test(match, paths_match_at_component_boundaries)
{
	cr_expect(with(sbxi_match_names, OPEN, "/srv/docs/", "/srv/docs/a"));
	cr_expect(with(sbxi_match_names, OPEN, "/srv/docs/", "/srv/docs"));
	cr_expect_not(with(sbxi_match_names, OPEN, "/srv/docs/",
			   "/srv/docs2/a"));
	cr_expect_not(with(sbxi_match_names, OPEN, "/srv/docs/", "/srv"));
	cr_expect_not(with(sbxi_match_names, OPEN, "/srv/docs",
			   "/srv/docs/a"));
	cr_expect_not(with(sbxi_match_names, OPEN, "/srv/docs",
			   "/srv/docs/"));
	cr_expect(names("unix:/run/", "unix:/run/x"));
	cr_expect_not(names("unix:/run/", "unix:/running"));
	cr_expect(with(sbxi_match_names, SBX_GRANT_DATA, "c*", "conf"));
	cr_expect(with(sbxi_match_names, SBX_GRANT_DATA, "*", "conf"));
	cr_expect_not(with(sbxi_match_names, SBX_GRANT_DATA, "conf",
			   "conf2"));
}

static const char *const pool[] = {
	"tcp:*:80", "tcp:*:80-90", "tcp:*.org:80", "tcp:*.a.org:80-85",
	"tcp:a.org:80", "tcp:b.a.org:80", "tcp:localhost:80",
	"tcp:127.0.0.0/8:80", "tcp:127.0.0.1:80", "tcp:[::1]:80-81",
	"tcp:[::/0]:80", "tcp:0.0.0.0/0:80", "tcp:10.0.0.0/8:80-82",
	"tcp:10.1.0.0/16:80", "tcp:10.1.2.3:80", "tcp:8.0.0.0/6:80",
	"tcp:9.9.9.9:80", "tcp:169.254.0.0/16:80", "tcp:169.254.169.254:80",
	"unix:/run/", "unix:/run/a/", "unix:/run/a", "unix:/run/a/b",
};

/* For all triples: what lies in what lies in a, lies in a. */
Test(match, lying_in_is_an_order)
{
	for (size_t a = 0; a < COUNT(pool); a++) {
		cr_expect(covers(pool[a], pool[a]));
		cr_expect(names(pool[a], pool[a]), "%s", pool[a]);
		for (size_t b = 0; b < COUNT(pool); b++)
			for (size_t c = 0; c < COUNT(pool); c++) {
				if (covers(pool[a], pool[b]) &&
				    covers(pool[b], pool[c]))
					cr_expect(covers(pool[a], pool[c]));
				if (names(pool[a], pool[b]) &&
				    names(pool[b], pool[c]))
					cr_expect(names(pool[a], pool[c]),
						  "%s %s %s", pool[a],
						  pool[b], pool[c]);
			}
	}
}

/* Two that have something of the pool in common meet. */
Test(match, what_is_in_both_makes_them_meet)
{
	for (size_t a = 0; a < COUNT(pool); a++)
		for (size_t b = 0; b < COUNT(pool); b++)
			for (size_t c = 0; c < COUNT(pool); c++) {
				if (covers(pool[a], pool[c]) &&
				    covers(pool[b], pool[c]))
					cr_expect(with(sbxi_match_meets,
						       CONNECT, pool[a],
						       pool[b]));
				if (names(pool[a], pool[c]) &&
				    names(pool[b], pool[c]))
					cr_expect(with(sbxi_match_both_name,
						       CONNECT, pool[a],
						       pool[b]), "%s %s %s",
						  pool[a], pool[b], pool[c]);
			}
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "mandate_test.h"
#include "scratch.h"

#include "policy/subset.h"

/* `policy` of mandate_test.h is the child; tests change one of both. */
static struct sbx_policy *parent;

static struct sbx_policy *at_parent(void)
{
	struct sbx_policy *child = policy;

	policy = parent;
	return child;
}

static void at_child(struct sbx_policy *child)
{
	policy = child;
}

/* This is done to the parent. */
#define PARENT(...) do { \
	struct sbx_policy *child_ = at_parent(); \
	__VA_ARGS__; \
	at_child(child_); \
} while (0)

static void make_both(void)
{
	make_scratch();
	make_dir("d");
	make_dir("d/a");
	make_dir("d/a/b");
	make_dir("e");
	make_link("../e", "d/link");
	cr_assert_eq(sbxi_policy_new(SBX_PROFILE_EMPTY, &policy), 0);
	cr_assert_eq(sbxi_policy_new(SBX_PROFILE_EMPTY, &parent), 0);
}

static void drop_both(void)
{
	sbxi_policy_free(policy);
	sbxi_policy_free(parent);
	drop_scratch();
}

TestSuite(subset, .init = make_both, .fini = drop_both, .timeout = 60);

static void is_subset(void)
{
	fail = (struct sbxi_fail){ .step = 0 };
	cr_expect_eq(sbxi_policy_subset(policy, parent, &fail), 0, "%s: %s",
		     fail.object, fail.text);
}

static void is_more(const char *object)
{
	fail = (struct sbxi_fail){ .step = 0 };
	cr_expect_eq(sbxi_policy_subset(policy, parent, &fail), -EPERM,
		     "%s", object);
	cr_expect_str_eq(fail.object, object, "%s: %s", fail.object,
			 fail.text);
	cr_expect_str_neq(fail.text, "");
}

static void path(const char *name, uint32_t rights, uint32_t flags)
{
	cr_assert_eq(sbxi_policy_add_path(policy, in(name), NULL, rights,
					  flags, &fail), 0);
}

static void path_at(const char *name, const char *dest, uint32_t rights)
{
	cr_assert_eq(sbxi_policy_add_path(policy, in(name), dest, rights, 0,
					  &fail), 0);
}

Test(subset, a_policy_is_a_subset_of_itself_and_nothing_of_all)
{
	is_subset();
	PARENT(path("d", RW, 0));
	is_subset();
	path("d", RW, 0);
	is_subset();
	cr_expect_eq(sbxi_policy_subset(policy, policy, &fail), 0);
}

Test(subset, neither_is_changed)
{
	path("d", R, 0);
	PARENT(path("d", R, 0));
	is_subset();
	cr_expect_null(policy->plan);
	cr_expect_not(policy->frozen);
	PARENT(compiles());
	is_subset();
	compiles();
	is_subset();
}

Test(subset, paths_lie_in_those_of_the_parent)
{
	PARENT(path("d/a", R, 0));
	path("d/a/b", R, 0);
	is_subset();
	path("d", R, 0);
	is_more(in("d"));
}

Test(subset, rights_are_at_most_those_of_the_parent)
{
	PARENT(path("d", R, 0));
	path("d/a", RW, 0);
	is_more(in("d/a"));
	path("d/a", R, 0);
	is_subset();
}

Test(subset, what_the_parent_has_less_of_the_child_has_less_of)
{
	PARENT(path("d", RW, 0); path("d/a", R, 0));
	path("d", RW, 0);
	is_more(in("d"));
	path("d/a", R, 0);
	is_subset();
	path("d/a/b", RW, 0);
	is_more(in("d/a/b"));
}

Test(subset, a_link_is_what_it_leads_to)
{
	PARENT(path("d", R, 0));
	path("d/link", R, 0);
	is_more(in("e"));
	PARENT(path("e", R, 0));
	is_subset();
}

Test(subset, a_place_of_ones_own_is_still_the_file_behind_it)
{
	PARENT(path("d", R, 0));
	path_at("d/a", "/x", R);
	is_subset();
	path_at("e", "/d", R);
	is_more(in("e"));
}

Test(subset, what_the_parent_sees_elsewhere_is_no_more_than_that)
{
	PARENT(path_at("d", "/x", R));
	path("d/a", R, 0);
	is_subset();
	path("d/a", RW, 0);
	is_more(in("d/a"));
}

Test(subset, what_the_parent_covers_up_the_child_does_not_see)
{
	PARENT(path("d", R, 0); path_at("e", in("d/a"), R));
	path("d", R, 0);
	is_more(in("d"));
	path_at("e", in("d/a"), R);
	is_subset();
}

Test(subset, another_file_of_the_same_name_is_another_file)
{
	PARENT(path("d/a", R, 0); compiles());
	path("d/a", R, 0);
	is_subset();
	cr_assert_eq(rename(in("d/a"), in("d/old")), 0);
	make_dir("d/a");
	is_more(in("d/a"));
}

Test(subset, protection_is_not_taken_away)
{
	PARENT(path("d", RW, 0));
	path("d", RW, SBX_PATH_NO_PROTECT);
	is_more(in("d"));
	PARENT(path("d", RW, SBX_PATH_NO_PROTECT));
	is_subset();
	policy->protect = SBX_PROTECT_OFF;
	is_more("protect");
	parent->protect = SBX_PROTECT_OFF;
	is_subset();
}

Test(subset, a_path_that_is_missing_is_an_error_of_its_own)
{
	path("nowhere", R, 0);
	cr_expect_eq(sbxi_policy_subset(policy, parent, &fail), -ENOENT);
}

Test(subset, switches_limits_and_properties)
{
	policy->net_mode = SBX_NET_BROKER;
	is_more("network");
	parent->net_mode = SBX_NET_BROKER;
	is_subset();
	policy->loopback = 1;
	is_more("loopback");
	parent->loopback = 1;
	is_subset();
	policy->limit[SBX_LIMIT_PROCESSES]++;
	is_more("processes");
	policy->limit[SBX_LIMIT_PROCESSES] -= 2;
	is_subset();
	policy->limit[SBX_LIMIT_WALL_MS] = 5;
	is_subset();
	parent->limit[SBX_LIMIT_WALL_MS] = 4;
	is_more("wall_ms");
	parent->limit[SBX_LIMIT_WALL_MS] = 5;
	policy->level[SBX_PROP_NETWORK] = SBX_PREFER;
	is_more("network");
	parent->level[SBX_PROP_NETWORK] = SBX_OFF;
	is_subset();
	policy->profile = SBX_PROFILE_TOOL;
	is_more("profile");
	parent->profile = SBX_PROFILE_TOOL;
	is_subset();
}

Test(subset, variables_are_the_parents_and_values_are_not_told)
{
	cr_assert_eq(sbxi_policy_set_env(policy, "TOKEN", "s3cret"), 0);
	is_more("TOKEN");
	cr_expect_null(strstr(fail.text, "s3cret"));
	cr_assert_eq(sbxi_policy_set_env(parent, "TOKEN", "other"), 0);
	is_more("TOKEN");
	cr_assert_eq(sbxi_policy_set_env(parent, "TOKEN", "s3cret"), 0);
	is_subset();
	cr_assert_eq(sbxi_policy_set_env(policy, "HOME", NULL), 0);
	is_subset();
}

static void grant(const char *name, const char *target, uint32_t rights)
{
	cr_assert_eq(sbxi_policy_add_grant(policy, CONNECT, name, target,
					   rights, -1, &fail), 0);
}

Test(subset, grants_are_the_parents_or_less)
{
	grant("api", "tcp:h.org:1", R);
	is_more("api");
	PARENT(grant("web", "tcp:h.org:1", RW));
	is_more("api");
	PARENT(grant("api", "tcp:h.org:1", R));
	is_subset();
	policy->grants[0].rights = RW;
	is_more("api");
	policy->grants[0].rights = 0;
	is_more("api");
	parent->grants[1].rights = 0;
	is_subset();
	parent->grants[1].budget.most[SBXI_USES] = 3;
	is_more("api");
	policy->grants[0].budget.most[SBXI_USES] = 3;
	is_subset();
	cr_assert_eq(sbxi_labels_add(&parent->grants[1].labels, "x"), 0);
	is_more("api");
	cr_assert_eq(sbxi_labels_add(&policy->grants[0].labels, "x"), 0);
	is_subset();
}

Test(subset, a_grant_to_another_place_is_another_grant)
{
	grant("api", "tcp:evil.org:1", 0);
	PARENT(grant("api", "tcp:h.org:1", 0));
	is_more("api");
}

Test(subset, rules_lie_in_those_of_the_parent)
{
	PARENT(rule(CONNECT, "tcp:*.org:1-100", 0, GRANT));
	rule(CONNECT, "tcp:a.org:80", 0, GRANT);
	rule(CONNECT, "tcp:*.b.org:80-90", 0, ASK);
	is_subset();
	rule(CONNECT, "tcp:a.org:101", 0, ASK);
	is_more("mandate.rules[2]");
}

Test(subset, a_question_of_the_parent_stays_one)
{
	PARENT(rule(OPEN, "/srv/", R, ASK));
	rule(OPEN, "/srv/a", R, GRANT);
	is_more("mandate.rules[0]");
	drop();
	make();
	rule(OPEN, "/srv/a", R, ASK);
	is_subset();
}

Test(subset, an_earlier_rule_of_the_parent_counts_where_it_decides)
{
	PARENT(rule(OPEN, "/srv/a", R, ASK); rule(OPEN, "/srv/", R, GRANT));
	rule(OPEN, "/srv/b", R, GRANT);
	is_subset();
	rule(OPEN, "/srv/", R, GRANT);
	is_more("mandate.rules[1]");
}

Test(subset, denials_of_the_parent_are_kept)
{
	PARENT(rule(CONNECT, "tcp:*.org:80", 0, GRANT);
	       rule(CONNECT, "tcp:bad.org:80", 0, DENY);
	       rule(CONNECT, "tcp:9.0.0.0/8:80", 0, DENY));
	rule(CONNECT, "tcp:*.org:80", 0, GRANT);
	is_more("mandate.rules[0]");
	rule(CONNECT, "tcp:bad.org:1-100", 0, DENY);
	is_more("mandate.rules[0]");
	rule(CONNECT, "tcp:9.0.0.0/8:80", 0, DENY);
	is_subset();
}

Test(subset, rules_share_the_budget_of_the_parents)
{
	struct sbx_rule p = rule_of(CONNECT, "tcp:*.org:80", 0, GRANT);
	struct sbx_rule c = rule_of(CONNECT, "tcp:a.org:80", 0, GRANT);

	p.max_uses = 5;
	PARENT(put(&p));
	put(&c);
	is_more("mandate.rules[0]");
	drop();
	make();
	c.max_uses = 3;
	put(&c);
	is_subset();
	c.match = "tcp:b.org:80";
	c.max_uses = 2;
	put(&c);
	is_subset();
	c.match = "tcp:c.org:80";
	c.max_uses = 1;
	put(&c);
	is_more("mandate.rules[2]");
}

Test(subset, labels_and_sets_are_kept)
{
	PARENT(labelled(OPEN, "/srv/", GRANT, "private");
	       never("private", "egress"));
	labelled(OPEN, "/srv/", GRANT, "other");
	is_more("mandate.rules[0]");
	drop();
	make();
	labelled(OPEN, "/srv/", GRANT, "private");
	is_more("mandate.never_together");
	never("egress", "private");
	is_subset();
}

Test(subset, labels_of_places_are_kept_where_the_child_comes_to_them)
{
	PARENT(path("d", R, 0); rule(OPEN, "/srv/", R, GRANT);
	       cr_assert_eq(sbxi_mandate_label(&policy->mandate, in("d/a"),
					       "private"), 0);
	       cr_assert_eq(sbxi_mandate_label(&policy->mandate, "/srv/x",
					       "private"), 0));
	is_subset();
	path("d", R, 0);
	is_more(in("d/a"));
	cr_assert_eq(sbxi_mandate_label(&policy->mandate, in("d"), "private"),
		     0);
	is_subset();
	rule(OPEN, "/srv/", R, GRANT);
	is_more("/srv/x");
}

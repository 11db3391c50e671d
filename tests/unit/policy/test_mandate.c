/* SPDX-License-Identifier: Apache-2.0 */
#include "mandate_test.h"
#include "scratch.h"

static void make_linked(void)
{
	make_scratch();
	make_dir("d");
	make_link("d", "l");
	make();
}

static void drop_linked(void)
{
	drop();
	drop_scratch();
}

TestSuite(mandate, .init = make, .fini = drop, .timeout = 60);

static void refused(struct sbx_rule r, int code)
{
	size_t n = policy->mandate.n_rules;
	char name[48];

	snprintf(name, sizeof(name), "mandate.rules[%zu]", n);
	cr_expect_eq(try_put(&r), code, "%s", r.match ? r.match : "NULL");
	cr_expect_eq(policy->mandate.n_rules, n);
	cr_expect_eq(fail.step, SBX_STEP_ARGUMENT);
	cr_expect_str_eq(fail.object, name);
	cr_expect_str_neq(fail.text, "");
}

Test(mandate, rules_that_say_nothing_are_refused)
{
	refused(rule_of(0, "/a", 0, GRANT), -EINVAL);
	refused(rule_of(SBX_GRANT_FD, "/a", 0, GRANT), -EINVAL);
	refused(rule_of(99, "/a", 0, GRANT), -EINVAL);
	refused(rule_of(OPEN, NULL, 0, GRANT), -EINVAL);
	refused(rule_of(OPEN, "", 0, GRANT), -EINVAL);
	refused(rule_of(OPEN, "/a", 0, 0), -EINVAL);
	refused(rule_of(OPEN, "/a", 0, DENY + 1), -EINVAL);
	refused(rule_of(OPEN, "/a", SBX_EXEC, GRANT), -EINVAL);
	refused(rule_of(OPEN, "/a", 8, GRANT), -EINVAL);
	refused(rule_of(CONNECT, "tcp:h:1", SBX_EXEC, GRANT), -EINVAL);
	rule(OPEN, "/a", RW, GRANT);
}

Test(mandate, rules_that_no_policy_could_hold_are_refused)
{
	refused(rule_of(OPEN, "/", 0, GRANT), -EINVAL);
	refused(rule_of(OPEN, "/proc/1/mem", 0, ASK), -EINVAL);
	refused(rule_of(OPEN, "/proc/", 0, GRANT), -EINVAL);
	refused(rule_of(DIRECTORY, "/dev", 0, GRANT), -EINVAL);
	refused(rule_of(CONNECT, "tcp:0.0.0.0:80", 0, GRANT), -EINVAL);
	refused(rule_of(CONNECT, "tcp:[::]:80", 0, GRANT), -EINVAL);
	rule(OPEN, "/proc/", 0, DENY);
	rule(OPEN, "/dev/null", 0, GRANT);
	rule(SBX_GRANT_LISTEN, "tcp:0.0.0.0:80", 0, GRANT);
	rule(SBX_GRANT_TASK, "/", 0, GRANT);
}

Test(mandate, a_denial_has_no_budget_and_no_labels)
{
	static const char *const labels[] = { "x", NULL };
	struct sbx_rule r = rule_of(OPEN, "/a", 0, DENY);

	r.max_uses = 1;
	refused(r, -EINVAL);
	r.max_uses = 0;
	r.labels = labels;
	refused(r, -EINVAL);
	r.decision = GRANT;
	put(&r);
	cr_expect(sbxi_labels_has(&policy->mandate.rules[0].labels, "x"));
}

Test(mandate, what_is_not_said_is_what_is_usual)
{
	rule(OPEN, "/a", 0, GRANT);
	rule(CONNECT, "tcp:h:1", 0, GRANT);
	rule(OPEN, "/b", 0, DENY);
	cr_expect_eq(policy->mandate.rules[0].rights, R);
	cr_expect_eq(policy->mandate.rules[1].rights, RW);
	cr_expect_eq(policy->mandate.rules[2].rights, RW);
	cr_expect_not(sbxi_budget_limited(&policy->mandate.rules[0].budget));
}

Test(mandate, everything_is_copied)
{
	char match[] = "/srv/docs/", word[] = "private-data";
	const char *labels[] = { word, NULL };
	struct sbx_rule r = rule_of(OPEN, match, R, ASK);

	r.labels = labels;
	r.lifetime_ms = 5;
	r.max_uses = 1;
	r.max_bytes_in = 2;
	r.max_bytes_out = 3;
	r.max_cost = 4;
	put(&r);
	memset(match, 'x', sizeof(match) - 1);
	memset(word, 'x', sizeof(word) - 1);
	cr_expect_str_eq(policy->mandate.rules[0].target.text, "/srv/docs");
	cr_expect(sbxi_labels_has(&policy->mandate.rules[0].labels,
				  "private-data"));
	cr_expect_eq(policy->mandate.rules[0].budget.lifetime_ms, 5);
	for (uint32_t i = 0; i < SBXI_N_AMOUNTS; i++)
		cr_expect_eq(policy->mandate.rules[0].budget.most[i], i + 1);
}

Test(mandate, bad_labels_leave_no_rule)
{
	static const char *const bad[] = { "ok", "not ok", NULL };
	const char *many[SBXI_LABELS_MAX + 2];
	char words[SBXI_LABELS_MAX + 1][8];
	struct sbx_rule r = rule_of(OPEN, "/a", R, GRANT);

	r.labels = bad;
	refused(r, -EINVAL);
	for (int i = 0; i <= SBXI_LABELS_MAX; i++) {
		snprintf(words[i], sizeof(words[i]), "l%d", i);
		many[i] = words[i];
	}
	many[SBXI_LABELS_MAX + 1] = NULL;
	r.labels = many;
	refused(r, -E2BIG);
	many[SBXI_LABELS_MAX] = NULL;
	put(&r);
}

Test(mandate, has_1024_rules)
{
	char match[32];

	for (int i = 0; i < 1024; i++) {
		snprintf(match, sizeof(match), "/srv/%d", i);
		rule(OPEN, match, R, GRANT);
	}
	refused(rule_of(OPEN, "/a", R, GRANT), -E2BIG);
	compiles();
}

Test(mandate, sets_have_two_different_labels)
{
	static const char *const none[] = { NULL };
	static const char *const one[] = { "a", NULL };
	static const char *const same[] = { "a", "a", NULL };
	static const char *const bad[] = { "a", "b c", NULL };
	static const char *const two[] = { "a", "b", NULL };
	struct sbxi_mandate *m = &policy->mandate;

	cr_expect_eq(sbxi_mandate_never(m, none), -EINVAL);
	cr_expect_eq(sbxi_mandate_never(m, one), -EINVAL);
	cr_expect_eq(sbxi_mandate_never(m, same), -EINVAL);
	cr_expect_eq(sbxi_mandate_never(m, bad), -EINVAL);
	cr_expect_eq(m->n_never, 0);
	for (int i = 0; i < 64; i++)
		cr_expect_eq(sbxi_mandate_never(m, two), 0);
	cr_expect_eq(sbxi_mandate_never(m, two), -E2BIG);
}

Test(mandate, places_are_labelled_by_clean_paths)
{
	struct sbxi_mandate *m = &policy->mandate;

	cr_expect_eq(sbxi_mandate_label(m, "a", "x"), -EINVAL);
	cr_expect_eq(sbxi_mandate_label(m, "/a/../b", "x"), -EINVAL);
	cr_expect_eq(sbxi_mandate_label(m, "/a", "x y"), -EINVAL);
	cr_expect_eq(m->n_placed, 0);
	cr_expect_eq(sbxi_mandate_label(m, "/a//b/", "x"), 0);
	cr_expect_str_eq(m->placed[0].path, "/a/b");
}

Test(mandate, a_purpose_is_a_line_of_text)
{
	char text[1026];

	memset(text, 'a', 1025);
	text[1025] = '\0';
	cr_expect_not(sbxi_purpose_ok(text));
	text[1024] = '\0';
	cr_expect(sbxi_purpose_ok(text));
	cr_expect_not(sbxi_purpose_ok(""));
	cr_expect_not(sbxi_purpose_ok("a\nb"));
	cr_expect_not(sbxi_purpose_ok("\x1b[0m"));
	cr_expect(sbxi_purpose_ok("lire \xc3\xa0 voix haute"));
}

/* Contradictions */

static void contradicts(const char *object, const char *other)
{
	cr_expect_eq(compile(), -EINVAL);
	cr_expect_eq(fail.step, SBX_STEP_COMPILE);
	cr_expect_str_eq(fail.object, object);
	cr_expect_not_null(strstr(fail.text, other), "%s", fail.text);
	cr_expect_null(policy->plan);
	cr_expect_not(policy->frozen);
}

Test(mandate, one_match_with_two_decisions_is_a_contradiction)
{
	rule(CONNECT, "tcp:a.org:443", 0, GRANT);
	rule(CONNECT, "tcp:b.org:443", 0, GRANT);
	rule(CONNECT, "tcp:A.ORG:443", 0, ASK);
	contradicts("mandate.rules[2]", "mandate.rules[0]");
	cr_expect_not_null(strstr(fail.text, "contradicts"), "%s", fail.text);
}

Test(mandate, granted_and_denied_is_a_contradiction_in_any_order)
{
	rule(OPEN, "/srv/", R, GRANT);
	rule(OPEN, "/srv/", 0, DENY);
	contradicts("mandate.rules[0]", "mandate.rules[1]");
}

Test(mandate, a_rule_after_a_wider_one_is_never_reached)
{
	rule(CONNECT, "tcp:*.org:1-65535", 0, GRANT);
	rule(CONNECT, "tcp:a.org:443", 0, GRANT);
	contradicts("mandate.rules[1]", "mandate.rules[0]");
	cr_expect_not_null(strstr(fail.text, "tcp:a.org:443"), "%s",
			   fail.text);
	cr_expect_not_null(strstr(fail.text, "never reached"), "%s",
			   fail.text);
}

Test(mandate, a_rule_below_a_denial_is_never_reached)
{
	rule(OPEN, "/srv/a", R, GRANT);
	rule(OPEN, "/srv/", R, DENY);
	contradicts("mandate.rules[0]", "mandate.rules[1]");
}

Test(mandate, a_directory_below_denied_files_is_never_reached)
{
	rule(OPEN, "/srv/", 0, DENY);
	rule(DIRECTORY, "/srv/a", R, GRANT);
	contradicts("mandate.rules[1]", "mandate.rules[0]");
}

Test(mandate, what_can_be_reached_is_no_contradiction)
{
	rule(OPEN, "/srv/", R, GRANT);
	rule(OPEN, "/srv/", RW, ASK);
	rule(OPEN, "/srv/secret/", 0, DENY);
	rule(DIRECTORY, "/srv/", R, ASK);
	rule(CONNECT, "tcp:a.org:443", 0, GRANT);
	rule(CONNECT, "tcp:*.org:443", 0, ASK);
	rule(CONNECT, "tcp:*:443", 0, ASK);
	rule(CONNECT, "tcp:10.0.0.0/8:443", 0, GRANT);
	rule(CONNECT, "tcp:localhost:443", 0, GRANT);
	rule(CONNECT, "tcp:a.org:1-442", 0, NARROW);
	rule(CONNECT, "tcp:169.254.0.0/16:1-65535", 0, DENY);
	compiles();
}

Test(mandate, labels_that_are_together_from_the_start_are_refused)
{
	never("private", "egress");
	cr_assert_eq(sbxi_policy_add_path(policy, "/usr", NULL, R, 0, &fail),
		     0);
	cr_assert_eq(sbxi_mandate_label(&policy->mandate, "/usr/lib",
					"private"), 0);
	cr_assert_eq(sbxi_policy_add_grant(policy, CONNECT, "api",
					   "tcp:h:1", 0, -1, &fail), 0);
	cr_assert_eq(sbxi_labels_add(&policy->grants[0].labels, "egress"), 0);
	contradicts("mandate.never_together", "private");
	sbxi_labels_done(&policy->grants[0].labels);
	compiles();
}

Test(mandate, a_rule_whose_labels_can_never_be_held_is_refused)
{
	never("private", "egress");
	labelled(CONNECT, "tcp:h:1", ASK, "egress");
	cr_assert_eq(sbxi_policy_add_path(policy, "/usr/lib", NULL, R, 0,
					  &fail), 0);
	cr_assert_eq(sbxi_mandate_label(&policy->mandate, "/usr", "private"),
		     0);
	contradicts("mandate.rules[0]", "private, egress");
}

Test(mandate, a_labelled_place_that_is_missing_is_no_error)
{
	cr_assert_eq(sbxi_mandate_label(&policy->mandate, "/nowhere/at/all",
					"private"), 0);
	compiles();
	cr_expect_null(policy->mandate.placed[0].real);
}

Test(mandate, a_labelled_place_is_known_behind_links, .init = make_linked,
     .fini = drop_linked)
{
	never("private", "egress");
	labelled(CONNECT, "tcp:h:1", ASK, "egress");
	cr_assert_eq(sbxi_policy_add_path(policy, in("d"), NULL, R, 0, &fail),
		     0);
	compiles();
	drop();
	make();
	never("private", "egress");
	labelled(CONNECT, "tcp:h:1", ASK, "egress");
	cr_assert_eq(sbxi_policy_add_path(policy, in("d"), NULL, R, 0, &fail),
		     0);
	cr_assert_eq(sbxi_mandate_label(&policy->mandate, in("l"), "private"),
		     0);
	contradicts("mandate.rules[0]", "private, egress");
}

Test(mandate, nothing_enforces_it_yet)
{
	cr_expect_eq(sbxi_mandate_unenforced(policy, &fail), 0);
	rule(OPEN, "/a", R, GRANT);
	cr_expect_eq(sbxi_mandate_unenforced(policy, &fail), -EOPNOTSUPP);
	cr_expect_str_eq(fail.object, "mandate.rules");
	cr_expect_eq(fail.remedy, SBXI_REMEDY_VERSION);
}

Test(mandate, neither_network_nor_budgets_are_enforced_yet)
{
	policy->net_mode = SBX_NET_BROKER;
	cr_expect_eq(sbxi_mandate_unenforced(policy, &fail), -EOPNOTSUPP);
	cr_expect_str_eq(fail.object, "network");
	policy->net_mode = SBX_NET_NONE;
	cr_assert_eq(sbxi_policy_add_grant(policy, CONNECT, "api",
					   "tcp:h:1", 0, -1, &fail), 0);
	cr_expect_eq(sbxi_mandate_unenforced(policy, &fail), 0);
	policy->grants[0].budget.most[SBXI_USES] = 1;
	cr_expect_eq(sbxi_mandate_unenforced(policy, &fail), -EOPNOTSUPP);
	cr_expect_str_eq(fail.object, "api");
}

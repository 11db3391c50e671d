/* SPDX-License-Identifier: Apache-2.0 */
#include "mandate_test.h"

#include "policy/decide.h"

static struct sbxi_asker asker;
static struct sbxi_decision d;
static uint64_t now = 1000000000000ull;

static void finish(void)
{
	sbxi_decision_done(&d);
	sbxi_asker_done(&asker);
	drop();
}

TestSuite(decide, .init = make, .fini = finish, .timeout = 30);

static void begin(void)
{
	compiles();
	cr_assert_eq(sbxi_asker_init(&asker, policy), 0);
}

static struct sbxi_request request(uint32_t kind, const char *target,
				   uint32_t rights)
{
	return (struct sbxi_request){
		.kind = kind, .target = target, .rights = rights,
		.budget = sbxi_budget_none(),
	};
}

static uint32_t decide(const struct sbxi_request *r)
{
	sbxi_decision_done(&d);
	memset(&d, 0x5a, sizeof(d));
	cr_assert_eq(sbxi_decide(&asker, r, now, &d), 0);
	cr_expect_str_neq(d.reason, "");
	cr_expect_eq(d.decision == DENY, d.code != 0, "%s", d.reason);
	cr_expect_eq(d.decision == DENY, d.rights == 0, "%s", d.reason);
	return d.decision;
}

static uint32_t ask_for(uint32_t kind, const char *target, uint32_t rights)
{
	struct sbxi_request r = request(kind, target, rights);

	return decide(&r);
}

static void denied(uint32_t kind, const char *target, uint32_t rights,
		   int code)
{
	cr_expect_eq(ask_for(kind, target, rights), DENY, "%s", target);
	cr_expect_eq(d.code, code, "%s: %d: %s", target, d.code, d.reason);
}

/* Hostile first. */

Test(decide, an_empty_mandate_denies_everything)
{
	begin();
	denied(CONNECT, "tcp:example.org:443", 0, -EACCES);
	denied(OPEN, "/etc/passwd", 0, -EACCES);
	denied(SBX_GRANT_DATA, "x", 0, -EACCES);
	denied(SBX_GRANT_TASK, "/bin/sh", 0, -EACCES);
	cr_expect_eq(d.rule, SBXI_NO_RULE);
}

Test(decide, what_cannot_be_asked_for_is_refused)
{
	static const char *const bad[] = {
		"", "example.org", "tcp:example.org", "tcp:example.org:0",
		"tcp:*:443", "tcp:*.org:443", "tcp:a.org:1-65535",
		"tcp:0.0.0.0/0:443", "tcp:a.org:443 ", "tcp:127.1:443",
		"tcp:0x7f000001:443", "tcp:a\x1b.org:443", "tcp:0.0.0.0:443",
		"tcp:[::]:443", "tcp:[::ffff:0.0.0.0]:443", "unix:/proc/1/x",
	};

	rule(CONNECT, "tcp:*:1-65535", 0, GRANT);
	rule(CONNECT, "unix:/run/", 0, GRANT);
	rule(OPEN, "/srv/", RW, GRANT);
	begin();
	for (size_t i = 0; i < COUNT(bad); i++)
		denied(CONNECT, bad[i], 0, -EINVAL);
	denied(OPEN, "/srv/../etc/passwd", 0, -EINVAL);
	denied(OPEN, "/proc/self/mem", 0, -EINVAL);
	denied(OPEN, "/srv/a", SBX_EXEC, -EINVAL);
	denied(OPEN, "/srv/a", 0xf0, -EINVAL);
	denied(SBX_GRANT_FD, "/srv/a", 0, -EINVAL);
	denied(1234, "/srv/a", 0, -EINVAL);
	cr_expect_eq(ask_for(CONNECT, "tcp:a.org:443", 0), GRANT);
	cr_expect_eq(ask_for(OPEN, "/srv/a", RW), GRANT);
}

Test(decide, reasons_have_no_control_characters)
{
	rule(OPEN, "/srv/", R, GRANT);
	begin();
	denied(OPEN, "/x\x1b[2J\n\xc2\x9b", 0, -EACCES);
	for (const char *c = d.reason; *c; c++)
		cr_expect(*c >= ' ' && *c < 0x7f, "%d", *c);
	cr_expect_not_null(strstr(d.reason, "/srv/"), "%s", d.reason);
}

Test(decide, a_name_in_another_form_is_the_same_name)
{
	rule(CONNECT, "tcp:*.org:443", 0, GRANT);
	rule(CONNECT, "tcp:evil.org:443", 0, DENY);
	rule(CONNECT, "tcp:8.8.0.0/16:443", 0, GRANT);
	rule(CONNECT, "tcp:8.8.8.8:443", 0, DENY);
	cr_expect_eq(compile(), 0, "%s", fail.text);
	cr_assert_eq(sbxi_asker_init(&asker, policy), 0);
	denied(CONNECT, "tcp:evil.org:443", 0, -EACCES);
	denied(CONNECT, "tcp:EVIL.ORG:443", 0, -EACCES);
	denied(CONNECT, "tcp:evil.org.:443", 0, -EACCES);
	denied(CONNECT, "tcp:[::ffff:8.8.8.8]:443", 0, -EACCES);
	denied(CONNECT, "tcp:[64:ff9b::808:808]:443", 0, -EACCES);
	denied(CONNECT, "tcp:[2002:808:808::]:443", 0, -EACCES);
	cr_expect_eq(ask_for(CONNECT, "tcp:good.org:443", 0), GRANT);
	cr_expect_eq(ask_for(CONNECT, "tcp:8.8.4.4:443", 0), GRANT);
}

Test(decide, rights_over_the_rule_are_denied_and_the_reason_says_which)
{
	rule(OPEN, "/srv/", R, GRANT);
	begin();
	denied(OPEN, "/srv/a", RW, -EACCES);
	cr_expect_not_null(strstr(d.reason, "ask for r"), "%s", d.reason);
	cr_expect_eq(d.rule, 0);
	cr_expect_eq(ask_for(OPEN, "/srv/a", R), GRANT);
	cr_expect_eq(d.rights, R);
}

Test(decide, narrow_gives_what_there_is)
{
	struct sbx_rule n = rule_of(OPEN, "/srv/", R, NARROW);
	struct sbxi_request r = request(OPEN, "/srv/a", RW);

	n.max_bytes_in = 100;
	n.lifetime_ms = 50;
	put(&n);
	begin();
	cr_expect_eq(decide(&r), NARROW);
	cr_expect_eq(d.rights, R);
	cr_expect_eq(d.budget.most[SBXI_BYTES_IN], 100);
	cr_expect_eq(d.budget.lifetime_ms, 50);
	denied(OPEN, "/srv/a", W, -EACCES);
	r.rights = R;
	cr_expect_eq(decide(&r), GRANT, "no limit was asked for");
	r.budget.most[SBXI_BYTES_IN] = 101;
	cr_expect_eq(decide(&r), NARROW);
	r.budget.most[SBXI_BYTES_IN] = 99;
	cr_expect_eq(decide(&r), GRANT);
	cr_expect_eq(d.budget.most[SBXI_BYTES_IN], 99);
}

Test(decide, grant_gives_all_that_was_asked_for_or_nothing)
{
	struct sbx_rule g = rule_of(CONNECT, "tcp:h.org:1", 0, GRANT);
	struct sbxi_request r = request(CONNECT, "tcp:h.org:1", 0);

	g.max_bytes_out = 100;
	g.lifetime_ms = 1000;
	put(&g);
	begin();
	cr_expect_eq(decide(&r), GRANT);
	cr_expect_eq(d.budget.most[SBXI_BYTES_OUT], 100);
	r.budget.most[SBXI_BYTES_OUT] = 101;
	cr_expect_eq(decide(&r), DENY);
	cr_expect_not_null(strstr(d.reason, "at most 100 bytes_out"), "%s",
			   d.reason);
	r.budget.most[SBXI_BYTES_OUT] = 100;
	r.budget.lifetime_ms = 1001;
	cr_expect_eq(decide(&r), DENY);
	r.budget.lifetime_ms = 1000;
	cr_expect_eq(decide(&r), GRANT);
}

Test(decide, denials_win_and_then_the_first_that_fits)
{
	rule(CONNECT, "tcp:a.org:443", 0, ASK);
	rule(CONNECT, "tcp:*.org:443", 0, GRANT);
	rule(CONNECT, "tcp:b.org:443", 0, DENY);
	begin();
	cr_expect_eq(ask_for(CONNECT, "tcp:a.org:443", 0), ASK);
	cr_expect_eq(d.rule, 0);
	cr_expect_eq(ask_for(CONNECT, "tcp:c.org:443", 0), GRANT);
	cr_expect_eq(d.rule, 1);
	denied(CONNECT, "tcp:b.org:443", 0, -EACCES);
	cr_expect_eq(d.rule, 2);
	denied(CONNECT, "tcp:c.net:443", 0, -EACCES);
	cr_expect_not_null(strstr(d.reason, "tcp:*.org:443"), "%s", d.reason);
}

Test(decide, a_directory_with_something_denied_in_it_is_denied)
{
	rule(DIRECTORY, "/srv/", R, GRANT);
	rule(OPEN, "/srv/a/secret", 0, DENY);
	begin();
	denied(DIRECTORY, "/srv", 0, -EACCES);
	denied(DIRECTORY, "/srv/a", 0, -EACCES);
	denied(DIRECTORY, "/srv/a/secret", 0, -EACCES);
	cr_expect_eq(ask_for(DIRECTORY, "/srv/b", 0), GRANT);
	cr_expect_eq(ask_for(DIRECTORY, "/srv/a2", 0), GRANT);
}

/* Labels */

Test(decide, a_set_is_not_completed_even_by_what_was_held_before)
{
	never("private", "egress");
	labelled(OPEN, "/srv/", GRANT, "private");
	labelled(CONNECT, "tcp:h.org:1", GRANT, "egress");
	rule(CONNECT, "tcp:plain.org:1", 0, GRANT);
	begin();
	cr_expect_eq(ask_for(CONNECT, "tcp:h.org:1", 0), GRANT);
	cr_expect_eq(ask_for(OPEN, "/srv/a", 0), GRANT);
	cr_expect(sbxi_labels_has(&d.labels, "private"));
	cr_expect_eq(sbxi_asker_granted(&asker, &d), 0);
	denied(CONNECT, "tcp:h.org:1", 0, -EACCES);
	cr_expect_not_null(strstr(d.reason, "private, egress"), "%s",
			   d.reason);
	cr_expect_eq(ask_for(CONNECT, "tcp:plain.org:1", 0), GRANT);
	cr_expect_eq(ask_for(OPEN, "/srv/b", 0), GRANT);
}

Test(decide, labels_of_places_count_wherever_they_are_met)
{
	never("private", "egress");
	rule(OPEN, "/srv/", R, GRANT);
	rule(DIRECTORY, "/srv/", R, GRANT);
	cr_assert_eq(sbxi_mandate_label(&policy->mandate, "/srv/data",
					"private"), 0);
	begin();
	cr_assert_eq(sbxi_labels_add(&asker.held, "egress"), 0);
	denied(OPEN, "/srv/data", 0, -EACCES);
	denied(OPEN, "/srv/data/x", 0, -EACCES);
	denied(DIRECTORY, "/srv", 0, -EACCES);
	denied(DIRECTORY, "/srv/data/x", 0, -EACCES);
	cr_expect_eq(ask_for(OPEN, "/srv/data2", 0), GRANT);
	cr_expect_eq(ask_for(DIRECTORY, "/srv/data2", 0), GRANT);
	cr_expect_eq(d.labels.n, 0);
}

Test(decide, what_a_policy_gives_at_the_start_is_held)
{
	never("private", "egress");
	labelled(OPEN, "/srv/", GRANT, "other");
	cr_assert_eq(sbxi_policy_add_path(policy, "/usr", NULL, R, 0, &fail),
		     0);
	cr_assert_eq(sbxi_mandate_label(&policy->mandate, "/usr/share",
					"private"), 0);
	begin();
	cr_expect(sbxi_labels_has(&asker.held, "private"));
	cr_expect_eq(asker.held.n, 1);
}

/* Budgets */

Test(decide, uses_of_a_rule_are_counted_over_all_its_grants)
{
	struct sbx_rule g = rule_of(CONNECT, "tcp:*.org:1", 0, GRANT);

	g.max_uses = 2;
	put(&g);
	begin();
	cr_expect_eq(ask_for(CONNECT, "tcp:a.org:1", 0), GRANT);
	cr_expect_eq(sbxi_asker_granted(&asker, &d), 0);
	cr_expect_eq(ask_for(CONNECT, "tcp:b.org:1", 0), GRANT);
	cr_expect_eq(d.budget.most[SBXI_USES], 1);
	cr_expect_eq(sbxi_asker_granted(&asker, &d), 0);
	cr_expect_eq(sbxi_asker_granted(&asker, &d), -EDQUOT, "decided twice");
	denied(CONNECT, "tcp:c.org:1", 0, -EDQUOT);
	cr_expect_not_null(strstr(d.reason, "uses"), "%s", d.reason);
}

Test(decide, bytes_that_are_used_up_are_not_given_again)
{
	struct sbx_rule g = rule_of(CONNECT, "tcp:*.org:1", 0, GRANT);

	g.max_bytes_in = 10;
	put(&g);
	begin();
	cr_expect_eq(sbxi_meter_charge(&asker.meters[0], SBXI_BYTES_IN, 7), 0);
	cr_expect_eq(ask_for(CONNECT, "tcp:a.org:1", 0), GRANT);
	cr_expect_eq(d.budget.most[SBXI_BYTES_IN], 3);
	cr_expect_eq(sbxi_meter_charge(&asker.meters[0], SBXI_BYTES_IN, 3), 0);
	denied(CONNECT, "tcp:a.org:1", 0, -EDQUOT);
}

/* Questions */

static int remember(const char *target, uint32_t rights, uint32_t decision)
{
	struct sbxi_request r = request(OPEN, target, rights);
	struct sbxi_budget none = sbxi_budget_none();

	return sbxi_asker_remember(&asker, &r, decision, rights, &none);
}

Test(decide, answers_are_remembered_for_what_was_asked_and_no_more)
{
	rule(OPEN, "/srv/", RW, ASK);
	begin();
	cr_expect_eq(ask_for(OPEN, "/srv/a", R), ASK);
	cr_expect_eq(remember("/srv/a", R, GRANT), 0);
	cr_expect_eq(ask_for(OPEN, "/srv/a", R), GRANT);
	cr_expect_eq(ask_for(OPEN, "/srv//a", R), GRANT);
	cr_expect_eq(ask_for(OPEN, "/srv/a", RW), ASK);
	cr_expect_eq(ask_for(OPEN, "/srv/b", R), ASK);
	cr_expect_eq(ask_for(OPEN, "/srv/a/b", R), ASK);
}

Test(decide, never_is_remembered_and_wins)
{
	rule(OPEN, "/srv/", RW, ASK);
	begin();
	cr_expect_eq(remember("/srv/a", RW, GRANT), 0);
	cr_expect_eq(remember("/srv/a", W, DENY), 0);
	denied(OPEN, "/srv/a", W, -EACCES);
	denied(OPEN, "/srv/a", RW, -EACCES);
	cr_expect_not_null(strstr(d.reason, "do not ask again"), "%s",
			   d.reason);
	cr_expect_eq(ask_for(OPEN, "/srv/a", R), GRANT);
}

Test(decide, a_remembered_answer_gives_no_more_than_the_rule)
{
	struct sbx_rule a = rule_of(OPEN, "/srv/", R, ASK);

	a.max_bytes_in = 5;
	put(&a);
	rule(OPEN, "/srv/x/", 0, DENY);
	begin();
	cr_expect_eq(remember("/srv/a", R, GRANT), 0);
	cr_expect_eq(remember("/srv/x/a", R, GRANT), 0);
	cr_expect_eq(remember("/etc/passwd", R, GRANT), 0);
	cr_expect_eq(ask_for(OPEN, "/srv/a", R), GRANT);
	cr_expect_eq(d.budget.most[SBXI_BYTES_IN], 5);
	denied(OPEN, "/srv/x/a", R, -EACCES);
	denied(OPEN, "/etc/passwd", R, -EACCES);
}

Test(decide, answers_are_not_remembered_without_end)
{
	char path[32];

	rule(OPEN, "/srv/", R, ASK);
	begin();
	for (int i = 0; i < 256; i++) {
		snprintf(path, sizeof(path), "/srv/%d", i);
		cr_assert_eq(remember(path, R, GRANT), 0);
	}
	cr_expect_eq(remember("/srv/x", R, GRANT), -ENOSPC);
	cr_expect_eq(remember("bad", R, GRANT), -ENOSPC);
	cr_expect_eq(ask_for(OPEN, "/srv/255", R), GRANT);
	cr_expect_eq(ask_for(OPEN, "/srv/x", R), ASK);
}

Test(decide, questions_by_the_dozen_are_denied_and_grants_are_not)
{
	rule(OPEN, "/srv/", R, ASK);
	rule(OPEN, "/pub/", R, GRANT);
	begin();
	for (int i = 0; i < SBXI_ASKS_BURST; i++) {
		cr_expect_eq(ask_for(OPEN, "/srv/a", R), ASK);
		cr_expect_eq(sbxi_asker_asked(&asker, now), 0);
	}
	denied(OPEN, "/srv/a", R, -EAGAIN);
	cr_expect_eq(sbxi_asker_asked(&asker, now), -EAGAIN);
	cr_expect_eq(ask_for(OPEN, "/pub/a", R), GRANT);
	cr_expect_eq(remember("/srv/a", R, GRANT), 0);
	cr_expect_eq(ask_for(OPEN, "/srv/a", R), GRANT);
	now += SBXI_ASKS_INTERVAL_NS;
	cr_expect_eq(ask_for(OPEN, "/srv/b", R), ASK);
}

Test(decide, deciding_changes_nothing)
{
	struct sbx_rule g = rule_of(CONNECT, "tcp:h.org:1", 0, GRANT);
	static const char *const labels[] = { "x", NULL };

	g.max_uses = 1;
	g.labels = labels;
	put(&g);
	rule(OPEN, "/srv/", R, ASK);
	begin();
	for (int i = 0; i < 100; i++) {
		cr_expect_eq(ask_for(CONNECT, "tcp:h.org:1", 0), GRANT);
		cr_expect_eq(ask_for(OPEN, "/srv/a", 0), ASK);
	}
	cr_expect_eq(asker.held.n, 0);
}

/* Addresses behind names */

static uint32_t lead_to(const char *target, const char *text, bool own)
{
	struct sbxi_request r = request(CONNECT, target, 0);
	struct sbxi_address a;

	cr_assert_eq(sbxi_address_parse(text, &a), 0);
	decide(&r);
	cr_assert_eq(sbxi_decide_address(&asker, &r, &a, 443, own, now, &d),
		     0);
	cr_expect_eq(d.decision == DENY, d.code != 0, "%s", d.reason);
	return d.decision;
}

Test(decide, special_addresses_behind_a_name_need_a_rule_that_names_them)
{
	static const char *const special[] = {
		"10.0.0.1", "127.0.0.1", "::1", "169.254.169.254",
		"169.254.1.1", "192.168.0.1", "::ffff:10.0.0.1", "fe80::1",
		"64:ff9b::a00:1", "2002:7f00:1::", "0.0.0.0", "224.0.0.1",
		"fd00:ec2::254", "198.18.0.1", "100.64.0.1",
	};

	rule(CONNECT, "tcp:*:443", 0, GRANT);
	rule(CONNECT, "tcp:0.0.0.0/0:1-442", 0, GRANT);
	begin();
	for (size_t i = 0; i < COUNT(special); i++) {
		cr_expect_eq(lead_to("tcp:a.org:443", special[i], false), DENY,
			     "%s", special[i]);
		cr_expect_eq(d.code, -EACCES);
	}
	cr_expect_eq(lead_to("tcp:a.org:443", "93.184.216.34", false), GRANT);
	cr_expect_eq(lead_to("tcp:a.org:443", "2606:4700::1", false), GRANT);
}

Test(decide, a_named_address_may_stand_behind_a_name)
{
	struct sbx_rule n = rule_of(CONNECT, "tcp:10.1.0.0/16:443", 0, GRANT);

	n.max_bytes_in = 9;
	rule(CONNECT, "tcp:*.corp:443", 0, GRANT);
	put(&n);
	rule(CONNECT, "tcp:10.1.9.0/24:443", 0, DENY);
	rule(CONNECT, "tcp:8.8.8.8:443", 0, DENY);
	rule(CONNECT, "tcp:localhost:443", 0, GRANT);
	begin();
	cr_expect_eq(lead_to("tcp:db.corp:443", "10.1.2.3", false), GRANT);
	cr_expect_eq(d.budget.most[SBXI_BYTES_IN], 9);
	cr_expect_eq(d.rule, 0);
	cr_expect_eq(lead_to("tcp:db.corp:443", "10.2.0.1", false), DENY);
	cr_expect_eq(lead_to("tcp:db.corp:443", "10.1.9.1", false), DENY);
	cr_expect_eq(lead_to("tcp:db.corp:443", "8.8.8.8", false), DENY);
	cr_expect_eq(lead_to("tcp:db.corp:443", "8.8.4.4", false), GRANT);
	cr_expect_eq(lead_to("tcp:db.corp:443", "127.0.0.1", false), GRANT);
	cr_expect_eq(lead_to("tcp:localhost:443", "::1", true), GRANT);
	cr_expect_eq(lead_to("tcp:localhost:443", "127.0.0.2", false), DENY);
}

Test(decide, the_hosts_own_public_addresses_are_named_one_by_one)
{
	rule(CONNECT, "tcp:*.org:443", 0, GRANT);
	rule(CONNECT, "tcp:10.0.0.0/8:443", 0, GRANT);
	rule(CONNECT, "tcp:93.184.216.34:443", 0, GRANT);
	rule(CONNECT, "tcp:0.0.0.0/0:443", 0, GRANT);
	begin();
	cr_expect_eq(lead_to("tcp:a.org:443", "10.0.0.5", true), GRANT);
	cr_expect_eq(lead_to("tcp:a.org:443", "11.0.0.5", true), DENY);
	cr_expect_not_null(strstr(d.reason, "own"), "%s", d.reason);
	cr_expect_eq(lead_to("tcp:a.org:443", "11.0.0.5", false), GRANT);
	cr_expect_eq(lead_to("tcp:a.org:443", "93.184.216.34", true), GRANT);
	cr_expect_eq(lead_to("tcp:a.org:443", "192.168.0.1", true), DENY);
}

Test(decide, an_address_never_makes_a_denial_less)
{
	rule(CONNECT, "tcp:10.0.0.0/8:443", 0, GRANT);
	begin();
	cr_expect_eq(lead_to("tcp:a.org:443", "10.0.0.5", false), DENY);
	cr_expect_eq(lead_to("tcp:a.org:443", "8.8.8.8", false), DENY);
}

Test(decide, a_question_about_an_address_is_about_the_name)
{
	struct sbxi_request r = request(CONNECT, "tcp:a.org:443", 0);
	struct sbxi_budget none = sbxi_budget_none();

	rule(CONNECT, "tcp:*.org:443", 0, GRANT);
	rule(CONNECT, "tcp:10.0.0.0/8:443", 0, ASK);
	begin();
	cr_expect_eq(lead_to("tcp:a.org:443", "10.0.0.5", false), ASK);
	cr_expect_eq(sbxi_asker_remember(&asker, &r, GRANT, RW, &none), 0);
	cr_expect_eq(lead_to("tcp:a.org:443", "10.0.0.5", false), NARROW);
	cr_expect_eq(d.rights, RW);
	cr_expect_eq(lead_to("tcp:b.org:443", "10.0.0.5", false), ASK);
}

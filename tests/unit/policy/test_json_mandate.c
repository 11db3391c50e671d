/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/policy.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

static const char *const vars[] = { "ws=/srv/ws", "host=h.org", NULL };

static struct sbx_policy *policy;
static struct sbxi_fail fail;

static void drop(void)
{
	sbxi_policy_free(policy);
	policy = NULL;
}

TestSuite(json_mandate, .fini = drop, .timeout = 20);

static int load(const char *body)
{
	char text[4096];
	int n = snprintf(text, sizeof(text), "{\"version\": 1, %s}", body);

	drop();
	fail = (struct sbxi_fail){ .step = 0 };
	return sbxi_policy_from_json(text, (size_t)n, vars, NULL, &policy,
				     &fail);
}

static void fails(const char *body, const char *object)
{
	cr_expect_eq(load(body), -EINVAL, "%s", body);
	cr_expect_null(policy, "%s", body);
	cr_expect_eq(fail.step, SBX_STEP_PARSE, "%s", body);
	cr_expect_str_eq(fail.object, object, "%s: %s", body, fail.object);
	cr_expect_str_neq(fail.text, "", "%s", body);
}

/* One rule, with these members. */
static void rule_fails(const char *members, const char *key)
{
	char body[1024], object[128];

	snprintf(body, sizeof(body), "\"mandate\": {\"rules\": [{%s}]}",
		 members);
	snprintf(object, sizeof(object), "mandate.rules[0]%s", key);
	fails(body, object);
}

#define RULE "\"kind\": \"open\", \"match\": \"/a\", \"decision\": \"grant\""

Test(json_mandate, what_is_no_rule_is_named_with_its_place)
{
	rule_fails("", ".kind");
	rule_fails("\"kind\": \"open\"", ".match");
	rule_fails("\"kind\": \"open\", \"match\": \"/a\"", ".decision");
	rule_fails("\"kind\": \"fd\", \"match\": \"/a\","
		   " \"decision\": \"ask\"", ".kind");
	rule_fails("\"kind\": 1, \"match\": \"/a\", \"decision\": \"ask\"",
		   ".kind");
	rule_fails("\"kind\": \"open\", \"match\": \"/a\","
		   " \"decision\": \"allow\"", ".decision");
	rule_fails("\"kind\": \"open\", \"match\": \"a\","
		   " \"decision\": \"ask\"", "");
	rule_fails(RULE ", \"rights\": \"x\"", "");
	rule_fails(RULE ", \"rights\": \"\"", ".rights");
	rule_fails(RULE ", \"rights\": \"rr\"", ".rights");
	rule_fails(RULE ", \"right\": \"r\"", ".right");
	rule_fails(RULE ", \"labels\": \"x\"", ".labels");
	rule_fails(RULE ", \"labels\": [1]", ".labels[0]");
	rule_fails(RULE ", \"labels\": [\"a\", \"b c\"]", ".labels[1]");
	rule_fails(RULE ", \"budget\": 1", ".budget");
	rule_fails(RULE ", \"budget\": {\"bytes\": 1}", ".budget.bytes");
	rule_fails(RULE ", \"budget\": {\"uses\": 0}", ".budget.uses");
	rule_fails(RULE ", \"budget\": {\"uses\": -1}", ".budget.uses");
	rule_fails(RULE ", \"budget\": {\"uses\": 1.0}", ".budget.uses");
	rule_fails(RULE ", \"budget\": {\"cost\": \"1\"}", ".budget.cost");
	rule_fails(RULE ", \"budget\": {\"seconds\": 9223372036854775807}",
		   ".budget.seconds");
	rule_fails("\"kind\": \"open\", \"match\": \"/${nobody}\","
		   " \"decision\": \"ask\"", ".match");
}

Test(json_mandate, what_is_no_mandate_is_refused)
{
	fails("\"mandate\": null", "mandate");
	fails("\"mandate\": []", "mandate");
	fails("\"mandate\": {\"rule\": []}", "mandate.rule");
	fails("\"mandate\": {\"rules\": {}}", "mandate.rules");
	fails("\"mandate\": {\"rules\": [[]]}", "mandate.rules[0]");
	fails("\"mandate\": {\"purpose\": \"\"}", "mandate.purpose");
	fails("\"mandate\": {\"purpose\": \"a\\nb\"}", "mandate.purpose");
	fails("\"mandate\": {\"never_together\": [\"a\", \"b\"]}",
	      "mandate.never_together[0]");
	fails("\"mandate\": {\"never_together\": [[\"a\"]]}",
	      "mandate.never_together[0]");
	fails("\"mandate\": {\"never_together\": [[\"a\", \"a\"]]}",
	      "mandate.never_together[0]");
	fails("\"mandate\": {\"never_together\": [[\"a\", \"b\", 3]]}",
	      "mandate.never_together[0][2]");
	fails("\"network\": \"bridge\"", "network");
	fails("\"files\": [{\"path\": \"/a\", \"rights\": \"r\","
	      " \"labels\": [\"\"]}]", "files[0].labels[0]");
	fails("\"grants\": [{\"name\": \"a\", \"open\": \"/a\","
	      " \"budget\": {\"seconds\": 0}}]", "grants[0].budget.seconds");
	fails("\"grants\": [{\"name\": \"a\", \"open\": \"/a\","
	      " \"labels\": {}}]", "grants[0].labels");
	cr_expect_eq(load("\"mandate\": {}"), 0);
}

Test(json_mandate, all_of_it_arrives)
{
	const struct sbxi_rule *rules;

	cr_assert_eq(load("\"network\": \"broker\","
		"\"files\": [{\"path\": \"${ws}\", \"rights\": \"r\","
		" \"labels\": [\"private-data\", \"x\"]}],"
		"\"grants\": [{\"name\": \"api\", \"connect\": \"tcp:h:1\","
		" \"labels\": [\"egress\"], \"budget\": {\"seconds\": 60,"
		" \"uses\": 1, \"bytes_out\": 1048576}}],"
		"\"mandate\": {\"purpose\": \"read one issue\", \"rules\": ["
		"{\"kind\": \"connect\", \"match\": \"tcp:*.${host}:443\","
		" \"decision\": \"grant\", \"labels\": [\"egress\"],"
		" \"budget\": {\"bytes_in\": 7, \"cost\": 8}},"
		"{\"kind\": \"open\", \"match\": \"${ws}/docs/\","
		" \"rights\": \"rw\", \"decision\": \"ask\"},"
		"{\"kind\": \"directory\", \"match\": \"/srv/d\","
		" \"rights\": \"rx\", \"decision\": \"narrow\"},"
		"{\"kind\": \"listen\", \"match\": \"tcp:127.0.0.1:1-9\","
		" \"decision\": \"deny\"},"
		"{\"kind\": \"data\", \"match\": \"c\","
		" \"decision\": \"grant\"},"
		"{\"kind\": \"task\", \"match\": \"/bin/\","
		" \"decision\": \"ask\"}],"
		"\"never_together\": [[\"a\", \"b\"], [\"a\", \"c\", \"d\"]]}"),
		0, "%s: %s", fail.object, fail.text);
	rules = policy->mandate.rules;
	cr_expect_eq(policy->net_mode, SBX_NET_BROKER);
	cr_expect_str_eq(policy->purpose, "read one issue");
	cr_assert_eq(policy->mandate.n_rules, 6);
	cr_expect_str_eq(rules[0].target.text, "h.org");
	cr_expect_eq(rules[0].budget.most[SBXI_BYTES_IN], 7);
	cr_expect_eq(rules[0].budget.most[SBXI_COST], 8);
	cr_expect_eq(rules[0].budget.most[SBXI_USES], SBXI_NO_LIMIT);
	cr_expect(sbxi_labels_has(&rules[0].labels, "egress"));
	cr_expect_str_eq(rules[1].target.text, "/srv/ws/docs");
	cr_expect_eq(rules[1].rights, SBX_READ | SBX_WRITE);
	cr_expect_eq(rules[1].decision, SBX_DECIDE_ASK);
	cr_expect_eq(rules[2].rights, SBX_READ | SBX_EXEC);
	cr_expect_eq(rules[2].decision, SBX_DECIDE_NARROW);
	cr_expect_eq(rules[3].decision, SBX_DECIDE_DENY);
	cr_expect_eq(rules[4].target.kind, SBX_GRANT_DATA);
	cr_expect_eq(rules[5].target.kind, SBX_GRANT_TASK);
	cr_assert_eq(policy->mandate.n_never, 2);
	cr_expect_eq(policy->mandate.never[1].n, 3);
	cr_assert_eq(policy->mandate.n_placed, 2);
	cr_expect_str_eq(policy->mandate.placed[0].path, "/srv/ws");
	cr_expect_str_eq(policy->mandate.placed[0].label, "private-data");
	cr_expect_eq(policy->grants[0].budget.lifetime_ms, 60000);
	cr_expect_eq(policy->grants[0].budget.most[SBXI_USES], 1);
	cr_expect_eq(policy->grants[0].budget.most[SBXI_BYTES_OUT], 1048576);
	cr_expect(sbxi_labels_has(&policy->grants[0].labels, "egress"));
}

Test(json_mandate, values_cannot_leave_the_place_they_are_put_in)
{
	static const char *const up[] = { "x=../../etc", "h=a:1,tcp:b", NULL };
	static const char path[] = "{\"version\": 1, \"mandate\": {\"rules\": ["
		"{\"kind\": \"open\", \"match\": \"/srv/${x}\","
		" \"decision\": \"grant\"}]}}";
	static const char host[] = "{\"version\": 1, \"mandate\": {\"rules\": ["
		"{\"kind\": \"connect\", \"match\": \"tcp:${h}:1\","
		" \"decision\": \"grant\"}]}}";

	cr_expect_eq(sbxi_policy_from_json(path, strlen(path), up, NULL,
					   &policy, &fail), -EINVAL);
	cr_expect_eq(sbxi_policy_from_json(host, strlen(host), up, NULL,
					   &policy, &fail), -EINVAL);
	cr_expect_null(policy);
}

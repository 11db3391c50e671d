/* SPDX-License-Identifier: Apache-2.0 */
/* The exported functions about mandates. */
#include <sandbox/sandbox.h>

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include <criterion/criterion.h>

#include "scratch.h"

static struct sbx_policy *policy;
static struct sbx_error error;

static void make(void)
{
	cr_assert_eq(sbx_policy_new(SBX_PROFILE_EMPTY, &policy, NULL), 0);
}

static void drop(void)
{
	sbx_policy_unref(policy);
}

TestSuite(mandate_api, .init = make, .fini = drop, .timeout = 20);

static struct sbx_rule good_rule(void)
{
	struct sbx_rule r = SBX_RULE_INIT;

	r.kind = SBX_GRANT_CONNECT;
	r.match = "tcp:example.org:443";
	r.decision = SBX_DECIDE_GRANT;
	return r;
}

Test(mandate_api, a_rule_of_another_size_is_taken_or_refused)
{
	struct {
		struct sbx_rule rule;
		uint64_t newer;
	} later = { .rule = good_rule() };

	cr_expect_eq(later.rule.size, sizeof(later.rule));
	later.rule.size = sizeof(later.rule) - 1;
	cr_expect_eq(sbx_policy_rule(policy, &later.rule, &error), -EINVAL);
	cr_expect_str_eq(error.object, "rule.size");
	later.rule.size = sizeof(later);
	cr_expect_eq(sbx_policy_rule(policy, &later.rule, &error), 0);
	later.newer = 1;
	cr_expect_eq(sbx_policy_rule(policy, &later.rule, &error), -E2BIG);
	cr_expect_str_eq(error.object, "rule.size");
	later.rule.size = UINT32_MAX;
	cr_expect_eq(sbx_policy_rule(policy, &later.rule, NULL), -E2BIG);
}

Test(mandate_api, a_bad_rule_is_named)
{
	struct sbx_rule r = good_rule();

	cr_expect_eq(sbx_policy_rule(policy, &r, &error), 0);
	r.match = "tcp:127.1:443";
	cr_expect_eq(sbx_policy_rule(policy, &r, &error), -EINVAL);
	cr_expect_eq(error.code, -EINVAL);
	cr_expect_str_eq(error.object, "mandate.rules[1]");
	cr_expect_not_null(strstr(error.text, "no address"),
			   "%s", error.text);
}

Test(mandate_api, nothing_changes_once_it_is_compiled)
{
	static const char *const set[] = { "a", "b", NULL };
	struct sbx_rule r = good_rule();

	cr_expect_eq(sbx_policy_purpose(policy, "x"), 0);
	cr_expect_eq(sbx_policy_network(policy, SBX_NET_BROKER, 0), 0);
	cr_assert_eq(sbx_policy_compile(policy, &error), 0, "%s", error.text);
	cr_expect_eq(sbx_policy_rule(policy, &r, &error), -EBUSY);
	cr_expect_eq(sbx_policy_never_together(policy, set), -EBUSY);
	cr_expect_eq(sbx_policy_label(policy, "/a", "x"), -EBUSY);
	cr_expect_eq(sbx_policy_purpose(policy, "y"), -EBUSY);
	cr_expect_eq(sbx_policy_network(policy, SBX_NET_NONE, 0), -EBUSY);
}

static int changed_in_a_copy(void *arg)
{
	static const char *const set[] = { "a", "b", NULL };
	struct sbx_rule r = good_rule();

	(void)arg;
	if (sbx_policy_rule(policy, &r, NULL) != -ECHILD)
		return 1;
	if (sbx_policy_never_together(policy, set) != -ECHILD)
		return 2;
	if (sbx_policy_label(policy, "/a", "x") != -ECHILD)
		return 3;
	if (sbx_policy_purpose(policy, "y") != -ECHILD)
		return 4;
	return sbx_policy_subset(policy, policy, NULL) == -ECHILD ? 0 : 5;
}

Test(mandate_api, a_forked_copy_changes_nothing)
{
	cr_expect_eq(in_child(changed_in_a_copy, NULL), 0);
	cr_expect_eq(sbx_policy_subset(policy, policy, NULL), 0);
}

Test(mandate_api, arguments_are_checked)
{
	static const char *const one[] = { "a", NULL };

	cr_expect_eq(sbx_policy_never_together(policy, one), -EINVAL);
	cr_expect_eq(sbx_policy_label(policy, "a", "x"), -EINVAL);
	cr_expect_eq(sbx_policy_label(policy, "/a", "x y"), -EINVAL);
	cr_expect_eq(sbx_policy_purpose(policy, ""), -EINVAL);
	cr_expect_eq(sbx_policy_network(policy, 2, 0), -EINVAL);
	cr_expect_eq(sbx_policy_network(policy, SBX_NET_BROKER, 2), -EINVAL);
}

Test(mandate_api, a_contradiction_names_both_rules)
{
	struct sbx_rule r = good_rule();

	cr_assert_eq(sbx_policy_rule(policy, &r, NULL), 0);
	r.decision = SBX_DECIDE_ASK;
	cr_assert_eq(sbx_policy_rule(policy, &r, NULL), 0);
	cr_expect_eq(sbx_policy_compile(policy, &error), -EINVAL);
	cr_expect_str_eq(error.object, "mandate.rules[1]");
	cr_expect_not_null(strstr(error.text, "mandate.rules[0]"), "%s",
			   error.text);
}

Test(mandate_api, the_first_excess_of_a_child_is_named)
{
	struct sbx_policy *child = NULL;
	struct sbx_rule r = good_rule();

	cr_assert_eq(sbx_policy_new(SBX_PROFILE_EMPTY, &child, NULL), 0);
	cr_expect_eq(sbx_policy_subset(child, policy, &error), 0);
	cr_assert_eq(sbx_policy_rule(child, &r, NULL), 0);
	cr_expect_eq(sbx_policy_subset(child, policy, &error), -EPERM);
	cr_expect_eq(error.code, -EPERM);
	cr_expect_str_eq(error.object, "mandate.rules[0]");
	cr_expect_eq(sbx_policy_subset(policy, child, &error), 0);
	sbx_policy_unref(child);
}

/* Until something enforces it, no task starts as if it were enforced. */
Test(mandate_api, no_task_starts_while_nothing_enforces_the_mandate)
{
	static const char *const argv[] = { "/bin/true", NULL };
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_report *report = NULL;
	struct sbx_task *task = NULL;
	struct sbx_rule r = good_rule();

	o.argv = argv;
	cr_assert_eq(sbx_policy_rule(policy, &r, NULL), 0);
	cr_expect_eq(sbx_spawn(policy, &o, &task, &error), -EOPNOTSUPP);
	cr_expect_str_eq(error.object, "mandate.rules");
	cr_expect_eq(sbx_policy_dry_run(policy, &report, &error),
		     -EOPNOTSUPP);
	cr_expect_eq(sbx_enter_self(policy, 0, &report, &error),
		     -EOPNOTSUPP);
	cr_expect_null(task);
	cr_expect_null(report);
	/* Not even the policy was frozen. */
	cr_expect_eq(sbx_policy_purpose(policy, "x"), 0);
}

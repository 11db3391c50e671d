/* SPDX-License-Identifier: Apache-2.0 */
/* mandate_test: a policy with a mandate, rule by rule. */
#ifndef TESTS_UNIT_POLICY_MANDATE_TEST_H
#define TESTS_UNIT_POLICY_MANDATE_TEST_H

#include "policy/policy.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

#define CONNECT SBX_GRANT_CONNECT
#define OPEN SBX_GRANT_FILE
#define DIRECTORY SBX_GRANT_DIRECTORY

#define GRANT SBX_DECIDE_GRANT
#define NARROW SBX_DECIDE_NARROW
#define ASK SBX_DECIDE_ASK
#define DENY SBX_DECIDE_DENY

#define R SBX_READ
#define W SBX_WRITE
#define RW (SBX_READ | SBX_WRITE)

static struct sbx_policy *policy;
static struct sbxi_fail fail;

static inline void make(void)
{
	cr_assert_eq(sbxi_policy_new(SBX_PROFILE_EMPTY, &policy), 0);
}

static inline void drop(void)
{
	sbxi_policy_free(policy);
	policy = NULL;
}

/* A rule with what most tests need; change fields, then put() it. */
static inline struct sbx_rule rule_of(uint32_t kind, const char *match,
				      uint32_t rights, uint32_t decision)
{
	struct sbx_rule r = SBX_RULE_INIT;

	r.kind = kind;
	r.match = match;
	r.rights = rights;
	r.decision = decision;
	return r;
}

static inline int try_put(const struct sbx_rule *r)
{
	fail = (struct sbxi_fail){ .step = 0 };
	return sbxi_mandate_rule(&policy->mandate, r, &fail);
}

static inline void put(const struct sbx_rule *r)
{
	cr_assert_eq(try_put(r), 0, "%s: %s", r->match, fail.text);
}

static inline void rule(uint32_t kind, const char *match, uint32_t rights,
			uint32_t decision)
{
	struct sbx_rule r = rule_of(kind, match, rights, decision);

	put(&r);
}

static inline void labelled(uint32_t kind, const char *match,
			    uint32_t decision, const char *label)
{
	struct sbx_rule r = rule_of(kind, match, 0, decision);
	const char *const labels[] = { label, NULL };

	r.labels = labels;
	put(&r);
}

static inline void never(const char *a, const char *b)
{
	const char *const labels[] = { a, b, NULL };

	cr_assert_eq(sbxi_mandate_never(&policy->mandate, labels), 0);
}

static inline int compile(void)
{
	fail = (struct sbxi_fail){ .step = 0 };
	return sbxi_policy_compile(policy, &fail);
}

static inline void compiles(void)
{
	cr_assert_eq(compile(), 0, "%s: %s", fail.object, fail.text);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* compile_test: a policy over a scratch folder, and what its plan holds. */
#ifndef TESTS_UNIT_POLICY_COMPILE_TEST_H
#define TESTS_UNIT_POLICY_COMPILE_TEST_H

#include "policy/policy.h"

#include "scratch.h"

static struct sbx_policy *policy;
static struct sbxi_fail fail;

static inline void make(void)
{
	make_scratch();
	cr_assert_eq(sbxi_policy_new(SBX_PROFILE_EMPTY, &policy), 0);
}

static inline void drop(void)
{
	sbxi_policy_free(policy);
	drop_scratch();
}


static inline void use_tool(void)
{
	sbxi_policy_free(policy);
	cr_assert_eq(sbxi_policy_new(SBX_PROFILE_TOOL, &policy), 0);
}

static inline void grant_flags(const char *name, uint32_t rights, uint32_t flags)
{
	const char *path = name[0] == '/' ? name : in(name);

	cr_assert_eq(sbxi_policy_add_path(policy, path, NULL, rights, flags,
					  &fail), 0, "%s: %s", name,
		     fail.text);
}

static inline void grant(const char *name, uint32_t rights)
{
	grant_flags(name, rights, 0);
}

static inline void grant_at(const char *name, const char *dest, uint32_t rights)
{
	const char *path = name[0] == '/' ? name : in(name);

	cr_assert_eq(sbxi_policy_add_path(policy, path, dest, rights, 0,
					  &fail), 0, "%s: %s", name,
		     fail.text);
}

static inline void compiles(void)
{
	cr_assert_eq(sbxi_policy_compile(policy, &fail), 0, "%s: %s",
		     fail.object, fail.text);
	cr_assert_not_null(policy->plan);
	cr_assert(policy->frozen);
}

static inline void fails(int code, const char *object)
{
	size_t before = policy->n_paths;

	fail = (struct sbxi_fail){ .step = 0 };
	cr_expect_eq(sbxi_policy_compile(policy, &fail), code);
	cr_expect_eq(fail.step, SBX_STEP_COMPILE);
	cr_expect_str_eq(fail.object, object, "%s", fail.object);
	cr_expect_str_neq(fail.text, "");
	cr_expect_null(policy->plan);
	cr_expect_not(policy->frozen);
	cr_expect_eq(policy->n_paths, before);
}

static inline const char *str(uint32_t offset)
{
	cr_assert_neq(offset, 0);
	cr_assert_lt(offset, policy->plan->size);
	return sbxi_plan_string(policy->plan, offset);
}

static inline const struct sbxi_plan_path *path_at(const char *dest)
{
	const struct sbxi_plan_path *p = sbxi_plan_paths(policy->plan);

	for (uint32_t i = 0; i < policy->plan->n_paths; i++)
		if (strcmp(str(p[i].dest), dest) == 0)
			return &p[i];
	return NULL;
}

static inline const char *link_at(const char *path)
{
	const struct sbxi_plan_link *l = sbxi_plan_links(policy->plan);

	for (uint32_t i = 0; i < policy->plan->n_links; i++)
		if (strcmp(str(l[i].path), path) == 0)
			return str(l[i].text);
	return NULL;
}

static inline void has(const char *name, uint32_t rights, uint32_t flags)
{
	const char *dest = name[0] == '/' ? name : in(name);
	const struct sbxi_plan_path *p = path_at(dest);

	cr_assert_not_null(p, "%s is not in the plan", dest);
	cr_expect_eq(p->rights, rights, "%s has rights %u", dest, p->rights);
	cr_expect_eq(p->flags, flags, "%s has flags %u", dest, p->flags);
}

#define R SBX_READ
#define RW (SBX_READ | SBX_WRITE)
#define RX (SBX_READ | SBX_EXEC)
#define RWX (SBX_READ | SBX_WRITE | SBX_EXEC)

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* subset: does one policy reach at most what another does? */
#include "policy/subset.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/paths.h"

static int excess(struct sbxi_fail *fail, const char *object, const char *why)
{
	return sbxi_fail(fail, SBX_STEP_COMPILE, -EPERM, object, "%s", why);
}

static int check_switches(const struct sbx_policy *c,
			  const struct sbx_policy *p, struct sbxi_fail *fail)
{
	if (c->profile == SBX_PROFILE_TOOL && p->profile != SBX_PROFILE_TOOL)
		return excess(fail, "profile",
			      "the parent's has no private folders");
	if (c->net_mode > p->net_mode)
		return excess(fail, "network", "the parent has none");
	if (c->loopback > p->loopback)
		return excess(fail, "loopback", "the parent has none");
	if (c->protect > p->protect)
		return excess(fail, "protect", "the parent's is stricter");
	return 0;
}

static int check_numbers(const struct sbx_policy *c,
			 const struct sbx_policy *p, struct sbxi_fail *fail)
{
	for (uint32_t i = 0; i < SBXI_N_LIMITS; i++)
		if (c->limit[i] > p->limit[i])
			return excess(fail, sbxi_limit_name(i),
				      "this limit is over the parent's");
	for (uint32_t i = 0; i < SBXI_N_PROPERTIES; i++)
		if (c->level[i] < p->level[i])
			return excess(fail, sbxi_property_name(i),
				      "the parent wants this property more");
	return 0;
}

static bool has_entry(const struct sbx_policy *p, const char *entry)
{
	for (size_t i = 0; i < p->n_env; i++)
		if (strcmp(p->env[i], entry) == 0)
			return true;
	return false;
}

/* Values may be secret, so the error has the name alone. */
static int check_env(const struct sbx_policy *c, const struct sbx_policy *p,
		     struct sbxi_fail *fail)
{
	char name[256];

	for (size_t i = 0; i < c->n_env; i++) {
		size_t len = strcspn(c->env[i], "=");

		if (c->env[i][len] == '\0' || has_entry(p, c->env[i]))
			continue;
		if (len >= sizeof(name))
			len = sizeof(name) - 1;
		memcpy(name, c->env[i], len);
		name[len] = '\0';
		return excess(fail, name,
			      "the parent does not set this variable to this value");
	}
	return 0;
}

static const char *more_than(const struct sbxi_policy_grant *c,
			     const struct sbxi_policy_grant *p)
{
	if (c->kind != p->kind || strcmp(c->target, p->target) != 0)
		return "the parent's grant of this name is another one";
	/* 0 = what the connection has: all. */
	if (p->rights && (c->rights == 0 || (c->rights & ~p->rights)))
		return "its rights are over those of the parent's";
	if (!sbxi_budget_within(&c->budget, &p->budget))
		return "its budget is over that of the parent's";
	if (!sbxi_labels_cover(&c->labels, &p->labels))
		return "it lacks a label of the parent's";
	return NULL;
}

static int check_grants(const struct sbx_policy *c, const struct sbx_policy *p,
			struct sbxi_fail *fail)
{
	for (size_t i = 0; i < c->n_grants; i++) {
		const struct sbxi_policy_grant *g = &c->grants[i];
		const char *why = "the parent has no grant of this name";

		for (size_t k = 0; k < p->n_grants; k++)
			if (strcmp(p->grants[k].name, g->name) == 0)
				why = more_than(g, &p->grants[k]);
		if (why)
			return excess(fail, g->name, why);
	}
	return 0;
}

static bool either_within(const char *a, const char *b)
{
	return sbxi_path_within(a, b) || sbxi_path_within(b, a);
}

/* May the child come to what is at this place? */
static bool comes_to(const struct sbx_policy *c, const struct sbxi_plan *plan,
		     const char *place)
{
	const struct sbxi_plan_path *paths = sbxi_plan_paths(plan);

	for (uint32_t i = 0; i < plan->n_paths; i++)
		if (either_within(sbxi_plan_string(plan, paths[i].source),
				  place) ||
		    either_within(sbxi_plan_string(plan, paths[i].dest),
				  place))
			return true;
	for (size_t i = 0; i < c->n_grants; i++)
		if (c->grants[i].kind == SBX_GRANT_FILE &&
		    sbxi_path_within(place, c->grants[i].target))
			return true;
	for (size_t i = 0; i < c->mandate.n_rules; i++) {
		const struct sbxi_rule *rule = &c->mandate.rules[i];

		if (rule->decision != SBX_DECIDE_DENY &&
		    (rule->target.kind == SBX_GRANT_FILE ||
		     rule->target.kind == SBX_GRANT_DIRECTORY) &&
		    either_within(rule->target.text, place))
			return true;
	}
	return false;
}

static bool has_label(const struct sbx_policy *c, const struct sbxi_placed *p)
{
	for (size_t i = 0; i < c->mandate.n_placed; i++) {
		const struct sbxi_placed *own = &c->mandate.placed[i];

		if (strcmp(own->label, p->label) == 0 &&
		    sbxi_path_within(own->path, p->path))
			return true;
	}
	return false;
}

static int check_labels(const struct sbx_policy *c,
			const struct sbxi_plan *plan,
			const struct sbx_policy *p, struct sbxi_fail *fail)
{
	for (size_t i = 0; i < p->mandate.n_placed; i++) {
		const struct sbxi_placed *placed = &p->mandate.placed[i];

		if (has_label(c, placed))
			continue;
		if (comes_to(c, plan, placed->path) ||
		    (placed->real && comes_to(c, plan, placed->real)))
			return sbxi_fail(fail, SBX_STEP_COMPILE, -EPERM,
					 placed->path,
					 "the child comes to it without its label %s",
					 placed->label);
	}
	return 0;
}

/* The plan of a policy: its own, or one that is made in *made. */
static int plan_of(const struct sbx_policy *policy,
		   const struct sbxi_plan **ret, struct sbxi_plan **made,
		   struct sbxi_fail *fail)
{
	int rc = 0;

	if (!atomic_load(&policy->frozen))
		rc = sbxi_policy_plan(policy, made, fail);
	*ret = *made ? *made : policy->plan;
	return rc;
}

static int check_files(const struct sbx_policy *c, const struct sbx_policy *p,
		       struct sbxi_fail *fail)
{
	AUTO_FREE struct sbxi_plan *made = NULL;
	AUTO_FREE struct sbxi_plan *other = NULL;
	const struct sbxi_plan *child, *parent;
	int rc = plan_of(c, &child, &made, fail);

	if (rc == 0)
		rc = plan_of(p, &parent, &other, fail);
	if (rc == 0)
		rc = sbxi_subset_paths(child, parent, fail);
	if (rc == 0)
		rc = check_labels(c, child, p, fail);
	return rc;
}

int sbxi_policy_subset(const struct sbx_policy *child,
		       const struct sbx_policy *parent,
		       struct sbxi_fail *fail)
{
	int rc = check_switches(child, parent, fail);

	if (rc == 0)
		rc = check_numbers(child, parent, fail);
	if (rc == 0)
		rc = check_env(child, parent, fail);
	if (rc == 0)
		rc = check_grants(child, parent, fail);
	if (rc == 0)
		rc = sbxi_subset_rules(&child->mandate, &parent->mandate,
				       fail);
	if (rc == 0)
		rc = check_files(child, parent, fail);
	return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* subset_rules: does one mandate give at most what another does? */
#include "policy/subset.h"

#include <errno.h>
#include <stdio.h>

#include "policy/match.h"

/* Note that rule i of the child is too much. */
static int excess(const struct sbxi_mandate *child, size_t i,
		  const char *what, const struct sbxi_rule *rule,
		  struct sbxi_fail *fail)
{
	char name[48], mine[80], other[80] = "";

	snprintf(name, sizeof(name), "mandate.rules[%zu]", i);
	sbxi_scope_print(&child->rules[i].target, mine, sizeof(mine));
	if (rule)
		sbxi_scope_print(&rule->target, other, sizeof(other));
	return sbxi_fail(fail, SBX_STEP_COMPILE, -EPERM, name, "%s: %s%s%s",
			 mine, what, rule ? " " : "", other);
}

/* Could the parent's denial matter to something that the rule gives? */
static bool deny_touches(const struct sbxi_rule *deny,
			 const struct sbxi_rule *rule)
{
	if (sbxi_rule_denies(deny, &rule->target, rule->rights))
		return true;
	return deny->target.kind == rule->target.kind &&
	       (deny->rights & rule->rights) &&
	       sbxi_match_may_resolve(&deny->target, &rule->target);
}

/* Does the child deny all that this denies of the rights? */
static bool deny_kept(const struct sbxi_mandate *child,
		      const struct sbxi_rule *deny, uint32_t rights)
{
	for (size_t i = 0; i < child->n_rules; i++) {
		const struct sbxi_rule *own = &child->rules[i];

		if (own->decision == SBX_DECIDE_DENY &&
		    own->target.kind == deny->target.kind &&
		    !(deny->rights & rights & ~own->rights) &&
		    sbxi_match_covers(&own->target, &deny->target))
			return true;
	}
	return false;
}

static int check_denials(const struct sbxi_mandate *child, size_t i,
			 const struct sbxi_mandate *parent,
			 struct sbxi_fail *fail)
{
	const struct sbxi_rule *rule = &child->rules[i];

	for (size_t k = 0; k < parent->n_rules; k++) {
		const struct sbxi_rule *deny = &parent->rules[k];

		if (deny->decision == SBX_DECIDE_DENY &&
		    deny_touches(deny, rule) &&
		    !deny_kept(child, deny, rule->rights))
			return excess(child, i,
				      "the child does not deny, as the parent does,",
				      deny, fail);
	}
	return 0;
}

/* Can one request fit both? */
static bool overlap(const struct sbxi_rule *a, const struct sbxi_rule *b)
{
	return a->target.kind == b->target.kind && (a->rights & b->rights) &&
	       sbxi_match_both_name(&a->target, &b->target);
}

/* Does the rule name one public address, which may be the host's own? */
static bool names_one(const struct sbxi_scope *t)
{
	return t->form == SBXI_SCOPE_RANGE &&
	       t->range.bits == (t->range.from.v6 ? 128 : 32) &&
	       !sbxi_range_special(&t->range);
}

static bool covers(const struct sbxi_rule *parent,
		   const struct sbxi_rule *rule)
{
	return !(rule->rights & ~parent->rights) &&
	       sbxi_match_names(&parent->target, &rule->target) &&
	       names_one(&parent->target) == names_one(&rule->target);
}

/* Why what a rule gives is more than what the parent's gives, or NULL. */
static const char *more_than(const struct sbxi_rule *rule,
			     const struct sbxi_rule *parent)
{
	if (parent->decision == SBX_DECIDE_ASK &&
	    rule->decision != SBX_DECIDE_ASK)
		return "given without a question, unlike the parent's";
	if (!sbxi_budget_within(&rule->budget, &parent->budget))
		return "its budget is over that of the parent's";
	if (!sbxi_labels_cover(&rule->labels, &parent->labels))
		return "it lacks a label of the parent's";
	/* It would decide here, and give less. */
	if (parent->decision == SBX_DECIDE_NARROW &&
	    (rule->rights & ~parent->rights))
		return "its rights are over those of the parent's";
	return NULL;
}

/* All rules of the parent that may be the first to fit what fits this one. */
static int check_rule(const struct sbxi_mandate *child, size_t i,
		      const struct sbxi_mandate *parent,
		      struct sbxi_fail *fail)
{
	const struct sbxi_rule *rule = &child->rules[i];

	for (size_t k = 0; k < parent->n_rules; k++) {
		const struct sbxi_rule *other = &parent->rules[k];
		const char *why;

		if (other->decision == SBX_DECIDE_DENY ||
		    !overlap(rule, other))
			continue;
		why = more_than(rule, other);
		if (why)
			return excess(child, i, why, other, fail);
		if (covers(other, rule))
			return check_denials(child, i, parent, fail);
	}
	return excess(child, i, "no rule of the parent gives all of it", NULL,
		      fail);
}

/*
 * The budget of a rule is for all that it gives together, so rules of the
 * child that come out of one rule of the parent share it.
 */
static int check_shares(const struct sbxi_mandate *child,
			const struct sbxi_rule *parent, uint32_t which,
			struct sbxi_fail *fail)
{
	uint64_t most = parent->budget.most[which], sum = 0;

	for (size_t i = 0; most != SBXI_NO_LIMIT && i < child->n_rules; i++) {
		const struct sbxi_rule *rule = &child->rules[i];

		if (rule->decision == SBX_DECIDE_DENY ||
		    !overlap(rule, parent))
			continue;
		if (__builtin_add_overflow(sum, rule->budget.most[which],
					   &sum) || sum > most)
			return excess(child, i,
				      "with other rules its budget is over that of the parent's",
				      parent, fail);
	}
	return 0;
}

static int check_budgets(const struct sbxi_mandate *child,
			 const struct sbxi_mandate *parent,
			 struct sbxi_fail *fail)
{
	int rc = 0;

	for (size_t k = 0; rc == 0 && k < parent->n_rules; k++)
		for (uint32_t i = 0; rc == 0 && i < SBXI_N_AMOUNTS; i++)
			if (parent->rules[k].decision != SBX_DECIDE_DENY)
				rc = check_shares(child, &parent->rules[k], i,
						  fail);
	return rc;
}

static bool has_set(const struct sbxi_mandate *m, const struct sbxi_labels *set)
{
	for (size_t i = 0; i < m->n_never; i++)
		if (m->never[i].n == set->n &&
		    sbxi_labels_cover(&m->never[i], set))
			return true;
	return false;
}

int sbxi_subset_rules(const struct sbxi_mandate *child,
		      const struct sbxi_mandate *parent,
		      struct sbxi_fail *fail)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < child->n_rules; i++)
		if (child->rules[i].decision != SBX_DECIDE_DENY)
			rc = check_rule(child, i, parent, fail);
	if (rc == 0)
		rc = check_budgets(child, parent, fail);
	for (size_t k = 0; rc == 0 && k < parent->n_never; k++)
		if (!has_set(child, &parent->never[k]))
			rc = sbxi_fail(fail, SBX_STEP_COMPILE, -EPERM,
				       "mandate.never_together",
				       "the child lacks set %zu of the parent",
				       k);
	return rc;
}

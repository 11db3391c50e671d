/* SPDX-License-Identifier: Apache-2.0 */
/* mandate_check: contradictions in a mandate, found when it is compiled. */
#include "policy/mandate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "policy/match.h"
#include "policy/policy.h"
#include "policy/resolve.h"

/* Where a place is missing nothing can be reached under another name. */
static int find_one(struct sbxi_placed *placed, struct sbxi_fail *fail)
{
	struct sbxi_resolved file;
	struct sbxi_fail why;
	int rc = sbxi_resolve(placed->path, &file, &why);

	free(placed->real);
	placed->real = NULL;
	if (rc == -ENOENT || rc == -ENOTDIR)
		return 0;
	if (rc < 0) {
		*fail = why;
		return rc;
	}
	placed->real = file.real;
	file.real = NULL;
	sbxi_resolved_done(&file);
	return 0;
}

int sbxi_mandate_find(struct sbxi_mandate *mandate, struct sbxi_fail *fail)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < mandate->n_placed; i++)
		rc = find_one(&mandate->placed[i], fail);
	return rc;
}

static bool same_target(const struct sbxi_rule *a, const struct sbxi_rule *b)
{
	return a->target.kind == b->target.kind &&
	       sbxi_match_covers(&a->target, &b->target) &&
	       sbxi_match_covers(&b->target, &a->target);
}

/* Note what is wrong with rule a, because of rule b. */
static int bad_pair(const struct sbxi_mandate *m, size_t a, size_t b,
		    const char *what, struct sbxi_fail *fail)
{
	char name[48], mine[80], other[80];

	snprintf(name, sizeof(name), "mandate.rules[%zu]", a);
	sbxi_scope_print(&m->rules[a].target, mine, sizeof(mine));
	sbxi_scope_print(&m->rules[b].target, other, sizeof(other));
	return sbxi_fail(fail, SBX_STEP_COMPILE, -EINVAL, name,
			 "%s %s mandate.rules[%zu] %s", mine, what, b, other);
}

/* Does the deny leave nothing of a rule that gives? */
static bool all_denied(const struct sbxi_rule *deny,
		       const struct sbxi_rule *rule)
{
	bool inside = rule->target.kind == SBX_GRANT_DIRECTORY &&
		      deny->target.kind == SBX_GRANT_FILE;

	return (deny->target.kind == rule->target.kind || inside) &&
	       sbxi_match_covers(&deny->target, &rule->target) &&
	       (rule->rights & ~deny->rights) == 0;
}

/* Does every request that fits the later rule fit the earlier one? */
static bool shadows(const struct sbxi_rule *earlier,
		    const struct sbxi_rule *later)
{
	uint32_t kind = later->target.kind;
	uint32_t needed = later->rights;

	if (later->decision == SBX_DECIDE_NARROW &&
	    earlier->decision != SBX_DECIDE_NARROW)
		needed = sbxi_scope_rights_all(kind);
	return earlier->target.kind == kind &&
	       (needed & ~earlier->rights) == 0 &&
	       sbxi_match_names(&earlier->target, &later->target);
}

static int check_pair(const struct sbxi_mandate *m, size_t a, size_t b,
		      struct sbxi_fail *fail)
{
	const struct sbxi_rule *rule = &m->rules[a], *other = &m->rules[b];

	if (other->decision == SBX_DECIDE_DENY) {
		if (same_target(rule, other) && (rule->rights & other->rights))
			return bad_pair(m, a, b, "contradicts", fail);
		if (all_denied(other, rule))
			return bad_pair(m, a, b,
					"is never reached, it is denied by",
					fail);
		return 0;
	}
	if (b > a || !shadows(other, rule))
		return 0;
	if (same_target(rule, other) && rule->decision != other->decision)
		return bad_pair(m, a, b, "contradicts", fail);
	return bad_pair(m, a, b, "is never reached, it comes after", fail);
}

static int check_rules(const struct sbxi_mandate *m, struct sbxi_fail *fail)
{
	int rc = 0;

	for (size_t a = 0; a < m->n_rules; a++) {
		if (m->rules[a].decision == SBX_DECIDE_DENY)
			continue;
		for (size_t b = 0; rc == 0 && b < m->n_rules; b++)
			if (a != b)
				rc = check_pair(m, a, b, fail);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static void list(const struct sbxi_labels *set, struct sbxi_text *to)
{
	for (size_t i = 0; i < set->n; i++) {
		sbxi_text_add(to, i ? ", " : "");
		sbxi_text_add(to, set->word[i]);
	}
}

static int check_labels(const struct sbxi_mandate *m,
			const struct sbxi_labels *held, struct sbxi_fail *fail)
{
	const struct sbxi_labels *set = sbxi_mandate_forbids(m, held, held);
	char words[160], name[48];
	struct sbxi_text text = SBXI_TEXT(words);

	if (set) {
		list(set, &text);
		return sbxi_fail(fail, SBX_STEP_COMPILE, -EINVAL,
				 "mandate.never_together",
				 "the task holds all of these from its start: %s",
				 words);
	}
	for (size_t i = 0; i < m->n_rules; i++) {
		set = sbxi_mandate_forbids(m, held, &m->rules[i].labels);
		if (!set)
			continue;
		list(set, &text);
		snprintf(name, sizeof(name), "mandate.rules[%zu]", i);
		return sbxi_fail(fail, SBX_STEP_COMPILE, -EINVAL, name,
				 "can never give anything: with what the task holds from its start it completes %s",
				 words);
	}
	return 0;
}

int sbxi_mandate_check(const struct sbx_policy *policy,
		       const struct sbxi_plan *plan, struct sbxi_fail *fail)
{
	struct sbxi_labels held = { .n = 0 };
	int rc = check_rules(&policy->mandate, fail);

	if (rc < 0)
		return rc;
	rc = sbxi_mandate_held(policy, plan, &held);
	if (rc == 0)
		rc = check_labels(&policy->mandate, &held, fail);
	else if (rc == -E2BIG)
		rc = sbxi_fail(fail, SBX_STEP_COMPILE, -EINVAL, "labels",
			       "a task would hold over 64 of them");
	else
		sbxi_fail(fail, SBX_STEP_COMPILE, rc, "labels", NULL);
	sbxi_labels_done(&held);
	return rc;
}

int sbxi_mandate_unenforced(const struct sbx_policy *policy,
			    struct sbxi_fail *fail)
{
	const char *what = NULL;

	if (policy->mandate.n_rules > 0)
		what = "mandate.rules";
	else if (policy->net_mode != SBX_NET_NONE)
		what = "network";
	for (size_t i = 0; !what && i < policy->n_grants; i++)
		if (sbxi_budget_limited(&policy->grants[i].budget))
			what = policy->grants[i].name;
	if (!what)
		return 0;
	return sbxi_fail_remedy(fail, SBX_STEP_ARGUMENT, -EOPNOTSUPP,
				SBXI_REMEDY_VERSION, what,
				"this version cannot enforce it: it has no broker");
}

/* SPDX-License-Identifier: Apache-2.0 */
/* mandate: what a task may ask for while it runs; memory only. */
#include "policy/mandate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/match.h"
#include "policy/paths.h"
#include "policy/policy.h"

#define RULES_MAX 1024
#define NEVER_MAX 64
#define PLACED_MAX 1024
#define PURPOSE_BYTES 1024

static void rule_done(struct sbxi_rule *rule)
{
	sbxi_scope_done(&rule->target);
	sbxi_labels_done(&rule->labels);
}

void sbxi_mandate_done(struct sbxi_mandate *mandate)
{
	for (size_t i = 0; i < mandate->n_rules; i++)
		rule_done(&mandate->rules[i]);
	for (size_t i = 0; i < mandate->n_never; i++)
		sbxi_labels_done(&mandate->never[i]);
	for (size_t i = 0; i < mandate->n_placed; i++) {
		free(mandate->placed[i].path);
		free(mandate->placed[i].real);
		free(mandate->placed[i].label);
	}
	free(mandate->rules);
	free(mandate->never);
	free(mandate->placed);
	*mandate = (struct sbxi_mandate){ .rules = NULL };
}

/* Room for one more. */
static int grow(void **array, size_t n, size_t each)
{
	void *more = reallocarray(*array, n + 1, each);

	if (!more)
		return -ENOMEM;
	*array = more;
	return 0;
}

/* Rules */

/* Rules may not give what no policy can grant. */
static const char *bad_place(const struct sbxi_scope *t)
{
	static const struct sbxi_range here_v4 = { { .v6 = false }, 8 };
	static const struct sbxi_range here_v6 = { { .v6 = true }, 128 };

	if (t->kind == SBX_GRANT_CONNECT && t->form == SBXI_SCOPE_RANGE &&
	    (sbxi_range_within(&here_v4, &t->range) ||
	     sbxi_range_within(&here_v6, &t->range)))
		return "this is no address to connect to";
	if (t->form >= SBXI_SCOPE_SOCKET && t->form <= SBXI_SCOPE_TREE &&
	    t->kind != SBX_GRANT_TASK)
		return sbxi_path_no_source(t->text);
	return NULL;
}

static const char *bad_rule(const struct sbx_rule *from)
{
	bool limited = from->lifetime_ms || from->max_uses ||
		       from->max_bytes_in || from->max_bytes_out ||
		       from->max_cost;

	if (!sbxi_scope_kind_name(from->kind))
		return "there are no rules of this kind";
	if (!from->match)
		return "a rule says what it matches";
	if (from->decision < SBX_DECIDE_GRANT ||
	    from->decision > SBX_DECIDE_DENY)
		return "a rule has a decision";
	if (from->rights & ~sbxi_scope_rights_all(from->kind))
		return "the kind of the rule has no such rights";
	if (from->decision == SBX_DECIDE_DENY &&
	    (limited || (from->labels && from->labels[0])))
		return "a rule that denies has no budget and no labels";
	return NULL;
}

static uint32_t rights_of(const struct sbx_rule *from)
{
	if (from->rights)
		return from->rights;
	if (from->decision == SBX_DECIDE_DENY)
		return sbxi_scope_rights_all(from->kind);
	return sbxi_scope_rights_default(from->kind);
}

static int fill_rule(const struct sbx_rule *from, struct sbxi_rule *to,
		     const char **ret_why)
{
	int rc = sbxi_scope_parse(from->kind, from->match, true, &to->target,
				   ret_why);

	if (rc < 0)
		return rc;
	if (from->decision != SBX_DECIDE_DENY)
		*ret_why = bad_place(&to->target);
	if (*ret_why)
		return -EINVAL;
	rc = sbxi_labels_list(&to->labels, from->labels);
	if (rc == -EINVAL)
		*ret_why = "a label has 1 to 64 of the letters A-Za-z0-9._-";
	if (rc == -E2BIG)
		*ret_why = "a rule has over 64 labels";
	to->rights = rights_of(from);
	to->decision = from->decision;
	to->budget = (struct sbxi_budget){
		.lifetime_ms = sbxi_budget_edge(from->lifetime_ms),
		.most = {
			[SBXI_USES] = sbxi_budget_edge(from->max_uses),
			[SBXI_BYTES_IN] = sbxi_budget_edge(from->max_bytes_in),
			[SBXI_BYTES_OUT] =
				sbxi_budget_edge(from->max_bytes_out),
			[SBXI_COST] = sbxi_budget_edge(from->max_cost),
		},
	};
	return rc;
}

int sbxi_mandate_rule(struct sbxi_mandate *mandate,
		      const struct sbx_rule *rule, struct sbxi_fail *fail)
{
	struct sbxi_rule added = { .rights = 0 };
	void *rules = mandate->rules;
	const char *why = bad_rule(rule);
	char name[48];
	int rc = why ? -EINVAL : 0;

	if (mandate->n_rules == RULES_MAX) {
		why = "a mandate has over 1,024 rules";
		rc = -E2BIG;
	}
	if (rc == 0)
		rc = fill_rule(rule, &added, &why);
	if (rc == 0)
		rc = grow(&rules, mandate->n_rules, sizeof(added));
	if (rc < 0) {
		snprintf(name, sizeof(name), "mandate.rules[%zu]",
			 mandate->n_rules);
		rule_done(&added);
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, rc, name, "%s",
				 why ? why : "out of memory");
	}
	mandate->rules = rules;
	mandate->rules[mandate->n_rules++] = added;
	return 0;
}

bool sbxi_rule_denies(const struct sbxi_rule *rule,
		      const struct sbxi_scope *target, uint32_t rights)
{
	struct sbxi_scope all = *target;
	bool inside = target->kind == SBX_GRANT_DIRECTORY;

	if (rule->decision != SBX_DECIDE_DENY || !(rule->rights & rights))
		return false;
	if (rule->target.kind != target->kind &&
	    !(inside && rule->target.kind == SBX_GRANT_FILE))
		return false;
	if (inside)
		all.form = SBXI_SCOPE_TREE;
	return sbxi_match_meets(&rule->target, &all);
}

bool sbxi_rule_fits(const struct sbxi_rule *rule,
		    const struct sbxi_scope *target, uint32_t rights)
{
	if (rule->decision == SBX_DECIDE_DENY ||
	    rule->target.kind != target->kind)
		return false;
	if (rule->decision == SBX_DECIDE_NARROW ? !(rights & rule->rights) :
						  (rights & ~rule->rights) != 0)
		return false;
	return sbxi_match_names(&rule->target, target);
}

/* Labels */

int sbxi_mandate_never(struct sbxi_mandate *mandate, const char *const *labels)
{
	struct sbxi_labels set = { .n = 0 };
	void *never = mandate->never;
	int rc = mandate->n_never == NEVER_MAX ? -E2BIG : 0;

	if (rc == 0)
		rc = sbxi_labels_list(&set, labels);
	if (rc == 0 && set.n < 2)
		rc = -EINVAL;
	if (rc == 0)
		rc = grow(&never, mandate->n_never, sizeof(set));
	if (rc < 0) {
		sbxi_labels_done(&set);
		return rc;
	}
	mandate->never = never;
	mandate->never[mandate->n_never++] = set;
	return 0;
}

int sbxi_mandate_label(struct sbxi_mandate *mandate, const char *path,
		       const char *label)
{
	AUTO_FREE char *clean = NULL;
	AUTO_FREE char *word = NULL;
	void *placed = mandate->placed;
	const char *why;
	int rc;

	if (!sbxi_label_ok(label))
		return -EINVAL;
	if (mandate->n_placed == PLACED_MAX)
		return -E2BIG;
	rc = sbxi_path_clean(path, &clean, &why);
	if (rc < 0)
		return rc;
	word = strdup(label);
	if (!word || grow(&placed, mandate->n_placed,
			  sizeof(*mandate->placed)) < 0)
		return -ENOMEM;
	mandate->placed = placed;
	mandate->placed[mandate->n_placed++] = (struct sbxi_placed){
		.path = clean, .label = word,
	};
	clean = word = NULL;
	return 0;
}

bool sbxi_purpose_ok(const char *text)
{
	size_t len = strlen(text);

	if (len == 0 || len > PURPOSE_BYTES)
		return false;
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			return false;
	return true;
}

static bool meets(const char *place, const char *path, bool below)
{
	return place && (sbxi_path_within(place, path) ||
			 (below && sbxi_path_within(path, place)));
}

int sbxi_mandate_labels_at(const struct sbxi_mandate *mandate,
			   const char *path, bool below,
			   struct sbxi_labels *to)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < mandate->n_placed; i++) {
		const struct sbxi_placed *p = &mandate->placed[i];

		if (meets(p->path, path, below) || meets(p->real, path, below))
			rc = sbxi_labels_add(to, p->label);
	}
	return rc;
}

static bool covered(const struct sbxi_labels *set,
		    const struct sbxi_labels *a, const struct sbxi_labels *b)
{
	for (size_t i = 0; i < set->n; i++)
		if (!sbxi_labels_has(a, set->word[i]) &&
		    !sbxi_labels_has(b, set->word[i]))
			return false;
	return true;
}

/* What adds no word of a set does not complete it. */
const struct sbxi_labels *
sbxi_mandate_forbids(const struct sbxi_mandate *mandate,
		     const struct sbxi_labels *held,
		     const struct sbxi_labels *more)
{
	for (size_t i = 0; i < mandate->n_never; i++)
		if (sbxi_labels_meet(&mandate->never[i], more) &&
		    covered(&mandate->never[i], held, more))
			return &mandate->never[i];
	return NULL;
}

static int held_by_grants(const struct sbx_policy *p, struct sbxi_labels *to)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < p->n_grants; i++) {
		const struct sbxi_policy_grant *g = &p->grants[i];

		rc = sbxi_labels_join(to, &g->labels);
		if (rc == 0 && g->kind == SBX_GRANT_FILE)
			rc = sbxi_mandate_labels_at(&p->mandate, g->target,
						    false, to);
	}
	return rc;
}

int sbxi_mandate_held(const struct sbx_policy *policy,
		      const struct sbxi_plan *plan, struct sbxi_labels *to)
{
	const struct sbxi_plan_path *paths = sbxi_plan_paths(plan);
	int rc = held_by_grants(policy, to);

	for (uint32_t i = 0; rc == 0 && i < plan->n_paths; i++) {
		const char *source = sbxi_plan_string(plan, paths[i].source);
		const char *dest = sbxi_plan_string(plan, paths[i].dest);

		rc = sbxi_mandate_labels_at(&policy->mandate, source, true, to);
		if (rc == 0)
			rc = sbxi_mandate_labels_at(&policy->mandate, dest,
						    true, to);
	}
	return rc;
}

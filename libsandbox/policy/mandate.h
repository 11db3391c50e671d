/* SPDX-License-Identifier: Apache-2.0 */
/* mandate: what a task may ask for while it runs; memory only. */
#ifndef SBXI_POLICY_MANDATE_H
#define SBXI_POLICY_MANDATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sandbox/policy.h>

#include "base/errors.h"
#include "kernel/plan.h"
#include "policy/budget.h"
#include "policy/labels.h"
#include "policy/scope.h"

struct sbxi_rule {
	struct sbxi_scope target;
	uint32_t rights;	/* never 0 */
	uint32_t decision;	/* SBX_DECIDE_... */
	struct sbxi_budget budget;
	struct sbxi_labels labels;
};

/* A label of a place; strings owned. */
struct sbxi_placed {
	char *path;	/* clean */
	char *real;	/* where that leads, found by compile; NULL = nowhere */
	char *label;
};

/* Zeros are an empty mandate. */
struct sbxi_mandate {
	struct sbxi_rule *rules;
	size_t n_rules;
	struct sbxi_labels *never;	/* each of two words or more */
	size_t n_never;
	struct sbxi_placed *placed;
	size_t n_placed;
};

/*
 * Builders, as those of policy/policy.h: 0, -EINVAL, -ENAMETOOLONG, -E2BIG or
 * -ENOMEM, and then nothing was added.
 */
int sbxi_mandate_rule(struct sbxi_mandate *mandate,
		      const struct sbx_rule *rule, struct sbxi_fail *fail);
int sbxi_mandate_never(struct sbxi_mandate *mandate,
		       const char *const *labels);
int sbxi_mandate_label(struct sbxi_mandate *mandate, const char *path,
		       const char *label);
void sbxi_mandate_done(struct sbxi_mandate *mandate);

/* Is this a text that a purpose may be? */
bool sbxi_purpose_ok(const char *text);

/*
 * Does a rule that denies deny these rights on this?  A directory is denied
 * with anything in it, and by rules about opening files, too.
 */
bool sbxi_rule_denies(const struct sbxi_rule *rule,
		      const struct sbxi_scope *target, uint32_t rights);

/*
 * Does a rule that gives fit a request for these rights on this?  All of
 * them, or, of SBX_DECIDE_NARROW, some.
 */
bool sbxi_rule_fits(const struct sbxi_rule *rule,
		    const struct sbxi_scope *target, uint32_t rights);

/*
 * Add the labels of all places that a path, or with below a tree, meets.
 * 0 or a code of sbxi_labels_add().
 */
int sbxi_mandate_labels_at(const struct sbxi_mandate *mandate,
			   const char *path, bool below,
			   struct sbxi_labels *to);

/* The first set of never_together that held and more complete, or NULL. */
const struct sbxi_labels *
sbxi_mandate_forbids(const struct sbxi_mandate *mandate,
		     const struct sbxi_labels *held,
		     const struct sbxi_labels *more);

/* Labels that every task of the policy holds from its start. */
int sbxi_mandate_held(const struct sbx_policy *policy,
		      const struct sbxi_plan *plan, struct sbxi_labels *to);

/*
 * policy/mandate_check.c, for compile: find where labelled places lead.
 * 0 or a code of sbxi_resolve(), noted.
 */
int sbxi_mandate_find(struct sbxi_mandate *mandate, struct sbxi_fail *fail);

/*
 * Look for contradictions: rules that can never decide, and labels that the
 * policy itself puts together.  0, or -EINVAL or -ENOMEM, noted: the object
 * is the rule, and the text names the other one.
 */
int sbxi_mandate_check(const struct sbx_policy *policy,
		       const struct sbxi_plan *plan, struct sbxi_fail *fail);

/*
 * What a policy says and nothing enforces yet: -EOPNOTSUPP, noted; else 0.
 * The one place that knows; a spawn asks before it does anything.
 */
int sbxi_mandate_unenforced(const struct sbx_policy *policy,
			    struct sbxi_fail *fail);

#endif

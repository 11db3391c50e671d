/* SPDX-License-Identifier: Apache-2.0 */
/* json_mandate: the mandate of a policy file, budgets and labels. */
#include "policy/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

/* Labels */

int sbxi_load_labels(struct sbxi_load *l, const json_t *value,
		     struct sbxi_labels *ret)
{
	int rc = 0;

	if (!json_is_array(value))
		return sbxi_load_bad(l, "has to be a list");
	for (size_t i = 0; rc == 0 && i < json_array_size(value); i++) {
		const char *word = json_string_value(json_array_get(value, i));
		size_t before = sbxi_load_index(l, i);

		rc = word ? sbxi_labels_add(ret, word) : -EINVAL;
		if (rc == -EINVAL)
			sbxi_load_bad(l, "has to be 1 to 64 of the letters A-Za-z0-9._-");
		else if (rc < 0)
			sbxi_fail(l->fail, SBX_STEP_PARSE, rc, l->at, "%s",
				  rc == -E2BIG ? "over 64 labels" :
						 "out of memory");
		sbxi_load_back(l, before);
	}
	return rc;
}

/* Budgets */

static int load_amount(struct sbxi_load *l, const json_t *value, void *into,
		       uint32_t which)
{
	struct sbxi_budget *budget = into;

	return sbxi_load_count(l, value, &budget->most[which]);
}

static int budget_uses(struct sbxi_load *l, const json_t *value, void *into)
{
	return load_amount(l, value, into, SBXI_USES);
}

static int budget_in(struct sbxi_load *l, const json_t *value, void *into)
{
	return load_amount(l, value, into, SBXI_BYTES_IN);
}

static int budget_out(struct sbxi_load *l, const json_t *value, void *into)
{
	return load_amount(l, value, into, SBXI_BYTES_OUT);
}

static int budget_cost(struct sbxi_load *l, const json_t *value, void *into)
{
	return load_amount(l, value, into, SBXI_COST);
}

static int budget_seconds(struct sbxi_load *l, const json_t *value, void *into)
{
	struct sbxi_budget *budget = into;
	uint64_t seconds = 0;
	int rc = sbxi_load_count(l, value, &seconds);

	if (rc < 0)
		return rc;
	if (seconds > (uint64_t)INT64_MAX / 1000)
		return sbxi_load_bad(l, "is over 9,223,372,036,854,775");
	budget->lifetime_ms = seconds * 1000;
	return 0;
}

static const struct sbxi_key budget_keys[] = {
	{ "uses", budget_uses, false },
	{ "bytes_in", budget_in, false },
	{ "bytes_out", budget_out, false },
	{ "cost", budget_cost, false },
	{ "seconds", budget_seconds, false },
	{ NULL, NULL, false },
};

int sbxi_load_budget(struct sbxi_load *l, const json_t *value,
		     struct sbxi_budget *ret)
{
	return sbxi_load_object(l, value, budget_keys, ret);
}

/* Rules */

struct rule {
	struct sbx_rule rule;
	char *match;
	struct sbxi_budget budget;
	struct sbxi_labels labels;
};

static const char *const decisions[] = {
	"grant", "narrow", "ask", "deny", NULL
};

static int rule_kind(struct sbxi_load *l, const json_t *value, void *into)
{
	const char *text = json_string_value(value);
	struct rule *r = into;

	if (!text)
		return sbxi_load_bad(l, "has to be a string");
	r->rule.kind = sbxi_scope_kind_by_name(text);
	if (r->rule.kind == 0)
		return sbxi_load_bad(l, "\"%.80s\" is not known here", text);
	return 0;
}

static int rule_match(struct sbxi_load *l, const json_t *value, void *into)
{
	return sbxi_load_text(l, value, &((struct rule *)into)->match);
}

static int rule_rights(struct sbxi_load *l, const json_t *value, void *into)
{
	return sbxi_load_rights(l, value, "rwx",
				&((struct rule *)into)->rule.rights);
}

static int rule_decision(struct sbxi_load *l, const json_t *value, void *into)
{
	uint32_t index = 0;
	int rc = sbxi_load_word(l, value, decisions, &index);

	((struct rule *)into)->rule.decision = SBX_DECIDE_GRANT + index;
	return rc;
}

static int rule_budget(struct sbxi_load *l, const json_t *value, void *into)
{
	return sbxi_load_budget(l, value, &((struct rule *)into)->budget);
}

static int rule_labels(struct sbxi_load *l, const json_t *value, void *into)
{
	return sbxi_load_labels(l, value, &((struct rule *)into)->labels);
}

static const struct sbxi_key rule_keys[] = {
	{ "kind", rule_kind, true },
	{ "match", rule_match, true },
	{ "decision", rule_decision, true },
	{ "rights", rule_rights, false },
	{ "budget", rule_budget, false },
	{ "labels", rule_labels, false },
	{ NULL, NULL, false },
};

/* Through the same door as a rule of a program. */
static int add_rule(struct sbxi_load *l, struct rule *r)
{
	const char *labels[SBXI_LABELS_MAX + 1] = { NULL };
	struct sbxi_fail why;
	int rc;

	for (size_t i = 0; i < r->labels.n; i++)
		labels[i] = r->labels.word[i];
	r->rule.match = r->match;
	r->rule.labels = labels;
	r->rule.lifetime_ms = r->budget.lifetime_ms;
	r->rule.max_uses = r->budget.most[SBXI_USES];
	r->rule.max_bytes_in = r->budget.most[SBXI_BYTES_IN];
	r->rule.max_bytes_out = r->budget.most[SBXI_BYTES_OUT];
	r->rule.max_cost = r->budget.most[SBXI_COST];
	rc = sbxi_mandate_rule(&l->policy->mandate, &r->rule, &why);
	if (rc < 0)
		sbxi_fail(l->fail, SBX_STEP_PARSE, rc, l->at, "%s", why.text);
	return rc;
}

static int read_rule(struct sbxi_load *l, const json_t *value)
{
	/* Zeros are "no limit" here as they are in struct sbx_rule. */
	struct rule r = { .rule = SBX_RULE_INIT };
	int rc = sbxi_load_object(l, value, rule_keys, &r);

	if (rc == 0)
		rc = add_rule(l, &r);
	free(r.match);
	sbxi_labels_done(&r.labels);
	return rc;
}

/* The mandate itself */

static int read_purpose(struct sbxi_load *l, const json_t *value, void *into)
{
	int rc = sbxi_load_text(l, value, &l->policy->purpose);

	(void)into;
	if (rc < 0)
		return rc;
	if (!sbxi_purpose_ok(l->policy->purpose))
		return sbxi_load_bad(l, "has to have 1 to 1,024 bytes and no control characters");
	return 0;
}

static int read_rules(struct sbxi_load *l, const json_t *value, void *into)
{
	(void)into;
	return sbxi_load_array(l, value, read_rule);
}

static int read_set(struct sbxi_load *l, const json_t *value)
{
	const char *labels[SBXI_LABELS_MAX + 1] = { NULL };
	struct sbxi_labels set = { .n = 0 };
	int rc = sbxi_load_labels(l, value, &set);

	if (rc < 0) {
		sbxi_labels_done(&set);
		return rc;
	}
	for (size_t i = 0; i < set.n; i++)
		labels[i] = set.word[i];
	rc = sbxi_mandate_never(&l->policy->mandate, labels);
	sbxi_labels_done(&set);
	if (rc == -EINVAL)
		return sbxi_load_bad(l, "has to have two labels or more");
	if (rc < 0)
		return sbxi_fail(l->fail, SBX_STEP_PARSE, rc, l->at, "%s",
				 rc == -E2BIG ? "over 64 sets" :
						"out of memory");
	return 0;
}

static int read_never(struct sbxi_load *l, const json_t *value, void *into)
{
	(void)into;
	return sbxi_load_array(l, value, read_set);
}

static const struct sbxi_key mandate_keys[] = {
	{ "purpose", read_purpose, false },
	{ "rules", read_rules, false },
	{ "never_together", read_never, false },
	{ NULL, NULL, false },
};

int sbxi_load_mandate(struct sbxi_load *l, const json_t *value, void *into)
{
	return sbxi_load_object(l, value, mandate_keys, into);
}

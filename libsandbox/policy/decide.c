/* SPDX-License-Identifier: Apache-2.0 */
/* decide: what a mandate says to one request of one task. */
#include "policy/decide.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <sandbox/types.h>

#include "base/text.h"
#include "policy/match.h"
#include "policy/paths.h"

#define SHOWN 100	/* bytes of a target in a reason */

/* A request on its way through the steps. */
struct work {
	const struct sbxi_asker *asker;
	const struct sbxi_mandate *mandate;
	const struct sbxi_request *request;
	struct sbxi_scope target;
	uint32_t rights;	/* asked for; never 0 */
	char shown[SHOWN];	/* the target, for people */
	uint64_t now_ns;
	struct sbxi_decision *d;
};

__attribute__((format(printf, 3, 4)))
static void deny(struct sbxi_decision *d, int code, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(d->reason, sizeof(d->reason), fmt, args);
	va_end(args);
	d->decision = SBX_DECIDE_DENY;
	d->code = code;
	d->rights = 0;
	sbxi_labels_done(&d->labels);
}

static bool denied(const struct sbxi_decision *d)
{
	return d->decision == SBX_DECIDE_DENY;
}

/* "rw", for people. */
static const char *letters(uint32_t rights)
{
	static const char *const words[] = {
		"nothing", "r", "w", "rw", "x", "rx", "wx", "rwx"
	};

	return words[rights & 7];
}

/* 1. What is asked for? */

static const char *unspeakable(const struct sbxi_scope *t)
{
	if (t->form == SBXI_SCOPE_RANGE && t->kind == SBX_GRANT_CONNECT) {
		static const struct sbxi_address v4 = { .v6 = false };
		static const struct sbxi_address v6 = { .v6 = true };

		if (memcmp(&t->range.from, &v4, sizeof(v4)) == 0 ||
		    memcmp(&t->range.from, &v6, sizeof(v6)) == 0)
			return "this is no address to connect to";
	}
	if ((t->form == SBXI_SCOPE_SOCKET || t->form == SBXI_SCOPE_PATH) &&
	    t->kind != SBX_GRANT_TASK)
		return sbxi_path_no_source(t->text);
	return NULL;
}

static int read_request(struct work *w)
{
	const struct sbxi_request *r = w->request;
	const char *why = NULL;
	int rc = sbxi_scope_parse(r->kind, r->target, false, &w->target,
				   &why);

	if (rc == -ENOMEM)
		return rc;
	if (rc < 0) {
		deny(w->d, -EINVAL, "not understood: %s", why);
		return 0;
	}
	sbxi_scope_print(&w->target, w->shown, sizeof(w->shown));
	w->rights = r->rights ? r->rights :
				sbxi_scope_rights_default(r->kind);
	why = unspeakable(&w->target);
	if (why)
		deny(w->d, -EINVAL, "%s: %s", w->shown, why);
	else if (w->rights & ~sbxi_scope_rights_all(r->kind))
		deny(w->d, -EINVAL, "%s: the most that can be asked for is %s",
		     w->shown, letters(sbxi_scope_rights_all(r->kind)));
	return 0;
}

/* 2. Which rule? */

/* Reasons name what could be asked for instead, in place of a refusal alone. */
static void no_rule(struct work *w)
{
	const struct sbxi_mandate *m = w->mandate;
	const char *kind = sbxi_scope_kind_name(w->request->kind);
	char words[140], match[SHOWN];
	struct sbxi_text others = SBXI_TEXT(words);

	for (size_t i = 0; i < m->n_rules; i++) {
		const struct sbxi_rule *rule = &m->rules[i];

		if (rule->decision == SBX_DECIDE_DENY ||
		    rule->target.kind != w->request->kind)
			continue;
		sbxi_scope_print(&rule->target, match, sizeof(match));
		if (sbxi_match_names(&rule->target, &w->target)) {
			deny(w->d, -EACCES,
			     "%s %s: no rule gives %s; ask for %s", kind,
			     w->shown, letters(w->rights),
			     letters(rule->rights));
			w->d->rule = i;
			return;
		}
		if (others.len + strlen(match) + 2 >= others.size)
			continue;
		sbxi_text_add(&others, others.len ? ", " : "");
		sbxi_text_add(&others, match);
	}
	if (others.len > 0)
		deny(w->d, -EACCES, "%s %.60s: no rule allows it; allowed: %s",
		     kind, w->shown, words);
	else
		deny(w->d, -EACCES,
		     "%s %s: no rule allows anything of this kind", kind,
		     w->shown);
}

/* The first rule that denies, or SBXI_NO_RULE. */
static size_t find_deny(const struct sbxi_mandate *m,
			const struct sbxi_scope *t, uint32_t rights)
{
	for (size_t i = 0; i < m->n_rules; i++)
		if (sbxi_rule_denies(&m->rules[i], t, rights))
			return i;
	return SBXI_NO_RULE;
}

static size_t find_fit(const struct sbxi_mandate *m,
		       const struct sbxi_scope *t, uint32_t rights)
{
	for (size_t i = 0; i < m->n_rules; i++)
		if (sbxi_rule_fits(&m->rules[i], t, rights))
			return i;
	return SBXI_NO_RULE;
}

static void denied_by(struct work *w, size_t rule)
{
	deny(w->d, -EACCES, "%s %s: the mandate denies it; do not ask again",
	     sbxi_scope_kind_name(w->request->kind), w->shown);
	w->d->rule = rule;
}

static void pick_rule(struct work *w)
{
	size_t rule = find_deny(w->mandate, &w->target, w->rights);

	if (rule != SBXI_NO_RULE) {
		denied_by(w, rule);
		return;
	}
	rule = find_fit(w->mandate, &w->target, w->rights);
	if (rule == SBXI_NO_RULE) {
		no_rule(w);
		return;
	}
	w->d->rule = rule;
	w->d->decision = w->mandate->rules[rule].decision;
	w->d->rights = w->rights & w->mandate->rules[rule].rights;
}

/* 3. Labels */

static void together(struct work *w, const struct sbxi_labels *set)
{
	char words[100];
	struct sbxi_text text = SBXI_TEXT(words);

	for (size_t i = 0; i < set->n; i++) {
		sbxi_text_add(&text, i ? ", " : "");
		sbxi_text_add(&text, set->word[i]);
	}
	deny(w->d, -EACCES,
	     "%.80s: with what the task has held it would hold all of: %s",
	     w->shown, words);
}

static int add_labels(struct work *w, const struct sbxi_rule *rule)
{
	const struct sbxi_labels *set;
	struct sbxi_decision *d = w->d;
	uint32_t kind = w->request->kind;
	int rc = sbxi_labels_join(&d->labels, &rule->labels);

	if (rc == 0 && (kind == SBX_GRANT_FILE || kind == SBX_GRANT_DIRECTORY))
		rc = sbxi_mandate_labels_at(w->mandate, w->target.text,
					    kind == SBX_GRANT_DIRECTORY,
					    &d->labels);
	if (rc < 0)
		return rc;
	set = sbxi_mandate_forbids(w->mandate, &w->asker->held, &d->labels);
	if (set)
		together(w, set);
	return 0;
}

/* 4. Budgets */

static bool add_budget(struct work *w, size_t rule)
{
	const struct sbxi_meter *meter = &w->asker->meters[rule];
	struct sbxi_budget left = w->mandate->rules[rule].budget;

	for (uint32_t i = 0; i < SBXI_N_AMOUNTS; i++) {
		left.most[i] = sbxi_meter_left(meter, i);
		if (left.most[i] > 0)
			continue;
		deny(w->d, -EDQUOT, "%s: the %s that the mandate gives are used up",
		     w->shown, sbxi_amount_name(i));
		return false;
	}
	sbxi_budget_narrow(&w->d->budget, &left);
	return true;
}

/* Who named no limit did not ask for more than there is. */
static bool is_cut(uint64_t asked, uint64_t given)
{
	return asked != SBXI_NO_LIMIT && asked > given;
}

/* The amount that is less than what was asked for, or SBXI_N_AMOUNTS. */
static uint32_t first_cut(const struct sbxi_budget *asked,
			  const struct sbxi_budget *given)
{
	uint32_t i = 0;

	while (i < SBXI_N_AMOUNTS && !is_cut(asked->most[i], given->most[i]))
		i++;
	return i;
}

/* A rule that grants gives all that was asked for, or says that it does not. */
static void check_asked(struct work *w)
{
	const struct sbxi_budget *asked = &w->request->budget;
	const struct sbxi_budget *given = &w->d->budget;
	uint32_t cut = first_cut(asked, given);

	if (w->d->decision != SBX_DECIDE_GRANT)
		return;
	if (is_cut(asked->lifetime_ms, given->lifetime_ms))
		deny(w->d, -EACCES, "%s: ask for at most %llu ms", w->shown,
		     (unsigned long long)given->lifetime_ms);
	else if (cut < SBXI_N_AMOUNTS)
		deny(w->d, -EACCES, "%s: ask for at most %llu %s", w->shown,
		     (unsigned long long)given->most[cut],
		     sbxi_amount_name(cut));
}

/* 5. Questions */

static const struct sbxi_answer *find_answer(const struct work *w)
{
	const struct sbxi_asker *a = w->asker;
	const struct sbxi_answer *found = NULL;

	for (size_t i = 0; i < a->n_answers; i++) {
		const struct sbxi_answer *answer = &a->answers[i];
		bool no = answer->decision != SBX_DECIDE_GRANT;

		if (answer->target.kind != w->target.kind ||
		    !sbxi_match_covers(&answer->target, &w->target))
			continue;
		if (no && (answer->rights & w->rights))
			return answer;
		if (!no && !(w->rights & ~answer->rights))
			found = answer;
	}
	return found;
}

static void ask(struct work *w)
{
	const struct sbxi_answer *answer = find_answer(w);
	uint64_t wait = sbxi_bucket_wait(&w->asker->asks, w->now_ns);

	if (answer && answer->decision != SBX_DECIDE_GRANT) {
		deny(w->d, -EACCES,
		     "%s: it was refused for the whole task; do not ask again",
		     w->shown);
	} else if (answer) {
		w->d->decision = SBX_DECIDE_NARROW;
		w->d->rights &= answer->rights;
		sbxi_budget_narrow(&w->d->budget, &answer->budget);
	} else if (wait > 0) {
		deny(w->d, -EAGAIN,
		     "%s: too many questions; ask again in %llu ms", w->shown,
		     (unsigned long long)(wait / 1000000 + 1));
	}
}

/* What came of it, in words. */
static void settle(struct work *w)
{
	struct sbxi_decision *d = w->d;
	const struct sbxi_budget *asked = &w->request->budget;
	bool less = d->rights != w->rights ||
		    is_cut(asked->lifetime_ms, d->budget.lifetime_ms) ||
		    first_cut(asked, &d->budget) < SBXI_N_AMOUNTS;

	if (d->decision == SBX_DECIDE_ASK) {
		snprintf(d->reason, sizeof(d->reason),
			 "%s: waiting for an answer", w->shown);
		return;
	}
	d->decision = less ? SBX_DECIDE_NARROW : SBX_DECIDE_GRANT;
	snprintf(d->reason, sizeof(d->reason), "%s: %s %s", w->shown,
		 less ? "given with less than was asked for:" : "given:",
		 letters(d->rights));
}

/* Labels and budgets of a rule that takes part in the decision. */
static int apply(struct work *w, size_t rule)
{
	int rc = add_labels(w, &w->mandate->rules[rule]);

	if (rc == 0 && !denied(w->d))
		add_budget(w, rule);
	return rc;
}

static int run(struct work *w)
{
	int rc = read_request(w);

	if (rc == 0 && !denied(w->d))
		pick_rule(w);
	if (rc == 0 && !denied(w->d))
		rc = apply(w, w->d->rule);
	if (rc < 0 || denied(w->d))
		return rc;
	check_asked(w);
	if (w->d->decision == SBX_DECIDE_ASK)
		ask(w);
	if (!denied(w->d))
		settle(w);
	return 0;
}

int sbxi_decide(const struct sbxi_asker *asker,
		const struct sbxi_request *request, uint64_t now_ns,
		struct sbxi_decision *ret)
{
	struct work w = {
		.asker = asker,
		.mandate = &asker->policy->mandate,
		.request = request,
		.now_ns = now_ns,
		.d = ret,
	};
	int rc;

	*ret = (struct sbxi_decision){
		.rule = SBXI_NO_RULE, .budget = request->budget,
	};
	rc = run(&w);
	sbxi_scope_done(&w.target);
	if (rc < 0)
		deny(ret, -EACCES, "there is no memory to decide with");
	return rc;
}

/* Addresses */

/* "*" and ranges of public addresses do not mean the host itself. */
static bool names_own(const struct sbxi_rule *rule,
		      const struct sbxi_scope *target)
{
	return rule->target.form == SBXI_SCOPE_RANGE &&
	       sbxi_range_within(&target->range, &rule->target.range);
}

static size_t find_named(const struct work *w, bool own)
{
	for (size_t i = 0; i < w->mandate->n_rules; i++) {
		const struct sbxi_rule *rule = &w->mandate->rules[i];

		if (sbxi_rule_fits(rule, &w->target, w->rights) &&
		    (!own || names_own(rule, &w->target)))
			return i;
	}
	return SBXI_NO_RULE;
}

/* Questions and answers are about what was asked for. */
static int ask_by_name(struct work *w)
{
	struct sbxi_scope address = w->target;
	const char *why;
	int rc = sbxi_scope_parse(w->request->kind, w->request->target, false,
				   &w->target, &why);

	if (rc == 0) {
		w->d->decision = SBX_DECIDE_ASK;
		ask(w);
		sbxi_scope_done(&w->target);
	}
	w->target = address;
	return rc;
}

static int name_needed(struct work *w, bool own,
		       enum sbxi_address_class class)
{
	uint32_t before = w->d->decision;
	size_t rule = find_named(w, own);
	int rc;

	if (rule == SBXI_NO_RULE) {
		deny(w->d, -EACCES,
		     "%.80s leads to %s address %.50s, which no rule names",
		     w->request->target,
		     own ? "the host's own" :
			   sbxi_address_class_name(class),
		     w->shown);
		return 0;
	}
	rc = apply(w, rule);
	if (rc < 0 || denied(w->d))
		return rc;
	w->d->rights &= w->mandate->rules[rule].rights;
	if (w->mandate->rules[rule].decision == SBX_DECIDE_ASK)
		return ask_by_name(w);
	if (w->mandate->rules[rule].decision > before)
		w->d->decision = w->mandate->rules[rule].decision;
	return 0;
}

static int run_address(struct work *w, bool own)
{
	enum sbxi_address_class class =
		sbxi_address_class(&w->target.range.from);
	size_t rule = find_deny(w->mandate, &w->target, w->rights);

	sbxi_scope_print(&w->target, w->shown, sizeof(w->shown));
	if (rule != SBXI_NO_RULE) {
		denied_by(w, rule);
		return 0;
	}
	if (class == SBXI_ADDRESS_PUBLIC && !own)
		return 0;
	return name_needed(w, class == SBXI_ADDRESS_PUBLIC, class);
}

int sbxi_decide_address(const struct sbxi_asker *asker,
			const struct sbxi_request *request,
			const struct sbxi_address *address, uint16_t port,
			bool own, uint64_t now_ns,
			struct sbxi_decision *decision)
{
	struct work w = {
		.asker = asker,
		.mandate = &asker->policy->mandate,
		.request = request,
		.target = {
			.kind = request->kind,
			.form = SBXI_SCOPE_RANGE,
			.port_low = port,
			.port_high = port,
		},
		.rights = decision->rights,
		.now_ns = now_ns,
		.d = decision,
	};
	struct sbxi_address plain = *address;
	int rc;

	if (denied(decision))
		return 0;
	sbxi_address_unwrap(&plain);
	w.target.range = sbxi_range_of(&plain);
	rc = run_address(&w, own);
	if (rc < 0)
		deny(decision, -EACCES, "there is no memory to decide with");
	return rc;
}

void sbxi_decision_done(struct sbxi_decision *decision)
{
	sbxi_labels_done(&decision->labels);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random policies: where the child is accepted, whatever it can get, now or
 * by asking, the parent can get, too.
 */
#include "mandate_test.h"
#include "scratch.h"

#include "policy/decide.h"
#include "policy/paths.h"
#include "policy/subset.h"

static struct sbx_policy *parent;
static uint64_t seed = 88172645463325252ull;

static void make_both(void)
{
	make_scratch();
	make();
	cr_assert_eq(sbxi_policy_new(SBX_PROFILE_EMPTY, &parent), 0);
}

static void drop_both(void)
{
	drop();
	sbxi_policy_free(parent);
	drop_scratch();
}

TestSuite(subset_property, .init = make_both, .fini = drop_both,
	  .timeout = 300);

/* The same numbers each time. */
static uint32_t below(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 20) % n;
}

static const char *const words[] = { "private", "egress", "other", NULL };

/* Rules */

struct choice {
	uint32_t kind;
	const char *match;
};

static const struct choice rules[] = {
	{ CONNECT, "tcp:*:80" }, { CONNECT, "tcp:*.org:80" },
	{ CONNECT, "tcp:*.org:1-90" }, { CONNECT, "tcp:a.org:80" },
	{ CONNECT, "tcp:*.a.org:80-81" }, { CONNECT, "tcp:10.0.0.0/8:80" },
	{ CONNECT, "tcp:10.1.2.3:80" }, { CONNECT, "tcp:0.0.0.0/0:80" },
	{ CONNECT, "tcp:9.9.9.9:80" }, { CONNECT, "tcp:localhost:80" },
	{ CONNECT, "tcp:127.0.0.0/8:1-65535" }, { CONNECT, "unix:/run/" },
	{ CONNECT, "unix:/run/x" }, { OPEN, "/srv/" }, { OPEN, "/srv/a" },
	{ OPEN, "/srv/a/" }, { OPEN, "/srv/a/b" }, { DIRECTORY, "/srv/" },
	{ DIRECTORY, "/srv/a/" }, { DIRECTORY, "/srv/a" },
};

static const struct choice asked[] = {
	{ CONNECT, "tcp:a.org:80" }, { CONNECT, "tcp:b.a.org:80" },
	{ CONNECT, "tcp:b.a.org:81" }, { CONNECT, "tcp:c.org:90" },
	{ CONNECT, "tcp:c.net:80" }, { CONNECT, "tcp:10.1.2.3:80" },
	{ CONNECT, "tcp:10.9.9.9:80" }, { CONNECT, "tcp:9.9.9.9:80" },
	{ CONNECT, "tcp:8.8.8.8:80" }, { CONNECT, "tcp:localhost:80" },
	{ CONNECT, "tcp:127.0.0.1:80" }, { CONNECT, "tcp:127.0.0.1:81" },
	{ CONNECT, "tcp:[::1]:80" }, { CONNECT, "unix:/run/x" },
	{ CONNECT, "unix:/run/y" }, { OPEN, "/srv/a" }, { OPEN, "/srv/a/b" },
	{ OPEN, "/srv/a/c" }, { OPEN, "/srv/z" }, { DIRECTORY, "/srv" },
	{ DIRECTORY, "/srv/a" }, { DIRECTORY, "/srv/a/b" },
};

static const char *const addresses[] = {
	"10.1.2.3", "10.9.9.9", "9.9.9.9", "8.8.8.8", "127.0.0.1", "::1",
	"169.254.169.254", "::ffff:10.1.2.3",
};

static void any_rule(void)
{
	const char *labels[3] = { NULL };
	const struct choice *c = &rules[below(COUNT(rules))];
	struct sbx_rule r = rule_of(c->kind, c->match, below(4),
				    GRANT + below(4));

	if (r.decision != DENY) {
		r.max_uses = below(3) ? 0 : 1 + below(4);
		r.max_bytes_in = below(3) ? 0 : 1 + below(4);
		labels[0] = below(2) ? words[below(3)] : NULL;
		r.labels = labels;
	}
	put(&r);
}

/* A rule of the parent, as it is or changed a little. */
static void like(const struct sbxi_rule *p)
{
	const char *labels[SBXI_LABELS_MAX + 1] = { NULL };
	const struct choice *c = &rules[below(COUNT(rules))];
	struct sbx_rule r = SBX_RULE_INIT;
	char match[100];

	sbxi_scope_print(&p->target, match, sizeof(match));
	r.kind = p->target.kind;
	r.match = match;
	r.decision = p->decision;
	r.rights = p->rights;
	if (below(3) == 0 && c->kind == r.kind)
		r.match = c->match;
	if (r.decision != DENY) {
		if (below(3) == 0)
			r.decision = GRANT + below(3);
		if (below(4) == 0)
			r.rights = 1 + below(3);
		r.max_uses = p->budget.most[SBXI_USES];
		r.max_bytes_in = p->budget.most[SBXI_BYTES_IN];
		if (below(3) == 0)
			r.max_uses = 1 + below(3);
		for (size_t i = 0; i < p->labels.n && below(8); i++)
			labels[i] = p->labels.word[i];
		r.labels = labels;
	}
	put(&r);
}

static void random_mandates(void)
{
	struct sbx_policy *child = policy;
	size_t n = 1 + below(4);

	sbxi_mandate_done(&policy->mandate);
	sbxi_mandate_done(&parent->mandate);
	policy = parent;
	for (size_t i = 0; i < n; i++)
		any_rule();
	if (below(2))
		never("private", "egress");
	policy = child;
	for (size_t i = 0; i < n; i++)
		if (parent->mandate.rules[i].decision == DENY ? below(6) :
								below(3))
			like(&parent->mandate.rules[i]);
	if (below(5) == 0)
		any_rule();
	if (parent->mandate.n_never && below(8))
		never("egress", "private");
}

static void begin(struct sbxi_asker *a, const struct sbx_policy *p,
		  const char *held)
{
	size_t n = p->mandate.n_rules;

	*a = (struct sbxi_asker){ .policy = p };
	sbxi_bucket_init(&a->asks, 0, 1);
	a->meters = calloc(n + 1, sizeof(*a->meters));
	cr_assert_not_null(a->meters);
	for (size_t i = 0; i < n; i++)
		sbxi_meter_init(&a->meters[i], &p->mandate.rules[i].budget,
				NULL);
	if (held)
		cr_assert_eq(sbxi_labels_add(&a->held, held), 0);
}

/* Where a request may lead: a number to itself, localhost to loopback. */
static bool leads_to(const struct choice *what, struct sbxi_address *ret)
{
	const char *text = addresses[below(COUNT(addresses))];
	struct sbxi_scope s = { .kind = 0 };
	const char *why;

	cr_assert_eq(sbxi_scope_parse(what->kind, what->match, false, &s,
				      &why), 0);
	if (s.form == SBXI_SCOPE_LOCALHOST)
		text = below(2) ? "127.0.0.1" : "::1";
	cr_assert_eq(sbxi_address_parse(text, ret), 0);
	if (s.form == SBXI_SCOPE_RANGE)
		*ret = s.range.from;
	sbxi_scope_done(&s);
	return s.form <= SBXI_SCOPE_RANGE && s.port_low == 80;
}

/* Decide, and go on to an address if there is one. */
static void decide(const struct sbxi_asker *a, const struct sbxi_request *r,
		   const struct sbxi_address *to, bool own,
		   struct sbxi_decision *d)
{
	cr_assert_eq(sbxi_decide(a, r, 0, d), 0);
	if (to)
		cr_assert_eq(sbxi_decide_address(a, r, to, 80, own, 0, d), 0);
}

/* What the child got, asked for by the parent. */
static void parent_gets(struct sbxi_asker *p, const struct sbxi_request *r,
			const struct sbxi_address *to, bool own,
			const struct sbxi_decision *got)
{
	struct sbxi_request same = *r;
	struct sbxi_decision d;

	same.rights = got->rights;
	same.budget = got->budget;
	decide(p, &same, to, own, &d);
	cr_assert_neq(d.decision, DENY, "%s: child: %s; parent: %s",
		      r->target, got->reason, d.reason);
	if (got->decision != ASK) {
		cr_assert_neq(d.decision, ASK, "%s", r->target);
		cr_assert_eq(got->rights & ~d.rights, 0, "%s", r->target);
		cr_assert(sbxi_budget_within(&got->budget, &d.budget));
		cr_assert(sbxi_labels_cover(&got->labels, &d.labels));
		cr_assert_eq(sbxi_asker_granted(p, &d), 0);
	}
	sbxi_decision_done(&d);
}

/* One request after the other, of both; budgets and labels go on. */
static size_t compare(void)
{
	const char *held = words[below(4)];
	struct sbxi_asker c, p;
	size_t got = 0;

	begin(&c, policy, held);
	begin(&p, parent, held);
	for (int i = 0; i < 40; i++) {
		const struct choice *what = &asked[below(COUNT(asked))];
		struct sbxi_request r = {
			.kind = what->kind, .target = what->match,
			.rights = below(4), .budget = sbxi_budget_none(),
		};
		bool own = below(4) == 0;
		struct sbxi_address to;
		bool net = leads_to(what, &to) && below(2);
		struct sbxi_decision d;

		if (below(4) == 0)
			r.budget.most[SBXI_BYTES_IN] = 1 + below(4);
		decide(&c, &r, net ? &to : NULL, own, &d);
		if (d.decision != DENY) {
			parent_gets(&p, &r, net ? &to : NULL, own, &d);
			got++;
		}
		if (d.decision == GRANT || d.decision == NARROW)
			cr_assert_eq(sbxi_asker_granted(&c, &d), 0);
		sbxi_decision_done(&d);
	}
	sbxi_asker_done(&c);
	sbxi_asker_done(&p);
	return got;
}

Test(subset_property, an_accepted_mandate_gives_at_most_what_the_parents_does)
{
	size_t accepted = 0, refused = 0, got = 0;

	for (int i = 0; i < 20000; i++) {
		random_mandates();
		if (sbxi_subset_rules(&policy->mandate, &parent->mandate,
				      &fail) == 0) {
			accepted++;
			got += compare();
		} else {
			refused++;
		}
	}
	/* Or it would have shown nothing. */
	cr_expect_gt(accepted, 2000, "%zu", accepted);
	cr_expect_gt(refused, 2000, "%zu", refused);
	cr_expect_gt(got, 5000, "%zu", got);
}

/* Files */

static const char *const names[] = {
	"d", "d/a", "d/a/b", "d/a/b/c", "d/x", "d/x/y", "e", "e/a", "d/l",
};

static void any_path(void)
{
	static const char *const dests[] = {
		"/m", "/m/a", "/n", "d/x", "d/a", "e",
	};
	const char *name = names[below(COUNT(names))];
	const char *dest = dests[below(COUNT(dests))];

	if (below(4))
		dest = NULL;
	else if (dest[0] != '/')
		dest = in(dest);
	cr_assert_eq(sbxi_policy_add_path(policy, in(name), dest,
					  1 + below(3), 0, &fail), 0);
}

static const char *text(const struct sbxi_plan *plan, uint32_t at)
{
	return sbxi_plan_string(plan, at);
}

/* All rights that a plan gives on a file of the host, by whatever place. */
static uint32_t rights_on(const struct sbxi_plan *plan, const char *file)
{
	const struct sbxi_plan_path *p = sbxi_plan_paths(plan);
	uint32_t rights = 0;
	char place[PATH_MAX * 2];

	for (uint32_t i = 0; i < plan->n_paths; i++) {
		const char *source = text(plan, p[i].source);
		uint32_t best = i;

		if (!sbxi_path_within(source, file))
			continue;
		snprintf(place, sizeof(place), "%s%s", text(plan, p[i].dest),
			 file + strlen(source));
		for (uint32_t k = 0; k < plan->n_paths; k++)
			if (sbxi_path_within(text(plan, p[k].dest), place) &&
			    strlen(text(plan, p[k].dest)) >
			    strlen(text(plan, p[best].dest)))
				best = k;
		if (best == i)
			rights |= p[i].rights;
	}
	return rights;
}

static int plan_of(struct sbx_policy *p, size_t from, size_t n,
		   struct sbxi_plan **ret)
{
	struct sbx_policy *child = policy;
	int rc;

	while (p->n_paths > from) {
		p->n_paths--;
		free(p->paths[p->n_paths].source);
		free(p->paths[p->n_paths].dest);
	}
	policy = p;
	while (n-- > 0)
		any_path();
	policy = child;
	rc = sbxi_policy_plan(p, ret, &fail);
	cr_assert(rc == 0 || rc == -EINVAL, "%s: %s", fail.object, fail.text);
	return rc;
}

Test(subset_property, an_accepted_plan_reaches_at_most_what_the_parents_does)
{
	size_t accepted = 0, refused = 0, reached = 0;

	for (size_t i = 0; i < COUNT(names) - 1; i++)
		make_dir(names[i]);
	make_link("../e", "d/l");
	for (int i = 0; i < 600; i++) {
		struct sbxi_plan *c = NULL, *p = NULL;

		if (plan_of(parent, 0, 1 + below(4), &p) == 0 &&
		    plan_of(policy, 0, 1 + below(3), &c) == 0) {
			if (sbxi_subset_paths(c, p, &fail) < 0) {
				refused++;
			} else {
				accepted++;
				for (size_t k = 0; k < COUNT(names) - 1; k++) {
					uint32_t has = rights_on(c,
								 in(names[k]));

					reached += has != 0;
					cr_assert_eq(has & ~rights_on(p, in(names[k])),
						     0, "%s", names[k]);
				}
			}
		}
		free(c);
		free(p);
	}
	cr_expect_gt(accepted, 40, "%zu", accepted);
	cr_expect_gt(refused, 100, "%zu", refused);
	cr_expect_gt(reached, 40, "%zu", reached);
}

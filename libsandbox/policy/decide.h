/* SPDX-License-Identifier: Apache-2.0 */
/* decide: what a mandate says to one request of one task. */
#ifndef SBXI_POLICY_DECIDE_H
#define SBXI_POLICY_DECIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policy/address.h"
#include "policy/budget.h"
#include "policy/labels.h"
#include "policy/policy.h"
#include "policy/ratelimit.h"
#include "policy/scope.h"

/* Of questions to people: five at once, then one each second. */
#define SBXI_ASKS_BURST 5
#define SBXI_ASKS_INTERVAL_NS 1000000000ull

#define SBXI_NO_RULE SIZE_MAX

/* What a task asks for; nothing of it is trusted. */
struct sbxi_request {
	uint32_t kind;			/* SBX_GRANT_... */
	const char *target;
	uint32_t rights;		/* 0 = the usual ones of the kind */
	struct sbxi_budget budget;	/* sbxi_budget_none() = what there is */
};

/* An answer that holds until the task ends. */
struct sbxi_answer {
	struct sbxi_scope target;
	uint32_t rights;
	uint32_t decision;		/* SBX_DECIDE_GRANT or _DENY */
	struct sbxi_budget budget;
};

/*
 * What is remembered of one task.  One thread at a time, but for meters.
 * The policy outlives it.
 */
struct sbxi_asker {
	const struct sbx_policy *policy;
	struct sbxi_labels held;	/* has held ever; neighbours' too */
	struct sbxi_answer *answers;
	size_t n_answers;
	struct sbxi_bucket asks;
	struct sbxi_meter *meters;	/* one a rule, what all its grants used */
};

struct sbxi_decision {
	uint32_t decision;		/* SBX_DECIDE_...; _NARROW = less than asked */
	int code;			/* 0, or of a denial: for the task */
	size_t rule;			/* that decided, or SBXI_NO_RULE */
	uint32_t rights;
	struct sbxi_budget budget;
	struct sbxi_labels labels;	/* that the grant bears; owned */
	char reason[224];		/* for the task; never empty */
};

/* The policy is frozen.  0 or -ENOMEM or -E2BIG. */
int sbxi_asker_init(struct sbxi_asker *asker, const struct sbx_policy *policy);
void sbxi_asker_done(struct sbxi_asker *asker);

/*
 * Decide.  Nothing changes but *ret, which is for sbxi_decision_done().
 *
 * Rules that deny, then the first that fits; then labels against
 * never_together; then what is left of budgets; then, where the rule says
 * ask, answers that were remembered, and whether there may be a question now.
 * A path is taken as it is written: who opens it decides again for the place
 * where it led.
 *
 * Codes of denials: -EINVAL (no such thing can be asked for), -EACCES (no
 * rule, a rule, or labels), -EDQUOT (used up), -EAGAIN (too many questions).
 * Returns 0, or -ENOMEM or -E2BIG: then the request is denied, too.
 */
int sbxi_decide(const struct sbxi_asker *asker,
		const struct sbxi_request *request, uint64_t now_ns,
		struct sbxi_decision *ret);

/*
 * Decide about an address that stands behind the name of a host, or was asked
 * for by number: *decision becomes stricter, or stays.  A public one is
 * denied only by rules that deny.  Any other needs a rule that names it
 * (sbxi_match_names()), and a public one that is the host's own (own) a rule
 * for it alone; the labels of that rule are added, and its limits hold for
 * this grant too.  port: of the request.  0, or -ENOMEM or -E2BIG, and *decision is a denial.
 */
int sbxi_decide_address(const struct sbxi_asker *asker,
			const struct sbxi_request *request,
			const struct sbxi_address *address, uint16_t port,
			bool own, uint64_t now_ns,
			struct sbxi_decision *decision);

void sbxi_decision_done(struct sbxi_decision *decision);

/* A question is put to somebody: 0, or -EAGAIN and it is not. */
int sbxi_asker_asked(struct sbxi_asker *asker, uint64_t now_ns);

/*
 * A grant is made: its labels are held from now on, and one use of the rule
 * is charged.  0, or -EDQUOT, -E2BIG or -ENOMEM: then no grant is made.
 */
int sbxi_asker_granted(struct sbxi_asker *asker,
		       const struct sbxi_decision *decision);

/*
 * Remember an answer until the task ends.
 *
 * decision: SBX_DECIDE_GRANT of at most rights and budget, or SBX_DECIDE_DENY.
 * 0, -EINVAL (the request), -ENOSPC (too many are remembered: it counts once)
 * or -ENOMEM.
 */
int sbxi_asker_remember(struct sbxi_asker *asker,
			const struct sbxi_request *request, uint32_t decision,
			uint32_t rights, const struct sbxi_budget *budget);

#endif

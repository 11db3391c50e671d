/* SPDX-License-Identifier: Apache-2.0 */
/* asker: what is remembered of a task that asks. */
#include "policy/decide.h"

#include <errno.h>
#include <stdlib.h>

#define ANSWERS_MAX 256

int sbxi_asker_init(struct sbxi_asker *asker, const struct sbx_policy *policy)
{
	const struct sbxi_mandate *m = &policy->mandate;
	int rc;

	*asker = (struct sbxi_asker){ .policy = policy };
	sbxi_bucket_init(&asker->asks, SBXI_ASKS_INTERVAL_NS, SBXI_ASKS_BURST);
	if (m->n_rules > 0) {
		asker->meters = calloc(m->n_rules, sizeof(*asker->meters));
		if (!asker->meters)
			return -ENOMEM;
	}
	for (size_t i = 0; i < m->n_rules; i++)
		sbxi_meter_init(&asker->meters[i], &m->rules[i].budget, NULL);
	rc = sbxi_mandate_held(policy, policy->plan, &asker->held);
	if (rc < 0)
		sbxi_asker_done(asker);
	return rc;
}

void sbxi_asker_done(struct sbxi_asker *asker)
{
	for (size_t i = 0; i < asker->n_answers; i++)
		sbxi_scope_done(&asker->answers[i].target);
	free(asker->answers);
	free(asker->meters);
	sbxi_labels_done(&asker->held);
	asker->answers = NULL;
	asker->meters = NULL;
	asker->n_answers = 0;
}

int sbxi_asker_asked(struct sbxi_asker *asker, uint64_t now_ns)
{
	return sbxi_bucket_take(&asker->asks, now_ns);
}

/* Labels first: those that are too many err towards refusal. */
int sbxi_asker_granted(struct sbxi_asker *asker,
		       const struct sbxi_decision *decision)
{
	int rc = sbxi_labels_join(&asker->held, &decision->labels);

	if (rc < 0 || decision->rule == SBXI_NO_RULE)
		return rc;
	return sbxi_meter_charge(&asker->meters[decision->rule], SBXI_USES, 1);
}

int sbxi_asker_remember(struct sbxi_asker *asker,
			const struct sbxi_request *request, uint32_t decision,
			uint32_t rights, const struct sbxi_budget *budget)
{
	struct sbxi_answer answer = {
		.rights = rights, .decision = decision, .budget = *budget,
	};
	struct sbxi_answer *more;
	const char *why;
	int rc;

	if (asker->n_answers == ANSWERS_MAX)
		return -ENOSPC;
	rc = sbxi_scope_parse(request->kind, request->target, false,
			       &answer.target, &why);
	if (rc < 0)
		return rc == -ENOMEM ? rc : -EINVAL;
	more = reallocarray(asker->answers, asker->n_answers + 1,
			    sizeof(*more));
	if (!more) {
		sbxi_scope_done(&answer.target);
		return -ENOMEM;
	}
	asker->answers = more;
	asker->answers[asker->n_answers++] = answer;
	return 0;
}

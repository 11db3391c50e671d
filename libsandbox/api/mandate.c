/* SPDX-License-Identifier: Apache-2.0 */
/* mandate: the exported functions about what a task may ask for. */
#include <sandbox/policy.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "policy/policy.h"
#include "policy/subset.h"

/* A rule of a caller that may be newer than this library. */
static int take_rule(const struct sbx_rule *from, struct sbx_rule *to,
		     struct sbxi_fail *fail)
{
	const unsigned char *bytes = (const unsigned char *)from;

	if (from->size < sizeof(*to))
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, -EINVAL, "rule.size",
				 "%u is less than any version has: begin with SBX_RULE_INIT",
				 from->size);
	if (from->size > 4096)
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, -E2BIG, "rule.size",
				 "it is larger than any version's");
	for (size_t i = sizeof(*to); i < from->size; i++)
		if (bytes[i] != 0)
			return sbxi_fail(fail, SBX_STEP_ARGUMENT, -E2BIG,
					 "rule.size",
					 "a rule that this version does not know");
	memcpy(to, from, sizeof(*to));
	return 0;
}

int sbx_policy_rule(struct sbx_policy *policy, const struct sbx_rule *rule,
		    struct sbx_error *reterr)
{
	struct sbxi_fail fail = { .step = SBX_STEP_ARGUMENT };
	struct sbx_rule own;
	int rc = sbxi_policy_check_changeable(policy, &fail);

	if (rc == 0)
		rc = take_rule(rule, &own, &fail);
	if (rc == 0)
		rc = sbxi_mandate_rule(&policy->mandate, &own, &fail);
	return sbxi_fail_export(&fail, rc, reterr);
}

int sbx_policy_never_together(struct sbx_policy *policy,
			      const char *const *labels)
{
	int rc = sbxi_policy_changeable(policy);

	return rc < 0 ? rc : sbxi_mandate_never(&policy->mandate, labels);
}

int sbx_policy_label(struct sbx_policy *policy, const char *path,
		     const char *label)
{
	int rc = sbxi_policy_changeable(policy);

	return rc < 0 ? rc : sbxi_mandate_label(&policy->mandate, path, label);
}

int sbx_policy_purpose(struct sbx_policy *policy, const char *text)
{
	int rc = sbxi_policy_changeable(policy);
	char *copy;

	if (rc < 0)
		return rc;
	if (!sbxi_purpose_ok(text))
		return -EINVAL;
	copy = strdup(text);
	if (!copy)
		return -ENOMEM;
	free(policy->purpose);
	policy->purpose = copy;
	return 0;
}

int sbx_policy_subset(const struct sbx_policy *child,
		      const struct sbx_policy *parent,
		      struct sbx_error *reterr)
{
	struct sbxi_fail fail = { .step = SBX_STEP_ARGUMENT };
	int rc;

	if (child->owner != getpid() || parent->owner != getpid())
		rc = sbxi_fail(&fail, SBX_STEP_ARGUMENT, -ECHILD, "policy",
			       "this is a forked copy of the process that made it");
	else
		rc = sbxi_policy_subset(child, parent, &fail);
	return sbxi_fail_export(&fail, rc, reterr);
}

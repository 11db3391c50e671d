/* SPDX-License-Identifier: Apache-2.0 */
/* tier: which kind of jail a host gives, and why not a better one. */
#ifndef SBXI_SPAWN_TIER_H
#define SBXI_SPAWN_TIER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/errors.h"
#include "policy/policy.h"

/* The tier to try first: what the last spawn of this policy found. */
uint32_t sbxi_tier_first(struct sbx_policy *policy);

/*
 * Did an attempt in tier A fail because a mechanism of it is not to be had?
 * Then note why, for reports and later errors, and answer true.
 */
bool sbxi_tier_refused(struct sbx_policy *policy, int rc,
		       const struct sbxi_fail *fail);

/* Was the embedded helper refused, and is there another to try? */
bool sbxi_helper_refused(struct sbx_policy *policy, int rc,
			 const struct sbxi_fail *fail);

/* A failure of tier B that tier A would not have: say what keeps A away. */
void sbxi_tier_explain(struct sbx_policy *policy, struct sbxi_fail *fail);

/* A copy of why tier A was not to be had; false if it was. */
bool sbxi_tier_reason(struct sbx_policy *policy, struct sbxi_fail *ret);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* subset: does one policy reach at most what another does? */
#ifndef SBXI_POLICY_SUBSET_H
#define SBXI_POLICY_SUBSET_H

#include "policy/policy.h"

/*
 * 0, or -EPERM with the first excess noted, or a code of sbxi_policy_plan().
 * Errs towards -EPERM: what cannot be seen to be less counts as more.
 */
int sbxi_policy_subset(const struct sbx_policy *child,
		       const struct sbx_policy *parent,
		       struct sbxi_fail *fail);

/* policy/subset_paths.c: the files of two plans. */
int sbxi_subset_paths(const struct sbxi_plan *child,
		      const struct sbxi_plan *parent, struct sbxi_fail *fail);

/* policy/subset_rules.c: the rules and sets of two mandates. */
int sbxi_subset_rules(const struct sbxi_mandate *child,
		      const struct sbxi_mandate *parent,
		      struct sbxi_fail *fail);

#endif

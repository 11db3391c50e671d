/* SPDX-License-Identifier: Apache-2.0 */
/* prepare: what all spawns of one policy share, made by the first of them. */
#ifndef SBXI_SPAWN_PREPARE_H
#define SBXI_SPAWN_PREPARE_H

#include "base/errors.h"
#include "policy/policy.h"

/*
 * Compile the policy if it is not, and make its memfds: plan, helper, and for
 * a root harness the user namespace of id-mapped mounts.  Thread-safe.
 * 0 or a documented code of sbx_spawn(); nothing half-made is kept.
 */
int sbxi_prepare(struct sbx_policy *policy, struct sbxi_fail *fail);

/*
 * Descriptors for one spawn: the plan (in test builds one with the fault that
 * was ordered) and the helper.  0 or a negative code.
 */
int sbxi_prepare_files(struct sbx_policy *policy, int *ret_plan,
		       int *ret_helper, struct sbxi_fail *fail);

/* The embedded helper was refused: use the installed one from now on.
 * Called with the policy's lock held. */
int sbxi_prepare_installed_helper(struct sbx_policy *policy);

#endif

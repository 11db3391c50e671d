/* SPDX-License-Identifier: Apache-2.0 */
/* payload: argv, environment and folder of a task, in a sealed memfd. */
#ifndef SBXI_SPAWN_PAYLOAD_H
#define SBXI_SPAWN_PAYLOAD_H

#include "base/errors.h"
#include "policy/policy.h"
#include "spawn/grants.h"

/* A descriptor, or -E2BIG, -ENOMEM, -EMFILE, -ENFILE. */
int sbxi_payload_make(const struct sbx_policy *policy,
		      const char *const *argv, const char *cwd,
		      const struct sbxi_grants *grants,
		      struct sbxi_fail *fail);

#endif

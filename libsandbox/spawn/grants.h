/* SPDX-License-Identifier: Apache-2.0 */
/* grants: from what the caller names to descriptors that a task can be given. */
#ifndef SBXI_SPAWN_GRANTS_H
#define SBXI_SPAWN_GRANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sandbox/grant.h>

#include "base/errors.h"
#include "policy/policy.h"

struct sbxi_ready_grant {
	char name[65];
	int fd;			/* owned, close-on-exec */
	int task_fd;		/* final number in the task, 3 or more */
};

struct sbxi_grants {
	struct sbxi_ready_grant *grant;
	size_t n;
	bool inet;		/* one is a connected inet socket of our network namespace */
};

/*
 * Open, connect, copy or dup every grant of the policy file and of the call,
 * check names and numbers, give numbers to those that have none.
 * Returns 0 or a documented code of sbx_spawn() with step GRANTS; on failure
 * nothing stays open.  connect_timeout_ms bounds all connects together.
 */
int sbxi_grants_open(const struct sbx_policy *policy,
		     const struct sbx_grant *grants, size_t n_grants,
		     int connect_timeout_ms, struct sbxi_grants *ret,
		     struct sbxi_fail *fail);
void sbxi_grants_done(struct sbxi_grants *grants);

/* "name:3 other:4" for SBX_FDS; malloc'd, NULL on ENOMEM. */
char *sbxi_grants_list(const struct sbxi_grants *grants);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* enter_self: the calling process confines itself, without a new one. */
#ifndef SBXI_SPAWN_ENTER_SELF_H
#define SBXI_SPAWN_ENTER_SELF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/errors.h"
#include "policy/policy.h"
#include "spawn/held.h"
#include "spawn/report.h"

/* What is found out before and while the process confines itself. */
struct sbxi_entry {
	const struct sbxi_plan *plan;
	uint32_t flags;		/* SBX_ENTER_... */
	struct sbxi_held held;
	int landlock_abi;	/* 0 = none */
	int landlock_errno;	/* why there is none */
	int ruleset;		/* or -1 */
	bool root_id;		/* the host's root */
	bool groups_dropped;	/* or going to be */
	bool own_keyring;
	bool has_terminal;	/* a controlling one, or one that is held */
	bool closed;		/* SBX_ENTER_CLOSE is done */
	uint64_t limit[SBXI_N_LIMITS];
};

/*
 * Confine the calling process as sbx_enter_self(3) says.  fail->where tells
 * whether something had been changed when it failed.
 */
int sbxi_enter_self(struct sbx_policy *policy, uint32_t flags,
		    struct sbx_report **ret, struct sbxi_fail *fail);

/* enter_rows.c: from what was found to the rows of the report. */
void sbxi_entry_rows(const struct sbxi_entry *e, const uint32_t *levels,
		     struct sbx_report *report);

/* The first required row that does not hold, or NULL. */
const struct sbxi_report_line *
sbxi_entry_missing(const struct sbx_report *report);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* report: rows of properties or of probed mechanisms, and their JSON text. */
#ifndef SBXI_SPAWN_REPORT_H
#define SBXI_SPAWN_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include <sandbox/report.h>

#include "kernel/handoff.h"

struct sbxi_report_line {
	uint32_t id, level, state, verified, remedy;
	int32_t sys_errno;
	char name[24];
	char mechanisms[160];
	char object[256];
};

struct sbx_report {
	uint32_t tier;			/* SBX_TIER_... */
	int32_t tier_errno;		/* why not tier A, or 0 */
	uint32_t tier_step;		/* SBX_STEP_... of that */
	uint32_t tier_remedy;
	uint64_t limit[8];		/* as in force; UINT64_MAX = none */
	uint64_t step_ns[SBXI_N_STEPS];	/* when each step began; 0 = not run */
	uint32_t kind;			/* 0 = of a task, 1 = of a probe */
	size_t n;
	struct sbxi_report_line *line;
};

enum {
	SBXI_REPORT_TASK = 0,
	SBXI_REPORT_PROBE = 1
};

/* A report of n lines of zeros, without limits.  0 or -ENOMEM. */
int sbxi_report_alloc(uint32_t kind, size_t n, struct sbx_report **ret);

/*
 * What a task's target has told, in words.  levels: one for each property, as
 * the policy wants them.  The reason of the tier is the caller's to add.
 * 0 or -ENOMEM.
 */
int sbxi_report_new(const struct sbxi_msg_report *msg, const uint32_t *levels,
		    struct sbx_report **ret);

/* JSON on one line, to be freed with free(3).  0 or -ENOMEM. */
int sbxi_report_to_json(const struct sbx_report *report, char **ret);

void sbxi_report_free(struct sbx_report *report);

/* "userns,mntns": the names of SBXI_MECH_ bits.  buf is never overrun. */
void sbxi_mechanism_names(uint32_t mechanisms, char *buf, size_t size);

#endif

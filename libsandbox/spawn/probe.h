/* SPDX-License-Identifier: Apache-2.0 */
/* probe: what this host offers, asked of a helper that tries it. */
#ifndef SBXI_SPAWN_PROBE_H
#define SBXI_SPAWN_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/errors.h"
#include "kernel/handoff.h"
#include "spawn/report.h"

/*
 * Start the helper, let it try each mechanism, and report.  Blocks for at
 * most 20 s; what has not been told by then is ABSENT.  0 or a negative code;
 * -EIO if the helper told nothing at all.
 */
int sbxi_probe(struct sbx_report **ret, struct sbxi_fail *fail);

/* A report with a line for each mechanism, all ABSENT: nothing came yet. */
int sbxi_probe_report_new(struct sbx_report **ret);

/* Enter what the helper has told of one mechanism.  False: no such thing. */
bool sbxi_probe_report_enter(struct sbx_report *report,
			     const struct sbxi_msg_probe *msg);

/* All are entered: which tier is that, and if not A, why not? */
void sbxi_probe_report_conclude(struct sbx_report *report);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build_id: library and helper must come from one build, since the plan and
 * the messages between them are plain structs.
 */
#ifndef SBXI_KERNEL_BUILD_ID_H
#define SBXI_KERNEL_BUILD_ID_H

#include <stdint.h>

#include "kernel/handoff.h"
#include "kernel/plan.h"

#ifndef SBX_VERSION
#define SBX_VERSION "0.1.0"
#endif

/* The version, and the sizes of all that passes between the two. */
static const uint8_t sbxi_build_id[16] = {
	'0' + (SBX_VERSION[0] & 15),
	'0' + (SBX_VERSION[2] & 15),
	'0' + (SBX_VERSION[4] & 15),
	SBXI_PLAN_VERSION,
	sizeof(struct sbxi_plan) & 255,
	sizeof(struct sbxi_plan) >> 8,
	sizeof(struct sbxi_plan_path),
	sizeof(struct sbxi_msg_report) & 255,
	sizeof(struct sbxi_msg_report) >> 8,
	sizeof(struct sbxi_msg_exit),
	sizeof(struct sbxi_msg_error) & 255,
	sizeof(struct sbxi_msg_error) >> 8,
	sizeof(struct sbxi_payload),
	SBXI_FD_END,
	SBXI_N_GAPS,
	SBXI_N_PROBES,
};

#endif

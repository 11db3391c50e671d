/* SPDX-License-Identifier: Apache-2.0 */
/* rlimits: limits of one process, inherited by the tree.  setrlimit(2) */
#ifndef SBXI_KERNEL_RLIMITS_H
#define SBXI_KERNEL_RLIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/plan.h"

/*
 * Set the limits that one process can carry, and write into ret_limit what is
 * in force (a lower hard limit of the harness stays).
 *
 * own_userns: RLIMIT_NPROC is counted per user namespace; without one of its
 * own it would count the harness's processes too, and is left alone.
 * 0 or -errno.
 */
int sbxi_rlimits_enter(const struct sbxi_plan *plan, bool own_userns,
		       uint64_t ret_limit[SBXI_N_LIMITS]);

/* The limit of open files comes apart, when all are on their numbers. */
int sbxi_rlimits_open_files_enter(const struct sbxi_plan *plan,
				  uint64_t ret_limit[SBXI_N_LIMITS]);

/* Raise our own limit of descriptors to the hard one, for set-up. */
void sbxi_rlimits_open_files_max(void);

#endif

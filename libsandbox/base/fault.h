/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fault: failures on order, in test builds (--enable-fault-injection) only.
 * The shipped library has none of this; a test looks for its symbols.
 */
#ifndef SBXI_BASE_FAULT_H
#define SBXI_BASE_FAULT_H

#include <stdint.h>

#ifdef SBX_FAULT_INJECTION
/* Fail step from now on with err (an errno, or -SIGKILL); step 0 = nothing. */
void sbxi_fault_set(uint32_t step, int err);
uint32_t sbxi_fault_step(void);
int sbxi_fault_errno(void);
/* -errno if this step of the harness is to fail now, else 0. */
int sbxi_fault_here(uint32_t step);
#define sbxi_inject(step) sbxi_fault_here(step)
#else
#define sbxi_inject(step) ((void)(step), 0)
#endif

#endif

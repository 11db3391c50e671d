/* SPDX-License-Identifier: Apache-2.0 */
/* fault: failures on order, in test builds only. */
#include "base/fault.h"

#ifdef SBX_FAULT_INJECTION
#include <signal.h>
#include <stdatomic.h>

static atomic_uint ordered_step;
static atomic_int ordered_errno;

void sbxi_fault_set(uint32_t step, int err)
{
	atomic_store(&ordered_errno, err);
	atomic_store(&ordered_step, step);
}

uint32_t sbxi_fault_step(void)
{
	return atomic_load(&ordered_step);
}

int sbxi_fault_errno(void)
{
	return atomic_load(&ordered_errno);
}

int sbxi_fault_here(uint32_t step)
{
	int err = sbxi_fault_errno();

	/* The harness itself is not killed: only its steps' errors are tried. */
	return step == sbxi_fault_step() && err != -SIGKILL ? -err : 0;
}
#else
/* ISO C wants a translation unit to hold something. */
typedef int sbxi_no_fault_injection;
#endif

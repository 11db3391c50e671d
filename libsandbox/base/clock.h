/* SPDX-License-Identifier: Apache-2.0 */
/* clock: the time that never jumps.  clock_gettime(2) */
#ifndef SBXI_BASE_CLOCK_H
#define SBXI_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t sbxi_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline uint64_t sbxi_now_ms(void)
{
	return sbxi_now_ns() / 1000000;
}

#endif

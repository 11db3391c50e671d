/* SPDX-License-Identifier: Apache-2.0 */
/* ratelimit: so many now, so many a second; the clock is the caller's. */
#ifndef SBXI_POLICY_RATELIMIT_H
#define SBXI_POLICY_RATELIMIT_H

#include <stdint.h>

/*
 * A bucket of tokens that fills up by one each interval.  Kept as the time
 * at which it will be full again, so nothing has to be done while it fills.
 */
struct sbxi_bucket {
	uint64_t interval_ns;	/* 0 = no limit */
	uint64_t burst;		/* tokens of a full bucket; at least 1 */
	uint64_t full_at_ns;
};

void sbxi_bucket_init(struct sbxi_bucket *bucket, uint64_t interval_ns,
		      uint64_t burst);

/* How long until there is a token, in ns; 0 = there is one. */
uint64_t sbxi_bucket_wait(const struct sbxi_bucket *bucket, uint64_t now_ns);

/* Take a token: 0, or -EAGAIN and nothing is taken. */
int sbxi_bucket_take(struct sbxi_bucket *bucket, uint64_t now_ns);

#endif

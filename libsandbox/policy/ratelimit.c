/* SPDX-License-Identifier: Apache-2.0 */
/* ratelimit: so many now, so many a second; the clock is the caller's. */
#include "policy/ratelimit.h"

#include <errno.h>

/* Sums and products that stop at the end of the scale: later is stricter. */

static uint64_t plus(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

void sbxi_bucket_init(struct sbxi_bucket *bucket, uint64_t interval_ns,
		      uint64_t burst)
{
	bucket->interval_ns = interval_ns;
	bucket->burst = burst > 0 ? burst : 1;
	bucket->full_at_ns = 0;
}

/* A clock that goes back makes the bucket emptier, never fuller. */
uint64_t sbxi_bucket_wait(const struct sbxi_bucket *bucket, uint64_t now_ns)
{
	uint64_t ahead = times(bucket->interval_ns, bucket->burst - 1);
	uint64_t limit = plus(now_ns, ahead);

	if (bucket->interval_ns == 0 || bucket->full_at_ns <= limit)
		return 0;
	return bucket->full_at_ns - limit;
}

int sbxi_bucket_take(struct sbxi_bucket *bucket, uint64_t now_ns)
{
	uint64_t from = bucket->full_at_ns;

	if (sbxi_bucket_wait(bucket, now_ns) > 0)
		return -EAGAIN;
	if (from < now_ns)
		from = now_ns;
	bucket->full_at_ns = plus(from, bucket->interval_ns);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/ratelimit.h"

#include <errno.h>

#include <criterion/criterion.h>

static struct sbxi_bucket bucket;

TestSuite(ratelimit, .timeout = 10);

Test(ratelimit, a_full_bucket_gives_its_burst_and_then_waits)
{
	sbxi_bucket_init(&bucket, 100, 3);
	for (int i = 0; i < 3; i++)
		cr_expect_eq(sbxi_bucket_take(&bucket, 1000), 0);
	cr_expect_eq(sbxi_bucket_take(&bucket, 1000), -EAGAIN);
	cr_expect_eq(sbxi_bucket_wait(&bucket, 1000), 100);
	cr_expect_eq(sbxi_bucket_take(&bucket, 1099), -EAGAIN);
	cr_expect_eq(sbxi_bucket_take(&bucket, 1100), 0);
	cr_expect_eq(sbxi_bucket_take(&bucket, 1100), -EAGAIN);
}

Test(ratelimit, what_was_refused_costs_nothing)
{
	sbxi_bucket_init(&bucket, 100, 1);
	cr_expect_eq(sbxi_bucket_take(&bucket, 0), 0);
	for (int i = 0; i < 50; i++)
		cr_expect_eq(sbxi_bucket_take(&bucket, 99), -EAGAIN);
	cr_expect_eq(sbxi_bucket_take(&bucket, 100), 0);
}

Test(ratelimit, a_long_pause_fills_it_no_further)
{
	sbxi_bucket_init(&bucket, 100, 2);
	cr_expect_eq(sbxi_bucket_take(&bucket, 0), 0);
	cr_expect_eq(sbxi_bucket_take(&bucket, 1000000), 0);
	cr_expect_eq(sbxi_bucket_take(&bucket, 1000000), 0);
	cr_expect_eq(sbxi_bucket_take(&bucket, 1000000), -EAGAIN);
}

Test(ratelimit, a_clock_that_goes_back_gives_nothing_away)
{
	sbxi_bucket_init(&bucket, 100, 2);
	cr_expect_eq(sbxi_bucket_take(&bucket, 5000), 0);
	cr_expect_eq(sbxi_bucket_take(&bucket, 5000), 0);
	cr_expect_eq(sbxi_bucket_take(&bucket, 10), -EAGAIN);
	cr_expect_eq(sbxi_bucket_take(&bucket, 5100), 0);
}

Test(ratelimit, numbers_at_their_end_stay_strict)
{
	sbxi_bucket_init(&bucket, UINT64_MAX, 1);
	cr_expect_eq(sbxi_bucket_take(&bucket, 5), 0);
	cr_expect_eq(sbxi_bucket_take(&bucket, UINT64_MAX - 1), -EAGAIN);
	sbxi_bucket_init(&bucket, 100, 0);
	cr_expect_eq(sbxi_bucket_take(&bucket, 0), 0, "a burst of at least 1");
	cr_expect_eq(sbxi_bucket_take(&bucket, 0), -EAGAIN);
	sbxi_bucket_init(&bucket, 0, 1);
	for (int i = 0; i < 1000; i++)
		cr_expect_eq(sbxi_bucket_take(&bucket, 7), 0, "no limit");
}

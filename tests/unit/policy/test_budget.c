/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/budget.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#include <criterion/criterion.h>

#include "kernel/plan.h"

#define THREADS 4
#define TRIES 20000

static struct sbxi_meter top, meter;

TestSuite(budget, .timeout = 30);

static struct sbxi_budget of(uint64_t uses, uint64_t bytes)
{
	struct sbxi_budget b = sbxi_budget_none();

	b.most[SBXI_USES] = uses;
	b.most[SBXI_BYTES_IN] = bytes;
	return b;
}

Test(budget, narrowing_is_the_lesser_of_each)
{
	struct sbxi_budget a = of(5, SBXI_NO_LIMIT), b = of(9, 100);

	a.lifetime_ms = 7;
	sbxi_budget_narrow(&a, &b);
	cr_expect_eq(a.most[SBXI_USES], 5);
	cr_expect_eq(a.most[SBXI_BYTES_IN], 100);
	cr_expect_eq(a.most[SBXI_COST], SBXI_NO_LIMIT);
	cr_expect_eq(a.lifetime_ms, 7);
	cr_expect(sbxi_budget_within(&a, &b));
	cr_expect_not(sbxi_budget_within(&b, &a));
}

Test(budget, zero_is_no_limit_only_at_the_edge)
{
	struct sbxi_budget nothing = of(0, SBXI_NO_LIMIT);
	struct sbxi_budget none = sbxi_budget_none();

	cr_expect_eq(sbxi_budget_edge(0), SBXI_NO_LIMIT);
	cr_expect_eq(sbxi_budget_edge(1), 1);
	sbxi_meter_init(&meter, &nothing, NULL);
	cr_expect_eq(sbxi_meter_charge(&meter, SBXI_USES, 1), -EDQUOT);
	cr_expect_eq(sbxi_meter_charge(&meter, SBXI_BYTES_IN, 1), 0);
	cr_expect(sbxi_budget_limited(&nothing));
	cr_expect_not(sbxi_budget_limited(&none));
	none.lifetime_ms = 1;
	cr_expect(sbxi_budget_limited(&none));
}

Test(budget, the_last_unit_can_be_had_and_not_one_more)
{
	struct sbxi_budget b = of(3, 10);

	sbxi_meter_init(&meter, &b, NULL);
	cr_expect_eq(sbxi_meter_charge(&meter, SBXI_BYTES_IN, 11), -EDQUOT);
	cr_expect_eq(sbxi_meter_left(&meter, SBXI_BYTES_IN), 10);
	cr_expect_eq(sbxi_meter_charge(&meter, SBXI_BYTES_IN, 10), 0);
	cr_expect_eq(sbxi_meter_charge(&meter, SBXI_BYTES_IN, 1), -EDQUOT);
	cr_expect_eq(sbxi_meter_charge(&meter, SBXI_BYTES_IN, 0), 0);
	cr_expect_eq(sbxi_meter_charge(&meter, SBXI_BYTES_IN, UINT64_MAX),
		     -EDQUOT);
	cr_expect_eq(sbxi_meter_take(&meter, SBXI_USES, 7), 3);
	cr_expect_eq(sbxi_meter_take(&meter, SBXI_USES, 7), 0);
}

Test(budget, counters_at_their_end_do_not_turn_over)
{
	struct sbxi_budget b = of(UINT64_MAX - 1, SBXI_NO_LIMIT);

	sbxi_meter_init(&meter, &b, NULL);
	cr_expect_eq(sbxi_meter_charge(&meter, SBXI_USES, UINT64_MAX - 1), 0);
	cr_expect_eq(sbxi_meter_charge(&meter, SBXI_USES, 1), -EDQUOT);
	cr_expect_eq(sbxi_meter_charge(&meter, SBXI_BYTES_IN, UINT64_MAX), 0);
	cr_expect_eq(sbxi_meter_charge(&meter, SBXI_BYTES_IN, UINT64_MAX), 0);
	cr_expect_eq(sbxi_meter_left(&meter, SBXI_BYTES_IN), SBXI_NO_LIMIT);
	sbxi_meter_refund(&meter, SBXI_USES, UINT64_MAX);
	cr_expect_eq(sbxi_meter_left(&meter, SBXI_USES), UINT64_MAX - 1);
}

Test(budget, what_is_above_is_charged_too_and_given_back)
{
	struct sbxi_budget little = of(2, 5), much = of(9, 50);

	sbxi_meter_init(&top, &little, NULL);
	sbxi_meter_init(&meter, &much, &top);
	cr_expect_eq(sbxi_meter_left(&meter, SBXI_BYTES_IN), 5);
	cr_expect_eq(sbxi_meter_charge(&meter, SBXI_BYTES_IN, 6), -EDQUOT);
	cr_expect_eq(atomic_load(&meter.used[SBXI_BYTES_IN]), 0,
		     "a refused charge leaves nothing behind");
	cr_expect_eq(sbxi_meter_take(&meter, SBXI_BYTES_IN, 40), 5);
	cr_expect_eq(atomic_load(&meter.used[SBXI_BYTES_IN]), 5);
	sbxi_meter_refund(&meter, SBXI_BYTES_IN, 2);
	cr_expect_eq(sbxi_meter_left(&top, SBXI_BYTES_IN), 2);
	cr_expect_eq(sbxi_meter_charge(&meter, SBXI_BYTES_IN, 2), 0);
}

/* Each thread has a meter of its own below one that all share. */
static void *spend(void *arg)
{
	_Atomic uint64_t *got = arg;
	struct sbxi_budget b = sbxi_budget_none();
	struct sbxi_meter own;

	sbxi_meter_init(&own, &b, &top);
	for (int i = 0; i < TRIES; i++) {
		if (sbxi_meter_charge(&own, SBXI_USES, 1) == 0)
			atomic_fetch_add(got, 1);
		atomic_fetch_add(got + 1,
				 sbxi_meter_take(&own, SBXI_BYTES_IN, 3));
	}
	return NULL;
}

Test(budget, threads_that_race_spend_all_and_no_more)
{
	struct sbxi_budget b = of(TRIES, 100001);
	_Atomic uint64_t got[2] = { 0 };
	pthread_t thread[THREADS];

	sbxi_meter_init(&top, &b, NULL);
	for (int i = 0; i < THREADS; i++)
		cr_assert_eq(pthread_create(&thread[i], NULL, spend, got), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	cr_expect_eq(atomic_load(&got[0]), TRIES);
	cr_expect_eq(atomic_load(&got[1]), 100001);
	cr_expect_eq(sbxi_meter_left(&top, SBXI_USES), 0);
}

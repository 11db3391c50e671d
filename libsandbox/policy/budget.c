/* SPDX-License-Identifier: Apache-2.0 */
/* budget: how much of something there is, and a meter of what was used. */
#include "policy/budget.h"

#include <errno.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "kernel/plan.h"

static const char *const names[SBXI_N_AMOUNTS] = {
	[SBXI_USES] = "uses",
	[SBXI_BYTES_IN] = "bytes_in",
	[SBXI_BYTES_OUT] = "bytes_out",
	[SBXI_COST] = "cost",
};

const char *sbxi_amount_name(uint32_t which)
{
	return which < SBXI_COUNT(names) ? names[which] : NULL;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

struct sbxi_budget sbxi_budget_none(void)
{
	struct sbxi_budget none = { .lifetime_ms = SBXI_NO_LIMIT };

	for (size_t i = 0; i < SBXI_N_AMOUNTS; i++)
		none.most[i] = SBXI_NO_LIMIT;
	return none;
}

uint64_t sbxi_budget_edge(uint64_t value)
{
	return value == 0 ? SBXI_NO_LIMIT : value;
}

void sbxi_budget_narrow(struct sbxi_budget *budget,
			const struct sbxi_budget *by)
{
	budget->lifetime_ms = lesser(budget->lifetime_ms, by->lifetime_ms);
	for (size_t i = 0; i < SBXI_N_AMOUNTS; i++)
		budget->most[i] = lesser(budget->most[i], by->most[i]);
}

bool sbxi_budget_within(const struct sbxi_budget *a,
			const struct sbxi_budget *b)
{
	if (a->lifetime_ms > b->lifetime_ms)
		return false;
	for (size_t i = 0; i < SBXI_N_AMOUNTS; i++)
		if (a->most[i] > b->most[i])
			return false;
	return true;
}

bool sbxi_budget_limited(const struct sbxi_budget *budget)
{
	struct sbxi_budget none = sbxi_budget_none();

	return !sbxi_budget_within(&none, budget);
}

void sbxi_meter_init(struct sbxi_meter *meter,
		     const struct sbxi_budget *budget, struct sbxi_meter *up)
{
	meter->budget = *budget;
	meter->up = up;
	for (size_t i = 0; i < SBXI_N_AMOUNTS; i++)
		atomic_init(&meter->used[i], 0);
}

static uint64_t left_here(const struct sbxi_meter *meter, uint32_t which,
			  uint64_t used)
{
	uint64_t most = meter->budget.most[which];

	/* Without a limit it is counted, and the count stops at its end. */
	if (most == SBXI_NO_LIMIT)
		return SBXI_NO_LIMIT;
	return used < most ? most - used : 0;
}

/* Take up to amount of this meter alone; with all, all of it or nothing. */
static uint64_t take_here(struct sbxi_meter *meter, uint32_t which,
			  uint64_t amount, bool all)
{
	uint64_t used = atomic_load(&meter->used[which]);
	uint64_t got, after;

	do {
		uint64_t left = left_here(meter, which, used);

		if (all && left < amount)
			return 0;
		got = lesser(left, amount);
		if (__builtin_add_overflow(used, got, &after))
			after = UINT64_MAX;
	} while (!atomic_compare_exchange_weak(&meter->used[which], &used,
					       after));
	return got;
}

static void give_here(struct sbxi_meter *meter, uint32_t which,
		      uint64_t amount)
{
	uint64_t used = atomic_load(&meter->used[which]);
	uint64_t after;

	do
		after = used > amount ? used - amount : 0;
	while (!atomic_compare_exchange_weak(&meter->used[which], &used,
					     after));
}

int sbxi_meter_charge(struct sbxi_meter *meter, uint32_t which,
		      uint64_t amount)
{
	struct sbxi_meter *m;

	if (amount == 0)
		return 0;
	for (m = meter; m; m = m->up)
		if (take_here(m, which, amount, true) == 0)
			break;
	if (!m)
		return 0;
	for (struct sbxi_meter *back = meter; back != m; back = back->up)
		give_here(back, which, amount);
	return -EDQUOT;
}

uint64_t sbxi_meter_take(struct sbxi_meter *meter, uint32_t which,
			 uint64_t amount)
{
	uint64_t got = take_here(meter, which, amount, false);
	uint64_t above = got;

	if (meter->up)
		above = sbxi_meter_take(meter->up, which, got);
	if (above < got)
		give_here(meter, which, got - above);
	return above;
}

void sbxi_meter_refund(struct sbxi_meter *meter, uint32_t which,
		       uint64_t amount)
{
	for (; meter; meter = meter->up)
		give_here(meter, which, amount);
}

uint64_t sbxi_meter_left(const struct sbxi_meter *meter, uint32_t which)
{
	uint64_t left = SBXI_NO_LIMIT;

	for (; meter; meter = meter->up)
		left = lesser(left, left_here(meter, which,
					      atomic_load(&meter->used[which])));
	return left;
}

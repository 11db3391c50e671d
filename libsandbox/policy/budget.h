/* SPDX-License-Identifier: Apache-2.0 */
/* budget: how much of something there is, and a meter of what was used. */
#ifndef SBXI_POLICY_BUDGET_H
#define SBXI_POLICY_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* What is counted. */
enum {
	SBXI_USES = 0,
	SBXI_BYTES_IN,		/* towards the task */
	SBXI_BYTES_OUT,		/* from the task */
	SBXI_COST,		/* units of the harness's own */
	SBXI_N_AMOUNTS
};

/*
 * A value: copied, compared, narrowed.  SBXI_NO_LIMIT = none, in every field;
 * 0 means that nothing may be used.  Only at the edge of the library, in
 * struct sbx_rule and its like, 0 stands for "none": a caller who sets
 * nothing has said nothing.
 */
struct sbxi_budget {
	uint64_t lifetime_ms;
	uint64_t most[SBXI_N_AMOUNTS];
};

/* "bytes_in" and so on, as in policy files; NULL = unknown. */
const char *sbxi_amount_name(uint32_t which);

/* Without any limit. */
struct sbxi_budget sbxi_budget_none(void);

/* 0, as callers write it, to SBXI_NO_LIMIT; all else stays. */
uint64_t sbxi_budget_edge(uint64_t value);

/* The lesser of each field. */
void sbxi_budget_narrow(struct sbxi_budget *budget,
			const struct sbxi_budget *by);

/* Is no field of a over the one of b? */
bool sbxi_budget_within(const struct sbxi_budget *a,
			const struct sbxi_budget *b);

/* Has it a limit at all? */
bool sbxi_budget_limited(const struct sbxi_budget *budget);

/*
 * What was used of a budget.  What is charged here is charged to the meter
 * above, too, and never more than both have left, whatever number of threads
 * does it at once.  A meter stays at its place while others are below it.
 */
struct sbxi_meter {
	struct sbxi_budget budget;
	_Atomic uint64_t used[SBXI_N_AMOUNTS];
	struct sbxi_meter *up;	/* or NULL */
};

void sbxi_meter_init(struct sbxi_meter *meter,
		     const struct sbxi_budget *budget, struct sbxi_meter *up);

/* All of it or nothing: 0 or -EDQUOT.  Safe from any thread. */
int sbxi_meter_charge(struct sbxi_meter *meter, uint32_t which,
		      uint64_t amount);

/* As much of it as there is; returns how much.  Safe from any thread. */
uint64_t sbxi_meter_take(struct sbxi_meter *meter, uint32_t which,
			 uint64_t amount);

/* Give back what was charged or taken, and not used.  Safe from any thread. */
void sbxi_meter_refund(struct sbxi_meter *meter, uint32_t which,
		       uint64_t amount);

/* What is left, here and above; SBXI_NO_LIMIT = no limit.  Safe from any thread. */
uint64_t sbxi_meter_left(const struct sbxi_meter *meter, uint32_t which);

#endif

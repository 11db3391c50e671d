/* SPDX-License-Identifier: Apache-2.0 */
/* table: a report as columns for people. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include <sandbox/sandbox.h>

/*
 * One line a row: name, wanted (not for a probe), state, how that is known,
 * by which mechanisms, and what is open or what to do about it.
 * Returns 0 or -ENOMEM.
 */
int cli_table_print(FILE *out, const struct sbx_report *report,
		    bool is_probe, bool colour);

/* "enforced", "partial", "absent", "off". */
const char *cli_state_name(uint32_t state);

/* "A", "B", or "none". */
const char *cli_tier_name(uint32_t tier);

#endif

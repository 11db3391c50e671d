/* SPDX-License-Identifier: Apache-2.0 */
/* number: durations, sizes and counts as people write them. */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include <stdint.h>

/*
 * "500ms", "1.5s", "10m", "2h", or seconds without a unit.
 *
 * Parts of a millisecond are rounded up, so that no limit becomes 0.
 * Returns 0, -EINVAL (no such number) or -ERANGE (too large); *ret_ms is
 * untouched on failure.
 */
int cli_parse_duration(const char *text, uint64_t *ret_ms);

/* "64K", "1.5G", or bytes without a unit; K, M, G and T are binary. */
int cli_parse_size(const char *text, uint64_t *ret_bytes);

/* A whole number up to max. */
int cli_parse_count(const char *text, uint64_t max, uint64_t *ret_count);

#endif

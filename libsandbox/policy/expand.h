/* SPDX-License-Identifier: Apache-2.0 */
/* expand: "${x}" in the texts of a policy file. */
#ifndef SBXI_POLICY_EXPAND_H
#define SBXI_POLICY_EXPAND_H

#include <stddef.h>

/* Longest text that comes out, as long as a variable of the environment. */
#define SBXI_TEXT_BYTES (128u << 10)

/* The value in a list of "NAME=value", or NULL.  The first, as getenv(3). */
const char *sbxi_list_value(const char *const *list, const char *name);

/* The first of a list that is no "NAME=value", or NULL. */
const char *sbxi_list_bad(const char *const *list);

/*
 * Copy text with "${NAME}" replaced by its value in vars and "$$" by "$".
 * The last value of a name counts; values are not looked into again.
 *
 * Returns 0 and a malloc'd *ret; -EINVAL (no value, or no proper "${NAME}";
 * *ret_at is where that begins), -E2BIG (over SBXI_TEXT_BYTES) or -ENOMEM.
 */
int sbxi_expand(const char *text, const char *const *vars, char **ret,
		const char **ret_at);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* paths: text of paths, never the files behind them. */
#ifndef SBXI_POLICY_PATHS_H
#define SBXI_POLICY_PATHS_H

#include <stdbool.h>

#define SBXI_PATH_BYTES 4095
#define SBXI_COMPONENT_BYTES 255

/*
 * Copy a path without doubled and trailing slashes.
 *
 * Returns 0 and a malloc'd *ret; -EINVAL (relative, or "." or ".." in it),
 * -ENAMETOOLONG or -ENOMEM, and then *ret_why says why in words.
 */
int sbxi_path_clean(const char *text, char **ret, const char **ret_why);

/* Is path at top or below it?  Both clean. */
bool sbxi_path_within(const char *top, const char *path);

/*
 * Order of clean paths in which a tree is in one piece: a parent comes
 * first, then all below it, then the next.  As strcmp(3).
 */
int sbxi_path_order(const char *a, const char *b);

/* Why this clean path cannot be granted, or NULL. */
const char *sbxi_path_no_source(const char *path);

/* Why nothing can be shown at this clean path by path_at, or NULL. */
const char *sbxi_path_no_dest(const char *path);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* trust: which names in a granted tree others run or trust later. */
#ifndef SBXI_INIT_TRUST_H
#define SBXI_INIT_TRUST_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/plan.h"

/* Is this granted path a tree whose names are protected? */
bool sbxi_trust_covers(const struct sbxi_plan_path *path);

/*
 * The protected thing that a path is, or lies in: the length of the path up to
 * its end, or 0.  path: relative to the granted tree, without "." and "..".
 */
size_t sbxi_trust_match(const char *path);

/*
 * The same for a path relative to a repository without a work tree.
 * A bare repository has no .git, but all that would be in it.
 */
size_t sbxi_trust_match_below(const char *path);

/*
 * Does the path lie on the way to something protected, as .git/info to
 * .git/info/attributes?  A folder or a link that is put there brings along what
 * could not be made there.  path: as above; the second in a bare repository.
 */
bool sbxi_trust_leads(const char *path);
bool sbxi_trust_leads_below(const char *path);

/* Could it be protected, if one of the folders above were such a repository? */
bool sbxi_trust_is_candidate(const char *path);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* lend: trees of a root harness, lent to the task's own host id. */
#ifndef SBXI_INIT_LEND_H
#define SBXI_INIT_LEND_H

#include <stdbool.h>

struct sbxi_jail;

/*
 * For a root harness: clone every granted tree in the host's namespaces and
 * map root's id to the task's there (mount_setattr(2), MOUNT_ATTR_IDMAP).
 * False if the harness is not root, or if one file system cannot do that:
 * then the task keeps the harness's id.
 */
bool sbxi_lend_trees(struct sbxi_jail *jail);

#endif

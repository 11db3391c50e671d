/* SPDX-License-Identifier: Apache-2.0 */
/* rmtree: remove a folder and all in it, whatever a task made of it. */
#ifndef SBXI_BASE_RMTREE_H
#define SBXI_BASE_RMTREE_H

/*
 * Remove name below dir.  Follows no link, leaves no mount, needs no heap,
 * and copes with trees deeper than the descriptor table.  0 or -errno;
 * -ENOENT if there is none.
 */
int sbxi_rmtree(int dir, const char *name);

#endif

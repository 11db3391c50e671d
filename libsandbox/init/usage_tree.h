/* SPDX-License-Identifier: Apache-2.0 */
/* usage_tree: the caller's descendants, in a proc(5) that shows others too. */
#ifndef SBXI_INIT_USAGE_TREE_H
#define SBXI_INIT_USAGE_TREE_H

#include <stdint.h>

struct sbxi_descendant {
	int32_t pid;
	uint64_t start;		/* start time: tells a reused pid */
};

/*
 * Look for them now.  proc_fd: directory descriptor of a proc(5) mount.
 * Returns how many live or -errno; -E2BIG if the host has more processes
 * than the table has places, and what was found is kept all the same.
 */
int sbxi_descendants_find(int proc_fd);

/*
 * Those found, zombies included, one a call.  at: 0 at first.
 * Returns 1 and sets *ret, or 0 at the end.
 */
int sbxi_descendants_next(uint32_t *at, struct sbxi_descendant *ret);

#endif

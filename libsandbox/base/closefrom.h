/* SPDX-License-Identifier: Apache-2.0 */
/* closefrom: close every descriptor from a number on, whatever the host. */
#ifndef SBXI_BASE_CLOSEFROM_H
#define SBXI_BASE_CLOSEFROM_H

/*
 * Close all descriptors >= first.  Raw system calls on the caller's stack
 * only: it runs between clone and exec too.  close_range(2) where there is
 * one, else the entries of /proc/self/fd; never a loop up to a guessed end,
 * since descriptors may lie above a lowered RLIMIT_NOFILE.
 *
 * Returns 0 or -errno; on failure nothing is known about what is open.
 */
int sbxi_close_from(unsigned int first);

#endif

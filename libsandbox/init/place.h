/* SPDX-License-Identifier: Apache-2.0 */
/* place: descriptors on the numbers that the manifest names, and no other. */
#ifndef SBXI_INIT_PLACE_H
#define SBXI_INIT_PLACE_H

#include <stddef.h>

#define SBXI_PLACES_MAX 256

/* Put what is open as `from` on the number `to`. */
struct sbxi_place {
	int from, to;
};

/*
 * Place all, in any order, and close everything else but the n_keep
 * descriptors in keep, which are moved above all others (the array is
 * updated) and are close-on-exec.  0 or -errno.
 */
int sbxi_place_all(const struct sbxi_place *place, size_t n, int *keep,
		   size_t n_keep);

/*
 * Compare the open descriptors with the manifest (both as in
 * sbxi_place_all()).  fd_dir: an open /proc/self/fd, or -1 to probe each
 * number below the highest.  0, or -EBADF with *ret_fd set.
 */
int sbxi_place_audit(const struct sbxi_place *place, size_t n,
		     const int *keep, size_t n_keep, int fd_dir, int *ret_fd);

#endif

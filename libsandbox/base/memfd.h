/* SPDX-License-Identifier: Apache-2.0 */
/* memfd: sealed memory that another process maps or executes. */
#ifndef SBXI_BASE_MEMFD_H
#define SBXI_BASE_MEMFD_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A memfd with len bytes of data, sealed against every change.
 * executable: it will be passed to execveat(2).
 * Returns a close-on-exec descriptor >= 3, or -errno.  See memfd_create(2).
 */
int sbxi_memfd_sealed(const char *name, const void *data, size_t len,
		      bool executable);

/* Does fd carry all the seals that keep its content as it is?  0 or -errno. */
int sbxi_memfd_check(int fd);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* source: a path of the host, opened and compared with what was meant. */
#ifndef SBXI_KERNEL_SOURCE_H
#define SBXI_KERNEL_SOURCE_H

#include "kernel/plan.h"

/* The identity of what an O_PATH descriptor stands for.  0 or -errno. */
int sbxi_identity_of(int fd, struct sbxi_identity *ret);

/*
 * Open a resolved path with O_PATH and compare it with the identity that was
 * found when the policy was compiled.  Links swapped in meanwhile lead to
 * another file, and that is -ESTALE.  A descriptor, or -errno.
 */
int sbxi_source_open(const char *path, const struct sbxi_identity *expected);

#endif

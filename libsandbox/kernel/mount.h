/* SPDX-License-Identifier: Apache-2.0 */
/* mount: the new mount API, each call once.  No policy is in here. */
#ifndef SBXI_KERNEL_MOUNT_H
#define SBXI_KERNEL_MOUNT_H

#include <stdint.h>

/* A detached, recursive copy of the mounts at fd.  A descriptor, or -errno. */
int sbxi_mount_clone(int fd);

/* The same for a path below dir, not recursive. */
int sbxi_mount_clone_at(int dir, const char *path);

/*
 * Set attributes (SBXI_MOUNT_ATTR_...) on a mount; recursive if asked.
 * userns_fd: for SBXI_MOUNT_ATTR_IDMAP, else 0.  0 or -errno.
 */
int sbxi_mount_attributes(int fd, uint64_t set, int recursive, int userns_fd);

/* Attach a detached mount at a path below dir, which is not followed. */
int sbxi_mount_attach_at(int tree_fd, int dir, const char *path);

/* One option of a new file system; a NULL value is a flag without value. */
struct sbxi_mount_option {
	const char *name, *value;
};

/*
 * A new file system, detached, nosuid, with attributes `attr`.
 * options end with a NULL name.  A descriptor, or -errno.
 */
int sbxi_mount_new(const char *type, const struct sbxi_mount_option *options,
		   uint64_t attr);

#endif

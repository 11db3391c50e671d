/* SPDX-License-Identifier: Apache-2.0 */
/* mount: the new mount API, each call once.  No policy is in here. */
#include "kernel/mount.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/kconst.h"

#define EMPTY_PATH 0x1000u		/* AT_EMPTY_PATH */
#define FSCONFIG_FLAG 0u
#define FSCONFIG_STRING 1u
#define FSCONFIG_CREATE 6u

static int result(long rc)
{
	return rc < 0 ? -errno : (int)rc;
}

int sbxi_mount_clone(int fd)
{
	return result(syscall(SYS_open_tree, fd, "",
			      SBXI_OPEN_TREE_CLONE | SBXI_OPEN_TREE_CLOEXEC |
				      SBXI_AT_RECURSIVE | EMPTY_PATH));
}

int sbxi_mount_clone_at(int dir, const char *path)
{
	return result(syscall(SYS_open_tree, dir, path,
			      SBXI_OPEN_TREE_CLONE | SBXI_OPEN_TREE_CLOEXEC |
				      0x100u /* AT_SYMLINK_NOFOLLOW */));
}

int sbxi_mount_attributes(int fd, uint64_t set, int recursive, int userns_fd)
{
	struct sbxi_mount_attr attr = {
		.attr_set = set,
		.userns_fd = (uint64_t)userns_fd,
	};
	unsigned int flags = EMPTY_PATH | (recursive ? SBXI_AT_RECURSIVE : 0);

	return result(syscall(SYS_mount_setattr, fd, "", flags, &attr,
			      sizeof(attr)));
}

int sbxi_mount_attach_at(int tree_fd, int dir, const char *path)
{
	return result(syscall(SYS_move_mount, tree_fd, "", dir, path,
			      SBXI_MOVE_MOUNT_F_EMPTY_PATH));
}

static int set_options(int fs, const struct sbxi_mount_option *o)
{
	for (; o->name; o++) {
		unsigned int cmd = o->value ? FSCONFIG_STRING : FSCONFIG_FLAG;

		if (syscall(SYS_fsconfig, fs, cmd, o->name, o->value, 0) < 0)
			return -errno;
	}
	return 0;
}

int sbxi_mount_new(const char *type, const struct sbxi_mount_option *options,
		   uint64_t attr)
{
	AUTO_FD fs = result(syscall(SYS_fsopen, type, SBXI_FSOPEN_CLOEXEC));
	int rc;

	if (fs < 0)
		return fs;
	rc = set_options(fs, options);
	if (rc < 0)
		return rc;
	if (syscall(SYS_fsconfig, fs, FSCONFIG_CREATE, NULL, NULL, 0) < 0)
		return -errno;
	return result(syscall(SYS_fsmount, fs, SBXI_FSMOUNT_CLOEXEC,
			      attr | SBXI_MOUNT_ATTR_NOSUID));
}

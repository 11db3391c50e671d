/* SPDX-License-Identifier: Apache-2.0 */
/* probe_mounts: what a jail's file tree is made with. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/errors.h"
#include "base/kconst.h"
#include "init/probe.h"
#include "kernel/mount.h"

static int restricted(int rc, struct sbxi_try *t)
{
	if (rc < 0)
		t->remedy = sbxi_probe_restricted_cause(-rc);
	return rc;
}

static int enter_with_mounts(uint64_t more, struct sbxi_try *t)
{
	int rc = sbxi_probe_enter(SBXI_CLONE_NEWNS | more, t);

	if (rc == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		rc = restricted(-errno, t);
	return rc;
}

/* A tmpfs over "/", which stays our root until it is pivoted to. */
static int attach_tmpfs(void)
{
	static const struct sbxi_mount_option options[] = {
		{ "mode", "0755" },
		{ NULL, NULL },
	};
	AUTO_FD fd = sbxi_mount_new("tmpfs", options, SBXI_MOUNT_ATTR_NODEV);
	int rc;

	if (fd < 0)
		return fd;
	rc = sbxi_mount_attach_at(fd, AT_FDCWD, "/");
	return rc < 0 ? rc : sbxi_steal_fd(&fd);
}

/* The host's tree, read-only, in a folder of the tmpfs: as a granted one. */
static int attach_host(int root)
{
	AUTO_FD host = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	AUTO_FD tree = -1;
	int rc;

	if (host < 0 || mkdirat(root, "host", 0755) < 0)
		return -errno;
	tree = sbxi_mount_clone(host);
	if (tree < 0)
		return tree;
	rc = sbxi_mount_attributes(tree,
				   SBXI_MOUNT_ATTR_RDONLY |
					   SBXI_MOUNT_ATTR_NOSUID |
					   SBXI_MOUNT_ATTR_NODEV,
				   1, 0);
	return rc < 0 ? rc : sbxi_mount_attach_at(tree, root, "host");
}

static int swap_root(int root)
{
	if (fchdir(root) < 0 || syscall(SYS_pivot_root, ".", ".") < 0 ||
	    umount2(".", MNT_DETACH) < 0 || chdir("/") < 0)
		return -errno;
	return 0;
}

/* The new root can be written to; the host's tree says that it cannot. */
static int check_tree(void)
{
	struct statvfs st;

	if (mkdir("/new", 0755) < 0 || statvfs("/host", &st) < 0)
		return -errno;
	return st.f_flag & ST_RDONLY ? 0 : -EIO;
}

int sbxi_try_mounts(struct sbxi_try *t)
{
	int root, rc = enter_with_mounts(0, t);

	if (rc < 0)
		return rc;
	root = attach_tmpfs();
	rc = root < 0 ? root : attach_host(root);
	if (rc == 0)
		rc = swap_root(root);
	if (rc == 0)
		rc = check_tree();
	return restricted(rc, t);
}

static int new_proc(void)
{
	static const struct sbxi_mount_option options[] = {
		{ "hidepid", "invisible" },
		{ NULL, NULL },
	};
	static const struct sbxi_mount_option old_options[] = {
		{ "hidepid", "2" },	/* its name before 5.8 */
		{ NULL, NULL },
	};
	int fd = sbxi_mount_new("proc", options, SBXI_MOUNT_ATTR_NODEV);

	if (fd != -EINVAL)
		return fd;
	return sbxi_mount_new("proc", old_options, SBXI_MOUNT_ATTR_NODEV);
}

int sbxi_try_proc(struct sbxi_try *t)
{
	int fd, rc = enter_with_mounts(SBXI_CLONE_NEWPID, t);
	char self[8] = "";

	if (rc < 0)
		return rc;
	fd = new_proc();
	if (fd < 0) {
		/* The mount namespace works: what is masked stays masked. */
		t->remedy = fd == -EPERM ? SBXI_REMEDY_PROC
					 : sbxi_probe_restricted_cause(-fd);
		return fd;
	}
	if (readlinkat(fd, "self", self, sizeof(self)) < 0)
		return -errno;
	return self[0] == '1' && self[1] == '\0' ? 0 : -EIO;
}

static int make_layers(int root)
{
	static const char *const names[] = { "lower", "upper", "work", "all" };

	for (size_t i = 0; i < SBXI_COUNT(names); i++)
		if (mkdirat(root, names[i], 0755) < 0)
			return -errno;
	return 0;
}

/* A name that is made in the merged tree is in the upper layer. */
static int check_layers(int root, int all)
{
	struct stat st;

	if (mkdirat(all, "new", 0755) < 0 ||
	    fstatat(root, "upper/new", &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	return 0;
}

int sbxi_try_overlay(struct sbxi_try *t)
{
	static const struct sbxi_mount_option options[] = {
		{ "lowerdir", "lower" },
		{ "upperdir", "upper" },
		{ "workdir", "work" },
		{ NULL, NULL },
	};
	int root, all, rc = enter_with_mounts(0, t);

	if (rc < 0)
		return rc;
	root = attach_tmpfs();
	if (root < 0)
		return restricted(root, t);
	rc = make_layers(root);
	if (rc < 0)
		return rc;
	if (fchdir(root) < 0)
		return -errno;
	all = sbxi_mount_new("overlay", options, SBXI_MOUNT_ATTR_NODEV);
	return all < 0 ? all : check_layers(root, all);
}

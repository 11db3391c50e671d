/* SPDX-License-Identifier: Apache-2.0 */
/*
 * root: the file tree that the task sees.
 *
 * One tmpfs carries the folders on the way to granted trees and the private
 * /tmp, /dev/shm and HOME, so that one size bounds them together.  At the end
 * it is read-only but for those three, which are mounts of their own.
 *
 * It is attached over "/" while paths of the old root still resolve: a
 * process's root stays where it is when something is mounted on top of it.
 * So nothing of the host is hidden before it was opened.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <sandbox/policy.h>

#include "base/cleanup.h"
#include "base/errors.h"
#include "base/kconst.h"
#include "base/text.h"
#include "init/jail.h"
#include "init/paths.h"
#include "init/tree.h"
#include "kernel/landlock.h"
#include "kernel/mount.h"

static int new_tmpfs(const struct sbxi_jail *jail)
{
	uint64_t size = jail->plan->limit[SBX_LIMIT_SCRATCH];
	char text[24];
	struct sbxi_text t = SBXI_TEXT(text);
	char inodes[24];
	struct sbxi_text ti = SBXI_TEXT(inodes);
	/* An empty file costs the kernel about a page too. */
	struct sbxi_mount_option options[] = {
		{ "mode", "0755" },
		{ size == SBXI_NO_LIMIT ? NULL : "size", text },
		{ "nr_inodes", inodes },
		{ NULL, NULL },
	};

	sbxi_text_number(&t, size);
	sbxi_text_number(&ti, size / 4096 + 1024);
	return sbxi_mount_new("tmpfs", options, SBXI_MOUNT_ATTR_NODEV);
}

/* The outer mount namespace must not see ours, nor we what it mounts later. */
static int make_private(void)
{
	return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ? -errno
								     : 0;
}

static void attach_root(struct sbxi_jail *jail)
{
	int rc = make_private();

	if (rc < 0)
		sbxi_die(jail, rc, SBXI_REMEDY_USERNS_APPARMOR, "/",
			 "the mounts cannot be made private");
	jail->root = new_tmpfs(jail);
	rc = jail->root < 0 ? jail->root
			    : sbxi_mount_attach_at(jail->root, AT_FDCWD, "/");
	if (rc < 0)
		sbxi_die(jail, rc, SBXI_REMEDY_USERNS_APPARMOR, "tmpfs", "");
}

/* A writable window into the tmpfs: the same folder, mounted on itself. */
static void open_window(struct sbxi_jail *jail, const char *path, mode_t mode)
{
	AUTO_FD tree = -1;

	if (mkdirat(jail->root, path, mode) < 0)
		sbxi_check(jail, -errno, path);
	tree = sbxi_mount_clone_at(jail->root, path);
	sbxi_check(jail, tree, path);
	sbxi_check(jail, sbxi_mount_attach_at(tree, jail->root, path), path);
	sbxi_paths_allow_tree(jail, tree, S_IFDIR, path,
			      SBX_READ | SBX_WRITE | SBX_EXEC);
}

static void add_own_folders(struct sbxi_jail *jail)
{
	open_window(jail, "tmp", 01777);
	open_window(jail, "dev/shm", 01777);
	open_window(jail, "home/task", 0700);
	jail->home = "/home/task";
	jail->tmp = "/tmp";
}

/* Folders may be listed, whatever lies in them. */
static void allow_listing(struct sbxi_jail *jail)
{
	uint64_t access = SBXI_LL_FS_READ_DIR;

	if (jail->ruleset >= 0)
		sbxi_check(jail,
			   sbxi_paths_allow_access(jail, jail->root, access),
			   "/");
}

static int swap_root(int root)
{
	if (sbxi_mount_attributes(root, SBXI_MOUNT_ATTR_RDONLY, 0, 0) < 0 ||
	    fchdir(root) < 0 || syscall(SYS_pivot_root, ".", ".") < 0 ||
	    umount2(".", MNT_DETACH) < 0 || chdir("/") < 0)
		return -errno;
	return 0;
}

/* Before anything of anybody else's is in it: plain names will do. */
static void make_folders(struct sbxi_jail *jail)
{
	static const char *const folders[] = { "dev", "dev/pts", "etc",
					       "home", "proc" };

	for (size_t i = 0; i < SBXI_COUNT(folders); i++)
		if (mkdirat(jail->root, folders[i], 0755) < 0)
			sbxi_check(jail, -errno, folders[i]);
}

void sbxi_root_build(struct sbxi_jail *jail)
{
	/* Modes are as they stand here; the task's umask comes later. */
	umask(0);
	attach_root(jail);
	make_folders(jail);
	sbxi_ruleset_make(jail, SBXI_LANDLOCK_SCOPES);
	sbxi_proc_mount(jail);
	sbxi_dev_mount(jail);
	add_own_folders(jail);
	sbxi_etc_write(jail);
	sbxi_paths_attach(jail);
	allow_listing(jail);
	umask(022);
	sbxi_check(jail, swap_root(jail->root), "pivot_root");
	close(jail->root);
	jail->root = -1;
}

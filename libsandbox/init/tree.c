/* SPDX-License-Identifier: Apache-2.0 */
/* tree: names below the new root, while it is being built. */
#include "init/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/kconst.h"
#include "kernel/mount.h"

#define NAME_SIZE 256
#define FOLDER_FLAGS (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/* The next part of a path: copied to name, and path moved behind it. */
static int next_part(const char **path, char name[NAME_SIZE])
{
	size_t n;

	*path += strspn(*path, "/");
	n = strcspn(*path, "/");
	if (n == 0)
		return 0;
	if (n >= NAME_SIZE)
		return -ENAMETOOLONG;
	if (n == 2 && (*path)[0] == '.' && (*path)[1] == '.')
		return -EXDEV;
	memcpy(name, *path, n);
	name[n] = '\0';
	*path += n;
	return 1;
}

/* Is dir on the tmpfs that root is, and so ours to write to? */
static bool is_ours(int root, int dir)
{
	struct stat a, b;

	return dir == root || (fstat(root, &a) == 0 && fstat(dir, &b) == 0 &&
			       a.st_dev == b.st_dev);
}

/* With O_NOFOLLOW a link on the way is no directory. */
static int open_or_make(int root, int dir, const char *name)
{
	int fd = openat(dir, name, FOLDER_FLAGS);

	if (fd >= 0 || errno != ENOENT || !is_ours(root, dir))
		return fd < 0 ? -errno : fd;
	if (mkdirat(dir, name, 0755) < 0 && errno != EEXIST)
		return -errno;
	fd = openat(dir, name, FOLDER_FLAGS);
	return fd < 0 ? -errno : fd;
}

static int walk(int root, const char *folder)
{
	AUTO_FD at = -1;
	char name[NAME_SIZE];
	int rc;

	while ((rc = next_part(&folder, name)) > 0) {
		int next = open_or_make(root, at < 0 ? root : at, name);

		if (next < 0)
			return next;
		sbxi_closep(&at);
		at = next;
	}
	return rc < 0 ? rc : sbxi_steal_fd(&at);
}

/* In one call, where the folder is there already; else part by part. */
static int open_folder(int root, const char *folder)
{
	struct sbxi_open_how how = {
		.flags = FOLDER_FLAGS,
		.resolve = SBXI_RESOLVE_BENEATH | SBXI_RESOLVE_NO_SYMLINKS |
			   SBXI_RESOLVE_NO_MAGICLINKS,
	};
	long fd = syscall(SYS_openat2, root, folder, &how, sizeof(how));

	return fd < 0 ? walk(root, folder) : (int)fd;
}

int sbxi_tree_parent(int root, const char *path, const char **ret_name)
{
	const char *slash = strrchr(path, '/');
	char folder[4096];
	size_t n;
	int fd;

	if (!slash || slash[1] == '\0')
		return -EINVAL;
	*ret_name = slash + 1;
	n = (size_t)(slash - path);
	if (n == 0) {
		fd = fcntl(root, F_DUPFD_CLOEXEC, 3);
		return fd < 0 ? -errno : fd;
	}
	if (n >= sizeof(folder))
		return -ENAMETOOLONG;
	memcpy(folder, path + 1, n - 1);
	folder[n - 1] = '\0';
	return open_folder(root, folder);
}

static int make_place(int dir, const char *name, bool is_dir)
{
	int rc = is_dir ? mkdirat(dir, name, 0755)
			: mknodat(dir, name, S_IFREG | 0644, 0);

	return rc < 0 && errno != EEXIST ? -errno : 0;
}

int sbxi_tree_attach(int root, const char *path, int tree, bool is_dir)
{
	const char *name;
	AUTO_FD dir = sbxi_tree_parent(root, path, &name);
	int rc;

	if (dir < 0)
		return dir;
	if (is_ours(root, dir)) {
		rc = make_place(dir, name, is_dir);
		if (rc < 0)
			return rc;
	}
	/* A link there is not followed. */
	return sbxi_mount_attach_at(tree, dir, name);
}

static int pin_one(int dir, const char *name)
{
	AUTO_FD fd = openat(dir, name, FOLDER_FLAGS);
	AUTO_FD tree = -1;

	if (fd < 0)
		return -errno;
	tree = sbxi_mount_clone(fd);
	return tree < 0 ? tree : sbxi_mount_attach_at(tree, dir, name);
}

int sbxi_tree_pin(int root, const char *path)
{
	AUTO_FD at = sbxi_fd_dup(root);
	char name[NAME_SIZE];
	int rc = 1;

	while (at >= 0 && (rc = next_part(&path, name)) > 0 && *path) {
		int next;

		/* In our own tmpfs nobody may rename. */
		if (!is_ours(root, at)) {
			rc = pin_one(at, name);
			if (rc < 0)
				return rc;
		}
		next = openat(at, name, FOLDER_FLAGS);
		if (next < 0)
			return -errno;
		close(at);
		at = next;
	}
	return at < 0 ? at : rc < 0 ? rc : 0;
}

int sbxi_tree_link(int root, const char *path, const char *text)
{
	const char *name;
	AUTO_FD dir = sbxi_tree_parent(root, path, &name);

	if (dir < 0)
		return dir;
	if (!is_ours(root, dir))
		return -EROFS;
	return symlinkat(text, dir, name) < 0 ? -errno : 0;
}

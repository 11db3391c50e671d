/* SPDX-License-Identifier: Apache-2.0 */
/* tree: names below the new root, while it is being built. */
#include "init/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

#define NAME_SIZE 256

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
	memcpy(name, *path, n);
	name[n] = '\0';
	*path += n;
	*path += strspn(*path, "/");
	return 1;
}

/* Is dir on the tmpfs that root is, and so ours to write to? */
static bool is_ours(int root, int dir)
{
	struct stat a, b;

	return fstat(root, &a) == 0 && fstat(dir, &b) == 0 &&
	       a.st_dev == b.st_dev;
}

static int make(int dir, const char *name, bool is_dir)
{
	int fd;

	if (is_dir)
		return mkdirat(dir, name, 0755) < 0 ? -errno : 0;
	fd = openat(dir, name,
		    O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* With O_DIRECTORY a link is ENOTDIR; a file that is one is opened itself. */
static int open_part(int root, int dir, const char *name, bool is_dir)
{
	int flags = O_PATH | O_NOFOLLOW | O_CLOEXEC |
		    (is_dir ? O_DIRECTORY : 0);
	int fd = openat(dir, name, flags);
	int rc;

	if (fd >= 0 || errno != ENOENT || !is_ours(root, dir))
		return fd < 0 ? -errno : fd;
	rc = make(dir, name, is_dir);
	if (rc < 0 && rc != -EEXIST)
		return rc;
	fd = openat(dir, name, flags);
	return fd < 0 ? -errno : fd;
}

static int refuse_link(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	return S_ISLNK(st.st_mode) ? -ELOOP : 0;
}

int sbxi_tree_mountpoint(int root, const char *path, bool is_dir)
{
	AUTO_FD at = fcntl(root, F_DUPFD_CLOEXEC, 3);
	char name[NAME_SIZE];
	int rc;

	if (at < 0)
		return -errno;
	while ((rc = next_part(&path, name)) > 0) {
		bool last = *path == '\0';
		int next = open_part(root, at, name, last ? is_dir : true);

		if (next < 0)
			return next;
		close(at);
		at = next;
		rc = last && !is_dir ? refuse_link(at) : 0;
		if (rc < 0)
			return rc;
	}
	return rc < 0 ? rc : sbxi_steal_fd(&at);
}

int sbxi_tree_parent(int root, const char *path, const char **ret_name)
{
	const char *slash = strrchr(path, '/');
	char folder[4096];
	size_t n;

	if (!slash || slash[1] == '\0')
		return -EINVAL;
	n = (size_t)(slash - path);
	if (n >= sizeof(folder))
		return -ENAMETOOLONG;
	memcpy(folder, path, n);
	folder[n] = '\0';
	*ret_name = slash + 1;
	return sbxi_tree_mountpoint(root, folder, true);
}

int sbxi_tree_file(int root, const char *path, const char *text, mode_t mode)
{
	const char *name;
	AUTO_FD dir = sbxi_tree_parent(root, path, &name);
	AUTO_FD fd = -1;
	size_t len = strlen(text);

	if (dir < 0)
		return dir;
	if (!is_ours(root, dir))
		return -EROFS;
	fd = openat(dir, name,
		    O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, mode);
	if (fd < 0)
		return -errno;
	return write(fd, text, len) == (ssize_t)len ? 0 : -EIO;
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

/* SPDX-License-Identifier: Apache-2.0 */
/* rmtree: remove a folder and all in it, whatever a task made of it. */
#include "base/rmtree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/kconst.h"
#include "base/text.h"

/* Deeper folders are moved up to the top, so that few are open at once. */
#define MAX_DEPTH 16

struct rmtree {
	int top;		/* the folder that is being emptied */
	uint64_t moved;		/* for fresh names in it */
};

static int empty_folder(struct rmtree *r, int fd, int depth);

static bool is_dots(const char *name)
{
	return name[0] == '.' &&
	       (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

/* By descriptor: fchmodat(2) would follow a link that takes the name. */
static int give_rights(int dir, const char *name)
{
	AUTO_FD fd = openat(dir, name,
			    O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	char path[40];
	struct sbxi_text t = SBXI_TEXT(path);

	if (fd < 0)
		return -errno;
	sbxi_text_add(&t, "/proc/self/fd/");
	sbxi_text_number(&t, (uint64_t)fd);
	return chmod(path, 0700) < 0 ? -errno : 0;
}

/*
 * A mount is somebody else's: openat2 does not cross into one.  Where there is
 * no openat2 another device is still told.
 */
static int open_here(int dir, const char *name)
{
	const uint64_t flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	struct sbxi_open_how how = { .flags = flags,
				     .resolve = SBXI_RESOLVE_NO_XDEV };
	long fd = syscall(SYS_openat2, dir, name, &how, sizeof(how));

	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		fd = openat(dir, name, (int)flags);
	return fd < 0 ? -errno : (int)fd;
}

static int open_folder(int dir, const char *name)
{
	int fd = open_here(dir, name);

	/* The task took our rights away; the folder is ours still. */
	if (fd == -EACCES && give_rights(dir, name) == 0)
		fd = open_here(dir, name);
	if (fd < 0)
		return fd;
	/* If that fails, removing what is in it says so. */
	(void)fchmod(fd, 0700);
	return fd;
}

static bool same_device(int a, int b)
{
	struct stat x, y;

	return fstat(a, &x) == 0 && fstat(b, &y) == 0 &&
	       x.st_dev == y.st_dev;
}

static int move_up(struct rmtree *r, int dir, const char *name)
{
	/* Moving a folder changes its "..", for which it must be writable. */
	AUTO_FD fd = open_folder(dir, name);

	if (fd < 0)
		return fd;
	for (;;) {
		char fresh[40];
		struct sbxi_text t = SBXI_TEXT(fresh);

		sbxi_text_add(&t, ".sbx-rm-");
		sbxi_text_number(&t, r->moved++);
		if (renameat(dir, name, r->top, fresh) == 0)
			return 0;
		/* The task may have taken such names. */
		if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR)
			return -errno;
	}
}

static int remove_folder(struct rmtree *r, int dir, const char *name,
			 int depth)
{
	AUTO_FD fd = -1;
	int rc;

	if (depth >= MAX_DEPTH)
		return move_up(r, dir, name);
	fd = open_folder(dir, name);
	if (fd < 0)
		return fd;
	/* What is mounted there is somebody else's. */
	if (!same_device(r->top, fd))
		return -EXDEV;
	rc = empty_folder(r, fd, depth + 1);
	if (rc < 0)
		return rc;
	return unlinkat(dir, name, AT_REMOVEDIR) < 0 ? -errno : 0;
}

static int remove_entry(struct rmtree *r, int dir, const char *name, int depth)
{
	if (unlinkat(dir, name, 0) == 0 || errno == ENOENT)
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return -errno;
	return remove_folder(r, dir, name, depth);
}

/* Removing while listing may skip entries: list until nothing is found. */
static int empty_folder(struct rmtree *r, int fd, int depth)
{
	char buf[2048] __attribute__((aligned(8)));
	bool found;
	long n;

	do {
		found = false;
		if (lseek(fd, 0, SEEK_SET) < 0)
			return -errno;
		while ((n = syscall(SYS_getdents64, fd, buf, sizeof(buf))) >
		       0) {
			for (long at = 0; at < n;) {
				const struct sbxi_dirent *e =
					(const void *)(buf + at);
				int rc;

				at += e->reclen;
				if (is_dots(e->name))
					continue;
				found = true;
				rc = remove_entry(r, fd, e->name, depth);
				if (rc < 0)
					return rc;
			}
		}
		if (n < 0)
			return -errno;
	} while (found);
	return 0;
}

int sbxi_rmtree(int dir, const char *name)
{
	struct rmtree r = { .moved = 0 };
	AUTO_FD top = -1;
	int rc;

	/* Mostly it is empty. */
	if (unlinkat(dir, name, AT_REMOVEDIR) == 0)
		return 0;
	top = open_folder(dir, name);
	if (top < 0)
		return top;
	r.top = top;
	rc = empty_folder(&r, top, 0);
	if (rc < 0)
		return rc;
	return unlinkat(dir, name, AT_REMOVEDIR) < 0 ? -errno : 0;
}

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

static int open_folder(int dir, const char *name)
{
	int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(dir, name, flags);

	if (fd < 0 && errno == EACCES) {
		/* The task took our rights away; the folder is ours still. */
		if (fchmodat(dir, name, 0700, 0) < 0)
			return -errno;
		fd = openat(dir, name, flags);
	}
	if (fd < 0)
		return -errno;
	/* If that fails, removing what is in it says so. */
	(void)fchmod(fd, 0700);
	return fd;
}

static int move_up(struct rmtree *r, int dir, const char *name)
{
	char fresh[40];
	struct sbxi_text t = SBXI_TEXT(fresh);

	sbxi_text_add(&t, ".sbx-rm-");
	sbxi_text_number(&t, r->moved++);
	return renameat(dir, name, r->top, fresh) < 0 ? -errno : 0;
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

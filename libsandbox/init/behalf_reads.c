/* SPDX-License-Identifier: Apache-2.0 */
/*
 * behalf_reads: attributes of files and of file systems, by path, in tier B.
 *
 * Landlock judges neither, and there are no mounts that would.  Names, sizes
 * and times can be seen there all the same: stat(2) is not asked about, since
 * programs live by it, and neither is O_PATH, since the kernel hands no such
 * descriptor over.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <sandbox/task.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "init/behalf.h"
#include "init/where.h"

#define MAX_VALUE 65536		/* XATTR_SIZE_MAX, XATTR_LIST_MAX */

/* Take hold of what may be read, O_PATH.  A descriptor or -errno. */
static int find(struct sbxi_behalf *b, struct sbxi_call *c, uint64_t path,
		unsigned int how)
{
	AUTO_WHERE w = SBXI_WHERE_INIT;
	int rc = sbxi_where_find(c, AT_FDCWD, path, how, &w);

	if (rc == 0 && !sbxi_where_exists(&w))
		rc = -ENOENT;
	if (rc == 0)
		rc = sbxi_behalf_judge_read(b, c, &w);
	return rc < 0 ? rc : sbxi_where_hold(&w);
}

static bool handle_statfs(struct sbxi_behalf *b, struct sbxi_call *c)
{
	AUTO_FD fd = find(b, c, c->n.args[0], SBXI_WHERE_FOLLOW);
	struct statfs st;
	int rc = fd < 0 ? fd : fstatfs(fd, &st) < 0 ? -errno : 0;

	if (rc == 0)
		rc = sbxi_call_write(c, c->n.args[1], &st, sizeof(st));
	sbxi_call_return(c, rc);
	return true;
}

static ssize_t read_attribute(int fd, const char *name, char *to, size_t size)
{
	char path[40];
	struct sbxi_text t = SBXI_TEXT(path);
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) < 0)
		return -errno;
	/* Links have none that users may set. */
	if (S_ISLNK(st.st_mode))
		return name ? -ENODATA : 0;
	sbxi_text_add(&t, "/proc/self/fd/");
	sbxi_text_number(&t, (uint64_t)(unsigned int)fd);
	n = name ? getxattr(path, name, to, size) : listxattr(path, to, size);
	return n < 0 ? -errno : n;
}

/* The value of one attribute; without a name: the names of all. */
static bool answer(struct sbxi_behalf *b, struct sbxi_call *c,
		   unsigned int how, const char *name, uint64_t to,
		   uint64_t size)
{
	static char value[MAX_VALUE];
	AUTO_FD fd = find(b, c, c->n.args[0], how);
	ssize_t n = fd;

	if (size > sizeof(value))
		size = sizeof(value);
	if (fd >= 0)
		n = read_attribute(fd, name, value, size);
	if (n > 0 && size > 0) {
		int rc = sbxi_call_write(c, to, value, (size_t)n);

		n = rc < 0 ? rc : n;
	}
	sbxi_call_return(c, n);
	return true;
}

static bool handle_attribute(struct sbxi_behalf *b, struct sbxi_call *c)
{
	unsigned int how = c->n.nr == SYS_getxattr ? SBXI_WHERE_FOLLOW : 0;
	char name[256];
	int rc = sbxi_call_string(c, c->n.args[1], name, sizeof(name));

	if (rc == 0)
		return answer(b, c, how, name, c->n.args[2], c->n.args[3]);
	sbxi_call_return(c, rc == -ENAMETOOLONG ? -ERANGE : rc);
	return true;
}

static bool handle_list(struct sbxi_behalf *b, struct sbxi_call *c)
{
	unsigned int how = c->n.nr == SYS_listxattr ? SBXI_WHERE_FOLLOW : 0;

	return answer(b, c, how, NULL, c->n.args[1], c->n.args[2]);
}

sbxi_handler sbxi_behalf_reads(int nr)
{
	switch (nr) {
	case SYS_statfs:
		return handle_statfs;
	case SYS_getxattr:
	case SYS_lgetxattr:
		return handle_attribute;
	case SYS_listxattr:
	case SYS_llistxattr:
		return handle_list;
	default:
		return NULL;
	}
}

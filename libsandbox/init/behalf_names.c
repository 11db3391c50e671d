/* SPDX-License-Identifier: Apache-2.0 */
/* behalf_names: calls that make, move or remove names. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "init/behalf.h"
#include "init/where.h"

#define EXCHANGE (1u << 1)	/* RENAME_EXCHANGE */
#define WHITEOUT (1u << 2)	/* RENAME_WHITEOUT */

/* Find a name that is to be made, and whether it may be. */
static int find_new(struct sbxi_behalf *b, struct sbxi_call *c, int dir,
		    uint64_t path, enum sbxi_change change,
		    struct sbxi_where *ret)
{
	int rc = sbxi_where_find(c, dir, path, 0, ret);

	if (rc < 0)
		return rc;
	/* As the kernel has it: "mkdir -p" counts on it. */
	if (sbxi_where_exists(ret))
		return -EEXIST;
	rc = sbxi_call_look_up(c);
	return rc < 0 ? rc : sbxi_behalf_judge(b, c, ret, change);
}

/* A folder or a link brings along what lies behind it. */
static enum sbxi_change brings(const struct sbxi_where *w)
{
	struct stat st;

	if (w->thing < 0 &&
	    fstatat(w->folder, w->name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    (S_ISDIR(st.st_mode) || S_ISLNK(st.st_mode)))
		return SBXI_CHANGE_TREE;
	return SBXI_CHANGE_MAKE;
}

/* Find a name that is to go. */
static int find_old(struct sbxi_behalf *b, struct sbxi_call *c, int dir,
		    uint64_t path, struct sbxi_where *ret)
{
	int rc = sbxi_where_find(c, dir, path, 0, ret);

	if (rc < 0)
		return rc;
	if (ret->thing >= 0)	/* "." or ".." */
		return -EINVAL;
	if (!sbxi_where_exists(ret))
		return -ENOENT;
	return sbxi_behalf_judge(b, c, ret, SBXI_CHANGE_REMOVE);
}

static bool make_folder(struct sbxi_behalf *b, struct sbxi_call *c, int dir,
			uint64_t path, uint64_t mode)
{
	AUTO_WHERE w = SBXI_WHERE_INIT;
	int rc = find_new(b, c, dir, path, SBXI_CHANGE_MAKE, &w);

	if (rc == 0) {
		umask(c->umask);
		rc = mkdirat(w.folder, w.name,
			     (mode_t)mode & (0777 | S_ISVTX)) < 0
			     ? -errno
			     : 0;
	}
	sbxi_call_return(c, rc);
	return true;
}

static bool make_node(struct sbxi_behalf *b, struct sbxi_call *c, int dir,
		      uint64_t path, uint64_t mode)
{
	AUTO_WHERE w = SBXI_WHERE_INIT;
	mode_t type = (mode_t)mode & S_IFMT;
	int rc = S_ISBLK(type) || S_ISCHR(type)
			 ? -EPERM
			 : find_new(b, c, dir, path, SBXI_CHANGE_MAKE, &w);

	if (rc == 0) {
		umask(c->umask);
		rc = mknodat(w.folder, w.name,
			     type | ((mode_t)mode & (0777 | S_ISVTX)), 0) < 0
			     ? -errno
			     : 0;
	}
	sbxi_call_return(c, rc);
	return true;
}

static bool make_link(struct sbxi_behalf *b, struct sbxi_call *c,
		      uint64_t text, int dir, uint64_t path)
{
	AUTO_WHERE w = SBXI_WHERE_INIT;
	char target[PATH_MAX];
	int rc = sbxi_call_string(c, text, target, sizeof(target));

	if (rc == 0)
		rc = find_new(b, c, dir, path, SBXI_CHANGE_TREE, &w);
	if (rc == 0)
		rc = symlinkat(target, w.folder, w.name) < 0 ? -errno : 0;
	sbxi_call_return(c, rc);
	return true;
}

static bool remove_name(struct sbxi_behalf *b, struct sbxi_call *c, int dir,
			uint64_t path, int flags)
{
	AUTO_WHERE w = SBXI_WHERE_INIT;
	int rc = flags & ~AT_REMOVEDIR ? -EINVAL
				       : find_old(b, c, dir, path, &w);

	if (rc == -EINVAL && w.thing >= 0 && !(flags & AT_REMOVEDIR))
		rc = -EISDIR;
	if (rc == 0 && w.must_be_folder && !(flags & AT_REMOVEDIR))
		rc = -ENOTDIR;
	if (rc == 0)
		rc = unlinkat(w.folder, w.name, flags) < 0 ? -errno : 0;
	sbxi_call_return(c, rc);
	return true;
}

/* A tree that was put together where nobody looked is not moved in. */
static int judge_move(struct sbxi_behalf *b, const struct sbxi_call *c,
		      const struct sbxi_where *from,
		      const struct sbxi_where *to)
{
	enum sbxi_change change = brings(from);
	int rc = sbxi_behalf_judge(b, c, to, change);

	if (rc == 0 && sbxi_where_exists(to))
		rc = sbxi_behalf_judge(b, c, to, SBXI_CHANGE_REMOVE);
	/* What goes from there makes room for another. */
	if (rc == 0 && change == SBXI_CHANGE_TREE)
		rc = sbxi_behalf_judge(b, c, from, change);

	if (rc == 0 && sbxi_where_is_covered(b->jail, to) &&
	    !sbxi_where_is_covered(b->jail, from) && sbxi_where_is_folder(from))
		rc = -EXDEV;
	return rc;
}

static bool move(struct sbxi_behalf *b, struct sbxi_call *c, int from_dir,
		 uint64_t from, int to_dir, uint64_t to, unsigned int flags)
{
	AUTO_WHERE old = SBXI_WHERE_INIT;
	AUTO_WHERE new = SBXI_WHERE_INIT;
	int rc = flags & WHITEOUT ? -EPERM
				  : find_old(b, c, from_dir, from, &old);

	if (rc == 0)
		rc = sbxi_where_find(c, to_dir, to, 0, &new);
	if (rc == 0 && new.thing >= 0)
		rc = -EBUSY;
	if (rc == 0)
		rc = judge_move(b, c, &old, &new);
	if (rc == 0 && (flags & EXCHANGE))
		rc = judge_move(b, c, &new, &old);
	if (rc == 0)
		rc = syscall(SYS_renameat2, old.folder, old.name, new.folder,
			     new.name, flags) < 0
			     ? -errno
			     : 0;
	sbxi_call_return(c, rc);
	return true;
}

/* The source of link(2): by name, or held by a descriptor. */
static int link_thing(const struct sbxi_call *c, const struct sbxi_where *from,
		      const struct sbxi_where *to)
{
	char path[40];
	struct sbxi_text t = SBXI_TEXT(path);
	int rc;

	if (from->thing < 0)
		return linkat(from->folder, from->name, to->folder, to->name,
			      0) < 0
			       ? -errno
			       : 0;
	sbxi_text_add(&t, "self/fd/");
	sbxi_text_number(&t, (uint64_t)(unsigned int)from->thing);
	rc = linkat(c->proc, path, to->folder, to->name, AT_SYMLINK_FOLLOW);
	return rc < 0 ? -errno : 0;
}

/* A file that had one name has no other but those that the task gives it. */
static void note_name(struct sbxi_behalf *b, const struct sbxi_where *w)
{
	AUTO_FD fd = sbxi_where_hold(w);
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_nlink == 1 && sbxi_where_is_older(b->jail, fd))
		sbxi_behalf_note_name(b, fd);
}

static bool add_name(struct sbxi_behalf *b, struct sbxi_call *c, int from_dir,
		     uint64_t from, int to_dir, uint64_t to, int flags)
{
	AUTO_WHERE old = SBXI_WHERE_INIT;
	AUTO_WHERE new = SBXI_WHERE_INIT;
	unsigned int how =
		(flags & AT_SYMLINK_FOLLOW ? SBXI_WHERE_FOLLOW : 0) |
		(flags & AT_EMPTY_PATH ? SBXI_WHERE_EMPTY : 0);
	int rc = flags & ~(AT_SYMLINK_FOLLOW | AT_EMPTY_PATH)
			 ? -EINVAL
			 : sbxi_where_find(c, from_dir, from, how, &old);

	if (rc == 0 && !sbxi_where_exists(&old))
		rc = -ENOENT;
	/* What may be changed by another name must not be protected. */
	if (rc == 0)
		rc = sbxi_behalf_judge(b, c, &old, SBXI_CHANGE_THING);
	if (rc == 0)
		rc = find_new(b, c, to_dir, to, brings(&old), &new);
	if (rc == 0) {
		note_name(b, &old);
		rc = link_thing(c, &old, &new);
	}
	sbxi_call_return(c, rc);
	return true;
}

#define ARG(i) c->n.args[i]
#define DIR(i) ((int)c->n.args[i])

static bool handle_at(struct sbxi_behalf *b, struct sbxi_call *c)
{
	switch (c->n.nr) {
	case SYS_mkdirat:
		return make_folder(b, c, DIR(0), ARG(1), ARG(2));
	case SYS_mknodat:
		return make_node(b, c, DIR(0), ARG(1), ARG(2));
	case SYS_symlinkat:
		return make_link(b, c, ARG(0), DIR(1), ARG(2));
	case SYS_unlinkat:
		return remove_name(b, c, DIR(0), ARG(1), (int)ARG(2));
	case SYS_linkat:
		return add_name(b, c, DIR(0), ARG(1), DIR(2), ARG(3),
				(int)ARG(4));
#ifdef SYS_renameat
	case SYS_renameat:
		return move(b, c, DIR(0), ARG(1), DIR(2), ARG(3), 0);
#endif
	default:
		return move(b, c, DIR(0), ARG(1), DIR(2), ARG(3),
			    (unsigned int)ARG(4));
	}
}

#ifdef SYS_mkdir
static bool handle_old(struct sbxi_behalf *b, struct sbxi_call *c)
{
	const int cwd = AT_FDCWD;

	switch (c->n.nr) {
	case SYS_mkdir:
		return make_folder(b, c, cwd, ARG(0), ARG(1));
	case SYS_mknod:
		return make_node(b, c, cwd, ARG(0), ARG(1));
	case SYS_symlink:
		return make_link(b, c, ARG(0), cwd, ARG(1));
	case SYS_unlink:
		return remove_name(b, c, cwd, ARG(0), 0);
	case SYS_rmdir:
		return remove_name(b, c, cwd, ARG(0), AT_REMOVEDIR);
	case SYS_link:
		return add_name(b, c, cwd, ARG(0), cwd, ARG(1), 0);
	default:
		return move(b, c, cwd, ARG(0), cwd, ARG(1), 0);
	}
}
#endif

sbxi_handler sbxi_behalf_names(int nr)
{
	switch (nr) {
	case SYS_mkdirat:
	case SYS_mknodat:
	case SYS_symlinkat:
	case SYS_unlinkat:
	case SYS_linkat:
#ifdef SYS_renameat
	case SYS_renameat:
#endif
	case SYS_renameat2:
		return handle_at;
#ifdef SYS_mkdir
	case SYS_mkdir:
	case SYS_mknod:
	case SYS_symlink:
	case SYS_unlink:
	case SYS_rmdir:
	case SYS_link:
	case SYS_rename:
		return handle_old;
#endif
	default:
		return NULL;
	}
}

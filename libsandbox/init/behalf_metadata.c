/* SPDX-License-Identifier: Apache-2.0 */
/*
 * behalf_metadata: mode, owner, times and attributes of files.
 *
 * A descriptor that was opened to be read changes them all the same, and no
 * Landlock rule does judge them.  So a thing must lie, under the name that the
 * kernel has for it, in a tree that the task may write to; or the task holds
 * it open for writing.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include <sandbox/task.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "init/behalf.h"
#include "init/where.h"

#define MAX_VALUE 65536		/* XATTR_SIZE_MAX */

/* The thing whose metadata is to change. */
struct subject {
	int fd;			/* O_PATH */
	bool is_link;		/* a symbolic link itself */
	char by_proc[48];	/* "/proc/self/fd/N": for calls that take names */
};

static bool is_same_thing(int a, int b)
{
	struct stat x, y;

	return fstat(a, &x) == 0 && fstat(b, &y) == 0 &&
	       x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Is what the kernel calls by this path, here, the thing that is held? */
static bool is_here(const struct sbxi_where *w)
{
	AUTO_FD fd = open(w->path, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	return fd >= 0 && is_same_thing(fd, w->thing);
}

static int judge(struct sbxi_behalf *b, const struct sbxi_call *c,
		 const struct sbxi_where *w, int open_flags)
{
	bool held = open_flags >= 0 && (open_flags & O_ACCMODE) != O_RDONLY &&
		    !(open_flags & O_PATH);

	if (w->thing < 0 || is_here(w))
		return sbxi_behalf_judge(b, c, w, SBXI_CHANGE_THING);
	/* From elsewhere, or in no folder any more. */
	return held ? 0 : sbxi_behalf_refuse(b, c, SBX_DENIAL_WRITE, w, -EPERM);
}

static int take_subject(const struct sbxi_where *w, struct subject *ret)
{
	struct sbxi_text t = SBXI_TEXT(ret->by_proc);
	struct stat st;

	ret->fd = sbxi_where_hold(w);
	if (ret->fd < 0)
		return ret->fd;
	if (fstat(ret->fd, &st) < 0)
		return -errno;
	ret->is_link = S_ISLNK(st.st_mode);
	if (w->must_be_folder && !S_ISDIR(st.st_mode))
		return -ENOTDIR;
	sbxi_text_add(&t, "/proc/self/fd/");
	sbxi_text_number(&t, (uint64_t)(unsigned int)ret->fd);
	return 0;
}

static int find(struct sbxi_behalf *b, struct sbxi_call *c, int dir,
		uint64_t path, unsigned int how, struct subject *ret)
{
	AUTO_WHERE w = SBXI_WHERE_INIT;
	int rc = sbxi_where_find(c, dir, path, how, &w);

	if (rc == 0 && !sbxi_where_exists(&w))
		rc = -ENOENT;
	if (rc == 0)
		rc = judge(b, c, &w, -1);
	return rc < 0 ? rc : take_subject(&w, ret);
}

static int find_fd(struct sbxi_behalf *b, struct sbxi_call *c, int fd,
		   struct subject *ret)
{
	AUTO_WHERE w = SBXI_WHERE_INIT;
	int rc = sbxi_where_of_fd(c, fd, &w);
	int flags = sbxi_call_fd_flags(c, fd);

	if (rc == 0 && flags < 0)
		rc = flags;
	if (rc == 0 && (flags & O_PATH))
		rc = -EBADF;
	if (rc == 0)
		rc = judge(b, c, &w, flags);
	return rc < 0 ? rc : take_subject(&w, ret);
}

/* By flags of an *at() call. */
static int find_at(struct sbxi_behalf *b, struct sbxi_call *c, int dir,
		   uint64_t path, int flags, struct subject *ret)
{
	unsigned int how = (flags & AT_SYMLINK_NOFOLLOW ? 0
							: SBXI_WHERE_FOLLOW) |
			   (flags & AT_EMPTY_PATH ? SBXI_WHERE_EMPTY : 0);

	if (flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH))
		return -EINVAL;
	return find(b, c, dir, path, how, ret);
}

static int set_mode(const struct subject *s, uint64_t mode)
{
	if (mode & (S_ISUID | S_ISGID))
		return -EPERM;
	if (s->is_link)
		return -EOPNOTSUPP;
	return fchmodat(AT_FDCWD, s->by_proc, (mode_t)mode & 07777, 0) < 0
		       ? -errno
		       : 0;
}

static int set_owner(const struct subject *s, uint64_t uid, uint64_t gid)
{
	return fchownat(s->fd, "", (uid_t)uid, (gid_t)gid, AT_EMPTY_PATH) < 0
		       ? -errno
		       : 0;
}

static int set_times(const struct subject *s, const struct timespec *times)
{
	/* A link has no name by /proc that leads to itself. */
	int rc = s->is_link ? utimensat(s->fd, "", times, AT_EMPTY_PATH)
			    : utimensat(AT_FDCWD, s->by_proc, times, 0);

	return rc < 0 ? -errno : 0;
}

/* Where the handlers below end. */
static bool finish(struct sbxi_call *c, struct subject *s, int rc)
{
	sbxi_closep(&s->fd);
	sbxi_call_return(c, rc);
	return true;
}

#define ARG(i) c->n.args[i]
#define DIR(i) ((int)c->n.args[i])

static bool handle_mode(struct sbxi_behalf *b, struct sbxi_call *c)
{
	struct subject s = { .fd = -1 };
	uint64_t mode = ARG(1);
	int rc;

	if (c->n.nr == SYS_fchmod) {
		rc = find_fd(b, c, DIR(0), &s);
#ifdef SYS_chmod
	} else if (c->n.nr == SYS_chmod) {
		rc = find(b, c, AT_FDCWD, ARG(0), SBXI_WHERE_FOLLOW, &s);
#endif
	} else {
		/* fchmodat(2) of the kernel has no flags. */
		int flags = c->n.nr == SYS_fchmodat ? 0 : (int)ARG(3);

		mode = ARG(2);
		rc = find_at(b, c, DIR(0), ARG(1), flags, &s);
	}
	return finish(c, &s, rc < 0 ? rc : set_mode(&s, mode));
}

static bool handle_owner(struct sbxi_behalf *b, struct sbxi_call *c)
{
	struct subject s = { .fd = -1 };
	int rc;

	if (c->n.nr == SYS_fchownat) {
		rc = find_at(b, c, DIR(0), ARG(1), (int)ARG(4), &s);
		return finish(c, &s,
			      rc < 0 ? rc : set_owner(&s, ARG(2), ARG(3)));
	}
	if (c->n.nr == SYS_fchown)
		rc = find_fd(b, c, DIR(0), &s);
	else
		rc = find(b, c, AT_FDCWD, ARG(0),
#ifdef SYS_lchown
			  c->n.nr == SYS_lchown ? 0 :
#endif
			  SBXI_WHERE_FOLLOW, &s);
	return finish(c, &s, rc < 0 ? rc : set_owner(&s, ARG(1), ARG(2)));
}

static bool handle_utimensat(struct sbxi_behalf *b, struct sbxi_call *c)
{
	struct timespec t[2];
	struct subject s = { .fd = -1 };
	int rc = ARG(2) ? sbxi_call_read(c, ARG(2), t, sizeof(t)) : 0;

	if (rc == 0 && ARG(1) == 0)
		rc = find_fd(b, c, DIR(0), &s);
	else if (rc == 0)
		rc = find_at(b, c, DIR(0), ARG(1), (int)ARG(3), &s);
	return finish(c, &s,
		      rc < 0 ? rc : set_times(&s, ARG(2) ? t : NULL));
}

#ifdef SYS_utimes
/* Seconds, or seconds and microseconds, to what the newest call takes. */
static int read_old_times(struct sbxi_call *c, uint64_t from,
			  struct timespec *to)
{
	int64_t v[4];
	bool seconds = c->n.nr == SYS_utime;
	int rc = sbxi_call_read(c, from, v, seconds ? sizeof(v) / 2
						    : sizeof(v));

	if (rc < 0)
		return rc;
	for (int i = 0; i < 2; i++) {
		int64_t us = seconds ? 0 : v[2 * i + 1];

		if (us < 0 || us >= 1000000)
			return -EINVAL;
		to[i] = (struct timespec){ .tv_sec = seconds ? v[i] : v[2 * i],
					   .tv_nsec = us * 1000 };
	}
	return 0;
}

static bool handle_old_times(struct sbxi_behalf *b, struct sbxi_call *c)
{
	bool at = c->n.nr == SYS_futimesat;
	uint64_t path = at ? ARG(1) : ARG(0), from = at ? ARG(2) : ARG(1);
	struct timespec t[2];
	struct subject s = { .fd = -1 };
	int rc = from ? read_old_times(c, from, t) : 0;

	if (rc == 0 && at && path == 0)
		rc = find_fd(b, c, DIR(0), &s);
	else if (rc == 0)
		rc = find(b, c, at ? DIR(0) : AT_FDCWD, path,
			  SBXI_WHERE_FOLLOW, &s);
	return finish(c, &s, rc < 0 ? rc : set_times(&s, from ? t : NULL));
}
#endif

static int find_for_attribute(struct sbxi_behalf *b, struct sbxi_call *c,
			      struct subject *ret)
{
	switch (c->n.nr) {
	case SYS_fsetxattr:
	case SYS_fremovexattr:
		return find_fd(b, c, DIR(0), ret);
	case SYS_lsetxattr:
	case SYS_lremovexattr:
		return find(b, c, AT_FDCWD, ARG(0), 0, ret);
	default:
		return find(b, c, AT_FDCWD, ARG(0), SBXI_WHERE_FOLLOW, ret);
	}
}

static bool handle_attribute(struct sbxi_behalf *b, struct sbxi_call *c)
{
	static char value[MAX_VALUE];
	bool sets = c->n.nr == SYS_setxattr || c->n.nr == SYS_lsetxattr ||
		    c->n.nr == SYS_fsetxattr;
	struct subject s = { .fd = -1 };
	char name[256];
	int rc = sbxi_call_string(c, ARG(1), name, sizeof(name));

	if (rc == -ENAMETOOLONG)
		rc = -ERANGE;
	if (rc == 0 && sets && ARG(3) > sizeof(value))
		rc = -E2BIG;
	if (rc == 0 && sets && ARG(3) > 0)
		rc = sbxi_call_read(c, ARG(2), value, ARG(3));
	if (rc == 0)
		rc = find_for_attribute(b, c, &s);
	/* Links have no attributes of users. */
	if (rc == 0 && s.is_link)
		rc = -EPERM;
	if (rc == 0 && sets)
		rc = setxattr(s.by_proc, name, value, ARG(3), (int)ARG(4));
	else if (rc == 0)
		rc = removexattr(s.by_proc, name);
	return finish(c, &s, rc == -1 ? -errno : rc);
}

/* Tier B: what happens in a folder is told to those only who may read it. */
static bool handle_watch(struct sbxi_behalf *b, struct sbxi_call *c)
{
	uint32_t mask = (uint32_t)ARG(2);
	AUTO_WHERE w = SBXI_WHERE_INIT;
	struct subject s = { .fd = -1 };
	AUTO_FD watch = sbxi_call_take_fd(c, DIR(0));
	int rc = watch < 0 ? watch
			   : sbxi_where_find(c, AT_FDCWD, ARG(1),
					     mask & IN_DONT_FOLLOW
						     ? 0
						     : SBXI_WHERE_FOLLOW,
					     &w);

	if (rc == 0 && !sbxi_where_exists(&w))
		rc = -ENOENT;
	if (rc == 0)
		rc = sbxi_behalf_judge_read(b, c, &w);
	if (rc == 0)
		rc = take_subject(&w, &s);
	if (rc == 0) {
		rc = inotify_add_watch(watch, s.by_proc,
				       mask & ~(uint32_t)IN_DONT_FOLLOW);
		rc = rc < 0 ? -errno : rc;
	}
	return finish(c, &s, rc);
}

sbxi_handler sbxi_behalf_metadata(int nr)
{
	switch (nr) {
	case SYS_inotify_add_watch:
		return handle_watch;
#ifdef SYS_chmod
	case SYS_chmod:
#endif
	case SYS_fchmod:
	case SYS_fchmodat:
	case SBXI_SYS_FCHMODAT2:
		return handle_mode;
#ifdef SYS_chown
	case SYS_chown:
	case SYS_lchown:
#endif
	case SYS_fchown:
	case SYS_fchownat:
		return handle_owner;
	case SYS_utimensat:
		return handle_utimensat;
#ifdef SYS_utimes
	case SYS_utime:
	case SYS_utimes:
	case SYS_futimesat:
		return handle_old_times;
#endif
	case SYS_setxattr:
	case SYS_lsetxattr:
	case SYS_fsetxattr:
	case SYS_removexattr:
	case SYS_lremovexattr:
	case SYS_fremovexattr:
		return handle_attribute;
	default:
		return NULL;
	}
}

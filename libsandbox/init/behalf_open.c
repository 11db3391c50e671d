/* SPDX-License-Identifier: Apache-2.0 */
/* behalf_open: open(2) for writing, and whatever makes a file or empties it. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <sandbox/policy.h>
#include <sandbox/task.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "init/behalf.h"
#include "init/where.h"

#define ALL_TMPFILE (O_TMPFILE & ~O_DIRECTORY)
#define PATH_TTY "/dev/tty"
/* Minor numbers of /dev/pts; linux/major.h, linux/kdev_t.h */
#define PTS_MAJOR_FIRST 136
#define PTS_MAJOR_LAST 143

struct request {
	int dir, flags;
	mode_t mode;
	uint64_t path;
};

static long number_at(const char *p)
{
	long n = 0;

	for (; *p >= '0' && *p <= '9' && n < INT32_MAX / 10; p++)
		n = n * 10 + (*p - '0');
	return n;
}

struct controlling {
	long session, number;	/* fields 6 and 7 of /proc/PID/stat */
};

static int find_terminal(const struct sbxi_call *c, struct controlling *ret)
{
	char text[512];
	AUTO_FD fd = sbxi_call_open_proc(c, "stat", O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	const char *p, *field[5] = { NULL };

	if (n <= 0)
		return -ENXIO;
	text[n] = '\0';
	p = strrchr(text, ')');
	/* ") S ppid pgrp session tty" */
	for (int i = 0; p && i < 5; i++)
		field[i] = p = strchr(p + 1, ' ');
	if (!p)
		return -ENXIO;
	ret->session = number_at(field[3] + 1);
	ret->number = number_at(field[4] + 1);
	return 0;
}

static int open_by_descriptor(const struct sbxi_call *c, int fd, int flags,
			      mode_t mode)
{
	char link[40];
	struct sbxi_text t = SBXI_TEXT(link);

	sbxi_text_add(&t, "self/fd/");
	sbxi_text_number(&t, (uint64_t)(unsigned int)fd);
	return openat(c->proc, link, flags, mode);
}

/*
 * The terminal that was handed over has no path in the jail.  Where the rules
 * do not let it be opened anew, the description is shared, as stream 0 is.
 */
static int open_handed(const struct sbxi_behalf *b, const struct sbxi_call *c,
		       int flags)
{
	int fd = open_by_descriptor(c, b->terminal, flags, 0);

	if (fd < 0 && (fcntl(b->terminal, F_GETFL) & O_ACCMODE) != O_RDWR)
		return -EACCES;
	if (fd < 0)
		fd = fcntl(b->terminal, F_DUPFD_CLOEXEC, 0);
	return fd < 0 ? -errno : fd;
}

/* Is the terminal of the task's process the one that was handed over? */
static bool is_handed(const struct sbxi_behalf *b,
		      const struct controlling *tty)
{
	unsigned int minor = (unsigned int)(tty->number & 0xff) |
			     ((unsigned int)(tty->number >> 12) & 0xfff00);
	struct stat st;

	/* Another instance of devpts has the same numbers. */
	return b->terminal >= 0 && tty->session == b->session &&
	       fstat(b->terminal, &st) == 0 &&
	       st.st_rdev == makedev((unsigned int)(tty->number >> 8) & 0xfff,
				     minor);
}

/* /dev/tty is the opener's terminal, and that must not be ours. */
static int open_terminal(const struct sbxi_behalf *b,
			 const struct sbxi_call *c, int flags)
{
	struct controlling tty;
	char path[32];
	struct sbxi_text t = SBXI_TEXT(path);
	int fd, rc = find_terminal(c, &tty);
	long major = rc < 0 ? 0 : tty.number >> 8 & 0xfff;

	flags &= ~O_CREAT;
	if (rc == 0 && is_handed(b, &tty))
		return open_handed(b, c, flags);
	if (major < PTS_MAJOR_FIRST || major > PTS_MAJOR_LAST)
		return -ENXIO;
	sbxi_text_add(&t, "/dev/pts/");
	sbxi_text_number(&t, (uint64_t)((major - PTS_MAJOR_FIRST) * 256 +
					(tty.number & 0xff)));
	fd = open(path, flags);
	return fd < 0 ? -errno : fd;
}

/* Is it known to others under another name, which may be protected? */
static bool has_other_names(const struct sbxi_behalf *b,
			    const struct sbxi_where *w, int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return true;
	return b->jail->plan->protect == SBX_PROTECT_STRICT &&
	       sbxi_where_is_covered(b->jail, w) && S_ISREG(st.st_mode) &&
	       st.st_nlink > 1 &&
	       sbxi_where_is_older(b->jail, fd) &&
	       !sbxi_behalf_knows_names(b, fd);
}

/*
 * Opened without waiting, whatever it is: a FIFO without a reader would hold
 * us up, and with us every limit.  EINPROGRESS: to be tried again.
 */
static int wait_later(int fd, int flags)
{
	if (fd < 0)
		return errno == ENXIO && !(flags & O_NONBLOCK) ? -EINPROGRESS
							       : -errno;
	if (!(flags & (O_NONBLOCK | O_PATH)) &&
	    fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) < 0) {
		close(fd);
		return -EIO;
	}
	return fd;
}

static bool is_fifo(int folder, const char *name)
{
	struct stat st;

	return fstatat(folder, name, &st, *name ? AT_SYMLINK_NOFOLLOW
						: AT_EMPTY_PATH) == 0 &&
	       S_ISFIFO(st.st_mode);
}

static int reopen(const struct sbxi_call *c, int thing, int flags, mode_t mode)
{
	int fd;

	flags &= ~(O_CREAT | O_EXCL | O_NOFOLLOW);
	fd = wait_later(open_by_descriptor(c, thing, flags | O_NONBLOCK, mode),
			flags);
	return fd == -EINPROGRESS && !is_fifo(thing, "") ? -ENXIO : fd;
}

static int open_named(struct sbxi_call *c, const struct sbxi_where *w,
		      const struct request *r)
{
	int extra = O_NOFOLLOW | O_NOCTTY | O_CLOEXEC | O_NONBLOCK, fd;

	if (w->must_be_folder)
		extra |= O_DIRECTORY;
	umask(c->umask);
	fd = wait_later(openat(w->folder, w->name, r->flags | extra, r->mode),
			r->flags);
	/* ENXIO of something else is its answer. */
	return fd == -EINPROGRESS && !is_fifo(w->folder, w->name) ? -ENXIO : fd;
}

static int open_place(struct sbxi_behalf *b, struct sbxi_call *c,
		      const struct sbxi_where *w, const struct request *r)
{
	/* What cannot be judged before it is open must not be empty by then. */
	struct request first = *r;
	int fd;

	if (!strcmp(w->path, PATH_TTY))
		return open_terminal(b, c, r->flags | O_NOCTTY | O_CLOEXEC);
	first.flags &= ~O_TRUNC;
	if ((r->flags & O_TRUNC) && (r->flags & O_ACCMODE) == O_RDONLY)
		first.flags |= O_RDWR;
	fd = w->thing >= 0 ? reopen(c, w->thing,
				    first.flags | O_NOCTTY | O_CLOEXEC,
				    first.mode)
			   : open_named(c, w, &first);
	if (fd < 0)
		return fd;
	if (w->path[0] == '/' && has_other_names(b, w, fd)) {
		close(fd);
		return sbxi_behalf_refuse(b, c, SBX_DENIAL_LINKS, w, -EPERM);
	}
	/* As open(2) does it: only regular files have a length to lose. */
	if ((r->flags & O_TRUNC) && ftruncate(fd, 0) < 0 && errno != EINVAL) {
		int rc = -errno;

		close(fd);
		return rc;
	}
	return fd;
}

/* A pipe or a memory file that it holds: no folder decides about those. */
static bool is_nowhere(const struct sbxi_where *w)
{
	return w->thing >= 0 &&
	       (w->path[0] != '/' || !strncmp(w->path, "/memfd:", 7));
}

static bool only_reads(const struct request *r)
{
	return (r->flags & O_PATH) ||
	       ((r->flags & O_ACCMODE) == O_RDONLY &&
		!(r->flags & (O_TRUNC | ALL_TMPFILE)));
}

static int judge(struct sbxi_behalf *b, const struct sbxi_call *c,
		 const struct sbxi_where *w, struct request *r)
{
	if (is_nowhere(w))
		return 0;
	if (!sbxi_where_exists(w))
		return r->flags & O_CREAT
			       ? sbxi_behalf_judge(b, c, w, SBXI_CHANGE_MAKE)
			       : -ENOENT;
	if ((r->flags & O_CREAT) && (r->flags & O_EXCL))
		return -EEXIST;
	if (!only_reads(r))
		return sbxi_behalf_judge(b, c, w, SBXI_CHANGE_THING);
	/* It must not be made after all, should it go now. */
	r->flags &= ~O_CREAT;
	return 0;
}

/* EINPROGRESS: to be tried again. */
static int answer(struct sbxi_behalf *b, struct sbxi_call *c,
		  struct request *r)
{
	AUTO_WHERE w = SBXI_WHERE_INIT;
	bool makes = (r->flags & O_CREAT) && (r->flags & O_EXCL);
	unsigned int flags = makes || (r->flags & O_NOFOLLOW)
				     ? 0
				     : SBXI_WHERE_FOLLOW;
	AUTO_FD fd = -1;
	int rc = sbxi_call_look_up(c);

	if (rc == 0)
		rc = sbxi_where_find(c, r->dir, r->path, flags, &w);
	if (rc == 0 && (r->flags & O_CREAT) && w.must_be_folder)
		rc = -EISDIR;
	if (rc == 0)
		rc = judge(b, c, &w, r);
	if (rc < 0)
		return rc;
	fd = open_place(b, c, &w, r);
	if (fd < 0)
		return fd;
	sbxi_call_return_fd(c, fd, r->flags & O_CLOEXEC);
	return 0;
}

static bool do_open(struct sbxi_behalf *b, struct sbxi_call *c,
		    struct request *r)
{
	int rc;

	r->mode &= 0777 | S_ISVTX;
	rc = answer(b, c, r);
	if (rc == -EINPROGRESS)
		return false;
	if (rc < 0)
		sbxi_call_return(c, rc);
	return true;
}

static bool handle_openat(struct sbxi_behalf *b, struct sbxi_call *c)
{
	struct request r = { (int)c->n.args[0], (int)c->n.args[2],
			     (mode_t)c->n.args[3], c->n.args[1] };

	return do_open(b, c, &r);
}

#ifdef SYS_open
static bool handle_open(struct sbxi_behalf *b, struct sbxi_call *c)
{
	struct request r = { AT_FDCWD, (int)c->n.args[1],
			     (mode_t)c->n.args[2], c->n.args[0] };

	return do_open(b, c, &r);
}

static bool handle_creat(struct sbxi_behalf *b, struct sbxi_call *c)
{
	struct request r = { AT_FDCWD, O_CREAT | O_WRONLY | O_TRUNC,
			     (mode_t)c->n.args[1], c->n.args[0] };

	return do_open(b, c, &r);
}
#endif

static bool handle_truncate(struct sbxi_behalf *b, struct sbxi_call *c)
{
	struct request r = { AT_FDCWD, O_WRONLY | O_NONBLOCK, 0,
			     c->n.args[0] };
	AUTO_WHERE w = SBXI_WHERE_INIT;
	AUTO_FD fd = -1;
	int rc = sbxi_where_find(c, r.dir, r.path, SBXI_WHERE_FOLLOW, &w);

	if (rc == 0)
		rc = judge(b, c, &w, &r);
	if (rc == 0)
		rc = fd = open_place(b, c, &w, &r);
	if (rc >= 0)
		rc = ftruncate(fd, (off_t)c->n.args[1]) < 0 ? -errno : 0;
	sbxi_call_return(c, rc);
	return true;
}

sbxi_handler sbxi_behalf_open(int nr)
{
	switch (nr) {
	case SYS_openat:
		return handle_openat;
	case SYS_truncate:
		return handle_truncate;
#ifdef SYS_open
	case SYS_open:
		return handle_open;
	case SYS_creat:
		return handle_creat;
#endif
	default:
		return NULL;
	}
}

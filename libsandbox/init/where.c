/* SPDX-License-Identifier: Apache-2.0 */
/* where: what a path of the task means. */
#include "init/where.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/kconst.h"
#include "base/text.h"

#define MAX_LINKS 40		/* path_resolution(7) */

void sbxi_where_done(struct sbxi_where *w)
{
	sbxi_closep(&w->folder);
	sbxi_closep(&w->thing);
}

static int open_beneath(int dir, const char *path, uint64_t resolve)
{
	struct sbxi_open_how how = {
		.flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
		.resolve = resolve,
	};
	long fd = syscall(SYS_openat2, dir, path, &how, sizeof(how));

	return fd < 0 ? -errno : (int)fd;
}

/* Where the kernel says that fd is: an absolute path; -EACCES: at none. */
static int path_of(int proc, int fd, char *to, size_t size)
{
	char link[40];
	struct sbxi_text t = SBXI_TEXT(link);
	ssize_t n;

	sbxi_text_add(&t, "self/fd/");
	sbxi_text_number(&t, (uint64_t)(unsigned int)fd);
	n = readlinkat(proc, link, to, size - 1);
	/* -EACCES says something else. */
	if (n < 0)
		return errno == EACCES ? -EPERM : -errno;
	if ((size_t)n == size - 1)
		return -ENAMETOOLONG;
	to[n] = '\0';
	return to[0] == '/' ? 0 : -EACCES;
}

/* Append "/name"; the root has its "/" already. */
static int add_name(char *path, size_t size, const char *name)
{
	struct sbxi_text t = { .buf = path, .size = size,
			       .len = strlen(path) };

	if (t.len == 0 || path[t.len - 1] != '/')
		sbxi_text_char(&t, '/');
	sbxi_text_add(&t, name);
	return t.cut ? -ENAMETOOLONG : 0;
}

/*
 * "self" in /proc is whoever looks, and that would be us.  Rewrite the start
 * of a path that names it.
 */
static int name_the_caller(struct sbxi_call *c, char *path, size_t size)
{
	static const char *const own[] = { "/proc/self/",
					   "/proc/thread-self/" };
	char rest[PATH_MAX];

	for (size_t i = 0; i < SBXI_COUNT(own); i++) {
		size_t n = strlen(own[i]);
		struct sbxi_text t = { .buf = path, .size = size };

		if (strncmp(path, own[i], n) != 0)
			continue;
		if (sbxi_call_look_up(c) < 0)
			return -ESRCH;
		memcpy(rest, path + n, strlen(path + n) + 1);
		sbxi_text_add(&t, "/proc/");
		sbxi_text_number(&t, (uint64_t)c->tgid);
		if (i == 1) {
			sbxi_text_add(&t, "/task/");
			sbxi_text_number(&t, c->n.pid);
		}
		sbxi_text_char(&t, '/');
		sbxi_text_add(&t, rest);
		return t.cut ? -ENAMETOOLONG : 1;
	}
	return 0;
}

/* Cut off the last name and the "/" around it; "." and ".." stay names. */
static int split(char *path, char *name, bool *must_be_folder)
{
	size_t n = strlen(path), at;

	if (n == 0)
		return -ENOENT;
	while (n > 1 && path[n - 1] == '/') {
		path[--n] = '\0';
		*must_be_folder = true;
	}
	for (at = n; at > 0 && path[at - 1] != '/'; at--)
		;
	if (n - at > NAME_MAX)
		return -ENAMETOOLONG;
	memcpy(name, path + at, n - at + 1);
	path[at] = '\0';
	return 0;
}

static bool is_dots(const char *name)
{
	return name[0] == '\0' || !strcmp(name, ".") || !strcmp(name, "..");
}

/*
 * A link on the way, as /dev/fd is one, led to our own folder of /proc: make
 * it the caller's.  1 if path was rewritten.
 */
static int not_ours(struct sbxi_call *c, char *path, size_t size)
{
	char own[32], rest[PATH_MAX];
	struct sbxi_text t = SBXI_TEXT(own);
	size_t n;

	sbxi_text_add(&t, "/proc/");
	sbxi_text_number(&t, (uint64_t)getpid());
	n = t.len;
	if (strncmp(path, own, n) != 0 || (path[n] != '/' && path[n] != '\0'))
		return 0;
	if (sbxi_call_look_up(c) < 0)
		return -ESRCH;
	/* With "task/N" it was thread-self. */
	if (!strncmp(path + n, "/task/", 6)) {
		n += 6;
		n += strcspn(path + n, "/");
	}
	memcpy(rest, path + n, strlen(path + n) + 1);
	t = (struct sbxi_text){ .buf = path, .size = size };
	sbxi_text_add(&t, "/proc/");
	sbxi_text_number(&t, c->n.pid);
	sbxi_text_add(&t, rest);
	return t.cut ? -ENAMETOOLONG : 1;
}

/* Where the folder is.  It may become another one. */
static int find_folder(struct sbxi_call *c, struct sbxi_where *w)
{
	int folder, rc = path_of(c->proc, w->folder, w->path, sizeof(w->path));

	if (rc == 0)
		rc = not_ours(c, w->path, sizeof(w->path));
	if (rc <= 0)
		return rc;
	folder = open_beneath(AT_FDCWD, w->path, 0);
	if (folder < 0)
		return folder;
	close(w->folder);
	w->folder = folder;
	return 0;
}

/* The folder is known: where is it, and what is the last name there? */
static int settle(struct sbxi_call *c, struct sbxi_where *w)
{
	int rc = find_folder(c, w);

	if (rc < 0)
		return rc;

	if (is_dots(w->name)) {
		int thing = open_beneath(w->folder,
					 w->name[0] ? w->name : ".",
					 SBXI_RESOLVE_NO_MAGICLINKS);

		if (thing < 0)
			return thing;
		w->thing = thing;
		w->name[0] = '\0';
		return path_of(c->proc, w->thing, w->path, sizeof(w->path));
	}
	return add_name(w->path, sizeof(w->path), w->name);
}

/*
 * Where the thing is; "" for what lies in no folder, as a pipe does.  One whose
 * path is too long lies in a folder all the same, and is refused.
 */
static int find_thing(struct sbxi_call *c, struct sbxi_where *w)
{
	int rc = path_of(c->proc, w->thing, w->path, sizeof(w->path));
	struct stat st;

	if (rc != -EACCES || fstat(w->thing, &st) < 0 ||
	    S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
		return rc;
	w->path[0] = '\0';
	return 0;
}

/* A link of /proc leads to a thing, not to a name. */
static int follow_magic(struct sbxi_call *c, struct sbxi_where *w)
{
	w->thing = openat(w->folder, w->name, O_PATH | O_CLOEXEC);
	if (w->thing < 0)
		return -errno;
	w->name[0] = '\0';
	return find_thing(c, w);
}

static bool is_in_proc(const char *path)
{
	return !strncmp(path, "/proc/", 6);
}

/* One step: 1 if the last name is a link and `path` is where it points. */
static int step(struct sbxi_call *c, char *path, unsigned int flags,
		struct sbxi_where *w)
{
	int start = w->folder >= 0 ? w->folder : AT_FDCWD;
	int rc = name_the_caller(c, path, PATH_MAX), folder;
	/* By ".." it would be somebody else's folder of /proc after all. */
	bool magic = rc == 1 && !strstr(path, "/..");
	ssize_t n;

	if (rc >= 0)
		rc = split(path, w->name, &w->must_be_folder);
	if (rc < 0)
		return rc;
	folder = open_beneath(path[0] == '/' ? AT_FDCWD : start,
			      path[0] ? path : ".",
			      magic ? 0 : SBXI_RESOLVE_NO_MAGICLINKS);
	if (folder < 0)
		return folder;
	sbxi_closep(&w->folder);
	w->folder = folder;
	rc = settle(c, w);
	if (rc < 0 || w->thing >= 0 ||
	    !((flags & SBXI_WHERE_FOLLOW) || w->must_be_folder))
		return rc;
	n = readlinkat(w->folder, w->name, path, PATH_MAX - 1);
	if (n < 0)
		return 0;	/* no link, or nothing at all */
	path[n] = '\0';
	if (is_in_proc(w->path) && path[0] != '/' && !strchr(path, '/'))
		return follow_magic(c, w);
	if (is_in_proc(w->path) && strstr(w->path, "/fd/"))
		return follow_magic(c, w);
	return 1;
}

static int find_from(struct sbxi_call *c, char *path, unsigned int flags,
		     struct sbxi_where *w)
{
	for (int i = 0; i < MAX_LINKS; i++) {
		int rc = step(c, path, flags, w);

		if (rc <= 0)
			return rc;
	}
	return -ELOOP;
}

int sbxi_where_of_fd(struct sbxi_call *c, int fd, struct sbxi_where *ret)
{
	ret->thing = sbxi_call_open_fd(c, fd, O_PATH);
	return ret->thing < 0 ? ret->thing : find_thing(c, ret);
}

static int find_path(struct sbxi_call *c, int dir, char *path,
		     unsigned int flags, struct sbxi_where *ret)
{
	if (path[0] == '\0') {
		if (!(flags & SBXI_WHERE_EMPTY))
			return -ENOENT;
		if (dir != AT_FDCWD)
			return sbxi_where_of_fd(c, dir, ret);
		memcpy(path, ".", 2);
	}
	if (path[0] != '/') {
		int flag = O_PATH | O_DIRECTORY;

		ret->folder = dir == AT_FDCWD
				      ? sbxi_call_open_proc(c, "cwd", flag)
				      : sbxi_call_open_fd(c, dir, flag);
		if (ret->folder < 0)
			return ret->folder;
	}
	return find_from(c, path, flags, ret);
}

int sbxi_where_find(struct sbxi_call *c, int dir, uint64_t address,
		    unsigned int flags, struct sbxi_where *ret)
{
	char path[PATH_MAX];
	int rc = sbxi_call_string(c, address, path, sizeof(path));

	return rc < 0 ? rc : find_path(c, dir, path, flags, ret);
}

int sbxi_where_find_name(struct sbxi_call *c, int dir, const char *name,
			 unsigned int flags, struct sbxi_where *ret)
{
	char path[PATH_MAX];
	struct sbxi_text t = SBXI_TEXT(path);

	sbxi_text_add(&t, name);
	return t.cut ? -ENAMETOOLONG : find_path(c, dir, path, flags, ret);
}

int sbxi_where_hold(const struct sbxi_where *w)
{
	int fd = w->thing >= 0
			 ? fcntl(w->thing, F_DUPFD_CLOEXEC, 3)
			 : openat(w->folder, w->name,
				  O_PATH | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

bool sbxi_where_exists(const struct sbxi_where *w)
{
	struct stat st;

	return w->thing >= 0 ||
	       fstatat(w->folder, w->name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* resolve: which file a path means now, and by which links. */
#include "policy/resolve.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "kernel/source.h"
#include "policy/paths.h"

#define LINKS_MAX 40		/* as the kernel */

struct walk {
	int here;		/* O_PATH descriptor of where the walk stands */
	mode_t mode;		/* of here */
	uid_t uid;		/* of here */
	char at[PATH_MAX];	/* the path of here; "" is the root */
	size_t at_len;
	char rest[2 * PATH_MAX];	/* what is left to walk */
	unsigned int followed;
	const char *why;	/* words for a failure, or NULL */
	struct sbxi_resolved out;
};

static int refuse(struct walk *w, int code, const char *why)
{
	w->why = why;
	return code;
}

static int on_proc(int fd)
{
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0)
		return -errno;
	return fs.f_type == PROC_SUPER_MAGIC;
}

/* Stand on fd, which is taken over. */
static void stand(struct walk *w, int *fd, const struct stat *st)
{
	sbxi_closep(&w->here);
	w->here = sbxi_steal_fd(fd);
	w->mode = st->st_mode;
	w->uid = st->st_uid;
}

static int go(struct walk *w, int dir, const char *name)
{
	AUTO_FD fd = openat(dir, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	stand(w, &fd, &st);
	return 0;
}

static int go_root(struct walk *w)
{
	w->at_len = 0;
	w->at[0] = '\0';
	return go(w, AT_FDCWD, "/");
}

static int go_up(struct walk *w)
{
	char *slash = strrchr(w->at, '/');

	if (!slash)
		return 0;
	*slash = '\0';
	w->at_len = (size_t)(slash - w->at);
	return go(w, w->here, "..");
}

/* at = at/name; undone by cutting it again. */
static int append_name(struct walk *w, const char *name)
{
	size_t len = strlen(name);

	if (w->at_len + len + 2 > sizeof(w->at))
		return -ENAMETOOLONG;
	w->at[w->at_len] = '/';
	memcpy(w->at + w->at_len + 1, name, len + 1);
	w->at_len += len + 1;
	return 0;
}

static int keep_link(struct walk *w, const char *name, const char *text)
{
	size_t before = w->at_len;
	struct sbxi_met_link *links;
	struct sbxi_met_link link;
	int rc;

	links = reallocarray(w->out.links, w->out.n_links + 1,
			     sizeof(*links));
	if (!links)
		return -ENOMEM;
	w->out.links = links;
	rc = append_name(w, name);
	if (rc < 0)
		return rc;
	link.path = strdup(w->at);
	link.text = strdup(text);
	w->at_len = before;
	w->at[before] = '\0';
	if (!link.path || !link.text) {
		free(link.path);
		free(link.text);
		return -ENOMEM;
	}
	links[w->out.n_links++] = link;
	return 0;
}

/* May this link be trusted, and is it one that is really stored? */
static int check_link(struct walk *w, int fd, const struct stat *st)
{
	int rc = on_proc(fd);

	if (rc < 0)
		return rc;
	if (rc)
		return refuse(w, -EINVAL, "leads through /proc");
	if ((w->mode & (S_ISVTX | S_IWOTH)) == (S_ISVTX | S_IWOTH) &&
	    st->st_uid != geteuid() && st->st_uid != w->uid)
		return refuse(w, -EACCES, "leads through a link that another "
			      "user put into a sticky directory");
	if (++w->followed > LINKS_MAX)
		return refuse(w, -ELOOP, "has more than 40 links");
	return 0;
}

/* Replace the link's name at the front of what is left by its text. */
static int follow(struct walk *w, int fd, const struct stat *st,
		  const char *name)
{
	char text[PATH_MAX];
	size_t left = strlen(w->rest) + 1;
	ssize_t len;
	int rc = check_link(w, fd, st);

	if (rc < 0)
		return rc;
	len = readlinkat(fd, "", text, sizeof(text));
	if (len < 0)
		return -errno;
	if (len == 0)
		return -ENOENT;
	if ((size_t)len == sizeof(text) ||
	    (size_t)len + left > sizeof(w->rest))
		return -ENAMETOOLONG;
	text[len] = '\0';
	rc = keep_link(w, name, text);
	if (rc < 0)
		return rc;
	memmove(w->rest + len, w->rest, left);
	memcpy(w->rest, text, (size_t)len);
	return text[0] == '/' ? go_root(w) : 0;
}

/* A name that is neither "." nor "..". */
static int enter(struct walk *w, const char *name)
{
	AUTO_FD fd = openat(w->here, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (S_ISLNK(st.st_mode))
		return follow(w, fd, &st, name);
	if (!S_ISDIR(st.st_mode) && w->rest[0] == '/')
		return -ENOTDIR;
	stand(w, &fd, &st);
	return append_name(w, name);
}

static int walk(struct walk *w)
{
	int rc = go_root(w);

	while (rc == 0) {
		char name[NAME_MAX + 1];
		size_t skip = strspn(w->rest, "/");
		size_t len = strcspn(w->rest + skip, "/");

		if (len == 0)
			break;
		if (len > NAME_MAX)
			return -ENAMETOOLONG;
		memcpy(name, w->rest + skip, len);
		name[len] = '\0';
		memmove(w->rest, w->rest + skip + len,
			strlen(w->rest + skip + len) + 1);
		if (strcmp(name, "..") == 0)
			rc = go_up(w);
		else if (strcmp(name, ".") != 0)
			rc = enter(w, name);
	}
	return rc;
}

static int arrive(struct walk *w)
{
	const char *why;
	int rc = on_proc(w->here);

	if (rc < 0)
		return rc;
	if (rc)
		return refuse(w, -EINVAL, "leads into a proc file system");
	w->out.real = strdup(w->at_len ? w->at : "/");
	if (!w->out.real)
		return -ENOMEM;
	why = sbxi_path_no_source(w->out.real);
	if (why)
		return refuse(w, -EINVAL, why);
	return sbxi_identity_of(w->here, &w->out.id);
}

static int documented(int code)
{
	switch (code) {
	case -ENOENT:
	case -ENOTDIR:
	case -EACCES:
	case -ELOOP:
	case -ENAMETOOLONG:
	case -EINVAL:
	case -EMFILE:
	case -ENFILE:
	case -ENOMEM:
		return code;
	default:
		return -EIO;
	}
}

static int note(struct sbxi_fail *fail, const struct walk *w, int code,
		const char *path)
{
	uint32_t remedy = SBXI_REMEDY_NONE;
	int rc = documented(code);

	if (rc == -ENOENT || rc == -ENOTDIR)
		remedy = SBXI_REMEDY_GRANT_PATH;
	else if (rc == -EMFILE)
		remedy = SBXI_REMEDY_OPEN_FILES;
	if (w->why)
		sbxi_fail_remedy(fail, SBX_STEP_COMPILE, rc, remedy, path,
				 "%s", w->why);
	else if (rc == -ENOENT)
		sbxi_fail_remedy(fail, SBX_STEP_COMPILE, rc, remedy, path,
				 "does not exist");
	else
		sbxi_fail_remedy(fail, SBX_STEP_COMPILE, rc, remedy, path,
				 NULL);
	fail->sys_errno = -code;
	return rc;
}

int sbxi_resolve(const char *path, struct sbxi_resolved *ret,
		 struct sbxi_fail *fail)
{
	struct walk w = { .here = -1 };
	size_t len = strlen(path);
	int rc = -ENAMETOOLONG;

	if (len < sizeof(w.rest)) {
		memcpy(w.rest, path, len + 1);
		rc = walk(&w);
		if (rc == 0)
			rc = arrive(&w);
	}
	sbxi_closep(&w.here);
	if (rc < 0) {
		sbxi_resolved_done(&w.out);
		return note(fail, &w, rc, path);
	}
	*ret = w.out;
	return 0;
}

void sbxi_resolved_done(struct sbxi_resolved *resolved)
{
	for (size_t i = 0; i < resolved->n_links; i++) {
		free(resolved->links[i].path);
		free(resolved->links[i].text);
	}
	free(resolved->links);
	free(resolved->real);
	*resolved = (struct sbxi_resolved){ .real = NULL };
}

/* SPDX-License-Identifier: Apache-2.0 */
/* grants_open: one grant of each kind, from its description to a descriptor. */
#include "spawn/grants_open.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sandbox/types.h>

#include "base/cleanup.h"
#include "base/memfd.h"
#include "policy/paths.h"
#include "spawn/connect.h"

#define DATA_MAX ((size_t)64 << 20)
#define DATA_STEP ((size_t)64 << 10)

int sbxi_grant_code(int err)
{
	switch (err) {
	case EBADF:
	case ENOENT:
	case EACCES:
	case ENOTDIR:
	case ELOOP:
	case ENAMETOOLONG:
	case EMFILE:
	case ENFILE:
	case ENOMEM:
	case EAGAIN:
	case ENOSPC:
		return -err;
	case EPERM:
	case EROFS:
	case ETXTBSY:
		return -EACCES;
	case EISDIR:
	case ENXIO:
	case ENODEV:
		return -EINVAL;
	default:
		return -EIO;
	}
}

/* Note that a call has failed; errno is its own. */
static int failed(const struct sbxi_wanted *want, struct sbxi_fail *fail,
		  const char *what)
{
	int err = errno, code = sbxi_grant_code(err);
	uint32_t remedy = err == EMFILE ? SBXI_REMEDY_OPEN_FILES :
					  SBXI_REMEDY_NONE;

	sbxi_fail_remedy(fail, SBX_STEP_GRANTS, code, remedy, want->object,
			 "%s: %s", what, strerror(err));
	fail->sys_errno = err;
	return code;
}

static int refused(const struct sbxi_wanted *want, struct sbxi_fail *fail,
		   int code, const char *why)
{
	return sbxi_fail(fail, SBX_STEP_GRANTS, code, want->object, "%s",
			 why);
}

int sbxi_grant_reopen(int fd, int flags)
{
	AUTO_FD again = -1;
	struct stat a, b;
	char link[40];
	int high;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	again = open(link, flags | O_CLOEXEC | O_NOCTTY);
	if (again < 0)
		return -errno;
	/* Whatever is mounted at /proc: it must be the same file. */
	if (fstat(fd, &a) < 0 || fstat(again, &b) < 0 ||
	    a.st_dev != b.st_dev || a.st_ino != b.st_ino)
		return -ENOENT;
	if (again > 2)
		return sbxi_steal_fd(&again);
	high = fcntl(again, F_DUPFD_CLOEXEC, 3);
	return high < 0 ? -errno : high;
}

static uint32_t rights_of(int flags)
{
	switch (flags & O_ACCMODE) {
	case O_RDONLY:
		return SBX_READ;
	case O_WRONLY:
		return SBX_WRITE;
	case O_RDWR:
		return SBX_READ | SBX_WRITE;
	default:
		return 0;
	}
}

static int mode_of(uint32_t rights)
{
	if (!(rights & SBX_WRITE))
		return O_RDONLY;
	return rights & SBX_READ ? O_RDWR : O_WRONLY;
}

/*
 * A new description with fewer rights, at the same place of the file.  What
 * else was asked of the old one, to append above all, still holds.
 */
static int narrow(const struct sbxi_wanted *want, int fd, int flags,
		  struct sbxi_fail *fail)
{
	AUTO_FD again = sbxi_grant_reopen(
		fd, mode_of(want->rights) |
			    (flags & (O_APPEND | O_SYNC | O_DSYNC | O_DIRECT |
				      O_NONBLOCK)));
	off_t at;

	if (again == -ENOENT)
		return refused(want, fail, -EOPNOTSUPP,
			       "without /proc its rights cannot be narrowed");
	if (again < 0) {
		errno = -again;
		return failed(want, fail, "re-opening with fewer rights");
	}
	at = lseek(fd, 0, SEEK_CUR);
	if (at < 0 || lseek(again, at, SEEK_SET) < 0)
		return failed(want, fail, "moving to the same place");
	return sbxi_steal_fd(&again);
}

/* Returns fd itself, or a narrower one, or a code; fd stays the caller's. */
static int with_rights(const struct sbxi_wanted *want, int fd,
		       const struct stat *st, struct sbxi_fail *fail)
{
	int flags = fcntl(fd, F_GETFL);
	uint32_t have;

	if (flags < 0)
		return failed(want, fail, "asking for its mode");
	have = rights_of(flags);
	if (have == 0)
		return refused(want, fail, -EINVAL,
			       "this descriptor is neither for reading nor "
			       "for writing");
	if (want->rights == 0 || want->rights == have)
		return fd;
	if (want->rights & ~have)
		return refused(want, fail, -EACCES,
			       "this descriptor does not have all the rights "
			       "asked for");
	if (!S_ISREG(st->st_mode))
		return refused(want, fail, -EINVAL,
			       "only the rights of a regular file can be "
			       "narrowed");
	return narrow(want, fd, flags, fail);
}

int sbxi_grant_open_fd(const struct sbxi_wanted *want, bool *ret_inet,
		       struct sbxi_fail *fail)
{
	AUTO_FD fd = -1;
	const char *why;
	struct stat st;
	int rc;

	if (want->target)
		return refused(want, fail, -EINVAL,
			       "a grant of a descriptor has no target");
	fd = fcntl(want->fd, F_DUPFD_CLOEXEC, 3);
	if (fd < 0 && errno == EBADF)
		return sbxi_fail(fail, SBX_STEP_GRANTS, -EBADF, want->object,
				 "descriptor %d is not open", want->fd);
	if (fd < 0 || fstat(fd, &st) < 0)
		return failed(want, fail, "taking the descriptor");
	why = sbxi_grant_refusal(fd, &st, ret_inet);
	if (why)
		return refused(want, fail, -EINVAL, why);
	rc = with_rights(want, fd, &st, fail);
	if (rc == fd)
		return sbxi_steal_fd(&fd);
	return rc;
}

/*
 * The file is looked at before it is opened, since opening a device can move
 * it, and afterwards, since it may be another one by then: a FIFO or a device
 * that was put there meanwhile is not waited for.
 */
static int open_regular(const struct sbxi_wanted *want, const char *path,
			int mode, struct sbxi_fail *fail)
{
	AUTO_FD fd = -1;
	struct stat st;
	int high;

	if (stat(path, &st) < 0)
		return failed(want, fail, path);
	if (S_ISREG(st.st_mode)) {
		fd = open(path, mode | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
		if (fd < 0 || fstat(fd, &st) < 0)
			return failed(want, fail, path);
	}
	if (!S_ISREG(st.st_mode))
		return sbxi_fail(fail, SBX_STEP_GRANTS, -EINVAL, want->object,
				 "%s is no regular file", path);
	if (sbxi_grant_is_kernel_file(fd))
		return sbxi_fail(fail, SBX_STEP_GRANTS, -EINVAL, want->object,
				 "%s is a file of the kernel's", path);
	high = fd > 2 ? sbxi_steal_fd(&fd) : fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return high < 0 ? failed(want, fail, path) : high;
}

int sbxi_grant_open_file(const struct sbxi_wanted *want,
			 struct sbxi_fail *fail)
{
	AUTO_FREE char *path = NULL;
	AUTO_FD fd = -1;
	const char *why = NULL;
	int flags, rc;

	if (!want->target || want->fd != -1)
		return refused(want, fail, -EINVAL,
			       "a grant of a file has a target and no "
			       "descriptor");
	rc = sbxi_path_clean(want->target, &path, &why);
	if (rc < 0)
		return refused(want, fail, rc, why);
	rc = open_regular(want, path,
			  mode_of(want->rights ? want->rights : SBX_READ),
			  fail);
	if (rc < 0)
		return rc;
	fd = rc;
	flags = fcntl(fd, F_GETFL);
	if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) < 0)
		return failed(want, fail, path);
	return sbxi_steal_fd(&fd);
}

struct content {
	char *data;
	size_t len, room;
};

static int make_room(struct content *c)
{
	size_t room = c->room ? c->room * 2 : DATA_STEP;
	char *more;

	if (c->room - c->len >= DATA_STEP)
		return 0;
	more = realloc(c->data, room);
	if (!more)
		return -ENOMEM;
	c->data = more;
	c->room = room;
	return 0;
}

/* A writer that never closes must not hold the spawn for ever. */
static int await_data(int fd, int64_t deadline_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int n;

	do
		n = poll(&p, 1, sbxi_deadline_left(deadline_ms));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	return n == 0 ? -ETIMEDOUT : 0;
}

/*
 * All of a file from its beginning, wherever its offset stands, or of a pipe
 * until its end.
 */
static int read_content(int fd, bool is_pipe, int64_t deadline_ms,
			struct content *c)
{
	for (;;) {
		ssize_t n;
		int rc = make_room(c);

		if (rc == 0 && is_pipe)
			rc = await_data(fd, deadline_ms);
		if (rc < 0)
			return rc;
		n = is_pipe ? read(fd, c->data + c->len, DATA_STEP) :
			      pread(fd, c->data + c->len, DATA_STEP,
				    (off_t)c->len);
		if (n < 0 && (errno == EINTR || (errno == EAGAIN && is_pipe)))
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return 0;
		c->len += (size_t)n;
		if (c->len > DATA_MAX)
			return -E2BIG;
	}
}

static int content_of_fd(const struct sbxi_wanted *want, int64_t deadline_ms,
			 struct content *c, struct sbxi_fail *fail)
{
	AUTO_FD fd = fcntl(want->fd, F_DUPFD_CLOEXEC, 3);
	struct stat st;
	int flags, rc;

	if (fd < 0 && errno == EBADF)
		return sbxi_fail(fail, SBX_STEP_GRANTS, -EBADF, want->object,
				 "descriptor %d is not open", want->fd);
	if (fd < 0 || fstat(fd, &st) < 0)
		return failed(want, fail, "taking the descriptor");
	if (!S_ISREG(st.st_mode) && !S_ISFIFO(st.st_mode))
		return refused(want, fail, -EINVAL,
			       "data is copied from a file or a pipe only");
	flags = fcntl(fd, F_GETFL);
	if (flags < 0 || (flags & O_PATH) || !(rights_of(flags) & SBX_READ))
		return refused(want, fail, -EACCES,
			       "this descriptor cannot be read");
	rc = read_content(fd, S_ISFIFO(st.st_mode), deadline_ms, c);
	if (rc == -E2BIG)
		return refused(want, fail, rc, "data is over 64 MiB");
	if (rc == -ETIMEDOUT)
		return refused(want, fail, rc, "the pipe has no end in time");
	if (rc < 0) {
		errno = -rc;
		return failed(want, fail, "reading the data");
	}
	return 0;
}

/*
 * Read-only, so that even the mode of the task's descriptor says what the
 * seals hold.  Without /proc the seals alone must do.
 */
static int seal(const struct sbxi_wanted *want, const void *data, size_t len,
		struct sbxi_fail *fail)
{
	AUTO_FD fd = sbxi_memfd_sealed("sbx-data", data, len, false);
	int again;

	if (fd < 0) {
		errno = -fd;
		return failed(want, fail, "making the copy");
	}
	again = sbxi_grant_reopen(fd, O_RDONLY);
	if (again >= 0)
		return again;
	if (again != -ENOENT && again != -EACCES) {
		errno = -again;
		return failed(want, fail, "re-opening the copy");
	}
	if (lseek(fd, 0, SEEK_SET) < 0)
		return failed(want, fail, "going to the beginning");
	return sbxi_steal_fd(&fd);
}

int sbxi_grant_open_data(const struct sbxi_wanted *want, int64_t deadline_ms,
			 struct sbxi_fail *fail)
{
	struct content c = { .data = NULL };
	size_t len;
	int rc;

	if (!want->target == (want->fd < 0))
		return refused(want, fail, -EINVAL,
			       "a grant of data has a text or a descriptor");
	if (want->rights & ~(uint32_t)SBX_READ)
		return refused(want, fail, -EINVAL,
			       "a grant of data can be read only");
	if (want->target) {
		len = strnlen(want->target, DATA_MAX + 1);
		return len > DATA_MAX ?
			       refused(want, fail, -E2BIG,
				       "data is over 64 MiB") :
			       seal(want, want->target, len, fail);
	}
	rc = content_of_fd(want, deadline_ms, &c, fail);
	if (rc == 0)
		rc = seal(want, c.data, c.len, fail);
	free(c.data);
	return rc;
}

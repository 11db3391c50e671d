/* SPDX-License-Identifier: Apache-2.0 */
/* call: one system call of the task that its filter asked us about. */
#include "init/call.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "init/descent.h"

#define PAGE 4096u

int sbxi_call_receive(struct sbxi_call *c, int listener, int proc)
{
	*c = (struct sbxi_call){ .listener = listener, .proc = proc };
	return ioctl(listener, (int)SBXI_NOTIF_RECV, &c->n) < 0 ? -errno : 0;
}

bool sbxi_call_is_alive(const struct sbxi_call *c)
{
	uint64_t id = c->n.id;

	return ioctl(c->listener, (int)SBXI_NOTIF_ID_VALID, &id) == 0;
}

void sbxi_call_return(struct sbxi_call *c, long rc)
{
	struct sbxi_notif_resp r = {
		.id = c->n.id,
		.val = rc < 0 ? 0 : rc,
		.error = rc < 0 ? (int32_t)rc : 0,
	};

	if (c->answered)
		return;
	c->answered = true;
	c->code = r.error;
	/* ENOENT: the thread was killed, and needs no answer. */
	(void)ioctl(c->listener, (int)SBXI_NOTIF_SEND, &r);
}

static int add_fd(struct sbxi_call *c, int fd, bool close_on_exec,
		  uint32_t flags)
{
	struct sbxi_notif_addfd a = {
		.id = c->n.id,
		.flags = flags,
		.srcfd = (uint32_t)fd,
		.newfd_flags = close_on_exec ? O_CLOEXEC : 0,
	};
	int rc = ioctl(c->listener, (int)SBXI_NOTIF_ADDFD, &a);

	return rc < 0 ? -errno : rc;
}

int sbxi_call_add_fd(struct sbxi_call *c, int fd, bool close_on_exec)
{
	return add_fd(c, fd, close_on_exec, 0);
}

void sbxi_call_return_fd(struct sbxi_call *c, int fd, bool close_on_exec)
{
	int rc = add_fd(c, fd, close_on_exec, SBXI_ADDFD_SEND);

	if (rc >= 0)
		c->answered = true;
	else
		sbxi_call_return(c, rc);
}

int sbxi_call_read(const struct sbxi_call *c, uint64_t from, void *to,
		   size_t size)
{
	struct iovec mine = { to, size };
	struct iovec theirs = { (void *)(uintptr_t)from, size };
	ssize_t n = process_vm_readv((pid_t)c->n.pid, &mine, 1, &theirs, 1, 0);

	if (n < 0)
		return -errno;
	return (size_t)n == size ? 0 : -EFAULT;
}

int sbxi_call_write(const struct sbxi_call *c, uint64_t to, const void *from,
		    size_t size)
{
	struct iovec mine = { (void *)(uintptr_t)from, size };
	struct iovec theirs = { (void *)(uintptr_t)to, size };
	ssize_t n;

	/* Not into a process that has got its number since. */
	if (!sbxi_call_is_alive(c))
		return -ESRCH;
	n = process_vm_writev((pid_t)c->n.pid, &mine, 1, &theirs, 1, 0);
	if (n < 0)
		return -errno;
	return (size_t)n == size ? 0 : -EFAULT;
}

int sbxi_call_string(const struct sbxi_call *c, uint64_t from, char *to,
		     size_t size)
{
	/* Page by page: what follows the string may not be mapped. */
	for (size_t done = 0; done < size;) {
		size_t n = PAGE - (from + done) % PAGE;
		int rc;

		if (n > size - done)
			n = size - done;
		rc = sbxi_call_read(c, from + done, to + done, n);
		if (rc < 0)
			return rc;
		if (memchr(to + done, '\0', n))
			return sbxi_call_is_alive(c) ? 0 : -ESRCH;
		done += n;
	}
	return -ENAMETOOLONG;
}

int sbxi_call_open_proc(const struct sbxi_call *c, const char *name, int flags)
{
	char path[64];
	struct sbxi_text t = SBXI_TEXT(path);
	int fd;

	sbxi_text_number(&t, c->n.pid);
	sbxi_text_char(&t, '/');
	sbxi_text_add(&t, name);
	fd = openat(c->proc, path, flags | O_CLOEXEC | O_NOCTTY);
	return fd < 0 ? -errno : fd;
}

static void name_of_fd(char *to, size_t size, const char *folder, int fd)
{
	struct sbxi_text t = { .buf = to, .size = size };

	to[0] = '\0';
	sbxi_text_add(&t, folder);
	sbxi_text_number(&t, (uint64_t)(unsigned int)fd);
}

int sbxi_call_open_fd(const struct sbxi_call *c, int fd, int flags)
{
	char name[32];
	int rc;

	if (fd < 0)
		return -EBADF;
	name_of_fd(name, sizeof(name), "fd/", fd);
	rc = sbxi_call_open_proc(c, name, flags);
	return rc == -ENOENT ? -EBADF : rc;
}

/* The number after a name at the start of a line of a text of proc(5). */
static int64_t field(const char *text, const char *name, unsigned int base)
{
	const char *p = strstr(text, name);
	int64_t value = 0;

	if (!p)
		return -1;
	for (p += strlen(name); *p == ' ' || *p == '\t'; p++)
		;
	if (*p < '0' || *p > '9')
		return -1;
	for (; *p >= '0' && *p <= '9' && value < INT32_MAX; p++)
		value = value * base + (*p - '0');
	return value;
}

static int read_proc(const struct sbxi_call *c, const char *name, char *to,
		     size_t size)
{
	AUTO_FD fd = sbxi_call_open_proc(c, name, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		return fd;
	n = read(fd, to, size - 1);
	if (n <= 0)
		return -ESRCH;
	to[n] = '\0';
	return 0;
}

int sbxi_call_look_up(struct sbxi_call *c)
{
	char text[2048];
	int64_t tgid, mask;

	if (c->tgid > 0)
		return 0;
	if (read_proc(c, "status", text, sizeof(text)) < 0)
		return -ESRCH;
	tgid = field(text, "\nTgid:", 10);
	mask = field(text, "\nUmask:", 8);
	if (tgid <= 0 || mask < 0 || !sbxi_call_is_alive(c))
		return -ESRCH;
	c->umask = (uint32_t)mask & 0777;
	c->tgid = (pid_t)tgid;
	return 0;
}

bool sbxi_call_is_own(struct sbxi_call *c, pid_t number)
{
	if (number <= 0 || !sbxi_descent_counts_as_we_do(c->proc) ||
	    sbxi_call_look_up(c) < 0)
		return false;
	/* The kernel says that of the thread, proc(5) that of its process. */
	return number == (pid_t)c->n.pid || number == c->tgid;
}

int sbxi_call_fd_flags(const struct sbxi_call *c, int fd)
{
	char name[32], text[512];
	int64_t flags;

	name_of_fd(name, sizeof(name), "fdinfo/", fd);
	if (read_proc(c, name, text, sizeof(text)) < 0)
		return -EBADF;
	flags = field(text, "\nflags:", 8);
	return flags < 0 ? -EBADF : (int)flags;
}

/* A thread may have a table of its own, which its own pidfd alone names. */
static int take_from(const struct sbxi_call *c, pid_t pid, unsigned int flags,
		     int fd)
{
	AUTO_FD pidfd = (int)syscall(SYS_pidfd_open, pid, flags);
	int rc;

	if (pidfd < 0)
		return -errno;
	if (!sbxi_call_is_alive(c))
		return -ESRCH;
	rc = (int)syscall(SYS_pidfd_getfd, pidfd, fd, 0);
	return rc < 0 ? -errno : rc;
}

static bool is_same(const struct sbxi_call *c, int fd, int mine)
{
	AUTO_FD theirs = sbxi_call_open_fd(c, fd, O_PATH);
	struct stat a, b;

	return theirs >= 0 && fstat(theirs, &a) == 0 && fstat(mine, &b) == 0 &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int sbxi_call_take_fd(struct sbxi_call *c, int fd)
{
	int mine, rc = sbxi_call_look_up(c);

	if (rc < 0)
		return rc;
	if ((pid_t)c->n.pid == c->tgid)
		return take_from(c, c->tgid, 0, fd);
	mine = take_from(c, (pid_t)c->n.pid, SBXI_PIDFD_THREAD, fd);
	if (mine != -EINVAL)
		return mine;
	/* Before 6.9: the table of the process, if it is the same one. */
	mine = take_from(c, c->tgid, 0, fd);
	if (mine >= 0 && !is_same(c, fd, mine)) {
		close(mine);
		return -EPERM;
	}
	return mine;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * held: what a process holds already, before it confines itself.
 *
 * A task that is spawned starts with nothing.  A process that confines itself
 * has lived: Landlock and the filter judge what it opens from then on, and
 * leave alone what it has.  So this looks first, and refuses what would make
 * a lie of the rest.
 */
#include "spawn/held.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <sandbox/task.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "policy/paths.h"

#define IO_URING "anon_inode:[io_uring]"

struct look {
	const struct sbxi_plan *plan;
	uint32_t flags;
	struct sbxi_held *held;
	struct sbxi_fail *fail;
};

static int busy(struct look *l, uint32_t remedy, const char *object,
		const char *why)
{
	return sbxi_fail_remedy(l->fail, SBX_STEP_VERIFY, -EBUSY, remedy,
				object, "%s", why);
}

/* A shortage is the caller's to mend; anything else means "not to be seen". */
static bool is_shortage(int err)
{
	return err == ENOMEM || err == EMFILE || err == ENFILE;
}

/* Threads. */

/* Entries of a folder that are numbers, or -errno. */
static int count_numbers(const char *path)
{
	DIR *dir = opendir(path);
	const struct dirent *e;
	int n = 0;

	if (!dir)
		return -errno;
	while ((e = readdir(dir)))
		n += e->d_name[0] != '.';
	closedir(dir);
	return n;
}

/*
 * Landlock and the filter bind the calling thread alone.  The kernel takes
 * CLONE_VM, which changes nothing, only from a process whose memory nobody
 * else uses: that sees a parent in vfork(2), too.
 */
static int look_at_threads(struct look *l)
{
	int n = count_numbers("/proc/self/task");
	int alone = unshare(CLONE_VM) == 0 ? 0 : errno;

	if (n < 0 && is_shortage(-n))
		return sbxi_fail(l->fail, SBX_STEP_VERIFY, n,
				 "/proc/self/task", NULL);
	if (n > 1)
		return busy(l, SBXI_REMEDY_THREADS, "threads",
			    "the process has more than one thread");
	if (alone == EINVAL)
		return busy(l, SBXI_REMEDY_THREADS, "threads",
			    "another thread or process uses the same memory");
	if (n < 0 && alone != 0)
		return busy(l, SBXI_REMEDY_THREADS, "threads",
			    "they cannot be counted without /proc");
	return 0;
}

/* Descriptors. */

static bool goes_away(const struct look *l, int fd)
{
	int flags;

	if ((l->flags & SBX_ENTER_CLOSE) && fd > STDERR_FILENO)
		return true;
	flags = l->flags & SBX_ENTER_EXEC ? fcntl(fd, F_GETFD) : 0;
	return flags >= 0 && (flags & FD_CLOEXEC);
}

static int socket_fact(int fd, int name)
{
	int value = -1;
	socklen_t len = sizeof(value);

	return getsockopt(fd, SOL_SOCKET, name, &value, &len) < 0 ? -1 : value;
}

/* Has it a peer, or does it wait for one?  Then it connects to nobody else. */
static bool is_settled(int fd)
{
	struct sockaddr_storage peer;
	socklen_t len = sizeof(peer);

	return socket_fact(fd, SO_ACCEPTCONN) == 1 ||
	       getpeername(fd, (struct sockaddr *)&peer, &len) == 0;
}

static void look_at_socket(struct sbxi_held *held, int fd)
{
	int domain = socket_fact(fd, SO_DOMAIN);
	int type = socket_fact(fd, SO_TYPE);

	if (domain < 0)
		return;
	if ((domain == AF_INET || domain == AF_INET6) && type == SOCK_STREAM) {
		held->inet = true;
		if (is_settled(fd))
			return;
	}
	if (domain == AF_UNIX && type != SOCK_DGRAM && is_settled(fd))
		return;
	snprintf(held->stray, sizeof(held->stray),
		 "descriptor %d is a socket that is tied to no peer", fd);
}

/* File names have any bytes; a report is text. */
static void note_open(struct sbxi_held *held, int fd, const char *what)
{
	struct sbxi_text t = { .buf = held->open, .size = sizeof(held->open) };

	t.len = strlen(held->open);
	if (held->n_open++ > 0)
		sbxi_text_add(&t, ", ");
	sbxi_text_number(&t, (uint64_t)fd);
	sbxi_text_char(&t, ' ');
	for (; *what; what++)
		sbxi_text_char(&t, *what >= ' ' && *what < 0x7f ? *what : '?');
}

static int look_at_one(struct look *l, int dir, const char *name)
{
	char what[PATH_MAX];
	int fd = (int)strtol(name, NULL, 10);
	ssize_t n;

	if (goes_away(l, fd))
		return 0;
	n = readlinkat(dir, name, what, sizeof(what) - 1);
	if (n < 0)
		return 0;	/* closed meanwhile: by a signal handler */
	what[n] = '\0';
	if (!strcmp(what, IO_URING))
		return busy(l, SBXI_REMEDY_CLOSE, "io_uring",
			    "a ring does what no filter sees");
	look_at_socket(l->held, fd);
	l->held->terminal |= isatty(fd) == 1;
	if (fd > STDERR_FILENO)
		note_open(l->held, fd, what);
	return 0;
}

static int look_at_descriptors(struct look *l)
{
	DIR *dir = opendir("/proc/self/fd");
	const struct dirent *e;
	int rc = 0;

	if (!dir && is_shortage(errno))
		return sbxi_fail(l->fail, SBX_STEP_VERIFY, -errno,
				 "/proc/self/fd", NULL);
	if (!dir)
		return 0;
	l->held->listed = true;
	while (rc == 0 && (e = readdir(dir)))
		if (e->d_name[0] != '.' &&
		    strtol(e->d_name, NULL, 10) != dirfd(dir))
			rc = look_at_one(l, dirfd(dir), e->d_name);
	closedir(dir);
	return rc;
}

/* Mappings. */

static bool is_memory(const char *what)
{
	return !strcmp(what, "/dev/zero (deleted)") ||
	       !strncmp(what, "/memfd:", 7) || !strncmp(what, "/SYSV", 5) ||
	       what[0] != '/';
}

static bool may_write(const struct sbxi_plan *plan, const char *what)
{
	const struct sbxi_plan_path *path = sbxi_plan_paths(plan);

	for (size_t i = 0; i < plan->n_paths; i++)
		if ((path[i].rights & SBX_WRITE) &&
		    sbxi_path_within(sbxi_plan_string(plan, path[i].source),
				     what))
			return true;
	return false;
}

/* A mapping that is shared and can be written, or made so by mprotect(2). */
static int look_at_mapping(struct look *l, const char *what)
{
	if (!strcmp(what, IO_URING))
		return busy(l, SBXI_REMEDY_CLOSE, "io_uring",
			    "a ring does what no filter sees");
	if (is_memory(what)) {
		l->held->shared = true;
		return 0;
	}
	if (may_write(l->plan, what))
		return 0;
	return busy(l, SBXI_REMEDY_UNMAP, what,
		    "a shared mapping of it can be written, and no grant covers that");
}

struct mapping {
	bool shared;
	char what[PATH_MAX + 16];
};

/*
 * The head of a mapping: "start-end rw-s offset device inode    what", or a
 * line of its details.  Returns whether it is a head.
 */
static bool take_head(const char *line, struct mapping *m)
{
	char perms[5];
	int at = 0;

	if (sscanf(line, "%*x-%*x %4s %*x %*x:%*x %*u %n", perms, &at) != 1 ||
	    at == 0)
		return false;
	m->shared = perms[3] == 's';
	snprintf(m->what, sizeof(m->what), "%s", line + at);
	m->what[strcspn(m->what, "\n")] = '\0';
	return true;
}

/* "sh" is set only where the file is open for writing; "mw": may be written. */
static bool says_writable(const char *line)
{
	return !strncmp(line, "VmFlags:", 8) && strstr(line, " sh") &&
	       strstr(line, " mw");
}

static int look_at_lines(struct look *l, FILE *f)
{
	struct mapping m = { .shared = false };
	char *line = NULL;
	size_t size = 0;
	int rc = 0;

	while (rc == 0 && getline(&line, &size, f) >= 0)
		if (!take_head(line, &m) && m.shared && says_writable(line))
			rc = look_at_mapping(l, m.what);
	free(line);
	return rc;
}

static int look_at_mappings(struct look *l)
{
	FILE *f;
	int rc;

	/* execve takes them all away. */
	if (l->flags & SBX_ENTER_EXEC)
		return 0;
	f = fopen("/proc/self/smaps", "re");
	if (!f && is_shortage(errno))
		return sbxi_fail(l->fail, SBX_STEP_VERIFY, -errno,
				 "/proc/self/smaps", NULL);
	if (!f) {
		l->held->shared = true;	/* for all that is known */
		return 0;
	}
	rc = look_at_lines(l, f);
	(void)fclose(f);	/* only read */
	return rc;
}

int sbxi_held_look(const struct sbxi_plan *plan, uint32_t flags,
		   struct sbxi_held *ret, struct sbxi_fail *fail)
{
	struct look l = {
		.plan = plan, .flags = flags, .held = ret, .fail = fail,
	};
	int rc;

	*ret = (struct sbxi_held){ .listed = false };
	rc = look_at_threads(&l);
	if (rc == 0)
		rc = look_at_descriptors(&l);
	return rc < 0 ? rc : look_at_mappings(&l);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* cgroup: a group of its own for one task below a delegated cgroup v2. */
#include "kernel/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "kernel/plan.h"

#define CGROUP2_MAGIC 0x63677270
/* The kernel refuses a larger number in pids.max (PID_MAX_LIMIT). */
#define PIDS_MAX_NUMBER 4194304u
#define NAME_TRIES 1000
#define DONE_MS 1000

static int open_file(int dir, const char *name, int flags)
{
	int fd = openat(dir, name, flags | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int write_file(int dir, const char *name, const char *text)
{
	AUTO_FD fd = open_file(dir, name, O_WRONLY);
	size_t len = strlen(text);
	ssize_t n;

	if (fd < 0)
		return fd;
	do
		n = write(fd, text, len);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	return (size_t)n == len ? 0 : -EIO;
}

static int read_fd(int fd, char *buf, size_t size)
{
	ssize_t n;

	do
		n = pread(fd, buf, size - 1, 0);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	buf[n] = '\0';
	return 0;
}

static int read_file(int dir, const char *name, char *buf, size_t size)
{
	AUTO_FD fd = open_file(dir, name, O_RDONLY);

	return fd < 0 ? fd : read_fd(fd, buf, size);
}

/* The number in a file of one line; "max" is SBXI_NO_LIMIT. */
static int read_limit(int dir, const char *name, uint64_t *ret)
{
	char text[32];
	const char *at = text;
	uint64_t n = 0;
	int rc = read_file(dir, name, text, sizeof(text));

	if (rc < 0)
		return rc;
	if (strcmp(text, "max\n") == 0 || strcmp(text, "max") == 0) {
		*ret = SBXI_NO_LIMIT;
		return 0;
	}
	for (; *at >= '0' && *at <= '9'; at++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*at - '0'), &n))
			return -EIO;
	if (at == text || (*at != '\n' && *at != '\0'))
		return -EIO;
	*ret = n;
	return 0;
}

/*
 * slack: the kernel rounds memory down to whole pages, so a little less than
 * was asked for is what was asked for.  More never is.
 */
static int set_limit(int dir, const char *name, uint64_t limit, uint64_t slack)
{
	char text[24];
	uint64_t got = SBXI_NO_LIMIT;
	int rc;

	(void)snprintf(text, sizeof(text), "%llu", (unsigned long long)limit);
	rc = write_file(dir, name, text);
	if (rc == 0)
		rc = read_limit(dir, name, &got);
	if (rc < 0)
		return rc;
	return got <= limit && limit - got <= slack ? 0 : -EIO;
}

/* A file that this kernel or host does not have is no failure. */
static int write_if_there(int dir, const char *name, const char *text)
{
	int rc = write_file(dir, name, text);

	return rc == -ENOENT ? 0 : rc;
}

/*
 * Without swap.max the task would go on in swap, and without oom.group the
 * kernel would end one process of it and leave a torn task.
 */
static int apply_memory(int dir, uint64_t bytes, uint32_t *has)
{
	long page = sysconf(_SC_PAGESIZE);
	int rc;

	if (bytes > INT64_MAX)
		return 0;
	rc = set_limit(dir, "memory.max", bytes, (uint64_t)page - 1);
	if (rc == -ENOENT)
		return 0;
	if (rc == 0)
		rc = write_if_there(dir, "memory.swap.max", "0");
	if (rc == 0)
		rc = write_if_there(dir, "memory.oom.group", "1");
	if (rc == 0)
		*has |= SBXI_CGROUP_MEMORY;
	return rc;
}

static int apply_pids(int dir, uint64_t processes, uint32_t *has)
{
	int rc;

	if (processes >= PIDS_MAX_NUMBER)
		return 0;
	rc = set_limit(dir, "pids.max", processes, 0);
	if (rc == 0)
		*has |= SBXI_CGROUP_PIDS;
	return rc == -ENOENT ? 0 : rc;
}

int sbxi_cgroup_apply(int dir_fd, const struct sbxi_cgroup_limits *limits,
		      uint32_t *ret_has)
{
	AUTO_FD kill_fd = open_file(dir_fd, "cgroup.kill", O_WRONLY);
	uint32_t has = 0;
	int rc;

	if (kill_fd >= 0)
		has |= SBXI_CGROUP_KILL;
	rc = apply_memory(dir_fd, limits->memory_bytes, &has);
	if (rc == 0)
		rc = apply_pids(dir_fd, limits->processes, &has);
	if (rc == 0)
		*ret_has = has;
	return rc;
}

/* Any directory would take a mkdir(2); only a group can hold the task. */
static int check_cgroup2(int fd)
{
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0)
		return -errno;
	return fs.f_type == CGROUP2_MAGIC ? 0 : -EINVAL;
}

static int64_t now_ns(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/*
 * A name that nobody has: mkdir(2) is what decides, against other threads and
 * against groups that a dead harness of the same pid left behind.
 */
static int make_group(struct sbxi_cgroup *cgroup)
{
	uint32_t first = (uint32_t)(now_ns() / 1000 % 1000000000);
	uint32_t i;

	for (i = 0; i < NAME_TRIES; i++) {
		(void)snprintf(cgroup->name, sizeof(cgroup->name),
			       "sbx-%d-%u", (int)getpid(), first + i);
		if (mkdirat(cgroup->parent_fd, cgroup->name, 0700) == 0)
			return 0;
		if (errno != EEXIST)
			return -errno;
	}
	return -EEXIST;
}

static void forget(struct sbxi_cgroup *cgroup)
{
	sbxi_closep(&cgroup->fd);
	sbxi_closep(&cgroup->parent_fd);
	*cgroup = (struct sbxi_cgroup)SBXI_CGROUP_INIT;
}

int sbxi_cgroup_prepare(int parent_fd, const struct sbxi_cgroup_limits *limits,
			struct sbxi_cgroup *ret)
{
	struct sbxi_cgroup group = SBXI_CGROUP_INIT;
	int rc = check_cgroup2(parent_fd);

	if (rc < 0)
		return rc;
	group.parent_fd = fcntl(parent_fd, F_DUPFD_CLOEXEC, 3);
	if (group.parent_fd < 0)
		return -errno;
	rc = make_group(&group);
	if (rc < 0) {
		forget(&group);
		return rc;
	}
	rc = open_file(group.parent_fd, group.name, O_RDONLY | O_DIRECTORY);
	if (rc >= 0) {
		group.fd = rc;
		rc = sbxi_cgroup_apply(group.fd, limits, &group.has);
	}
	if (rc < 0) {
		sbxi_cgroup_done(&group);
		return rc;
	}
	*ret = group;
	return 0;
}

/* One part of a group's path; "..": the own group lies outside what we see. */
static int descend(int at, const char *name, size_t len)
{
	char part[NAME_MAX + 1];

	if (len > NAME_MAX)
		return -ENAMETOOLONG;
	memcpy(part, name, len);
	part[len] = '\0';
	if (strcmp(part, "..") == 0)
		return -ENOENT;
	return open_file(at, part, O_RDONLY | O_DIRECTORY);
}

/* All of a path but its last part. */
static int open_parent(int root_fd, const char *own, int *ret)
{
	AUTO_FD at = open_file(root_fd, ".", O_RDONLY | O_DIRECTORY);

	if (at < 0)
		return at;
	own += strspn(own, "/");
	if (!*own)
		return -ENOENT;
	for (;;) {
		size_t len = strcspn(own, "/");
		const char *next = own + len + strspn(own + len, "/");
		int fd;

		if (!*next)
			break;
		fd = descend(at, own, len);
		if (fd < 0)
			return fd;
		close(at);
		at = fd;
		own = next;
	}
	*ret = sbxi_steal_fd(&at);
	return 0;
}

static bool has_word(const char *text, const char *word)
{
	size_t len = strlen(word);

	while (*text) {
		size_t n = strcspn(text, " \n");

		if (n == len && strncmp(text, word, len) == 0)
			return true;
		text += n;
		text += strspn(text, " \n");
	}
	return false;
}

/*
 * Starting a process in a sibling needs write access to cgroup.procs of the
 * common ancestor, which is this directory.
 */
static int check_delegated(int fd)
{
	char text[512];
	int rc;

	if (faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) < 0 ||
	    faccessat(fd, "cgroup.procs", W_OK, AT_EACCESS) < 0)
		return -ENOENT;
	rc = read_file(fd, "cgroup.subtree_control", text, sizeof(text));
	if (rc < 0)
		return rc;
	return has_word(text, "memory") ? 0 : -ENOENT;
}

int sbxi_cgroup_find_below(int root_fd, const char *own)
{
	AUTO_FD fd = -1;
	int high, rc = open_parent(root_fd, own, &fd);

	if (rc == 0)
		rc = check_delegated(fd);
	if (rc < 0)
		return rc;
	if (fd > 2)
		return sbxi_steal_fd(&fd);
	high = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return high < 0 ? -errno : high;
}

/* Octal escapes of mountinfo, in place. */
static void unescape(char *text)
{
	char *out = text;

	while (*text) {
		if (text[0] == '\\' && text[1] >= '0' && text[1] <= '3' &&
		    text[2] >= '0' && text[2] <= '7' && text[3] >= '0' &&
		    text[3] <= '7') {
			*out++ = (char)((text[1] - '0') * 64 +
					(text[2] - '0') * 8 + text[3] - '0');
			text += 4;
		} else {
			*out++ = *text++;
		}
	}
	*out = '\0';
}

/*
 * "36 35 0:30 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup2 rw": only a
 * mount of the whole tree, since paths in /proc/self/cgroup begin there.
 */
static bool parse_mount(char *line, char *ret, size_t size)
{
	char *tail = strstr(line, " - cgroup2 ");
	char *at = line;
	size_t len;
	int i;

	if (!tail)
		return false;
	for (i = 0; i < 3; i++) {
		at = strchr(at, ' ');
		if (!at || at > tail)
			return false;
		at++;
	}
	if (strncmp(at, "/ ", 2) != 0)
		return false;
	at += 2;
	len = strcspn(at, " ");
	if (len + 1 > size)
		return false;
	memcpy(ret, at, len);
	ret[len] = '\0';
	unescape(ret);
	return true;
}

static int find_mount(char *ret, size_t size)
{
	AUTO_FREE char *line = NULL;
	size_t room = 0;
	FILE *f = fopen("/proc/self/mountinfo", "re");
	int rc = -ENOENT;

	if (!f)
		return -errno;
	while (rc < 0 && getline(&line, &room, f) > 0)
		if (parse_mount(line, ret, size))
			rc = 0;
	fclose(f);
	return rc;
}

/* The caller's own group: the line "0::/path" of /proc/self/cgroup. */
static int find_own(char *ret, size_t size)
{
	AUTO_FREE char *line = NULL;
	size_t room = 0;
	FILE *f = fopen("/proc/self/cgroup", "re");
	int rc = -ENOENT;

	if (!f)
		return -errno;
	while (rc < 0 && getline(&line, &room, f) > 0) {
		size_t len = strcspn(line, "\n");

		if (strncmp(line, "0::/", 4) != 0 || len - 3 + 1 > size)
			continue;
		line[len] = '\0';
		memcpy(ret, line + 3, len - 3 + 1);
		rc = 0;
	}
	fclose(f);
	return rc;
}

int sbxi_cgroup_find(const char *root)
{
	char own[PATH_MAX], mount[PATH_MAX];
	AUTO_FD fd = -1;
	int rc = find_own(own, sizeof(own));

	if (rc == 0 && !root) {
		rc = find_mount(mount, sizeof(mount));
		root = mount;
	}
	if (rc < 0)
		return rc;
	fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : sbxi_cgroup_find_below(fd, own);
}

/* The number behind "key " at the start of a line; -ENOENT: no such line. */
static int read_key(int fd, const char *key, uint64_t *ret)
{
	char text[1024];
	size_t len = strlen(key);
	const char *at = text;
	int rc = read_fd(fd, text, sizeof(text));

	if (rc < 0)
		return rc;
	while (strncmp(at, key, len) != 0 || at[len] != ' ') {
		at += strcspn(at, "\n");
		if (!*at)
			return -ENOENT;
		at++;
	}
	*ret = 0;
	for (at += len + 1; *at >= '0' && *at <= '9'; at++)
		*ret = *ret * 10 + (uint64_t)(*at - '0');
	return 0;
}

int sbxi_cgroup_oom(const struct sbxi_cgroup *cgroup)
{
	AUTO_FD fd = open_file(cgroup->fd, "memory.events", O_RDONLY);
	uint64_t kills;
	int rc;

	if (fd < 0)
		return fd;
	rc = read_key(fd, "oom_kill", &kills);
	return rc < 0 ? rc : kills > 0;
}

/*
 * A group is empty some time after its processes are killed.  The kernel
 * says so by POLLPRI on cgroup.events, after it was read.
 */
static void wait_empty(int dir)
{
	AUTO_FD fd = open_file(dir, "cgroup.events", O_RDONLY);
	int64_t end = now_ns() + (int64_t)DONE_MS * 1000000;
	uint64_t populated;

	while (fd >= 0 && read_key(fd, "populated", &populated) == 0 &&
	       populated > 0) {
		struct pollfd p = { .fd = fd, .events = POLLPRI };
		int64_t left_ms = (end - now_ns() + 999999) / 1000000;

		if (left_ms <= 0)
			return;
		if (poll(&p, 1, (int)left_ms) < 0 && errno != EINTR)
			return;
	}
}

void sbxi_cgroup_done(struct sbxi_cgroup *cgroup)
{
	if (cgroup->fd >= 0) {
		/*
		 * Before 5.14 there is no cgroup.kill.  Numbers from
		 * cgroup.procs may be somebody else's by the time they are
		 * used; there the supervisor alone ends the tree.
		 */
		(void)write_file(cgroup->fd, "cgroup.kill", "1");
		wait_empty(cgroup->fd);
	}
	/* Nothing to be done about a group that is still busy: it stays. */
	if (cgroup->parent_fd >= 0 && cgroup->name[0])
		(void)unlinkat(cgroup->parent_fd, cgroup->name, AT_REMOVEDIR);
	forget(cgroup);
}

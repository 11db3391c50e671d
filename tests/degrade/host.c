/* SPDX-License-Identifier: Apache-2.0 */
/* host: namespaces, masks, limits and ids of the poorer host. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/landlock.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

#define NOBODY 65534
#define MAP_LINES 5

static int failed(const char *what)
{
	int err = errno;

	fprintf(stderr, "degrade: %s: %s\n", what, strerror(err));
	return -err;
}

static int write_text(const char *path, const char *text)
{
	size_t len = strlen(text);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n;
	int err;

	if (fd < 0)
		return failed(path);
	n = write(fd, text, len);
	err = errno;
	close(fd);
	errno = err;
	return n == (ssize_t)len ? 0 : failed(path);
}

/* Every id that exists here, mapped to itself. */
static int identity_map(const char *path, char *ret, size_t size)
{
	unsigned long inside, outside, count;
	size_t used = 0;
	FILE *f = fopen(path, "re");
	int lines = 0;

	if (!f)
		return failed(path);
	while (lines < MAP_LINES &&
	       fscanf(f, "%lu %lu %lu", &inside, &outside, &count) == 3) {
		int n = snprintf(ret + used, size - used, "%lu %lu %lu\n",
				 inside, inside, count);

		if (n < 0 || (size_t)n >= size - used)
			break;
		used += (size_t)n;
		lines++;
	}
	fclose(f);
	return 0;
}

/* In a process that stayed outside: give its parent the two maps. */
static int map_parent(pid_t pid)
{
	char path[64], map[512] = "";
	int rc;

	rc = identity_map("/proc/self/uid_map", map, sizeof(map));
	snprintf(path, sizeof(path), "/proc/%d/uid_map", pid);
	if (rc == 0)
		rc = write_text(path, map);
	if (rc == 0)
		rc = identity_map("/proc/self/gid_map", map, sizeof(map));
	snprintf(path, sizeof(path), "/proc/%d/gid_map", pid);
	if (rc == 0)
		rc = write_text(path, map);
	return rc;
}

static int enter_as_root(void)
{
	pid_t self = getpid(), pid;
	int go[2], st = 0;
	char byte = 0;

	if (pipe2(go, O_CLOEXEC) < 0)
		return failed("pipe");
	pid = fork();
	if (pid < 0)
		return failed("fork");
	if (pid == 0) {
		close(go[1]);
		_exit(read(go[0], &byte, 1) == 1 && map_parent(self) == 0 ?
			      0 : 1);
	}
	close(go[0]);
	if (unshare(CLONE_NEWUSER) < 0) {
		int rc = failed("unshare(CLONE_NEWUSER)");

		close(go[1]);
		waitpid(pid, NULL, 0);
		return rc;
	}
	st = write(go[1], &byte, 1) == 1 ? 0 : -EPIPE;
	close(go[1]);
	if (waitpid(pid, &st, 0) < 0)
		return failed("waitpid");
	return st == 0 ? 0 : -EPERM;
}

static int enter_as_user(void)
{
	unsigned int uid = geteuid(), gid = getegid();
	char map[64];
	int rc;

	if (unshare(CLONE_NEWUSER) < 0)
		return failed("unshare(CLONE_NEWUSER)");
	rc = write_text("/proc/self/setgroups", "deny");
	snprintf(map, sizeof(map), "%u %u 1\n", uid, uid);
	if (rc == 0)
		rc = write_text("/proc/self/uid_map", map);
	snprintf(map, sizeof(map), "%u %u 1\n", gid, gid);
	return rc ? rc : write_text("/proc/self/gid_map", map);
}

int host_enter_userns(void)
{
	return geteuid() == 0 ? enter_as_root() : enter_as_user();
}

int host_limit(const char *name, unsigned long value)
{
	char path[96], text[32];

	snprintf(path, sizeof(path), "/proc/sys/user/%s", name);
	snprintf(text, sizeof(text), "%lu\n", value);
	return write_text(path, text);
}

int host_mask_proc(void)
{
	static const char *const entries[] = { "/proc/kcore", "/proc/keys",
					       "/proc/timer_list" };
	int n = 0;

	if (unshare(CLONE_NEWNS) < 0)
		return failed("unshare(CLONE_NEWNS)");
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return failed("private mounts");
	for (size_t i = 0; i < sizeof(entries) / sizeof(*entries); i++)
		if (mount("/dev/null", entries[i], NULL, MS_BIND, NULL) == 0)
			n++;
	return n > 0 ? 0 : failed("mask of /proc");
}

static int allow(int ruleset, const char *path, uint64_t rights)
{
	struct landlock_path_beneath_attr rule = {
		.allowed_access = rights,
		.parent_fd = open(path, O_PATH | O_CLOEXEC),
	};
	long rc;
	int err;

	/* A link to nowhere is nothing to be written to either. */
	if (rule.parent_fd < 0)
		return 0;
	rc = syscall(SYS_landlock_add_rule, ruleset,
		     LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
	err = errno;
	close(rule.parent_fd);
	errno = err;
	return rc < 0 ? failed(path) : 0;
}

/* Landlock only allows, so all but /proc is named. */
static int allow_all_but_proc(int ruleset)
{
	struct dirent *e;
	DIR *d = opendir("/");
	int rc;

	if (!d)
		return failed("/");
	rc = allow(ruleset, "/", LANDLOCK_ACCESS_FS_REFER);
	while (rc == 0 && (e = readdir(d)) != NULL) {
		char path[300];

		if (e->d_name[0] == '.' || !strcmp(e->d_name, "proc"))
			continue;
		snprintf(path, sizeof(path), "/%s", e->d_name);
		rc = allow(ruleset, path, LANDLOCK_ACCESS_FS_WRITE_FILE);
	}
	closedir(d);
	return rc;
}

int host_readonly_proc(void)
{
	/* A layer that is silent on REFER forbids it, so it is allowed aloud. */
	struct landlock_ruleset_attr attr = {
		.handled_access_fs = LANDLOCK_ACCESS_FS_WRITE_FILE |
				     LANDLOCK_ACCESS_FS_REFER,
	};
	int fd = (int)syscall(SYS_landlock_create_ruleset, &attr,
			      sizeof(attr), 0);
	int rc;

	if (fd < 0)
		return failed("landlock_create_ruleset");
	rc = allow_all_but_proc(fd);
	if (rc == 0 && syscall(SYS_landlock_restrict_self, fd, 0) < 0)
		rc = failed("landlock_restrict_self");
	close(fd);
	return rc;
}

int host_nofile(unsigned long n)
{
	struct rlimit r = { .rlim_cur = n, .rlim_max = n };

	return setrlimit(RLIMIT_NOFILE, &r) < 0 ? failed("RLIMIT_NOFILE") : 0;
}

int host_drop_user(void)
{
	if (geteuid() != 0)
		return 0;
	if (setgroups(0, NULL) < 0)
		return failed("setgroups");
	if (setresgid(NOBODY, NOBODY, NOBODY) < 0)
		return failed("setresgid");
	if (setresuid(NOBODY, NOBODY, NOBODY) < 0)
		return failed("setresuid");
	/* A change of ids hides a process from a tracer of the same uid. */
	if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0)
		return failed("PR_SET_DUMPABLE");
	return 0;
}

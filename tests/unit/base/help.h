/* SPDX-License-Identifier: Apache-2.0 */
/*
 * help: forked children, a scratch folder, and a count of descriptors, for
 * tests of the small parts.  A child never uses cr_*: it says by HOLDS()
 * which line did not hold, and the test repeats it.
 */
#ifndef TESTS_UNIT_BASE_HELP_H
#define TESTS_UNIT_BASE_HELP_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "base/kconst.h"

#define CHILD_FAILED 1
#define CHILD_SKIPS 77
#define NOBODY 65534

/* The line that did not hold in the last child, and errno there. */
static int *child_said;

#define HOLDS(condition)                              \
	do {                                          \
		if (!(condition)) {                   \
			child_said[1] = errno;        \
			child_said[0] = __LINE__;     \
			return CHILD_FAILED;          \
		}                                     \
	} while (0)

/* Its exit code, or 128 + signal. */
static inline int in_child(int (*fn)(void))
{
	pid_t pid;
	int st;

	if (!child_said)
		child_said = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	child_said[0] = child_said[1] = 0;
	pid = fork();
	if (pid < 0)
		return -errno;
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(fn());
	}
	while (waitpid(pid, &st, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st);
}

#define expect_child(fn)                                                  \
	do {                                                              \
		int rc_ = in_child(fn);                                   \
		cr_expect_eq(rc_, 0, #fn ": %d, line %d, errno %d", rc_,  \
			     child_said[0], child_said[1]);               \
	} while (0)

/* Loudly, or a failure where everything must run. */
static inline void skip_or_fail(const char *why)
{
	const char *must = getenv("SBX_REQUIRE_LIVE");

	if (must && !strcmp(must, "1"))
		cr_assert_fail("nothing may be skipped: %s", why);
	cr_skip_test("%s", why);
}

static inline int n_open(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	if (!d)
		return -1;
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static inline int is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* The same without /proc, and for a full table: numbers from..to-1. */
static inline int n_open_in(int from, int to)
{
	int n = 0;

	for (int fd = from; fd < to; fd++)
		n += is_open(fd);
	return n;
}

static inline int same_file(int a, int b)
{
	struct stat x, y;

	return fstat(a, &x) == 0 && fstat(b, &y) == 0 &&
	       x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static inline int null_device(void)
{
	return open("/dev/null", O_RDWR | O_CLOEXEC);
}

/* In a child: nothing from number 3 on, whatever the runner had open. */
static inline int clear_table(void)
{
	return (int)syscall(SYS_close_range, 3, ~0u, 0);
}

static inline int limit_files(unsigned int n)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) < 0)
		return -1;
	r.rlim_cur = n;
	return setrlimit(RLIMIT_NOFILE, &r);
}

/* In a child: from now on this system call fails with err. */
static inline int refuse_call(long nr, int err)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)nr, 0, 1),
		BPF_STMT(BPF_RET | BPF_K,
			 SECCOMP_RET_ERRNO | (unsigned int)err),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { .len = 4, .filter = code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
}

/* In a child: no root any more. */
static inline int be_ordinary(void)
{
	if (geteuid() != 0)
		return 0;
	if (setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
	    setresuid(NOBODY, NOBODY, NOBODY) < 0)
		return -1;
	/* A changed id takes it away. */
	return prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static char scratch[64];
static int scratch_fd = -1;

static inline void make_scratch(void)
{
	snprintf(scratch, sizeof(scratch), "/tmp/sbx-unit-XXXXXX");
	cr_assert_not_null(mkdtemp(scratch));
	cr_assert_eq(chmod(scratch, 0755), 0);
	scratch_fd = open(scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cr_assert_geq(scratch_fd, 0);
}

/* By rm(1), for a tree may be of any depth and have any mode. */
static inline void drop_scratch(void)
{
	pid_t pid = fork();

	close(scratch_fd);
	scratch_fd = -1;
	if (pid == 0) {
		/* Twice: chmod goes no further than it may read. */
		execl("/bin/sh", "sh", "-c",
		      "rm -rf \"$1\" 2>/dev/null || "
		      "{ chmod -R u+rwx \"$1\"; rm -rf \"$1\"; }",
		      "sh", scratch, (char *)NULL);
		_exit(127);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

static inline int put_file(int dir, const char *name, const char *text)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
			0644);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = write(fd, text, strlen(text));
	close(fd);
	return n == (ssize_t)strlen(text) ? 0 : -1;
}

/* Is there something of that name?  A link counts, wherever it points. */
static inline int exists(int dir, const char *name)
{
	struct stat st;

	return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

#endif

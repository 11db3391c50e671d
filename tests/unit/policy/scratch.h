/* SPDX-License-Identifier: Apache-2.0 */
/* scratch: a directory of files and links for one test. */
#ifndef TESTS_POLICY_SCRATCH_H
#define TESTS_POLICY_SCRATCH_H

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

static char scratch[64];

/* "/tmp/.../name", in one of a few buffers that take turns. */
__attribute__((unused))
static const char *in(const char *name)
{
	static char buf[8][PATH_MAX];
	static unsigned int turn;
	char *out = buf[turn++ % 8];

	snprintf(out, PATH_MAX, "%s/%s", scratch, name);
	return out;
}

__attribute__((unused))
static void make_scratch(void)
{
	snprintf(scratch, sizeof(scratch), "/tmp/sbx-policy-XXXXXX");
	cr_assert_not_null(mkdtemp(scratch));
	cr_assert_eq(chmod(scratch, 0755), 0);
}

__attribute__((unused))
static int remove_one(const char *path, const struct stat *st, int kind,
		      struct FTW *walk)
{
	(void)st;
	(void)kind;
	(void)walk;
	return remove(path);
}

__attribute__((unused))
static void drop_scratch(void)
{
	nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

__attribute__((unused))
static void make_dir(const char *name)
{
	cr_assert_eq(mkdir(in(name), 0755), 0, "%s", name);
}

__attribute__((unused))
static void make_file(const char *name)
{
	int fd = open(in(name), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);

	cr_assert_geq(fd, 0, "%s", name);
	close(fd);
}

__attribute__((unused))
static void make_link(const char *text, const char *name)
{
	cr_assert_eq(symlink(text, in(name)), 0, "%s", name);
}

/* Run fn in a child: its exit code, or 128 + signal. */
__attribute__((unused))
static int in_child(int (*fn)(void *), void *arg)
{
	pid_t pid = fork();
	int st;

	if (pid < 0)
		return -errno;
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(fn(arg));
	}
	while (waitpid(pid, &st, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st);
}

#endif

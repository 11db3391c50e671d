/* SPDX-License-Identifier: Apache-2.0 */
/* cgroup: limits against plain files, life and death against a real one. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "kernel/cgroup.h"
#include "kernel/plan.h"

static char top[64];
static int top_fd = -1;

static int n_open(void)
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

static void put(const char *name, const char *text)
{
	int fd = openat(top_fd, name,
			O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	cr_assert_geq(fd, 0, "%s", name);
	cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

static void expect(const char *name, const char *text)
{
	char buf[64] = { 0 };
	int fd = openat(top_fd, name, O_RDONLY | O_CLOEXEC);

	cr_assert_geq(fd, 0, "%s", name);
	cr_assert_geq(read(fd, buf, sizeof(buf) - 1), 0);
	close(fd);
	cr_expect_str_eq(buf, text, "%s holds '%s'", name, buf);
}

static void make_top(void)
{
	strcpy(top, "/tmp/sbx-cgroup-XXXXXX");
	cr_assert(mkdtemp(top));
	top_fd = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cr_assert_geq(top_fd, 0);
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static void drop_top(void)
{
	close(top_fd);
	nftw(top, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

TestSuite(cgroup_limits, .init = make_top, .fini = drop_top, .timeout = 10);

Test(cgroup_limits, all_limits_are_written_and_read_back)
{
	struct sbxi_cgroup_limits l = { 1 << 30, 64 };
	uint32_t has = 0;
	int before = n_open();

	put("memory.max", "");
	put("memory.swap.max", "");
	put("memory.oom.group", "");
	put("pids.max", "");
	put("cgroup.kill", "");
	cr_expect_eq(sbxi_cgroup_apply(top_fd, &l, &has), 0);
	cr_expect_eq(has, SBXI_CGROUP_MEMORY | SBXI_CGROUP_PIDS |
				  SBXI_CGROUP_KILL);
	expect("memory.max", "1073741824");
	expect("memory.swap.max", "0");
	expect("memory.oom.group", "1");
	expect("pids.max", "64");
	expect("cgroup.kill", "");
	cr_expect_eq(n_open(), before);
}

Test(cgroup_limits, controllers_that_are_not_delegated_are_left_out)
{
	struct sbxi_cgroup_limits l = { 1 << 30, 64 };
	uint32_t has = 99;

	cr_expect_eq(sbxi_cgroup_apply(top_fd, &l, &has), 0);
	cr_expect_eq(has, 0);
	put("pids.max", "");
	cr_expect_eq(sbxi_cgroup_apply(top_fd, &l, &has), 0);
	cr_expect_eq(has, SBXI_CGROUP_PIDS);
}

Test(cgroup_limits, memory_is_held_without_swap_files_too)
{
	struct sbxi_cgroup_limits l = { 1 << 20, SBXI_NO_LIMIT };
	uint32_t has = 0;

	put("memory.max", "");
	cr_expect_eq(sbxi_cgroup_apply(top_fd, &l, &has), 0);
	cr_expect_eq(has, SBXI_CGROUP_MEMORY);
}

Test(cgroup_limits, no_limit_writes_nothing_and_claims_nothing)
{
	struct sbxi_cgroup_limits l = { SBXI_NO_LIMIT, SBXI_NO_LIMIT };
	uint32_t has = 99;

	put("memory.max", "max\n");
	put("pids.max", "max\n");
	cr_expect_eq(sbxi_cgroup_apply(top_fd, &l, &has), 0);
	cr_expect_eq(has, 0);
	expect("memory.max", "max\n");
	expect("pids.max", "max\n");
}

/* A file whose old content is longer shows something else than was written. */
Test(cgroup_limits, another_value_than_was_written_is_an_error)
{
	struct sbxi_cgroup_limits memory = { 4096, SBXI_NO_LIMIT };
	struct sbxi_cgroup_limits pids = { SBXI_NO_LIMIT, 64 };
	uint32_t has = 99;

	put("memory.max", "99999999\n");
	cr_expect_eq(sbxi_cgroup_apply(top_fd, &memory, &has), -EIO);
	put("pids.max", "9999\n");
	cr_expect_eq(sbxi_cgroup_apply(top_fd, &pids, &has), -EIO);
	put("pids.max", "  max\n");
	cr_expect_eq(sbxi_cgroup_apply(top_fd, &pids, &has), -EIO);
	put("pids.max", "");
	cr_expect_eq(has, 99, "untouched on failure");
	cr_expect_eq(sbxi_cgroup_apply(top_fd, &pids, &has), 0);
}

Test(cgroup_limits, a_file_that_cannot_be_written_is_an_error)
{
	static const char *const files[] = { "memory.max", "memory.swap.max",
					     "memory.oom.group", "pids.max" };
	struct sbxi_cgroup_limits l = { 1 << 20, 64 };
	uint32_t has = 99;
	size_t i;

	for (i = 0; i < 4; i++) {
		int before = n_open();

		put("memory.max", "");
		put("pids.max", "");
		(void)unlinkat(top_fd, files[i], 0);	/* may not be there */
		cr_assert_eq(mkdirat(top_fd, files[i], 0700), 0);
		cr_expect_eq(sbxi_cgroup_apply(top_fd, &l, &has), -EISDIR,
			     "%s", files[i]);
		cr_expect_eq(n_open(), before);
		cr_assert_eq(unlinkat(top_fd, files[i], AT_REMOVEDIR), 0);
	}
	cr_expect_eq(has, 99);
}

Test(cgroup_limits, a_link_in_place_of_a_file_is_not_followed)
{
	struct sbxi_cgroup_limits l = { 1 << 20, SBXI_NO_LIMIT };
	uint32_t has = 0;

	put("elsewhere", "kept");
	cr_assert_eq(symlinkat("elsewhere", top_fd, "memory.max"), 0);
	cr_expect_eq(sbxi_cgroup_apply(top_fd, &l, &has), -ELOOP);
	expect("elsewhere", "kept");
}

Test(cgroup_limits, an_oom_kill_is_read_from_memory_events)
{
	struct sbxi_cgroup c = { .parent_fd = -1, .fd = top_fd };

	cr_expect_eq(sbxi_cgroup_oom(&c), -ENOENT);
	put("memory.events", "low 0\nhigh 0\nmax 12\noom 1\noom_kill 0\n"
			     "oom_group_kill 4\n");
	cr_expect_eq(sbxi_cgroup_oom(&c), 0);
	put("memory.events", "low 0\nhigh 0\nmax 12\noom 1\noom_kill 3\n"
			     "oom_group_kill 0\n");
	cr_expect_eq(sbxi_cgroup_oom(&c), 1);
	put("memory.events", "xoom_kill 3\noom_killer 3\n");
	cr_expect_eq(sbxi_cgroup_oom(&c), -ENOENT);
}

static void make_dir(const char *path)
{
	cr_assert_eq(mkdirat(top_fd, path, 0700), 0, "%s", path);
}

TestSuite(cgroup_find, .init = make_top, .fini = drop_top, .timeout = 10);

Test(cgroup_find, the_parent_of_the_own_group_is_found)
{
	struct stat want, got;
	int fd;

	make_dir("user");
	make_dir("user/agent");
	put("user/cgroup.procs", "");
	put("user/cgroup.subtree_control", "cpu memory pids\n");
	fd = sbxi_cgroup_find_below(top_fd, "/user/agent");
	cr_assert_geq(fd, 3);
	cr_assert_eq(fstatat(top_fd, "user", &want, 0), 0);
	cr_assert_eq(fstat(fd, &got), 0);
	cr_expect_eq(want.st_ino, got.st_ino);
	cr_expect_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
}

Test(cgroup_find, a_group_right_below_the_top_has_the_top_as_parent)
{
	int fd;

	make_dir("agent");
	put("cgroup.procs", "");
	put("cgroup.subtree_control", "memory\n");
	fd = sbxi_cgroup_find_below(top_fd, "/agent");
	cr_expect_geq(fd, 3);
	close(fd);
}

Test(cgroup_find, nothing_is_found_where_nothing_is_delegated)
{
	int before = n_open();

	make_dir("user");
	make_dir("user/agent");
	cr_expect_eq(sbxi_cgroup_find_below(top_fd, "/user/agent"), -ENOENT,
		     "no cgroup.procs");
	put("user/cgroup.procs", "");
	cr_expect_eq(sbxi_cgroup_find_below(top_fd, "/user/agent"), -ENOENT,
		     "no subtree_control");
	put("user/cgroup.subtree_control", "cpu memoryx pids\n");
	cr_expect_eq(sbxi_cgroup_find_below(top_fd, "/user/agent"), -ENOENT,
		     "no memory");
	cr_expect_eq(sbxi_cgroup_find_below(top_fd, "/"), -ENOENT);
	cr_expect_eq(sbxi_cgroup_find_below(top_fd, "/../user/agent"),
		     -ENOENT);
	cr_expect_eq(sbxi_cgroup_find_below(top_fd, "/missing/agent"),
		     -ENOENT);
	cr_expect_eq(n_open(), before);
}

Test(cgroup_find, a_link_on_the_way_is_not_followed)
{
	make_dir("real");
	make_dir("real/agent");
	put("real/cgroup.procs", "");
	put("real/cgroup.subtree_control", "memory\n");
	cr_assert_eq(symlinkat("real", top_fd, "link"), 0);
	cr_expect_lt(sbxi_cgroup_find_below(top_fd, "/link/agent"), 0);
	close(sbxi_cgroup_find_below(top_fd, "/real/agent"));
}

Test(cgroup_find, a_missing_root_is_an_error)
{
	cr_expect_lt(sbxi_cgroup_find("/nonexistent"), 0);
}

Test(cgroup_find, looking_on_this_host_leaks_nothing)
{
	int before = n_open();
	int fd = sbxi_cgroup_find(NULL);

	if (fd >= 0)
		close(fd);
	cr_expect_eq(n_open(), before);
}

TestSuite(cgroup, .init = make_top, .fini = drop_top, .timeout = 20);

Test(cgroup, a_plain_directory_is_refused_and_left_empty)
{
	struct sbxi_cgroup_limits l = { 1 << 20, 64 };
	struct sbxi_cgroup c = SBXI_CGROUP_INIT;
	int before = n_open();

	cr_expect_eq(sbxi_cgroup_prepare(top_fd, &l, &c), -EINVAL);
	cr_expect_eq(sbxi_cgroup_prepare(-1, &l, &c), -EBADF);
	cr_expect_eq(c.fd, -1);
	cr_expect_eq(rmdir(top), 0, "something was made in it");
	cr_expect_eq(n_open(), before);
	make_top();
}

Test(cgroup, done_takes_what_was_never_made)
{
	struct sbxi_cgroup c = SBXI_CGROUP_INIT;
	int before = n_open();

	sbxi_cgroup_done(&c);
	sbxi_cgroup_done(&c);
	cr_expect_eq(n_open(), before);
}

static int real_parent(void)
{
	static const char *const roots[] = { "/sys/fs/cgroup",
					     "/sys/fs/cgroup/unified" };
	size_t i;

	for (i = 0; i < 2; i++) {
		int fd = open(roots[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		struct statfs fs;

		if (fd >= 0 && fstatfs(fd, &fs) == 0 &&
		    fs.f_type == 0x63677270 &&
		    faccessat(fd, "cgroup.procs", W_OK, AT_EACCESS) == 0 &&
		    mkdirat(fd, "sbx-test-probe", 0700) == 0) {
			unlinkat(fd, "sbx-test-probe", AT_REMOVEDIR);
			return fd;
		}
		if (fd >= 0)
			close(fd);
	}
	if (getenv("SBX_REQUIRE_LIVE"))
		cr_assert_fail("SBX_REQUIRE_LIVE: no writable cgroup v2 here");
	fprintf(stderr, "SKIP: no writable cgroup v2 here\n");
	drop_top();	/* a skip runs no .fini */
	cr_skip_test("no writable cgroup v2 here");
	return -1;
}

static pid_t start_in(const struct sbxi_cgroup *c)
{
	int ready[2];
	char text[16], ch;
	pid_t pid;

	cr_assert_eq(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	cr_assert_geq(pid, 0);
	if (pid == 0) {
		int fd = openat(c->fd, "cgroup.procs", O_WRONLY | O_CLOEXEC);

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		snprintf(text, sizeof(text), "%d", getpid());
		if (fd < 0 || write(fd, text, strlen(text)) < 0 ||
		    write(ready[1], "r", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	cr_assert_eq(read(ready[0], &ch, 1), 1, "could not enter the group");
	close(ready[0]);
	return pid;
}

Test(cgroup, a_real_group_is_made_killed_and_removed)
{
	struct sbxi_cgroup_limits l = { 1 << 30, 64 };
	struct sbxi_cgroup c = SBXI_CGROUP_INIT;
	int parent = real_parent(), before = n_open(), st = 0;
	char name[48];
	struct stat sb;
	pid_t pid;

	cr_assert_eq(sbxi_cgroup_prepare(parent, &l, &c), 0);
	strcpy(name, c.name);
	cr_expect_geq(c.fd, 3);
	cr_expect_geq(c.parent_fd, 3);
	cr_expect_eq(strncmp(name, "sbx-", 4), 0);
	cr_expect(c.has & SBXI_CGROUP_KILL);
	pid = start_in(&c);
	sbxi_cgroup_done(&c);
	cr_expect_eq(waitpid(pid, &st, 0), pid);
	cr_expect(WIFSIGNALED(st) && WTERMSIG(st) == SIGKILL);
	cr_expect_eq(fstatat(parent, name, &sb, 0), -1, "it is still there");
	cr_expect_eq(c.fd, -1);
	cr_expect_eq(n_open(), before);
}

Test(cgroup, two_groups_of_one_process_have_two_names)
{
	struct sbxi_cgroup_limits l = { SBXI_NO_LIMIT, SBXI_NO_LIMIT };
	struct sbxi_cgroup a = SBXI_CGROUP_INIT, b = SBXI_CGROUP_INIT;
	int parent = real_parent();

	cr_assert_eq(sbxi_cgroup_prepare(parent, &l, &a), 0);
	cr_assert_eq(sbxi_cgroup_prepare(parent, &l, &b), 0);
	cr_expect_str_neq(a.name, b.name);
	sbxi_cgroup_done(&a);
	sbxi_cgroup_done(&b);
}

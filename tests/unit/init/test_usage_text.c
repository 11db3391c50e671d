/* SPDX-License-Identifier: Apache-2.0 */
/* usage: a proc made by hand, for what a real one shows too rarely. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "init/usage.h"

/* Big, and zero at first: one a test process. */
static struct sbxi_usage_state state;

static char fake[64];
static int fake_fd = -1;

static void fake_file(const char *pid, const char *name, const char *text)
{
	char path[160];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", fake, pid);
	(void)mkdir(path, 0700);	/* there already for a second file */
	snprintf(path, sizeof(path), "%s/%s/%s", fake, pid, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

/* own and waited in ticks of 10 ms. */
static void fake_process(const char *pid, const char *name, const char *ppid,
			 const char *own, const char *waited)
{
	char text[512];

	snprintf(text, sizeof(text),
		 "%s (%s) S %s 1 1 0 -1 4194560 1 2 3 4 %s 0 %s 0 20 0 3 0 77 "
		 "4096 5 18446744073709551615 0 0\n", pid, name, ppid, own,
		 waited);
	fake_file(pid, "stat", text);
}

static void make_fake(void)
{
	strcpy(fake, "/tmp/sbx-usage-XXXXXX");
	cr_assert(mkdtemp(fake));
	fake_fd = open(fake, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cr_assert_geq(fake_fd, 0);
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static void drop_fake(void)
{
	close(fake_fd);
	nftw(fake, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

TestSuite(fake_proc, .init = make_fake, .fini = drop_fake, .timeout = 20);

Test(fake_proc, a_name_with_brackets_and_numbers_fools_nobody)
{
	struct sbxi_usage u = { 0 };

	fake_process("2", "a) R 1 (b) Z 0 0 0", "1", "100", "0");
	cr_assert_eq(sbxi_usage_sample(fake_fd, true, false, &state, &u), 0);
	cr_expect_eq(u.cpu_us, 1000 * 1000);
	cr_expect_eq(u.processes, 3);
}

Test(fake_proc, the_supervisor_itself_is_not_part_of_the_tree)
{
	struct sbxi_usage u = { 0 };

	fake_process("1", "init", "0", "900", "900");
	fake_process("12", "sh", "1", "100", "50");
	cr_assert_eq(sbxi_usage_sample(fake_fd, true, false, &state, &u), 0);
	cr_expect_eq(u.cpu_us, 1500 * 1000);
	cr_expect_eq(u.processes, 3);
}

Test(fake_proc, a_process_without_readable_stat_is_skipped)
{
	struct sbxi_usage u = { 0 };

	fake_file("7", "stat", "7 (cut");
	fake_file("8", "status", "Name:\tgone\n");
	fake_process("9", "sh", "1", "100", "0");
	cr_assert_eq(sbxi_usage_sample(fake_fd, true, true, &state, &u), 0);
	cr_expect_eq(u.processes, 3);
}

Test(fake_proc, the_sum_of_cpu_time_never_falls)
{
	struct sbxi_usage u = { 0 };

	fake_process("9", "sh", "1", "100", "400");
	cr_assert_eq(sbxi_usage_sample(fake_fd, true, false, &state, &u), 0);
	cr_expect_eq(u.cpu_us, 5000 * 1000);
	fake_process("9", "sh", "1", "101", "0");
	cr_assert_eq(sbxi_usage_sample(fake_fd, true, false, &state, &u), 0);
	cr_expect_eq(u.cpu_us, 5000 * 1000);
}

Test(fake_proc, memory_is_anonymous_swapped_shared_and_page_tables)
{
	struct sbxi_usage u = { 0 };

	fake_process("9", "sh", "1", "1", "0");
	fake_file("9", "status",
		  "Name:\tRssAnon: 9999999 kB\nRssAnon:\t    1000 kB\n"
		  "RssFile:\t  5000000 kB\nRssShmem:\t      10 kB\n"
		  "VmPTE:\t     100 kB\nVmSwap:\t    2000 kB\n"
		  "HugetlbPages:\t   4000 kB\n");
	cr_assert_eq(sbxi_usage_sample(fake_fd, true, true, &state, &u), 0);
	cr_expect_eq(u.memory_bytes, 7110 * 1024);
}

Test(fake_proc, a_line_of_groups_longer_than_any_buffer_hides_no_memory)
{
	static char text[70000];
	struct sbxi_usage u = { 0 };

	memset(text, '1', sizeof(text) - 1);
	memcpy(text, "Groups:\t", 8);
	strcpy(text + 69000, "\nRssAnon:\t 1000 kB\n");
	fake_process("9", "sh", "1", "1", "0");
	fake_file("9", "status", text);
	cr_assert_eq(sbxi_usage_sample(fake_fd, true, true, &state, &u), 0);
	cr_expect_eq(u.memory_bytes, 1000 * 1024);
}

Test(fake_proc, descendants_are_found_through_numbers_that_have_wrapped)
{
	struct sbxi_usage u = { 0 };

	/* 500 is us; 30 is its grandchild by 600, 40 a stranger's child. */
	cr_assert_eq(symlinkat("500", fake_fd, "self"), 0);
	fake_process("500", "us", "1", "800", "0");
	fake_process("600", "child", "500", "100", "0");
	fake_process("30", "grandchild", "600", "10", "0");
	fake_process("40", "other", "1", "7000", "0");
	fake_process("41", "other", "40", "7000", "0");
	cr_assert_eq(sbxi_usage_sample(fake_fd, false, false, &state, &u), 0);
	cr_expect_eq(u.cpu_us, 1100 * 1000);
	cr_expect_eq(u.processes, 6);
}

Test(fake_proc, more_processes_than_are_remembered_are_still_counted)
{
	struct sbxi_usage u = { 0 };
	char pid[16];
	int i;

	for (i = 0; i < 1100; i++) {
		snprintf(pid, sizeof(pid), "%d", 1000 + i);
		fake_process(pid, "many", "1", "1", "0");
	}
	cr_assert_eq(sbxi_usage_sample(fake_fd, true, false, &state, &u), 0);
	cr_expect_eq(u.processes, 3300);
	cr_expect_eq(u.cpu_us, 11000 * 1000);
}

Test(fake_proc, a_directory_that_is_no_proc_is_an_error_and_writes_nothing)
{
	struct sbxi_usage u = { .processes = 42 };

	cr_expect_eq(sbxi_usage_sample(fake_fd, false, false, &state, &u),
		     -ENOENT);
	cr_expect_eq(sbxi_usage_sample(-1, true, false, &state, &u), -EBADF);
	cr_expect_eq(u.processes, 42);
}

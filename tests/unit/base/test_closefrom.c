/* SPDX-License-Identifier: Apache-2.0 */
/* closefrom: nothing stays open from a number on, by either way. */
#include "base/closefrom.h"

#include "help.h"

#define END 2000	/* no descriptor of a test is above */

TestSuite(closefrom, .timeout = 20);

static int without_close_range(void)
{
	return refuse_call(SYS_close_range, ENOSYS);
}

/* 0 to 2 and 3 to 9, and copies of 0 at some higher numbers. */
static int fill(const int *high, size_t n)
{
	if (clear_table() < 0)
		return -1;
	for (int fd = 3; fd < 10; fd++)
		if (null_device() != fd)
			return -1;
	for (size_t i = 0; i < n; i++)
		if (dup2(3, high[i]) != high[i])
			return -1;
	return 0;
}

static int closes_from_five_on(void)
{
	static const int high[] = { 63, 64, 100, 999 };

	HOLDS(fill(high, 4) == 0);
	HOLDS(n_open_in(0, END) == 14);
	HOLDS(sbxi_close_from(5) == 0);
	HOLDS(n_open_in(0, 5) == 5);
	HOLDS(n_open_in(5, END) == 0);
	/* What is not there is no error, and the rest stays. */
	HOLDS(sbxi_close_from(5) == 0);
	HOLDS(sbxi_close_from(1000000) == 0);
	HOLDS(n_open_in(0, END) == 5);
	return 0;
}

static int closes_from_five_on_by_proc(void)
{
	HOLDS(without_close_range() == 0);
	HOLDS(clear_table() == -1 && errno == ENOSYS);
	for (int fd = 3; fd < END; fd++)
		close(fd);
	for (int fd = 3; fd < 10; fd++)
		HOLDS(null_device() == fd);
	HOLDS(dup2(3, 63) == 63 && dup2(3, 999) == 999);
	HOLDS(sbxi_close_from(5) == 0);
	HOLDS(n_open_in(0, 5) == 5);
	HOLDS(n_open_in(5, END) == 0);
	HOLDS(sbxi_close_from(5) == 0);
	HOLDS(n_open_in(0, END) == 5);
	return 0;
}

Test(closefrom, closes_what_is_above_and_nothing_below)
{
	expect_child(closes_from_five_on);
}

Test(closefrom, closes_the_same_by_the_list_in_proc)
{
	expect_child(closes_from_five_on_by_proc);
}

static int closes_all(void)
{
	HOLDS(fill(NULL, 0) == 0);
	HOLDS(sbxi_close_from(0) == 0);
	HOLDS(n_open_in(0, END) == 0);
	return 0;
}

static int closes_all_by_proc(void)
{
	HOLDS(fill(NULL, 0) == 0);
	HOLDS(without_close_range() == 0);
	HOLDS(sbxi_close_from(0) == 0);
	HOLDS(n_open_in(0, END) == 0);
	return 0;
}

Test(closefrom, closes_all_by_either_way)
{
	expect_child(closes_all);
	expect_child(closes_all_by_proc);
}

static int above_the_limit(void)
{
	static const int high[] = { 500, 1500 };

	HOLDS(fill(high, 2) == 0);
	HOLDS(limit_files(50) == 0);
	HOLDS(is_open(1500));
	return 0;
}

static int closes_above_the_limit(void)
{
	HOLDS(above_the_limit() == 0);
	HOLDS(sbxi_close_from(4) == 0);
	HOLDS(n_open_in(0, END) == 4);
	return 0;
}

static int closes_above_the_limit_by_proc(void)
{
	HOLDS(above_the_limit() == 0);
	HOLDS(without_close_range() == 0);
	HOLDS(sbxi_close_from(4) == 0);
	HOLDS(n_open_in(0, END) == 4);
	return 0;
}

Test(closefrom, closes_numbers_above_a_lowered_limit_by_either_way)
{
	expect_child(closes_above_the_limit);
	expect_child(closes_above_the_limit_by_proc);
}

/* More than one read of the folder lists. */
static int closes_very_many_by_proc(void)
{
	HOLDS(fill(NULL, 0) == 0);
	for (int fd = 10; fd < 900; fd++)
		HOLDS(dup2(3, fd) == fd);
	HOLDS(without_close_range() == 0);
	HOLDS(sbxi_close_from(3) == 0);
	HOLDS(n_open_in(0, END) == 3);
	return 0;
}

Test(closefrom, closes_very_many_by_proc)
{
	expect_child(closes_very_many_by_proc);
}

static int refused_by_permission(void)
{
	HOLDS(fill(NULL, 0) == 0);
	HOLDS(refuse_call(SYS_close_range, EPERM) == 0);
	HOLDS(sbxi_close_from(4) == 0);
	HOLDS(n_open_in(0, END) == 4);
	return 0;
}

Test(closefrom, a_filter_that_refuses_it_with_another_code_is_no_obstacle)
{
	expect_child(refused_by_permission);
}

static int without_proc(void)
{
	HOLDS(fill(NULL, 0) == 0);
	HOLDS(refuse_call(SYS_openat, ENOENT) == 0);
	/* It is not needed as long as there is the other way. */
	HOLDS(sbxi_close_from(8) == 0);
	HOLDS(n_open_in(0, END) == 8);
	HOLDS(without_close_range() == 0);
	HOLDS(sbxi_close_from(4) == -ENOENT);
	return 0;
}

static int without_listing(void)
{
	HOLDS(fill(NULL, 0) == 0);
	HOLDS(refuse_call(SYS_getdents64, EACCES) == 0);
	HOLDS(without_close_range() == 0);
	HOLDS(sbxi_close_from(4) == -EACCES);
	HOLDS(!is_open(10));
	return 0;
}

Test(closefrom, with_neither_way_it_is_an_error)
{
	expect_child(without_proc);
	expect_child(without_listing);
}

static int leaves_errno(void)
{
	errno = 4711;
	HOLDS(sbxi_close_from(500) == 0);
	HOLDS(errno == 4711);
	HOLDS(without_close_range() == 0);
	errno = 4711;
	HOLDS(sbxi_close_from(500) == 0);
	HOLDS(errno == 4711);
	return 0;
}

Test(closefrom, leaves_errno_alone)
{
	expect_child(leaves_errno);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* place: each number is what the manifest says, and no other is open. */
#include "init/place.h"

#include "../base/help.h"

#define END 1200	/* no descriptor of a test is above */
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

TestSuite(place, .timeout = 20);

/* A descriptor that is known again by its one byte, at this number. */
static int tag(int at, char c)
{
	int fd = (int)syscall(SYS_memfd_create, "sbx-test", SBXI_MFD_CLOEXEC);
	int rc;

	if (fd < 0 || pwrite(fd, &c, 1, 0) != 1)
		return -1;
	if (fd == at)
		return 0;
	rc = dup3(fd, at, O_CLOEXEC) == at ? 0 : -1;
	close(fd);
	return rc;
}

/* "abc" on first, first + 1, ... */
static int tags(int first, const char *text)
{
	for (; *text; text++)
		if (tag(first++, *text) < 0)
			return -1;
	return 0;
}

/* The byte of a descriptor; '-' if it is not open, '?' for another file. */
static char tag_of(int fd)
{
	char c = '?';

	if (!is_open(fd))
		return '-';
	(void)!pread(fd, &c, 1, 0);
	return c;
}

static bool holds(int first, const char *text)
{
	for (; *text; text++)
		if (tag_of(first++) != *text)
			return false;
	return true;
}

static bool stays_at_exec(int fd)
{
	return fcntl(fd, F_GETFD) == 0;
}

static bool ends_at_exec(int fd)
{
	return fcntl(fd, F_GETFD) == FD_CLOEXEC;
}

/* Nothing but 0 to 2, as 'x', 'y' and 'z'. */
static int start(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (tag(fd, (char)('x' + fd)) < 0)
			return -1;
	return clear_table();
}

static int swap(void)
{
	const struct sbxi_place p[] = { { 3, 4 }, { 4, 3 } };

	HOLDS(start() == 0);
	HOLDS(tags(3, "ab") == 0);
	HOLDS(sbxi_place_all(p, COUNT(p), NULL, 0) == 0);
	HOLDS(holds(0, "---ba"));
	HOLDS(stays_at_exec(3) && stays_at_exec(4));
	HOLDS(n_open_in(0, END) == 2);
	return 0;
}

static int cycle_of_three(void)
{
	const struct sbxi_place p[] = { { 3, 4 }, { 4, 5 }, { 5, 3 } };

	HOLDS(start() == 0);
	HOLDS(tags(3, "abc") == 0);
	HOLDS(sbxi_place_all(p, COUNT(p), NULL, 0) == 0);
	HOLDS(holds(0, "---cab"));
	HOLDS(n_open_in(0, END) == 3);
	return 0;
}

static int cycle_through_standard_streams(void)
{
	const struct sbxi_place p[] = {
		{ 2, 0 }, { 0, 7 }, { 7, 1 }, { 1, 2 }, { 9, 9 },
	};

	HOLDS(start() == 0);
	HOLDS(tags(3, "abcdefgh") == 0);
	HOLDS(sbxi_place_all(p, COUNT(p), NULL, 0) == 0);
	HOLDS(holds(0, "zey----x-g-"));
	HOLDS(n_open_in(0, END) == 5);
	for (size_t i = 0; i < COUNT(p); i++)
		HOLDS(stays_at_exec(p[i].to));
	return 0;
}

Test(place, sources_that_are_targets_change_places)
{
	expect_child(swap);
	expect_child(cycle_of_three);
	expect_child(cycle_through_standard_streams);
}

/* Every permutation of five, in every one's own child. */
static int order[5];

static int permute(void)
{
	struct sbxi_place p[5];
	char expected[6] = "";

	HOLDS(start() == 0);
	HOLDS(tags(3, "abcde") == 0);
	for (int i = 0; i < 5; i++) {
		p[i] = (struct sbxi_place){ 3 + i, 3 + order[i] };
		expected[order[i]] = (char)('a' + i);
	}
	HOLDS(sbxi_place_all(p, 5, NULL, 0) == 0);
	HOLDS(holds(3, expected));
	HOLDS(n_open_in(0, END) == 5);
	return 0;
}

static void permute_from(int i)
{
	if (i == 5) {
		expect_child(permute);
		return;
	}
	for (int k = i; k < 5; k++) {
		int t = order[i];

		order[i] = order[k];
		order[k] = t;
		permute_from(i + 1);
		order[k] = order[i];
		order[i] = t;
	}
}

Test(place, each_permutation_of_five_is_made)
{
	for (int i = 0; i < 5; i++)
		order[i] = i;
	permute_from(0);
}

static int same_source_twice(void)
{
	const struct sbxi_place p[] = {
		{ 3, 3 }, { 3, 0 }, { 3, 8 }, { 4, 1 },
	};

	HOLDS(start() == 0);
	HOLDS(tags(3, "abcd") == 0);
	HOLDS(sbxi_place_all(p, COUNT(p), NULL, 0) == 0);
	HOLDS(holds(0, "ab-a----a"));
	HOLDS(n_open_in(0, END) == 4);
	return 0;
}

Test(place, one_source_serves_many_targets)
{
	expect_child(same_source_twice);
}

static int high_sources(void)
{
	const struct sbxi_place p[] = {
		{ 1000, 3 }, { 500, 4 }, { 3, 5 }, { 999, 0 },
	};

	HOLDS(start() == 0);
	HOLDS(tag(1000, 'a') == 0 && tag(500, 'b') == 0 && tag(3, 'c') == 0 &&
	      tag(999, 'd') == 0 && tag(501, 'e') == 0);
	HOLDS(sbxi_place_all(p, COUNT(p), NULL, 0) == 0);
	HOLDS(holds(0, "d--abc"));
	HOLDS(n_open_in(0, END) == 4);
	return 0;
}

static int high_targets(void)
{
	const struct sbxi_place p[] = {
		{ 3, 900 }, { 4, 3 }, { 900, 450 }, { 5, 451 },
	};

	HOLDS(start() == 0);
	HOLDS(tags(3, "abc") == 0 && tag(900, 'd') == 0 && tag(901, 'e') == 0);
	HOLDS(sbxi_place_all(p, COUNT(p), NULL, 0) == 0);
	HOLDS(tag_of(900) == 'a' && tag_of(3) == 'b' && tag_of(450) == 'd' &&
	      tag_of(451) == 'c');
	HOLDS(n_open_in(0, END) == 4);
	return 0;
}

Test(place, numbers_may_be_high)
{
	expect_child(high_sources);
	expect_child(high_targets);
}

static int keeps_some(void)
{
	const struct sbxi_place p[] = { { 5, 3 }, { 3, 6 }, { 0, 0 } };
	int keep[] = { 4, -1, 6, 7 };

	HOLDS(start() == 0);
	HOLDS(tags(3, "abcdefgh") == 0);
	HOLDS(sbxi_place_all(p, COUNT(p), keep, COUNT(keep)) == 0);
	HOLDS(holds(0, "x--c--a"));
	HOLDS(keep[1] == -1);
	HOLDS(keep[0] > 6 && keep[2] > 6 && keep[3] > 6);
	HOLDS(tag_of(keep[0]) == 'b' && tag_of(keep[2]) == 'd' &&
	      tag_of(keep[3]) == 'e');
	HOLDS(ends_at_exec(keep[0]) && ends_at_exec(keep[2]) &&
	      ends_at_exec(keep[3]));
	HOLDS(stays_at_exec(0) && stays_at_exec(3) && stays_at_exec(6));
	HOLDS(n_open_in(0, END) == 6);
	return 0;
}

static int keeps_what_is_a_source_too(void)
{
	const struct sbxi_place p[] = { { 3, 4 } };
	int keep[] = { 3 };

	HOLDS(start() == 0);
	HOLDS(tags(3, "ab") == 0);
	HOLDS(sbxi_place_all(p, 1, keep, 1) == 0);
	HOLDS(holds(0, "----a"));
	HOLDS(keep[0] > 4 && tag_of(keep[0]) == 'a' && ends_at_exec(keep[0]));
	HOLDS(n_open_in(0, END) == 2);
	return 0;
}

static int keeps_what_was_among_the_targets(void)
{
	const struct sbxi_place p[] = { { 20, 3 }, { 21, 4 } };
	int keep[] = { 4, 3 };

	HOLDS(start() == 0);
	HOLDS(tags(3, "ab") == 0 && tags(20, "cd") == 0);
	HOLDS(sbxi_place_all(p, 2, keep, 2) == 0);
	HOLDS(holds(0, "---cd"));
	HOLDS(tag_of(keep[0]) == 'b' && tag_of(keep[1]) == 'a');
	HOLDS(n_open_in(0, END) == 4);
	return 0;
}

Test(place, kept_ones_are_above_all_and_end_at_exec)
{
	expect_child(keeps_some);
	expect_child(keeps_what_is_a_source_too);
	expect_child(keeps_what_was_among_the_targets);
}

static int nothing_is_placed(void)
{
	int keep[] = { 3 };

	HOLDS(start() == 0);
	HOLDS(tags(3, "ab") == 0);
	HOLDS(sbxi_place_all(NULL, 0, keep, 1) == 0);
	HOLDS(tag_of(keep[0]) == 'a');
	HOLDS(n_open_in(0, END) == 1);
	HOLDS(sbxi_place_all(NULL, 0, NULL, 0) == 0);
	HOLDS(n_open_in(0, END) == 0);
	return 0;
}

Test(place, an_empty_manifest_closes_all)
{
	expect_child(nothing_is_placed);
}

static int as_many_as_possible(void)
{
	struct sbxi_place p[SBXI_PLACES_MAX + 1];
	int keep[] = { 3 };

	HOLDS(start() == 0);
	HOLDS(tags(3, "ab") == 0);
	for (int i = 0; i <= SBXI_PLACES_MAX; i++)
		p[i] = (struct sbxi_place){ 3 + i % 2, i };
	HOLDS(sbxi_place_all(p, SBXI_PLACES_MAX + 1, keep, 1) == -E2BIG);
	HOLDS(holds(0, "xyzab") && n_open_in(0, END) == 5);
	HOLDS(sbxi_place_all(p, SBXI_PLACES_MAX, keep, 1) == 0);
	for (int i = 0; i < SBXI_PLACES_MAX; i++)
		HOLDS(tag_of(i) == "ab"[i % 2] && stays_at_exec(i));
	HOLDS(n_open_in(0, END) == SBXI_PLACES_MAX + 1);
	return 0;
}

Test(place, the_most_and_one_more)
{
	expect_child(as_many_as_possible);
}

static int missing_source(void)
{
	const struct sbxi_place p[] = { { 3, 4 }, { 77, 5 } };
	int keep[] = { 77 };

	HOLDS(start() == 0);
	HOLDS(tags(3, "ab") == 0);
	HOLDS(sbxi_place_all(p, 2, NULL, 0) == -EBADF);
	HOLDS(sbxi_place_all(p, 1, keep, 1) == -EBADF);
	HOLDS(sbxi_place_all(p, 1, NULL, 0) == 0);
	return 0;
}

static int target_above_the_limit(void)
{
	const struct sbxi_place p[] = { { 3, 100 } };

	HOLDS(start() == 0);
	HOLDS(tags(3, "a") == 0);
	HOLDS(limit_files(64) == 0);
	HOLDS(sbxi_place_all(p, 1, NULL, 0) < 0);
	HOLDS(limit_files(200) == 0);
	HOLDS(sbxi_place_all(p, 1, NULL, 0) == 0);
	HOLDS(tag_of(100) == 'a');
	return 0;
}

Test(place, what_cannot_be_placed_is_an_error)
{
	expect_child(missing_source);
	expect_child(target_above_the_limit);
}

static int without_close_range(void)
{
	const struct sbxi_place p[] = { { 3, 4 }, { 4, 3 }, { 0, 9 } };
	int keep[] = { 5 };

	HOLDS(start() == 0);
	HOLDS(tags(3, "abcde") == 0 && tag(600, 'f') == 0);
	HOLDS(refuse_call(SYS_close_range, ENOSYS) == 0);
	HOLDS(sbxi_place_all(p, 3, keep, 1) == 0);
	HOLDS(holds(0, "---ba----x"));
	HOLDS(tag_of(keep[0]) == 'c' && keep[0] > 9);
	HOLDS(n_open_in(0, END) == 4);
	return 0;
}

Test(place, works_where_close_range_is_refused)
{
	expect_child(without_close_range);
}

/* Placed, and audited in both ways, after fn has changed something. */
static int audit_after(int (*change)(int *keep), int wrong)
{
	const struct sbxi_place p[] = { { 3, 5 }, { 4, 3 }, { 0, 0 } };
	int keep[] = { 5, -1, -1 };
	int fd = -1;

	HOLDS(start() == 0);
	HOLDS(tags(3, "abc") == 0);
	keep[2] = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	HOLDS(keep[2] >= 0);
	HOLDS(sbxi_place_all(p, 3, keep, 3) == 0);
	HOLDS(change(keep) == 0);
	HOLDS(sbxi_place_audit(p, 3, keep, 3, -1, &fd) ==
	      (wrong < 0 ? 0 : -EBADF));
	HOLDS(wrong < 0 || fd == wrong);
	fd = -1;
	HOLDS(sbxi_place_audit(p, 3, keep, 3, keep[2], &fd) ==
	      (wrong < 0 ? 0 : -EBADF));
	HOLDS(wrong < 0 || fd == wrong);
	return 0;
}

static int no_change(int *keep)
{
	return keep[0] > 5 ? 0 : -1;
}

static int stray_between(int *keep)
{
	(void)keep;
	return tag(4, 's');
}

static int stray_at_one(int *keep)
{
	(void)keep;
	return tag(1, 's');
}

static int target_ends_at_exec(int *keep)
{
	(void)keep;
	return fcntl(3, F_SETFD, FD_CLOEXEC);
}

static int target_is_closed(int *keep)
{
	(void)keep;
	return close(5);
}

static int audit_of_no_change(void)
{
	return audit_after(no_change, -1);
}

static int audit_of_stray(void)
{
	return audit_after(stray_between, 4);
}

static int audit_of_low_stray(void)
{
	return audit_after(stray_at_one, 1);
}

static int audit_of_target_that_ends(void)
{
	return audit_after(target_ends_at_exec, 3);
}

static int audit_of_missing_target(void)
{
	return audit_after(target_is_closed, 5);
}

Test(place, an_audit_of_what_was_placed_is_content)
{
	expect_child(audit_of_no_change);
}

Test(place, an_audit_finds_a_stray_descriptor)
{
	expect_child(audit_of_stray);
	expect_child(audit_of_low_stray);
}

Test(place, an_audit_finds_a_target_that_ends_at_exec)
{
	expect_child(audit_of_target_that_ends);
}

Test(place, an_audit_finds_a_target_that_is_not_open)
{
	expect_child(audit_of_missing_target);
}

static int far_stray(void)
{
	const struct sbxi_place p[] = { { 0, 0 } };
	int keep[] = { open("/proc/self/fd",
			    O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
	int fd = -1;

	HOLDS(sbxi_place_all(p, 1, keep, 1) == 0);
	/* Many shells start with 1024. */
	HOLDS(limit_files(1200) == 0);
	HOLDS(tag(1100, 's') == 0);
	HOLDS(limit_files(50) == 0);
	HOLDS(sbxi_place_audit(p, 1, keep, 1, keep[0], &fd) == -EBADF);
	HOLDS(fd == 1100);
	return 0;
}

static int stray_among_many(void)
{
	struct sbxi_place p[200];
	int keep[] = { open("/proc/self/fd",
			    O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
	int fd = -1;

	for (int i = 0; i < 200; i++)
		p[i] = (struct sbxi_place){ 0, i };
	HOLDS(sbxi_place_all(p, 200, keep, 1) == 0);
	HOLDS(sbxi_place_audit(p, 200, keep, 1, keep[0], &fd) == 0);
	HOLDS(lseek(keep[0], 0, SEEK_SET) == 0);
	HOLDS(tag(250, 's') == 0);
	HOLDS(sbxi_place_audit(p, 200, keep, 1, keep[0], &fd) == -EBADF);
	HOLDS(fd == 250);
	return 0;
}

Test(place, an_audit_by_proc_finds_any_number)
{
	expect_child(far_stray);
	expect_child(stray_among_many);
}

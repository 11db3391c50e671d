/* SPDX-License-Identifier: Apache-2.0 */
/* rmtree: whatever a task made of its folder goes, and nothing else does. */
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/rmtree.h"

#include "help.h"

TestSuite(rmtree, .init = make_scratch, .fini = drop_scratch, .timeout = 30);

static int remove_it(void)
{
	return sbxi_rmtree(scratch_fd, "it");
}

/* "it" goes, and no descriptor of the walk stays. */
#define expect_gone()                                          \
	do {                                                   \
		int before_ = n_open(), rc_ = remove_it();     \
		cr_expect_eq(rc_, 0, "%s", strerror(-rc_));    \
		cr_expect_not(exists(scratch_fd, "it"));       \
		cr_expect_eq(n_open(), before_);               \
	} while (0)

static void folder(const char *name)
{
	cr_assert_eq(mkdirat(scratch_fd, name, 0755), 0, "%s", name);
}

static void file(const char *name)
{
	cr_assert_eq(put_file(scratch_fd, name, "text"), 0, "%s", name);
}

/*
 * A folder in a folder and so on, without a path of that length.  Each has a
 * file of the same name; the last is returned.
 */
static int dig(int top, int levels)
{
	int at = dup(top);

	for (int i = 0; i < levels && at >= 0; i++) {
		int next = -1;

		if (mkdirat(at, "d", 0755) == 0 &&
		    put_file(at, "f", "text") == 0)
			next = openat(at, "d",
				      O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		close(at);
		at = next;
	}
	return at;
}

static int open_it(void)
{
	return openat(scratch_fd, "it", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void make_deep(int levels)
{
	int top, last;

	folder("it");
	top = open_it();
	last = dig(top, levels);
	cr_assert_geq(last, 0);
	cr_assert_eq(put_file(last, "last", "text"), 0);
	close(last);
	close(top);
}

Test(rmtree, what_is_not_there_is_an_error)
{
	cr_expect_eq(remove_it(), -ENOENT);
}

Test(rmtree, an_empty_folder_goes)
{
	folder("it");
	expect_gone();
}

Test(rmtree, all_kinds_of_files_go)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	folder("it");
	folder("it/folder");
	folder("it/folder/empty");
	file("it/file");
	file("it/.hidden");
	file("it/...");
	file("it/..x");
	file("it/folder/with\nnewline");
	cr_assert_eq(mkfifoat(scratch_fd, "it/fifo", 0600), 0);
	cr_assert_eq(symlinkat("nowhere", scratch_fd, "it/link"), 0);
	snprintf(a.sun_path, sizeof(a.sun_path), "%s/it/socket", scratch);
	cr_assert_eq(bind(s, (struct sockaddr *)&a, sizeof(a)), 0);
	close(s);
	expect_gone();
}

Test(rmtree, very_many_files_go)
{
	char name[300];

	folder("it");
	for (int i = 0; i < 1500; i++) {
		snprintf(name, sizeof(name), "it/%0*d", 5 + i % 200, i);
		file(name);
	}
	expect_gone();
}

Test(rmtree, neighbours_stay)
{
	folder("it");
	folder("it2");
	file("it2/file");
	file("i");
	expect_gone();
	cr_expect(exists(scratch_fd, "it2/file"));
	cr_expect(exists(scratch_fd, "i"));
}

Test(rmtree, links_to_the_outside_are_not_followed)
{
	char path[128];

	folder("outside");
	file("outside/file");
	cr_assert_eq(fchmodat(scratch_fd, "outside", 0755, 0), 0);
	folder("it");
	folder("it/folder");
	snprintf(path, sizeof(path), "%s/outside", scratch);
	cr_assert_eq(symlinkat(path, scratch_fd, "it/absolute"), 0);
	cr_assert_eq(symlinkat("../../outside", scratch_fd,
			       "it/folder/relative"), 0);
	cr_assert_eq(symlinkat("../outside/file", scratch_fd, "it/file"), 0);
	cr_assert_eq(symlinkat("..", scratch_fd, "it/up"), 0);
	cr_assert_eq(symlinkat("loop", scratch_fd, "it/loop"), 0);
	cr_assert_eq(linkat(scratch_fd, "outside/file", scratch_fd,
			    "it/hard", 0), 0);
	expect_gone();
	cr_expect(exists(scratch_fd, "outside/file"));
}

Test(rmtree, a_link_in_its_place_is_not_followed)
{
	folder("outside");
	file("outside/file");
	cr_assert_eq(symlinkat("outside", scratch_fd, "it"), 0);
	cr_expect_lt(remove_it(), 0);
	cr_expect(exists(scratch_fd, "outside/file"));
	cr_expect(exists(scratch_fd, "it"));
}

Test(rmtree, a_file_in_its_place_is_an_error)
{
	file("it");
	cr_expect_eq(remove_it(), -ENOTDIR);
	cr_expect(exists(scratch_fd, "it"));
	cr_expect_eq(sbxi_rmtree(-1, "it"), -EBADF);
}

Test(rmtree, a_tree_of_200_levels_goes)
{
	make_deep(200);
	expect_gone();
}

Test(rmtree, each_number_of_levels_around_the_limit_goes)
{
	for (int levels = 14; levels <= 35; levels++) {
		make_deep(levels);
		expect_gone();
	}
}

static int remove_deep_with_few_descriptors(void)
{
	HOLDS(clear_table() == 0);
	scratch_fd = open(scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	HOLDS(scratch_fd == 3);
	HOLDS(limit_files(32) == 0);
	HOLDS(remove_it() == 0);
	HOLDS(n_open_in(0, 64) == 4);
	return 0;
}

Test(rmtree, a_tree_deeper_than_the_descriptor_table_goes)
{
	make_deep(200);
	expect_child(remove_deep_with_few_descriptors);
	cr_expect_not(exists(scratch_fd, "it"));
}

/* Two deep trees side by side: what was moved up gets names of its own. */
Test(rmtree, many_deep_trees_go)
{
	int top;

	folder("it");
	folder("it/a");
	folder("it/b");
	top = openat(scratch_fd, "it/a", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	close(dig(top, 60));
	close(top);
	top = openat(scratch_fd, "it/b", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	close(dig(top, 60));
	close(top);
	expect_gone();
}

/*
 * Names that the walk itself might choose, on something else.  Folders are
 * listed in no order, so there are many of both.
 */
Test(rmtree, names_that_are_taken_do_not_stop_it)
{
	char name[64];

	folder("it");
	for (int i = 0; i < 26; i++) {
		int top;

		snprintf(name, sizeof(name), "it/%c", 'a' + i);
		folder(name);
		top = openat(scratch_fd, name,
			     O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		close(dig(top, 20));
		close(top);
	}
	for (int i = 0; i < 40; i++) {
		snprintf(name, sizeof(name), "it/.sbx-rm-%d", i);
		if (i % 2) {
			file(name);
			continue;
		}
		folder(name);
		strcat(name, "/file");
		file(name);
	}
	expect_gone();
}

/* As who owns it, and has no power over modes. */
static int expect_ordinary_removal(void)
{
	int before = n_open(), rc = remove_it();

	errno = -rc;
	HOLDS(rc == 0);
	HOLDS(!exists(scratch_fd, "it"));
	HOLDS(n_open() == before);
	return 0;
}

static int be_its_owner(void)
{
	if (geteuid() == 0 && fchown(scratch_fd, NOBODY, NOBODY) < 0)
		return -1;
	return be_ordinary();
}

static int remove_forbidden_top(void)
{
	HOLDS(be_its_owner() == 0);
	HOLDS(mkdirat(scratch_fd, "it", 0755) == 0);
	HOLDS(put_file(scratch_fd, "it/file", "text") == 0);
	HOLDS(fchmodat(scratch_fd, "it", 0, 0) == 0);
	HOLDS(open_it() == -1 && errno == EACCES);
	return expect_ordinary_removal();
}

static int remove_forbidden_below(void)
{
	static const mode_t modes[] = { 0, 0100, 0200, 0300, 0400, 0500,
					0600, 0077 };
	char name[32];

	HOLDS(be_its_owner() == 0);
	HOLDS(mkdirat(scratch_fd, "it", 0755) == 0);
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		snprintf(name, sizeof(name), "it/%zu", i);
		HOLDS(mkdirat(scratch_fd, name, 0755) == 0);
		strcat(name, "/sub");
		HOLDS(mkdirat(scratch_fd, name, 0755) == 0);
		strcat(name, "/file");
		HOLDS(put_file(scratch_fd, name, "text") == 0);
	}
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		snprintf(name, sizeof(name), "it/%zu/sub", i);
		HOLDS(fchmodat(scratch_fd, name, modes[i], 0) == 0);
		*strrchr(name, '/') = '\0';
		HOLDS(fchmodat(scratch_fd, name, modes[i], 0) == 0);
	}
	return expect_ordinary_removal();
}

/* A folder of mode 0 with a file in it, so many levels down. */
static int remove_forbidden_at(int levels)
{
	int top, last;

	HOLDS(mkdirat(scratch_fd, "it", 0755) == 0);
	top = open_it();
	last = dig(top, levels);
	HOLDS(last >= 0);
	HOLDS(mkdirat(last, "forbidden", 0755) == 0);
	HOLDS(put_file(last, "forbidden/file", "text") == 0);
	HOLDS(fchmodat(last, "forbidden", 0, 0) == 0);
	close(last);
	close(top);
	return expect_ordinary_removal();
}

static int remove_forbidden_not_so_deep(void)
{
	HOLDS(be_its_owner() == 0);
	for (int levels = 0; levels < 16; levels++) {
		int rc = remove_forbidden_at(levels);

		if (rc != 0)
			return rc;
	}
	return 0;
}

static int remove_forbidden_deep(void)
{
	HOLDS(be_its_owner() == 0);
	for (int levels = 16; levels < 40; levels++) {
		int rc = remove_forbidden_at(levels);

		if (rc != 0)
			return rc;
	}
	return 0;
}

Test(rmtree, folders_of_any_mode_go_as_an_ordinary_user)
{
	expect_child(remove_forbidden_top);
	expect_child(remove_forbidden_below);
}

Test(rmtree, a_folder_without_rights_at_few_levels_goes)
{
	expect_child(remove_forbidden_not_so_deep);
}

Test(rmtree, a_folder_without_rights_at_many_levels_goes)
{
	expect_child(remove_forbidden_deep);
}

static int remove_anothers(void)
{
	int before, rc;

	HOLDS(mkdirat(scratch_fd, "it", 0755) == 0);
	HOLDS(mkdirat(scratch_fd, "it/roots", 0755) == 0);
	HOLDS(put_file(scratch_fd, "it/roots/file", "text") == 0);
	HOLDS(fchownat(scratch_fd, "it", NOBODY, NOBODY, 0) == 0);
	HOLDS(be_ordinary() == 0);
	before = n_open();
	rc = remove_it();
	HOLDS(rc == -EACCES || rc == -EPERM);
	HOLDS(exists(scratch_fd, "it/roots/file"));
	HOLDS(n_open() == before);
	return 0;
}

Test(rmtree, what_may_not_be_removed_is_an_error)
{
	if (geteuid() != 0) {
		drop_scratch();
		cr_skip_test("only root can make what another may not remove");
	}
	expect_child(remove_anothers);
}

/* In a namespace of our own: "it/mounted" is a mount of "outside". */
static int mount_below_it(void)
{
	char from[96], to[96];

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return CHILD_SKIPS;
	snprintf(from, sizeof(from), "%s/outside", scratch);
	snprintf(to, sizeof(to), "%s/it/mounted", scratch);
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount(from, to, NULL, MS_BIND, NULL) < 0)
		return CHILD_SKIPS;
	/* The old one leads into the other namespace's mounts. */
	scratch_fd = open(scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return 0;
}

static int remove_around_a_mount(void)
{
	int rc = mount_below_it();

	if (rc != 0)
		return rc;
	HOLDS(exists(scratch_fd, "it/mounted/file"));
	HOLDS(remove_it() < 0);
	return 0;
}

Test(rmtree, a_mount_below_keeps_its_content)
{
	int rc;

	folder("outside");
	file("outside/file");
	folder("it");
	folder("it/mounted");
	rc = in_child(remove_around_a_mount);
	if (rc == CHILD_SKIPS) {
		drop_scratch();
		skip_or_fail("no user namespaces here");
	}
	cr_expect_eq(rc, 0, "line %d", child_said[0]);
	cr_expect(exists(scratch_fd, "outside/file"));
}

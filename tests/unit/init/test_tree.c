/* SPDX-License-Identifier: Apache-2.0 */
/* tree: no name leads out of the root, and no link is followed. */
#include "init/tree.h"

#include "../base/help.h"

static void set_up(void)
{
	make_scratch();
	cr_assert_eq(mkdirat(scratch_fd, "root", 0755), 0);
	cr_assert_eq(mkdirat(scratch_fd, "outside", 0755), 0);
	close(scratch_fd);
	scratch_fd = open(scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

TestSuite(tree, .init = set_up, .fini = drop_scratch, .timeout = 10);

static int root_fd(void)
{
	int fd = openat(scratch_fd, "root",
			O_PATH | O_DIRECTORY | O_CLOEXEC);

	cr_assert_geq(fd, 0);
	return fd;
}

/* The folder is this one below root, and the last part is that. */
static void expect_parent(const char *path, const char *folder,
			  const char *last)
{
	int before = n_open(), root = root_fd(), expected, fd;
	const char *name = NULL;
	char below[5000];

	fd = sbxi_tree_parent(root, path, &name);
	cr_assert_geq(fd, 0, "%s: %s", path, strerror(-fd));
	cr_expect_str_eq(name, last);
	cr_expect_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	snprintf(below, sizeof(below), "root%s", folder);
	expected = openat(scratch_fd, below, O_PATH | O_CLOEXEC);
	cr_assert_geq(expected, 0, "%s was not made", below);
	cr_expect(same_file(fd, expected), "%s is not in %s", path, folder);
	close(expected);
	close(fd);
	close(root);
	cr_expect_eq(n_open(), before);
}

static void expect_no_parent(const char *path, int code)
{
	int before = n_open(), root = root_fd();
	const char *name = NULL;
	int fd = sbxi_tree_parent(root, path, &name);

	cr_expect_lt(fd, 0, "%s", path);
	if (code)
		cr_expect_eq(fd, code, "%s: %s", path, strerror(-fd));
	if (fd >= 0)
		close(fd);
	close(root);
	cr_expect_eq(n_open(), before);
}

static bool below(const char *name)
{
	return exists(scratch_fd, name);
}

Test(tree, the_parent_of_a_first_part_is_the_root)
{
	expect_parent("/a", "", "a");
	cr_expect_not(below("root/a"), "the last part is not made");
}

Test(tree, missing_folders_are_made)
{
	struct stat st;
	mode_t old = umask(022);

	expect_parent("/a/b/c/file", "/a/b/c", "file");
	umask(old);
	cr_expect_not(below("root/a/b/c/file"));
	cr_assert_eq(fstatat(scratch_fd, "root/a/b", &st, 0), 0);
	cr_expect_eq(st.st_mode, (mode_t)(S_IFDIR | 0755));
	/* And found, the next time. */
	expect_parent("/a/b/c/file", "/a/b/c", "file");
	expect_parent("/a/b/d/file", "/a/b/d", "file");
}

Test(tree, slashes_may_be_doubled)
{
	expect_parent("/a//b///c", "/a/b", "c");
	expect_parent("/a//b///c", "/a/b", "c");
}

Test(tree, a_path_without_a_last_part_is_refused)
{
	expect_no_parent("", -EINVAL);
	expect_no_parent("a", -EINVAL);
	expect_no_parent("/", -EINVAL);
	expect_no_parent("/a/", -EINVAL);
	cr_expect_not(below("root/a"));
}

/* "/nnn/nnn/x": so many parts, each of that length, and the last. */
static const char *long_path(size_t parts, size_t each)
{
	static char path[6000];
	size_t at = 0;

	cr_assert_lt(parts * (each + 1) + 3, sizeof(path));
	for (size_t i = 0; i < parts; i++) {
		path[at++] = '/';
		memset(path + at, 'n', each);
		at += each;
	}
	strcpy(path + at, "/x");
	return path;
}

static void expect_long_parent(size_t parts, size_t each)
{
	const char *path = long_path(parts, each);
	char folder[5000];

	snprintf(folder, sizeof(folder), "%.*s",
		 (int)(strlen(path) - strlen("/x")), path);
	expect_parent(path, folder, "x");
}

Test(tree, parts_may_be_as_long_as_a_name)
{
	expect_long_parent(2, 255);
	expect_no_parent(long_path(1, 256), -ENAMETOOLONG);
	expect_no_parent(long_path(1, 300), -ENAMETOOLONG);
}

Test(tree, paths_that_are_too_long_are_refused)
{
	expect_long_parent(20, 200);
	expect_no_parent(long_path(21, 200), -ENAMETOOLONG);
}

static void link_to(const char *text, const char *name)
{
	cr_assert_eq(symlinkat(text, scratch_fd, name), 0);
}

Test(tree, a_link_on_the_way_is_refused)
{
	char absolute[96];

	snprintf(absolute, sizeof(absolute), "%s/outside", scratch);
	cr_assert_eq(mkdirat(scratch_fd, "root/folder", 0755), 0);
	link_to(absolute, "root/absolute");
	link_to("../outside", "root/relative");
	link_to("folder", "root/inside");
	link_to("nowhere", "root/dangling");
	link_to("loop", "root/loop");
	link_to("../../outside", "root/folder/deeper");
	/* The twin: the folder itself is fine. */
	expect_parent("/folder/x", "/folder", "x");
	expect_no_parent("/absolute/x", 0);
	expect_no_parent("/absolute/new/x", 0);
	expect_no_parent("/relative/x", 0);
	expect_no_parent("/relative/new/x", 0);
	expect_no_parent("/inside/x", 0);
	expect_no_parent("/inside/new/x", 0);
	expect_no_parent("/dangling/x", 0);
	expect_no_parent("/loop/x", 0);
	expect_no_parent("/folder/deeper/new/x", 0);
	cr_expect_not(below("outside/new"));
	cr_expect_not(below("root/folder/new"));
	cr_expect_not(below("root/nowhere"));
}

Test(tree, a_refused_link_is_told_as_one)
{
	int root = root_fd();
	const char *name;
	int fd;

	link_to("../outside", "root/link");
	fd = sbxi_tree_parent(root, "/link/x", &name);
	cr_expect(fd == -ELOOP || fd == -ENOTDIR, "%s", strerror(-fd));
	close(root);
}

Test(tree, a_link_of_proc_is_refused)
{
	int root = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	const char *name;
	char path[64];

	snprintf(path, sizeof(path), "/%d/cwd/x", getpid());
	cr_expect_lt(sbxi_tree_parent(root, path, &name), 0);
	snprintf(path, sizeof(path), "/%d/fd/%d/x", getpid(), scratch_fd);
	cr_expect_lt(sbxi_tree_parent(root, path, &name), 0);
	close(root);
}

Test(tree, a_file_on_the_way_is_refused)
{
	cr_assert_eq(put_file(scratch_fd, "root/file", "text"), 0);
	expect_no_parent("/file/x", -ENOTDIR);
	expect_no_parent("/file/new/x", -ENOTDIR);
	/* As a last part it is nobody's business. */
	expect_parent("/file", "", "file");
}

Test(tree, a_path_cannot_climb_out_of_the_root)
{
	expect_no_parent("/../x", 0);
	expect_no_parent("/../outside/x", 0);
	expect_no_parent("/../outside/new/x", 0);
	expect_no_parent("/new/../../outside/x", 0);
	expect_no_parent("/new/../../outside/new/x", 0);
	cr_expect_not(below("outside/new"));
}

/* Root and /proc are two file systems, as our tmpfs and a granted tree are. */
Test(tree, nothing_is_made_in_another_file_system)
{
	int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	const char *name = NULL;
	int fd, before;

	cr_assert_geq(root, 0);
	before = n_open();
	fd = sbxi_tree_parent(root, "/proc/sbx-no-such/x", &name);
	cr_expect_eq(fd, -ENOENT, "%s", strerror(-fd));
	fd = sbxi_tree_link(root, "/proc/sbx-no-such", "text");
	cr_expect_eq(fd, -EROFS, "%s", strerror(-fd));
	/* What is there is found. */
	fd = sbxi_tree_parent(root, "/proc/sys/x", &name);
	cr_expect_geq(fd, 0, "%s", strerror(-fd));
	close(fd);
	cr_expect_eq(n_open(), before);
	close(root);
}

static void expect_link(const char *path, const char *text, int code)
{
	int before = n_open(), root = root_fd();
	int rc = sbxi_tree_link(root, path, text);

	cr_expect_eq(rc, code, "%s: %s", path, strerror(-rc));
	close(root);
	cr_expect_eq(n_open(), before);
}

static void expect_text(const char *name, const char *text)
{
	char buf[64] = "";

	cr_assert_gt(readlinkat(scratch_fd, name, buf, sizeof(buf) - 1), 0);
	cr_expect_str_eq(buf, text);
}

Test(tree, links_are_made_with_their_folders)
{
	expect_link("/bin", "usr/bin", 0);
	expect_text("root/bin", "usr/bin");
	expect_link("/a/b/link", "/etc/passwd", 0);
	expect_text("root/a/b/link", "/etc/passwd");
}

Test(tree, a_link_replaces_nothing)
{
	cr_assert_eq(put_file(scratch_fd, "root/file", "text"), 0);
	expect_link("/file", "elsewhere", -EEXIST);
	expect_link("/link", "one", 0);
	expect_link("/link", "two", -EEXIST);
	expect_text("root/link", "one");
	expect_link("/..", "x", -EEXIST);
	expect_link("/.", "x", -EEXIST);
}

Test(tree, a_link_is_not_made_through_a_link)
{
	int root = root_fd();

	link_to("../outside", "root/way");
	cr_expect_lt(sbxi_tree_link(root, "/way/link", "text"), 0);
	cr_expect_lt(sbxi_tree_link(root, "/way/new/link", "text"), 0);
	cr_expect_not(below("outside/link"));
	cr_expect_not(below("outside/new"));
	/* The twin. */
	cr_expect_eq(sbxi_tree_link(root, "/no-link/link", "text"), 0);
	close(root);
}

Test(tree, nothing_is_attached_through_a_link)
{
	int root = root_fd();

	link_to("../outside", "root/way");
	cr_expect_lt(sbxi_tree_attach(root, "/way/place", scratch_fd, true),
		     0);
	cr_expect_lt(sbxi_tree_attach(root, "/way/new/place", scratch_fd,
				      true), 0);
	cr_expect_not(below("outside/place"));
	cr_expect_not(below("outside/new"));
	close(root);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "path.h"

static char root[64];
static struct cli_cwd cwd;

/* root/real/sub, and root/link -> real; the working directory is root/real. */
static void make_tree(void)
{
	char *real;

	(void)snprintf(root, sizeof(root), "/tmp/sbx-path.XXXXXX");
	cr_assert(mkdtemp(root) != NULL);
	real = realpath(root, NULL);
	cr_assert(real != NULL && strlen(real) < sizeof(root));
	(void)snprintf(root, sizeof(root), "%s", real);
	free(real);
	cr_assert_eq(chdir(root), 0);
	cr_assert_eq(mkdir("real", 0700), 0);
	cr_assert_eq(mkdir("real/sub", 0700), 0);
	cr_assert_eq(symlink("real", "link"), 0);
	cr_assert_eq(chdir("real"), 0);
	cli_cwd_init(&cwd, NULL);
}

static void drop_tree(void)
{
	cli_cwd_done(&cwd);
	(void)rmdir("sub");
	cr_assert_eq(chdir(root), 0);
	(void)unlink("link");
	(void)rmdir("real");
	cr_assert_eq(chdir("/"), 0);
	(void)rmdir(root);
}

TestSuite(path, .init = make_tree, .fini = drop_tree, .timeout = 10);

/* Good for two names at a time. */
static const char *below(const char *name)
{
	static char path[2][256];
	static int which;

	which = !which;
	(void)snprintf(path[which], sizeof(path[which]), "%s%s", root, name);
	return path[which];
}

static void expect(const char *text, const char *wanted)
{
	char *path = NULL;
	int rc = cli_path_absolute(&cwd, text, &path);

	cr_expect_eq(rc, 0, "'%s' is %d", text, rc);
	if (rc == 0)
		cr_expect_str_eq(path, wanted, "'%s' is '%s'", text, path);
	free(path);
}

Test(path, absolute_ones_stay_as_they_are)
{
	expect("/", "/");
	expect("/no/such/path", "/no/such/path");
}

Test(path, dots_and_doubled_slashes_go)
{
	expect("//a///b/", "/a/b");
	expect("/./a/./b/.", "/a/b");
	expect("/.", "/");
	expect("/a/...", "/a/...");
	expect("/.hidden/..x", "/.hidden/..x");
}

Test(path, relative_ones_are_in_the_working_directory)
{
	expect("sub", below("/real/sub"));
	expect(".", below("/real"));
	expect("./not/there", below("/real/not/there"));
}

Test(path, two_dots_are_resolved_as_the_kernel_would)
{
	expect("..", root);
	expect("../link", below("/link"));
	expect("sub/../new", below("/real/new"));
	/* Not root/new: what is above a link's target counts. */
	expect(below("/link/sub/../new"), below("/real/new"));
	expect("/../..", "/");
}

Test(path, two_dots_behind_nothing_are_an_error_and_set_nothing)
{
	char *path = root;

	cr_expect_eq(cli_path_absolute(&cwd, "none/../x", &path), -ENOENT);
	cr_expect_eq(cli_path_absolute(&cwd, "", &path), -ENOENT);
	cr_expect(path == root);
}

Test(path, without_a_working_directory_only_absolute_ones_work)
{
	char *path = root;

	cli_cwd_done(&cwd);
	cr_assert_eq(chdir("sub"), 0);
	cr_assert_eq(rmdir("../sub"), 0);
	cli_cwd_init(&cwd, "/");
	cr_expect_eq(cwd.err, -ENOENT);
	cr_expect_eq(cli_path_absolute(&cwd, "x", &path), -ENOENT);
	cr_expect(path == root);
	expect("/x", "/x");
}

Test(path, pwd_counts_only_for_the_same_directory)
{
	char pwd[256];

	(void)snprintf(pwd, sizeof(pwd), "%s", below("/link"));
	cli_cwd_done(&cwd);
	cli_cwd_init(&cwd, pwd);
	cr_expect_str_eq(cwd.logical, below("/link"));
	cr_expect_str_eq(cwd.physical, below("/real"));
	expect("x", below("/link/x"));

	cli_cwd_done(&cwd);
	cli_cwd_init(&cwd, "/usr");
	cr_expect_str_eq(cwd.logical, below("/real"));

	(void)snprintf(pwd, sizeof(pwd), "%s", below("/link/sub/.."));
	cli_cwd_done(&cwd);
	cli_cwd_init(&cwd, pwd);
	cr_expect_str_eq(cwd.logical, below("/real"));
}

Test(path, a_parent_covers_itself_and_what_is_below)
{
	cr_expect(cli_path_covers("/a", "/a"));
	cr_expect(cli_path_covers("/a", "/a/b"));
	cr_expect(cli_path_covers("/", "/a"));
	cr_expect(!cli_path_covers("/a", "/ab"));
	cr_expect(!cli_path_covers("/a/b", "/a"));
}

Test(path, the_working_directory_is_found_by_either_name)
{
	char link[256], real[256], other[] = "/usr";
	char *by_link[] = { other, link }, *by_real[] = { real };
	char *by_none[] = { other };

	(void)snprintf(link, sizeof(link), "%s", below("/link"));
	(void)snprintf(real, sizeof(real), "%s", below("/real"));
	cr_expect_str_eq(cli_cwd_within(&cwd, by_real, 1), real);
	/* Granted by the link, while we know only the real name. */
	cr_expect_str_eq(cli_cwd_within(&cwd, by_link, 2), real);
	cr_expect(cli_cwd_within(&cwd, by_none, 1) == NULL);
	cr_expect(cli_cwd_within(&cwd, NULL, 0) == NULL);

	cli_cwd_done(&cwd);
	cli_cwd_init(&cwd, link);
	cr_expect_str_eq(cli_cwd_within(&cwd, by_link, 2), link);
	cr_expect_str_eq(cli_cwd_within(&cwd, by_real, 1), real);
}

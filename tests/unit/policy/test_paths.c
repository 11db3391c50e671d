/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

TestSuite(paths, .timeout = 10);

static void cleans_to(const char *text, const char *want)
{
	const char *why = NULL;
	char *out = NULL;

	cr_assert_eq(sbxi_path_clean(text, &out, &why), 0, "%s", text);
	cr_expect_str_eq(out, want);
	free(out);
}

static void is_refused(const char *text, int code)
{
	char marker;
	const char *why = NULL;
	char *out = &marker;

	cr_expect_eq(sbxi_path_clean(text, &out, &why), code, "%.40s", text);
	cr_expect_eq(out, &marker, "output was written on failure");
	cr_expect_not_null(why);
}

Test(paths, doubled_and_trailing_slashes_go)
{
	cleans_to("/", "/");
	cleans_to("///", "/");
	cleans_to("/usr", "/usr");
	cleans_to("/usr/", "/usr");
	cleans_to("//usr///lib//", "/usr/lib");
}

Test(paths, names_that_only_begin_with_dots_stay)
{
	cleans_to("/...", "/...");
	cleans_to("/.git/..a/.b", "/.git/..a/.b");
}

Test(paths, relative_and_dotted_paths_are_refused)
{
	is_refused("", -EINVAL);
	is_refused("usr", -EINVAL);
	is_refused("./usr", -EINVAL);
	is_refused("/.", -EINVAL);
	is_refused("/usr/..", -EINVAL);
	is_refused("/usr/./lib", -EINVAL);
	is_refused("/../etc", -EINVAL);
}

Test(paths, a_name_of_255_bytes_is_taken_and_one_of_256_is_not)
{
	char name[300] = "/";

	memset(name + 1, 'a', 255);
	name[256] = '\0';
	cleans_to(name, name);
	name[256] = 'a';
	name[257] = '\0';
	is_refused(name, -ENAMETOOLONG);
}

Test(paths, a_path_of_4095_bytes_is_taken_and_one_of_4096_is_not)
{
	char path[4097];

	for (size_t i = 0; i < 4096; i++)
		path[i] = i % 2 ? 'a' : '/';
	path[4096] = '\0';
	is_refused(path, -ENAMETOOLONG);
	path[4095] = 'a';
	path[4094] = 'a';
	path[4095] = '\0';
	cleans_to(path, path);
}

Test(paths, within_compares_whole_names)
{
	cr_expect(sbxi_path_within("/a", "/a"));
	cr_expect(sbxi_path_within("/a", "/a/b"));
	cr_expect(sbxi_path_within("/", "/a"));
	cr_expect(sbxi_path_within("/", "/"));
	cr_expect_not(sbxi_path_within("/a", "/ab"));
	cr_expect_not(sbxi_path_within("/a/b", "/a"));
	cr_expect_not(sbxi_path_within("/a", "/"));
}

Test(paths, order_keeps_a_tree_in_one_piece)
{
	/* '-' and '.' are lower than '/' for strcmp(3). */
	static const char *const sorted[] = {
		"/", "/a", "/a/b", "/a/b/c", "/a/z", "/a-b", "/a.b", "/ab",
		"/b", "/\xff",
	};
	size_t n = sizeof(sorted) / sizeof(*sorted);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++) {
			int rc = sbxi_path_order(sorted[i], sorted[k]);

			cr_expect_eq((rc > 0) - (rc < 0), (i > k) - (i < k),
				     "%s %s", sorted[i], sorted[k]);
		}
}

Test(paths, some_places_are_no_source)
{
	cr_expect_not_null(strstr(sbxi_path_no_source("/"), "name the dir"));
	cr_expect_not_null(sbxi_path_no_source("/proc"));
	cr_expect_not_null(sbxi_path_no_source("/proc/1/root"));
	cr_expect_not_null(sbxi_path_no_source("/dev"));
}

Test(paths, their_neighbours_are_a_source)
{
	cr_expect_null(sbxi_path_no_source("/procedures"));
	cr_expect_null(sbxi_path_no_source("/dev/null"));
	cr_expect_null(sbxi_path_no_source("/sys/devices"));
	cr_expect_null(sbxi_path_no_source("/tmp"));
}

Test(paths, some_places_are_no_dest)
{
	cr_expect_not_null(sbxi_path_no_dest("/"));
	cr_expect_not_null(sbxi_path_no_dest("/proc/self"));
	cr_expect_not_null(sbxi_path_no_dest("/dev"));
	cr_expect_not_null(sbxi_path_no_dest("/dev/null"));
	cr_expect_not_null(sbxi_path_no_dest("/sys"));
	cr_expect_null(sbxi_path_no_dest("/data"));
	cr_expect_null(sbxi_path_no_dest("/system"));
	cr_expect_null(sbxi_path_no_dest("/tmp"));
}

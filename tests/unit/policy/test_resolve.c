/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/resolve.h"

#include "scratch.h"

static struct sbxi_resolved r;
static struct sbxi_fail fail;

static void drop(void)
{
	sbxi_resolved_done(&r);
	drop_scratch();
}

TestSuite(resolve, .init = make_scratch, .fini = drop, .timeout = 20);

static int n_open(void)
{
	int n = 0;

	for (int fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static void finds(const char *path, const char *real)
{
	sbxi_resolved_done(&r);
	cr_assert_eq(sbxi_resolve(path, &r, &fail), 0, "%s: %s", path,
		     fail.text);
	cr_expect_str_eq(r.real, real);
}

static void fails(const char *path, int code)
{
	int before = n_open();

	sbxi_resolved_done(&r);
	fail = (struct sbxi_fail){ .step = 0 };
	cr_expect_eq(sbxi_resolve(path, &r, &fail), code, "%s", path);
	cr_expect_null(r.real, "output was written on failure");
	cr_expect_eq(fail.step, SBX_STEP_COMPILE);
	cr_expect_str_eq(fail.object, path);
	cr_expect_str_neq(fail.text, "");
	cr_expect_eq(n_open(), before, "a descriptor leaks");
}

Test(resolve, a_plain_path_is_itself)
{
	struct statx st;
	int before = n_open();

	make_file("f");
	finds(in("f"), in("f"));
	cr_expect_eq(r.n_links, 0);
	cr_assert_eq(statx(AT_FDCWD, in("f"), 0,
			   STATX_BASIC_STATS | STATX_BTIME, &st), 0);
	cr_expect_eq(r.id.ino, st.stx_ino);
	cr_expect_eq(r.id.dev_major, st.stx_dev_major);
	cr_expect_eq(r.id.dev_minor, st.stx_dev_minor);
	cr_expect_eq(r.id.type, S_IFREG);
	if (st.stx_mask & STATX_BTIME)
		cr_expect_eq(r.id.btime_ns,
			     (uint64_t)st.stx_btime.tv_sec * 1000000000 +
			     st.stx_btime.tv_nsec);
	cr_expect_eq(n_open(), before);
}

Test(resolve, directories_and_devices_are_found)
{
	make_dir("d");
	finds(in("d"), in("d"));
	cr_expect_eq(r.id.type, S_IFDIR);
	finds("/dev/null", "/dev/null");
	cr_expect_eq(r.id.type, S_IFCHR);
}

Test(resolve, a_link_at_the_end_is_followed_and_noted)
{
	make_dir("d");
	make_link("d", "l");
	finds(in("l"), in("d"));
	cr_assert_eq(r.n_links, 1);
	cr_expect_str_eq(r.links[0].path, in("l"));
	cr_expect_str_eq(r.links[0].text, "d");
}

Test(resolve, links_on_the_way_are_noted_at_their_resolved_place)
{
	make_dir("a");
	make_dir("a/b");
	make_file("a/b/f");
	make_link("a", "la");
	make_link("b", "a/lb");
	make_link("f", "a/b/lf");
	finds(in("la/lb/lf"), in("a/b/f"));
	cr_assert_eq(r.n_links, 3);
	cr_expect_str_eq(r.links[0].path, in("la"));
	cr_expect_str_eq(r.links[1].path, in("a/lb"));
	cr_expect_str_eq(r.links[1].text, "b");
	cr_expect_str_eq(r.links[2].path, in("a/b/lf"));
}

Test(resolve, absolute_links_and_links_to_links_work)
{
	make_dir("a");
	make_file("a/f");
	make_link(in("a"), "one");
	make_link("one/", "two");
	finds(in("two/f"), in("a/f"));
	cr_assert_eq(r.n_links, 2);
	cr_expect_str_eq(r.links[0].text, "one/");
	cr_expect_str_eq(r.links[1].text, in("a"));
}

Test(resolve, dots_in_links_are_understood)
{
	make_dir("a");
	make_dir("a/b");
	make_file("f");
	make_link("../.././f", "a/b/up");
	make_link("a/b/..//./b/../../f", "round");
	make_link("../../../../../../../../../../etc", "out");
	finds(in("a/b/up"), in("f"));
	finds(in("round"), in("f"));
	finds(in("out"), "/etc");
}

Test(resolve, dots_after_a_link_are_those_of_its_target)
{
	make_dir("a");
	make_dir("a/b");
	make_file("a/f");
	make_file("f");
	make_link("a/b", "l");
	make_link("l/../f", "m");
	finds(in("m"), in("a/f"));
}

Test(resolve, what_is_missing_is_enoent_with_a_remedy)
{
	fails(in("nothing"), -ENOENT);
	cr_expect_eq(fail.remedy, SBXI_REMEDY_GRANT_PATH);
	cr_expect_eq(fail.sys_errno, ENOENT);
	make_link("nothing", "dangling");
	fails(in("dangling"), -ENOENT);
	fails(in("nothing/below"), -ENOENT);
}

Test(resolve, a_file_is_no_directory)
{
	make_file("f");
	make_link("f/", "slash");
	make_link("f/.", "dot");
	make_link("f/..", "up");
	fails(in("f/x"), -ENOTDIR);
	fails(in("slash"), -ENOTDIR);
	fails(in("dot"), -ENOTDIR);
	fails(in("up"), -ENOTDIR);
}

Test(resolve, forty_links_are_followed_and_41_are_a_loop)
{
	char name[16], text[16];

	make_file("l0");
	for (int i = 1; i <= 41; i++) {
		snprintf(name, sizeof(name), "l%d", i);
		snprintf(text, sizeof(text), "l%d", i - 1);
		make_link(text, name);
	}
	finds(in("l40"), in("l0"));
	cr_expect_eq(r.n_links, 40);
	fails(in("l41"), -ELOOP);
}

Test(resolve, a_link_to_itself_is_a_loop)
{
	make_link("self", "self");
	make_link("b", "a");
	make_link("a", "b");
	fails(in("self"), -ELOOP);
	fails(in("a"), -ELOOP);
	fails(in("a/x"), -ELOOP);
}

Test(resolve, links_that_grow_are_refused)
{
	char text[4000];

	for (size_t i = 0; i < 3990; i += 5)
		memcpy(text + i, "grow/", 5);
	text[3990] = '\0';
	make_link(text, "grow");
	fails(in("grow"), -ENAMETOOLONG);
}

Test(resolve, links_into_proc_are_refused)
{
	make_link("/proc/self/root/etc", "magic");
	make_link("/proc/self", "self");
	make_link("/proc/version", "plain");
	make_link("/proc", "proc");
	fails(in("magic"), -EINVAL);
	fails(in("self"), -EINVAL);
	fails(in("plain"), -EINVAL);
	fails(in("proc"), -EINVAL);
	fails("/dev/stdin", -EINVAL);
	fails("/dev/fd", -EINVAL);
}

Test(resolve, links_to_the_root_and_to_dev_are_refused)
{
	make_link("/", "root");
	make_link("/dev", "dev");
	make_link("/dev/null", "null");
	fails(in("root"), -EINVAL);
	cr_expect_not_null(strstr(fail.text, "name the directories"));
	fails(in("dev"), -EINVAL);
	finds(in("null"), "/dev/null");
}

static int resolve_as_nobody(void *path)
{
	if (geteuid() == 0 && (setresgid(65533, 65533, 65533) < 0 ||
			       setresuid(65533, 65533, 65533) < 0))
		return 77;
	return sbxi_resolve(path, &r, &fail) == -EACCES &&
	       strcmp(fail.object, path) == 0 ? 0 : 1;
}

Test(resolve, a_closed_directory_is_eacces)
{
	char path[PATH_MAX];
	int rc;

	make_dir("closed");
	make_file("closed/f");
	cr_assert_eq(chmod(in("closed"), 0), 0);
	snprintf(path, sizeof(path), "%s", in("closed/f"));
	rc = in_child(resolve_as_nobody, path);
	chmod(in("closed"), 0700);
	if (rc == 77) {
		drop();		/* a skipped test is not finished by .fini */
		cr_skip_test("cannot become another user here");
	}
	cr_expect_eq(rc, 0);
}

Test(resolve, a_link_of_another_user_in_a_sticky_directory_is_refused)
{
	make_dir("sticky");
	make_file("f");
	make_link("../f", "sticky/mine");
	make_link("../f", "sticky/other");
	cr_assert_eq(chmod(in("sticky"), 01777), 0);
	finds(in("sticky/mine"), in("f"));
	if (lchown(in("sticky/other"), 65533, 65533) < 0) {
		drop();
		cr_skip_test("cannot give a link away here");
	}
	fails(in("sticky/other"), -EACCES);
	/* In a directory that is not sticky it counts as anybody's. */
	cr_assert_eq(chmod(in("sticky"), 0777), 0);
	finds(in("sticky/other"), in("f"));
}

Test(resolve, done_can_be_done_twice)
{
	make_file("f");
	finds(in("f"), in("f"));
	sbxi_resolved_done(&r);
	sbxi_resolved_done(&r);
	cr_expect_null(r.real);
}

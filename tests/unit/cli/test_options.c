/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "options.h"

#define MAX_ARGS 32

static struct cli_options o;
static struct cli_fault fault;
static char *args[MAX_ARGS];

static void drop(void)
{
	cli_options_done(&o);
}

TestSuite(options, .fini = drop, .timeout = 10);

/* Read a command line; the list ends with NULL. */
static int parse(const char *const *list)
{
	int n = 0;

	args[n++] = (char *)(uintptr_t)"sbx-exec";
	for (; *list; list++) {
		cr_assert_lt(n, MAX_ARGS - 1);
		args[n++] = (char *)(uintptr_t)*list;
	}
	args[n] = NULL;
	cli_options_done(&o);
	return cli_options_parse(n, args, NULL, &o, &fault);
}

#define PARSE(...) parse((const char *const[]){ __VA_ARGS__, NULL })

static void refused(int rc, int code, const char *object, const char *text)
{
	cr_expect_eq(rc, code, "returned %d", rc);
	cr_expect_eq(fault.code, code);
	cr_expect_eq(fault.step, SBX_STEP_ARGUMENT);
	cr_expect(strstr(fault.object, object), "'%s'", fault.object);
	cr_expect(strstr(fault.text, text), "'%s'", fault.text);
	cr_expect_eq(cli_fault_status(&fault), CLI_EXIT_SETUP);
}

Test(options, without_any_the_defaults_hold)
{
	cr_assert_eq(PARSE("true"), 0);
	cr_expect_eq(o.action, CLI_RUN);
	cr_expect_eq(o.profile, SBX_PROFILE_TOOL);
	cr_expect_eq(o.protect, -1);
	cr_expect_eq(o.loopback, -1);
	cr_expect_eq(o.status_fd, -1);
	cr_expect_eq(o.kill_after_ms, 0);
	cr_expect(!o.new_tty);
	cr_expect(!o.cwd && !o.report && !o.policy_file);
	cr_expect_eq(o.n_paths + o.n_grants + o.env.n + o.vars.n, 0);
	cr_expect_str_eq(o.argv[0], "true");
	cr_expect(o.argv[1] == NULL);
}

Test(options, end_at_the_command_and_at_two_dashes)
{
	cr_assert_eq(PARSE("--dry-run", "cmd", "--help", "--bogus"), 0);
	cr_expect_eq(o.action, CLI_DRY_RUN);
	cr_expect_str_eq(o.argv[0], "cmd");
	cr_expect_str_eq(o.argv[2], "--bogus");
	cr_assert_eq(PARSE("--no-tty", "--", "-cmd", "--", "x"), 0);
	cr_expect_str_eq(o.argv[0], "-cmd");
	cr_expect_str_eq(o.argv[1], "--");
}

Test(options, take_an_argument_in_either_form)
{
	cr_assert_eq(PARSE("--timeout", "5", "--cpu=2m", "true"), 0);
	cr_expect_eq(o.limit[SBX_LIMIT_WALL_MS], 5000);
	cr_expect_eq(o.limit[SBX_LIMIT_CPU_MS], 120000);
	cr_assert_eq(PARSE("--env=A=b=c", "true"), 0);
	cr_expect_str_eq(o.env.item[0], "A=b=c");
}

Test(options, need_their_whole_names)
{
	refused(PARSE("--time", "5", "true"), -EINVAL, "--time", "no such");
	refused(PARSE("--timeou=5", "true"), -EINVAL, "--timeou", "no such");
	refused(PARSE("--r", "/x", "true"), -EINVAL, "--r", "no such");
	refused(PARSE("-timeout", "true"), -EINVAL, "-timeout", "no such");
	cr_expect_eq(PARSE("--timeout", "5", "true"), 0);
}

Test(options, are_refused_with_their_names)
{
	refused(PARSE("--bogus", "true"), -EINVAL, "--bogus", "no such");
	refused(PARSE("--ro"), -EINVAL, "--ro", "missing");
	refused(PARSE("--new-tty=1", "true"), -EINVAL, "--new-tty",
		"no argument");
	refused(PARSE("--ro", "/x"), -EINVAL, "COMMAND", "none");
	refused(PARSE("--memory", "12Q", "true"), -EINVAL, "--memory", "12Q");
	refused(PARSE("--memory", "0", "true"), -EINVAL, "--memory",
		"not more than 0");
	refused(PARSE("--kill-after", "none", "true"), -EINVAL,
		"--kill-after", "none");
}

Test(options, of_later_versions_are_told_apart)
{
	refused(PARSE("--audit", "f", "true"), -EINVAL, "--audit",
		"not in this version");
	refused(PARSE("--workspace=d", "true"), -EINVAL, "--workspace",
		"not in this version");
	refused(PARSE("--net", "broker", "true"), -EINVAL, "--net",
		"not in this version");
	cr_expect_eq(PARSE("--net", "none", "true"), 0);
	cr_expect_eq(o.loopback, -1);
}

Test(options, grant_paths_in_their_order)
{
	cr_assert_eq(PARSE("--ro", "/a", "--rox", "/b/", "--rw=/c/./d",
			   "--rwx", "/a", "true"), 0);
	cr_assert_eq(o.n_paths, 4);
	cr_expect_str_eq(o.paths[0].path, "/a");
	cr_expect_eq(o.paths[0].rights, SBX_READ);
	cr_expect_str_eq(o.paths[1].path, "/b");
	cr_expect_eq(o.paths[1].rights, SBX_READ | SBX_EXEC);
	cr_expect_str_eq(o.paths[2].path, "/c/d");
	cr_expect_eq(o.paths[2].rights, SBX_READ | SBX_WRITE);
	cr_expect_eq(o.paths[3].rights, SBX_READ | SBX_WRITE | SBX_EXEC);
	cr_expect_eq(o.paths[3].flags, 0);
}

Test(options, many_paths_are_all_kept)
{
	static const char *list[MAX_ARGS - 2];
	size_t i;

	for (i = 0; i < 28; i += 2) {
		list[i] = "--ro";
		list[i + 1] = i < 26 ? "/first" : "/last";
	}
	list[i] = "true";
	cr_assert_eq(parse(list), 0);
	cr_assert_eq(o.n_paths, 14);
	cr_expect_str_eq(o.paths[12].path, "/first");
	cr_expect_str_eq(o.paths[13].path, "/last");
}

Test(options, no_protect_marks_a_granted_path)
{
	/* Whatever the order, as with all options. */
	cr_assert_eq(PARSE("--no-protect", "/ws", "--rwx", "/ws", "true"), 0);
	cr_assert_eq(o.n_paths, 1);
	cr_expect_eq(o.paths[0].flags, SBX_PATH_NO_PROTECT);
}

Test(options, no_protect_below_a_grant_is_a_grant_of_the_same_rights)
{
	cr_assert_eq(PARSE("--rw", "/ws", "--no-protect", "/ws/a", "true"), 0);
	cr_assert_eq(o.n_paths, 2);
	cr_expect_eq(o.paths[0].flags, 0);
	cr_expect_str_eq(o.paths[1].path, "/ws/a");
	cr_expect_eq(o.paths[1].rights, SBX_READ | SBX_WRITE);
	cr_expect_eq(o.paths[1].flags, SBX_PATH_NO_PROTECT);
}

Test(options, no_protect_above_grants_marks_them_and_grants_nothing)
{
	cr_assert_eq(PARSE("--rw", "/ws/a", "--ro", "/b", "--no-protect",
			   "/ws", "true"), 0);
	cr_assert_eq(o.n_paths, 2);
	cr_expect_eq(o.paths[0].flags, SBX_PATH_NO_PROTECT);
	cr_expect_eq(o.paths[1].flags, 0);
	refused(PARSE("--rw", "/ws", "--no-protect", "/wsx", "true"), -EINVAL,
		"--no-protect", "/wsx");
}

Test(options, limits_are_kept_and_none_takes_one_away)
{
	cr_assert_eq(PARSE("--memory", "1G", "--output=10", "--scratch", "2M",
			   "--file-size", "3K", "--processes", "none",
			   "--open-files", "99", "true"), 0);
	cr_expect_eq(o.limit[SBX_LIMIT_MEMORY], UINT64_C(1) << 30);
	cr_expect_eq(o.limit[SBX_LIMIT_OUTPUT], 10);
	cr_expect_eq(o.limit[SBX_LIMIT_SCRATCH], 2 << 20);
	cr_expect_eq(o.limit[SBX_LIMIT_FILE_SIZE], 3072);
	cr_expect_eq(o.limit[SBX_LIMIT_PROCESSES], UINT64_MAX);
	cr_expect_eq(o.limit[SBX_LIMIT_OPEN_FILES], 99);
	cr_expect_eq(o.limit[SBX_LIMIT_WALL_MS], 0);
}

Test(options, lists_of_properties_set_levels)
{
	cr_assert_eq(PARSE("--require", "memory,names", "--prefer=memory",
			   "true"), 0);
	cr_expect_eq(o.level[SBX_PROP_MEMORY], SBX_PREFER);
	cr_expect_eq(o.level[SBX_PROP_NAMES], SBX_REQUIRE);
	cr_expect_eq(o.level[SBX_PROP_FILES], -1);
	refused(PARSE("--require", "memory,", "true"), -EINVAL, "--require",
		"no property");
	refused(PARSE("--require", "mem", "true"), -EINVAL, "--require",
		"'mem'");
}

Test(options, each_property_has_a_name_that_is_understood)
{
	uint32_t i;

	for (i = 0; i < CLI_N_PROPERTIES; i++) {
		cr_assert_eq(PARSE("--prefer", cli_property_name(i), "true"),
			     0);
		cr_expect_eq(o.level[i], SBX_PREFER);
	}
	cr_expect(cli_property_name(CLI_N_PROPERTIES) == NULL);
}

Test(options, a_descriptor_keeps_its_number)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	char value[32], name[32];

	cr_assert_geq(fd, 3);
	(void)snprintf(value, sizeof(value), "%d", fd);
	(void)snprintf(name, sizeof(name), "fd%d", fd);
	cr_assert_eq(PARSE("--allow-fd", value, "true"), 0);
	cr_assert_eq(o.n_grants, 1);
	cr_expect_eq(o.grants[0].size, sizeof(struct sbx_grant));
	cr_expect_eq(o.grants[0].kind, SBX_GRANT_FD);
	cr_expect_eq(o.grants[0].fd, fd);
	cr_expect_eq(o.grants[0].task_fd, fd);
	cr_expect_str_eq(o.grants[0].name, name);
	(void)snprintf(value, sizeof(value), "%d:a-B_c.9", fd);
	cr_assert_eq(PARSE("--allow-fd", value, "true"), 0);
	cr_expect_str_eq(o.grants[0].name, "a-B_c.9");
	(void)snprintf(value, sizeof(value), "%d:", fd);
	refused(PARSE("--allow-fd", value, "true"), -EINVAL, "--allow-fd",
		"no name");
	close(fd);
	(void)snprintf(value, sizeof(value), "%d", fd);
	refused(PARSE("--allow-fd", value, "true"), -EBADF, "--allow-fd",
		"not open");
}

Test(options, names_of_grants_have_64_characters_at_most)
{
	char value[80] = "";

	memset(value, 'n', 64);
	memcpy(value + 64, "=/x", 4);
	cr_expect_eq(PARSE("--open", value, "true"), 0);
	memset(value, 'n', 65);
	memcpy(value + 65, "=/x", 4);
	refused(PARSE("--open", value, "true"), -EINVAL, "--open", "no name");
	refused(PARSE("--open", "=/x", "true"), -EINVAL, "--open", "no name");
}

Test(options, files_to_open_have_rights)
{
	cr_assert_eq(PARSE("--open", "a=/f", "--open", "b=/f:rw", "--open",
			   "c=/f:w", "--open", "d=/x:r/y", "--open", "e=/g:r",
			   "true"), 0);
	cr_assert_eq(o.n_grants, 5);
	cr_expect_eq(o.grants[0].kind, SBX_GRANT_FILE);
	cr_expect_eq(o.grants[0].rights, SBX_READ);
	cr_expect_str_eq(o.grants[0].target, "/f");
	cr_expect_eq(o.grants[1].rights, SBX_READ | SBX_WRITE);
	cr_expect_str_eq(o.grants[1].target, "/f");
	cr_expect_eq(o.grants[2].rights, SBX_WRITE);
	cr_expect_str_eq(o.grants[3].target, "/x:r/y");
	cr_expect_str_eq(o.grants[4].target, "/g");
	cr_expect_eq(o.grants[4].task_fd, -1);
}

Test(options, endpoints_are_checked)
{
	cr_assert_eq(PARSE("--connect", "a=host.example:443", "--connect",
			   "b=[::1]:80", "--connect", "c=10.0.0.1:65535",
			   "--unix", "d=/run/s", "true"), 0);
	cr_expect_eq(o.grants[0].kind, SBX_GRANT_CONNECT);
	cr_expect_str_eq(o.grants[0].target, "tcp:host.example:443");
	cr_expect_str_eq(o.grants[1].target, "tcp:[::1]:80");
	cr_expect_str_eq(o.grants[2].target, "tcp:10.0.0.1:65535");
	cr_expect_str_eq(o.grants[3].target, "unix:/run/s");
	refused(PARSE("--connect", "a=host", "true"), -EINVAL, "--connect",
		"host");
	refused(PARSE("--connect", "a=::1:80", "true"), -EINVAL, "--connect",
		"::1:80");
	refused(PARSE("--connect", "a=[]:80", "true"), -EINVAL, "--connect",
		"[]:80");
	refused(PARSE("--connect", "a=[::1]x:80", "true"), -EINVAL,
		"--connect", "[::1]x:80");
	refused(PARSE("--connect", "a=h:", "true"), -EINVAL, "--connect",
		"h:");
}

Test(options, policy_and_profile_exclude_each_other)
{
	cr_assert_eq(PARSE("--policy", "p", "--var", "a=b", "true"), 0);
	cr_expect_str_eq(o.policy_file, "p");
	cr_expect_str_eq(o.vars.item[0], "a=b");
	cr_expect(o.vars.item[1] == NULL);
	cr_assert_eq(PARSE("--profile", "empty", "true"), 0);
	cr_expect_eq(o.profile, SBX_PROFILE_EMPTY);
	refused(PARSE("--policy", "p", "--profile", "tool", "true"), -EINVAL,
		"--profile", "policy file");
	refused(PARSE("--var", "a=b", "true"), -EINVAL, "--var", "--policy");
}

Test(options, help_and_version_end_the_command_line)
{
	cr_assert_eq(PARSE("--help", "--bogus"), 0);
	cr_expect_eq(o.action, CLI_HELP);
	cr_assert_eq(PARSE("--ro", "/x", "--version"), 0);
	cr_expect_eq(o.action, CLI_VERSION);
	refused(PARSE("--bogus", "--help"), -EINVAL, "--bogus", "no such");
}

Test(options, a_status_descriptor_can_be_written)
{
	int r = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int w = open("/dev/null", O_WRONLY | O_CLOEXEC);
	char value[32];

	(void)snprintf(value, sizeof(value), "%d", r);
	refused(PARSE("--status-fd", value, "true"), -EBADF, "--status-fd",
		"not open for writing");
	(void)snprintf(value, sizeof(value), "%d", w);
	cr_assert_eq(PARSE("--status-fd", value, "true"), 0);
	cr_expect_eq(o.status_fd, w);
	close(r);
	close(w);
}

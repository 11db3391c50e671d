/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/policy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

static struct sbx_policy *policy;
static struct sbxi_fail fail;

static void make(void)
{
	cr_assert_eq(sbxi_policy_new(SBX_PROFILE_EMPTY, &policy), 0);
}

static void drop(void)
{
	sbxi_policy_free(policy);
}

TestSuite(policy, .init = make, .fini = drop, .timeout = 10);

static const char *env(const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < policy->n_env; i++)
		if (strncmp(policy->env[i], name, len) == 0 &&
		    (policy->env[i][len] == '=' ||
		     policy->env[i][len] == '\0'))
			return policy->env[i];
	return NULL;
}

Test(policy, levels_are_required_but_for_six)
{
	for (uint32_t i = 0; i < SBXI_N_PROPERTIES; i++) {
		bool preferred = i == SBX_PROP_NAMES ||
				 i == SBX_PROP_IDENTITY ||
				 i == SBX_PROP_MEMORY ||
				 i == SBX_PROP_CPU ||
				 i == SBX_PROP_PROCESSES ||
				 i == SBX_PROP_TRUST;

		cr_expect_eq(policy->level[i],
			     preferred ? SBX_PREFER : SBX_REQUIRE, "%s",
			     sbxi_property_name(i));
	}
}

Test(policy, default_limits_are_there_and_nobody_asked_for_them)
{
	uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES);
	uint64_t memory = pages * (uint64_t)sysconf(_SC_PAGESIZE);

	cr_expect_eq(policy->limit[SBX_LIMIT_WALL_MS], SBXI_NO_LIMIT);
	cr_expect_eq(policy->limit[SBX_LIMIT_CPU_MS], SBXI_NO_LIMIT);
	cr_expect_eq(policy->limit[SBX_LIMIT_OUTPUT], SBXI_NO_LIMIT);
	cr_expect_eq(policy->limit[SBX_LIMIT_FILE_SIZE], SBXI_NO_LIMIT);
	cr_expect_eq(policy->limit[SBX_LIMIT_PROCESSES], 512);
	cr_expect_eq(policy->limit[SBX_LIMIT_OPEN_FILES], 1024);
	cr_expect_eq(policy->limit[SBX_LIMIT_SCRATCH], 1073741824);
	cr_expect_gt(policy->limit[SBX_LIMIT_MEMORY], memory / 3);
	cr_expect_lt(policy->limit[SBX_LIMIT_MEMORY], memory);
	cr_expect_eq(policy->limit_asked, 0);
}

Test(policy, an_empty_one_reaches_nothing)
{
	cr_expect_eq(policy->n_paths, 0);
	cr_expect_eq(policy->n_env, 0);
	cr_expect_eq(policy->n_grants, 0);
	cr_expect_eq(policy->loopback, 0);
	cr_expect_eq(policy->net_mode, SBX_NET_NONE);
	cr_expect_eq(policy->protect, SBX_PROTECT_STRICT);
	cr_expect_eq(policy->plan_fd, -1);
	cr_expect_eq(policy->helper_fd, -1);
	cr_expect_eq(policy->idmap_fd, -1);
}

Test(policy, a_tool_has_system_paths_and_loopback)
{
	struct sbx_policy *tool = NULL;

	cr_assert_eq(sbxi_policy_new(SBX_PROFILE_TOOL, &tool), 0);
	cr_expect_eq(tool->loopback, 1);
	cr_assert_gt(tool->n_paths, 0);
	for (size_t i = 0; i < tool->n_paths; i++)
		cr_expect(tool->paths[i].system);
	sbxi_policy_free(tool);
}

Test(policy, an_unknown_profile_is_refused)
{
	struct sbx_policy *other = policy;

	cr_expect_eq(sbxi_policy_new(2, &other), -EINVAL);
	cr_expect_eq(sbxi_policy_new(UINT32_MAX, &other), -EINVAL);
	cr_expect_eq(other, policy);
}

Test(policy, free_takes_null)
{
	sbxi_policy_free(NULL);
}

Test(policy, a_path_is_copied_clean)
{
	char text[] = "//srv//data/";

	cr_assert_eq(sbxi_policy_add_path(policy, text, "/x/", SBX_READ,
					  SBX_PATH_OPTIONAL, &fail), 0);
	memset(text, 'z', sizeof(text) - 1);
	cr_assert_eq(policy->n_paths, 1);
	cr_expect_str_eq(policy->paths[0].source, "/srv/data");
	cr_expect_str_eq(policy->paths[0].dest, "/x");
	cr_expect_eq(policy->paths[0].rights, SBX_READ);
	cr_expect_eq(policy->paths[0].flags, SBX_PATH_OPTIONAL);
	cr_expect_not(policy->paths[0].system);
}

static void path_is_refused(const char *source, const char *dest, int code)
{
	struct sbxi_fail f = { .step = 0 };

	cr_expect_eq(sbxi_policy_add_path(policy, source, dest, SBX_READ, 0,
					  &f), code, "%s %s", source, dest);
	cr_expect_eq(policy->n_paths, 0);
	cr_expect_eq(f.step, SBX_STEP_ARGUMENT);
	cr_expect_str_eq(f.object, dest ? dest : source);
	cr_expect_str_neq(f.text, "");
}

Test(policy, bad_sources_are_refused)
{
	path_is_refused("", NULL, -EINVAL);
	path_is_refused("relative", NULL, -EINVAL);
	path_is_refused("/a/../b", NULL, -EINVAL);
	path_is_refused("/", NULL, -EINVAL);
	path_is_refused("//", NULL, -EINVAL);
	path_is_refused("/proc", NULL, -EINVAL);
	path_is_refused("/proc/self/root", NULL, -EINVAL);
	path_is_refused("//proc//1", NULL, -EINVAL);
	path_is_refused("/dev", NULL, -EINVAL);
	path_is_refused("/dev/", NULL, -EINVAL);
}

Test(policy, bad_places_are_refused)
{
	path_is_refused("/srv", "", -EINVAL);
	path_is_refused("/srv", "relative", -EINVAL);
	path_is_refused("/srv", "/", -EINVAL);
	path_is_refused("/srv", "/proc/x", -EINVAL);
	path_is_refused("/srv", "/dev/x", -EINVAL);
	path_is_refused("/srv", "/sys", -EINVAL);
	path_is_refused("/srv", "/x/..", -EINVAL);
}

Test(policy, devices_and_sys_are_granted_at_their_own_place)
{
	cr_expect_eq(sbxi_policy_add_path(policy, "/dev/null", NULL, SBX_READ,
					  0, &fail), 0);
	cr_expect_eq(sbxi_policy_add_path(policy, "/sys/class", NULL, SBX_READ,
					  0, &fail), 0);
}

Test(policy, rights_and_flags_have_to_be_known)
{
	cr_expect_eq(sbxi_policy_add_path(policy, "/a", NULL, 0, 0, &fail),
		     -EINVAL);
	cr_expect_eq(sbxi_policy_add_path(policy, "/a", NULL, 8, 0, &fail),
		     -EINVAL);
	cr_expect_eq(sbxi_policy_add_path(policy, "/a", NULL, SBX_READ, 4,
					  &fail), -EINVAL);
	cr_expect_eq(policy->n_paths, 0);
	cr_expect_eq(sbxi_policy_add_path(policy, "/a", NULL, 7, 3, &fail), 0);
}

Test(policy, variables_are_set_replaced_and_taken_out)
{
	cr_assert_eq(sbxi_policy_set_env(policy, "A", "1"), 0);
	cr_assert_eq(sbxi_policy_set_env(policy, "AB", "2"), 0);
	cr_expect_str_eq(env("A"), "A=1");
	cr_assert_eq(sbxi_policy_set_env(policy, "A", "a=b"), 0);
	cr_expect_str_eq(env("A"), "A=a=b");
	cr_expect_eq(policy->n_env, 2);
	cr_assert_eq(sbxi_policy_set_env(policy, "A", NULL), 0);
	cr_expect_str_eq(env("A"), "A");
	cr_assert_eq(sbxi_policy_set_env(policy, "A", ""), 0);
	cr_expect_str_eq(env("A"), "A=");
	cr_expect_str_eq(env("AB"), "AB=2");
	cr_expect_eq(policy->n_env, 2);
}

Test(policy, names_of_variables_are_checked)
{
	cr_expect_eq(sbxi_policy_set_env(policy, "", "1"), -EINVAL);
	cr_expect_eq(sbxi_policy_set_env(policy, "A=B", "1"), -EINVAL);
	cr_expect_eq(sbxi_policy_set_env(policy, "SBX_FDS", "1"), -EINVAL);
	cr_expect_eq(sbxi_policy_set_env(policy, "SBX_BROKER_FD", "1"),
		     -EINVAL);
	cr_expect_eq(sbxi_policy_set_env(policy, "LISTEN_FDS", NULL), -EINVAL);
	cr_expect_eq(sbxi_policy_set_env(policy, "LISTEN_FDNAMES", "1"),
		     -EINVAL);
	cr_expect_eq(sbxi_policy_set_env(policy, "LISTEN_PID", "1"), -EINVAL);
	cr_expect_eq(policy->n_env, 0);
	cr_expect_eq(sbxi_policy_set_env(policy, "SBX_FD", "1"), 0);
	cr_expect_eq(sbxi_policy_set_env(policy, "LD_PRELOAD", "/x.so"), 0);
}

Test(policy, a_variable_has_at_most_what_execve_takes)
{
	char *value = malloc(131073);

	cr_assert_not_null(value);
	memset(value, 'v', 131072);
	value[131072 - 3] = '\0';	/* with "A=" and the NUL: 128 KiB */
	cr_expect_eq(sbxi_policy_set_env(policy, "A", value), 0);
	value[131072 - 3] = 'v';
	value[131072 - 2] = '\0';
	cr_expect_eq(sbxi_policy_set_env(policy, "A", value), -E2BIG);
	cr_expect_eq(strlen(env("A")), 131071);
	free(value);
}

Test(policy, there_are_at_most_4096_variables)
{
	char name[16];

	for (int i = 0; i < 4096; i++) {
		snprintf(name, sizeof(name), "V%d", i);
		cr_assert_eq(sbxi_policy_set_env(policy, name, "x"), 0);
	}
	cr_expect_eq(sbxi_policy_set_env(policy, "W", "x"), -E2BIG);
	cr_expect_eq(sbxi_policy_set_env(policy, "V4095", "y"), 0);
	cr_expect_eq(policy->n_env, 4096);
}

Test(policy, limits_are_noted_as_asked_for)
{
	cr_assert_eq(sbxi_policy_set_limit(policy, SBX_LIMIT_CPU_MS, 7), 0);
	cr_expect_eq(policy->limit[SBX_LIMIT_CPU_MS], 7);
	cr_expect_eq(policy->limit_asked, 1u << SBX_LIMIT_CPU_MS);
	cr_assert_eq(sbxi_policy_set_limit(policy, SBX_LIMIT_CPU_MS,
					   UINT64_MAX), 0);
	cr_expect_eq(policy->limit[SBX_LIMIT_CPU_MS], SBXI_NO_LIMIT);
	cr_expect_eq(policy->limit_asked, 0);
}

Test(policy, a_limit_of_zero_or_of_nothing_is_refused)
{
	cr_expect_eq(sbxi_policy_set_limit(policy, SBX_LIMIT_CPU_MS, 0),
		     -EINVAL);
	cr_expect_eq(sbxi_policy_set_limit(policy, SBXI_N_LIMITS, 1), -EINVAL);
	cr_expect_eq(sbxi_policy_set_limit(policy, UINT32_MAX, 1), -EINVAL);
	cr_expect_eq(policy->limit_asked, 0);
}

Test(policy, levels_change_only_to_known_ones)
{
	cr_expect_eq(sbxi_policy_set_level(policy, SBX_PROP_CPU, SBX_OFF), 0);
	cr_expect_eq(policy->level[SBX_PROP_CPU], SBX_OFF);
	cr_expect_eq(sbxi_policy_set_level(policy, SBX_PROP_CPU, 3), -EINVAL);
	cr_expect_eq(sbxi_policy_set_level(policy, SBXI_N_PROPERTIES,
					   SBX_OFF), -EINVAL);
	cr_expect_eq(policy->level[SBX_PROP_CPU], SBX_OFF);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/policy.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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

TestSuite(grant, .init = make, .fini = drop, .timeout = 10);

static int add(uint32_t kind, const char *target)
{
	char name[16];

	snprintf(name, sizeof(name), "g%zu", policy->n_grants);
	return sbxi_policy_add_grant(policy, kind, name, target,
				     SBX_READ, -1, &fail);
}

Test(grant, names_have_1_to_64_letters_of_a_set)
{
	char name[66];

	memset(name, 'n', 65);
	name[65] = '\0';
	cr_expect_not(sbxi_grant_name_ok(name));
	name[64] = '\0';
	cr_expect(sbxi_grant_name_ok(name));
	cr_expect(sbxi_grant_name_ok("A-z_0.9"));
	cr_expect_not(sbxi_grant_name_ok(""));
	cr_expect_not(sbxi_grant_name_ok("a b"));
	cr_expect_not(sbxi_grant_name_ok("a:b"));
	cr_expect_not(sbxi_grant_name_ok("\xc3\xa9"));
}

Test(grant, is_copied)
{
	char target[] = "tcp:example.org:443";

	cr_assert_eq(sbxi_policy_add_grant(policy, SBX_GRANT_CONNECT, "api",
					   target, 0, 7, &fail), 0);
	target[0] = 'z';
	cr_assert_eq(policy->n_grants, 1);
	cr_expect_str_eq(policy->grants[0].name, "api");
	cr_expect_str_eq(policy->grants[0].target, "tcp:example.org:443");
	cr_expect_eq(policy->grants[0].task_fd, 7);
	cr_expect_eq(policy->grants[0].kind, SBX_GRANT_CONNECT);
}

Test(grant, proper_targets_are_taken)
{
	cr_expect_eq(add(SBX_GRANT_CONNECT, "tcp:localhost:1"), 0);
	cr_expect_eq(add(SBX_GRANT_CONNECT, "tcp:192.0.2.1:65535"), 0);
	cr_expect_eq(add(SBX_GRANT_CONNECT, "tcp:[2001:db8::1]:80"), 0);
	cr_expect_eq(add(SBX_GRANT_CONNECT, "unix:/run/x.sock"), 0);
	cr_expect_eq(add(SBX_GRANT_FILE, "/etc/hostname"), 0);
	cr_expect_eq(policy->n_grants, 5);
}

Test(grant, improper_targets_are_refused)
{
	static const char *const bad[] = {
		"", "tcp:", "tcp:host", "tcp:host:", "tcp:host:0",
		"tcp:host:65536", "tcp:host:99999999999", "tcp:host:80x",
		"tcp:host:-1", "tcp::80", "tcp:[::1:80", "tcp:[]:80",
		"tcp:[::1]80", "tcp:::1:80", "tcp:a b:80", "tcp:u@h:80",
		"tcp:h/x:80", "tcp:\xc3\xa9:80", "udp:host:53", "host:80",
		"unix:", "unix:run/x", "unix:/run/../x", "unix:@abstract",
		"/path",
	};
	char longer[128] = "unix:/";

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		cr_expect_eq(add(SBX_GRANT_CONNECT, bad[i]), -EINVAL, "%s",
			     bad[i]);
	memset(longer + 6, 's', 107);
	cr_expect_eq(add(SBX_GRANT_CONNECT, longer), -EINVAL);
	cr_expect_eq(policy->n_grants, 0);
	longer[5 + 107] = '\0';
	cr_expect_eq(add(SBX_GRANT_CONNECT, longer), 0);
}

Test(grant, files_are_absolute_and_not_in_proc)
{
	cr_expect_eq(add(SBX_GRANT_FILE, "etc/hostname"), -EINVAL);
	cr_expect_eq(add(SBX_GRANT_FILE, "/etc/../shadow"), -EINVAL);
	cr_expect_eq(add(SBX_GRANT_FILE, "/proc/self/mem"), -EINVAL);
	cr_expect_eq(add(SBX_GRANT_FILE, "/"), -EINVAL);
	cr_expect_eq(policy->n_grants, 0);
}

Test(grant, descriptors_cannot_be_in_a_policy)
{
	cr_expect_eq(add(SBX_GRANT_FD, "/etc/hostname"), -EINVAL);
	cr_expect_eq(add(SBX_GRANT_DATA, "text"), -EINVAL);
	cr_expect_eq(add(0, "tcp:host:1"), -EINVAL);
	cr_expect_eq(add(99, "tcp:host:1"), -EINVAL);
	cr_expect_eq(policy->n_grants, 0);
}

Test(grant, a_name_is_used_once)
{
	cr_assert_eq(sbxi_policy_add_grant(policy, SBX_GRANT_FILE, "x", "/a",
					   SBX_READ, -1, &fail), 0);
	cr_expect_eq(sbxi_policy_add_grant(policy, SBX_GRANT_FILE, "x", "/b",
					   SBX_READ, -1, &fail), -EINVAL);
	cr_expect_str_eq(fail.object, "x");
	cr_expect_eq(policy->n_grants, 1);
	cr_expect_str_eq(policy->grants[0].target, "/a");
}

Test(grant, rights_and_numbers_are_checked)
{
	cr_expect_eq(sbxi_policy_add_grant(policy, SBX_GRANT_FILE, "x", "/a",
					   0, -1, &fail), -EINVAL);
	cr_expect_eq(sbxi_policy_add_grant(policy, SBX_GRANT_FILE, "x", "/a",
					   SBX_EXEC, -1, &fail), -EINVAL);
	cr_expect_eq(sbxi_policy_add_grant(policy, SBX_GRANT_FILE, "x", "/a",
					   SBX_READ, 2, &fail), -EINVAL);
	cr_expect_eq(sbxi_policy_add_grant(policy, SBX_GRANT_FILE, "x", "/a",
					   SBX_READ, -2, &fail), -EINVAL);
	cr_expect_eq(policy->n_grants, 0);
	cr_expect_eq(sbxi_policy_add_grant(policy, SBX_GRANT_FILE, "x", "/a",
					   SBX_READ | SBX_WRITE, 3, &fail), 0);
}

Test(grant, there_are_at_most_1024)
{
	for (int i = 0; i < 1024; i++)
		cr_assert_eq(add(SBX_GRANT_FILE, "/a"), 0);
	cr_expect_eq(add(SBX_GRANT_FILE, "/a"), -EINVAL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/profile.h"

#include <string.h>

#include <sandbox/policy.h>

#include <criterion/criterion.h>

#include "policy/paths.h"

TestSuite(profile, .timeout = 10);

static const struct sbxi_profile_path *find(const char *path)
{
	const struct sbxi_profile_path *paths;
	size_t n;

	paths = sbxi_profile_paths(SBX_PROFILE_TOOL, &n);
	for (size_t i = 0; i < n; i++)
		if (strcmp(paths[i].path, path) == 0)
			return &paths[i];
	return NULL;
}

/* Would a grant of the profile make this path readable? */
static bool covers(const char *path)
{
	const struct sbxi_profile_path *paths;
	size_t n;

	paths = sbxi_profile_paths(SBX_PROFILE_TOOL, &n);
	for (size_t i = 0; i < n; i++)
		if (sbxi_path_within(paths[i].path, path))
			return true;
	return false;
}

Test(profile, the_empty_one_has_no_path)
{
	size_t n = 1;

	sbxi_profile_paths(SBX_PROFILE_EMPTY, &n);
	cr_expect_eq(n, 0);
}

Test(profile, programs_can_be_run_and_not_written)
{
	cr_assert_not_null(find("/usr"));
	cr_expect_eq(find("/usr")->rights, SBX_READ | SBX_EXEC);
	cr_expect(covers("/lib64/ld-linux-x86-64.so.2"));
	cr_expect(covers("/bin/sh"));
}

Test(profile, nothing_in_it_is_writable_or_doubled)
{
	const struct sbxi_profile_path *paths;
	size_t n;

	paths = sbxi_profile_paths(SBX_PROFILE_TOOL, &n);
	cr_assert_gt(n, 20);
	for (size_t i = 0; i < n; i++) {
		cr_expect_not(paths[i].rights & SBX_WRITE, "%s",
			      paths[i].path);
		cr_expect(paths[i].rights & SBX_READ, "%s", paths[i].path);
		cr_expect_eq(find(paths[i].path), &paths[i], "%s",
			     paths[i].path);
	}
}

Test(profile, certificates_are_readable_and_private_keys_are_not)
{
	cr_expect(covers("/etc/ssl/certs/ca-certificates.crt"));
	cr_expect(covers("/etc/pki/tls/certs/ca-bundle.crt"));
	cr_expect_not(covers("/etc/ssl/private/key.pem"));
	cr_expect_not(covers("/etc/pki/tls/private/key.pem"));
}

Test(profile, what_is_made_inside_or_secret_is_not_in_it)
{
	static const char *const not[] = {
		"/etc", "/etc/passwd", "/etc/group", "/etc/shadow",
		"/etc/hosts", "/etc/hostname", "/etc/resolv.conf",
		"/etc/nsswitch.conf", "/etc/machine-id", "/etc/ssh",
		"/etc/krb5.keytab", "/home", "/root", "/var", "/var/lib",
		"/run", "/tmp", "/proc", "/dev", "/sys", "/opt", "/srv",
		"/nix", "/nix/var",
	};

	for (size_t i = 0; i < sizeof(not) / sizeof(*not); i++)
		cr_expect_not(covers(not[i]), "%s", not[i]);
}

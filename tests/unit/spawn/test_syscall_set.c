/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <criterion/criterion.h>

#include <sandbox/sandbox.h>

TestSuite(syscall_set, .timeout = 10);

/* The kind of the first set that has the call, 0 = none. */
static uint32_t kind_of(const char *call)
{
	struct sbx_syscall_set set = SBX_SYSCALL_SET_INIT;

	for (size_t i = 0; sbx_syscall_set(i, &set) == 0; i++)
		for (const char *const *c = set.calls; *c; c++)
			if (!strcmp(*c, call))
				return set.kind;
	return 0;
}

Test(syscall_set, tells_what_becomes_of_a_call)
{
	cr_expect_eq(kind_of("openat"), SBX_SYSCALLS_ALLOWED);
	cr_expect_eq(kind_of("mount"), SBX_SYSCALLS_REFUSED);
	cr_expect_eq(kind_of("io_uring_setup"), 0);
}

Test(syscall_set, each_has_a_name_a_reason_and_calls)
{
	struct sbx_syscall_set set = SBX_SYSCALL_SET_INIT;
	bool seen[SBX_SYSCALLS_READER + 1] = { false };
	size_t i;

	for (i = 0; sbx_syscall_set(i, &set) == 0; i++) {
		cr_assert(set.name && set.name[0]);
		cr_assert(set.reason && set.reason[0]);
		cr_assert(set.calls && set.calls[0]);
		cr_assert_leq(set.kind, SBX_SYSCALLS_READER);
		seen[set.kind] = true;
	}
	cr_assert_gt(i, 10);
	cr_assert(seen[SBX_SYSCALLS_ALLOWED] && seen[SBX_SYSCALLS_REFUSED] &&
		  seen[SBX_SYSCALLS_CONNECTED] && seen[SBX_SYSCALLS_READER]);
}

Test(syscall_set, ends_with_enoent_and_leaves_the_set_alone)
{
	struct sbx_syscall_set set = SBX_SYSCALL_SET_INIT;

	set.kind = 77;
	cr_assert_eq(sbx_syscall_set(100000, &set), -ENOENT);
	cr_assert_eq(set.kind, 77);
}

Test(syscall_set, takes_no_size_that_is_none)
{
	struct sbx_syscall_set set = SBX_SYSCALL_SET_INIT;

	set.size -= 1;
	cr_assert_eq(sbx_syscall_set(0, &set), -EINVAL);
	set.size = 1u << 20;
	cr_assert_eq(sbx_syscall_set(0, &set), -EINVAL);
}

Test(syscall_set, fills_a_later_versions_tail_with_zeros)
{
	struct {
		struct sbx_syscall_set set;
		uint64_t later;
	} big = { SBX_SYSCALL_SET_INIT, 5 };

	big.set.size = sizeof(big);
	cr_assert_eq(sbx_syscall_set(0, &big.set), 0);
	cr_assert_eq(big.set.size, sizeof(big));
	cr_assert_eq(big.later, 0);
}

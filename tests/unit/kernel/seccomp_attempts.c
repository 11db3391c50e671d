/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <linux/audit.h>
#include <linux/filter.h>

#include "kernel/seccomp.h"

#include "bpf_vm.h"
#include "seccomp_attempts.h"

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#else
#define NATIVE AUDIT_ARCH_AARCH64
#endif

#define GARBAGE 0xdeadbeef00000000ull

static const struct {
	enum sbxi_filter which;
	struct sbxi_seccomp_opts opts;
} tried[N_FILTERS_TRIED] = {
	[A] = { SBXI_FILTER_TASK_A, { 10, 1 } },
	[A_OLD] = { SBXI_FILTER_TASK_A, { 0, 0 } },
	[B] = { SBXI_FILTER_TASK_B, { 10, 0 } },
	[B8] = { SBXI_FILTER_TASK_B, { 8, 0 } },
	[B5] = { SBXI_FILTER_TASK_B, { 5, 0 } },
	[B2] = { SBXI_FILTER_TASK_B, { 2, 0 } },
	[B_HEARD] = { SBXI_FILTER_TASK_B_FILES, { 10, 0 } },
	[B5_HEARD] = { SBXI_FILTER_TASK_B_FILES, { 5, 0 } },
	[CON] = { SBXI_FILTER_CONNECTED, { 7, 0 } },
	[SUP] = { SBXI_FILTER_SUPERVISOR, { 7, 0 } },
	[SUP_HEARS] = { SBXI_FILTER_SUPERVISOR_ACTS, { 7, 0 } },
};

static struct sbxi_bpf bpf[N_FILTERS_TRIED];

void attempts_init(void)
{
	for (int i = 0; i < N_FILTERS_TRIED; i++)
		cr_assert_eq(sbxi_seccomp_prepare(tried[i].which,
						  &tried[i].opts, &bpf[i]), 0);
}

void attempts_done(void)
{
	for (int i = 0; i < N_FILTERS_TRIED; i++)
		sbxi_bpf_done(&bpf[i]);
}

static uint32_t run(const struct attempt *t, uint64_t upper)
{
	struct seccomp_data d = { .nr = t->number, .arch = NATIVE };

	for (int i = 0; i < 6; i++)
		d.args[i] = t->args[i] | upper;
	return bpf_vm_run(bpf[t->filter].code, &d);
}

void attempts_check(const struct attempt *t, size_t n, bool garbage)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t got = run(&t[i], 0);

		cr_expect_eq(got, t[i].want,
			     "line %zu: filter %d, call %d: %#x", i,
			     t[i].filter, t[i].number, got);
		if (!garbage)
			continue;
		got = run(&t[i], GARBAGE);
		cr_expect_eq(got, t[i].want,
			     "line %zu, upper halves: filter %d, call %d: %#x",
			     i, t[i].filter, t[i].number, got);
	}
}

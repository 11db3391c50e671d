/* SPDX-License-Identifier: Apache-2.0 */
/* Programs written backwards do what was meant, however far their jumps go. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <linux/seccomp.h>

#include "kernel/bpf_asm.h"

#include "bpf_vm.h"

static struct sbxi_bpf_asm *a;

static void set_up(void)
{
	a = calloc(1, sizeof(*a));
	cr_assert_not_null(a);
}

static void tear_down(void)
{
	free(a);
}

TestSuite(bpf_asm, .init = set_up, .fini = tear_down);

static uint32_t run(uint32_t number)
{
	const struct seccomp_data data = { .nr = (int)number };
	size_t bad = 0;

	cr_assert_eq(a->error, 0);
	cr_assert_eq(bpf_vm_check(sbxi_bpf_start(a), a->count, &bad), 0,
		     "instruction %zu of %zu", bad, a->count);
	return bpf_vm_run(sbxi_bpf_start(a), &data);
}

static void load_number(void)
{
	(void)sbxi_bpf_put(a, BPF_LD | BPF_W | BPF_ABS,
			   offsetof(struct seccomp_data, nr));
}

Test(bpf_asm, a_branch_goes_both_ways)
{
	sbxi_label no = sbxi_bpf_return(a, SECCOMP_RET_KILL_PROCESS);
	sbxi_label yes = sbxi_bpf_return(a, SECCOMP_RET_ALLOW);

	(void)sbxi_bpf_branch(a, BPF_JGE, 10, yes, no);
	load_number();
	cr_assert_eq(run(9), SECCOMP_RET_KILL_PROCESS);
	cr_assert_eq(run(10), SECCOMP_RET_ALLOW);
	cr_assert_eq(run(11), SECCOMP_RET_ALLOW);
}

Test(bpf_asm, an_answer_is_written_once_where_it_is_near)
{
	sbxi_label first = sbxi_bpf_return(a, SECCOMP_RET_ALLOW);

	cr_assert_eq(sbxi_bpf_return(a, SECCOMP_RET_ALLOW), first);
	cr_assert_eq(a->count, 1);
	cr_assert_neq(sbxi_bpf_return(a, SECCOMP_RET_TRAP), first);
	cr_assert_eq(a->count, 2);
}

/* A chain of comparisons, each number its own way, of any length. */
static void put_chain(uint32_t n)
{
	sbxi_label at = sbxi_bpf_return(a, SECCOMP_RET_KILL_PROCESS);

	for (uint32_t i = n; i-- > 0;)
		at = sbxi_bpf_branch(
			a, BPF_JEQ, i,
			sbxi_bpf_return(a, SECCOMP_RET_ERRNO | i % 7), at);
	load_number();
}

Test(bpf_asm, jumps_reach_over_any_distance)
{
	static const uint32_t lengths[] = { 1, 127, 200, 250, 252, 253, 254,
					    255, 256, 257, 300, 600, 2000 };

	for (size_t k = 0; k < sizeof(lengths) / sizeof(*lengths); k++) {
		uint32_t n = lengths[k];

		memset(a, 0, sizeof(*a));
		put_chain(n);
		for (uint32_t i = 0; i < n; i++)
			cr_assert_eq(run(i), SECCOMP_RET_ERRNO | i % 7,
				     "%u of %u", i, n);
		cr_assert_eq(run(n), SECCOMP_RET_KILL_PROCESS, "%u", n);
	}
}

/* Both targets out of reach, at every distance around the limit. */
Test(bpf_asm, both_ways_of_a_branch_may_be_far)
{
	for (uint32_t gap = 240; gap < 270; gap++) {
		sbxi_label yes, no;

		memset(a, 0, sizeof(*a));
		no = sbxi_bpf_put(a, BPF_RET | BPF_K, SECCOMP_RET_TRAP);
		yes = sbxi_bpf_put(a, BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
		for (uint32_t i = 0; i < gap; i++)
			(void)sbxi_bpf_put(a, BPF_RET | BPF_K,
					   SECCOMP_RET_LOG);
		(void)sbxi_bpf_branch(a, BPF_JEQ, 5, yes, no);
		load_number();
		cr_assert_eq(run(5), SECCOMP_RET_ALLOW, "%u", gap);
		cr_assert_eq(run(6), SECCOMP_RET_TRAP, "%u", gap);
	}
}

Test(bpf_asm, a_program_that_is_too_long_is_an_error)
{
	for (int i = 0; i < BPF_MAXINSNS; i++)
		(void)sbxi_bpf_put(a, BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	cr_assert_eq(a->error, 0);
	(void)sbxi_bpf_put(a, BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	cr_assert_eq(a->error, -EINVAL);
	cr_assert_eq(a->count, BPF_MAXINSNS);
}

Test(bpf_asm, too_many_different_answers_are_an_error)
{
	for (uint32_t i = 0; i < SBXI_BPF_ACTIONS; i++)
		(void)sbxi_bpf_return(a, SECCOMP_RET_ERRNO | i);
	cr_assert_eq(a->error, 0);
	(void)sbxi_bpf_return(a, SECCOMP_RET_ERRNO | 99);
	cr_assert_eq(a->error, -EINVAL);
}

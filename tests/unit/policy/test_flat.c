/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/flat.h"

#include <errno.h>
#include <linux/filter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

static struct sbx_policy *policy;
static struct sbxi_plan *plan;
static struct sbxi_fail fail;

static void make(void)
{
	cr_assert_eq(sbxi_policy_new(SBX_PROFILE_EMPTY, &policy), 0);
}

static void drop(void)
{
	free(plan);
	sbxi_policy_free(policy);
}

TestSuite(flat, .init = make, .fini = drop, .timeout = 30);

Test(flat, every_filter_is_there_and_lies_in_the_plan)
{
	struct sbxi_flat flat = { .n_paths = 0 };

	cr_assert_eq(sbxi_flat_build(policy, &flat, &plan, &fail), 0);
	for (size_t i = 0; i < SBXI_N_FILTERS; i++) {
		const struct sbxi_plan_filter *f = &plan->filter[i];
		const struct sock_filter *code;

		cr_assert_gt(f->count, 0);
		cr_assert_leq(f->count, BPF_MAXINSNS);
		cr_assert_geq(f->offset, sizeof(*plan));
		cr_assert_eq(f->offset % _Alignof(struct sock_filter), 0);
		cr_assert_leq(f->offset + f->count * sizeof(*code),
			      plan->size);
		code = (const void *)((const char *)plan + f->offset);
		cr_expect_eq(BPF_CLASS(code[f->count - 1].code), BPF_RET);
	}
}

Test(flat, tables_keep_their_order_and_their_strings)
{
	struct sbxi_flat_path paths[] = {
		{ .source = "/a", .dest = "/a", .rights = 1, .flags = 2,
		  .id = { .ino = 7, .btime_ns = 8, .dev_major = 9 } },
		{ .source = "/b", .dest = "/else", .rights = 3 },
	};
	struct sbxi_flat_link links[] = { { "/z", "a" }, { "/y", "../b" } };
	struct sbxi_flat flat = { paths, 2, links, 2 };
	const struct sbxi_plan_path *p;
	const struct sbxi_plan_link *l;

	cr_assert_eq(sbxi_flat_build(policy, &flat, &plan, &fail), 0);
	cr_assert_eq(plan->n_paths, 2);
	cr_assert_eq(plan->n_links, 2);
	p = sbxi_plan_paths(plan);
	l = sbxi_plan_links(plan);
	cr_expect_eq((uintptr_t)p % 8, 0);
	cr_expect_eq(p[0].source, p[0].dest);
	cr_expect_str_eq(sbxi_plan_string(plan, p[0].source), "/a");
	cr_expect_eq(p[0].rights, 1);
	cr_expect_eq(p[0].flags, 2);
	cr_expect_eq(p[0].id.ino, 7);
	cr_expect_eq(p[0].id.btime_ns, 8);
	cr_expect_eq(p[0].id.dev_major, 9);
	cr_expect_str_eq(sbxi_plan_string(plan, p[1].source), "/b");
	cr_expect_str_eq(sbxi_plan_string(plan, p[1].dest), "/else");
	cr_expect_str_eq(sbxi_plan_string(plan, l[0].path), "/z");
	cr_expect_str_eq(sbxi_plan_string(plan, l[0].text), "a");
	cr_expect_str_eq(sbxi_plan_string(plan, l[1].path), "/y");
	cr_expect_str_eq(sbxi_plan_string(plan, l[1].text), "../b");
}

Test(flat, the_build_id_is_left_to_the_launcher)
{
	static const uint8_t zero[16];
	struct sbxi_flat flat = { .n_paths = 0 };

	cr_assert_eq(sbxi_flat_build(policy, &flat, &plan, &fail), 0);
	cr_expect_eq(memcmp(plan->build_id, zero, sizeof(zero)), 0);
	cr_expect_eq(plan->fault_step, 0);
}

/* Root of the host: the whole range of ids is mapped to itself. */
static bool is_host_root(void)
{
	unsigned int map[3] = { 1, 1, 0 };
	FILE *f = fopen("/proc/self/uid_map", "re");

	if (!f)
		return false;
	if (fscanf(f, "%u %u %u", &map[0], &map[1], &map[2]) != 3)
		map[0] = 1;
	fclose(f);
	return geteuid() == 0 && map[0] == 0 && map[1] == 0 &&
	       map[2] == UINT32_MAX;
}

Test(flat, only_root_of_the_host_has_a_task_id_to_lend)
{
	struct sbxi_flat flat = { .n_paths = 0 };

	cr_assert_eq(sbxi_flat_build(policy, &flat, &plan, &fail), 0);
	if (is_host_root())
		cr_expect(plan->flags & SBXI_PLAN_TASK_ID);
	else if (geteuid() != 0)
		cr_expect_not(plan->flags & SBXI_PLAN_TASK_ID);
	cr_expect_eq(!!(plan->flags & SBXI_PLAN_TASK_ID), plan->task_id != 0);
}

Test(flat, what_is_too_big_is_refused_and_leaves_the_output_alone)
{
	size_t n = SBXI_PLAN_MAX / sizeof(struct sbxi_plan_path) + 1;
	struct sbxi_flat_path *paths = calloc(n, sizeof(*paths));
	struct sbxi_flat flat = { paths, n, NULL, 0 };
	struct sbxi_plan *const marker = (void *)&fail;
	struct sbxi_plan *out = marker;

	cr_assert_not_null(paths);
	cr_expect_eq(sbxi_flat_build(policy, &flat, &out, &fail), -EINVAL);
	cr_expect_eq(out, marker);
	cr_expect_eq(fail.step, SBX_STEP_COMPILE);
	free(paths);
}

Test(flat, strings_count_for_the_size)
{
	size_t n = 20000;
	struct sbxi_flat_link *links = calloc(n, sizeof(*links));
	struct sbxi_flat flat = { NULL, 0, links, n };
	char *text = malloc(4001);
	struct sbxi_plan *out = NULL;

	cr_assert(links && text);
	memset(text, 't', 4000);
	text[4000] = '\0';
	for (size_t i = 0; i < n; i++)
		links[i] = (struct sbxi_flat_link){ "/l", text };
	cr_expect_eq(sbxi_flat_build(policy, &flat, &out, &fail), -EINVAL);
	cr_expect_null(out);
	flat.n_links = 1000;
	cr_expect_eq(sbxi_flat_build(policy, &flat, &plan, &fail), 0);
	free(links);
	free(text);
}

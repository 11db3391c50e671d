/* SPDX-License-Identifier: Apache-2.0 */
/* compile: links, profiles, levels and size. */
#include "compile_test.h"

TestSuite(compile, .init = make, .fini = drop, .timeout = 60);

Test(compile, links_outside_of_granted_trees_are_made)
{
	make_dir("a");
	make_dir("a/b");
	make_link("a", "la");
	make_link("la/b", "lb");
	grant("lb", R);
	compiles();
	has("a/b", R, 0);
	cr_expect_eq(policy->plan->n_links, 2);
	cr_expect_str_eq(link_at(in("lb")), "la/b");
	cr_expect_str_eq(link_at(in("la")), "a");
}

Test(compile, links_inside_of_granted_trees_are_there_already)
{
	make_dir("a");
	make_dir("a/sub");
	make_dir("out");
	make_link("../out", "a/l");
	make_link("../../out", "a/sub/l");
	grant("a", R);
	grant("a/l", R);
	grant("a/sub/l", R);
	compiles();
	has("out", R, 0);
	cr_expect_eq(policy->plan->n_links, 0);
}

Test(compile, a_link_met_by_two_paths_is_made_once)
{
	make_dir("a");
	make_file("a/f");
	make_file("a/g");
	make_link("a", "l");
	grant("l/f", R);
	grant("l/g", R);
	compiles();
	cr_expect_eq(policy->plan->n_links, 1);
	cr_expect_str_eq(link_at(in("l")), "a");
}

Test(compile, a_link_where_something_is_shown_is_not_made)
{
	make_dir("a");
	make_dir("other");
	make_link("a", "l");
	grant("l", R);
	grant_at("other", in("l"), R);
	compiles();
	has("a", R, 0);
	has("l", R, SBXI_PATH_ELSEWHERE);
	cr_expect_eq(policy->plan->n_links, 0);
}

Test(compile, a_place_behind_a_link_is_a_contradiction)
{
	make_dir("a");
	make_dir("other");
	make_link("a", "l");
	grant("l", R);
	grant_at("other", in("l/x"), R);
	fails(-EINVAL, in("l/x"));
	cr_expect_not_null(strstr(fail.text, "link"), "%s", fail.text);
}

Test(compile, a_redundant_spelling_still_has_its_link)
{
	make_dir("a");
	make_dir("a/b");
	make_link("a/b", "l");
	grant("a", R);
	grant("l", R);
	compiles();
	cr_expect_eq(policy->plan->n_paths, 1);
	cr_expect_str_eq(link_at(in("l")), "a/b");
}

Test(compile, links_to_proc_and_root_are_named)
{
	make_link("/proc/self/cwd", "l");
	grant("l", R);
	fails(-EINVAL, in("l"));
}

Test(compile, a_tool_gets_what_the_host_has)
{
	struct stat st;

	use_tool();
	compiles();
	has("/usr", RX, SBXI_PATH_SYSTEM);
	cr_expect(policy->plan->flags & SBXI_PLAN_TOOL);
	if (lstat("/bin", &st) == 0 && S_ISLNK(st.st_mode)) {
		cr_expect_not_null(link_at("/bin"));
		cr_expect_null(path_at("/usr/bin"));
	} else {
		has("/bin", RX, SBXI_PATH_SYSTEM);
	}
	cr_expect_null(path_at("/etc"));
	cr_expect_null(path_at("/etc/passwd"));
	cr_expect_null(path_at("/etc/ssl/private"));
	for (uint32_t i = 0; i < policy->plan->n_paths; i++) {
		const struct sbxi_plan_path *p =
			sbxi_plan_paths(policy->plan) + i;

		cr_expect_eq(p->flags, SBXI_PATH_SYSTEM, "%s", str(p->dest));
		cr_expect_eq(access(str(p->source), F_OK), 0);
	}
}

Test(compile, an_explicit_path_wins_over_the_profile)
{
	use_tool();
	grant("/usr", R);
	compiles();
	has("/usr", R, 0);
}

Test(compile, an_explicit_path_below_the_profile_is_kept)
{
	use_tool();
	grant("/usr/bin", RX);
	grant("/usr/share", R);
	compiles();
	has("/usr", RX, SBXI_PATH_SYSTEM);
	has("/usr/bin", RX, 0);
	has("/usr/share", R, SBXI_PATH_NARROWER);
}

Test(compile, a_profile_takes_nothing_away_from_a_wider_grant)
{
	use_tool();
	grant("/etc", RW);
	compiles();
	has("/etc", RW, 0);
	cr_expect_null(path_at("/etc/ld.so.cache"));
	cr_expect_null(path_at("/etc/profile"));
	for (uint32_t i = 0; i < policy->plan->n_paths; i++)
		cr_expect_not(sbxi_plan_paths(policy->plan)[i].flags &
			      SBXI_PATH_NARROWER);
	if (path_at("/etc/alternatives"))
		has("/etc/alternatives", RWX, 0);
}

Test(compile, a_profile_adds_nothing_to_a_tree_shown_in_its_place)
{
	make_dir("d");
	use_tool();
	grant_at("d", "/etc", R);
	compiles();
	has("/etc", R, SBXI_PATH_ELSEWHERE);
	cr_expect_null(path_at("/etc/ld.so.cache"));
	cr_expect_null(path_at("/etc/alternatives"));
	cr_expect_null(link_at("/etc/localtime"));
}

Test(compile, levels_limits_and_flags_are_in_the_plan)
{
	const struct sbxi_plan *plan;

	policy->level[SBX_PROP_CPU] = SBX_OFF;
	policy->protect = SBX_PROTECT_OFF;
	policy->loopback = 1;
	cr_assert_eq(sbxi_policy_set_limit(policy, SBX_LIMIT_OUTPUT, 99), 0);
	compiles();
	plan = policy->plan;
	cr_expect_eq(plan->magic, SBXI_PLAN_MAGIC);
	cr_expect_eq(plan->version, SBXI_PLAN_VERSION);
	cr_expect_eq(plan->level[SBX_PROP_CPU], SBX_OFF);
	cr_expect_eq(plan->level[SBX_PROP_FILES], SBX_REQUIRE);
	cr_expect_eq(plan->protect, SBX_PROTECT_OFF);
	cr_expect_eq(plan->limit[SBX_LIMIT_OUTPUT], 99);
	cr_expect_eq(plan->limit[SBX_LIMIT_WALL_MS], SBXI_NO_LIMIT);
	cr_expect_eq(plan->limit_asked, 1u << SBX_LIMIT_OUTPUT);
	cr_expect_eq(plan->flags & ~(uint32_t)SBXI_PLAN_TASK_ID,
		     SBXI_PLAN_LOOPBACK | SBXI_PLAN_RELAY_OUTPUT);
}

Test(compile, output_is_not_relayed_unless_limited)
{
	compiles();
	cr_expect_eq(policy->plan->flags & ~(uint32_t)SBXI_PLAN_TASK_ID, 0);
}

#define MANY 3000

Test(compile, three_thousand_paths)
{
	char name[32];
	const struct sbxi_plan_path *p;

	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "d%d", i);
		make_dir(name);
		grant(name, RWX);
		grant(name, i % 2 ? R : RW);
	}
	compiles();
	cr_assert_eq(policy->plan->n_paths, MANY);
	p = sbxi_plan_paths(policy->plan);
	for (int i = 0; i < MANY; i++) {
		const char *number = strrchr(str(p[i].dest), '/') + 2;

		cr_expect_eq(p[i].rights, atol(number) % 2 ? R : RW);
		if (i > 0)
			cr_expect_lt(strcmp(str(p[i - 1].dest),
					    str(p[i].dest)), 0);
	}
}

Test(compile, three_thousand_nested_and_linked_paths)
{
	char name[64];

	make_dir("top");
	make_dir("out");
	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "top/f%d", i);
		make_file(name);
		grant(name, i % 3 ? RW : R);
		snprintf(name, sizeof(name), "l%d", i);
		make_link("out", name);
		grant(name, R);
	}
	grant("top", RW);
	compiles();
	cr_expect_eq(policy->plan->n_paths, 2 + MANY / 3);
	cr_expect_eq(policy->plan->n_links, MANY);
	has("top", RW, 0);
	has("out", R, 0);
	has("top/f3", R, SBXI_PATH_NARROWER);
}

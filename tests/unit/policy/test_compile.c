/* SPDX-License-Identifier: Apache-2.0 */
#include "compile_test.h"

TestSuite(compile, .init = make, .fini = drop, .timeout = 60);

Test(compile, an_empty_policy_has_an_empty_plan)
{
	compiles();
	cr_expect_eq(policy->plan->n_paths, 0);
	cr_expect_eq(policy->plan->paths, 0);
	cr_expect_eq(policy->plan->n_links, 0);
	cr_expect_eq(policy->plan->links, 0);
}

Test(compile, a_path_is_in_the_plan_with_the_identity_of_its_file)
{
	struct stat st;

	make_dir("d");
	grant("d", RW);
	compiles();
	has("d", RW, 0);
	cr_assert_eq(stat(in("d"), &st), 0);
	cr_expect_eq(path_at(in("d"))->id.ino, st.st_ino);
	cr_expect_eq(path_at(in("d"))->id.type, S_IFDIR);
	cr_expect_str_eq(str(path_at(in("d"))->source), in("d"));
}

Test(compile, a_second_time_changes_nothing)
{
	const struct sbxi_plan *plan;

	compiles();
	plan = policy->plan;
	compiles();
	cr_expect_eq(policy->plan, plan);
}

Test(compile, a_missing_path_is_named_and_nothing_is_frozen)
{
	make_dir("d");
	grant("d", R);
	grant("nothing", R);
	fails(-ENOENT, in("nothing"));
	cr_expect_eq(fail.remedy, SBXI_REMEDY_GRANT_PATH);
	make_dir("nothing");
	compiles();
	has("nothing", R, 0);
}

Test(compile, the_first_missing_path_is_named)
{
	grant("z", R);
	grant("a", R);
	fails(-ENOENT, in("z"));
}

Test(compile, an_optional_missing_path_is_left_out)
{
	make_dir("d");
	make_file("f");
	grant("d", R);
	grant_flags("nothing", R, SBX_PATH_OPTIONAL);
	grant_flags("f/below", R, SBX_PATH_OPTIONAL);
	compiles();
	cr_expect_eq(policy->plan->n_paths, 1);
}

Test(compile, optional_excuses_nothing_but_absence)
{
	make_link("self", "self");
	grant_flags("self", R, SBX_PATH_OPTIONAL);
	fails(-ELOOP, in("self"));
}

Test(compile, granting_twice_replaces_rights_and_flags)
{
	make_dir("d");
	grant_flags("d", RWX, SBX_PATH_NO_PROTECT);
	grant("d", R);
	compiles();
	cr_expect_eq(policy->plan->n_paths, 1);
	has("d", R, 0);
}

Test(compile, a_replaced_optional_path_is_optional_no_more)
{
	grant_flags("nothing", R, SBX_PATH_OPTIONAL);
	grant("nothing", R);
	fails(-ENOENT, in("nothing"));
}

Test(compile, one_made_optional_later_is_optional)
{
	grant("nothing", R);
	grant_flags("nothing", R, SBX_PATH_OPTIONAL);
	compiles();
	cr_expect_eq(policy->plan->n_paths, 0);
}

Test(compile, two_spellings_of_a_file_are_one_and_the_later_wins)
{
	make_dir("d");
	make_link("d", "l");
	grant("d", RWX);
	grant("l", R);
	compiles();
	cr_expect_eq(policy->plan->n_paths, 1);
	has("d", R, 0);
	cr_expect_str_eq(link_at(in("l")), "d");
}

Test(compile, the_same_rights_below_are_redundant)
{
	make_dir("d");
	make_dir("d/e");
	make_file("d/e/f");
	grant("d/e/f", RW);
	grant("d/e", RW);
	grant("d", RW);
	compiles();
	cr_expect_eq(policy->plan->n_paths, 1);
	has("d", RW, 0);
}

Test(compile, fewer_rights_below_are_narrower)
{
	make_dir("d");
	make_dir("d/e");
	make_dir("d/e/f");
	grant("d", RWX);
	grant("d/e", R);
	grant("d/e/f", R);
	compiles();
	cr_expect_eq(policy->plan->n_paths, 2);
	has("d", RWX, 0);
	has("d/e", R, SBXI_PATH_NARROWER);
}

Test(compile, more_rights_below_are_an_entry_of_their_own)
{
	make_dir("d");
	make_dir("d/e");
	grant("d", R);
	grant("d/e", RWX);
	compiles();
	has("d", R, 0);
	has("d/e", RWX, 0);
}

Test(compile, narrower_counts_against_every_path_above)
{
	make_dir("d");
	make_dir("d/e");
	make_dir("d/e/f");
	make_dir("d/e/g");
	grant("d", RWX);
	grant("d/e", R);
	grant("d/e/f", RW);
	grant("d/e/g", RWX);
	compiles();
	has("d/e", R, SBXI_PATH_NARROWER);
	has("d/e/f", RW, SBXI_PATH_NARROWER);
	has("d/e/g", RWX, 0);
}

Test(compile, other_rights_below_are_narrower_and_wider)
{
	make_dir("d");
	make_dir("d/e");
	grant("d", RW);
	grant("d/e", RX);
	compiles();
	has("d/e", RX, SBXI_PATH_NARROWER);
}

Test(compile, a_neighbour_with_the_same_beginning_is_not_below)
{
	make_dir("d");
	make_dir("d-e");
	make_dir("d/x");
	make_dir("de");
	grant("d", RWX);
	grant("d-e", R);
	grant("de", R);
	grant("d/x", RWX);
	compiles();
	cr_expect_eq(policy->plan->n_paths, 3);
	has("d-e", R, 0);
	has("de", R, 0);
}

Test(compile, trust_that_differs_is_no_redundancy)
{
	make_dir("d");
	make_dir("d/e");
	grant("d", RW);
	grant_flags("d/e", RW, SBX_PATH_NO_PROTECT);
	compiles();
	has("d", RW, 0);
	has("d/e", RW, SBXI_PATH_NO_PROTECT);
}

Test(compile, parents_come_first)
{
	static const char *const names[] = {
		"b", "a/x/y", "a-b", "a", "a/x", "a.b", "a/z",
	};
	static const char *const sorted[] = {
		"a", "a/x", "a/x/y", "a/z", "a-b", "a.b", "b",
	};
	const struct sbxi_plan_path *p;

	make_dir("a");
	make_dir("a/x");
	make_dir("a/x/y");
	make_dir("a/z");
	make_dir("a-b");
	make_dir("a.b");
	make_dir("b");
	for (size_t i = 0; i < 7; i++)
		grant(names[i], i % 2 ? R : RW);
	compiles();
	p = sbxi_plan_paths(policy->plan);
	cr_assert_eq(policy->plan->n_paths, 7);
	for (size_t i = 0; i < 7; i++)
		cr_expect_str_eq(str(p[i].dest), in(sorted[i]));
}

Test(compile, a_chosen_place_is_elsewhere_and_literal)
{
	make_dir("d");
	make_link("d", "l");
	grant_at("l", "/data", R);
	compiles();
	has("/data", R, SBXI_PATH_ELSEWHERE);
	cr_expect_str_eq(str(path_at("/data")->source), in("d"));
	cr_expect_eq(policy->plan->n_links, 0);
}

Test(compile, a_chosen_place_that_is_its_own_is_natural)
{
	make_dir("d");
	grant_at("d", in("d"), R);
	compiles();
	has("d", R, 0);
}

Test(compile, the_same_source_can_be_at_two_places)
{
	make_dir("d");
	grant("d", RW);
	grant_at("d", "/x", R);
	grant_at("d", "/y", R);
	compiles();
	cr_expect_eq(policy->plan->n_paths, 3);
	has("d", RW, 0);
	has("/x", R, SBXI_PATH_ELSEWHERE);
}

Test(compile, of_two_sources_at_one_place_the_later_wins)
{
	make_dir("d");
	make_dir("e");
	grant_at("d", "/x", RW);
	grant_at("e", "/x", R);
	compiles();
	cr_expect_eq(policy->plan->n_paths, 1);
	cr_expect_str_eq(str(path_at("/x")->source), in("e"));
	has("/x", R, SBXI_PATH_ELSEWHERE);
}

Test(compile, another_tree_inside_one_is_never_redundant)
{
	make_dir("d");
	make_dir("d/e");
	make_dir("other");
	grant("d", RW);
	grant_at("other", in("d/e"), RW);
	compiles();
	has("d/e", RW, SBXI_PATH_ELSEWHERE);
	cr_expect_str_eq(str(path_at(in("d/e"))->source), in("other"));
}

Test(compile, a_place_below_a_file_is_a_contradiction)
{
	make_file("f");
	make_dir("d");
	grant_at("f", "/x", R);
	grant_at("d", "/x/y", R);
	fails(-EINVAL, "/x/y");
}

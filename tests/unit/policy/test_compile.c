/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/policy.h"

#include "scratch.h"

static struct sbx_policy *policy;
static struct sbxi_fail fail;

static void make(void)
{
	make_scratch();
	cr_assert_eq(sbxi_policy_new(SBX_PROFILE_EMPTY, &policy), 0);
}

static void drop(void)
{
	sbxi_policy_free(policy);
	drop_scratch();
}

TestSuite(compile, .init = make, .fini = drop, .timeout = 60);

static void use_tool(void)
{
	sbxi_policy_free(policy);
	cr_assert_eq(sbxi_policy_new(SBX_PROFILE_TOOL, &policy), 0);
}

static void grant_flags(const char *name, uint32_t rights, uint32_t flags)
{
	const char *path = name[0] == '/' ? name : in(name);

	cr_assert_eq(sbxi_policy_add_path(policy, path, NULL, rights, flags,
					  &fail), 0, "%s: %s", name,
		     fail.text);
}

static void grant(const char *name, uint32_t rights)
{
	grant_flags(name, rights, 0);
}

static void grant_at(const char *name, const char *dest, uint32_t rights)
{
	const char *path = name[0] == '/' ? name : in(name);

	cr_assert_eq(sbxi_policy_add_path(policy, path, dest, rights, 0,
					  &fail), 0, "%s: %s", name,
		     fail.text);
}

static void compiles(void)
{
	cr_assert_eq(sbxi_policy_compile(policy, &fail), 0, "%s: %s",
		     fail.object, fail.text);
	cr_assert_not_null(policy->plan);
	cr_assert(policy->frozen);
}

static void fails(int code, const char *object)
{
	size_t before = policy->n_paths;

	fail = (struct sbxi_fail){ .step = 0 };
	cr_expect_eq(sbxi_policy_compile(policy, &fail), code);
	cr_expect_eq(fail.step, SBX_STEP_COMPILE);
	cr_expect_str_eq(fail.object, object, "%s", fail.object);
	cr_expect_str_neq(fail.text, "");
	cr_expect_null(policy->plan);
	cr_expect_not(policy->frozen);
	cr_expect_eq(policy->n_paths, before);
}

static const char *str(uint32_t offset)
{
	cr_assert_neq(offset, 0);
	cr_assert_lt(offset, policy->plan->size);
	return sbxi_plan_string(policy->plan, offset);
}

static const struct sbxi_plan_path *path_at(const char *dest)
{
	const struct sbxi_plan_path *p = sbxi_plan_paths(policy->plan);

	for (uint32_t i = 0; i < policy->plan->n_paths; i++)
		if (strcmp(str(p[i].dest), dest) == 0)
			return &p[i];
	return NULL;
}

static const char *link_at(const char *path)
{
	const struct sbxi_plan_link *l = sbxi_plan_links(policy->plan);

	for (uint32_t i = 0; i < policy->plan->n_links; i++)
		if (strcmp(str(l[i].path), path) == 0)
			return str(l[i].text);
	return NULL;
}

static void has(const char *name, uint32_t rights, uint32_t flags)
{
	const char *dest = name[0] == '/' ? name : in(name);
	const struct sbxi_plan_path *p = path_at(dest);

	cr_assert_not_null(p, "%s is not in the plan", dest);
	cr_expect_eq(p->rights, rights, "%s has rights %u", dest, p->rights);
	cr_expect_eq(p->flags, flags, "%s has flags %u", dest, p->flags);
}

#define R SBX_READ
#define RW (SBX_READ | SBX_WRITE)
#define RX (SBX_READ | SBX_EXEC)
#define RWX (SBX_READ | SBX_WRITE | SBX_EXEC)

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

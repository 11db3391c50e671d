/* SPDX-License-Identifier: Apache-2.0 */
/* The exported functions of <sandbox/policy.h>. */
#include <sandbox/policy.h>

#include <pthread.h>

#include "policy/policy.h"
#include "scratch.h"

static struct sbx_policy *policy;
static struct sbx_error err;

static void make(void)
{
	make_scratch();
	cr_assert_eq(sbx_policy_new(SBX_PROFILE_EMPTY, &policy, NULL), 0);
}

static void drop(void)
{
	sbx_policy_unref(policy);
	drop_scratch();
}

TestSuite(policy_api, .init = make, .fini = drop, .timeout = 30);

/* Every function that changes a policy, by number. */
static int change(int which)
{
	switch (which) {
	case 0:
		return sbx_policy_path(policy, "/a", SBX_READ, 0, &err);
	case 1:
		return sbx_policy_path_at(policy, "/a", "/b", SBX_READ, &err);
	case 2:
		return sbx_policy_env(policy, "A", "1");
	case 3:
		return sbx_policy_limit(policy, SBX_LIMIT_CPU_MS, 1);
	case 4:
		return sbx_policy_require(policy, SBX_PROP_CPU, SBX_OFF);
	case 5:
		return sbx_policy_protect(policy, SBX_PROTECT_OFF);
	default:
		return sbx_policy_network(policy, SBX_NET_NONE, 1);
	}
}
#define N_CHANGES 7

Test(policy_api, an_unknown_profile_is_refused_in_words)
{
	struct sbx_policy *out = policy;

	cr_expect_eq(sbx_policy_new(9, &out, &err), -EINVAL);
	cr_expect_eq(out, policy);
	cr_expect_eq(err.code, -EINVAL);
	cr_expect_eq(err.step, SBX_STEP_ARGUMENT);
	cr_expect_eq(err.where, SBX_WHERE_HARNESS);
	cr_expect_str_eq(err.object, "profile");
	cr_expect_eq(sbx_policy_new(9, &out, NULL), -EINVAL);
}

Test(policy_api, changes_are_taken_before_compile)
{
	for (int i = 0; i < N_CHANGES; i++)
		cr_expect_eq(change(i), 0, "%d", i);
	cr_expect_eq(policy->n_paths, 2);
	cr_expect_eq(policy->n_env, 1);
	cr_expect_eq(policy->limit[SBX_LIMIT_CPU_MS], 1);
	cr_expect_eq(policy->level[SBX_PROP_CPU], SBX_OFF);
	cr_expect_eq(policy->protect, SBX_PROTECT_OFF);
	cr_expect_eq(policy->loopback, 1);
}

Test(policy_api, changes_are_refused_after_compile)
{
	cr_assert_eq(sbx_policy_compile(policy, &err), 0);
	for (int i = 0; i < N_CHANGES; i++)
		cr_expect_eq(change(i), -EBUSY, "%d", i);
	cr_expect_eq(err.code, -EBUSY);
	cr_expect_eq(policy->n_paths, 0);
	cr_expect_eq(policy->n_env, 0);
	cr_expect_eq(policy->protect, SBX_PROTECT_STRICT);
	cr_expect_eq(sbx_policy_compile(policy, &err), 0);
}

Test(policy_api, changes_are_taken_after_a_compile_that_failed)
{
	cr_assert_eq(sbx_policy_path(policy, in("later"), SBX_READ, 0, NULL),
		     0);
	cr_expect_eq(sbx_policy_compile(policy, &err), -ENOENT);
	cr_expect_eq(err.code, -ENOENT);
	cr_expect_eq(err.step, SBX_STEP_COMPILE);
	cr_expect_str_eq(err.object, in("later"));
	cr_expect_str_neq(sbx_remedy_text(err.remedy), "");
	cr_expect_eq(sbx_policy_env(policy, "A", "1"), 0);
	make_dir("later");
	cr_expect_eq(sbx_policy_compile(policy, &err), 0);
}

static int change_in_child(void *unused)
{
	(void)unused;
	for (int i = 0; i < N_CHANGES; i++)
		if (change(i) != -ECHILD)
			return 1 + i;
	if (sbx_policy_compile(policy, &err) != -ECHILD)
		return 20;
	if (err.code != -ECHILD)
		return 21;
	sbx_policy_unref(sbx_policy_ref(policy));
	sbx_policy_unref(policy);
	return 0;
}

Test(policy_api, a_forked_copy_is_no_good)
{
	cr_expect_eq(in_child(change_in_child, NULL), 0);
	cr_expect_eq(change(0), 0);
}

Test(policy_api, a_forked_copy_of_a_frozen_one_is_no_good_either)
{
	cr_assert_eq(sbx_policy_compile(policy, NULL), 0);
	cr_expect_eq(in_child(change_in_child, NULL), 0);
	cr_expect_eq(sbx_policy_compile(policy, NULL), 0);
}

Test(policy_api, failures_of_paths_are_exported)
{
	cr_expect_eq(sbx_policy_path(policy, "a", SBX_READ, 0, &err), -EINVAL);
	cr_expect_eq(err.code, -EINVAL);
	cr_expect_str_eq(err.object, "a");
	cr_expect_eq(sbx_policy_path(policy, "/", SBX_READ, 0, &err), -EINVAL);
	cr_expect_not_null(strstr(err.text, "name the directories"));
	cr_expect_eq(sbx_policy_path(policy, "/a", 0, 0, &err), -EINVAL);
	cr_expect_eq(sbx_policy_path(policy, "/a", 1, 1u << 31, &err),
		     -EINVAL);
	cr_expect_eq(sbx_policy_path_at(policy, "/a", "/dev/x", 1, &err),
		     -EINVAL);
	cr_expect_str_eq(err.object, "/dev/x");
	cr_expect_eq(sbx_policy_path(policy, "a", SBX_READ, 0, NULL), -EINVAL);
	cr_expect_eq(policy->n_paths, 0);
}

Test(policy_api, success_leaves_the_error_untouched)
{
	memset(&err, 0x5a, sizeof(err));
	cr_expect_eq(change(0), 0);
	cr_expect_eq(err.code, 0x5a5a5a5a);
	cr_expect_eq(err.reserved, 0x5a5a5a5a);
}

Test(policy_api, unknown_levels_and_modes_are_refused)
{
	cr_expect_eq(sbx_policy_protect(policy, 3), -EINVAL);
	cr_expect_eq(sbx_policy_network(policy, 2, 0), -EINVAL);
	cr_expect_eq(sbx_policy_network(policy, SBX_NET_NONE, 2), -EINVAL);
	cr_expect_eq(sbx_policy_limit(policy, 8, 1), -EINVAL);
	cr_expect_eq(sbx_policy_require(policy, 17, SBX_OFF), -EINVAL);
	cr_expect_eq(sbx_policy_env(policy, "A=", "1"), -EINVAL);
	cr_expect_eq(policy->loopback, 0);
}

Test(policy_api, handles_are_counted)
{
	cr_expect_eq(sbx_policy_ref(policy), policy);
	sbx_policy_unref(policy);
	cr_expect_eq(change(0), 0);
	sbx_policy_unref(NULL);
}

static const char text[] = "{\"version\": 1, \"files\": ["
			   "{\"path\": \"${ws}\", \"rights\": \"r\"}]}";

/* Options as a later version may have them. */
struct longer_opts {
	struct sbx_load_opts now;
	uint64_t later[4];
};

Test(policy_api, load_takes_options_of_every_size)
{
	static const char *const vars[] = { "ws=/srv", NULL };
	struct longer_opts o = { .now = SBX_LOAD_OPTS_INIT };
	struct sbx_policy *out = NULL;

	o.now.vars = vars;
	cr_assert_eq(sbx_policy_load(text, strlen(text), &o.now, &out, &err),
		     0);
	cr_expect_str_eq(out->paths[0].source, "/srv");
	sbx_policy_unref(out);
	out = NULL;

	o.now.size = sizeof(o);
	cr_expect_eq(sbx_policy_load(text, strlen(text), &o.now, &out, &err),
		     0);
	sbx_policy_unref(out);
	out = NULL;

	o.later[3] = 1ull << 56;
	cr_expect_eq(sbx_policy_load(text, strlen(text), &o.now, &out, &err),
		     -E2BIG);
	cr_expect_null(out);
	cr_expect_eq(err.code, -E2BIG);
	o.now.size = sizeof(o.now) - 1;
	cr_expect_eq(sbx_policy_load(text, strlen(text), &o.now, &out, &err),
		     -EINVAL);
	o.now.size = 0;
	cr_expect_eq(sbx_policy_load(text, strlen(text), &o.now, &out, &err),
		     -EINVAL);
	o.now.size = sizeof(o.now);
	o.now.flags = 1;
	cr_expect_eq(sbx_policy_load(text, strlen(text), &o.now, &out, &err),
		     -EINVAL);
	cr_expect_str_eq(err.object, "opts.flags");
	cr_expect_null(out);
}

Test(policy_api, load_without_options_has_no_variables)
{
	struct sbx_policy *out = NULL;

	setenv("ws", "/srv", 1);
	cr_expect_eq(sbx_policy_load(text, strlen(text), NULL, &out, &err),
		     -EINVAL);
	cr_expect_str_eq(err.object, "files[0].path");
	cr_expect_eq(err.step, SBX_STEP_PARSE);
	cr_expect_null(out);
	cr_expect_eq(sbx_policy_load("{\"version\": 1}", 14, NULL, &out, &err),
		     0);
	sbx_policy_unref(out);
}

static void *compile_once(void *ret)
{
	*(int *)ret = sbx_policy_compile(policy, NULL);
	return NULL;
}

Test(policy_api, threads_may_compile_at_once)
{
	pthread_t thread[4];
	int rc[4] = { 1, 1, 1, 1 };

	make_dir("d");
	cr_assert_eq(sbx_policy_path(policy, in("d"), SBX_READ, 0, NULL), 0);
	for (int i = 0; i < 4; i++)
		cr_assert_eq(pthread_create(&thread[i], NULL, compile_once,
					    &rc[i]), 0);
	for (int i = 0; i < 4; i++) {
		pthread_join(thread[i], NULL);
		cr_expect_eq(rc[i], 0);
	}
	cr_expect_eq(policy->plan->n_paths, 1);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/policy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

static const char *const vars[] = { "ws=/srv/ws", "n=api", NULL };
static const char *const envp[] = { "LANG=C", "EMPTY=", "LANG=de", NULL };

static struct sbx_policy *policy;
static struct sbxi_fail fail;

static void drop(void)
{
	sbxi_policy_free(policy);
	policy = NULL;
}

TestSuite(json, .fini = drop, .timeout = 20);

static int load_bytes(const char *text, size_t len)
{
	drop();
	fail = (struct sbxi_fail){ .step = 0 };
	return sbxi_policy_from_json(text, len, vars, envp, &policy, &fail);
}

/* body: the members after the version. */
static int load(const char *body)
{
	char text[4096];
	int n = snprintf(text, sizeof(text), "{\"version\": 1%s%s}",
			 *body ? ", " : "", body);

	return load_bytes(text, (size_t)n);
}

static void loads(const char *body)
{
	cr_assert_eq(load(body), 0, "%s: %s: %s", body, fail.object,
		     fail.text);
}

static void fails(const char *body, int code, const char *object)
{
	cr_expect_eq(load(body), code, "%s", body);
	cr_expect_null(policy, "%s", body);
	cr_expect_eq(fail.step, SBX_STEP_PARSE, "%s", body);
	cr_expect_str_eq(fail.object, object, "%s: %s", body, fail.object);
	cr_expect_str_neq(fail.text, "", "%s", body);
}

static const char *env(const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < policy->n_env; i++)
		if (strncmp(policy->env[i], name, len) == 0 &&
		    policy->env[i][len] == '=')
			return policy->env[i] + len + 1;
	return NULL;
}

Test(json, the_smallest_policy_is_empty)
{
	loads("");
	cr_expect_eq(policy->profile, SBX_PROFILE_EMPTY);
	cr_expect_eq(policy->n_paths, 0);
	cr_expect_eq(policy->loopback, 0);
	cr_expect_null(policy->name);
}

Test(json, all_of_it_arrives)
{
	size_t system;

	loads("\"profile\": \"tool\"");
	system = policy->n_paths;
	loads("\"name\": \"fix\", \"profile\": \"tool\", \"files\": ["
	      "{\"path\": \"${ws}\", \"rights\": \"wxr\"},"
	      "{\"path\": \"/opt/d/\", \"dest\": \"/d\", \"rights\": \"r\","
	      " \"optional\": true, \"protect\": false}],"
	      "\"grants\": [{\"name\": \"${n}\", \"connect\":"
	      " \"tcp:h.example:443\"}, {\"name\": \"f\", \"open\": \"${ws}/f\","
	      " \"rights\": \"rw\", \"fd\": 9}],"
	      "\"network\": \"none\", \"loopback\": false,"
	      "\"protect\": \"existing\","
	      "\"environment\": {\"pass\": [\"LANG\"], \"set\": {\"A\": \"$$1\"}},"
	      "\"limits\": {\"wall_ms\": 600000, \"memory_bytes\": 1073741824},"
	      "\"properties\": {\"memory\": \"require\", \"names\": \"off\"}");
	cr_expect_str_eq(policy->name, "fix");
	cr_expect_eq(policy->profile, SBX_PROFILE_TOOL);
	cr_assert_eq(policy->n_paths, system + 2);
	cr_expect_str_eq(policy->paths[system].source, "/srv/ws");
	cr_expect_null(policy->paths[system].dest);
	cr_expect_eq(policy->paths[system].rights, 7);
	cr_expect_eq(policy->paths[system].flags, 0);
	cr_expect_str_eq(policy->paths[system + 1].source, "/opt/d");
	cr_expect_str_eq(policy->paths[system + 1].dest, "/d");
	cr_expect_eq(policy->paths[system + 1].rights, SBX_READ);
	cr_expect_eq(policy->paths[system + 1].flags,
		     SBX_PATH_OPTIONAL | SBX_PATH_NO_PROTECT);
	cr_assert_eq(policy->n_grants, 2);
	cr_expect_eq(policy->grants[0].kind, SBX_GRANT_CONNECT);
	cr_expect_str_eq(policy->grants[0].name, "api");
	cr_expect_str_eq(policy->grants[0].target, "tcp:h.example:443");
	cr_expect_eq(policy->grants[0].rights, 0);
	cr_expect_eq(policy->grants[0].task_fd, -1);
	cr_expect_eq(policy->grants[1].kind, SBX_GRANT_FILE);
	cr_expect_str_eq(policy->grants[1].target, "/srv/ws/f");
	cr_expect_eq(policy->grants[1].rights, SBX_READ | SBX_WRITE);
	cr_expect_eq(policy->grants[1].task_fd, 9);
	cr_expect_eq(policy->loopback, 0);
	cr_expect_eq(policy->protect, SBX_PROTECT_EXISTING);
	cr_expect_str_eq(env("LANG"), "C");
	cr_expect_str_eq(env("A"), "$1");
	cr_expect_eq(policy->limit[SBX_LIMIT_WALL_MS], 600000);
	cr_expect_eq(policy->limit[SBX_LIMIT_MEMORY], 1073741824);
	cr_expect_eq(policy->limit_asked, 1u << SBX_LIMIT_WALL_MS |
		     1u << SBX_LIMIT_MEMORY);
	cr_expect_eq(policy->level[SBX_PROP_MEMORY], SBX_REQUIRE);
	cr_expect_eq(policy->level[SBX_PROP_NAMES], SBX_OFF);
}

Test(json, a_file_to_open_is_read_by_default)
{
	loads("\"grants\": [{\"name\": \"f\", \"open\": \"/f\"}]");
	cr_expect_eq(policy->grants[0].rights, SBX_READ);
}

Test(json, text_that_is_no_object_is_refused)
{
	static const char *const bad[] = {
		"", " ", "null", "1", "\"x\"", "[]", "[{}]", "{", "}", "{,}",
		"{\"version\": 1", "{\"version\": 1}}", "{\"version\": 1} x",
		"{'version': 1}", "{\"version\": 1,}", "{version: 1}",
		"{\"version\": 1 /* c */}", "\xef\xbb\xbf{\"version\": 1}",
		"{\"version\": 01}", "{\"version\": 1, \"name\": \"\xff\"}",
		"{\"version\": 1, \"name\": \"\\ud800\"}",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		cr_expect_eq(load_bytes(bad[i], strlen(bad[i])), -EINVAL,
			     "%s", bad[i]);
		cr_expect_null(policy);
		cr_expect_eq(fail.step, SBX_STEP_PARSE);
		cr_expect_str_neq(fail.text, "");
	}
}

Test(json, the_text_need_not_end_in_nul)
{
	cr_expect_eq(load_bytes("{\"version\": 1}garbage", 14), 0);
}

Test(json, the_version_is_1)
{
	static const char *const bad[] = {
		"{}", "{\"version\": 0}", "{\"version\": 2}",
		"{\"version\": \"1\"}", "{\"version\": 1.0}",
		"{\"version\": true}", "{\"version\": null}",
		"{\"name\": \"x\"}",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		cr_expect_eq(load_bytes(bad[i], strlen(bad[i])), -EINVAL,
			     "%s", bad[i]);
		cr_expect_str_eq(fail.object, "version");
	}
}

Test(json, unknown_keys_are_named_with_their_place)
{
	fails("\"filez\": []", -EINVAL, "filez");
	fails("\"files\": [{\"path\": \"/a\", \"rigths\": \"r\"}]", -EINVAL,
	      "files[0].rigths");
	fails("\"grants\": [{\"name\": \"a\", \"open\": \"/a\"},"
	      "{\"name\": \"b\", \"opne\": \"/a\"}]", -EINVAL,
	      "grants[1].opne");
	fails("\"environment\": {\"sett\": {}}", -EINVAL, "environment.sett");
	fails("\"limits\": {\"wall\": 1}", -EINVAL, "limits.wall");
	fails("\"properties\": {\"file\": \"off\"}", -EINVAL,
	      "properties.file");
	fails("\"Name\": \"x\"", -EINVAL, "Name");
	fails("\"\": 1", -EINVAL, "");
}

Test(json, duplicate_keys_are_named)
{
	fails("\"version\": 1", -EINVAL, "version");
	fails("\"files\": [{\"path\": \"/a\", \"path\": \"/b\","
	      " \"rights\": \"r\"}]", -EINVAL, "path");
	fails("\"environment\": {\"set\": {\"A\": \"1\", \"A\": \"1\"}}",
	      -EINVAL, "A");
	/* The same key, spelled otherwise. */
	fails("\"n\\u0061me\": \"x\", \"name\": \"y\"", -EINVAL, "name");
}

Test(json, needed_keys_are_named)
{
	fails("\"files\": [{\"rights\": \"r\"}]", -EINVAL, "files[0].path");
	fails("\"files\": [{\"path\": \"/a\"}]", -EINVAL, "files[0].rights");
	fails("\"grants\": [{\"open\": \"/a\"}]", -EINVAL, "grants[0].name");
	fails("\"grants\": [{\"name\": \"a\"}]", -EINVAL, "grants[0]");
	fails("\"grants\": [{\"name\": \"a\", \"open\": \"/a\","
	      " \"connect\": \"tcp:h:1\"}]", -EINVAL, "grants[0]");
}

Test(json, wrong_types_are_refused)
{
	fails("\"name\": 1", -EINVAL, "name");
	fails("\"name\": null", -EINVAL, "name");
	fails("\"profile\": [\"tool\"]", -EINVAL, "profile");
	fails("\"files\": {}", -EINVAL, "files");
	fails("\"files\": [[]]", -EINVAL, "files[0]");
	fails("\"files\": [{\"path\": 1, \"rights\": \"r\"}]", -EINVAL,
	      "files[0].path");
	fails("\"files\": [{\"path\": \"/a\", \"rights\": 1}]", -EINVAL,
	      "files[0].rights");
	fails("\"files\": [{\"path\": \"/a\", \"rights\": \"r\","
	      " \"optional\": 1}]", -EINVAL, "files[0].optional");
	fails("\"files\": [{\"path\": \"/a\", \"rights\": \"r\","
	      " \"protect\": \"no\"}]", -EINVAL, "files[0].protect");
	fails("\"grants\": [{\"name\": \"a\", \"open\": \"/a\","
	      " \"fd\": \"3\"}]", -EINVAL, "grants[0].fd");
	fails("\"network\": true", -EINVAL, "network");
	fails("\"loopback\": 1", -EINVAL, "loopback");
	fails("\"loopback\": null", -EINVAL, "loopback");
	fails("\"protect\": false", -EINVAL, "protect");
	fails("\"environment\": []", -EINVAL, "environment");
	fails("\"environment\": {\"pass\": \"A\"}", -EINVAL,
	      "environment.pass");
	fails("\"environment\": {\"pass\": [1]}", -EINVAL,
	      "environment.pass[0]");
	fails("\"environment\": {\"set\": []}", -EINVAL, "environment.set");
	fails("\"environment\": {\"set\": {\"A\": 1}}", -EINVAL,
	      "environment.set.A");
	fails("\"limits\": []", -EINVAL, "limits");
	fails("\"properties\": []", -EINVAL, "properties");
	fails("\"properties\": {\"cpu\": true}", -EINVAL, "properties.cpu");
}

Test(json, limits_are_whole_numbers_over_0)
{
	fails("\"limits\": {\"wall_ms\": 0}", -EINVAL, "limits.wall_ms");
	fails("\"limits\": {\"wall_ms\": -1}", -EINVAL, "limits.wall_ms");
	fails("\"limits\": {\"wall_ms\": 1.5}", -EINVAL, "limits.wall_ms");
	fails("\"limits\": {\"wall_ms\": 1e3}", -EINVAL, "limits.wall_ms");
	fails("\"limits\": {\"wall_ms\": \"1\"}", -EINVAL, "limits.wall_ms");
	cr_expect_eq(load("\"limits\": {\"wall_ms\": 9223372036854775808}"),
		     -EINVAL);
	loads("\"limits\": {\"wall_ms\": 9223372036854775807}");
	cr_expect_eq(policy->limit[SBX_LIMIT_WALL_MS], INT64_MAX);
}

Test(json, every_limit_and_every_property_can_be_set)
{
	char body[128];

	for (uint32_t i = 0; i < SBXI_N_LIMITS; i++) {
		snprintf(body, sizeof(body), "\"limits\": {\"%s\": 77}",
			 sbxi_limit_name(i));
		loads(body);
		cr_expect_eq(policy->limit[i], 77);
		cr_expect_eq(policy->limit_asked, 1u << i);
	}
	for (uint32_t i = 0; i < SBXI_N_PROPERTIES; i++) {
		snprintf(body, sizeof(body), "\"properties\": {\"%s\": \"off\"}",
			 sbxi_property_name(i));
		loads(body);
		cr_expect_eq(policy->level[i], SBX_OFF);
	}
}

Test(json, words_have_to_be_known)
{
	fails("\"profile\": \"tools\"", -EINVAL, "profile");
	fails("\"profile\": \"TOOL\"", -EINVAL, "profile");
	fails("\"network\": \"all\"", -EINVAL, "network");
	fails("\"protect\": \"on\"", -EINVAL, "protect");
	fails("\"properties\": {\"cpu\": \"must\"}", -EINVAL,
	      "properties.cpu");
	fails("\"protect\": \"${n}\"", -EINVAL, "protect");
}

Test(json, rights_are_letters_each_at_most_once)
{
	static const char *const bad[] = { "", "rr", "rwxr", "rwxa", "R", " " };
	static const char *const good[] = { "r", "w", "x", "xr", "rwx" };
	char body[128];

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		snprintf(body, sizeof(body),
			 "\"files\": [{\"path\": \"/a\", \"rights\": \"%s\"}]",
			 bad[i]);
		fails(body, -EINVAL, "files[0].rights");
	}
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		snprintf(body, sizeof(body),
			 "\"files\": [{\"path\": \"/a\", \"rights\": \"%s\"}]",
			 good[i]);
		loads(body);
	}
	fails("\"grants\": [{\"name\": \"a\", \"open\": \"/a\","
	      " \"rights\": \"rx\"}]", -EINVAL, "grants[0].rights");
}

Test(json, numbers_of_grants_are_3_or_more)
{
	fails("\"grants\": [{\"name\": \"a\", \"open\": \"/a\", \"fd\": 2}]",
	      -EINVAL, "grants[0].fd");
	fails("\"grants\": [{\"name\": \"a\", \"open\": \"/a\", \"fd\": -1}]",
	      -EINVAL, "grants[0].fd");
	fails("\"grants\": [{\"name\": \"a\", \"open\": \"/a\","
	      " \"fd\": 4294967299}]", -EINVAL, "grants[0].fd");
	loads("\"grants\": [{\"name\": \"a\", \"open\": \"/a\", \"fd\": 3}]");
}

Test(json, bad_paths_are_named_by_their_key)
{
	fails("\"files\": [{\"path\": \"a\", \"rights\": \"r\"}]", -EINVAL,
	      "files[0].path");
	fails("\"files\": [{\"path\": \"/\", \"rights\": \"r\"}]", -EINVAL,
	      "files[0].path");
	fails("\"files\": [{\"path\": \"/a/../b\", \"rights\": \"r\"}]",
	      -EINVAL, "files[0].path");
	fails("\"files\": [{\"path\": \"/a\", \"dest\": \"/proc/x\","
	      " \"rights\": \"r\"}]", -EINVAL, "files[0].dest");
	fails("\"grants\": [{\"name\": \"a\", \"open\": \"a\"}]", -EINVAL,
	      "grants[0].open");
	fails("\"grants\": [{\"name\": \"a\", \"connect\": \"udp:h:1\"}]",
	      -EINVAL, "grants[0].connect");
	fails("\"grants\": [{\"name\": \"a b\", \"open\": \"/a\"}]", -EINVAL,
	      "grants[0].name");
	fails("\"grants\": [{\"name\": \"a\", \"open\": \"/a\"},"
	      "{\"name\": \"a\", \"open\": \"/b\"}]", -EINVAL,
	      "grants[1].name");
}

Test(json, an_overlong_path_is_refused)
{
	char body[1024];
	char name[300];

	memset(name, 'a', 256);
	name[256] = '\0';
	snprintf(body, sizeof(body),
		 "\"files\": [{\"path\": \"/%s\", \"rights\": \"r\"}]", name);
	fails(body, -ENAMETOOLONG, "files[0].path");
	name[255] = '\0';
	snprintf(body, sizeof(body),
		 "\"files\": [{\"path\": \"/%s\", \"rights\": \"r\"}]", name);
	loads(body);
}

Test(json, parts_of_later_versions_are_never_silently_accepted)
{
	static const struct {
		const char *body, *object;
	} later[] = {
		{ "\"forbid\": []", "forbid" },
		{ "\"profile\": \"call\"", "profile" },
		{ "\"grants\": [{\"name\": \"a\", \"listen\":"
		  " \"tcp:127.0.0.1:1\"}]", "grants[0].listen" },
	};

	for (size_t i = 0; i < sizeof(later) / sizeof(*later); i++) {
		fails(later[i].body, -EOPNOTSUPP, later[i].object);
		cr_expect_eq(fail.remedy, SBXI_REMEDY_VERSION);
		cr_expect_not_null(strstr(fail.text, later[i].object), "%s",
				   fail.text);
	}
}

Test(json, variables_without_a_value_are_named)
{
	fails("\"files\": [{\"path\": \"${nobody}/x\", \"rights\": \"r\"}]",
	      -EINVAL, "files[0].path");
	cr_expect_not_null(strstr(fail.text, "\"nobody\""), "%s", fail.text);
	fails("\"name\": \"${ws\"", -EINVAL, "name");
	fails("\"environment\": {\"set\": {\"A\": \"${HOME}\"}}", -EINVAL,
	      "environment.set.A");
	fails("\"environment\": {\"set\": {\"A\": \"${LANG}\"}}", -EINVAL,
	      "environment.set.A");
}

Test(json, values_cannot_leave_the_place_they_are_put_in)
{
	static const char *const up[] = { "x=../../etc", NULL };
	static const char text[] = "{\"version\": 1, \"files\": ["
		"{\"path\": \"/srv/${x}\", \"rights\": \"r\"}]}";

	cr_expect_eq(sbxi_policy_from_json(text, strlen(text), up, NULL,
					   &policy, &fail), -EINVAL);
	cr_expect_null(policy);
}

Test(json, keys_are_not_expanded)
{
	fails("\"${n}\": 1", -EINVAL, "${n}");
	loads("\"environment\": {\"set\": {\"${n}\": \"1\"}}");
	cr_expect_str_eq(env("${n}"), "1");
}

Test(json, bad_lists_of_variables_are_refused)
{
	static const char *const bad[] = { "a=1", "novalue", NULL };
	static const char text[] = "{\"version\": 1}";

	cr_expect_eq(sbxi_policy_from_json(text, strlen(text), bad, NULL,
					   &policy, &fail), -EINVAL);
	cr_expect_str_eq(fail.object, "novalue");
	cr_expect_null(policy);
}

Test(json, pass_takes_what_is_there_and_nothing_else)
{
	loads("\"environment\": {\"pass\": [\"LANG\", \"EMPTY\", \"PATH\"]}");
	cr_expect_str_eq(env("LANG"), "C");
	cr_expect_str_eq(env("EMPTY"), "");
	cr_expect_null(env("PATH"));
	cr_expect_eq(policy->n_env, 2);
}

Test(json, set_wins_over_pass_whatever_the_order)
{
	loads("\"environment\": {\"set\": {\"LANG\": \"x\"},"
	      " \"pass\": [\"LANG\"]}");
	cr_expect_str_eq(env("LANG"), "x");
	cr_expect_eq(policy->n_env, 1);
}

Test(json, names_of_variables_are_checked_also_if_not_there)
{
	fails("\"environment\": {\"pass\": [\"SBX_FDS\"]}", -EINVAL,
	      "environment.pass[0]");
	fails("\"environment\": {\"pass\": [\"LANG\", \"\"]}", -EINVAL,
	      "environment.pass[1]");
	fails("\"environment\": {\"pass\": [\"A=B\"]}", -EINVAL,
	      "environment.pass[0]");
	fails("\"environment\": {\"set\": {\"LISTEN_FDS\": \"1\"}}", -EINVAL,
	      "environment.set.LISTEN_FDS");
	loads("\"environment\": {\"set\": {\"LD_PRELOAD\": \"/x.so\","
	      " \"BASH_ENV\": \"/x\"}}");
}

Test(json, nul_bytes_are_refused_raw_and_escaped)
{
	static const char raw[] = "{\"version\": 1, \"name\": \"a\0b\"}";
	static const char outside[] = "{\"version\": 1}\0";

	cr_expect_eq(load_bytes(raw, sizeof(raw) - 1), -EINVAL);
	cr_expect_eq(load_bytes(outside, sizeof(outside) - 1), -EINVAL);
	cr_expect_eq(load_bytes(outside, sizeof(outside) - 2), 0);
	cr_expect_eq(load("\"name\": \"a\\u0000b\""), -EINVAL);
	cr_expect_eq(load("\"files\": [{\"path\": \"/a\\u0000\","
			  " \"rights\": \"r\"}]"), -EINVAL);
	cr_expect_eq(load("\"na\\u0000me\": \"x\""), -EINVAL);
	cr_expect_eq(load("\"environment\": {\"set\":"
			  " {\"A\\u0000\": \"x\"}}"), -EINVAL);
	cr_expect_null(policy);
}

Test(json, text_of_1_mib_is_taken_and_a_byte_more_is_not)
{
	size_t size = (1u << 20) + 1;
	char *text = malloc(size);

	cr_assert_not_null(text);
	memset(text, ' ', size);
	memcpy(text, "{\"version\": 1}", 14);
	cr_expect_eq(load_bytes(text, size - 1), 0);
	cr_expect_eq(load_bytes(text, size), -E2BIG);
	cr_expect_null(policy);
	free(text);
}

Test(json, nesting_over_32_is_refused_before_it_is_parsed)
{
	char text[256];
	size_t n = 0;

	memset(text, '[', 32);
	cr_expect_eq(load_bytes(text, 32), -EINVAL);
	text[32] = '[';
	cr_expect_eq(load_bytes(text, 33), -E2BIG);
	/* Brackets in strings are text. */
	n = (size_t)snprintf(text, sizeof(text), "{\"version\": 1, \"name\":"
			     " \"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\\\"[\"}");
	cr_expect_eq(load_bytes(text, n), 0);
}

Test(json, names_are_short_and_printable)
{
	char body[400];
	char name[300];

	fails("\"name\": \"\"", -EINVAL, "name");
	fails("\"name\": \"a\\u001bb\"", -EINVAL, "name");
	memset(name, 'n', 256);
	name[256] = '\0';
	snprintf(body, sizeof(body), "\"name\": \"%s\"", name);
	fails(body, -EINVAL, "name");
	name[255] = '\0';
	snprintf(body, sizeof(body), "\"name\": \"%s\"", name);
	loads(body);
}

Test(json, errors_carry_no_control_characters)
{
	fails("\"a\\u001b[31mb\": 1", -EINVAL, "a?[31mb");
	fails("\"a\\u009bb\": 1", -EINVAL, "a??b");
	fails("\"a\\u00e9\": 1", -EINVAL, "a\xc3\xa9");
	cr_expect_eq(load("\"protect\": \"\\n\\u007f\""), -EINVAL);
	for (const char *c = fail.text; *c; c++)
		cr_expect(*c >= ' ' && *c != 0x7f);
}

Test(json, very_long_keys_are_cut_in_errors)
{
	char body[1024] = "\"";

	memset(body + 1, 'k', 600);
	memcpy(body + 601, "\": 1", 5);
	cr_expect_eq(load(body), -EINVAL);
	cr_expect_eq(strlen(fail.object), 255);
}

Test(json, failure_leaves_the_output_untouched)
{
	static const char text[] = "{\"version\": 1, \"profile\": \"tool\","
				   "\"files\": [{\"path\": \"/a\","
				   "\"rights\": \"r\"}, 3]}";
	struct sbx_policy *const marker = (void *)&fail;
	struct sbx_policy *out = marker;

	cr_expect_eq(sbxi_policy_from_json(text, strlen(text), vars, envp,
					   &out, &fail), -EINVAL);
	cr_expect_eq(out, marker);
	cr_expect_str_eq(fail.object, "files[1]");
}

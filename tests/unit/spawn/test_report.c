/* SPDX-License-Identifier: Apache-2.0 */
/* A report made from a target's message: its rows and its JSON. */
#include "spawn/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <jansson.h>

#include <sandbox/policy.h>

#include "base/errors.h"
#include "policy/policy.h"

static struct sbxi_msg_report msg;
static uint32_t levels[SBXI_N_PROPERTIES];
static struct sbx_report *report;

/* All enforced but a few rows, each with another story. */
static void make_report(void)
{
	msg = (struct sbxi_msg_report){
		.type = SBXI_MSG_REPORT,
		.tier = SBX_TIER_A,
		.landlock_abi = 7,
	};
	for (size_t i = 0; i < SBXI_N_PROPERTIES; i++) {
		levels[i] = SBX_REQUIRE;
		msg.row[i].state = SBX_STATE_ENFORCED;
	}
	for (size_t i = 0; i < SBXI_N_LIMITS; i++)
		msg.limit[i] = SBXI_NO_LIMIT;
	msg.limit[SBX_LIMIT_PROCESSES] = 512;
	msg.limit[SBX_LIMIT_MEMORY] = 1ull << 40;
	msg.row[SBX_PROP_FILES].mechanisms =
		SBXI_MECH_MNTNS | SBXI_MECH_LANDLOCK | SBXI_MECH_USERNS;
	msg.row[SBX_PROP_FILES].verified = SBX_VERIFIED_CANARY;
	levels[SBX_PROP_IDENTITY] = SBX_PREFER;
	msg.row[SBX_PROP_IDENTITY] = (struct sbxi_row){
		.state = SBX_STATE_PARTIAL,
		.gap = SBXI_GAP_GROUPS,
		.sys_errno = EPERM,
		.remedy = SBXI_REMEDY_TASK_ID,
	};
	levels[SBX_PROP_TIME] = SBX_OFF;
	msg.row[SBX_PROP_TIME] = (struct sbxi_row){ .gap = SBXI_GAP_UNLIMITED };
	cr_assert_eq(sbxi_report_new(&msg, levels, &report), 0);
}

static void free_report(void)
{
	sbx_report_free(report);
}

TestSuite(report, .init = make_report, .fini = free_report, .timeout = 10);

static struct sbx_report_row row_of(uint32_t property)
{
	struct sbx_report_row row = SBX_REPORT_ROW_INIT;

	cr_assert_eq(sbx_report_row(report, property, &row), 0);
	return row;
}

Test(report, every_property_has_its_row_in_order)
{
	struct sbx_report_row row = SBX_REPORT_ROW_INIT;
	uint32_t i;

	for (i = 0; sbx_report_row(report, i, &row) == 0; i++) {
		cr_expect_eq(row.id, i);
		cr_expect_str_eq(row.name, sbxi_property_name(i));
		cr_expect_eq(row.size, sizeof(row));
	}
	cr_expect_eq(i, SBXI_N_PROPERTIES);
	cr_expect_eq(sbx_report_tier(report), SBX_TIER_A);
}

Test(report, a_row_says_what_the_target_said)
{
	struct sbx_report_row row = row_of(SBX_PROP_FILES);

	cr_expect_eq(row.level, SBX_REQUIRE);
	cr_expect_eq(row.state, SBX_STATE_ENFORCED);
	cr_expect_eq(row.verified, SBX_VERIFIED_CANARY);
	cr_expect_str_eq(row.mechanisms, "userns,mntns,landlock");
	cr_expect_str_eq(row.object, "");
	cr_expect_eq(row.sys_errno, 0);
	cr_expect_eq(row.remedy, 0);
}

Test(report, a_gap_is_told_in_words_with_errno_and_remedy)
{
	struct sbx_report_row row = row_of(SBX_PROP_IDENTITY);

	cr_expect_eq(row.level, SBX_PREFER);
	cr_expect_eq(row.state, SBX_STATE_PARTIAL);
	cr_expect_eq(row.sys_errno, EPERM);
	cr_expect_eq(row.remedy, SBXI_REMEDY_TASK_ID);
	cr_expect_not_null(strstr(row.object, "supplementary groups"));
}

Test(report, a_row_past_the_end_is_none_and_touches_nothing)
{
	struct sbx_report_row row = SBX_REPORT_ROW_INIT, before;

	row.id = 4711;
	before = row;
	cr_expect_eq(sbx_report_row(report, SBXI_N_PROPERTIES, &row), -ENOENT);
	cr_expect_eq(sbx_report_row(report, SIZE_MAX, &row), -ENOENT);
	cr_expect_eq(memcmp(&row, &before, sizeof(row)), 0);
}

Test(report, a_row_of_a_wrong_size_is_refused_and_touches_nothing)
{
	const uint32_t sizes[] = { 0, 4, sizeof(struct sbx_report_row) - 1,
				   4097, UINT32_MAX };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct sbx_report_row row = SBX_REPORT_ROW_INIT, before;

		row.size = sizes[i];
		before = row;
		cr_expect_eq(sbx_report_row(report, 0, &row), -EINVAL);
		cr_expect_eq(memcmp(&row, &before, sizeof(row)), 0);
	}
}

Test(report, a_later_callers_row_ends_in_zeros)
{
	struct {
		struct sbx_report_row row;
		unsigned char tail[16], behind;
	} later = { .row = SBX_REPORT_ROW_INIT };

	memset(later.tail, 0xff, sizeof(later.tail));
	later.behind = 0xff;
	later.row.size = sizeof(later.row) + sizeof(later.tail);
	cr_assert_eq(sbx_report_row(report, 0, &later.row), 0);
	cr_expect_eq(later.row.size, sizeof(later.row) + sizeof(later.tail));
	cr_expect_str_eq(later.row.name, "files");
	for (size_t i = 0; i < sizeof(later.tail); i++)
		cr_expect_eq(later.tail[i], 0);
	cr_expect_eq(later.behind, 0xff);
}

Test(report, all_mechanisms_together_fit_and_differ)
{
	char all[sizeof(report->line->mechanisms)], one[32];
	size_t len = SBXI_N_MECHS - 1;		/* commas */

	sbxi_mechanism_names((1u << SBXI_N_MECHS) - 1, all, sizeof(all));
	for (int i = 0; i < SBXI_N_MECHS; i++) {
		sbxi_mechanism_names(1u << i, one, sizeof(one));
		cr_expect_gt(strlen(one), 0, "mechanism %d", i);
		cr_expect_not_null(strstr(all, one));
		len += strlen(one);
	}
	cr_expect_eq(strlen(all), len);
	sbxi_mechanism_names(0, all, sizeof(all));
	cr_expect_str_eq(all, "");
}

Test(report, every_gap_has_a_text_of_its_own)
{
	char text[SBXI_N_GAPS][256];

	for (uint32_t i = 0; i < SBXI_N_GAPS; i++) {
		struct sbx_report *r = NULL;
		struct sbx_report_row row = SBX_REPORT_ROW_INIT;

		msg.row[0].gap = i;
		cr_assert_eq(sbxi_report_new(&msg, levels, &r), 0);
		cr_assert_eq(sbx_report_row(r, 0, &row), 0);
		snprintf(text[i], sizeof(text[i]), "%s", row.object);
		sbx_report_free(r);
		cr_expect_eq(text[i][0] == '\0', i == SBXI_GAP_NONE, "%u", i);
		cr_expect_lt(strlen(text[i]), 200);
		for (uint32_t k = 0; k < i; k++)
			cr_expect_str_neq(text[i], text[k]);
	}
}

Test(report, an_unknown_gap_has_no_text)
{
	struct sbx_report *r = NULL;
	struct sbx_report_row row = SBX_REPORT_ROW_INIT;

	msg.row[0].gap = UINT32_MAX;
	cr_assert_eq(sbxi_report_new(&msg, levels, &r), 0);
	cr_assert_eq(sbx_report_row(r, 0, &row), 0);
	cr_expect_str_eq(row.object, "");
	sbx_report_free(r);
}

Test(report, free_takes_null)
{
	sbx_report_free(NULL);
}

/* The report's JSON, parsed; one line, and of the caller's heap. */
static json_t *parsed(const struct sbx_report *r)
{
	char *text = NULL;
	json_error_t error;
	json_t *root;

	cr_assert_eq(sbx_report_json(r, &text), 0);
	cr_expect_null(strchr(text, '\n'));
	root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
	cr_assert_not_null(root, "%s: %s", error.text, text);
	free(text);
	return root;
}

static const char *text_at(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	cr_assert_not_null(value, "%s", key);
	cr_assert(json_is_string(value), "%s", key);
	return json_string_value(value);
}

static const json_t *line_named(const json_t *root, const char *list,
				const char *name)
{
	const json_t *lines = json_object_get(root, list);
	json_t *line;
	size_t i;

	cr_assert(json_is_array(lines), "%s", list);
	json_array_foreach(lines, i, line)
		if (!strcmp(text_at(line, "name"), name))
			return line;
	cr_assert_fail("no line %s", name);
	return NULL;
}

Test(report, the_json_has_head_and_limits)
{
	json_t *root = parsed(report);
	const json_t *limits = json_object_get(root, "limits");

	cr_expect_eq(json_integer_value(json_object_get(root, "version")), 1);
	cr_expect_str_eq(text_at(root, "tier"), "A");
	cr_expect_str_eq(text_at(root, "kind"), "task");
	cr_expect_null(json_object_get(root, "tier_reason"));
	cr_expect_null(json_object_get(root, "mechanisms"));
	cr_expect_eq(json_object_size(limits), SBXI_N_LIMITS);
	cr_expect_eq(json_integer_value(json_object_get(limits, "processes")),
		     512);
	cr_expect_eq(json_integer_value(json_object_get(limits,
							"memory_bytes")),
		     1ll << 40);
	cr_expect(json_is_null(json_object_get(limits, "wall_ms")));
	json_decref(root);
}

Test(report, the_json_has_a_line_for_each_property)
{
	json_t *root = parsed(report);
	const json_t *lines = json_object_get(root, "properties");

	cr_assert_eq(json_array_size(lines), SBXI_N_PROPERTIES);
	for (uint32_t i = 0; i < SBXI_N_PROPERTIES; i++) {
		const json_t *line = json_array_get(lines, i);

		cr_expect_str_eq(text_at(line, "name"), sbxi_property_name(i));
		cr_expect_eq(json_object_size(line), 8);
	}
	json_decref(root);
}

Test(report, a_line_of_the_json_says_what_holds_by_what)
{
	json_t *root = parsed(report);
	const json_t *files = line_named(root, "properties", "files");
	const json_t *by = json_object_get(files, "mechanisms");

	cr_expect_str_eq(text_at(files, "level"), "require");
	cr_expect_str_eq(text_at(files, "state"), "enforced");
	cr_expect_str_eq(text_at(files, "verified"), "canary");
	cr_expect(json_is_null(json_object_get(files, "errno")));
	cr_expect_str_eq(text_at(files, "object"), "");
	cr_expect_str_eq(text_at(files, "remedy"), "");
	cr_assert_eq(json_array_size(by), 3);
	cr_expect_str_eq(json_string_value(json_array_get(by, 0)), "userns");
	cr_expect_str_eq(json_string_value(json_array_get(by, 2)), "landlock");
	json_decref(root);
}

Test(report, a_line_of_the_json_says_what_does_not_hold_and_why)
{
	json_t *root = parsed(report);
	const json_t *line = line_named(root, "properties", "identity");
	const json_t *time = line_named(root, "properties", "time");

	cr_expect_str_eq(text_at(line, "level"), "prefer");
	cr_expect_str_eq(text_at(line, "state"), "partial");
	cr_expect_str_eq(text_at(line, "verified"), "assumed");
	cr_expect_str_eq(text_at(line, "errno"), "EPERM");
	cr_expect_str_eq(text_at(line, "object"),
			 row_of(SBX_PROP_IDENTITY).object);
	cr_expect_str_eq(text_at(line, "remedy"),
			 sbx_remedy_text(SBXI_REMEDY_TASK_ID));
	cr_expect_eq(json_array_size(json_object_get(line, "mechanisms")), 0);
	cr_expect_str_eq(text_at(time, "level"), "off");
	cr_expect_str_eq(text_at(time, "state"), "off");
	json_decref(root);
}

Test(report, a_lower_tier_has_a_reason)
{
	const json_t *reason;
	json_t *root;

	report->tier = SBX_TIER_B;
	report->tier_errno = ENOSPC;
	report->tier_step = SBX_STEP_NAMESPACES;
	report->tier_remedy = SBXI_REMEDY_USERNS_SYSCTL;
	root = parsed(report);
	reason = json_object_get(root, "tier_reason");
	cr_expect_str_eq(text_at(root, "tier"), "B");
	cr_expect_str_eq(text_at(reason, "step"), "namespaces");
	cr_expect_str_eq(text_at(reason, "errno"), "ENOSPC");
	cr_expect_str_eq(text_at(reason, "remedy"),
			 sbx_remedy_text(SBXI_REMEDY_USERNS_SYSCTL));
	json_decref(root);
}

Test(report, numbers_that_no_table_knows_are_unknown_words)
{
	const json_t *line;
	json_t *root;

	report->tier = 77;
	report->line[0].state = 77;
	report->line[0].level = 77;
	report->line[0].verified = 77;
	report->line[0].sys_errno = -1;
	root = parsed(report);
	line = line_named(root, "properties", "files");
	cr_expect_str_eq(text_at(root, "tier"), "unknown");
	cr_expect_str_eq(text_at(line, "state"), "unknown");
	cr_expect_str_eq(text_at(line, "level"), "unknown");
	cr_expect_str_eq(text_at(line, "verified"), "unknown");
	cr_expect(json_is_null(json_object_get(line, "errno")));
	json_decref(root);
}

Test(report, text_that_is_no_utf8_is_an_error_that_touches_nothing)
{
	char untouched, *text = &untouched;

	snprintf(report->line[3].object, sizeof(report->line[3].object),
		 "%s", "\xff\xfe");
	cr_expect_eq(sbx_report_json(report, &text), -ENOMEM);
	cr_expect_eq(text, &untouched);
}

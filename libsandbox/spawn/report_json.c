/* SPDX-License-Identifier: Apache-2.0 */
/* report_json: a report as one line of JSON. */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include <jansson.h>

#include "base/cleanup.h"
#include "policy/policy.h"
#include "spawn/report.h"

static const char *const tiers[] = {
	[SBX_TIER_NONE] = "none",
	[SBX_TIER_B] = "B",
	[SBX_TIER_A] = "A",
};

static const char *const states[] = {
	[SBX_STATE_OFF] = "off",
	[SBX_STATE_ABSENT] = "absent",
	[SBX_STATE_PARTIAL] = "partial",
	[SBX_STATE_ENFORCED] = "enforced",
};

static const char *const levels[] = {
	[SBX_OFF] = "off",
	[SBX_PREFER] = "prefer",
	[SBX_REQUIRE] = "require",
};

static const char *const verifications[] = {
	[SBX_VERIFIED_ASSUMED] = "assumed",
	[SBX_VERIFIED_READBACK] = "readback",
	[SBX_VERIFIED_CANARY] = "canary",
};

static const char *word(const char *const *words, size_t n, uint32_t i)
{
	return i < n ? words[i] : "unknown";
}

#define WORD(words, i) word(words, SBXI_COUNT(words), i)

/* "EPERM", or NULL for none. */
static const char *errno_name(int32_t err)
{
	return err > 0 ? strerrorname_np(err) : NULL;
}

/* "a,b" as ["a","b"], "" as []. */
static json_t *list_of(const char *names)
{
	json_t *list = json_array();

	while (list && *names) {
		size_t len = strcspn(names, ",");

		if (json_array_append_new(list, json_stringn(names, len)) < 0) {
			json_decref(list);
			return NULL;
		}
		names += len;
		names += *names == ',';
	}
	return list;
}

static json_t *line_of(const struct sbxi_report_line *line)
{
	json_t *mechanisms = list_of(line->mechanisms);

	if (!mechanisms)
		return NULL;
	return json_pack("{s:s, s:s, s:s, s:s, s:o, s:s?, s:s, s:s}",
			 "name", line->name,
			 "level", WORD(levels, line->level),
			 "state", WORD(states, line->state),
			 "verified", WORD(verifications, line->verified),
			 "mechanisms", mechanisms,
			 "errno", errno_name(line->sys_errno),
			 "object", line->object,
			 "remedy", sbx_remedy_text(line->remedy));
}

static json_t *lines_of(const struct sbx_report *report)
{
	json_t *list = json_array();

	for (size_t i = 0; list && i < report->n; i++) {
		if (json_array_append_new(list, line_of(&report->line[i])) <
		    0) {
			json_decref(list);
			return NULL;
		}
	}
	return list;
}

/* An integer of jansson's is signed: what it cannot hold limits nobody. */
static json_t *limit_of(uint64_t limit)
{
	return limit > INT64_MAX ? json_null()
				 : json_integer((json_int_t)limit);
}

static json_t *limits_of(const struct sbx_report *report)
{
	json_t *object = json_object();

	for (uint32_t i = 0; object && i < SBXI_N_LIMITS; i++) {
		if (json_object_set_new(object, sbxi_limit_name(i),
					limit_of(report->limit[i])) < 0) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

/* {"sockets": 0, "clone": 48, ...}: when each step began, in microseconds. */
static json_t *steps_of(const struct sbx_report *report)
{
	uint64_t start = report->step_ns[SBX_STEP_SOCKETS];
	json_t *object = json_object();

	for (uint32_t i = 1; object && i < SBXI_N_STEPS; i++) {
		uint64_t at = report->step_ns[i];

		if (at < start || at == 0)
			continue;
		if (json_object_set_new(object, sbx_step_name(i),
					json_integer((json_int_t)(
						(at - start) / 1000))) < 0) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

static json_t *tier_reason_of(const struct sbx_report *report)
{
	return json_pack("{s:s, s:s?, s:s}",
			 "step", sbx_step_name(report->tier_step),
			 "errno", errno_name(report->tier_errno),
			 "remedy", sbx_remedy_text(report->tier_remedy));
}

static int fill(json_t *root, const struct sbx_report *report)
{
	int is_probe = report->kind == SBXI_REPORT_PROBE;
	int rc;

	rc = json_object_set_new(root, "version", json_integer(1));
	rc |= json_object_set_new(root, "tier",
				  json_string(WORD(tiers, report->tier)));
	rc |= json_object_set_new(root, "kind",
				  json_string(is_probe ? "probe" : "task"));
	if (report->tier != SBX_TIER_A)
		rc |= json_object_set_new(root, "tier_reason",
					  tier_reason_of(report));
	rc |= json_object_set_new(root, "limits", limits_of(report));
	if (!is_probe)
		rc |= json_object_set_new(root, "steps_us", steps_of(report));
	rc |= json_object_set_new(root,
				  is_probe ? "mechanisms" : "properties",
				  lines_of(report));
	return rc;
}

int sbxi_report_to_json(const struct sbx_report *report, char **ret)
{
	json_t *root = json_object();
	char *text = NULL;

	if (root && fill(root, report) == 0)
		text = json_dumps(root, JSON_COMPACT);
	json_decref(root);
	if (!text)
		return -ENOMEM;
	*ret = text;
	return 0;
}

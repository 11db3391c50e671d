/* SPDX-License-Identifier: Apache-2.0 */
/* report: the exported functions of <sandbox/report.h> that need no task. */
#include <sandbox/report.h>

#include <errno.h>
#include <string.h>

#include "spawn/probe.h"
#include "spawn/report.h"

/* A size beyond it is garbage, not a later version's. */
#define ROW_SIZE_MAX 4096

uint32_t sbx_report_tier(const struct sbx_report *report)
{
	return report->tier;
}

int sbx_report_row(const struct sbx_report *report, size_t index,
		   struct sbx_report_row *ret_row)
{
	const uint32_t size = ret_row->size;
	const struct sbxi_report_line *line;

	if (size < sizeof(*ret_row) || size > ROW_SIZE_MAX)
		return -EINVAL;
	if (index >= report->n)
		return -ENOENT;
	line = &report->line[index];
	/* A caller of a later version finds zeros in what we do not know. */
	memset(ret_row, 0, size);
	*ret_row = (struct sbx_report_row){
		.size = size,
		.id = line->id,
		.level = line->level,
		.state = line->state,
		.verified = line->verified,
		.sys_errno = line->sys_errno,
		.remedy = line->remedy,
		.name = line->name,
		.mechanisms = line->mechanisms,
		.object = line->object,
	};
	return 0;
}

int sbx_report_json(const struct sbx_report *report, char **ret_json)
{
	return sbxi_report_to_json(report, ret_json);
}

void sbx_report_free(struct sbx_report *report)
{
	sbxi_report_free(report);
}

/* The codes that sbx_probe(3) lists; anything else is our own affair. */
static int documented(int code)
{
	switch (code) {
	case -EMFILE:
	case -ENFILE:
	case -ENOMEM:
	case -EAGAIN:
	case -EACCES:
		return code;
	case -EPERM:
		return -EACCES;
	default:
		return code < 0 ? -EIO : code;
	}
}

int sbx_probe(struct sbx_report **ret_report, struct sbx_error *reterr)
{
	struct sbxi_fail fail = { .step = SBX_STEP_PROBE };
	int rc = sbxi_probe(ret_report, &fail);

	return sbxi_fail_export(&fail, documented(rc), reterr);
}

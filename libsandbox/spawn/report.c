/* SPDX-License-Identifier: Apache-2.0 */
/* report: from the numbers that a target sends to names and sentences. */
#include "spawn/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "policy/policy.h"

/* In the order of the SBXI_MECH_ bits. */
static const char *const mechanism_names[] = {
	"userns",   "mntns",	    "pidns",	    "netns",
	"ipcns",    "utsns",	    "cgroupns",	    "landlock",
	"seccomp",  "capabilities", "no_new_privs", "rlimit",
	"cgroup",   "supervisor",   "close_range",  "idmap",
	"session",  "keyring",	    "exec",	    "proc",
};
_Static_assert(SBXI_COUNT(mechanism_names) == SBXI_N_MECHS,
	       "every mechanism has a name");

static const char *const gap_texts[SBXI_N_GAPS] = {
	[SBXI_GAP_NONE] = "",
	[SBXI_GAP_NAMES_VISIBLE] =
		"names, sizes and times of files outside can be read, their content cannot",
	[SBXI_GAP_NO_TRUST] =
		"files that others run or trust later can be changed in writable trees",
	[SBXI_GAP_ROOT_ID] =
		"the task's user id on the host is root's, though without capabilities",
	[SBXI_GAP_GROUPS] =
		"the task keeps the harness's supplementary groups",
	[SBXI_GAP_SIGNALS] =
		"signals reach other processes of the same user",
	[SBXI_GAP_SAMPLED] =
		"the supervisor samples the tree and kills it above the limit, so the limit can be passed for a moment",
	[SBXI_GAP_NO_PROC] =
		"there is no /proc to sum the tree by, so only single processes are limited",
	[SBXI_GAP_METADATA] =
		"mode, times and attributes of a file that was handed over to be read can be changed by its descriptor",
	[SBXI_GAP_TRUNCATE] =
		"this Landlock does not know truncation: it is refused everywhere, granted files too",
	[SBXI_GAP_ABSTRACT] =
		"abstract sockets are kept out by the system call filter alone",
	[SBXI_GAP_UNLIMITED] = "no limit was asked for",
	[SBXI_GAP_KILL_BY_WALK] =
		"the tree is found, counted and killed by walking /proc, so its limit can be passed for a moment",
	[SBXI_GAP_NO_LANDLOCK] =
		"without Landlock a granted descriptor can be opened anew with more rights",
	[SBXI_GAP_NO_FILTER] = "no system call filter is loaded",
	[SBXI_GAP_UNWAITED] =
		"children that nobody waits for are counted as far as samples see them",
	[SBXI_GAP_UNIX_FILES] =
		"socket files in granted trees can be connected to",
};

void sbxi_mechanism_names(uint32_t mechanisms, char *buf, size_t size)
{
	struct sbxi_text t = { .buf = buf, .size = size };

	buf[0] = '\0';
	for (size_t i = 0; i < SBXI_COUNT(mechanism_names); i++) {
		if (!(mechanisms & (1u << i)))
			continue;
		if (t.len > 0)
			sbxi_text_add(&t, ",");
		sbxi_text_add(&t, mechanism_names[i]);
	}
}

int sbxi_report_alloc(uint32_t kind, size_t n, struct sbx_report **ret)
{
	struct sbx_report *report = calloc(1, sizeof(*report));

	if (!report)
		return -ENOMEM;
	report->line = calloc(n ? n : 1, sizeof(*report->line));
	if (!report->line) {
		free(report);
		return -ENOMEM;
	}
	report->kind = kind;
	report->n = n;
	for (size_t i = 0; i < SBXI_COUNT(report->limit); i++)
		report->limit[i] = SBXI_NO_LIMIT;
	*ret = report;
	return 0;
}

static void fill_line(uint32_t id, uint32_t level, const struct sbxi_row *row,
		      struct sbxi_report_line *line)
{
	struct sbxi_text name = SBXI_TEXT(line->name);
	struct sbxi_text object = SBXI_TEXT(line->object);

	line->id = id;
	line->level = level;
	line->state = row->state;
	line->verified = row->verified;
	line->remedy = row->remedy;
	line->sys_errno = row->sys_errno;
	sbxi_text_add(&name, sbxi_property_name(id));
	sbxi_mechanism_names(row->mechanisms, line->mechanisms,
			     sizeof(line->mechanisms));
	if (row->gap < SBXI_N_GAPS)
		sbxi_text_add(&object, gap_texts[row->gap]);
}

int sbxi_report_new(const struct sbxi_msg_report *msg, const uint32_t *levels,
		    struct sbx_report **ret)
{
	struct sbx_report *report;
	int rc = sbxi_report_alloc(SBXI_REPORT_TASK, SBXI_N_PROPERTIES,
				   &report);

	if (rc < 0)
		return rc;
	report->tier = msg->tier;
	memcpy(report->step_ns, msg->step_ns, sizeof(report->step_ns));
	for (size_t i = 0; i < SBXI_N_LIMITS; i++)
		report->limit[i] = msg->limit[i];
	for (uint32_t i = 0; i < SBXI_N_PROPERTIES; i++)
		fill_line(i, levels[i], &msg->row[i], &report->line[i]);
	*ret = report;
	return 0;
}

void sbxi_report_free(struct sbx_report *report)
{
	if (!report)
		return;
	free(report->line);
	free(report);
}

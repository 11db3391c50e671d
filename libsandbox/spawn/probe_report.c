/* SPDX-License-Identifier: Apache-2.0 */
/* probe_report: what a helper has tried, in words, and the tier it makes. */
#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "spawn/probe.h"

/* From this on signals and abstract sockets can be kept inside. */
#define LANDLOCK_ABI_FULL 6

static const struct mechanism {
	const char *name;
	uint32_t step;		/* SBX_STEP_... of a spawn that needs it */
	uint32_t verified;	/* how the helper knows that it works */
	const char *lack;	/* what it means if it does not */
} mechanisms[SBXI_N_PROBES] = {
	[SBXI_PROBE_LANDLOCK] = {
		"landlock", SBX_STEP_LANDLOCK, SBX_VERIFIED_CANARY,
		"files are not held by Landlock, and there is no tier B",
	},
	[SBXI_PROBE_SECCOMP] = {
		"seccomp", SBX_STEP_FILTER, SBX_VERIFIED_CANARY,
		"no system call filter can be loaded, and so no task started",
	},
	[SBXI_PROBE_NOTIFY] = {
		"notify", SBX_STEP_FILTER, SBX_VERIFIED_READBACK,
		"filtered calls cannot be answered by a supervisor",
	},
	[SBXI_PROBE_NO_NEW_PRIVS] = {
		"no_new_privs", SBX_STEP_CHECK_PLAN, SBX_VERIFIED_READBACK,
		"a task could gain privileges by exec, so none is started",
	},
	[SBXI_PROBE_USERNS] = {
		"userns", SBX_STEP_NAMESPACES, SBX_VERIFIED_ASSUMED,
		"no user namespace can be made",
	},
	[SBXI_PROBE_IDMAP_FILES] = {
		"uid_map", SBX_STEP_MAP_IDS, SBX_VERIFIED_READBACK,
		"a user namespace gets no ids",
	},
	[SBXI_PROBE_MOUNTS] = {
		"mounts", SBX_STEP_MOUNTS, SBX_VERIFIED_READBACK,
		"a task gets no file tree of its own",
	},
	[SBXI_PROBE_PROC] = {
		"proc", SBX_STEP_MOUNTS, SBX_VERIFIED_READBACK,
		"a task gets no /proc",
	},
	[SBXI_PROBE_NETNS] = {
		"netns", SBX_STEP_NAMESPACES, SBX_VERIFIED_READBACK,
		"a task gets no network of its own",
	},
	[SBXI_PROBE_PIDNS] = {
		"pidns", SBX_STEP_NAMESPACES, SBX_VERIFIED_READBACK,
		"a task sees other processes",
	},
	[SBXI_PROBE_IPCNS] = {
		"ipcns", SBX_STEP_NAMESPACES, SBX_VERIFIED_READBACK,
		"a task gets no queues and shared memory of its own",
	},
	[SBXI_PROBE_UTSNS] = {
		"utsns", SBX_STEP_NAMESPACES, SBX_VERIFIED_READBACK,
		"a task gets no host name of its own",
	},
	[SBXI_PROBE_CGROUPNS] = {
		"cgroupns", SBX_STEP_NAMESPACES, SBX_VERIFIED_READBACK,
		"a task sees the cgroups of the host",
	},
	[SBXI_PROBE_OVERLAY] = {
		"overlay", SBX_STEP_MOUNTS, SBX_VERIFIED_READBACK,
		"no copy-on-write view of a folder can be made",
	},
	[SBXI_PROBE_CLONE3] = {
		"clone3", SBX_STEP_NAMESPACES, SBX_VERIFIED_ASSUMED,
		"a task cannot start inside of a cgroup; clone is used instead",
	},
	[SBXI_PROBE_CLOSE_RANGE] = {
		"close_range", SBX_STEP_GRANTS, SBX_VERIFIED_READBACK,
		"descriptors are closed one by one",
	},
	[SBXI_PROBE_PIDFD] = {
		"pidfd", SBX_STEP_CLONE, SBX_VERIFIED_READBACK,
		"processes are known by numbers alone, so no task is started",
	},
	[SBXI_PROBE_PIDFD_GETFD] = {
		"pidfd_getfd", SBX_STEP_SUPERVISE, SBX_VERIFIED_READBACK,
		"a supervisor cannot act on a task's own descriptors",
	},
	[SBXI_PROBE_MEMFD_EXEC] = {
		"memfd_exec", SBX_STEP_EXEC_HELPER, SBX_VERIFIED_READBACK,
		"the helper must be installed: its embedded copy is not executed",
	},
	[SBXI_PROBE_KEYRING] = {
		"keyring", SBX_STEP_CHECK_PLAN, SBX_VERIFIED_ASSUMED,
		"keys of the harness are kept from a task by the filter alone",
	},
	[SBXI_PROBE_CGROUP] = {
		"cgroup", SBX_STEP_SUPERVISE, SBX_VERIFIED_READBACK,
		"memory is watched by the supervisor instead of the kernel",
	},
};

static bool is_there(const struct sbx_report *report, uint32_t id)
{
	return report->line[id].state >= SBX_STATE_PARTIAL;
}

int sbxi_probe_report_new(struct sbx_report **ret)
{
	struct sbx_report *report;
	int rc = sbxi_report_alloc(SBXI_REPORT_PROBE, SBXI_N_PROBES, &report);

	if (rc < 0)
		return rc;
	for (uint32_t i = 0; i < SBXI_N_PROBES; i++) {
		struct sbxi_report_line *line = &report->line[i];
		struct sbxi_text name = SBXI_TEXT(line->name);
		struct sbxi_text object = SBXI_TEXT(line->object);

		line->id = i;
		/* A delegated cgroup is an offer: few hosts have one. */
		line->level = i == SBXI_PROBE_CGROUP ? SBX_OFF : SBX_PREFER;
		line->state = SBX_STATE_ABSENT;
		sbxi_text_add(&name, mechanisms[i].name);
		sbxi_text_add(&object, "the probe's process died");
	}
	*ret = report;
	return 0;
}

/* What an older Landlock does not know, and so leaves open. */
static const char *landlock_gap(uint32_t abi)
{
	if (abi >= 5)
		return ": no scopes of signals and abstract sockets";
	if (abi == 4)
		return ": no scopes, no ioctls of devices";
	if (abi == 3)
		return ": no scopes, no ioctls of devices, no TCP";
	return ": no scopes, no ioctls of devices, no TCP, no truncation";
}

static void describe_landlock(const struct sbxi_msg_probe *msg,
			      struct sbxi_text *object)
{
	sbxi_text_add(object, "ABI ");
	sbxi_text_number(object, msg->value);
	if (msg->value < LANDLOCK_ABI_FULL)
		sbxi_text_add(object, landlock_gap(msg->value));
}

/* value: the signal that ended the try, or 0. */
static void describe_lack(const struct sbxi_msg_probe *msg,
			  struct sbxi_text *object)
{
	const char *name = msg->value > 0 && msg->value < NSIG
				   ? sigabbrev_np((int)msg->value)
				   : NULL;

	sbxi_text_add(object, mechanisms[msg->id].lack);
	if (!name)
		return;
	sbxi_text_add(object, " (its try was ended by SIG");
	sbxi_text_add(object, name);
	sbxi_text_add(object, ")");
}

bool sbxi_probe_report_enter(struct sbx_report *report,
			     const struct sbxi_msg_probe *msg)
{
	struct sbxi_report_line *line;
	struct sbxi_text object;

	if (msg->type != SBXI_MSG_PROBE || msg->id >= SBXI_N_PROBES)
		return false;
	line = &report->line[msg->id];
	line->state = msg->state;
	line->sys_errno = msg->sys_errno;
	line->remedy = msg->remedy;
	line->verified = is_there(report, msg->id)
				 ? mechanisms[msg->id].verified
				 : SBX_VERIFIED_ASSUMED;
	object = SBXI_TEXT(line->object);
	if (!is_there(report, msg->id))
		describe_lack(msg, &object);
	else if (msg->id == SBXI_PROBE_LANDLOCK)
		describe_landlock(msg, &object);
	return true;
}

/* What a jail of tier A is made of, in the order of its steps. */
static const uint32_t tier_a[] = {
	SBXI_PROBE_USERNS, SBXI_PROBE_IDMAP_FILES, SBXI_PROBE_MOUNTS,
	SBXI_PROBE_PIDNS,  SBXI_PROBE_NETNS,	   SBXI_PROBE_IPCNS,
	SBXI_PROBE_UTSNS,  SBXI_PROBE_CGROUPNS,	   SBXI_PROBE_SECCOMP,
};

static const uint32_t tier_b[] = {
	SBXI_PROBE_LANDLOCK, SBXI_PROBE_SECCOMP, SBXI_PROBE_NO_NEW_PRIVS,
};

/* The first of them that is missing, or NULL. */
static const struct sbxi_report_line *
first_missing(const struct sbx_report *report, const uint32_t *ids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!is_there(report, ids[i]))
			return &report->line[ids[i]];
	return NULL;
}

void sbxi_probe_report_conclude(struct sbx_report *report)
{
	const struct sbxi_report_line *missing =
		first_missing(report, tier_a, SBXI_COUNT(tier_a));

	report->tier = SBX_TIER_A;
	report->tier_errno = 0;
	report->tier_step = SBX_STEP_NONE;
	report->tier_remedy = 0;
	if (!missing)
		return;
	report->tier = first_missing(report, tier_b, SBXI_COUNT(tier_b))
			       ? SBX_TIER_NONE
			       : SBX_TIER_B;
	report->tier_errno = missing->sys_errno;
	report->tier_step = mechanisms[missing->id].step;
	report->tier_remedy = missing->remedy;
}

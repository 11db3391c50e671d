/* SPDX-License-Identifier: Apache-2.0 */
/* enter_rows: what holds of each property in a process that confines itself. */
#include <stdio.h>
#include <string.h>

#include <sandbox/policy.h>
#include <sandbox/task.h>

#include "spawn/enter_self.h"

struct row {
	uint32_t state, mechanisms, verified, remedy;
	const char *open;	/* what is, in words */
	const char *what;	/* appended to it, or NULL */
};

static struct row enforced(uint32_t mechanisms, uint32_t verified)
{
	return (struct row){ SBX_STATE_ENFORCED, mechanisms, verified, 0,
			     "", NULL };
}

static struct row partial(uint32_t mechanisms, const char *open)
{
	return (struct row){ SBX_STATE_PARTIAL, mechanisms,
			     SBX_VERIFIED_ASSUMED, SBXI_REMEDY_IN_PLACE, open,
			     NULL };
}

/* What the caller could have closed. */
static struct row held(uint32_t mechanisms, const char *open,
		       const char *what)
{
	return (struct row){ SBX_STATE_PARTIAL, mechanisms,
			     SBX_VERIFIED_READBACK, SBXI_REMEDY_CLOSE, open,
			     what };
}

static struct row absent(const char *open)
{
	return (struct row){ SBX_STATE_ABSENT, 0, SBX_VERIFIED_ASSUMED,
			     SBXI_REMEDY_IN_PLACE, open, NULL };
}

static struct row no_limit(void)
{
	return (struct row){ .open = "no limit was asked for" };
}

static uint32_t landlock(const struct sbxi_entry *e)
{
	return e->landlock_abi ? SBXI_MECH_LANDLOCK : 0;
}

static struct row files(const struct sbxi_entry *e)
{
	struct row row;

	if (e->landlock_abi)
		return enforced(SBXI_MECH_LANDLOCK | SBXI_MECH_SECCOMP,
				SBX_VERIFIED_CANARY);
	row = absent("without Landlock every file is there that the user may open");
	row.remedy = SBXI_REMEDY_LANDLOCK;
	return row;
}

static struct row names(const struct sbxi_entry *e)
{
	(void)e;
	return absent("names, sizes and times of files outside can be read, their content cannot");
}

static struct row trust(const struct sbxi_entry *e)
{
	if (e->plan->protect == SBX_PROTECT_OFF)
		return (struct row){ .open = "it was turned off" };
	return absent("files that others run or trust later can be changed in writable trees");
}

static struct row network(const struct sbxi_entry *e)
{
	uint32_t by = landlock(e) | SBXI_MECH_SECCOMP;

	if (e->held.stray[0])
		return held(by, e->held.stray, NULL);
	if (!e->held.listed)
		return partial(by, "sockets that it holds cannot be seen without /proc");
	return enforced(by, SBX_VERIFIED_CANARY);
}

static struct row descriptors(const struct sbxi_entry *e)
{
	if (e->flags & SBX_ENTER_CLOSE)
		return enforced(SBXI_MECH_CLOSE_RANGE, SBX_VERIFIED_ASSUMED);
	if (!e->held.listed)
		return partial(0, "what it holds cannot be seen without /proc");
	if (e->held.n_open == 0)
		return enforced(e->flags & SBX_ENTER_EXEC ? SBXI_MECH_EXEC : 0,
				SBX_VERIFIED_READBACK);
	return held(0, "these stay open: ", e->held.open);
}

static struct row syscalls(const struct sbxi_entry *e)
{
	(void)e;
	return enforced(SBXI_MECH_SECCOMP, SBX_VERIFIED_CANARY);
}

static struct row privileges(const struct sbxi_entry *e)
{
	(void)e;
	return enforced(SBXI_MECH_NO_NEW_PRIVS | SBXI_MECH_CAPABILITIES |
				SBXI_MECH_SECCOMP,
			SBX_VERIFIED_READBACK);
}

static struct row identity(const struct sbxi_entry *e)
{
	if (e->root_id)
		return partial(0, "the user id is root's, though without capabilities");
	if (!e->groups_dropped)
		return partial(0, "it keeps its supplementary groups");
	return enforced(0, SBX_VERIFIED_READBACK);
}

static struct row signals(const struct sbxi_entry *e)
{
	if (e->landlock_abi >= 6)
		return enforced(SBXI_MECH_LANDLOCK, SBX_VERIFIED_ASSUMED);
	/* A task leads its group; this process is in its caller's. */
	return partial(SBXI_MECH_SECCOMP,
		       "signals reach the process group that it is in");
}

static struct row ipc(const struct sbxi_entry *e)
{
	uint32_t by = landlock(e) | SBXI_MECH_SECCOMP;

	if (e->held.shared)
		return partial(by, "memory that it has is shared with other processes");
	return enforced(by, SBX_VERIFIED_ASSUMED);
}

static struct row terminal(const struct sbxi_entry *e)
{
	if (e->has_terminal)
		return partial(SBXI_MECH_SECCOMP,
			       "it keeps its terminal, which it can read and set, though not inject input");
	return enforced(SBXI_MECH_SECCOMP, SBX_VERIFIED_READBACK);
}

static struct row processes(const struct sbxi_entry *e)
{
	return partial(landlock(e),
		       "others are seen, their number is not bounded, and nobody ends those that are left");
}

static struct row memory(const struct sbxi_entry *e)
{
	if (e->plan->limit[SBX_LIMIT_MEMORY] == SBXI_NO_LIMIT)
		return no_limit();
	return absent("nobody watches the memory of the tree");
}

static struct row cpu(const struct sbxi_entry *e)
{
	if (e->plan->limit[SBX_LIMIT_CPU_MS] == SBXI_NO_LIMIT)
		return no_limit();
	return partial(SBXI_MECH_RLIMIT, "each process has the limit for itself");
}

static struct row deadline(const struct sbxi_entry *e)
{
	if (e->plan->limit[SBX_LIMIT_WALL_MS] == SBXI_NO_LIMIT)
		return no_limit();
	return absent("nobody is there to end the tree in time");
}

static struct row environment(const struct sbxi_entry *e)
{
	(void)e;
	return absent("it keeps the environment that it has");
}

static struct row keyring(const struct sbxi_entry *e)
{
	return enforced(SBXI_MECH_SECCOMP |
				(e->own_keyring ? SBXI_MECH_KEYRING : 0),
			SBX_VERIFIED_CANARY);
}

static struct row (*const make_row[SBXI_N_PROPERTIES])(
	const struct sbxi_entry *) = {
	[SBX_PROP_FILES] = files,
	[SBX_PROP_NAMES] = names,
	[SBX_PROP_TRUST] = trust,
	[SBX_PROP_NETWORK] = network,
	[SBX_PROP_DESCRIPTORS] = descriptors,
	[SBX_PROP_SYSCALLS] = syscalls,
	[SBX_PROP_PRIVILEGES] = privileges,
	[SBX_PROP_IDENTITY] = identity,
	[SBX_PROP_SIGNALS] = signals,
	[SBX_PROP_IPC] = ipc,
	[SBX_PROP_TERMINAL] = terminal,
	[SBX_PROP_PROCESSES] = processes,
	[SBX_PROP_MEMORY] = memory,
	[SBX_PROP_CPU] = cpu,
	[SBX_PROP_TIME] = deadline,
	[SBX_PROP_ENVIRONMENT] = environment,
	[SBX_PROP_KEYRING] = keyring,
};

void sbxi_entry_rows(const struct sbxi_entry *e, const uint32_t *levels,
		     struct sbx_report *report)
{
	report->tier = SBX_TIER_B;
	report->tier_remedy = SBXI_REMEDY_IN_PLACE;
	memcpy(report->limit, e->limit, sizeof(e->limit));
	for (uint32_t i = 0; i < SBXI_N_PROPERTIES; i++) {
		struct sbxi_report_line *line = &report->line[i];
		struct row row = make_row[i](e);

		line->id = i;
		line->level = levels[i];
		line->state = row.state;
		line->verified = row.verified;
		line->remedy = row.remedy;
		if (i == SBX_PROP_FILES)
			line->sys_errno = e->landlock_errno;
		sbxi_mechanism_names(row.mechanisms, line->mechanisms,
				     sizeof(line->mechanisms));
		snprintf(line->name, sizeof(line->name), "%s",
			 sbxi_property_name(i));
		snprintf(line->object, sizeof(line->object), "%s%s", row.open,
			 row.what ? row.what : "");
	}
}

const struct sbxi_report_line *
sbxi_entry_missing(const struct sbx_report *report)
{
	for (size_t i = 0; i < report->n; i++) {
		const struct sbxi_report_line *line = &report->line[i];

		if (line->level == SBX_REQUIRE &&
		    line->state != SBX_STATE_ENFORCED &&
		    line->state != SBX_STATE_OFF)
			return line;
	}
	return NULL;
}

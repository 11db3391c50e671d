/* SPDX-License-Identifier: Apache-2.0 */
/* rows: from the facts to what each property is held by. */
#include <errno.h>
#include <string.h>

#include <sandbox/policy.h>

#include "base/cleanup.h"
#include "base/errors.h"
#include "init/jail.h"
#include "init/target.h"
#include "init/trust.h"
#include "kernel/cgroup.h"
#include "kernel/property_names.h"

static struct sbxi_row enforced(uint32_t mechanisms, uint32_t verified)
{
	return (struct sbxi_row){
		.state = SBX_STATE_ENFORCED,
		.mechanisms = mechanisms,
		.verified = verified,
	};
}

static struct sbxi_row partial(uint32_t mechanisms, uint32_t gap,
			       uint32_t remedy)
{
	return (struct sbxi_row){
		.state = SBX_STATE_PARTIAL,
		.mechanisms = mechanisms,
		.gap = gap,
		.remedy = remedy,
	};
}

static struct sbxi_row absent(uint32_t gap, uint32_t remedy)
{
	return (struct sbxi_row){
		.state = SBX_STATE_ABSENT,
		.gap = gap,
		.remedy = remedy,
	};
}

static struct sbxi_row off(void)
{
	return (struct sbxi_row){ .gap = SBXI_GAP_UNLIMITED };
}

static bool tier_a(const struct sbxi_jail *jail)
{
	return jail->tier == SBX_TIER_A;
}

static uint32_t landlock(const struct sbxi_jail *jail)
{
	return jail->facts.landlock_abi ? SBXI_MECH_LANDLOCK : 0;
}

static struct sbxi_row files(const struct sbxi_jail *jail)
{
	uint32_t by = landlock(jail) | SBXI_MECH_SECCOMP |
		      (tier_a(jail) ? SBXI_MECH_MNTNS : 0);

	/* Without Landlock a descriptor can be opened anew with more rights. */
	if (!jail->facts.landlock_abi)
		return partial(by, SBXI_GAP_NO_LANDLOCK, SBXI_REMEDY_LANDLOCK);
	/* With a /proc it can still be named there. */
	if (jail->facts.reads_file && !jail->facts.lent && tier_a(jail) &&
	    !jail->facts.hears_files && jail->facts.own_proc)
		return partial(by, SBXI_GAP_METADATA, SBXI_REMEDY_LISTENER);
	return enforced(by, SBX_VERIFIED_CANARY);
}

static struct sbxi_row names(const struct sbxi_jail *jail)
{
	if (tier_a(jail))
		return enforced(SBXI_MECH_MNTNS, SBX_VERIFIED_ASSUMED);
	return absent(SBXI_GAP_NAMES_VISIBLE, SBXI_REMEDY_USERNS_SYSCTL);
}

static bool has_trees_to_protect(const struct sbxi_jail *jail)
{
	const struct sbxi_plan_path *path = sbxi_plan_paths(jail->plan);

	for (size_t i = 0; i < jail->plan->n_paths; i++)
		if (sbxi_trust_covers(&path[i]))
			return true;
	return false;
}

static struct sbxi_row trust(const struct sbxi_jail *jail)
{
	struct sbxi_row row;

	if (jail->plan->protect == SBX_PROTECT_OFF)
		return (struct sbxi_row){ .gap = SBXI_GAP_NO_TRUST };
	if (!has_trees_to_protect(jail))
		return enforced(landlock(jail) |
					(tier_a(jail) ? SBXI_MECH_MNTNS : 0),
				SBX_VERIFIED_ASSUMED);
	if (jail->facts.hears_files)
		return enforced(SBXI_MECH_SECCOMP | SBXI_MECH_SUPERVISOR,
				SBX_VERIFIED_ASSUMED);
	row = absent(SBXI_GAP_NO_TRUST, SBXI_REMEDY_LISTENER);
	row.sys_errno = jail->facts.listener_errno;
	return row;
}

static struct sbxi_row network(const struct sbxi_jail *jail)
{
	struct sbxi_row row;
	uint32_t by = landlock(jail) | SBXI_MECH_SECCOMP |
		      (tier_a(jail) ? SBXI_MECH_NETNS : 0);

	row = enforced(by, SBX_VERIFIED_CANARY);
	/* Such a file is granted with the tree; the words say so. */
	if (tier_a(jail) && jail->facts.landlock_abi < 9 &&
	    !jail->facts.listens)
		row.gap = SBXI_GAP_UNIX_FILES;
	return row;
}

static struct sbxi_row descriptors(const struct sbxi_jail *jail)
{
	(void)jail;
	return enforced(SBXI_MECH_CLOSE_RANGE, SBX_VERIFIED_READBACK);
}

static struct sbxi_row syscalls(const struct sbxi_jail *jail)
{
	(void)jail;
	return enforced(SBXI_MECH_SECCOMP, SBX_VERIFIED_CANARY);
}

static struct sbxi_row privileges(const struct sbxi_jail *jail)
{
	uint32_t by = SBXI_MECH_NO_NEW_PRIVS | SBXI_MECH_CAPABILITIES |
		      SBXI_MECH_SECCOMP |
		      (tier_a(jail) ? SBXI_MECH_USERNS : 0);

	return enforced(by, SBX_VERIFIED_READBACK);
}

static struct sbxi_row identity(const struct sbxi_jail *jail)
{
	uint32_t by = jail->facts.lent ? SBXI_MECH_IDMAP : 0;

	if (jail->facts.root_id)
		return partial(by, SBXI_GAP_ROOT_ID, SBXI_REMEDY_TASK_ID);
	if (!jail->facts.groups_dropped)
		return partial(by, SBXI_GAP_GROUPS, 0);
	return enforced(by, SBX_VERIFIED_READBACK);
}

static struct sbxi_row signals(const struct sbxi_jail *jail)
{
	uint32_t scope = jail->facts.landlock_abi >= 6 ? SBXI_MECH_LANDLOCK
						       : 0;

	if (tier_a(jail))
		return enforced(SBXI_MECH_PIDNS | scope | SBXI_MECH_SESSION,
				SBX_VERIFIED_ASSUMED);
	/* Without the scope the filter refuses to signal, or asks. */
	return enforced((scope ? scope : SBXI_MECH_SECCOMP) |
				SBXI_MECH_SESSION,
			SBX_VERIFIED_ASSUMED);
}

static struct sbxi_row ipc(const struct sbxi_jail *jail)
{
	uint32_t by = landlock(jail) | SBXI_MECH_SECCOMP;

	if (tier_a(jail))
		by = landlock(jail) | SBXI_MECH_IPCNS | SBXI_MECH_NETNS;
	return enforced(by, SBX_VERIFIED_ASSUMED);
}

static struct sbxi_row terminal(const struct sbxi_jail *jail)
{
	(void)jail;
	return enforced(SBXI_MECH_SESSION | SBXI_MECH_SECCOMP,
			SBX_VERIFIED_ASSUMED);
}

static struct sbxi_row processes(const struct sbxi_jail *jail)
{
	uint32_t by = tier_a(jail) ? SBXI_MECH_PIDNS | SBXI_MECH_PROC
				   : SBXI_MECH_LANDLOCK | SBXI_MECH_SUPERVISOR;

	if ((jail->facts.cgroup_has & SBXI_CGROUP_PIDS) && tier_a(jail))
		return enforced(by | SBXI_MECH_CGROUP, SBX_VERIFIED_READBACK);
	/* RLIMIT_NPROC does not bind the host's root. */
	if (tier_a(jail) && !jail->facts.root_id)
		return enforced(by | SBXI_MECH_RLIMIT, SBX_VERIFIED_READBACK);
	if (jail->proc < 0)
		return partial(by, SBXI_GAP_NO_PROC, SBXI_REMEDY_PROC);
	return partial(by | SBXI_MECH_SUPERVISOR,
		       tier_a(jail) ? SBXI_GAP_SAMPLED
				    : SBXI_GAP_KILL_BY_WALK,
		       SBXI_REMEDY_CGROUP);
}

static struct sbxi_row memory(const struct sbxi_jail *jail)
{
	if (jail->plan->limit[SBX_LIMIT_MEMORY] == SBXI_NO_LIMIT)
		return off();
	if (jail->facts.cgroup_has & SBXI_CGROUP_MEMORY)
		return enforced(SBXI_MECH_CGROUP, SBX_VERIFIED_READBACK);
	if (jail->proc < 0)
		return absent(SBXI_GAP_NO_PROC, SBXI_REMEDY_CGROUP);
	return partial(SBXI_MECH_SUPERVISOR, SBXI_GAP_SAMPLED,
		       SBXI_REMEDY_CGROUP);
}

static struct sbxi_row cpu(const struct sbxi_jail *jail)
{
	if (jail->plan->limit[SBX_LIMIT_CPU_MS] == SBXI_NO_LIMIT)
		return off();
	if (jail->proc < 0)
		return partial(SBXI_MECH_RLIMIT, SBXI_GAP_NO_PROC,
			       SBXI_REMEDY_PROC);
	/* Children that nobody waits for leave no trace of their time. */
	return partial(SBXI_MECH_SUPERVISOR | SBXI_MECH_RLIMIT,
		       SBXI_GAP_UNWAITED, SBXI_REMEDY_PREFER);
}

static struct sbxi_row deadline(const struct sbxi_jail *jail)
{
	if (jail->plan->limit[SBX_LIMIT_WALL_MS] == SBXI_NO_LIMIT)
		return off();
	return enforced(SBXI_MECH_SUPERVISOR, SBX_VERIFIED_ASSUMED);
}

static struct sbxi_row environment(const struct sbxi_jail *jail)
{
	(void)jail;
	return enforced(SBXI_MECH_EXEC, SBX_VERIFIED_ASSUMED);
}

static struct sbxi_row keyring(const struct sbxi_jail *jail)
{
	uint32_t own = jail->facts.keyring ? SBXI_MECH_KEYRING : 0;

	return enforced(own | SBXI_MECH_SECCOMP, SBX_VERIFIED_CANARY);
}

static struct sbxi_row (*const make_row[SBXI_N_PROPERTIES])(
	const struct sbxi_jail *) = {
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

void sbxi_rows_fill(const struct sbxi_jail *jail, struct sbxi_msg_report *ret)
{
	*ret = (struct sbxi_msg_report){
		.type = SBXI_MSG_REPORT,
		.tier = jail->tier,
		.landlock_abi = (uint32_t)jail->facts.landlock_abi,
		.host_id = jail->host_uid,
	};
	memcpy(ret->limit, jail->facts.limit, sizeof(ret->limit));
	memcpy(ret->step_ns, jail->step_ns, sizeof(ret->step_ns));
	for (size_t i = 0; i < SBXI_N_PROPERTIES; i++)
		ret->row[i] = make_row[i](jail);
}

void sbxi_rows_insist(struct sbxi_jail *jail,
		      const struct sbxi_msg_report *report)
{
	for (size_t i = 0; i < SBXI_N_PROPERTIES; i++) {
		const struct sbxi_row *row = &report->row[i];

		if (jail->plan->level[i] != SBX_REQUIRE ||
		    row->state == SBX_STATE_ENFORCED ||
		    row->state == SBX_STATE_OFF)
			continue;
		jail->step = SBX_STEP_VERIFY;
		sbxi_die(jail, -EPERM,
			 row->remedy ? row->remedy : SBXI_REMEDY_PREFER,
			 sbxi_property_names[i],
			 "this host cannot hold a property that is required");
	}
}

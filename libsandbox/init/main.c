/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sbx-init: the helper that makes a jail, supervises it, and becomes its task.
 *
 * It is started by the library only: its descriptors are placed
 * (kernel/handoff.h), its environment is empty, its arguments are a mode, the
 * name of a private folder, and what the task's cgroup limits.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/errors.h"
#include "base/memfd.h"
#include "base/text.h"
#include "kernel/build_id.h"
#include "init/jail.h"
#include "kernel/privileges.h"
#include "kernel/process.h"
#include "kernel/rlimits.h"

/* Map the plan, and believe nothing of it before it was checked. */
static const struct sbxi_plan *map_plan(struct sbxi_jail *jail)
{
	const struct sbxi_plan *plan;
	struct stat st;

	sbxi_check(jail, sbxi_memfd_check(SBXI_FD_PLAN), "seals of the plan");
	if (fstat(SBXI_FD_PLAN, &st) < 0)
		sbxi_check(jail, -errno, "plan");
	if (st.st_size < (off_t)sizeof(*plan) || st.st_size > SBXI_PLAN_MAX)
		sbxi_die(jail, -EPROTO, 0, "plan", "its size is wrong");
	/* Nearly all of it is read: one call costs less than its faults. */
	plan = mmap(NULL, (size_t)st.st_size, PROT_READ,
		    MAP_PRIVATE | MAP_POPULATE, SBXI_FD_PLAN, 0);
	if (plan == MAP_FAILED)
		sbxi_check(jail, -errno, "plan");
	if (plan->magic != SBXI_PLAN_MAGIC ||
	    plan->version != SBXI_PLAN_VERSION || plan->size != st.st_size)
		sbxi_die(jail, -EPROTO, 0, "plan", "it is no plan");
	if (memcmp(plan->build_id, sbxi_build_id, sizeof(plan->build_id)))
		sbxi_die(jail, -EPROTO, 0, "sbx-init",
			 "library and helper are of two builds");
	close(SBXI_FD_PLAN);
	return plan;
}

static void copy_name(struct sbxi_jail *jail, const char *name)
{
	struct sbxi_text t = SBXI_TEXT(jail->private_dir);

	sbxi_text_add(&t, name);
}

static int if_open(int fd)
{
	return fcntl(fd, F_GETFD) < 0 ? -1 : fd;
}

static void first_steps(struct sbxi_jail *jail)
{
	struct timespec now;
	int rc;

	sbxi_check(jail, sbxi_no_new_privs_enter(), "no_new_privs");
	if (setsid() < 0)
		sbxi_check(jail, -errno, "setsid");
	umask(022);
	clock_gettime(CLOCK_REALTIME_COARSE, &now);
	jail->born_ns = (uint64_t)now.tv_sec * 1000000000u +
			(uint64_t)now.tv_nsec;
	rc = sbxi_keyring_enter();
	jail->facts.keyring = rc == 0;
	jail->facts.keyring_errno = -rc;
	/* Only root may; else the report says what stayed. */
	jail->facts.groups_dropped = sbxi_groups_enter() >= 0;
	sbxi_rlimits_open_files_max();
}

static bool is_mode(const char *mode)
{
	return mode[0] && !mode[1] &&
	       strchr(SBXI_MODE_TIER_A SBXI_MODE_TIER_B SBXI_MODE_TIER_A_RELAY
		      SBXI_MODE_TIER_B_RELAY SBXI_MODE_PROBE SBXI_MODE_IDMAP,
		      mode[0]);
}

int main(int argc, char **argv)
{
	static struct sbxi_jail jail = {
		.where = SBX_WHERE_INIT,
		.hand = SBXI_FD_HAND,
		.ctl = SBXI_FD_CTL,
		.harness = SBXI_FD_HARNESS,
		.progress = SBXI_FD_PROGRESS,
		.root = -1,
		.ruleset = -1,
		.outer = -1,
		.listener = { -1, -1 },
		.proc = -1,
		.pipe = { { -1, -1 }, { -1, -1 }, { -1, -1 } },
	};

	/* Never with the rights of a file: nobody's plan is worth those. */
	if (argc != 4 || getauxval(AT_SECURE) || !is_mode(argv[1]))
		return 1;
	if (!strcmp(argv[1], SBXI_MODE_PROBE))
		sbxi_probe_main();
	sbxi_process_reset_signals();
	jail.step = SBX_STEP_CHECK_PLAN;
	jail.plan = map_plan(&jail);
	sbxi_step(&jail, SBX_STEP_CHECK_PLAN);
	jail.cgroup = if_open(SBXI_FD_CGROUP);
	if (jail.cgroup >= 0)
		jail.facts.cgroup_has = (uint32_t)(argv[3][0] - '0');
	if (!strcmp(argv[1], SBXI_MODE_IDMAP))
		sbxi_idmap_main(&jail);
	copy_name(&jail, argv[2]);
	first_steps(&jail);
	jail.relays = !strcmp(argv[1], SBXI_MODE_TIER_A_RELAY) ||
		      !strcmp(argv[1], SBXI_MODE_TIER_B_RELAY);
	if (argv[1][0] == SBXI_MODE_TIER_A[0] ||
	    argv[1][0] == SBXI_MODE_TIER_A_RELAY[0])
		sbxi_tier_a_main(&jail);
	sbxi_tier_b_main(&jail);
	sbxi_jail_run(&jail);
}

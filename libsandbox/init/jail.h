/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jail: what the stages of the helper share.
 *
 * The helper is one small static program.  It starts as the child of the
 * harness, makes the jail, becomes its supervisor, and forks the target,
 * which becomes the task.  Each stage is single-threaded.
 */
#ifndef SBXI_INIT_JAIL_H
#define SBXI_INIT_JAIL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "kernel/handoff.h"
#include "kernel/plan.h"

/* What was found while the jail was made; rows.c turns it into a report. */
struct sbxi_facts {
	int landlock_abi;
	bool own_proc;		/* a new /proc is mounted */
	bool nest_refused;	/* another user namespace was tried, and refused */
	bool lent;		/* trees are id-mapped to the task's own host id */
	bool root_id;		/* the task's host id is the host's root */
	bool groups_dropped;
	bool bounding_empty;
	bool keyring;
	uint32_t cgroup_has;	/* SBXI_CGROUP_...: what its cgroup limits */
	bool closed;		/* the descriptor table was compared with the manifest */
	bool files_canary, filter_canary;
	bool reads_file;	/* the task holds a file of the harness's, to be read */
	bool listens;		/* the filter asks the supervisor */
	bool hears_files;	/* about files, too */
	int listener_errno;	/* why it does not */
	int proc_errno, keyring_errno;
	uint64_t limit[SBXI_N_LIMITS];
};

/* A pipe between the supervisor and a standard stream of the task. */
struct sbxi_relay_pipe {
	int mine;		/* the supervisor's end, or -1 */
	int task;		/* the target's end, or -1 */
};

struct sbxi_jail {
	const struct sbxi_plan *plan;
	uint32_t tier;		/* SBX_TIER_A or _B */
	uint32_t where;		/* SBX_WHERE_... */
	uint32_t step;		/* SBX_STEP_... that runs now */
	uint64_t step_ns[SBXI_N_STEPS];	/* when each began */
	uint64_t born_ns;	/* CLOCK_REALTIME_COARSE: older is not the task's */
	uint32_t host_uid, host_gid;	/* of the task, outside */
	uint32_t uid, gid;	/* of the task, inside */
	int hand, ctl, harness, progress, cgroup;	/* or -1 */
	int sync[2];		/* pipe whose end says that the ids are mapped */
	bool relays;		/* standard streams may pass through us */
	bool copied;		/* the target does not borrow our memory */
	bool joins_cgroup;	/* the target moves itself: no clone3 here */
	int *tree;		/* id-mapped clone for each path, or NULL */
	int root;		/* the new root, tier A */
	int ruleset;		/* the task's Landlock ruleset */
	int outer;		/* the supervisor's: the same, and what it needs */
	int listener[2];	/* the target sends its listener by [1]; or -1 */
	int proc;		/* directory of a /proc to sum the tree by, or -1 */
	struct sbxi_relay_pipe pipe[3];
	char private_dir[64];	/* tier B: HOME and TMPDIR are in it */
	const char *home, *tmp;	/* as the task sees them */
	struct sbxi_facts facts;
};

/*
 * Begin a step: note it as the one that runs (a harness that finds us dead
 * reads which), and in test builds fail it if the plan says so.
 */
void sbxi_step(struct sbxi_jail *jail, uint32_t step);

/*
 * Send the failure of the current step and end.  code: negative; remedy:
 * SBXI_REMEDY_...; object may be NULL; text "" = that of the code.
 */
_Noreturn void sbxi_die(struct sbxi_jail *jail, int code, uint32_t remedy,
			const char *object, const char *text);

/* sbxi_die(), if rc is negative. */
void sbxi_check(struct sbxi_jail *jail, int rc, const char *object);

/* The stages. */
_Noreturn void sbxi_tier_a_main(struct sbxi_jail *jail);
void sbxi_tier_b_main(struct sbxi_jail *jail);	/* returns, ready to run */
void sbxi_private_dir_make(struct sbxi_jail *jail);
void sbxi_private_dir_remove(struct sbxi_jail *jail);
void sbxi_root_build(struct sbxi_jail *jail);	/* root.c: mounts and rules of tier A */
void sbxi_proc_mount(struct sbxi_jail *jail);
void sbxi_dev_mount(struct sbxi_jail *jail);
void sbxi_etc_write(struct sbxi_jail *jail);
void sbxi_system_set(struct sbxi_jail *jail);
void sbxi_relay_pipes_make(struct sbxi_jail *jail);
_Noreturn void sbxi_target_main(struct sbxi_jail *jail);
_Noreturn void sbxi_supervise(struct sbxi_jail *jail, pid_t target);
_Noreturn void sbxi_probe_main(void);
_Noreturn void sbxi_idmap_main(struct sbxi_jail *jail);

/* Move the calling process into the task's cgroup. */
void sbxi_cgroup_join(struct sbxi_jail *jail);

/* Fork the target, and go on as supervisor. */
_Noreturn void sbxi_jail_run(struct sbxi_jail *jail);

#endif

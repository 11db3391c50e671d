/* SPDX-License-Identifier: Apache-2.0 */
/* target: the process that waits for a hand-off and becomes the task. */
#include "init/target.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <sandbox/policy.h>

#include "base/cleanup.h"
#include "base/errors.h"
#include "base/fdmsg.h"
#include "base/kconst.h"
#include "init/jail.h"
#include "init/trust.h"
#include "kernel/ids.h"
#include "kernel/landlock.h"
#include "kernel/privileges.h"
#include "kernel/rlimits.h"
#include "kernel/seccomp.h"

/* What the target itself still needs until exec. */
enum {
	KEEP_HAND,
	KEEP_PROGRESS,
	KEEP_RULESET,
	KEEP_FD_DIR,
	KEEP_LISTENER,
	N_KEEP
};

/*
 * A second user namespace: in it the task has no say over the mounts that it
 * sees, since another one made them.
 */
static void own_user_namespace(struct sbxi_jail *jail)
{
	const struct sbxi_id_pair uid = { jail->uid, jail->uid };
	const struct sbxi_id_pair gid = { jail->gid, jail->gid };

	/* Files in /proc/self are root's otherwise, and uid_map EACCES. */
	if (prctl(PR_SET_DUMPABLE, 1) < 0 || unshare(CLONE_NEWUSER) < 0)
		sbxi_check(jail, -errno, "user namespace");
	sbxi_check(jail, sbxi_ids_map_self(&uid, &gid), "uid_map");
	/* The memory is the supervisor's too. */
	if (prctl(PR_SET_DUMPABLE, 0) < 0)
		sbxi_check(jail, -errno, "dumpable");
}

/* Another one must not be had.  If it is, this process must not go on. */
static void try_to_nest(struct sbxi_jail *jail)
{
	if (!jail->facts.nest_refused)
		return;
	if (unshare(CLONE_NEWUSER) == 0)
		sbxi_die(jail, -EPERM, 0, "user namespace",
			 "a nested one could be made");
}

static void nest(struct sbxi_jail *jail, pid_t supervisor)
{
	if (setsid() < 0)
		sbxi_check(jail, -errno, "setsid");
	if (jail->tier == SBX_TIER_A) {
		if (jail->facts.own_proc)
			own_user_namespace(jail);
		try_to_nest(jail);
		return;
	}
	/*
	 * The supervisor has one thread, so this follows its life.  It is a
	 * second rope: the first is that the supervisor kills its tree.
	 */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		sbxi_check(jail, -errno, "parent death signal");
	if (getppid() != supervisor)
		_exit(1);
}

static void close_supervisors(struct sbxi_jail *jail)
{
	if (jail->joins_cgroup)
		sbxi_cgroup_join(jail);
	close(jail->ctl);
	close(jail->harness);
	sbxi_closep(&jail->listener[0]);
	if (jail->cgroup >= 0)
		close(jail->cgroup);
	for (int i = 0; i < 3; i++)
		if (jail->pipe[i].mine >= 0)
			close(jail->pipe[i].mine);
}

static void enter_folder(struct sbxi_jail *jail,
			 const struct sbxi_payload *payload)
{
	const char *cwd = payload->cwd ? (const char *)payload + payload->cwd
				       : jail->home;

	if (chdir(cwd) < 0)
		sbxi_die(jail, -errno, SBXI_REMEDY_CWD, cwd, "");
}

static void place(struct sbxi_jail *jail, struct sbxi_hand *hand, int *keep)
{
	keep[KEEP_HAND] = jail->hand;
	keep[KEEP_PROGRESS] = jail->progress;
	keep[KEEP_RULESET] = jail->ruleset;
	keep[KEEP_LISTENER] = jail->listener[1];
	keep[KEEP_FD_DIR] = open("/proc/self/fd",
				 O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	sbxi_check(jail, sbxi_place_all(hand->place, hand->n, keep, N_KEEP),
		   "descriptors");
	jail->hand = keep[KEEP_HAND];
	jail->progress = keep[KEEP_PROGRESS];
	jail->ruleset = keep[KEEP_RULESET];
	jail->listener[1] = keep[KEEP_LISTENER];
	sbxi_check(jail,
		   sbxi_rlimits_open_files_enter(jail->plan,
						 jail->facts.limit),
		   "open files");
	if ((hand->flags & SBXI_HAND_CTTY) && ioctl(0, TIOCSCTTY, 0) < 0)
		sbxi_check(jail, -errno, "controlling terminal");
}

static void audit(struct sbxi_jail *jail, const struct sbxi_hand *hand,
		  const int *keep)
{
	int fd = -1;
	int rc = sbxi_place_audit(hand->place, hand->n, keep, N_KEEP,
				  keep[KEEP_FD_DIR], &fd);

	if (rc < 0)
		sbxi_die(jail, rc, 0, "descriptors",
			 "the table differs from the manifest");
	jail->facts.closed = true;
	if (keep[KEEP_FD_DIR] >= 0)
		close(keep[KEEP_FD_DIR]);
}

static void load(struct sbxi_jail *jail, enum sbxi_filter which)
{
	const struct sbxi_plan_filter *f = &jail->plan->filter[which];
	const void *code = (const char *)jail->plan + f->offset;

	if (f->count == 0)
		sbxi_die(jail, -EPROTO, 0, "filter", "the plan has none");
	sbxi_check(jail, sbxi_seccomp_enter(code, f->count), "seccomp");
}

/* Is there a file that the task may change, or could by a descriptor? */
static bool must_hear_files(const struct sbxi_jail *jail, uint32_t flags)
{
	const struct sbxi_plan *plan = jail->plan;
	const struct sbxi_plan_path *path = sbxi_plan_paths(plan);

	/* What is refused is to be heard of. */
	if (flags & SBXI_HAND_TELLS)
		return true;
	if ((flags & SBXI_HAND_READS_FILE) && !jail->facts.lent)
		return true;
	/* Landlock judges no metadata, and here no mount does either. */
	if (jail->tier == SBX_TIER_B)
		return true;
	for (size_t i = 0; i < plan->n_paths; i++)
		if (plan->protect != SBX_PROTECT_OFF &&
		    sbxi_trust_covers(&path[i]))
			return true;
	return false;
}

static enum sbxi_filter asking_filter(const struct sbxi_jail *jail)
{
	bool a = jail->tier == SBX_TIER_A;

	if (jail->facts.hears_files)
		return a ? SBXI_FILTER_TASK_A_FILES : SBXI_FILTER_TASK_B_FILES;
	return a ? SBXI_FILTER_TASK_A_ASKS : SBXI_FILTER_TASK_B_ASKS;
}

/* Load a filter that asks, and send the supervisor what it listens by. */
static int load_asking(struct sbxi_jail *jail, uint32_t flags)
{
	const struct sbxi_plan_filter *f;
	AUTO_FD listener = -1;
	int fds[2] = { -1, 0 };

	if (jail->listener[1] < 0)
		return -ENOENT;
	jail->facts.hears_files = must_hear_files(jail, flags);
	f = &jail->plan->filter[asking_filter(jail)];
	listener = sbxi_seccomp_enter_asking(
		(const void *)((const char *)jail->plan + f->offset), f->count);
	if (listener < 0) {
		jail->facts.hears_files = false;
		return listener;
	}
	/* Whoever opens /dev/tty for the task needs the terminal: stream 0. */
	fds[0] = listener;
	sbxi_check(jail,
		   sbxi_fdmsg_send(jail->listener[1],
				   &jail->facts.hears_files, 1, fds,
				   flags & SBXI_HAND_CTTY ? 2 : 1),
		   "listener");
	jail->facts.listens = true;
	return 0;
}

static void load_filters(struct sbxi_jail *jail, uint32_t flags)
{
	int rc = load_asking(jail, flags);

	jail->facts.reads_file = flags & SBXI_HAND_READS_FILE;
	/* Another one listens already, or the kernel is too old. */
	jail->facts.listener_errno = -rc;
	if (flags & SBXI_HAND_CONNECTED)
		load(jail, rc < 0 ? SBXI_FILTER_CONNECTED
				  : SBXI_FILTER_CONNECTED_ASKS);
	if (rc < 0 && jail->facts.reads_file && jail->tier == SBX_TIER_A)
		load(jail, SBXI_FILTER_READER);
	if (rc < 0)
		load(jail, jail->tier == SBX_TIER_A ? SBXI_FILTER_TASK_A
						    : SBXI_FILTER_TASK_B);
	sbxi_closep(&jail->listener[1]);
	jail->listener[1] = -1;
}

static void confine(struct sbxi_jail *jail, const struct sbxi_hand *hand,
		    const int *keep)
{
	int rc;

	sbxi_step(jail, SBX_STEP_CAPABILITIES);
	rc = sbxi_capabilities_enter();
	sbxi_check(jail, rc, "capabilities");
	jail->facts.bounding_empty = rc == 0;
	/* Only now: a capability would open what the task itself may not. */
	sbxi_step(jail, SBX_STEP_CWD);
	enter_folder(jail, hand->payload);
	sbxi_step(jail, SBX_STEP_LANDLOCK);
	if (jail->ruleset >= 0) {
		sbxi_check(jail, sbxi_landlock_enter(jail->ruleset),
			   "landlock_restrict_self");
		close(jail->ruleset);
	}
	sbxi_step(jail, SBX_STEP_VERIFY);
	audit(jail, hand, keep);
	sbxi_canaries_files(jail);
	sbxi_step(jail, SBX_STEP_FILTER);
	load_filters(jail, hand->flags);
	sbxi_canaries_filter(jail);
}

static void report(struct sbxi_jail *jail, uint32_t flags)
{
	struct sbxi_msg_report m;

	sbxi_rows_fill(jail, &m);
	if (!(flags & SBXI_HAND_DRY))
		sbxi_rows_insist(jail, &m);
	sbxi_step(jail, SBX_STEP_EXEC);
	m.step_ns[SBX_STEP_EXEC] = jail->step_ns[SBX_STEP_EXEC];
	if (send(jail->hand, &m, sizeof(m), MSG_NOSIGNAL) < 0)
		_exit(1);
	if (flags & SBXI_HAND_DRY)
		_exit(0);
}

void sbxi_target_main(struct sbxi_jail *jail)
{
	static struct sbxi_hand hand;
	pid_t supervisor = getppid();
	int keep[N_KEEP];
	char **argv, **envp;

	jail->where = SBX_WHERE_TARGET;
	close_supervisors(jail);
	sbxi_step(jail, SBX_STEP_NEST);
	nest(jail, supervisor);
	sbxi_step(jail, SBX_STEP_RLIMITS);
	sbxi_check(jail,
		   sbxi_rlimits_enter(jail->plan,
				      jail->tier == SBX_TIER_A,
				      jail->facts.limit),
		   "setrlimit");
	sbxi_hand_receive(jail, &hand);
	argv = sbxi_payload_argv(jail, hand.payload);
	envp = sbxi_payload_environ(jail, hand.payload);
	sbxi_step(jail, SBX_STEP_GRANTS);
	place(jail, &hand, keep);
	confine(jail, &hand, keep);
	report(jail, hand.flags);
	sbxi_exec(jail, argv, envp);
}

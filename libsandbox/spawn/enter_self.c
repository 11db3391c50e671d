/* SPDX-License-Identifier: Apache-2.0 */
/*
 * enter_self: the calling process confines itself, without a new one.
 *
 * Two halves.  prepare() and all that it calls look, open and allocate, and
 * can fail without a trace.  enter() and all that it calls change the process
 * for good: there is no way back from a failure in it, so it has as few of
 * them as the kernel allows.
 */
#include "spawn/enter_self.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <sandbox/task.h>

#include "base/cleanup.h"
#include "base/closefrom.h"
#include "base/fault.h"
#include "kernel/host_files.h"
#include "kernel/ids.h"
#include "kernel/landlock.h"
#include "kernel/privileges.h"
#include "kernel/rlimits.h"
#include "kernel/seccomp.h"
#include "kernel/source.h"

/* What has no property to be a row of must not be lost in silence. */
static int refuse_what_needs_a_task(const struct sbx_policy *policy,
				    struct sbxi_fail *fail)
{
	static const uint32_t limits[] = { SBX_LIMIT_OUTPUT,
					   SBX_LIMIT_SCRATCH };

	for (size_t i = 0; i < SBXI_COUNT(limits); i++)
		if ((policy->limit_asked & (1u << limits[i])) &&
		    policy->limit[limits[i]] != SBXI_NO_LIMIT)
			return sbxi_fail_remedy(
				fail, SBX_STEP_ARGUMENT, -EOPNOTSUPP,
				SBXI_REMEDY_IN_PLACE,
				sbxi_limit_name(limits[i]),
				"nobody is there to keep this limit");
	if (policy->n_grants > 0)
		return sbxi_fail_remedy(fail, SBX_STEP_ARGUMENT, -EOPNOTSUPP,
					SBXI_REMEDY_IN_PLACE,
					policy->grants[0].name,
					"a grant is for a task: open it before instead");
	return 0;
}

static int compile(struct sbx_policy *policy, struct sbxi_fail *fail)
{
	int rc = sbxi_inject(SBX_STEP_COMPILE);

	if (rc < 0)
		return sbxi_fail(fail, SBX_STEP_COMPILE, rc, "policy", NULL);
	pthread_mutex_lock(&policy->lock);
	rc = sbxi_policy_compile(policy, fail);
	pthread_mutex_unlock(&policy->lock);
	return rc;
}

/* The ruleset. */

/* Devices and folders of devices take ioctls, which a rule must name. */
static int allow(const struct sbxi_entry *e, int fd, uint32_t type,
		 uint32_t rights, const char *path)
{
	bool ioctls = S_ISCHR(type) || S_ISBLK(type) ||
		      !strncmp(path, "/dev/", 5);

	return sbxi_landlock_allow(
		e->ruleset, fd,
		sbxi_landlock_access(rights, S_ISDIR(type), ioctls,
				     e->landlock_abi));
}

/* One that is missing here is missed by nobody. */
static void allow_own(const struct sbxi_entry *e, const char *path,
		      uint32_t rights)
{
	AUTO_FD fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0)
		(void)allow(e, fd, st.st_mode & S_IFMT, rights, path);
}

static int allow_granted(const struct sbxi_entry *e,
			 const struct sbxi_plan_path *path,
			 struct sbxi_fail *fail)
{
	const char *source = sbxi_plan_string(e->plan, path->source);
	AUTO_FD fd = -1;
	int rc;

	if (path->flags & (SBXI_PATH_ELSEWHERE | SBXI_PATH_NARROWER))
		return sbxi_fail_remedy(
			fail, SBX_STEP_OPEN_PATHS, -EOPNOTSUPP,
			SBXI_REMEDY_IN_PLACE,
			sbxi_plan_string(e->plan, path->dest),
			path->flags & SBXI_PATH_ELSEWHERE ?
				"another place needs a mount namespace" :
				"fewer rights than the folder above need a mount namespace");
	fd = sbxi_source_open(source, &path->id);
	if (fd == -ESTALE)
		return sbxi_fail_remedy(fail, SBX_STEP_OPEN_PATHS, fd,
					SBXI_REMEDY_RECOMPILE, source, NULL);
	rc = fd < 0 ? fd : allow(e, fd, path->id.type, path->rights, source);
	if (rc < 0)
		return sbxi_fail(fail, SBX_STEP_OPEN_PATHS, rc, source, NULL);
	return 0;
}

static int make_ruleset(struct sbxi_entry *e, struct sbxi_fail *fail)
{
	const struct sbxi_plan_path *path = sbxi_plan_paths(e->plan);
	int rc = sbxi_inject(SBX_STEP_OPEN_PATHS);

	e->landlock_abi = sbxi_landlock_abi();
	if (e->landlock_abi == 0) {
		e->landlock_errno = errno;
		return 0;
	}
	e->ruleset = sbxi_landlock_create(
		e->landlock_abi, SBXI_LANDLOCK_SCOPES | SBXI_LANDLOCK_NET);
	if (rc == 0 && e->ruleset < 0)
		rc = e->ruleset;
	if (rc < 0)
		return sbxi_fail(fail, SBX_STEP_OPEN_PATHS, rc,
				 "landlock_create_ruleset", NULL);
	for (size_t i = 0; i < SBXI_COUNT(sbxi_host_devices); i++)
		allow_own(e, sbxi_host_devices[i], SBX_READ | SBX_WRITE);
	for (size_t i = 0; (e->plan->flags & SBXI_PLAN_TOOL) &&
			   i < SBXI_COUNT(sbxi_host_user_database); i++)
		allow_own(e, sbxi_host_user_database[i], SBX_READ);
	for (size_t i = 0; i < e->plan->n_paths && rc == 0; i++)
		rc = allow_granted(e, &path[i], fail);
	return rc;
}

/* What the host gives. */

static bool may_drop_groups(void)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = { { 0, 0, 0 }, { 0, 0, 0 } };

	if (getgroups(0, NULL) == 0)
		return true;
	return syscall(SYS_capget, &head, data) == 0 &&
	       (data[0].effective & (1u << CAP_SETGID));
}

static bool has_controlling_terminal(void)
{
	AUTO_FD fd = open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK |
				      O_CLOEXEC);

	return fd >= 0 || (errno != ENXIO && errno != ENOENT);
}

/* Before Linux 4.14 the question itself is unknown: EINVAL. */
static int check_filters(struct sbxi_fail *fail)
{
	const uint32_t action = SECCOMP_RET_ERRNO;

	if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0 ||
	    errno == EINVAL)
		return 0;
	return sbxi_fail_remedy(fail, SBX_STEP_VERIFY, -EPERM,
				SBXI_REMEDY_SECCOMP, "syscalls",
				"no system call filter can be had: %s",
				strerror(errno));
}

static int insist(const struct sbx_report *report, struct sbxi_fail *fail)
{
	const struct sbxi_report_line *line = sbxi_entry_missing(report);

	if (!line)
		return 0;
	return sbxi_fail_remedy(fail, SBX_STEP_VERIFY, -EPERM,
				line->remedy ? line->remedy :
					       SBXI_REMEDY_IN_PLACE,
				line->name,
				"required, and cannot be held in place: %.150s",
				line->object);
}

static void foresee(struct sbxi_entry *e)
{
	e->root_id = geteuid() == 0 && sbxi_ids_initial_namespace();
	e->groups_dropped = may_drop_groups();
	e->own_keyring = true;
	e->has_terminal = e->held.terminal || has_controlling_terminal();
	for (uint32_t i = 0; i < SBXI_N_LIMITS; i++)
		e->limit[i] = SBXI_NO_LIMIT;
}

/* All that can be refused without having changed anything. */
static int prepare(struct sbx_policy *policy, struct sbxi_entry *e,
		   struct sbx_report **ret, struct sbxi_fail *fail)
{
	int rc = refuse_what_needs_a_task(policy, fail);

	if (rc == 0)
		rc = compile(policy, fail);
	if (rc < 0)
		return rc;
	e->plan = policy->plan;
	rc = sbxi_held_look(e->plan, e->flags, &e->held, fail);
	if (rc == 0)
		rc = check_filters(fail);
	if (rc == 0)
		rc = make_ruleset(e, fail);
	if (rc < 0)
		return rc;
	foresee(e);
	if (sbxi_report_alloc(SBXI_REPORT_TASK, SBXI_N_PROPERTIES, ret) < 0)
		return sbxi_fail(fail, SBX_STEP_VERIFY, -ENOMEM, "report",
				 NULL);
	sbxi_entry_rows(e, policy->level, *ret);
	return insist(*ret, fail);
}

/* From here on the process changes. */

static int failed(struct sbxi_fail *fail, uint32_t step, int rc,
		  const char *object)
{
	return rc < 0 ? sbxi_fail(fail, step, rc, object, NULL) : 0;
}

static int close_others(struct sbxi_entry *e)
{
	unsigned int first = 3;

	if (!(e->flags & SBX_ENTER_CLOSE))
		return 0;
	if (e->ruleset > 3) {
		if (dup3(e->ruleset, 3, O_CLOEXEC) < 0)
			return -errno;
		e->ruleset = 3;
	}
	if (e->ruleset == 3)
		first = 4;
	e->closed = true;
	return sbxi_close_from(first);
}

static int drop_privileges(struct sbxi_entry *e, struct sbxi_fail *fail)
{
	int rc = sbxi_inject(SBX_STEP_CHECK_PLAN);

	if (rc == 0)
		rc = sbxi_no_new_privs_enter();
	if (rc < 0)
		return failed(fail, SBX_STEP_CHECK_PLAN, rc, "no_new_privs");
	/* The filter keeps keys away, too: a host without keyrings is fine. */
	e->own_keyring = sbxi_keyring_enter() == 0;
	e->groups_dropped = sbxi_groups_enter() >= 0;
	rc = sbxi_inject(SBX_STEP_CAPABILITIES);
	if (rc == 0)
		rc = sbxi_capabilities_enter();
	return failed(fail, SBX_STEP_CAPABILITIES, rc, "capabilities");
}

static int set_limits(struct sbxi_entry *e, struct sbxi_fail *fail)
{
	static const uint32_t nobodys[] = {
		SBX_LIMIT_WALL_MS, SBX_LIMIT_MEMORY, SBX_LIMIT_PROCESSES,
		SBX_LIMIT_OUTPUT, SBX_LIMIT_SCRATCH,
	};
	int rc = sbxi_inject(SBX_STEP_RLIMITS);

	if (rc == 0)
		rc = sbxi_rlimits_enter(e->plan, false, e->limit);
	if (rc == 0)
		rc = sbxi_rlimits_open_files_enter(e->plan, e->limit);
	for (size_t i = 0; i < SBXI_COUNT(nobodys); i++)
		e->limit[nobodys[i]] = SBXI_NO_LIMIT;
	return failed(fail, SBX_STEP_RLIMITS, rc, "setrlimit");
}

static int got_through(struct sbxi_fail *fail, const char *what)
{
	return sbxi_fail(fail, SBX_STEP_VERIFY, -EPERM, what,
			 "the canary got through");
}

static int enter_landlock(struct sbxi_entry *e, struct sbxi_fail *fail)
{
	int rc = sbxi_inject(SBX_STEP_LANDLOCK);
	AUTO_FD root = -1;

	if (e->ruleset < 0)
		return failed(fail, SBX_STEP_LANDLOCK, rc, "ruleset");
	if (rc == 0)
		rc = sbxi_landlock_enter(e->ruleset);
	sbxi_closep(&e->ruleset);
	e->ruleset = -1;
	if (rc < 0)
		return failed(fail, SBX_STEP_LANDLOCK, rc,
			      "landlock_restrict_self");
	/* No policy can grant the root folder. */
	root = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return root >= 0 ? got_through(fail, "files") : 0;
}

static int load(const struct sbxi_plan *plan, enum sbxi_filter which,
		struct sbxi_fail *fail)
{
	const struct sbxi_plan_filter *f = &plan->filter[which];
	const void *code = (const char *)plan + f->offset;
	int rc = sbxi_inject(SBX_STEP_FILTER);

	if (rc == 0)
		rc = sbxi_seccomp_enter(code, f->count);
	return failed(fail, SBX_STEP_FILTER, rc, "seccomp");
}

static int enter_filters(const struct sbxi_entry *e, struct sbxi_fail *fail)
{
	int rc = 0;

	/* A socket of the host's network is not to be sent elsewhere. */
	if (e->held.inet || !e->held.listed)
		rc = load(e->plan, SBXI_FILTER_CONNECTED, fail);
	return rc < 0 ? rc : load(e->plan, SBXI_FILTER_TASK_B, fail);
}

static int try_what_is_refused(struct sbxi_fail *fail)
{
	AUTO_FD packet = -1;
	AUTO_FD inet = -1;

	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
		return got_through(fail, "privileges");
	if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 2)
		return got_through(fail, "syscalls");
	if (syscall(SYS_keyctl, 0, -3, 0, 0, 0) >= 0)
		return got_through(fail, "keyring");
	if (unshare(CLONE_NEWUSER) == 0)
		return got_through(fail, "privileges");
	packet = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	inet = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	return packet >= 0 || inet >= 0 ? got_through(fail, "network") : 0;
}

static int enter(struct sbxi_entry *e, struct sbxi_fail *fail)
{
	int rc = close_others(e);

	if (rc < 0)
		return failed(fail, SBX_STEP_GRANTS, rc, "descriptors");
	rc = drop_privileges(e, fail);
	if (rc == 0)
		rc = set_limits(e, fail);
	if (rc == 0)
		rc = enter_landlock(e, fail);
	if (rc == 0)
		rc = enter_filters(e, fail);
	return rc < 0 ? rc : try_what_is_refused(fail);
}

/* They are closed: their numbers may soon be somebody else's. */
static void forget_descriptors(struct sbx_policy *policy)
{
	pthread_mutex_lock(&policy->lock);
	policy->plan_fd = policy->helper_fd = policy->idmap_fd =
		policy->cgroup_parent_fd = -1;
	pthread_mutex_unlock(&policy->lock);
}

int sbxi_enter_self(struct sbx_policy *policy, uint32_t flags,
		    struct sbx_report **ret, struct sbxi_fail *fail)
{
	struct sbxi_entry e = { .flags = flags, .ruleset = -1 };
	struct sbx_report *report = NULL;
	int rc = prepare(policy, &e, &report, fail);

	fail->where = SBX_WHERE_HARNESS;
	if (rc == 0) {
		rc = enter(&e, fail);
		if (rc == 0) {
			sbxi_entry_rows(&e, policy->level, report);
			rc = insist(report, fail);
		}
		fail->where = SBX_WHERE_TARGET;
	}
	if (e.closed)
		forget_descriptors(policy);
	sbxi_closep(&e.ruleset);
	if (rc < 0)
		sbxi_report_free(report);
	else
		*ret = report;
	return rc;
}

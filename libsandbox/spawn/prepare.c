/* SPDX-License-Identifier: Apache-2.0 */
/* prepare: what all spawns of one policy share, made by the first of them. */
#include "spawn/prepare.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fault.h"
#include "base/fdmsg.h"
#include "base/kconst.h"
#include "base/memfd.h"
#include "kernel/build_id.h"
#include "kernel/cgroup.h"
#include "spawn/launch.h"
#include "spawn/sockets.h"
#include "spawn/task.h"

#define IDMAP_DEADLINE_MS 10000

static int make_plan_fd(const struct sbxi_plan *plan, struct sbxi_fail *fail)
{
	int fd = sbxi_memfd_sealed("sbx-plan", plan, plan->size, false);

	return fd < 0 ? sbxi_fail(fail, SBX_STEP_SOCKETS, fd, "plan", NULL)
		      : fd;
}

/* One descriptor, or none: then trees cannot be lent, and the report says so. */
static int receive_namespace(int sock)
{
	uint64_t end = sbxi_now_ms() + IDMAP_DEADLINE_MS;
	struct sbxi_fdmsg msg = { .len = 0 };
	int fd = -1, rc;

	do {
		struct pollfd p = { .fd = sock, .events = POLLIN };
		uint64_t now = sbxi_now_ms();

		rc = poll(&p, 1, now < end ? (int)(end - now) : 0);
	} while (rc < 0 && errno == EINTR);
	if (rc == 0)
		return -ETIMEDOUT;
	if (rc == 1 && sbxi_fdmsg_recv(sock, &msg, 1) == 1)
		fd = sbxi_fdmsg_take(&msg, 0);
	sbxi_fdmsg_drop(&msg);
	return fd;
}

static int make_idmap(struct sbx_policy *policy, struct sbxi_fail *fail)
{
	struct sbxi_launch l = SBXI_LAUNCH_INIT;
	AUTO_FD ours = -1;
	AUTO_FD theirs = -1;
	AUTO_FD pidfd = -1;
	pid_t pid;
	int rc = sbxi_socket_pair(&ours, &theirs);

	if (rc < 0)
		return sbxi_fail(fail, SBX_STEP_SOCKETS, rc, "socketpair",
				 NULL);
	l.helper_fd = policy->helper_fd;
	l.mode = SBXI_MODE_IDMAP;
	l.private_name = "";
	l.fd[SBXI_FD_HAND] = theirs;
	l.fd[SBXI_FD_PLAN] = policy->plan_fd;
	rc = sbxi_launch(&l, &pidfd, &pid, fail);
	if (rc < 0)
		return rc;
	sbxi_closep(&theirs);
	theirs = -1;
	rc = receive_namespace(ours);
	if (rc == -ETIMEDOUT) {
		(void)syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
		sbxi_reap(pidfd, true);
		return sbxi_fail(fail, SBX_STEP_NAMESPACES, rc, "sbx-init",
				 NULL);
	}
	policy->idmap_fd = rc;
	sbxi_reap(pidfd, true);
	return 0;
}

static void find_cgroup(struct sbx_policy *policy)
{
	if (policy->limit[SBX_LIMIT_MEMORY] == SBXI_NO_LIMIT)
		return;
	policy->cgroup_parent_fd = sbxi_cgroup_find(NULL);
	if (policy->cgroup_parent_fd < 0)
		policy->cgroup_parent_fd = -1;
}

/* A memfd that may not be executed shows only when that is tried. */
static int make_idmap_or_installed(struct sbx_policy *policy,
				   struct sbxi_fail *fail)
{
	int rc = make_idmap(policy, fail);

	if (rc == -EACCES && fail->step == SBX_STEP_EXEC_HELPER &&
	    sbxi_prepare_installed_helper(policy) == 0)
		rc = make_idmap(policy, fail);
	return rc;
}

static int make_all(struct sbx_policy *policy, struct sbxi_fail *fail)
{
	AUTO_FD plan = -1;
	AUTO_FD helper = -1;
	int rc;

	memcpy(policy->plan->build_id, sbxi_build_id, sizeof(sbxi_build_id));
	plan = make_plan_fd(policy->plan, fail);
	if (plan < 0)
		return plan;
	helper = sbxi_helper_open(fail);
	if (helper < 0)
		return helper;
	policy->plan_fd = sbxi_steal_fd(&plan);
	policy->helper_fd = sbxi_steal_fd(&helper);
	rc = policy->plan->flags & SBXI_PLAN_TASK_ID
		     ? make_idmap_or_installed(policy, fail)
		     : 0;
	if (rc < 0) {
		sbxi_closep(&policy->plan_fd);
		sbxi_closep(&policy->helper_fd);
		policy->plan_fd = policy->helper_fd = -1;
		return rc;
	}
	find_cgroup(policy);
	return 0;
}

static int prepare_locked(struct sbx_policy *policy, struct sbxi_fail *fail)
{
	int rc = sbxi_inject(SBX_STEP_COMPILE);

	if (rc < 0)
		return sbxi_fail(fail, SBX_STEP_COMPILE, rc, "policy", NULL);
	rc = sbxi_inject(SBX_STEP_OPEN_PATHS);
	if (rc < 0)
		return sbxi_fail(fail, SBX_STEP_OPEN_PATHS, rc, "policy",
				 NULL);
	if (!policy->frozen)
		rc = sbxi_policy_compile(policy, fail);
	if (rc == 0 && policy->helper_fd < 0)
		rc = make_all(policy, fail);
	return rc;
}

int sbxi_prepare(struct sbx_policy *policy, struct sbxi_fail *fail)
{
	int rc;

	pthread_mutex_lock(&policy->lock);
	rc = prepare_locked(policy, fail);
	pthread_mutex_unlock(&policy->lock);
	return rc;
}

#ifdef SBX_FAULT_INJECTION
static int faulty_plan_fd(const struct sbx_policy *policy,
			  struct sbxi_fail *fail)
{
	struct sbxi_plan *plan = malloc(policy->plan->size);
	int fd;

	if (!plan)
		return -ENOMEM;
	memcpy(plan, policy->plan, policy->plan->size);
	plan->fault_step = sbxi_fault_step();
	plan->fault_errno = sbxi_fault_errno();
	fd = make_plan_fd(plan, fail);
	free(plan);
	return fd;
}
#endif

static int dup_plan(const struct sbx_policy *policy, struct sbxi_fail *fail)
{
#ifdef SBX_FAULT_INJECTION
	if (sbxi_fault_step())
		return faulty_plan_fd(policy, fail);
#endif
	(void)fail;
	return fcntl(policy->plan_fd, F_DUPFD_CLOEXEC, 3);
}

int sbxi_prepare_files(struct sbx_policy *policy, int *ret_plan,
		       int *ret_helper, struct sbxi_fail *fail)
{
	AUTO_FD plan = -1;
	AUTO_FD helper = -1;

	/* The helper may be exchanged by another thread meanwhile. */
	pthread_mutex_lock(&policy->lock);
	plan = dup_plan(policy, fail);
	if (plan >= 0)
		helper = fcntl(policy->helper_fd, F_DUPFD_CLOEXEC, 3);
	pthread_mutex_unlock(&policy->lock);
	if (plan < 0 || helper < 0)
		return sbxi_fail_remedy(fail, SBX_STEP_SOCKETS, -errno,
					SBXI_REMEDY_OPEN_FILES, "plan", NULL);
	*ret_plan = sbxi_steal_fd(&plan);
	*ret_helper = sbxi_steal_fd(&helper);
	return 0;
}

int sbxi_prepare_installed_helper(struct sbx_policy *policy)
{
	int fd = sbxi_helper_open_installed();

	if (fd < 0)
		return fd;
	sbxi_closep(&policy->helper_fd);
	policy->helper_fd = fd;
	return 0;
}

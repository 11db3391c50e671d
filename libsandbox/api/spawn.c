/* SPDX-License-Identifier: Apache-2.0 */
/* The exported functions of <sandbox/task.h>, and of a task's report. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include <sandbox/report.h>
#include <sandbox/task.h>

#include "base/cleanup.h"
#include "spawn/report.h"
#include "spawn/spawn.h"
#include "spawn/task.h"
#include "spawn/tier.h"

/* What sbx_spawn(3) lists; anything else becomes -EIO, its errno kept. */
static const int documented[] = {
	-EINVAL, -E2BIG, -EBADF, -EPERM, -ENOENT, -EACCES, -ENOTDIR, -ELOOP,
	-ENAMETOOLONG, -ENOEXEC, -ESTALE, -ECONNREFUSED, -ETIMEDOUT,
	-EHOSTUNREACH, -ENETUNREACH, -EMFILE, -ENFILE, -ENOMEM, -EAGAIN,
	-ENOSPC, -ECHILD, -EOPNOTSUPP, -EIO,
};

static int filter_code(int rc)
{
	if (rc >= 0)
		return rc;
	for (size_t i = 0; i < SBXI_COUNT(documented); i++)
		if (documented[i] == rc)
			return rc;
	return -EIO;
}

/* Copy a caller's struct of another size into ours: the rule of clone3(2). */
static int copy_opts(const struct sbx_spawn_opts *from,
		     struct sbx_spawn_opts *to, struct sbxi_fail *fail)
{
	const struct sbx_spawn_opts init = SBX_SPAWN_OPTS_INIT;
	const char *tail = (const char *)from + sizeof(*to);

	if (from->size < sizeof(*to))
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, -EINVAL,
				 "opts.size",
				 "it is smaller than the first version's: begin with SBX_SPAWN_OPTS_INIT");
	if (from->size > 4096)
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, -E2BIG, "opts.size",
				 "it is larger than any version's");
	for (size_t i = sizeof(*to); i < from->size; i++)
		if (*tail++)
			return sbxi_fail(fail, SBX_STEP_ARGUMENT, -E2BIG,
					 "opts.size",
					 "options newer than this library");
	*to = init;
	memcpy(to, from, sizeof(*to));
	return 0;
}

static int check_handlers(const struct sbx_handlers *h, struct sbxi_fail *fail)
{
	if (!h || (h->size == sizeof(*h) && h->reserved == 0))
		return 0;
	return sbxi_fail(fail, SBX_STEP_ARGUMENT, -EINVAL, "opts.handlers",
			 "begin with SBX_HANDLERS_INIT");
}

static bool path_is_absolute(const char *path)
{
	return path[0] == '/' && strlen(path) < 4096;
}

static int check_opts(const struct sbx_spawn_opts *o, struct sbxi_fail *fail)
{
	if (o->flags & ~(uint32_t)SBX_SPAWN_CTTY)
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, -EINVAL,
				 "opts.flags", "unknown bits 0x%x",
				 o->flags & ~(uint32_t)SBX_SPAWN_CTTY);
	if (!o->argv || !o->argv[0] || !o->argv[0][0])
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, -EINVAL,
				 "opts.argv", "there is no program");
	if (o->cwd && !path_is_absolute(o->cwd))
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, -EINVAL,
				 o->cwd[0] ? o->cwd : "opts.cwd",
				 "cwd is no absolute path");
	for (int i = 0; i < 3; i++)
		if (o->stdio[i] < SBX_STDIO_PIPE)
			return sbxi_fail(fail, SBX_STEP_ARGUMENT, -EINVAL,
					 "opts.stdio",
					 "%d is neither a descriptor nor SBX_STDIO_...",
					 o->stdio[i]);
	if (o->n_grants > 0 && !o->grants)
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, -EINVAL,
				 "opts.grants", "it is NULL");
	if ((o->flags & SBX_SPAWN_CTTY) && o->stdio[0] < 0 &&
	    o->stdio[0] != SBX_STDIO_INHERIT)
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, -EINVAL,
				 "opts.stdio[0]",
				 "SBX_SPAWN_CTTY needs a terminal there");
	return check_handlers(o->handlers, fail);
}

static int check_owner(const struct sbx_policy *policy, struct sbxi_fail *fail)
{
	if (policy->owner == getpid())
		return 0;
	return sbxi_fail(fail, SBX_STEP_ARGUMENT, -ECHILD, "policy",
			 "it belongs to the process that made it");
}

int sbx_spawn(struct sbx_policy *policy, const struct sbx_spawn_opts *opts,
	      struct sbx_task **ret_task, struct sbx_error *reterr)
{
	struct sbxi_fail fail = { .step = SBX_STEP_ARGUMENT };
	struct sbx_spawn_opts own;
	int rc = check_owner(policy, &fail);

	if (rc == 0)
		rc = sbxi_mandate_unenforced(policy, &fail);
	if (rc == 0)
		rc = copy_opts(opts, &own, &fail);
	if (rc == 0)
		rc = check_opts(&own, &fail);
	if (rc == 0)
		rc = sbxi_spawn(policy, &own, ret_task, &fail);
	return sbxi_fail_export(&fail, filter_code(rc), reterr);
}

/* The rows, and why they are not those of tier A. */
static int make_report(struct sbx_policy *policy,
		       const struct sbxi_msg_report *message,
		       struct sbx_report **ret)
{
	struct sbxi_fail reason;
	int rc = sbxi_report_new(message, policy->level, ret);

	if (rc == 0 && message->tier != SBX_TIER_A &&
	    sbxi_tier_reason(policy, &reason)) {
		(*ret)->tier_errno = reason.sys_errno;
		(*ret)->tier_step = reason.step;
		(*ret)->tier_remedy = reason.remedy;
	}
	return rc;
}

int sbx_policy_dry_run(struct sbx_policy *policy,
		       struct sbx_report **ret_report,
		       struct sbx_error *reterr)
{
	struct sbxi_fail fail = { .step = SBX_STEP_ARGUMENT };
	struct sbxi_msg_report message;
	int rc = check_owner(policy, &fail);

	if (rc == 0)
		rc = sbxi_mandate_unenforced(policy, &fail);
	if (rc == 0)
		rc = sbxi_dry_run(policy, &message, &fail);
	if (rc == 0) {
		rc = make_report(policy, &message, ret_report);
		if (rc < 0)
			sbxi_fail(&fail, SBX_STEP_VERIFY, rc, "report", NULL);
	}
	return sbxi_fail_export(&fail, filter_code(rc), reterr);
}

int sbx_task_report(const struct sbx_task *task,
		    struct sbx_report **ret_report)
{
	if (task->owner != getpid())
		return -ECHILD;
	return make_report(task->policy, &task->report, ret_report);
}

struct sbx_task *sbx_task_ref(struct sbx_task *task)
{
	atomic_fetch_add(&task->refs, 1);
	return task;
}

void sbx_task_unref(struct sbx_task *task)
{
	if (!task || atomic_fetch_sub(&task->refs, 1) != 1)
		return;
	/* A forked copy of the harness must not end the original's task. */
	if (task->owner == getpid())
		sbxi_task_end(task);
	sbxi_task_free(task);
}

int sbx_task_wait(struct sbx_task *task, int timeout_ms,
		  struct sbx_exit *ret_exit)
{
	int rc;

	if (task->owner != getpid())
		return -ECHILD;
	if (ret_exit->size != sizeof(*ret_exit))
		return -EINVAL;
	rc = sbxi_task_wait(task, timeout_ms < 0 ? -1 : timeout_ms);
	if (rc == 0)
		sbxi_task_exit(task, ret_exit);
	return rc;
}

int sbx_task_fd(const struct sbx_task *task)
{
	return sbxi_task_fd(task);
}

int sbx_task_pidfd(const struct sbx_task *task)
{
	return task->pidfd;
}

int sbx_task_dispatch(struct sbx_task *task)
{
	int rc;

	if (task->owner != getpid())
		return -ECHILD;
	rc = sbxi_task_update(task);
	sbxi_task_deliver(task);
	return rc;
}

int sbx_task_stdio(struct sbx_task *task, int which)
{
	if (which < 0 || which > 2 || task->stdio[which] < 0)
		return -EBADF;
	return task->stdio[which];
}

int sbx_task_close_stdio(struct sbx_task *task, int which)
{
	if (which < 0 || which > 2 || task->stdio[which] < 0)
		return -EBADF;
	sbxi_closep(&task->stdio[which]);
	task->stdio[which] = -1;
	return 0;
}

int sbx_task_kill(struct sbx_task *task, int sig)
{
	if (task->owner != getpid())
		return -ECHILD;
	if (sig < 1 || sig > 64)
		return -EINVAL;
	return sbxi_task_kill(task, sig);
}

void *sbx_task_userdata(const struct sbx_task *task)
{
	return task->userdata;
}

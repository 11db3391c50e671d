/* SPDX-License-Identifier: Apache-2.0 */
/* spawn: a jail made ready, and a task handed to it. */
#include "spawn/spawn.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "spawn/payload.h"
#include "spawn/prepare.h"
#include "spawn/start.h"
#include "spawn/tier.h"

#define CONNECT_TIMEOUT_MS 10000

static int gather(struct sbxi_start *s, struct sbxi_fail *fail)
{
	int rc = sbxi_prepare(s->policy, fail);

	if (rc < 0)
		return rc;
	if ((s->opts->flags & SBX_SPAWN_CTTY) &&
	    (s->policy->plan->flags & SBXI_PLAN_RELAY_OUTPUT))
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, -EINVAL,
				 "opts.flags",
				 "what a task writes to a terminal of its own is not counted: take SBX_SPAWN_CTTY or SBX_LIMIT_OUTPUT out");
	rc = sbxi_grants_open(s->policy, s->opts->grants, s->opts->n_grants,
			      CONNECT_TIMEOUT_MS, &s->grants, fail);
	if (rc < 0)
		return rc;
	rc = sbxi_streams_open(s->policy, s->opts, &s->streams, fail);
	if (rc < 0)
		return rc;
	s->payload = sbxi_payload_make(s->policy, s->opts->argv, s->opts->cwd,
				       &s->grants, fail);
	return s->payload < 0 ? s->payload : 0;
}

static void scatter(struct sbxi_start *s)
{
	sbxi_grants_done(&s->grants);
	sbxi_streams_done(&s->streams);
	sbxi_closep(&s->payload);
}

/*
 * Tier A, and tier B where the host refuses tier A's mechanisms: strict on
 * properties, flexible on mechanisms.  What tier B does not hold fails there.
 */
static int attempt_tiers(const struct sbxi_start *s, struct sbx_task **ret,
			 struct sbxi_fail *fail)
{
	uint32_t tier = sbxi_tier_first(s->policy);
	int rc;

	for (;;) {
		struct sbx_task *task = sbxi_task_new(s->policy);

		if (!task)
			return sbxi_fail(fail, SBX_STEP_SOCKETS, -ENOMEM,
					 "task", NULL);
		rc = sbxi_start(s, tier, task, fail);
		if (rc == 0) {
			*ret = task;
			return 0;
		}
		sbxi_task_free(task);
		if (sbxi_helper_refused(s->policy, rc, fail))
			continue;
		if (tier == SBX_TIER_A &&
		    sbxi_tier_refused(s->policy, rc, fail)) {
			tier = SBX_TIER_B;
			continue;
		}
		if (tier == SBX_TIER_B)
			sbxi_tier_explain(s->policy, fail);
		return rc;
	}
}

static int listen_to(struct sbx_task *task, const struct sbx_handlers *h,
		     struct sbxi_fail *fail)
{
	int rc = sbxi_task_listen(task, h);

	if (rc == 0)
		return 0;
	sbxi_task_end(task);
	sbxi_task_free(task);
	return sbxi_fail_remedy(fail, SBX_STEP_SOCKETS, rc,
				rc == -EMFILE ? SBXI_REMEDY_OPEN_FILES
					      : SBXI_REMEDY_NONE,
				"epoll", NULL);
}

int sbxi_spawn(struct sbx_policy *policy, const struct sbx_spawn_opts *opts,
	       struct sbx_task **ret_task, struct sbxi_fail *fail)
{
	struct sbxi_start s = {
		.policy = policy,
		.opts = opts,
		.streams = { .fd = { -1, -1, -1 }, .ours = { -1, -1, -1 } },
		.payload = -1,
	};
	struct sbx_task *task = NULL;
	int rc = gather(&s, fail);

	if (rc == 0)
		rc = attempt_tiers(&s, &task, fail);
	if (rc == 0 && opts->handlers)
		rc = listen_to(task, opts->handlers, fail);
	if (rc == 0) {
		for (int i = 0; i < 3; i++)
			task->stdio[i] = sbxi_steal_fd(&s.streams.ours[i]);
		task->userdata = opts->userdata;
		*ret_task = task;
	}
	scatter(&s);
	return rc;
}

int sbxi_dry_run(struct sbx_policy *policy, struct sbxi_msg_report *ret,
		 struct sbxi_fail *fail)
{
	static const char *const argv[] = { "true", NULL };
	struct sbx_spawn_opts opts = SBX_SPAWN_OPTS_INIT;
	struct sbxi_start s = {
		.policy = policy,
		.opts = &opts,
		.streams = { .fd = { -1, -1, -1 }, .ours = { -1, -1, -1 } },
		.payload = -1,
		.dry = true,
	};
	struct sbx_task *task = NULL;
	int rc;

	opts.argv = argv;
	rc = sbxi_prepare(policy, fail);
	if (rc == 0) {
		s.payload = sbxi_payload_make(policy, argv, NULL, &s.grants,
					      fail);
		rc = s.payload < 0 ? s.payload
				   : attempt_tiers(&s, &task, fail);
	}
	if (rc == 0) {
		*ret = task->report;
		sbxi_task_end(task);
		sbxi_task_free(task);
	}
	scatter(&s);
	return rc;
}

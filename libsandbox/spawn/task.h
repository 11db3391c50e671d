/* SPDX-License-Identifier: Apache-2.0 */
/* task: one confined process tree, from its start to its end. */
#ifndef SBXI_SPAWN_TASK_H
#define SBXI_SPAWN_TASK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <sandbox/task.h>

#include "base/errors.h"
#include "base/fdmsg.h"
#include "kernel/cgroup.h"
#include "kernel/handoff.h"
#include "policy/policy.h"
#include "spawn/denials.h"

struct sbx_task {
	atomic_uint refs;
	pid_t owner;		/* handles are no good in a forked copy */
	struct sbx_policy *policy;
	void *userdata;
	struct sbx_handlers handlers;

	int ctl;		/* to the supervisor */
	int pidfd;		/* of the supervisor */
	int news;		/* epoll of both, if there are handlers; or -1 */
	int stdio[3];		/* our ends of pipes, or -1 */
	uint32_t tier;
	char private_name[32];	/* tier B: "/sbx-..." */
	struct sbxi_cgroup cgroup;
	struct sbxi_msg_report report;

	pthread_mutex_t lock;	/* what follows */
	atomic_bool silent;	/* nothing more can come by ctl */
	bool has_exit;		/* EXIT has arrived, or cannot any more */
	bool gone;		/* the supervisor has been reaped */
	struct sbxi_msg_exit exit;
	struct sbxi_denials denials;
};

/* An empty task of the calling process.  NULL on ENOMEM. */
struct sbx_task *sbxi_task_new(struct sbx_policy *policy);

/*
 * End the tree, wait until nothing of it is left, remove what belonged to it.
 * Whatever the state.  Does not free the task.
 */
void sbxi_task_end(struct sbx_task *task);
void sbxi_task_free(struct sbx_task *task);

/* Take in a message of ctl that may come at any time. */
void sbxi_task_take(struct sbx_task *task, const struct sbxi_fdmsg *msg);

/* Call the handlers for what has come. */
void sbxi_task_deliver(struct sbx_task *task);

/* Take in what has happened; 1 if the whole tree has ended. */
int sbxi_task_update(struct sbx_task *task);

/* Wait for the end.  0, -ETIMEDOUT, -EINTR or -EIO. */
int sbxi_task_wait(struct sbx_task *task, int timeout_ms);

int sbxi_task_kill(struct sbx_task *task, int sig);

/* How it ended, for a task that has. */
void sbxi_task_exit(struct sbx_task *task, struct sbx_exit *ret);

/* What to poll: news, or pidfd where ctl has nothing but the end to tell. */
int sbxi_task_fd(const struct sbx_task *task);

/* Copy handlers, and make what wakes their caller.  0 or -errno. */
int sbxi_task_listen(struct sbx_task *task, const struct sbx_handlers *h);

/* Reap a child by its pidfd, if it has ended (or block until it has). */
void sbxi_reap(int pidfd, bool block);

#endif

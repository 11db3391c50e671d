/* SPDX-License-Identifier: Apache-2.0 */
/* task: one confined process tree, from its start to its end. */
#include "spawn/task.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fdmsg.h"
#include "base/kconst.h"
#include "base/rmtree.h"

/* A supervisor that was told to end has this long before it is killed. */
#define END_GRACE_MS 2000

/* Messages that are taken in one go. */
#define AT_ONCE 256

struct sbx_task *sbxi_task_new(struct sbx_policy *policy)
{
	struct sbx_task *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->refs = 1;
	t->owner = getpid();
	t->ctl = t->pidfd = t->news = -1;
	t->stdio[0] = t->stdio[1] = t->stdio[2] = -1;
	t->cgroup = (struct sbxi_cgroup)SBXI_CGROUP_INIT;
	pthread_mutex_init(&t->lock, NULL);
	t->policy = sbx_policy_ref(policy);
	return t;
}

void sbxi_reap(int pidfd, bool block)
{
	siginfo_t info;
	int flags = WEXITED | (block ? 0 : WNOHANG);

	/* ECHILD: the harness ignores SIGCHLD, or another thread was faster. */
	while (waitid((idtype_t)SBXI_P_PIDFD, (id_t)pidfd, &info, flags) < 0 &&
	       errno == EINTR)
		;
}

/* 1 = readable, 0 = timed out, or -errno. */
static int poll_one(int fd, int timeout_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int rc = poll(&p, 1, timeout_ms);

	return rc < 0 ? -errno : rc;
}

/* The same for internal use, where a signal of the harness changes nothing. */
static int poll_until(int fd, int timeout_ms)
{
	uint64_t end = sbxi_now_ms() + (uint64_t)timeout_ms;
	int rc;

	do {
		uint64_t now = sbxi_now_ms();

		rc = poll_one(fd, now < end ? (int)(end - now) : 0);
	} while (rc == -EINTR);
	return rc;
}

static void take_exit(struct sbx_task *task, const struct sbxi_msg_exit *exit)
{
	task->exit = *exit;
	task->has_exit = true;
	if (exit->kind == SBX_SIGNALED && exit->code == SIGKILL &&
	    sbxi_cgroup_oom(&task->cgroup) == 1) {
		task->exit.kind = SBX_MEMORY_LIMIT;
		task->exit.code = 0;
	}
}

void sbxi_task_take(struct sbx_task *task, const struct sbxi_fdmsg *msg)
{
	const struct sbxi_msg_exit *m = (const void *)msg->data;

	if (msg->len == sizeof(*m) && m->type == SBXI_MSG_EXIT)
		take_exit(task, m);
	else if (msg->len > offsetof(struct sbxi_msg_denial, text) &&
		 m->type == SBXI_MSG_DENIAL)
		sbxi_denials_add(&task->denials, (const void *)msg->data,
				 msg->len);
}

void sbxi_task_deliver(struct sbx_task *task)
{
	struct sbxi_denials all;

	pthread_mutex_lock(&task->lock);
	all = task->denials;
	task->denials = (struct sbxi_denials){ .missed = all.missed };
	pthread_mutex_unlock(&task->lock);
	sbxi_denials_deliver(&all, task, &task->handlers, task->userdata);
}

/* The supervisor's last word, if it has come, and what came before it. */
static void read_exit(struct sbx_task *task)
{
	struct sbxi_fdmsg msg;
	int rc = -EAGAIN, n;

	for (n = 0; !task->has_exit && !task->silent && n < AT_ONCE; n++) {
		rc = sbxi_fdmsg_recv(task->ctl, &msg, 1);
		if (rc != 1)
			break;
		sbxi_task_take(task, &msg);
		sbxi_fdmsg_drop(&msg);
	}
	if (rc == 1 || rc == -EAGAIN)
		return;
	/* It stays readable for ever, and would hide that the end comes. */
	if (!task->silent && task->news >= 0)
		(void)epoll_ctl(task->news, EPOLL_CTL_DEL, task->ctl, NULL);
	task->silent = true;
}

/* A supervisor that was killed could not do this itself. */
static void remove_private(const struct sbx_task *task)
{
	static const char *const parents[] = { "/tmp", "/var/tmp" };

	if (task->tier != SBX_TIER_B || task->private_name[0] == '\0')
		return;
	for (size_t i = 0; i < SBXI_COUNT(parents); i++) {
		AUTO_FD dir = open(parents[i],
				   O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		if (dir >= 0)
			(void)sbxi_rmtree(dir, task->private_name + 1);
	}
}

/* The supervisor has ended, and with it everything below it. */
static void settle(struct sbx_task *task)
{
	const struct sbxi_msg_exit killed = {
		.kind = SBX_SIGNALED,
		.code = SIGKILL,
	};

	read_exit(task);
	sbxi_reap(task->pidfd, true);
	if (!task->has_exit) {
		take_exit(task, &killed);
		remove_private(task);
	}
	sbxi_cgroup_done(&task->cgroup);
	task->gone = true;
}

/*
 * The tree has ended as soon as the supervisor says so: it has reaped them
 * all.  Its own end is waited for by whoever drops the task.
 */
int sbxi_task_update(struct sbx_task *task)
{
	bool ended;

	pthread_mutex_lock(&task->lock);
	read_exit(task);
	if (!task->gone && poll_until(task->pidfd, 0) == 1)
		settle(task);
	ended = task->has_exit;
	pthread_mutex_unlock(&task->lock);
	return ended;
}

int sbxi_task_fd(const struct sbx_task *task)
{
	return task->news >= 0 ? task->news : task->pidfd;
}

int sbxi_task_listen(struct sbx_task *task, const struct sbx_handlers *h)
{
	struct epoll_event e = { .events = EPOLLIN };
	AUTO_FD news = epoll_create1(EPOLL_CLOEXEC);

	if (news < 0 ||
	    epoll_ctl(news, EPOLL_CTL_ADD, task->ctl, &e) < 0 ||
	    epoll_ctl(news, EPOLL_CTL_ADD, task->pidfd, &e) < 0)
		return -errno;
	task->news = sbxi_steal_fd(&news);
	task->handlers = *h;
	return 0;
}

/* Until there may be something new.  1, 0 at the deadline, or -errno. */
static int await_news(struct sbx_task *task, uint64_t deadline_ms)
{
	uint64_t now = sbxi_now_ms(), left = deadline_ms - now;
	struct pollfd p[] = {
		{ .fd = task->pidfd, .events = POLLIN },
		{ .fd = task->silent ? -1 : task->ctl, .events = POLLIN },
	};
	int ms = left > INT_MAX ? -1 : (int)left;
	int rc = poll(p, SBXI_COUNT(p), now >= deadline_ms ? 0 : ms);

	return rc < 0 ? -errno : rc;
}

int sbxi_task_wait(struct sbx_task *task, int timeout_ms)
{
	uint64_t deadline_ms = timeout_ms < 0
				       ? UINT64_MAX
				       : sbxi_now_ms() + (uint64_t)timeout_ms;

	for (;;) {
		int rc, ended = sbxi_task_update(task);

		sbxi_task_deliver(task);
		if (ended)
			return 0;
		rc = await_news(task, deadline_ms);
		if (rc <= 0)
			return rc == 0 ? -ETIMEDOUT : rc == -EINTR ? rc : -EIO;
	}
}

static bool has_ended(struct sbx_task *task)
{
	bool ended;

	pthread_mutex_lock(&task->lock);
	ended = task->has_exit || task->gone;
	pthread_mutex_unlock(&task->lock);
	return ended || poll_until(task->pidfd, 0) == 1;
}

int sbxi_task_kill(struct sbx_task *task, int sig)
{
	struct sbxi_msg_kill m = { .type = SBXI_MSG_KILL, .sig = sig };
	ssize_t n;

	/* Nothing is taken from ctl here: whoever polls must be woken by it. */
	if (has_ended(task))
		return -ESRCH;
	n = send(task->ctl, &m, sizeof(m), MSG_NOSIGNAL | MSG_DONTWAIT);
	if (n < 0 && sig == SIGKILL) {
		/* It does not read: end it by closing, which it polls too. */
		shutdown(task->ctl, SHUT_WR);
		return 0;
	}
	if (n < 0)
		return errno == EAGAIN ? -EAGAIN : -ESRCH;
	return 0;
}

void sbxi_task_exit(struct sbx_task *task, struct sbx_exit *ret)
{
	uint32_t size = ret->size;

	pthread_mutex_lock(&task->lock);
	*ret = (struct sbx_exit){
		.size = size,
		.kind = task->exit.kind,
		.code = task->exit.code,
		.flags = task->exit.flags,
		.wall_ms = task->exit.wall_ms,
		.cpu_us = task->exit.cpu_us,
		.max_rss_bytes = task->exit.max_rss_bytes,
		.output_bytes = task->exit.output_bytes,
		.missed = task->exit.missed + task->denials.missed,
	};
	pthread_mutex_unlock(&task->lock);
}

/* One that has said its last word only has to go. */
static void await_end(struct sbx_task *task, bool ended)
{
	int rc;

	/* In tier B the supervisor alone knows its tree: it must finish. */
	if (task->tier == SBX_TIER_B && !ended) {
		(void)poll_until(task->pidfd, 30 * END_GRACE_MS);
		return;
	}
	rc = poll_until(task->pidfd, END_GRACE_MS);
	if (rc == 1)
		return;
	(void)syscall(SYS_pidfd_send_signal, task->pidfd, SIGKILL, NULL, 0);
	(void)poll_until(task->pidfd, END_GRACE_MS);
}

void sbxi_task_end(struct sbx_task *task)
{
	bool ended;

	if (task->pidfd < 0 || task->gone)
		return;
	ended = sbxi_task_update(task);
	/* The end of ctl is the end of the jail. */
	if (!ended)
		shutdown(task->ctl, SHUT_RDWR);
	await_end(task, ended);
	(void)sbxi_task_update(task);
}

void sbxi_task_free(struct sbx_task *task)
{
	for (int i = 0; i < 3; i++)
		sbxi_closep(&task->stdio[i]);
	sbxi_closep(&task->news);
	sbxi_closep(&task->ctl);
	sbxi_closep(&task->pidfd);
	sbxi_denials_drop(&task->denials);
	sbx_policy_unref(task->policy);
	pthread_mutex_destroy(&task->lock);
	free(task);
}

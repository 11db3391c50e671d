/* SPDX-License-Identifier: Apache-2.0 */
/*
 * behalf_signals: signals in tier B where Landlock does not judge them.
 *
 * They are sent by a descriptor of a process, or a thread, that was found to
 * be of the task's tree; whoever gets one sees the supervisor as its sender.
 * Before Linux 6.9 no descriptor names a thread: those of the caller's own
 * process go by number, which cannot become another's while the caller waits
 * for us.  What a thread sends to itself arrives before its call returns.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <sandbox/task.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "init/behalf.h"
#include "init/descent.h"
#include "init/usage_proc.h"
#include "init/usage_tree.h"

/* Of the kernel: siginfo_t, and its numbers of signals. */
#define INFO_SIZE 128
#define LAST_SIGNAL 64

/* What is sent; a si_code of a kernel's own is refused by the kernel. */
struct signal {
	int number;
	bool has_info;
	union {
		siginfo_t info;
		char raw[INFO_SIZE];
	} u;
};

#define ARG(i) ((int)c->n.args[i])

/* Where the handlers below end.  A refusal is told. */
static bool finish(struct sbxi_behalf *b, struct sbxi_call *c, int rc)
{
	const struct sbxi_denied d = {
		.kind = SBX_DENIAL_SYSCALL,
		.call = c->n.nr,
		.code = rc,
		.object = "",
	};

	if (rc == -EPERM)
		sbxi_tell(&b->tell, &d);
	sbxi_call_return(c, rc);
	return true;
}

static int take_signal(const struct sbxi_call *c, int number, uint64_t info,
		       struct signal *ret)
{
	int rc;

	*ret = (struct signal){ .number = number, .has_info = info != 0 };
	if (number <= 0 || number > LAST_SIGNAL)
		return -EINVAL;
	if (!info)
		return 0;
	rc = sbxi_call_read(c, info, ret->u.raw, sizeof(ret->u.raw));
	if (rc < 0)
		return rc;
	ret->u.info.si_signo = number;
	return sbxi_call_is_alive(c) ? 0 : -ESRCH;
}

static int deliver(int pidfd, const struct signal *s)
{
	long rc = syscall(SYS_pidfd_send_signal, pidfd, s->number,
			  s->has_info ? &s->u.info : NULL, 0);

	return rc < 0 ? -errno : 0;
}

static int send_to(const struct sbxi_call *c, pid_t pid, unsigned int flags,
		   const struct signal *s)
{
	AUTO_FD pidfd = sbxi_descent_pin(c->proc, pid, flags);

	return pidfd < 0 ? pidfd : deliver(pidfd, s);
}

static int read_stat(const struct sbxi_call *c, pid_t pid,
		     struct sbxi_stat_line *ret)
{
	AUTO_FD dir = -1;
	char name[24];

	sbxi_pid_name(pid, name, sizeof(name));
	dir = sbxi_proc_open(c->proc, name, O_DIRECTORY);
	return dir < 0 ? dir : sbxi_stat_read(dir, ret);
}

/*
 * Every process of the tree but the caller's, as kill(2) spares it, or those
 * of one group.  Who starts another meanwhile may keep it from being hit.
 */
static int send_to_many(const struct sbxi_call *c, pid_t group,
			const struct signal *s)
{
	struct sbxi_descendant d;
	struct sbxi_stat_line line;
	uint32_t at = 0;
	int found = sbxi_descendants_find(c->proc), rc = -ESRCH;

	if (found < 0 && found != -E2BIG)
		return -EPERM;
	while (sbxi_descendants_next(&at, &d)) {
		AUTO_FD pidfd = -1;

		if (group == 0 && d.pid == c->tgid)
			continue;
		pidfd = sbxi_descent_pin(c->proc, d.pid, 0);
		if (pidfd < 0 || read_stat(c, d.pid, &line) < 0 ||
		    (group != 0 && line.group != group))
			continue;
		if (deliver(pidfd, s) == 0)
			rc = 0;
		else if (rc < 0)
			rc = -EPERM;
	}
	/* Others' groups are there, but not for the task. */
	if (rc == -ESRCH && group != 0 &&
	    (kill(-group, 0) == 0 || errno == EPERM))
		rc = -EPERM;
	return rc;
}

/*
 * A thread of another process, or by tkill of one's own.  Before Linux 6.9 no
 * descriptor holds it: then only one that is all of its process.
 */
static int send_to_thread(const struct sbxi_call *c, pid_t tid,
			  const struct signal *s)
{
	AUTO_FD pidfd = sbxi_descent_pin(c->proc, tid, SBXI_PIDFD_THREAD);
	struct sbxi_stat_line line;

	if (pidfd >= 0)
		return deliver(pidfd, s);
	if (pidfd != -EINVAL)
		return pidfd;
	pidfd = sbxi_descent_pin(c->proc, tid, 0);
	if (pidfd < 0)
		return pidfd == -EINVAL ? -EPERM : pidfd;
	if (read_stat(c, tid, &line) < 0 || line.threads != 1)
		return -EPERM;
	return deliver(pidfd, s);
}

static bool handle_kill(struct sbxi_behalf *b, struct sbxi_call *c)
{
	bool queued = c->n.nr == SYS_rt_sigqueueinfo;
	int pid = ARG(0), rc = sbxi_call_look_up(c);
	struct signal s;

	if (rc == 0)
		rc = take_signal(c, ARG(1), queued ? c->n.args[2] : 0, &s);
	if (rc < 0)
		return finish(b, c, rc);
	if (pid > 0)
		rc = send_to(c, pid, 0, &s);
	else if (queued || pid == INT32_MIN)
		rc = -ESRCH;
	else if (pid == 0)
		/* One's own group: the filter does not ask about it. */
		rc = -EPERM;
	else
		rc = send_to_many(c, pid == -1 ? 0 : -pid, &s);
	return finish(b, c, rc == -EINVAL ? -ESRCH : rc);
}

/* Is it a thread of that process? */
static bool is_thread_of(const struct sbxi_call *c, pid_t tgid, pid_t tid)
{
	AUTO_FD dir = -1;
	char name[64];
	struct sbxi_text t = SBXI_TEXT(name);

	sbxi_text_number(&t, (uint64_t)tgid);
	sbxi_text_add(&t, "/task/");
	sbxi_text_number(&t, (uint64_t)tid);
	dir = sbxi_proc_open(c->proc, name, O_DIRECTORY);
	return dir >= 0;
}

/* Any thread of the caller's own process. */
static int send_to_own(const struct sbxi_call *c, pid_t tid,
		       const struct signal *s)
{
	int rc;

	if (!is_thread_of(c, c->tgid, tid))
		return -ESRCH;
	rc = send_to_thread(c, tid, s);
	if (rc != -EPERM)
		return rc;
	if (!sbxi_call_is_alive(c))
		return -ESRCH;
	if (s->has_info)
		rc = (int)syscall(SYS_rt_tgsigqueueinfo, c->tgid, tid,
				  s->number, &s->u.info);
	else
		rc = (int)syscall(SYS_tgkill, c->tgid, tid, s->number);
	return rc < 0 ? -errno : 0;
}

static bool handle_tgkill(struct sbxi_behalf *b, struct sbxi_call *c)
{
	bool queued = c->n.nr == SYS_rt_tgsigqueueinfo;
	int tgid = ARG(0), tid = ARG(1), rc;
	struct signal s;

	rc = take_signal(c, ARG(2), queued ? c->n.args[3] : 0, &s);
	if (rc == 0 && (tgid <= 0 || tid <= 0))
		rc = -EINVAL;
	else if (rc == 0 && sbxi_call_is_own(c, tgid))
		rc = send_to_own(c, tid, &s);
	else if (rc == 0)
		rc = is_thread_of(c, tgid, tid) ? send_to_thread(c, tid, &s)
						: -ESRCH;
	return finish(b, c, rc);
}

static bool handle_tkill(struct sbxi_behalf *b, struct sbxi_call *c)
{
	struct signal s;
	int rc;

	rc = take_signal(c, ARG(1), 0, &s);
	if (rc == 0 && ARG(0) <= 0)
		rc = -EINVAL;
	else if (rc == 0)
		rc = sbxi_call_look_up(c);
	if (rc == 0)
		rc = is_thread_of(c, c->tgid, ARG(0))
			     ? send_to_own(c, ARG(0), &s)
			     : send_to_thread(c, ARG(0), &s);
	return finish(b, c, rc);
}

/* Whose pidfd is it?  -EBADF if it is none, -ESRCH if that one is gone. */
static int pid_of(int proc, int pidfd)
{
	char path[48], text[512];
	struct sbxi_text t = SBXI_TEXT(path);
	AUTO_FD fd = -1;
	const char *at;
	ssize_t n;

	sbxi_text_add(&t, "self/fdinfo/");
	sbxi_text_number(&t, (uint64_t)pidfd);
	fd = openat(proc, path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (n <= 0)
		return -EPERM;
	text[n] = '\0';
	at = strstr(text, "\nPid:");
	if (!at)
		return -EBADF;
	at += strlen("\nPid:");
	n = (ssize_t)sbxi_number(&at);
	return n > 0 && n < INT32_MAX ? (int)n : -ESRCH;
}

/* The task's descriptor is a number that another thread may change: ours is not. */
static bool handle_pidfd(struct sbxi_behalf *b, struct sbxi_call *c)
{
	AUTO_FD pidfd = -1;
	struct signal s;
	int pid, rc = take_signal(c, ARG(1), c->n.args[2], &s);

	/* Flags came with Linux 6.9; they reach whole groups. */
	if (rc == 0 && ARG(3) != 0)
		rc = -EINVAL;
	if (rc < 0)
		return finish(b, c, rc);
	pidfd = sbxi_call_take_fd(c, ARG(0));
	pid = pidfd < 0 ? pidfd : pid_of(c->proc, pidfd);
	rc = pid < 0 ? pid : sbxi_descent_check_pidfd(c->proc, pidfd, pid);
	return finish(b, c, rc < 0 ? rc : deliver(pidfd, &s));
}

sbxi_handler sbxi_behalf_signals(int nr)
{
	switch (nr) {
	case SYS_kill:
	case SYS_rt_sigqueueinfo:
		return handle_kill;
	case SYS_tgkill:
	case SYS_rt_tgsigqueueinfo:
		return handle_tgkill;
	case SYS_tkill:
		return handle_tkill;
	case SYS_pidfd_send_signal:
		return handle_pidfd;
	default:
		return NULL;
	}
}

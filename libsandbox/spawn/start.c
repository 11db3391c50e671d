/* SPDX-License-Identifier: Apache-2.0 */
/* start: one attempt to bring a task up, in one tier. */
#include "spawn/start.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fault.h"
#include "base/fdmsg.h"
#include "base/kconst.h"
#include "spawn/launch.h"
#include "spawn/prepare.h"
#include "spawn/sockets.h"

/* Set-up takes milliseconds; a hung file system must not hold us for ever. */
#define SETUP_DEADLINE_MS 60000
#define END_GRACE_MS 2000

/* One attempt: what it opened, and what came back. */
struct attempt {
	const struct sbxi_start *start;
	struct sbx_task *task;
	uint32_t tier;
	int hand, hand_theirs, ctl_theirs, progress, plan, helper;
	int launched;		/* pidfd of the helper that was started, or -1 */
	pid_t lost;		/* a supervisor whose pidfd we had no room for */
	uint64_t sockets_ns, clone_ns;	/* when these steps began */
	bool relays, reported, failed, running;
	struct sbxi_fail *fail;
};

static int open_channels(struct attempt *a)
{
	int rc = sbxi_inject(SBX_STEP_SOCKETS);

	a->sockets_ns = sbxi_now_ns();
	if (rc == 0)
		rc = sbxi_socket_pair(&a->hand, &a->hand_theirs);
	if (rc == 0)
		rc = sbxi_socket_pair(&a->task->ctl, &a->ctl_theirs);
	if (rc == 0) {
		a->progress = sbxi_progress_fd();
		rc = a->progress < 0 ? a->progress : 0;
	}
	if (rc < 0)
		return sbxi_fail_remedy(a->fail, SBX_STEP_SOCKETS, rc,
					rc == -EMFILE ? SBXI_REMEDY_OPEN_FILES
						      : SBXI_REMEDY_NONE,
					"sockets", NULL);
	rc = sbxi_prepare_files(a->start->policy, &a->plan, &a->helper,
				a->fail);
	return rc;
}

static void close_channels(struct attempt *a)
{
	sbxi_closep(&a->hand);
	sbxi_closep(&a->hand_theirs);
	sbxi_closep(&a->ctl_theirs);
	sbxi_closep(&a->progress);
	sbxi_closep(&a->plan);
	sbxi_closep(&a->helper);
	sbxi_closep(&a->launched);
}

/* A file of the harness's, which a descriptor to read it could change. */
static bool is_read_only_file(int fd)
{
	struct stat st;
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && (flags & O_ACCMODE) == O_RDONLY &&
	       fstat(fd, &st) == 0 &&
	       (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

/* Does anybody want to know what is refused? */
static bool tells(const struct sbxi_start *s)
{
	return s->opts->handlers && s->opts->handlers->on_denial;
}

/* Everything waits in the sockets before the helper is even started. */
static int send_hand(const struct attempt *a)
{
	const struct sbxi_start *s = a->start;
	size_t size = sizeof(struct sbxi_msg_hand) +
		      s->grants.n * sizeof(int32_t);
	AUTO_FREE struct sbxi_msg_hand *m = calloc(1, size);
	int fds[SBXI_FDMSG_FDS];
	size_t n = 0;

	if (!m)
		return -ENOMEM;
	m->type = SBXI_MSG_HAND;
	m->flags = (s->dry ? SBXI_HAND_DRY : 0) |
		   (s->grants.inet || s->streams.inet ? SBXI_HAND_CONNECTED
						     : 0) |
		   (s->opts->flags & SBX_SPAWN_CTTY ? SBXI_HAND_CTTY : 0);
	if (tells(s))
		m->flags |= SBXI_HAND_TELLS;
	m->n_grants = (uint32_t)s->grants.n;
	fds[n++] = s->payload;
	for (int i = 0; i < 3; i++) {
		m->stdio[i] = s->streams.kind[i];
		if (sbxi_streams_relayed(&s->streams, i, s->policy, a->tier,
					 s->opts->flags))
			m->stdio[i] = SBXI_STDIO_RELAY;
		else if (m->stdio[i] == SBXI_STDIO_FD)
			fds[n++] = s->streams.fd[i];
	}
	for (size_t i = 0; i < s->grants.n; i++) {
		m->grant_fd[i] = s->grants.grant[i].task_fd;
		fds[n++] = s->grants.grant[i].fd;
	}
	/* The first is the payload, a sealed file of nobody's. */
	for (size_t i = 1; i < n; i++)
		if (is_read_only_file(fds[i]))
			m->flags |= SBXI_HAND_READS_FILE;
	return sbxi_fdmsg_send(a->hand, m, size, fds, n);
}

static int send_start(struct attempt *a)
{
	const struct sbxi_start *s = a->start;
	struct sbxi_msg_start m = { .type = SBXI_MSG_START,
				    .tells = tells(s) };
	int fds[3];
	size_t n = 0;

	for (int i = 0; i < 3; i++) {
		if (!sbxi_streams_relayed(&s->streams, i, s->policy, a->tier,
					  s->opts->flags))
			continue;
		m.relay |= 1u << i;
		fds[n++] = s->streams.fd[i];
	}
	a->relays = n > 0;
	return sbxi_fdmsg_send(a->task->ctl, &m, sizeof(m), fds, n);
}

/* A name that nobody can have guessed and taken before. */
static int choose_private_name(struct sbx_task *task)
{
	uint64_t random;

	if (getrandom(&random, sizeof(random), 0) != sizeof(random))
		return -EAGAIN;
	snprintf(task->private_name, sizeof(task->private_name),
		 "/sbx-%016llx", (unsigned long long)random);
	return 0;
}

static int make_cgroup(struct attempt *a)
{
	const struct sbx_policy *p = a->start->policy;
	struct sbxi_cgroup_limits limits = {
		.memory_bytes = p->limit[SBX_LIMIT_MEMORY],
		.processes = p->limit[SBX_LIMIT_PROCESSES],
	};
	int parent = a->start->opts->cgroup_fd;
	int rc;

	if (parent < 0)
		parent = p->cgroup_parent_fd;
	if (parent < 0)
		return 0;
	/* Tier A's supervisor is in it. */
	if (a->tier == SBX_TIER_A && limits.processes != SBXI_NO_LIMIT)
		limits.processes++;
	rc = sbxi_cgroup_prepare(parent, &limits, &a->task->cgroup);
	/* One that was found and does not work is one that is not there. */
	if (rc < 0 && a->start->opts->cgroup_fd < 0)
		return 0;
	if (rc < 0)
		return sbxi_fail_remedy(a->fail, SBX_STEP_SOCKETS, rc,
					SBXI_REMEDY_CGROUP, "cgroup_fd",
					NULL);
	return 0;
}

static int launch(struct attempt *a)
{
	const struct sbx_policy *p = a->start->policy;
	struct sbxi_launch l = SBXI_LAUNCH_INIT;
	pid_t pid;

	l.helper_fd = a->helper;
	l.mode = a->tier == SBX_TIER_A
			 ? (a->relays ? SBXI_MODE_TIER_A_RELAY
				      : SBXI_MODE_TIER_A)
			 : (a->relays ? SBXI_MODE_TIER_B_RELAY
				      : SBXI_MODE_TIER_B);
	l.private_name = a->task->private_name;
	l.cgroup_has = a->task->cgroup.has;
	l.fd[SBXI_FD_HAND] = a->hand_theirs;
	l.fd[SBXI_FD_CTL] = a->ctl_theirs;
	l.fd[SBXI_FD_PLAN] = a->plan;
	l.fd[SBXI_FD_PROGRESS] = a->progress;
	l.fd[SBXI_FD_CGROUP] = a->task->cgroup.fd;
	l.fd[SBXI_FD_IDMAP] = a->tier == SBX_TIER_A ? p->idmap_fd : -1;
#ifdef SBX_FAULT_INJECTION
	l.fault_step = sbxi_fault_step();
	l.fault_errno = sbxi_fault_errno();
#endif
	l.keeps = true;
	a->clone_ns = sbxi_now_ns();
	return sbxi_launch(&l, &a->launched, &pid, a->fail);
}

static void note_error(struct attempt *a, const struct sbxi_fdmsg *msg)
{
	const struct sbxi_msg_error *m = (const void *)msg->data;

	if (a->failed || msg->len != sizeof(*m) || m->code >= 0)
		return;
	a->failed = true;
	sbxi_fail_remedy(a->fail, m->step, m->code, m->remedy, m->object,
			 m->text[0] ? "%s" : NULL, m->text);
	a->fail->where = m->where;
	a->fail->sys_errno = m->sys_errno;
}

static void note_message(struct attempt *a, const struct sbxi_fdmsg *msg)
{
	const uint32_t *type = (const void *)msg->data;

	if (msg->len < sizeof(*type))
		return;
	if (*type == SBXI_MSG_ERROR)
		note_error(a, msg);
	if (*type == SBXI_MSG_REPORT &&
	    msg->len == sizeof(a->task->report)) {
		memcpy(&a->task->report, msg->data, sizeof(a->task->report));
		a->task->report.step_ns[SBX_STEP_SOCKETS] = a->sockets_ns;
		a->task->report.step_ns[SBX_STEP_CLONE] = a->clone_ns;
		a->reported = true;
	}
}

/* What the supervisor says while it comes up: its pidfd, and that it runs. */
static int read_ctl(struct attempt *a)
{
	struct sbxi_fdmsg msg;
	const struct sbxi_msg_pidfd *m = (const void *)msg.data;
	int rc = sbxi_fdmsg_recv(a->task->ctl, &msg, 1);

	/* With no room for the descriptor its pid is there to reap it by. */
	if (rc == -EMFILE)
		a->lost = m->pid;
	if (rc != 1)
		return rc;
	if (m->type == SBXI_MSG_PIDFD) {
		a->task->pidfd = sbxi_fdmsg_take(&msg, 0);
		a->lost = a->task->pidfd < 0 ? m->pid : 0;
	}
	if (m->type == SBXI_MSG_RUNNING)
		a->running = true;
	sbxi_task_take(a->task, &msg);
	sbxi_fdmsg_drop(&msg);
	return 1;
}

static int read_hand(struct attempt *a)
{
	struct sbxi_fdmsg msg;
	int rc = sbxi_fdmsg_recv(a->hand, &msg, 1);

	if (rc == 1) {
		note_message(a, &msg);
		sbxi_fdmsg_drop(&msg);
	}
	return rc;
}

/*
 * Until the end of the stream, or the supervisor's word: execve has happened,
 * or all of them are dead.  ctl is looked at only once there is a report, so
 * that nothing wakes us before.
 */
static int collect(struct attempt *a)
{
	uint64_t end = sbxi_now_ms() + SETUP_DEADLINE_MS;
	int rc = 1;

	while (rc == 1 || rc == -EAGAIN) {
		struct pollfd p[2] = {
			{ .fd = a->hand, .events = POLLIN },
			{ .fd = a->reported ? a->task->ctl : -1,
			  .events = POLLIN },
		};
		uint64_t now = sbxi_now_ms();

		rc = poll(p, 2, now < end ? (int)(end - now) : 0);
		if (rc < 0 && errno == EINTR) {
			rc = 1;
			continue;
		}
		if (rc <= 0)
			return rc == 0 ? -ETIMEDOUT : -errno;
		rc = 1;
		if (p[1].revents)
			rc = read_ctl(a);
		if (rc == 0 || a->running) {
			while (read_hand(a) == 1)
				;
			return 0;
		}
		if (p[0].revents)
			rc = read_hand(a);
	}
	return rc;
}

/* The steps in the order in which they run, for a helper that died silent. */
static const uint8_t order[] = {
	SBX_STEP_EXEC,	     SBX_STEP_FILTER,	   SBX_STEP_VERIFY,
	SBX_STEP_LANDLOCK,   SBX_STEP_CWD,	   SBX_STEP_CAPABILITIES,
	SBX_STEP_GRANTS,     SBX_STEP_RLIMITS,	   SBX_STEP_NEST,
	SBX_STEP_FORK_TARGET, SBX_STEP_SYSTEM,	   SBX_STEP_MOUNTS,
	SBX_STEP_SUPERVISE,  SBX_STEP_CHECK_IDS,   SBX_STEP_MAP_IDS,
	SBX_STEP_NAMESPACES, SBX_STEP_CHECK_PLAN,
};

static int fail_of_silence(struct attempt *a)
{
	uint64_t bits = 0;
	uint32_t step = SBX_STEP_EXEC_HELPER;

	(void)!read(a->progress, &bits, sizeof(bits));
	for (size_t i = 0; i < SBXI_COUNT(order) && bits; i++) {
		if (!(bits & (1ull << order[i])))
			continue;
		step = order[i];
		break;
	}
	sbxi_fail(a->fail, step, -EIO, "sbx-init",
		  "it was killed in this step");
	a->fail->where = step >= SBX_STEP_NEST || step == SBX_STEP_CWD
				 ? SBX_WHERE_TARGET
				 : SBX_WHERE_INIT;
	return -EIO;
}

/* Tier A's supervisor is the helper's child: its pidfd came by ctl. */
static int take_pidfd(struct attempt *a)
{
	int rc = 1;

	if (a->tier == SBX_TIER_B) {
		a->task->pidfd = sbxi_steal_fd(&a->launched);
		return 0;
	}
	while (a->task->pidfd < 0 && rc == 1)
		rc = read_ctl(a);
	if (a->task->pidfd >= 0)
		return 0;
	if (a->lost > 0)
		return -EMFILE;
	return rc < 0 && rc != -EAGAIN ? rc : -EIO;
}

static void end_process(int pidfd)
{
	struct pollfd p = { .fd = pidfd, .events = POLLIN };

	while (poll(&p, 1, END_GRACE_MS) < 0 && errno == EINTR)
		;
	if (!(p.revents & POLLIN))
		(void)syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
	sbxi_reap(pidfd, true);
}

static void reap_launched(struct attempt *a)
{
	if (a->launched >= 0)
		end_process(a->launched);
}

static int finish(struct attempt *a, int rc)
{
	int pidfd_rc = take_pidfd(a);

	if (rc == -ETIMEDOUT) {
		(void)fail_of_silence(a);
		sbxi_fail(a->fail, a->fail->step, rc, "sbx-init",
			  "set-up took over a minute");
	} else if (rc < 0)
		sbxi_fail(a->fail, SBX_STEP_EXEC_HELPER, rc, "sbx-init", NULL);
	else if (a->failed)
		rc = -a->fail->sys_errno;
	else if (!a->reported)
		rc = fail_of_silence(a);
	else if (pidfd_rc < 0)
		rc = sbxi_fail_remedy(a->fail, SBX_STEP_NAMESPACES, pidfd_rc,
				      pidfd_rc == -EMFILE
					      ? SBXI_REMEDY_OPEN_FILES
					      : SBXI_REMEDY_NONE,
				      "pidfd", NULL);
	if (rc < 0) {
		/* Without a pidfd, the end of ctl is what ends the jail. */
		sbxi_task_end(a->task);
		/* Not only closed: a forked copy of us may hold it too. */
		shutdown(a->task->ctl, SHUT_RDWR);
		sbxi_closep(&a->task->ctl);
		a->task->ctl = -1;
		if (a->lost > 0)
			while (waitpid(a->lost, NULL, 0) < 0 && errno == EINTR)
				;
	}
	reap_launched(a);
	return rc;
}

/* Ours alone now: the end of the stream must be seen. */
static void close_theirs(struct attempt *a)
{
	sbxi_closep(&a->hand_theirs);
	sbxi_closep(&a->ctl_theirs);
	a->hand_theirs = a->ctl_theirs = -1;
}

/* The helper runs, but not for us: it may have made a supervisor by now. */
static void abandon(struct attempt *a)
{
	if (a->launched < 0)
		return;
	shutdown(a->task->ctl, SHUT_WR);
	shutdown(a->hand, SHUT_RDWR);
	end_process(a->launched);
	if (a->tier == SBX_TIER_A && take_pidfd(a) == 0)
		sbxi_task_end(a->task);
	if (a->lost > 0)
		while (waitpid(a->lost, NULL, 0) < 0 && errno == EINTR)
			;
}

int sbxi_start(const struct sbxi_start *start, uint32_t tier,
	       struct sbx_task *task, struct sbxi_fail *fail)
{
	struct attempt a = {
		.start = start, .task = task, .tier = tier,
		.hand = -1, .hand_theirs = -1, .ctl_theirs = -1,
		.progress = -1, .plan = -1, .helper = -1, .launched = -1,
		.fail = fail,
	};
	int rc = open_channels(&a);

	task->tier = tier;
	if (rc == 0 && tier == SBX_TIER_B)
		rc = choose_private_name(task);
	if (rc == 0)
		rc = make_cgroup(&a);
	if (rc == 0) {
		rc = send_hand(&a);
		if (rc == 0)
			rc = send_start(&a);
		if (rc < 0)
			sbxi_fail(fail, SBX_STEP_SOCKETS, rc, "hand-off",
				  NULL);
	}
	if (rc == 0) {
		rc = launch(&a);
		close_theirs(&a);
		if (rc < 0)
			abandon(&a);
		else
			rc = finish(&a, collect(&a));
	}
	if (rc < 0)
		sbxi_cgroup_done(&task->cgroup);
	close_channels(&a);
	return rc;
}

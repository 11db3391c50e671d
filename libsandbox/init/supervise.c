/* SPDX-License-Identifier: Apache-2.0 */
/*
 * supervise: pid 1 of the jail (tier B: the subreaper).
 *
 * It reaps, relays, keeps the limits and ends the whole tree: when the first
 * process of the task ends, when a limit is reached, when the harness says so
 * or is gone.  It decides nothing else, holds no capability, no grant and
 * nothing of the harness but its end of ctl.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <sandbox/policy.h>
#include <sandbox/task.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/errors.h"
#include "base/fdmsg.h"
#include "base/kconst.h"
#include "init/behalf.h"
#include "init/jail.h"
#include "init/relay.h"
#include "init/usage.h"
#include "kernel/cgroup.h"
#include "kernel/privileges.h"
#include "kernel/process.h"
#include "kernel/seccomp.h"

/* How fast a tree may grow towards a limit, to choose when to look again. */
#define BYTES_A_MS (4u << 20)
#define MEMORY_LOOK_MIN_MS 20
#define MEMORY_LOOK_MAX_MS 1000
#define PROCESS_LOOK_MS 100
#define CPU_LOOK_MIN_MS 10

enum {
	POLL_CTL,
	POLL_HARNESS,
	POLL_SIGNAL,
	POLL_BEHALF,
	POLL_RELAY,
	N_POLL = POLL_RELAY + 6
};

struct watch {
	struct sbxi_jail *jail;
	pid_t target;
	int signal_fd;
	bool started;		/* START has come: the streams are known */
	bool ended;		/* the target has ended, status is its status */
	int status;
	uint32_t why;		/* SBX_TIMEOUT..., if we ended it */
	uint64_t start_ms, end_ms;
	uint32_t over;		/* looks in a row that found too much memory */
	uint64_t look_ms;	/* when to sum the tree next; 0 = never */
	struct sbxi_relays relays;
	struct sbxi_usage_state usage;
	struct sbxi_behalf behalf;
};

static uint64_t limit_of(const struct watch *w, uint32_t which)
{
	return w->jail->plan->limit[which];
}

/* The kernel keeps the limit of memory then. */
static bool by_cgroup(const struct watch *w)
{
	return w->jail->facts.cgroup_has & SBXI_CGROUP_MEMORY;
}

/* One process ended; is it the target? */
static void reap_one(struct watch *w, pid_t pid, int status)
{
	if (pid != w->target || w->ended)
		return;
	w->ended = true;
	w->status = status;
	w->end_ms = sbxi_now_ms();
}

/* True if nobody is left: orphans come to us, so without children all are gone. */
static bool reap_ended(struct watch *w)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG | __WALL)) > 0)
		reap_one(w, pid, status);
	return pid < 0 && errno == ECHILD;
}

/* All of a pid namespace but pid 1, in one call; until none is left. */
static void kill_namespace(struct watch *w)
{
	int status;
	pid_t pid;

	if (reap_ended(w))
		return;
	(void)kill(-1, SIGKILL);
	while ((pid = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR) {
		if (pid > 0)
			reap_one(w, pid, status);
		(void)kill(-1, SIGKILL);
	}
}

/*
 * Descendants of a subreaper come to it when their parents die, so killing
 * all that can be seen, and reaping, ends with none.
 */
static void kill_descendants(struct watch *w)
{
	const struct timespec pause = { .tv_nsec = 500000 };

	/* Mostly there is none: then /proc need not be walked. */
	while (!reap_ended(w)) {
		if (!w->ended)
			(void)kill(w->target, SIGKILL);
		if (w->jail->proc >= 0)
			(void)sbxi_usage_kill_descendants(w->jail->proc);
		if (reap_ended(w))
			return;
		nanosleep(&pause, NULL);
	}
}

static void kill_tree(struct watch *w)
{
	if (w->jail->tier == SBX_TIER_A)
		kill_namespace(w);
	else
		kill_descendants(w);
}

static void end_because(struct watch *w, uint32_t why)
{
	if (!w->ended && w->why == 0)
		w->why = why;
	kill_tree(w);
}

/* Nobody is left to tell: end everything, leave nothing. */
_Noreturn static void harness_is_gone(struct watch *w)
{
	kill_tree(w);
	sbxi_private_dir_remove(w->jail);
	_exit(0);
}

static bool is_file(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

static void take_streams(struct watch *w, const struct sbxi_msg_start *m,
			 struct sbxi_fdmsg *msg)
{
	size_t next = 0;

	w->started = true;
	w->behalf.tell.wanted = m->tells;
	for (int i = 0; i < 3; i++) {
		struct sbxi_relay *s = &w->relays.stream[i];
		int *mine = &w->jail->pipe[i].mine;
		int other;

		if (!(m->relay & (1u << i))) {
			sbxi_closep(mine);
			*mine = -1;
			continue;
		}
		other = sbxi_fdmsg_take(msg, next++);
		s->from = i == 0 ? other : sbxi_steal_fd(mine);
		s->to = i == 0 ? sbxi_steal_fd(mine) : other;
		s->counts = i > 0;
		s->to_file = is_file(s->to);
	}
}

static void drop_streams(struct watch *w)
{
	for (int i = 0; i < 3; i++)
		sbxi_relay_close(&w->relays, i);
}

static void signal_target(struct watch *w, int sig)
{
	if (w->ended) {
		/* Only what it wrote is still on its way. */
		if (sig == SIGKILL)
			drop_streams(w);
		return;
	}
	if (sig == SIGKILL)
		kill_tree(w);
	else
		(void)kill(w->target, sig);
}

static void read_ctl(struct watch *w)
{
	static struct sbxi_fdmsg msg;
	int rc = sbxi_fdmsg_recv(w->jail->ctl, &msg, 1);
	const uint32_t *type = (const void *)msg.data;

	if (rc == -EAGAIN)
		return;
	if (rc <= 0)
		harness_is_gone(w);
	if (msg.len == sizeof(struct sbxi_msg_start) &&
	    *type == SBXI_MSG_START)
		take_streams(w, (const void *)msg.data, &msg);
	else if (msg.len == sizeof(struct sbxi_msg_kill) &&
		 *type == SBXI_MSG_KILL)
		signal_target(w,
			      ((const struct sbxi_msg_kill *)msg.data)->sig);
	sbxi_fdmsg_drop(&msg);
}

static uint64_t at_least(uint64_t value, uint64_t floor)
{
	return value < floor ? floor : value;
}

/* When could a limit be reached at the earliest? */
static uint64_t next_look(const struct watch *w, const struct sbxi_usage *u)
{
	uint64_t memory = limit_of(w, SBX_LIMIT_MEMORY);
	uint64_t cpu = limit_of(w, SBX_LIMIT_CPU_MS);
	uint64_t wait = MEMORY_LOOK_MAX_MS;

	if (memory != SBXI_NO_LIMIT && !by_cgroup(w)) {
		uint64_t ms = u->memory_bytes > memory
				      ? 0
				      : (memory - u->memory_bytes) /
						BYTES_A_MS;

		wait = ms < wait ? at_least(ms, MEMORY_LOOK_MIN_MS) : wait;
	}
	if (cpu != SBXI_NO_LIMIT) {
		/* Some tens of processors may run at once. */
		uint64_t ms = (cpu - u->cpu_us / 1000) / 4;

		wait = ms < wait ? at_least(ms, CPU_LOOK_MIN_MS) : wait;
	}
	if (w->jail->tier == SBX_TIER_B && wait > PROCESS_LOOK_MS)
		wait = PROCESS_LOOK_MS;
	return sbxi_now_ms() + wait;
}

static void look(struct watch *w)
{
	struct sbxi_usage u = { .memory_bytes = 0 };
	bool want_memory = limit_of(w, SBX_LIMIT_MEMORY) != SBXI_NO_LIMIT &&
			   !by_cgroup(w);
	int rc = sbxi_usage_sample(w->jail->proc,
				   w->jail->tier == SBX_TIER_A, want_memory,
				   &w->usage, &u);

	/*
	 * A child between fork and exec counts as its parent does, for a
	 * moment: so twice in a row.  A tree of our own namespace that is too
	 * large to be summed is over every limit, and so is one that cannot be
	 * looked at.
	 */
	if (rc < 0 && w->jail->tier == SBX_TIER_B && rc == -E2BIG)
		rc = 0;		/* so many are on the host */
	w->over = rc < 0 || u.memory_bytes > limit_of(w, SBX_LIMIT_MEMORY)
			  ? w->over + 1
			  : 0;
	if (w->over > 1 || rc == -E2BIG)
		end_because(w, SBX_MEMORY_LIMIT);
	else if (limit_of(w, SBX_LIMIT_CPU_MS) != SBXI_NO_LIMIT &&
		 u.cpu_us / 1000 >= limit_of(w, SBX_LIMIT_CPU_MS))
		end_because(w, SBX_CPU_LIMIT);
	else if (u.processes > limit_of(w, SBX_LIMIT_PROCESSES) &&
		 w->jail->tier == SBX_TIER_B)
		end_because(w, SBX_PROCESS_LIMIT);
	else
		w->look_ms = next_look(w, &u);
}

static bool must_look(const struct watch *w)
{
	if (w->jail->proc < 0)
		return false;
	return limit_of(w, SBX_LIMIT_CPU_MS) != SBXI_NO_LIMIT ||
	       (limit_of(w, SBX_LIMIT_MEMORY) != SBXI_NO_LIMIT &&
		!by_cgroup(w)) ||
	       w->jail->tier == SBX_TIER_B;
}

static uint64_t deadline_of(const struct watch *w)
{
	uint64_t wall = limit_of(w, SBX_LIMIT_WALL_MS);

	return wall >= UINT64_MAX - w->start_ms ? UINT64_MAX
						: w->start_ms + wall;
}

static int poll_timeout(const struct watch *w)
{
	uint64_t now = sbxi_now_ms(), until = deadline_of(w);
	int retry = sbxi_behalf_timeout(&w->behalf);

	if (!w->ended && w->look_ms && w->look_ms < until)
		until = w->look_ms;
	if (retry >= 0 && now + (uint64_t)retry < until)
		until = now + (uint64_t)retry;
	if (until == UINT64_MAX)
		return -1;
	if (until <= now)
		return 0;
	return until - now > 60000 ? 60000 : (int)(until - now);
}

static void check_limits(struct watch *w)
{
	uint64_t now = sbxi_now_ms();

	if (now >= deadline_of(w)) {
		end_because(w, SBX_TIMEOUT);
		/* A reader that never reads does not hold us up for ever. */
		drop_streams(w);
	} else if (!w->ended && w->look_ms && now >= w->look_ms) {
		look(w);
	}
}

static void drain_signals(const struct watch *w)
{
	struct signalfd_siginfo info[8];

	while (read(w->signal_fd, info, sizeof(info)) > 0)
		;
}

static void wait_once(struct watch *w)
{
	struct pollfd p[N_POLL] = {
		[POLL_CTL] = { w->jail->ctl, POLLIN, 0 },
		[POLL_HARNESS] = { w->jail->harness, POLLIN, 0 },
		[POLL_SIGNAL] = { w->signal_fd, POLLIN, 0 },
	};

	sbxi_behalf_poll(&w->behalf, &p[POLL_BEHALF]);
	for (int i = 0; i < 3; i++)
		sbxi_relay_poll(&w->relays, i, &p[POLL_RELAY + 2 * i]);
	if (poll(p, N_POLL, poll_timeout(w)) < 0) {
		/* One that sees nothing any more must not go on. */
		if (errno != EINTR)
			harness_is_gone(w);
		check_limits(w);
		return;
	}
	if (p[POLL_HARNESS].revents)
		harness_is_gone(w);
	if (p[POLL_CTL].revents)
		read_ctl(w);
	if (p[POLL_SIGNAL].revents) {
		drain_signals(w);
		(void)reap_ended(w);
	}
	sbxi_behalf_serve(&w->behalf, &p[POLL_BEHALF]);
	for (int i = 0; i < 3; i++)
		sbxi_relay_move(&w->relays, i, &p[POLL_RELAY + 2 * i]);
	check_limits(w);
}

static uint32_t kind_of(const struct watch *w)
{
	if (w->why)
		return w->why;
	if (WIFEXITED(w->status))
		return SBX_EXITED;
	if (WTERMSIG(w->status) == SIGSYS)
		return SBX_DENIED_SYSCALL;
	if (WTERMSIG(w->status) == SIGXCPU &&
	    limit_of(w, SBX_LIMIT_CPU_MS) != SBXI_NO_LIMIT)
		return SBX_CPU_LIMIT;
	return SBX_SIGNALED;
}

static void send_exit(const struct watch *w)
{
	struct rusage r = { .ru_maxrss = 0 };
	struct sbxi_msg_exit m = {
		.type = SBXI_MSG_EXIT,
		.kind = kind_of(w),
		.flags = w->relays.cut ? SBX_EXIT_OUTPUT_CUT : 0,
		.wall_ms = w->end_ms - w->start_ms,
		.output_bytes = w->relays.output_bytes,
		.missed = w->behalf.tell.missed,
	};

	if (m.kind == SBX_EXITED)
		m.code = WEXITSTATUS(w->status);
	else if (m.kind == SBX_SIGNALED || m.kind == SBX_DENIED_SYSCALL)
		m.code = WTERMSIG(w->status);
	getrusage(RUSAGE_CHILDREN, &r);
	m.cpu_us = (uint64_t)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) *
			   1000000 +
		   (uint64_t)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
	m.max_rss_bytes = (uint64_t)r.ru_maxrss * 1024;
	/* If the harness is gone there is nobody to tell. */
	(void)sbxi_fdmsg_send(w->jail->ctl, &m, sizeof(m), NULL, 0);
}

/*
 * A supervisor that cannot be confined must not go on: its death ends the
 * jail, and the harness finds it dead.
 */
static void confine(struct sbxi_jail *jail, bool acts)
{
	const struct sbxi_plan_filter *f =
		&jail->plan->filter[acts ? SBXI_FILTER_SUPERVISOR_ACTS
					 : SBXI_FILTER_SUPERVISOR];
	const void *code = (const char *)jail->plan + f->offset;

	if (sbxi_capabilities_drop() < 0 || f->count == 0 ||
	    sbxi_seccomp_enter(code, f->count) < 0)
		_exit(1);
}

static void watch_init(struct watch *w, struct sbxi_jail *jail, pid_t target)
{
	sigset_t child;

	w->jail = jail;
	w->target = target;
	w->start_ms = sbxi_now_ms();
	w->relays.limit = jail->plan->limit[SBX_LIMIT_OUTPUT];
	for (int i = 0; i < 3; i++)
		w->relays.stream[i].from = w->relays.stream[i].to = -1;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	(void)sigprocmask(SIG_BLOCK, &child, NULL);
	(void)signal(SIGPIPE, SIG_IGN);
	w->signal_fd = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	if (w->signal_fd < 0)
		_exit(1);
	if (must_look(w))
		w->look_ms = w->start_ms + MEMORY_LOOK_MIN_MS;
}

void sbxi_supervise(struct sbxi_jail *jail, pid_t target)
{
	static struct watch w;

	watch_init(&w, jail, target);
	sbxi_behalf_init(&w.behalf, jail, target);
	sbxi_behalf_listen(&w.behalf);
	confine(jail, w.behalf.listener >= 0);
	(void)reap_ended(&w);
	/* A short task may end before its streams have been read from ctl. */
	while (!w.ended || !w.started)
		wait_once(&w);
	kill_tree(&w);
	sbxi_relay_drain(&w.relays);
	while (!sbxi_relay_done(&w.relays)) {
		wait_once(&w);
		sbxi_relay_drain(&w.relays);
	}
	sbxi_private_dir_remove(jail);
	send_exit(&w);
	_exit(0);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* run: from a started task to its end. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "message.h"
#include "run.h"

/* How long an ended task's terminal may stay silent before it is let go. */
#define DRAIN_MS 1000

#define NEVER INT64_MAX

enum fd_index {
	SIGNALS,
	TASK,
	RELAY,
	N_FDS = RELAY + CLI_RELAY_FDS
};

static int64_t now_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void pass_on(const struct cli_run *run, int sig)
{
	int rc = sbx_task_kill(run->task, sig);

	/* -ESRCH: it has ended meanwhile, which is no news to anybody. */
	if (rc < 0 && rc != -ESRCH)
		cli_note(run->program, "signal %d does not reach the task: %s",
			 sig, strerror(-rc));
}

static void arm_kill(struct cli_run *run)
{
	int64_t now = now_ms();

	if (run->kill_after_ms == 0 || run->kill_at_ms != NEVER)
		return;
	if (run->kill_after_ms < (uint64_t)(NEVER - now))
		run->kill_at_ms = now + (int64_t)run->kill_after_ms;
}

static bool is_ending(int sig)
{
	return sig == SIGTERM || sig == SIGINT || sig == SIGHUP;
}

/* Signals that are about the caller's terminal, not for the task. */
static bool take_terminal_signal(const struct cli_run *run, int sig)
{
	int rc = 0;

	if (!run->relay || (sig != SIGWINCH && sig != SIGTSTP &&
			    sig != SIGCONT))
		return false;
	if (sig == SIGTSTP)
		rc = cli_raw_suspend();
	else if (sig == SIGCONT)
		rc = cli_raw_enter();
	if (rc < 0)
		cli_note(run->program, "terminal: %s", strerror(-rc));
	cli_pty_resize(run->relay->pty);
	return true;
}

static void take_signals(struct cli_run *run)
{
	int sig;

	while ((sig = cli_signals_next(run->signals)) != 0) {
		if (take_terminal_signal(run, sig))
			continue;
		pass_on(run, sig);
		if (is_ending(sig))
			arm_kill(run);
	}
}

/* Milliseconds until the hard kill, as poll(2) takes them. */
static int kill_timeout(const struct cli_run *run, int64_t now)
{
	int64_t left = run->kill_at_ms - now;

	if (run->kill_at_ms == NEVER)
		return -1;
	if (left <= 0)
		return 0;
	return left > INT_MAX ? INT_MAX : (int)left;
}

static void kill_if_due(struct cli_run *run)
{
	if (run->kill_at_ms == NEVER || now_ms() < run->kill_at_ms)
		return;
	run->kill_at_ms = NEVER;
	run->kill_after_ms = 0;	/* once is enough: SIGKILL is never lost */
	pass_on(run, SIGKILL);
}

/* Poll once.  Returns what poll(2) did, 0 also for EINTR. */
static int wait_for_work(struct cli_run *run, struct pollfd fds[N_FDS],
			 int task_fd, int timeout_ms)
{
	int n;

	fds[SIGNALS] = (struct pollfd){ .fd = run->signals->fd,
					.events = POLLIN };
	fds[TASK] = (struct pollfd){ .fd = task_fd, .events = POLLIN };
	if (run->relay)
		timeout_ms = cli_relay_prepare(run->relay, now_ms(),
					       fds + RELAY, timeout_ms);
	n = poll(fds, run->relay ? N_FDS : RELAY, timeout_ms);
	if (n < 0 && errno == EINTR) {
		for (n = 0; n < N_FDS; n++)
			fds[n].revents = 0;
		return 0;
	}
	return n < 0 ? -errno : n;
}

/* Until the task has ended: 0, or a negative code. */
static int run_task(struct cli_run *run)
{
	struct pollfd fds[N_FDS];
	int rc = 0;

	while (rc == 0) {
		rc = wait_for_work(run, fds, sbx_task_fd(run->task),
				   kill_timeout(run, now_ms()));
		if (rc < 0)
			return rc;
		if (fds[SIGNALS].revents)
			take_signals(run);
		kill_if_due(run);
		if (run->relay)
			cli_relay_run(run->relay, now_ms(), fds + RELAY);
		rc = fds[TASK].revents ? sbx_task_dispatch(run->task) : 0;
	}
	return rc < 0 ? rc : 0;
}

/* What the ended task has written and nobody has read yet. */
static void drain(struct cli_run *run)
{
	struct pollfd fds[N_FDS];
	int rc, sig;

	cli_relay_end_input(run->relay);
	while (!cli_relay_is_drained(run->relay)) {
		/* A slow reader is waited for, an empty terminal is not. */
		rc = wait_for_work(run, fds, -1,
				   run->relay->out.len > 0 ? -1 : DRAIN_MS);
		if (rc <= 0 && run->relay->out.len == 0)
			return;
		sig = fds[SIGNALS].revents ? cli_signals_next(run->signals) :
					     0;
		if (rc < 0 || is_ending(sig) || sig == SIGQUIT)
			return;
		cli_relay_run(run->relay, now_ms(), fds + RELAY);
	}
}

int cli_run(struct cli_run *run, struct sbx_exit *ret_exit)
{
	int rc;

	run->kill_at_ms = NEVER;
	rc = run_task(run);
	if (rc < 0)
		return rc;
	do
		rc = sbx_task_wait(run->task, -1, ret_exit);
	while (rc == -EINTR);
	if (run->relay)
		drain(run);
	return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* signals: those that are passed on to the task, by a descriptor. */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "signals.h"

static void on_pipe(int sig)
{
	(void)sig;
}

static bool is_ignored(int sig)
{
	struct sigaction sa;

	return sigaction(sig, NULL, &sa) == 0 && sa.sa_handler == SIG_IGN;
}

/* A handler, not SIG_IGN: only that becomes the default again by exec. */
static int survive_broken_pipes(void)
{
	struct sigaction sa = { .sa_handler = on_pipe, .sa_flags = SA_RESTART };

	return sigaction(SIGPIPE, &sa, NULL) < 0 ? -errno : 0;
}

int cli_signals_open(bool new_tty, struct cli_signals *ret)
{
	static const int all[] = { SIGTERM, SIGINT,  SIGHUP,  SIGQUIT, SIGUSR1,
				   SIGUSR2, SIGWINCH, SIGTSTP, SIGCONT };
	struct cli_signals s = { .fd = -1 };
	sigset_t set;
	size_t i;
	int rc;

	(void)sigemptyset(&set);
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (!new_tty && (all[i] == SIGTSTP || all[i] == SIGCONT))
			continue;
		s.ignored[all[i]] = is_ignored(all[i]);
		if (all[i] == SIGHUP && s.ignored[SIGHUP])
			continue;
		(void)sigaddset(&set, all[i]);
	}
	rc = survive_broken_pipes();
	if (rc < 0)
		return rc;
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return -errno;
	s.fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (s.fd < 0)
		return -errno;
	*ret = s;
	return 0;
}

void cli_signals_close(struct cli_signals *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

/* From the keyboard, to a job that its shell has put in the background? */
static bool is_not_meant(const struct cli_signals *s,
			 const struct signalfd_siginfo *info)
{
	return (info->ssi_signo == SIGINT || info->ssi_signo == SIGQUIT) &&
	       s->ignored[info->ssi_signo] && info->ssi_code == SI_KERNEL;
}

int cli_signals_next(const struct cli_signals *s)
{
	struct signalfd_siginfo info;
	ssize_t n;

	for (;;) {
		n = read(s->fd, &info, sizeof(info));
		if (n < 0 && errno == EINTR)
			continue;
		if (n != (ssize_t)sizeof(info))
			return 0;
		if (!is_not_meant(s, &info))
			return (int)info.ssi_signo;
	}
}

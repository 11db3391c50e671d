/* SPDX-License-Identifier: Apache-2.0 */
/* pty: a terminal of the task's own, and the caller's in raw mode meanwhile. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "pty.h"

#define CTRL_D 4

/* What the handler of a fatal signal needs; written before it is installed. */
static struct termios saved;
static bool is_saved;
static volatile sig_atomic_t is_raw;

static int outer_terminal(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (isatty(fd))
			return fd;
	}
	return -1;
}

static int open_slave(int master)
{
	char name[64];
	int fd;

#ifdef TIOCGPTPEER
	/* Needs no path, so no /dev/pts that is another mount's. */
	fd = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (fd >= 0)
		return fd;
#endif
	if (ptsname_r(master, name, sizeof(name)) != 0)
		return -errno;
	fd = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int open_pair(struct cli_pty *pty)
{
	pty->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	if (pty->master < 0)
		return -errno;
	if (grantpt(pty->master) < 0 || unlockpt(pty->master) < 0)
		return -errno;
	pty->slave = open_slave(pty->master);
	return pty->slave < 0 ? pty->slave : 0;
}

int cli_pty_open(struct cli_pty *ret)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	struct cli_pty pty = { .master = -1, .slave = -1 };
	int rc;

	rc = open_pair(&pty);
	if (rc == 0 && ioctl(pty.master, TIOCSWINSZ, &size) < 0)
		rc = -errno;
	if (rc < 0) {
		cli_pty_close(&pty);
		return rc;
	}
	pty.outer = outer_terminal();
	cli_pty_resize(&pty);
	*ret = pty;
	return 0;
}

void cli_pty_close_slave(struct cli_pty *pty)
{
	if (pty->slave >= 0)
		close(pty->slave);
	pty->slave = -1;
}

void cli_pty_close(struct cli_pty *pty)
{
	cli_pty_close_slave(pty);
	if (pty->master >= 0)
		close(pty->master);
	pty->master = -1;
}

void cli_pty_resize(const struct cli_pty *pty)
{
	struct winsize size;

	/* A terminal of no size, as a serial line's, says nothing. */
	if (pty->outer >= 0 && ioctl(pty->outer, TIOCGWINSZ, &size) == 0 &&
	    size.ws_row > 0 && size.ws_col > 0)
		(void)ioctl(pty->master, TIOCSWINSZ, &size);
}

char cli_pty_eof_char(const struct cli_pty *pty)
{
	struct termios t;

	if (tcgetattr(pty->slave, &t) < 0 || t.c_cc[VEOF] == _POSIX_VDISABLE)
		return CTRL_D;
	return (char)t.c_cc[VEOF];
}

bool cli_pty_wants_line(const struct cli_pty *pty)
{
	struct pollfd p = { .fd = pty->slave, .events = POLLIN };
	struct termios t;

	return tcgetattr(pty->slave, &t) == 0 && (t.c_lflag & ICANON) &&
	       poll(&p, 1, 0) == 0;
}

/*
 * A process in the background would be stopped for changing the terminal,
 * and has no business to: its modes are the foreground's then.
 */
static bool is_foreground(void)
{
	pid_t group = tcgetpgrp(STDIN_FILENO);

	return group < 0 || group == getpgrp();
}

static void restore(void)
{
	if (is_raw && is_foreground())
		(void)tcsetattr(STDIN_FILENO, TCSANOW, &saved);
	is_raw = 0;
}

static void on_fatal(int sig)
{
	restore();
	/* SA_RESETHAND has put the default action back. */
	(void)raise(sig);
}

static void guard_fatal_signals(void)
{
	static const int fatal[] = { SIGSEGV, SIGBUS,	 SIGILL,  SIGFPE,
				     SIGABRT, SIGTRAP,	 SIGSYS,  SIGALRM,
				     SIGPROF, SIGVTALRM, SIGPOLL, SIGXCPU,
				     SIGXFSZ, SIGPWR,	 SIGSTKFLT };
	struct sigaction sa = { .sa_handler = on_fatal,
				.sa_flags = (int)SA_RESETHAND };
	struct sigaction old;
	size_t i;

	for (i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++) {
		if (sigaction(fatal[i], NULL, &old) == 0 &&
		    old.sa_handler == SIG_DFL)
			(void)sigaction(fatal[i], &sa, NULL);
	}
}

int cli_raw_enter(void)
{
	struct termios raw;

	if (!isatty(STDIN_FILENO))
		return 0;
	if (!is_saved) {
		if (tcgetattr(STDIN_FILENO, &saved) < 0)
			return -errno;
		is_saved = true;
		guard_fatal_signals();
	}
	raw = saved;
	cfmakeraw(&raw);
	is_raw = 1;
	/* Nothing that was typed already is thrown away. */
	if (tcsetattr(STDIN_FILENO, TCSANOW, &raw) < 0) {
		is_raw = 0;
		return -errno;
	}
	return 0;
}

void cli_raw_leave(void)
{
	restore();
}

int cli_raw_suspend(void)
{
	cli_raw_leave();
	(void)raise(SIGSTOP);
	return cli_raw_enter();
}

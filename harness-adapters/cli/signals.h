/* SPDX-License-Identifier: Apache-2.0 */
/* signals: those that are passed on to the task, by a descriptor. */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include <stdbool.h>

struct cli_signals {
	int fd;			/* non-blocking; poll it */
	bool ignored[65];	/* what the caller had ignored */
};

/*
 * Block TERM, INT, HUP, QUIT, USR1, USR2 and WINCH, with a terminal of the
 * task's own also TSTP and CONT, and take them by a descriptor from now on.
 *
 * A HUP that the caller has ignored, as nohup(1) does, stays ignored.  So do
 * INT and QUIT, which shells ignore for a job in the background, when they
 * come from the keyboard; sent by a process, they are meant.
 *
 * SIGPIPE only fails the write; the task gets its default action.
 * Returns 0 or a negative errno.
 */
int cli_signals_open(bool new_tty, struct cli_signals *ret);
void cli_signals_close(struct cli_signals *signals);

/* The next signal, or 0 if there is none now. */
int cli_signals_next(const struct cli_signals *signals);

#endif

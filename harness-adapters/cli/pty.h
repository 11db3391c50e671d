/* SPDX-License-Identifier: Apache-2.0 */
/* pty: a terminal of the task's own, and the caller's in raw mode meanwhile. */
#ifndef CLI_PTY_H
#define CLI_PTY_H

#include <stdbool.h>

struct cli_pty {
	int master;	/* non-blocking */
	int slave;	/* kept, so that the master ends with the task */
	int outer;	/* the caller's terminal whose size counts, or -1 */
};

/* A pair of the caller's size, 24 x 80 where he has none.  0 or an errno. */
int cli_pty_open(struct cli_pty *ret);
void cli_pty_close(struct cli_pty *pty);
void cli_pty_close_slave(struct cli_pty *pty);

/* Carry the caller's size over; the kernel tells the task if it changed. */
void cli_pty_resize(const struct cli_pty *pty);

/* The character that means end of input to the task's terminal now. */
char cli_pty_eof_char(const struct cli_pty *pty);

/*
 * Does the task's terminal wait for a line, with nothing in its queue? Then
 * an end of input that was sent has been read.
 */
bool cli_pty_wants_line(const struct cli_pty *pty);

/*
 * Put the caller's terminal, if standard input is one, in raw mode; give it
 * back as it was at first.  A signal that ends this program gives it back,
 * too.  Both may be called again, as after a stop, when a shell has set modes
 * of its own.  0 or a negative errno.
 */
int cli_raw_enter(void);
void cli_raw_leave(void);

/* Leave raw mode, stop this process as SIGTSTP would have, and come back. */
int cli_raw_suspend(void);

#endif

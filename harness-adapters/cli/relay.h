/* SPDX-License-Identifier: Apache-2.0 */
/* relay: both directions between the caller's descriptors and a pty. */
#ifndef CLI_RELAY_H
#define CLI_RELAY_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pty.h"

#define CLI_RELAY_FDS 3		/* how many entries of poll(2) it takes */

struct cli_buffer {
	char data[16384];
	size_t off, len;
};

struct cli_relay {
	struct cli_pty *pty;
	struct cli_buffer in, out;	/* to the task, from the task */
	int out_fd;		/* standard output, or a non-blocking twin */
	bool out_is_twin, out_is_socket;
	bool in_eof;		/* the caller's input has ended */
	bool eof_sent;
	char last_in;		/* the last character passed on */
	bool master_gone;
	int64_t eof_check_ms;	/* when to look again, monotonic clock */
};

/*
 * Copy between standard input, output and the pty.
 *
 * Nothing here blocks: one slow side never keeps the other, or a signal,
 * waiting.  The caller's descriptors are not made non-blocking, since others
 * share them.
 */
void cli_relay_init(struct cli_relay *relay, struct cli_pty *pty);
void cli_relay_done(struct cli_relay *relay);

/*
 * What to poll for now, and at most how long; timeout_ms -1 = no limit.
 * Returns the shorter of timeout_ms and what the relay needs.
 */
int cli_relay_prepare(struct cli_relay *relay, int64_t now_ms,
		      struct pollfd fds[CLI_RELAY_FDS], int timeout_ms);

/* Move what poll(2) said can be moved. */
void cli_relay_run(struct cli_relay *relay, int64_t now_ms,
		   const struct pollfd fds[CLI_RELAY_FDS]);

/* The task has ended: is its output passed on, or nobody there for it? */
bool cli_relay_is_drained(const struct cli_relay *relay);

/* The task has ended: pass on what it has written, and no more input. */
void cli_relay_end_input(struct cli_relay *relay);

#endif

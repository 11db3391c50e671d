/* SPDX-License-Identifier: Apache-2.0 */
/*
 * relay: standard streams that pass through the supervisor.
 *
 * They do where output is counted, and where the harness's descriptors are
 * root's and the task is not: a pipe of the task's own can be re-opened by
 * /dev/stdout.  The harness's descriptors are shared with others, so their
 * O_NONBLOCK is never touched: what would block is not begun.
 */
#ifndef SBXI_INIT_RELAY_H
#define SBXI_INIT_RELAY_H

#include <stdbool.h>
#include <stdint.h>

struct pollfd;

#define SBXI_RELAY_BUFFER 4096	/* PIPE_BUF: written whole once a pipe is writable */

struct sbxi_relay {
	int from, to;		/* -1 = closed */
	bool counts;		/* standard output or error */
	bool cut;		/* the limit was reached, the rest is dropped */
	bool dropped;		/* the last that was read is beyond the limit */
	bool to_file;		/* a regular file: it never blocks for long */
	uint32_t len, at;	/* what is in buf, what of it was written */
	char buf[SBXI_RELAY_BUFFER + 80];	/* room for the mark of a cut */
};

struct sbxi_relays {
	struct sbxi_relay stream[3];
	uint64_t output_bytes;	/* passed on */
	uint64_t limit;		/* SBXI_NO_LIMIT = none */
	bool cut;
};

/* Set what to wait for in two entries of a poll set for stream i. */
void sbxi_relay_poll(const struct sbxi_relays *r, int i, struct pollfd *p);

/* Move what can be moved without blocking. */
void sbxi_relay_move(struct sbxi_relays *r, int i, const struct pollfd *p);

/* Give stream i up, with what is on its way. */
void sbxi_relay_close(struct sbxi_relays *r, int i);

/*
 * The task has ended: nothing more is read from the harness, and of what it
 * wrote only what is there.  The end of the stream may never come: the task
 * may have given its end away.
 */
void sbxi_relay_drain(struct sbxi_relays *r);

/* Has everything that the task wrote been passed on? */
bool sbxi_relay_done(const struct sbxi_relays *r);

#endif

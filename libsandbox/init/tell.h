/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tell: what the task was refused, for whoever started it.
 *
 * The task sees the error of its call and nothing else.  A task that is
 * refused over and over must fill neither the socket, which EXIT needs, nor
 * anybody's screen: what was said once is not said again, and what does not
 * fit is counted.
 */
#ifndef SBXI_INIT_TELL_H
#define SBXI_INIT_TELL_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/handoff.h"

#define SBXI_TELL_REMEMBERED 128

struct sbxi_tell {
	int ctl;
	bool wanted;		/* START said so */
	uint32_t missed;	/* that did not fit since the last one */
	int room;		/* bytes that may lie unread; the rest is for EXIT */
	uint64_t seed;
	uint32_t n_said;
	uint64_t said[SBXI_TELL_REMEMBERED];	/* hashes; the oldest goes first */
};

/* One refusal.  Texts of any bytes; near may be NULL. */
struct sbxi_denied {
	uint32_t kind;		/* SBX_DENIAL_... */
	uint32_t flags;		/* SBX_DENIAL_EXISTS */
	int call;		/* number of the system call */
	int code;		/* what the task gets: -errno */
	const char *object;
	const char *near;	/* the granted path that it lies in */
};

/* Once, before the supervisor confines itself. */
void sbxi_tell_init(struct sbxi_tell *t, int ctl);

/* Never blocks. */
void sbxi_tell(struct sbxi_tell *t, const struct sbxi_denied *d);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* held: what a process holds already, before it confines itself. */
#ifndef SBXI_SPAWN_HELD_H
#define SBXI_SPAWN_HELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errors.h"
#include "kernel/plan.h"

/* Which of it stays.  Confinement binds what is opened later, not this. */
struct sbxi_held {
	bool listed;		/* /proc could be read; else nothing is known */
	size_t n_open;		/* descriptors above 2 that stay */
	char open[200];		/* "3 /path, 5 socket": as many as fit */
	bool terminal;		/* one that stays is a terminal */
	bool inet;		/* one is a TCP socket */
	char stray[64];		/* a socket that reaches more than its peer, or "" */
	bool shared;		/* memory is shared with other processes */
};

/*
 * Look at the calling process.
 *
 * flags: SBX_ENTER_...: what goes away by itself does not count.
 * Returns 0; -EBUSY for what no rule could hold afterwards, noted: other
 * threads, an io_uring, a writable shared mapping of a file that the plan
 * does not let be written; or -ENOMEM, -EMFILE, -ENFILE.
 */
int sbxi_held_look(const struct sbxi_plan *plan, uint32_t flags,
		   struct sbxi_held *ret, struct sbxi_fail *fail);

#endif

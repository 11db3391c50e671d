/* SPDX-License-Identifier: Apache-2.0 */
/* denials: what a task was refused, until its harness comes to hear of it. */
#ifndef SBXI_SPAWN_DENIALS_H
#define SBXI_SPAWN_DENIALS_H

#include <stddef.h>
#include <stdint.h>

#include <sandbox/task.h>

#include "kernel/handoff.h"

#define SBXI_DENIALS_MAX 64	/* that wait; more are counted */

struct sbxi_denials {
	size_t n;
	struct sbxi_msg_denial *waiting[SBXI_DENIALS_MAX];	/* owned */
	uint32_t missed;
};

/* Keep a message of len bytes, or count it.  What is malformed is dropped. */
void sbxi_denials_add(struct sbxi_denials *d, const struct sbxi_msg_denial *m,
		      size_t len);

/* Tell them to the handler, if there is one, and drop them. */
void sbxi_denials_deliver(struct sbxi_denials *d, struct sbx_task *task,
			  const struct sbx_handlers *handlers, void *userdata);
void sbxi_denials_drop(struct sbxi_denials *d);

#endif

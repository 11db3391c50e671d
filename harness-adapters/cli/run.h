/* SPDX-License-Identifier: Apache-2.0 */
/* run: from a started task to its end. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include <stdint.h>

#include <sandbox/sandbox.h>

#include "relay.h"
#include "signals.h"

struct cli_run {
	const char *program;
	struct sbx_task *task;
	const struct cli_signals *signals;
	struct cli_relay *relay;	/* NULL without a terminal of its own */
	uint64_t kill_after_ms;		/* 0 = never */
	int64_t kill_at_ms;		/* set by cli_run() */
};

/*
 * Pass on signals, and what is typed and written, until the task has ended
 * and its output is passed on.
 *
 * Returns 0 with *ret_exit filled, or a negative code of the library.
 */
int cli_run(struct cli_run *run, struct sbx_exit *ret_exit);

#endif

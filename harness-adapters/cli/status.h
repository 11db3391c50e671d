/* SPDX-License-Identifier: Apache-2.0 */
/* status: what happens to the task, as JSON lines on a descriptor. */
#ifndef CLI_STATUS_H
#define CLI_STATUS_H

#include <sandbox/sandbox.h>

#include "denial.h"
#include "message.h"

/* Where to write; fd -1 = nowhere. */
struct cli_status {
	const char *program;
	int fd;
	size_t denied;		/* bytes of denials so far */
	uint64_t missed;	/* denials that were not written */
};

/*
 * Each writes one line.  A reader that is gone is said once on standard
 * error, and the status is closed to further lines: the task goes on.
 */
void cli_status_start(struct cli_status *status, const struct sbx_task *task);
void cli_status_exit(struct cli_status *status, const struct sbx_exit *ex,
		     int exit_status);

/*
 * Never waits, and leaves room in a pipe for the line of the exit: a task can
 * be refused without end.  What is not written is counted.
 */
void cli_status_denial(struct cli_status *status,
		       const struct cli_denial *denial);
void cli_status_error(struct cli_status *status,
		      const struct cli_fault *fault, int exit_status);

/* "exited", "signaled", "timeout", ...: the stable name of SBX_EXITED, ... */
const char *cli_exit_kind(uint32_t kind);

/* The exit status for the way a task ended: its own, 124, or 128 + n. */
int cli_exit_status(const struct sbx_exit *ex);

#endif

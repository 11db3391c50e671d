/* SPDX-License-Identifier: Apache-2.0 */
/* denial: what a task was refused, and what would allow it. */
#ifndef CLI_DENIAL_H
#define CLI_DENIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <sandbox/sandbox.h>

/*
 * One refusal, for the person or program that started the task.  The task
 * itself sees only the error of its own call: that a path exists is not its
 * to know.
 */
struct cli_denial {
	const char *operation;	/* stable word: "open", "syscall", "time" */
	const char *object;	/* what it was about; any bytes */
	const char *allow_with;	/* the option; any bytes, "" = none */
	const char *hint;	/* before the option; NULL = "allow it with" */
};

/*
 * "PROGRAM: denied: OPERATION: OBJECT - HINT OPTION", without a newline.
 * One line whatever the texts hold: control characters are escaped.
 */
void cli_denial_print(FILE *out, const char *program,
		      const struct cli_denial *denial, bool colour);

/*
 * The same as one line on standard error if that is a terminal, in colour
 * unless NO_COLOR is set; a raw terminal gets the carriage return as well.
 */
void cli_denial_tell(const char *program, const struct cli_denial *denial);

/*
 * What the end of a task shows to have been refused, number index.
 * Returns false when there is no more.
 */
bool cli_denial_of_exit(const struct sbx_exit *ex, size_t index,
			struct cli_denial *ret);

#endif

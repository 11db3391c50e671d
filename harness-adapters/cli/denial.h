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
	int32_t code;		/* what the task's call returned, 0 = unknown */
	uint32_t missed;	/* others before this one that were not told */
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

/* What a denial of the library's is for people; the texts lie in `texts`. */
struct cli_denial_texts {
	char object[4096], option[4200];
};
void cli_denial_of_task(const struct sbx_denial *from,
			struct cli_denial_texts *texts,
			struct cli_denial *ret);

/*
 * What the end of a task shows to have been refused, number index.
 * Returns false when there is no more.
 */
bool cli_denial_of_exit(const struct sbx_exit *ex, size_t index,
			struct cli_denial *ret);

#endif

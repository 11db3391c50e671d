/* SPDX-License-Identifier: Apache-2.0 */
/* message: what went wrong, as one line on standard error. */
#ifndef CLI_MESSAGE_H
#define CLI_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include <sandbox/sandbox.h>

/* Exit statuses of sbx-exec that are not the command's. */
enum {
	CLI_EXIT_TIME = 124,
	CLI_EXIT_SETUP = 125,
	CLI_EXIT_NOT_EXECUTABLE = 126,
	CLI_EXIT_NOT_FOUND = 127,
	CLI_EXIT_SIGNAL = 128	/* + the signal's number */
};

/* A failure, from our own checks or from the library. */
struct cli_fault {
	int code;		/* negative errno */
	uint32_t step;		/* SBX_STEP_... */
	int sys_errno;		/* or 0 */
	char object[512];	/* option, path, grant, ... */
	char text[256];
	char remedy[256];	/* or "" */
};

/*
 * Note a failure and return its code: "return cli_fault(...)".
 *
 * object, remedy: may be NULL; fmt: printf(3) style, NULL = strerror(-code).
 */
__attribute__((format(printf, 6, 7)))
int cli_fault(struct cli_fault *fault, int code, uint32_t step,
	      const char *object, const char *remedy, const char *fmt, ...);

/*
 * The same from an error of the library; before, if not NULL, goes in front
 * of its object.
 */
int cli_fault_library(struct cli_fault *fault, int code,
		      const struct sbx_error *error, const char *before);

/*
 * "PROGRAM: STEP: OBJECT: TEXT - REMEDY" in one write.  Coloured on a
 * terminal, unless the environment says otherwise; never more than one line,
 * whatever the strings hold.
 */
void cli_message(const char *program, const struct cli_fault *fault);

/* "PROGRAM: TEXT", the same way. */
__attribute__((format(printf, 2, 3)))
void cli_note(const char *program, const char *fmt, ...);

/* Is colour wanted there? NO_COLOR, else CLICOLOR_FORCE, else a terminal. */
bool cli_colour(int fd);

/* The exit status for a failure: 125, or 126 and 127 for the command itself. */
int cli_fault_status(const struct cli_fault *fault);

#endif

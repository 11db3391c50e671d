/* SPDX-License-Identifier: Apache-2.0 */
/* askopt: the command line of sbx-ask. */
#ifndef CLI_ASKOPT_H
#define CLI_ASKOPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sandbox/client.h>

#define ASK_PROGRAM "sbx-ask"
#define ASK_SHARES 64
#define ASK_ENV 256

enum {
	ASK_GRANTED = 0,
	ASK_REFUSED = 1,
	ASK_USAGE = 2,
	ASK_NO_BROKER = 3,
	ASK_NOT_EXECUTABLE = 126,
	ASK_NOT_FOUND = 127
};

struct ask_options {
	const char *verb, *object;	/* "connect", "tcp:host:443" */
	char **command;			/* after "--", or NULL */
	const char *reason, *cwd;
	uint32_t rights;
	int timeout_ms;			/* -1 = as long as it takes */
	int fd;				/* the command's number, -1 = any */
	bool stdio, help, version;
	uint64_t wall_ms;
	/* lifetime, uses, bytes in, bytes out, cost; 0 = not said */
	uint64_t budget[5];
	const char *share[ASK_SHARES];
	size_t n_shares;
	const char *env[ASK_ENV + 1];
	size_t n_env;
};

/* Fill *o; false after a line on standard error. */
bool ask_options(struct ask_options *o, int argc, char **argv);

/* "sbx-ask: OBJECT: TEXT" on standard error, on one line, escaped. */
void ask_say(const char *object, const char *text);

extern const char ask_usage[];

#endif

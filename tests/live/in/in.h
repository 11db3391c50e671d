/* SPDX-License-Identifier: Apache-2.0 */
/* in: what the small programs that run inside a jail share. */
#ifndef TESTS_LIVE_IN_IN_H
#define TESTS_LIVE_IN_IN_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "what=ok" or "what=EACCES", from a result that is negative on failure. */
static inline void in_tell(const char *what, long rc)
{
	const char *name = rc >= 0 ? "ok" : strerrorname_np(errno);

	printf("%s=%s\n", what, name ? name : "?");
	fflush(stdout);
}

static inline long in_number(int argc, char **argv, int i, long otherwise)
{
	return argc > i ? strtol(argv[i], NULL, 10) : otherwise;
}

#endif

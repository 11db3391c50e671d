/* SPDX-License-Identifier: Apache-2.0 */
/* tracer: answers calls whose arguments are in memory or whose result is positive. */
#ifndef DEGRADE_TRACER_H
#define DEGRADE_TRACER_H

#include <stdbool.h>
#include <sys/types.h>

#include "filter.h"

struct tracer {
	bool clone3;		/* refuse CLONE_NEWUSER with userns_errno */
	int userns_errno;
	int landlock_abi;	/* 0 = leave as it is */
};

/* The calls that the tracer wants to see, and what needs no tracer. */
extern const struct rule landlock_abi_rules[];

/* Which ABI does this kernel have?  0 = none. */
int tracer_host_abi(void);

/* Attach to a child that waits to go on.  Returns 0 or -errno. */
int tracer_attach(pid_t child);

/*
 * Serve calls until the child ends; all others that are traced die with the
 * tracer.  Without attach it only waits.  Returns the child's exit status,
 * 128+n for a signal.
 */
int tracer_run(const struct tracer *t, pid_t child);

#endif

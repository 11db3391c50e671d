/* SPDX-License-Identifier: Apache-2.0 */
/* What went wrong: the step, the object, the errno and the remedy. */
#ifndef SANDBOX_ERROR_H
#define SANDBOX_ERROR_H

#include <sandbox/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In which process a step failed. */
enum {
	SBX_WHERE_HARNESS = 0,	/* the calling process */
	SBX_WHERE_LAUNCHER = 1,	/* between clone and exec of the helper */
	SBX_WHERE_INIT = 2,	/* the helper: supervisor, pid 1 of the jail */
	SBX_WHERE_TARGET = 3	/* the process that becomes the task */
};

/*
 * Steps.  1 to 24 are the steps of a spawn in their order; the higher ones
 * are not part of a spawn.  libsandbox(7) describes each.
 */
enum {
	SBX_STEP_NONE = 0,
	SBX_STEP_COMPILE = 1,
	SBX_STEP_OPEN_PATHS = 2,
	SBX_STEP_SOCKETS = 3,
	SBX_STEP_CLONE = 4,
	SBX_STEP_PLACE_HELPER = 5,
	SBX_STEP_EXEC_HELPER = 6,
	SBX_STEP_RESTORE_MASK = 7,
	SBX_STEP_CHECK_PLAN = 8,
	SBX_STEP_NAMESPACES = 9,
	SBX_STEP_MAP_IDS = 10,
	SBX_STEP_CHECK_IDS = 11,
	SBX_STEP_SUPERVISE = 12,
	SBX_STEP_MOUNTS = 13,
	SBX_STEP_SYSTEM = 14,
	SBX_STEP_CWD = 15,
	SBX_STEP_FORK_TARGET = 16,
	SBX_STEP_NEST = 17,
	SBX_STEP_RLIMITS = 18,
	SBX_STEP_GRANTS = 19,
	SBX_STEP_CAPABILITIES = 20,
	SBX_STEP_LANDLOCK = 21,
	SBX_STEP_VERIFY = 22,
	SBX_STEP_FILTER = 23,
	SBX_STEP_EXEC = 24,
	SBX_STEP_ARGUMENT = 32,	/* an argument of the call */
	SBX_STEP_PARSE = 33,	/* text of a policy file */
	SBX_STEP_WAIT = 34,
	SBX_STEP_PROBE = 35
};

/*
 * Filled by the function that failed; the caller owns it, on the stack if he
 * likes.  Needs no heap, so it survives -ENOMEM.  504 bytes for ever.
 */
struct sbx_error {
	int32_t code;		/* the negative code that was returned */
	uint32_t step;		/* SBX_STEP_... */
	uint32_t where;		/* SBX_WHERE_... */
	uint32_t remedy;	/* for sbx_remedy_text(); 0 = none known */
	int32_t sys_errno;	/* errno of the failed call, or 0 */
	uint32_t reserved;	/* zero */
	char object[256];	/* path, grant, property or call it was about */
	char text[224];		/* English, NUL-terminated, for logs only */
};

/*
 * The short name of a step ("mounts", "exec").
 *
 * step: SBX_STEP_...
 * Returns a constant string; "unknown" for a number that is no step.
 * Safe from any thread.
 */
SBX_API const char *sbx_step_name(uint32_t step);

/*
 * What to change, as one English sentence.
 *
 * remedy: sbx_error.remedy
 * Returns a constant string; "" for 0 and for an unknown number.
 * Safe from any thread.
 */
SBX_API const char *sbx_remedy_text(uint32_t remedy);

#ifdef __cplusplus
}
#endif

#endif

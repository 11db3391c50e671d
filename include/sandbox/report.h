/* SPDX-License-Identifier: Apache-2.0 */
/* Reports: which property holds on this host, by what, and how that is known. */
#ifndef SANDBOX_REPORT_H
#define SANDBOX_REPORT_H

#include <sandbox/error.h>
#include <sandbox/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One property of a report, or one mechanism of a probe. */
struct sbx_report_row {
	uint32_t size;		/* sizeof(struct sbx_report_row) */
	uint32_t id;		/* SBX_PROP_..., or the number of a probed mechanism */
	uint32_t level;		/* SBX_OFF, SBX_PREFER, SBX_REQUIRE */
	uint32_t state;		/* SBX_STATE_... */
	uint32_t verified;	/* SBX_VERIFIED_... */
	int32_t sys_errno;	/* why it is not ENFORCED, or 0 */
	uint32_t remedy;	/* for sbx_remedy_text(), or 0 */
	uint32_t reserved;
	const char *name;	/* "files", or the mechanism's name; the report owns it */
	const char *mechanisms;	/* "landlock,seccomp"; the report owns it */
	const char *object;	/* what is open, in words, or ""; the report owns it */
};
#define SBX_REPORT_ROW_INIT { (uint32_t)sizeof(struct sbx_report_row), 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL }

/*
 * The report of a running or ended task.
 *
 * Returns 0 and sets *ret_report, which the caller frees with
 * sbx_report_free().  Returns -ENOMEM or -ECHILD.  Safe from any thread.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 2)
int sbx_task_report(const struct sbx_task *task, struct sbx_report **ret_report);

/*
 * Set a jail up as for a spawn, start nothing in it, and report what holds.
 * A required property that does not hold is a row of the report here, and no
 * failure.
 *
 * Returns 0 and sets *ret_report, which the caller frees with
 * sbx_report_free().  Returns any code of sbx_spawn() but -EPERM for a
 * property.  reterr may be NULL.  Safe from any thread; freezes the policy.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 2)
int sbx_policy_dry_run(struct sbx_policy *policy,
		       struct sbx_report **ret_report,
		       struct sbx_error *reterr);

/*
 * Try each mechanism of this host in a throw-away process.
 *
 * Returns 0 and sets *ret_report, which the caller frees with
 * sbx_report_free().  Returns -EMFILE, -ENFILE, -ENOMEM, -EAGAIN (no process
 * can be made), -EACCES (the helper cannot be executed) or -EIO.
 * reterr may be NULL.  Safe from any thread.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1)
int sbx_probe(struct sbx_report **ret_report, struct sbx_error *reterr);

/* SBX_TIER_A or _B as the task got it (sbx_task_report) or as the host offers it. */
SBX_API SBX_NONNULL(1)
uint32_t sbx_report_tier(const struct sbx_report *report);

/*
 * Row number index of a report.
 *
 * ret_row: size set by SBX_REPORT_ROW_INIT; the strings stay the report's.
 * Returns 0; -ENOENT (no such row; count up from 0 until then), -EINVAL (size).
 * Safe from any thread.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 3)
int sbx_report_row(const struct sbx_report *report, size_t index,
		   struct sbx_report_row *ret_row);

/*
 * The whole report as JSON text on one line.
 *
 * Returns 0 and sets *ret_json, which the caller frees with free(3).
 * Returns -ENOMEM.  Safe from any thread.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 2)
int sbx_report_json(const struct sbx_report *report, char **ret_json);

/* Free a report.  NULL is fine. */
SBX_API void sbx_report_free(struct sbx_report *report);

/* What becomes of the calls of a set. */
enum {
	SBX_SYSCALLS_ALLOWED = 1,	/* a task may make them, as far as their arguments allow */
	SBX_SYSCALLS_REFUSED = 2,	/* answered with EPERM */
	SBX_SYSCALLS_CONNECTED = 3,	/* looked at again while a connected socket of the harness is held */
	SBX_SYSCALLS_READER = 4		/* looked at again while a file that was handed over to be read is held */
};

/* One set of system calls, all for one reason. */
struct sbx_syscall_set {
	uint32_t size;			/* sizeof(struct sbx_syscall_set) */
	uint32_t kind;			/* SBX_SYSCALLS_... */
	const char *name;		/* "files"; constant, as is all below */
	const char *reason;		/* one English sentence */
	const char *const *calls;	/* names, NULL at the end */
};
#define SBX_SYSCALL_SET_INIT { (uint32_t)sizeof(struct sbx_syscall_set), 0, NULL, NULL, NULL }

/*
 * Set number index of those that the filter of a task is made from.  A call
 * that is in no set of the first two kinds is answered with ENOSYS.
 *
 * ret_set: size set by SBX_SYSCALL_SET_INIT.
 * Returns 0; -ENOENT (no such set; count up from 0 until then), -EINVAL
 * (size).  Safe from any thread.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(2)
int sbx_syscall_set(size_t index, struct sbx_syscall_set *ret_set);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ledger: what a process has and how it is set, as lines of text, so that
 * "the harness is as it was" is one comparison that names the difference.
 */
#ifndef TESTS_LIVE_LEDGER_H
#define TESTS_LIVE_LEDGER_H

#include <stddef.h>

#include <sys/types.h>

enum {
	LEDGER_SCRATCH = 1 << 0	/* also sbx-* of /tmp and /var/tmp */
};

/*
 * Descriptors and what they name, mask, handlers, folder, umask, limits,
 * environment, threads, ids, capabilities, children, mounts, cgroups.
 * Returns a malloc'd text; NULL on failure.
 */
char *ledger_take(unsigned flags);

/*
 * Take another ledger and compare.  Returns 0 if nothing differs; else 1 and
 * the first difference in why.
 */
int ledger_compare(const char *before, unsigned flags, char *why, size_t size);

/* Open descriptors of this process; -1 on failure. */
int ledger_descriptors(void);

/*
 * Wait until this process has no child, which for a subreaper includes the
 * orphans of its tree.  0, or 1 if there is one after timeout_ms.
 */
int ledger_no_children(int timeout_ms);

/* Processes on this host, but this one, with needle in their command line. */
int ledger_processes(const char *needle);

#endif

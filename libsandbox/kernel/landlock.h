/* SPDX-License-Identifier: Apache-2.0 */
/* landlock: which files a thread and its descendants may use.  landlock(7) */
#ifndef SBXI_KERNEL_LANDLOCK_H
#define SBXI_KERNEL_LANDLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* The ABI of this kernel, 0 if there is none (then errno says why). */
int sbxi_landlock_abi(void);

/* What a ruleset handles besides all rights of files. */
enum {
	SBXI_LANDLOCK_NET = 1 << 0,	/* TCP bind and connect: all refused */
	SBXI_LANDLOCK_SCOPES = 1 << 1	/* signals and abstract sockets stay inside */
};

/* A ruleset that refuses all that abi knows.  A descriptor, or -errno. */
int sbxi_landlock_create(int abi, uint32_t what);

/*
 * A layer for a supervisor and all that it starts: no device can be made,
 * nothing outside be signalled.  What a task takes on top lies inside it,
 * so that the supervisor may look at the task, and the task not at it.
 * A descriptor, or -errno.
 */
int sbxi_landlock_create_outer(int abi);

/* Access bits of SBX_READ... for a directory or for a file, as abi knows them. */
uint64_t sbxi_landlock_access(uint32_t rights, bool is_dir, bool is_device,
			      int abi);

/* Allow access to what fd is, and below.  0 or -errno. */
int sbxi_landlock_allow(int ruleset, int fd, uint64_t access);

/* Confine the calling thread, for good.  Async-signal-safe.  0 or -errno. */
int sbxi_landlock_enter(int ruleset);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* grants_open: one grant of each kind, from its description to a descriptor. */
#ifndef SBXI_SPAWN_GRANTS_OPEN_H
#define SBXI_SPAWN_GRANTS_OPEN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/errors.h"

/* A grant as asked for, from a policy or from a call; points into either. */
struct sbxi_wanted {
	uint32_t kind;
	const char *name, *target;	/* or NULL */
	int32_t fd, task_fd;
	uint32_t rights, flags;
	char object[68];	/* for errors: its name, or "grants[i]" */
};

/*
 * Why a descriptor reaches more than it names, or NULL.  fd: ours, so that
 * what is looked at is what is handed on.  *ret_inet: an inet socket?
 */
const char *sbxi_grant_refusal(int fd, const struct stat *st, bool *ret_inet);

/* Is it a file of the kernel's own (proc, sysfs, ...)? */
bool sbxi_grant_is_kernel_file(int fd);

/* Each returns an owned, close-on-exec descriptor >= 3, or a code. */
int sbxi_grant_open_fd(const struct sbxi_wanted *want, bool *ret_inet,
		       struct sbxi_fail *fail);
int sbxi_grant_open_file(const struct sbxi_wanted *want,
			 struct sbxi_fail *fail);
int sbxi_grant_open_data(const struct sbxi_wanted *want, int64_t deadline_ms,
			 struct sbxi_fail *fail);

/* The same file once more, through /proc/self/fd, with other flags. */
int sbxi_grant_reopen(int fd, int flags);

/* Errno to a documented code of sbx_spawn(). */
int sbxi_grant_code(int err);

#endif

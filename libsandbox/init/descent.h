/* SPDX-License-Identifier: Apache-2.0 */
/*
 * descent: is a process one of the task's tree?
 *
 * In tier B the task's processes share their numbers with the host's.  They
 * are the descendants of the supervisor, which is their subreaper: whatever
 * loses its parent becomes its child.  The supervisor itself is none.
 */
#ifndef SBXI_INIT_DESCENT_H
#define SBXI_INIT_DESCENT_H

#include <stdbool.h>
#include <sys/types.h>

/* Do the numbers of this proc(5) mount mean to us what they say? */
bool sbxi_descent_counts_as_we_do(int proc);

/*
 * Is the process or thread of this number a descendant of ours?  0, -EPERM if
 * it is not or nobody can tell, -ESRCH if there is none.  The number may be
 * another's as soon as this returns, unless something holds it.
 */
int sbxi_descent_check(int proc, pid_t pid);

/*
 * The same, and a pidfd of it, close-on-exec: what was looked at is what the
 * descriptor means, whoever gets the number next.  flags: of pidfd_open(2).
 * A descriptor or -errno: as above; -EINVAL where the kernel knows no such
 * flag, or pid is a thread and no flag says so.
 */
int sbxi_descent_pin(int proc, pid_t pid, unsigned int flags);

/* The same of a pidfd that pid was read from. */
int sbxi_descent_check_pidfd(int proc, int pidfd, pid_t pid);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* process: making single-threaded processes with namespaces. clone(2) */
#ifndef SBXI_KERNEL_PROCESS_H
#define SBXI_KERNEL_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

/* All namespaces of tier A. */
#define SBXI_JAIL_NAMESPACES                                            \
	(SBXI_CLONE_NEWUSER | SBXI_CLONE_NEWNS | SBXI_CLONE_NEWPID |    \
	 SBXI_CLONE_NEWNET | SBXI_CLONE_NEWIPC | SBXI_CLONE_NEWUTS |    \
	 SBXI_CLONE_NEWCGROUP)

/*
 * Like fork(2), with flags of clone(2) (CLONE_PARENT, namespaces); only for
 * the single-threaded helper.  clone3, or clone where that is ENOSYS.
 *
 * cgroup_fd: directory to start in, or -1; without clone3 it is -EOPNOTSUPP.
 * ret_pidfd: gets a close-on-exec pidfd of the child; may be NULL.
 * Returns 0 in the child, its pid in the parent, or -errno.
 */
pid_t sbxi_process_clone(uint64_t flags, int cgroup_fd, int *ret_pidfd);

/*
 * Like vfork(2): fn(arg) runs in a child that borrows our memory, on a stack
 * of its own, and we sleep until it has passed execve or ended.  It costs a
 * third of a copied address space.  Returns the child's pid or -errno.
 */
pid_t sbxi_process_borrow(int (*fn)(void *), void *arg);

/*
 * fn(arg) runs in a child that shares our memory for good, on a stack of its
 * own.  flags: of clone(2).  Until we have ended, neither side may use what
 * belongs to a thread (errno!) while the other may run.
 * ret_pidfd: gets a pidfd of the child.  Returns its pid or -errno.
 */
pid_t sbxi_process_share(int (*fn)(void *), void *arg, uint64_t flags,
			 int *ret_pidfd);

/* Reset every signal to its default action and unblock all. */
void sbxi_process_reset_signals(void);

#endif

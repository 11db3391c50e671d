/* SPDX-License-Identifier: Apache-2.0 */
/* seccomp: system call filters, compiled in the harness, loaded in the task. */
#ifndef SBXI_KERNEL_SECCOMP_H
#define SBXI_KERNEL_SECCOMP_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/plan.h"

struct sock_filter;

struct sbxi_bpf {
	struct sock_filter *code;	/* malloc'd */
	size_t count;			/* instructions */
};

struct sbxi_seccomp_opts {
	uint32_t landlock_abi;	/* tier B closes more on older ones; 0 = none */
	/*
	 * 1: the jail's pid namespace runs with vm.memfd_noexec >= 1, so that a
	 * memfd without MFD_EXEC cannot be executed.  0: memfds must be asked
	 * for with MFD_NOEXEC_SEAL, because the kernel would execute others.
	 */
	uint32_t memfd_noexec;
};

/*
 * Compile one of the filters: a search among ranges of numbers, then rules.
 * Harness side; allocates.  Returns 0, -ENOMEM or -EINVAL.
 */
int sbxi_seccomp_prepare(enum sbxi_filter which,
			 const struct sbxi_seccomp_opts *opts,
			 struct sbxi_bpf *ret_bpf);
void sbxi_bpf_done(struct sbxi_bpf *bpf);

/*
 * Load a compiled filter into the calling thread, for good.  Task side;
 * async-signal-safe.  Needs no_new_privs.  Returns 0 or -errno.
 */
int sbxi_seccomp_enter(const struct sock_filter *code, size_t count);

/*
 * The same for a filter that asks.  Returns the listener, close-on-exec;
 * -EBUSY: another filter above has one; -EINVAL: a kernel before 5.19.
 */
int sbxi_seccomp_enter_asking(const struct sock_filter *code, size_t count);

/* For --explain-syscalls: the sets in order, each with its reason. */
struct sbxi_syscall_set {
	const char *name;	/* "files", "memory", ... */
	const char *reason;	/* why a task may have these */
	const char *const *calls;	/* names, NULL at the end */
};
const struct sbxi_syscall_set *sbxi_syscall_sets(size_t *ret_n);

#endif

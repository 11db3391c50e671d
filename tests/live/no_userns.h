/* SPDX-License-Identifier: Apache-2.0 */
/* no_userns: a host without user namespaces, made of this one by a filter. */
#ifndef TESTS_LIVE_NO_USERNS_H
#define TESTS_LIVE_NO_USERNS_H

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/*
 * From now on clone and unshare with CLONE_NEWUSER are EPERM, and clone3,
 * whose flags a filter cannot see, is ENOSYS.  0 or -errno.
 */
static inline int refuse_user_namespaces(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 5, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_unshare, 0, 2),
		/* The low half of the first argument: little-endian. */
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWUSER, 2, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
	};
	struct sock_fprog program = {
		.len = sizeof(code) / sizeof(*code),
		.filter = code
	};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		return -errno;
	return 0;
}

#endif

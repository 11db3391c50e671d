/* SPDX-License-Identifier: Apache-2.0 */
/* bpf_vm: what the kernel would make of a seccomp program, in user space. */
#ifndef SBX_TESTS_BPF_VM_H
#define SBX_TESTS_BPF_VM_H

#include <stddef.h>
#include <stdint.h>

struct sock_filter;
struct seccomp_data;

/*
 * Would the kernel load it?  Known instructions, aligned loads inside
 * struct seccomp_data, jumps that stay inside, a return at the end.
 * Returns 0, or -EINVAL and the index of the first bad instruction.
 */
int bpf_vm_check(const struct sock_filter *code, size_t count,
		 size_t *ret_bad);

/* Run a program that passed the check.  Returns SECCOMP_RET_... */
uint32_t bpf_vm_run(const struct sock_filter *code,
		    const struct seccomp_data *data);

#endif

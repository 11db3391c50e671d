/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

#include "bpf_vm.h"

static int jump_fits(const struct sock_filter *insn, size_t left)
{
	return insn->jt < left && insn->jf < left;
}

/* left: instructions that follow this one. */
static int insn_is_good(const struct sock_filter *insn, size_t left)
{
	switch (insn->code) {
	case BPF_LD | BPF_W | BPF_ABS:
		return insn->k % 4 == 0 &&
		       insn->k < sizeof(struct seccomp_data) && left > 0;
	case BPF_ALU | BPF_AND | BPF_K:
		return left > 0;
	case BPF_JMP | BPF_JA:
		return insn->k < left;
	case BPF_JMP | BPF_JEQ | BPF_K:
	case BPF_JMP | BPF_JGT | BPF_K:
	case BPF_JMP | BPF_JGE | BPF_K:
	case BPF_JMP | BPF_JSET | BPF_K:
		return jump_fits(insn, left);
	case BPF_RET | BPF_K:
		return 1;
	default:
		return 0;
	}
}

int bpf_vm_check(const struct sock_filter *code, size_t count, size_t *ret_bad)
{
	*ret_bad = 0;
	if (count == 0 || count > BPF_MAXINSNS)
		return -EINVAL;
	for (size_t i = 0; i < count; i++) {
		if (insn_is_good(&code[i], count - i - 1))
			continue;
		*ret_bad = i;
		return -EINVAL;
	}
	return 0;
}

static int holds(const struct sock_filter *insn, uint32_t a)
{
	switch (BPF_OP(insn->code)) {
	case BPF_JEQ:
		return a == insn->k;
	case BPF_JGT:
		return a > insn->k;
	case BPF_JGE:
		return a >= insn->k;
	default:
		return (a & insn->k) != 0;
	}
}

uint32_t bpf_vm_run(const struct sock_filter *code,
		    const struct seccomp_data *data)
{
	uint32_t a = 0;

	for (const struct sock_filter *pc = code;; pc++) {
		switch (pc->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			memcpy(&a, (const char *)data + pc->k, sizeof(a));
			break;
		case BPF_ALU | BPF_AND | BPF_K:
			a &= pc->k;
			break;
		case BPF_JMP | BPF_JA:
			pc += pc->k;
			break;
		case BPF_RET | BPF_K:
			return pc->k;
		default:
			pc += holds(pc, a) ? pc->jt : pc->jf;
		}
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* bpf_asm: write a classic BPF program from its end to its start. */
#include "kernel/bpf_asm.h"

#include <errno.h>

/* A conditional jump's offset has eight bits; two long jumps may come first. */
#define NEAR (UINT8_MAX - 2)

const struct sock_filter *sbxi_bpf_start(const struct sbxi_bpf_asm *a)
{
	return a->code + BPF_MAXINSNS - a->count;
}

static sbxi_label put(struct sbxi_bpf_asm *a, struct sock_filter insn)
{
	if (a->count == BPF_MAXINSNS)
		a->error = -EINVAL;
	if (a->error == 0)
		a->code[BPF_MAXINSNS - ++a->count] = insn;
	return a->count;
}

sbxi_label sbxi_bpf_put(struct sbxi_bpf_asm *a, uint16_t code, uint32_t k)
{
	struct sock_filter insn = BPF_STMT(code, k);

	return put(a, insn);
}

/* How many instructions one that is written now would jump over. */
static size_t distance(const struct sbxi_bpf_asm *a, sbxi_label to)
{
	return a->count - to;
}

static struct sbxi_bpf_return *find_return(struct sbxi_bpf_asm *a,
					   uint32_t action)
{
	for (size_t i = 0; i < a->n_returns; i++)
		if (a->returns[i].action == action)
			return &a->returns[i];
	if (a->n_returns == SBXI_BPF_ACTIONS)
		return NULL;
	a->returns[a->n_returns] = (struct sbxi_bpf_return){ action, 0 };
	return &a->returns[a->n_returns++];
}

sbxi_label sbxi_bpf_return(struct sbxi_bpf_asm *a, uint32_t action)
{
	struct sbxi_bpf_return *r = find_return(a, action);

	if (!r) {
		a->error = -EINVAL;
		return a->count;
	}
	if (r->at == 0 || distance(a, r->at) > NEAR)
		r->at = sbxi_bpf_put(a, BPF_RET | BPF_K, action);
	return r->at;
}

/* The same place, or a jump to it that is near. */
static sbxi_label within_reach(struct sbxi_bpf_asm *a, sbxi_label to)
{
	if (distance(a, to) <= NEAR)
		return to;
	return sbxi_bpf_put(a, BPF_JMP | BPF_JA, (uint32_t)distance(a, to));
}

sbxi_label sbxi_bpf_branch(struct sbxi_bpf_asm *a, uint16_t op, uint32_t k,
			   sbxi_label yes, sbxi_label no)
{
	sbxi_label jt = within_reach(a, yes), jf = within_reach(a, no);
	struct sock_filter insn =
		BPF_JUMP(BPF_JMP | op | BPF_K, k, (uint8_t)distance(a, jt),
			 (uint8_t)distance(a, jf));

	return put(a, insn);
}

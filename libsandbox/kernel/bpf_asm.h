/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bpf_asm: write a classic BPF program from its end to its start.
 *
 * Jumps go forward only, so whoever writes backwards knows every target when
 * the jump is written.  A label counts instructions from the end.
 */
#ifndef SBXI_KERNEL_BPF_ASM_H
#define SBXI_KERNEL_BPF_ASM_H

#include <stddef.h>
#include <stdint.h>

#include <linux/filter.h>

typedef size_t sbxi_label;

#define SBXI_BPF_ACTIONS 32

/* One answer and the place nearest to the start where it is given. */
struct sbxi_bpf_return {
	uint32_t action;
	sbxi_label at;
};

struct sbxi_bpf_asm {
	size_t count;		/* instructions written */
	int error;		/* the first one; nothing is written after it */
	size_t n_returns;
	struct sbxi_bpf_return returns[SBXI_BPF_ACTIONS];
	struct sock_filter code[BPF_MAXINSNS];	/* filled from its end */
};

/* The first instruction of the finished program. */
const struct sock_filter *sbxi_bpf_start(const struct sbxi_bpf_asm *a);

/* Write an instruction in front of all others.  Returns its label. */
sbxi_label sbxi_bpf_put(struct sbxi_bpf_asm *a, uint16_t code, uint32_t k);

/* A place that returns action, near enough for a conditional jump. */
sbxi_label sbxi_bpf_return(struct sbxi_bpf_asm *a, uint32_t action);

/*
 * A conditional jump, BPF_JEQ or BPF_JGE with the constant k.  What lies too
 * far for its eight bits is reached over an unconditional one.
 */
sbxi_label sbxi_bpf_branch(struct sbxi_bpf_asm *a, uint16_t op, uint32_t k,
			   sbxi_label yes, sbxi_label no);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * seccomp: compile the system call filters.
 *
 * libseccomp knows the numbers.  The program is our own, because its length
 * is what loading costs, and every task loads one: libseccomp writes a node
 * for every number and a comparison for every rule, which came to three times
 * as many instructions.  Here numbers with one answer that follow each other
 * are one leaf of the search tree, and a call with rules is a leaf that tries
 * them in their order.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>

#include "base/cleanup.h"
#include "kernel/bpf_asm.h"
#include "kernel/seccomp.h"
#include "kernel/seccomp_sets.h"

#define MAX_NUMBERS 1024
#define MAX_RULES 256
#define LEAF_RANGES 13
#define ALL_BITS 0xffffffffu
#define X32_BIT 0x40000000u
#define NO_CALL 0xffffffffu	/* what a tracer sets to skip a call */

/* What a filter asks the supervisor about. */
enum { ASKS_NOTHING, ASKS_SOCKETS, ASKS_FILES };

struct variant {
	enum sbxi_filter base;	/* whose rules it has */
	int asks;
};

static struct variant variant_of(enum sbxi_filter which)
{
	static const struct variant variants[SBXI_N_FILTERS] = {
		[SBXI_FILTER_TASK_A] = { SBXI_FILTER_TASK_A, ASKS_NOTHING },
		[SBXI_FILTER_TASK_B] = { SBXI_FILTER_TASK_B, ASKS_NOTHING },
		[SBXI_FILTER_CONNECTED] = { SBXI_FILTER_CONNECTED,
					    ASKS_NOTHING },
		[SBXI_FILTER_SUPERVISOR] = { SBXI_FILTER_SUPERVISOR,
					     ASKS_NOTHING },
		[SBXI_FILTER_TASK_A_ASKS] = { SBXI_FILTER_TASK_A,
					      ASKS_SOCKETS },
		[SBXI_FILTER_TASK_B_ASKS] = { SBXI_FILTER_TASK_B,
					      ASKS_SOCKETS },
		[SBXI_FILTER_CONNECTED_ASKS] = { SBXI_FILTER_CONNECTED,
						 ASKS_SOCKETS },
		[SBXI_FILTER_SUPERVISOR_ACTS] = { SBXI_FILTER_SUPERVISOR,
						  ASKS_FILES },
		[SBXI_FILTER_TASK_A_FILES] = { SBXI_FILTER_TASK_A,
					       ASKS_FILES },
		[SBXI_FILTER_TASK_B_FILES] = { SBXI_FILTER_TASK_B,
					       ASKS_FILES },
		[SBXI_FILTER_READER] = { SBXI_FILTER_READER, ASKS_NOTHING },
	};

	return variants[which];
}

struct answer {
	sbxi_label rules;	/* where they are tried; 0: there are none */
	uint32_t action;	/* the answer then */
};

/* Numbers from first on, up to the next range, have one answer. */
struct range {
	uint32_t first;
	struct answer answer;
};

struct leaf {
	const struct range *range;
	size_t n;		/* odd: every second one is a single number */
};

struct build {
	struct variant variant;
	const struct sbxi_seccomp_opts *opts;
	const struct sbxi_filter_spec *spec;
	const char *call[MAX_NUMBERS];	/* by number; NULL: not listed */
	uint32_t refused[MAX_NUMBERS];	/* the answer then, or 0 */
	size_t n_ranges;
	struct range range[MAX_NUMBERS];
	size_t n_leaves;
	struct leaf leaf[MAX_NUMBERS];
	struct sbxi_bpf_asm out;
};

static size_t n_conds(const struct sbxi_rule *r)
{
	size_t n = 0;

	while (n < SBXI_RULE_CONDS && r->cond[n].mask != 0)
		n++;
	return n;
}

static bool same_half(const struct sbxi_cond *a, const struct sbxi_cond *b)
{
	return a->arg == b->arg && a->upper == b->upper;
}

static bool same_cond(const struct sbxi_cond *a, const struct sbxi_cond *b)
{
	return same_half(a, b) && a->op == b->op && a->mask == b->mask &&
	       a->value == b->value;
}

static bool is_taken(const struct build *b, const struct sbxi_rule *r)
{
	if (!(r->on & 1u << b->variant.base))
		return false;
	switch (r->unless) {
	case SBXI_UNLESS_ABI_3:
		return b->opts->landlock_abi < 3;
	case SBXI_UNLESS_ABI_6:
		return b->opts->landlock_abi < 6;
	case SBXI_UNLESS_ABI_6_HEARD:
		return b->opts->landlock_abi < 6 &&
		       b->variant.asks == ASKS_FILES;
	case SBXI_UNLESS_ABI_9:
		return b->opts->landlock_abi < 9 &&
		       b->variant.asks == ASKS_NOTHING;
	case SBXI_UNLESS_UNHEARD:
		return b->variant.asks != ASKS_NOTHING;
	case SBXI_UNLESS_UNHEARD_FILES:
		return b->variant.asks == ASKS_FILES;
	case SBXI_UNLESS_MEMFD_NOEXEC:
		return !b->opts->memfd_noexec;
	case SBXI_UNLESS_NEVER:
		break;
	}
	return true;
}

static uint32_t offset_of(const struct sbxi_cond *c)
{
	uint32_t lower = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0 : 4;

	return (uint32_t)offsetof(struct seccomp_data, args) + 8u * c->arg +
	       (c->upper ? 4 - lower : lower);
}

/* The test of one half that was loaded before. */
static void put_test(struct sbxi_bpf_asm *out, const struct sbxi_cond *c,
		     sbxi_label holds, sbxi_label fails)
{
	bool equal = c->op == SBXI_COND_EQUAL;

	(void)sbxi_bpf_branch(out, BPF_JEQ, c->value, equal ? holds : fails,
			      equal ? fails : holds);
	if (c->mask != ALL_BITS)
		(void)sbxi_bpf_put(out, BPF_ALU | BPF_AND | BPF_K, c->mask);
}

/* Where the rules begin that share their condition at depth with the last. */
static size_t group_start(const struct sbxi_rule *const *r, size_t n,
			  size_t depth)
{
	size_t i = n - 1;

	while (i > 0 && n_conds(r[i - 1]) > depth &&
	       same_cond(&r[i - 1]->cond[depth], &r[n - 1]->cond[depth]))
		i--;
	return i;
}

/* Does the half that the test of before looked at lie in A still? */
static bool is_loaded(const struct sbxi_rule *before,
		      const struct sbxi_rule *r, size_t depth)
{
	return n_conds(before) == depth + 1 &&
	       before->cond[depth].mask == ALL_BITS &&
	       same_half(&before->cond[depth], &r->cond[depth]);
}

/*
 * Try n rules in their order from their conditions at depth on; all before
 * are known to hold.  Rules that follow each other and share a condition test
 * it once.  The recursion is as deep as a rule has conditions.
 */
static sbxi_label put_rules(struct build *b, const struct sbxi_rule *const *r,
			    size_t n, size_t depth, sbxi_label fails)
{
	while (n > 0) {
		const struct sbxi_rule *last = r[n - 1];
		size_t start;
		sbxi_label holds;

		if (n_conds(last) == depth) {
			fails = sbxi_bpf_return(&b->out, last->action);
			n--;
			continue;
		}
		start = group_start(r, n, depth);
		holds = put_rules(b, r + start, n - start, depth + 1, fails);
		put_test(&b->out, &last->cond[depth], holds, fails);
		if (start == 0 || !is_loaded(r[start - 1], last, depth))
			(void)sbxi_bpf_put(&b->out, BPF_LD | BPF_W | BPF_ABS,
					   offset_of(&last->cond[depth]));
		fails = b->out.count;
		n = start;
	}
	return fails;
}

/* A set that comes first decides. */
static int list_set(struct build *b, const struct sbxi_syscall_set *set,
		    uint32_t refused)
{
	for (size_t i = 0; set->calls[i]; i++) {
		int number = sbxi_syscall_number(set->calls[i]);

		if (number >= MAX_NUMBERS)
			return -EINVAL;
		if (number < 0 || b->call[number])
			continue;
		b->call[number] = set->calls[i];
		b->refused[number] = refused;
	}
	return 0;
}

/* Whoever listens refuses as well, and says that it did. */
static uint32_t refusal(const struct build *b,
			const struct sbxi_syscall_set *set)
{
	return b->variant.asks == ASKS_FILES &&
			       strcmp(set->name, b->spec->quiet) != 0
		       ? SECCOMP_RET_USER_NOTIF
		       : SECCOMP_RET_ERRNO | EPERM;
}

static int list_calls(struct build *b)
{
	int rc = 0;

	for (size_t i = 0; i < b->spec->n_sets && rc == 0; i++)
		rc = list_set(b, &b->spec->sets[i], 0);
	for (size_t i = 0; i < b->spec->n_more && rc == 0; i++)
		rc = list_set(b, &b->spec->more[i], 0);
	for (size_t i = 0; i < b->spec->n_refused && rc == 0; i++)
		rc = list_set(b, &b->spec->refused[i],
			      refusal(b, &b->spec->refused[i]));
	return rc;
}

static uint32_t plain_answer(const struct build *b, uint32_t number)
{
	if (!b->call[number])
		return b->spec->fallback;
	return b->refused[number] ? b->refused[number] : SECCOMP_RET_ALLOW;
}

/* The rules of the listed call that this filter takes, in their order. */
static size_t rules_of(struct build *b, uint32_t number,
		       const struct sbxi_rule **ret_taken)
{
	size_t n_all, n = 0;
	const struct sbxi_rule *all = sbxi_seccomp_rules(&n_all);

	if (!b->call[number] || b->refused[number])
		return 0;
	for (size_t i = 0; i < n_all; i++) {
		if (strcmp(all[i].call, b->call[number]) != 0 ||
		    !is_taken(b, &all[i]))
			continue;
		if (n == MAX_RULES)
			b->out.error = -EINVAL;
		else
			ret_taken[n++] = &all[i];
	}
	return n;
}

/* Write what tries the rules of a call, if it has any with a condition. */
static struct answer put_answer(struct build *b, uint32_t number)
{
	const struct sbxi_rule *taken[MAX_RULES];
	size_t n = rules_of(b, number, taken);
	struct answer a = { .action = plain_answer(b, number) };

	if (n > 0 && n_conds(taken[0]) == 0)
		a.action = taken[0]->action;
	else if (n > 0)
		a.rules = put_rules(b, taken, n, 0,
				    sbxi_bpf_return(&b->out, a.action));
	return a;
}

static void put_answers(struct build *b)
{
	for (uint32_t i = 0; i < MAX_NUMBERS; i++) {
		struct answer a = put_answer(b, i);
		const struct range *last = &b->range[b->n_ranges - 1];

		if (b->n_ranges > 0 && a.rules == 0 &&
		    last->answer.rules == 0 && last->answer.action == a.action)
			continue;
		b->range[b->n_ranges++] = (struct range){ i, a };
	}
}

static sbxi_label place_of(struct build *b, const struct answer *a)
{
	return a->rules ? a->rules : sbxi_bpf_return(&b->out, a->action);
}

/* Is r[1] a single number in the middle of what r[0] answers? */
static bool is_exception(const struct range *r)
{
	return r[0].answer.rules == 0 && r[2].answer.rules == 0 &&
	       r[0].answer.action == r[2].answer.action &&
	       r[2].first == r[1].first + 1;
}

/*
 * A leaf is a range, or one with single numbers as exceptions: a comparison
 * for each, where the tree would need two.
 */
static void find_leaves(struct build *b)
{
	for (size_t i = 0; i < b->n_ranges;) {
		size_t n = 1;

		while (n < LEAF_RANGES && i + n + 1 < b->n_ranges &&
		       is_exception(&b->range[i + n - 1]))
			n += 2;
		b->leaf[b->n_leaves++] = (struct leaf){ &b->range[i], n };
		i += n;
	}
}

static sbxi_label put_leaf(struct build *b, const struct leaf *leaf)
{
	sbxi_label at = place_of(b, &leaf->range->answer);

	for (size_t i = 1; i < leaf->n; i += 2) {
		const struct range *r = &leaf->range[i];

		at = sbxi_bpf_branch(&b->out, BPF_JEQ, r->first,
				     place_of(b, &r->answer), at);
	}
	return at;
}

/* The search among n leaves.  As deep as their number's logarithm. */
static sbxi_label put_tree(struct build *b, const struct leaf *leaf, size_t n)
{
	sbxi_label left, right;
	size_t half = n / 2;

	if (n == 1)
		return put_leaf(b, leaf);
	right = put_tree(b, leaf + half, n - half);
	left = put_tree(b, leaf, half);
	return sbxi_bpf_branch(&b->out, BPF_JGE, leaf[half].range->first,
			       right, left);
}

/* i386, x32 and whatever else: the numbers mean other calls there. */
static void put_start(struct build *b, sbxi_label tree)
{
	struct sbxi_bpf_asm *out = &b->out;
	uint32_t arch = seccomp_arch_native();
	sbxi_label kill = sbxi_bpf_return(out, SECCOMP_RET_KILL_PROCESS);

	if (arch == SCMP_ARCH_X86_64) {
		sbxi_label none = sbxi_bpf_return(out, b->spec->fallback);

		none = sbxi_bpf_branch(out, BPF_JEQ, NO_CALL, none, kill);
		tree = sbxi_bpf_branch(out, BPF_JGE, X32_BIT, none, tree);
	}
	/* A load goes on with what was written last. */
	if (tree != out->count)
		tree = sbxi_bpf_put(out, BPF_JMP | BPF_JA,
				    (uint32_t)(out->count - tree));
	tree = sbxi_bpf_put(out, BPF_LD | BPF_W | BPF_ABS,
			    offsetof(struct seccomp_data, nr));
	(void)sbxi_bpf_branch(out, BPF_JEQ, arch, tree, kill);
	(void)sbxi_bpf_put(out, BPF_LD | BPF_W | BPF_ABS,
			   offsetof(struct seccomp_data, arch));
}

static int copy_out(const struct sbxi_bpf_asm *out, struct sbxi_bpf *ret_bpf)
{
	size_t size = out->count * sizeof(*out->code);
	struct sock_filter *code;

	if (out->error < 0)
		return out->error;
	code = malloc(size);
	if (!code)
		return -ENOMEM;
	memcpy(code, sbxi_bpf_start(out), size);
	*ret_bpf = (struct sbxi_bpf){ .code = code, .count = out->count };
	return 0;
}

int sbxi_seccomp_prepare(enum sbxi_filter which,
			 const struct sbxi_seccomp_opts *opts,
			 struct sbxi_bpf *ret_bpf)
{
	static const struct sbxi_seccomp_opts none;
	AUTO_FREE struct build *b = NULL;
	int rc;

	if (!sbxi_filter_spec(which))
		return -EINVAL;
	b = calloc(1, sizeof(*b));
	if (!b)
		return -ENOMEM;
	b->variant = variant_of(which);
	b->opts = opts ? opts : &none;
	b->spec = sbxi_filter_spec(which);
	rc = list_calls(b);
	if (rc < 0)
		return rc;
	put_answers(b);
	find_leaves(b);
	put_start(b, put_tree(b, b->leaf, b->n_leaves));
	return copy_out(&b->out, ret_bpf);
}

void sbxi_bpf_done(struct sbxi_bpf *bpf)
{
	if (!bpf)
		return;
	free(bpf->code);
	*bpf = (struct sbxi_bpf){ .code = NULL };
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * seccomp: compile the system call filters.
 *
 * libseccomp compiles the architecture check and the search for the number,
 * as a binary tree.  It compares an argument once a rule, has no order among
 * rules and no answer for the rest of one call, all of which the argument
 * tables need.  So a call with rules gets a marker there (RET TRACE and the
 * number of a block), and every marker is then replaced by a jump to that
 * block, made here: the rules in their order, then an answer.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>

#include "base/cleanup.h"
#include "base/kconst.h"
#include "kernel/seccomp.h"
#include "kernel/seccomp_sets.h"

#define MAX_BLOCKS 128u
#define MARKER SECCOMP_RET_TRACE
#define ALL_BITS 0xffffffffu

struct build {
	enum sbxi_filter which;
	const struct sbxi_seccomp_opts *opts;
	scmp_filter_ctx ctx;
	uint32_t fallback;
	size_t start[MAX_BLOCKS];	/* in code, one a block */
	size_t n_blocks;
	size_t count;			/* instructions in code */
	struct sock_filter code[BPF_MAXINSNS];
};

static void build_done(struct build **b)
{
	if (!*b)
		return;
	if ((*b)->ctx)
		seccomp_release((*b)->ctx);
	free(*b);
}

static int emit(struct build *b, struct sock_filter insn)
{
	if (b->count == BPF_MAXINSNS)
		return -EINVAL;
	b->code[b->count++] = insn;
	return 0;
}

static struct sock_filter load_of(const struct sbxi_cond *c)
{
	uint32_t lower = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0 : 4;
	uint32_t at = (uint32_t)offsetof(struct seccomp_data, args) +
		      8u * c->arg + (c->upper ? 4 - lower : lower);

	return (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at);
}

static size_t cond_size(const struct sbxi_cond *c)
{
	return c->mask == ALL_BITS ? 2 : 3;
}

static size_t n_conds(const struct sbxi_rule *r)
{
	size_t n = 0;

	while (n < SBXI_RULE_CONDS && r->cond[n].mask != 0)
		n++;
	return n;
}

/* miss: how many instructions to jump over when it does not hold. */
static int emit_cond(struct build *b, const struct sbxi_cond *c, size_t miss)
{
	bool equal = c->op == SBXI_COND_EQUAL;
	uint8_t over = (uint8_t)miss;
	struct sock_filter mask = BPF_STMT(BPF_ALU | BPF_AND | BPF_K, c->mask);
	struct sock_filter test =
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, c->value,
			 (uint8_t)(equal ? 0 : over),
			 (uint8_t)(equal ? over : 0));
	int rc = emit(b, load_of(c));

	if (rc == 0 && c->mask != ALL_BITS)
		rc = emit(b, mask);
	return rc == 0 ? emit(b, test) : rc;
}

static int emit_return(struct build *b, uint32_t action)
{
	struct sock_filter ret = BPF_STMT(BPF_RET | BPF_K, action);

	return emit(b, ret);
}

static int emit_rule(struct build *b, const struct sbxi_rule *r)
{
	size_t n = n_conds(r), left = 1;
	int rc = 0;

	for (size_t i = 0; i < n; i++)
		left += cond_size(&r->cond[i]);
	for (size_t i = 0; i < n && rc == 0; i++) {
		left -= cond_size(&r->cond[i]);
		rc = emit_cond(b, &r->cond[i], left);
	}
	return rc == 0 ? emit_return(b, r->action) : rc;
}

static bool is_taken(const struct build *b, const struct sbxi_rule *r)
{
	if (!(r->on & 1u << b->which))
		return false;
	switch (r->unless) {
	case SBXI_UNLESS_ABI_3:
		return b->opts->landlock_abi < 3;
	case SBXI_UNLESS_ABI_6:
		return b->opts->landlock_abi < 6;
	case SBXI_UNLESS_ABI_9:
		return b->opts->landlock_abi < 9;
	case SBXI_UNLESS_MEMFD_NOEXEC:
		return !b->opts->memfd_noexec;
	case SBXI_UNLESS_NEVER:
		break;
	}
	return true;
}

/*
 * Make the block of a call, if it has rules with conditions.  ret_action is
 * then the block's marker, else the one answer that the call always gets.
 */
static int make_block(struct build *b, const char *call, uint32_t *ret_action)
{
	size_t n, start = b->count;
	const struct sbxi_rule *r = sbxi_seccomp_rules(&n);
	uint32_t rest = SECCOMP_RET_ALLOW;
	int rc = 0;

	for (size_t i = 0; i < n && rc == 0; i++) {
		if (strcmp(r[i].call, call) != 0 || !is_taken(b, &r[i]))
			continue;
		if (n_conds(&r[i]) == 0) {
			rest = r[i].action;
			break;
		}
		rc = emit_rule(b, &r[i]);
	}
	*ret_action = rest;
	if (rc < 0 || b->count == start)
		return rc;
	if (b->n_blocks == MAX_BLOCKS)
		return -EINVAL;
	*ret_action = MARKER | (uint32_t)b->n_blocks;
	b->start[b->n_blocks++] = start;
	return emit_return(b, rest);
}

static int add_call(struct build *b, const char *call, uint32_t action)
{
	int number = sbxi_syscall_number(call);
	int rc;

	/* libseccomp takes no rule that says the same as its default. */
	if (number < 0 || action == b->fallback)
		return 0;
	rc = seccomp_rule_add(b->ctx, action, number, 0);
	return rc == 0 || rc == -ENOMEM ? rc : -EINVAL;
}

static int add_refused(struct build *b, const struct sbxi_syscall_set *set)
{
	int rc = 0;

	for (size_t i = 0; set->calls[i] && rc == 0; i++)
		rc = add_call(b, set->calls[i], SECCOMP_RET_ERRNO | EPERM);
	return rc;
}

static int add_allowed(struct build *b, const struct sbxi_syscall_set *set)
{
	uint32_t action;
	int rc = 0;

	for (size_t i = 0; set->calls[i] && rc == 0; i++) {
		rc = make_block(b, set->calls[i], &action);
		if (rc == 0)
			rc = add_call(b, set->calls[i], action);
	}
	return rc;
}

static int add_sets(struct build *b, const struct sbxi_filter_spec *spec)
{
	int rc = 0;

	b->fallback = spec->fallback;
	b->ctx = seccomp_init(spec->fallback);
	if (!b->ctx)
		return -ENOMEM;
	/* i386, x32 and whatever else: the numbers mean other calls there. */
	if (seccomp_attr_set(b->ctx, SCMP_FLTATR_ACT_BADARCH,
			     SCMP_ACT_KILL_PROCESS) < 0 ||
	    seccomp_attr_set(b->ctx, SCMP_FLTATR_CTL_OPTIMIZE, 2) < 0)
		return -EINVAL;
	for (size_t i = 0; i < spec->n_sets && rc == 0; i++)
		rc = add_allowed(b, &spec->sets[i]);
	for (size_t i = 0; i < spec->n_refused && rc == 0; i++)
		rc = add_refused(b, &spec->refused[i]);
	return rc;
}

/* A memfd, because libseccomp writes a program only to a descriptor. */
static int export_tree(const struct build *b, int *ret_fd)
{
	AUTO_FD fd = memfd_create("filter", SBXI_MFD_CLOEXEC |
						    SBXI_MFD_NOEXEC_SEAL);

	if (fd < 0 && errno == EINVAL)	/* before 6.3 */
		fd = memfd_create("filter", SBXI_MFD_CLOEXEC);
	if (fd < 0)
		return -ENOMEM;
	if (seccomp_export_bpf(b->ctx, fd) < 0)
		return -ENOMEM;
	*ret_fd = sbxi_steal_fd(&fd);
	return 0;
}

static int read_all(int fd, void *buf, size_t size)
{
	char *at = buf;

	for (size_t done = 0; done < size;) {
		ssize_t n = pread(fd, at + done, size - done, (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -EINVAL;
		done += (size_t)n;
	}
	return 0;
}

/* Turn the markers of the first n_tree instructions into jumps. */
static int link_blocks(const struct build *b, struct sock_filter *code,
		       size_t n_tree)
{
	for (size_t i = 0; i < n_tree; i++) {
		size_t block = code[i].k & SECCOMP_RET_DATA;
		struct sock_filter jump = BPF_STMT(BPF_JMP | BPF_JA, 0);

		if (code[i].code != (BPF_RET | BPF_K) ||
		    (code[i].k & SECCOMP_RET_ACTION_FULL) != MARKER)
			continue;
		if (block >= b->n_blocks)
			return -EINVAL;
		jump.k = (uint32_t)(n_tree + b->start[block] - i - 1);
		code[i] = jump;
	}
	return 0;
}

static int assemble(const struct build *b, struct sbxi_bpf *ret_bpf)
{
	AUTO_FREE struct sock_filter *code = NULL;
	AUTO_FD fd = -1;
	size_t n_tree, count;
	off_t size;
	int rc = export_tree(b, &fd);

	if (rc < 0)
		return rc;
	size = lseek(fd, 0, SEEK_END);
	if (size <= 0 || (size_t)size % sizeof(*code) != 0)
		return -EINVAL;
	n_tree = (size_t)size / sizeof(*code);
	count = n_tree + b->count;
	if (count > BPF_MAXINSNS)
		return -EINVAL;
	code = malloc(count * sizeof(*code));
	if (!code)
		return -ENOMEM;
	rc = read_all(fd, code, (size_t)size);
	if (rc == 0)
		rc = link_blocks(b, code, n_tree);
	if (rc < 0)
		return rc;
	memcpy(code + n_tree, b->code, b->count * sizeof(*code));
	*ret_bpf = (struct sbxi_bpf){ .code = code, .count = count };
	code = NULL;
	return 0;
}

int sbxi_seccomp_prepare(enum sbxi_filter which,
			 const struct sbxi_seccomp_opts *opts,
			 struct sbxi_bpf *ret_bpf)
{
	static const struct sbxi_seccomp_opts none;
	const struct sbxi_filter_spec *spec = sbxi_filter_spec(which);
	__attribute__((cleanup(build_done))) struct build *b = NULL;
	int rc;

	if (!spec)
		return -EINVAL;
	b = calloc(1, sizeof(*b));
	if (!b)
		return -ENOMEM;
	b->which = which;
	b->opts = opts ? opts : &none;
	rc = add_sets(b, spec);
	return rc < 0 ? rc : assemble(b, ret_bpf);
}

void sbxi_bpf_done(struct sbxi_bpf *bpf)
{
	if (!bpf)
		return;
	free(bpf->code);
	*bpf = (struct sbxi_bpf){ .code = NULL };
}

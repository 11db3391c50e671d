/* SPDX-License-Identifier: Apache-2.0 */
/* seccomp_sets: the tables that the system call filters are made from. */
#ifndef SBXI_KERNEL_SECCOMP_SETS_H
#define SBXI_KERNEL_SECCOMP_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/seccomp.h"

/* Which filters a rule is for. */
enum {
	SBXI_ON_A = 1 << SBXI_FILTER_TASK_A,
	SBXI_ON_B = 1 << SBXI_FILTER_TASK_B,
	SBXI_ON_TASK = SBXI_ON_A | SBXI_ON_B,
	SBXI_ON_CONNECTED = 1 << SBXI_FILTER_CONNECTED,
	SBXI_ON_SUPERVISOR = 1 << SBXI_FILTER_SUPERVISOR,
	SBXI_ON_READER = 1 << SBXI_FILTER_READER
};

/* What else must be so for a rule to be taken. */
enum sbxi_rule_unless {
	SBXI_UNLESS_NEVER = 0,		/* always taken */
	SBXI_UNLESS_ABI_3,		/* Landlock judges truncation */
	SBXI_UNLESS_ABI_6,		/* Landlock judges signals */
	SBXI_UNLESS_ABI_6_HEARD,	/* it does, or the supervisor does not listen */
	SBXI_UNLESS_ABI_9,		/* Landlock or the supervisor judges unix socket paths */
	SBXI_UNLESS_UNHEARD,		/* the supervisor does not listen */
	SBXI_UNLESS_UNHEARD_FILES,	/* it does not for calls on files */
	SBXI_UNLESS_MEMFD_NOEXEC	/* the kernel executes no memfd */
};

enum sbxi_cond_op {
	SBXI_COND_EQUAL = 0,	/* (half & mask) == value */
	SBXI_COND_DIFFERS	/* (half & mask) != value */
};

/*
 * One comparison of one half of an argument; a mask of 0 ends the list.  The
 * kernel reads flags, modes, commands and ids as 32-bit numbers, so the lower
 * half is all that counts.  Only a pointer needs the upper half as well.
 */
struct sbxi_cond {
	uint8_t arg;		/* 0 to 5 */
	bool upper;		/* compare bits 32 to 63 */
	enum sbxi_cond_op op;
	uint32_t mask, value;
};

#define SBXI_RULE_CONDS 3

/*
 * The rules of a call are tried in the order of the table; the first whose
 * conditions all hold decides.  If none does, the call is allowed.
 */
struct sbxi_rule {
	const char *call;
	uint32_t on;			/* SBXI_ON_... */
	enum sbxi_rule_unless unless;
	uint32_t action;		/* SECCOMP_RET_... */
	struct sbxi_cond cond[SBXI_RULE_CONDS];
};
const struct sbxi_rule *sbxi_seccomp_rules(size_t *ret_n);

/* What one filter consists of besides its rules. */
struct sbxi_filter_spec {
	uint32_t fallback;	/* for a call that is in no set */
	const struct sbxi_syscall_set *sets;
	size_t n_sets;
	const struct sbxi_syscall_set *more;	/* allowed as well */
	size_t n_more;
	const struct sbxi_syscall_set *refused;	/* answered with EPERM */
	size_t n_refused;
	const char *quiet;	/* the set of these that is refused without asking: a canary tries it */
};
const struct sbxi_filter_spec *sbxi_filter_spec(enum sbxi_filter which);

/* The number of a call on this architecture, or -1 where it has none. */
int sbxi_syscall_number(const char *name);

/* The name of a call that a task may make or is refused; "" for others. */
const char *sbxi_syscall_name(int number);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* filter: one BPF program a set, so that options combine by the kernel's rules. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "filter.h"

#if defined(__x86_64__)
#define NATIVE_ARCH AUDIT_ARCH_X86_64
#define FOREIGN_BIT 0x40000000u	/* x32 */
#elif defined(__aarch64__)
#define NATIVE_ARCH AUDIT_ARCH_AARCH64
#define FOREIGN_BIT 0u
#else
#error "degrade does not know the audit architecture of this machine"
#endif

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LOW_WORD 0
#else
#define LOW_WORD 4
#endif

#define MAX_INSNS 512
#define INSNS_PER_RULE 5

struct program {
	struct sock_filter insn[MAX_INSNS];
	unsigned short count;
};

static void emit(struct program *p, uint16_t code, uint8_t yes, uint8_t no,
		 uint32_t k)
{
	p->insn[p->count++] = (struct sock_filter){
		.code = code,
		.jt = yes,
		.jf = no,
		.k = k,
	};
}

static void emit_load(struct program *p, size_t offset)
{
	emit(p, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset);
}

static void emit_return(struct program *p, uint32_t action)
{
	emit(p, BPF_RET | BPF_K, 0, 0, action);
}

/* Other architectures number their calls differently: they get none. */
static void emit_arch_check(struct program *p)
{
	emit_load(p, offsetof(struct seccomp_data, arch));
	emit(p, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, NATIVE_ARCH);
	emit_return(p, SECCOMP_RET_ERRNO | ENOSYS);
	emit_load(p, offsetof(struct seccomp_data, nr));
	emit(p, BPF_JMP | BPF_JSET | BPF_K, 0, 1, FOREIGN_BIT);
	emit_return(p, SECCOMP_RET_ERRNO | ENOSYS);
}

static uint32_t action_of(const struct rule *r, int chosen_errno)
{
	switch (r->act) {
	case ACT_CHOSEN:
		return SECCOMP_RET_ERRNO | (uint32_t)chosen_errno;
	case ACT_TRACE:
		return SECCOMP_RET_TRACE;
	case ACT_ALLOW:
		return SECCOMP_RET_ALLOW;
	case ACT_NOTIFY:
		return SECCOMP_RET_USER_NOTIF;
	default:
		return SECCOMP_RET_ERRNO | (uint32_t)r->act;
	}
}

static void emit_condition(struct program *p, const struct rule *r)
{
	emit_load(p, offsetof(struct seccomp_data, args) + 8 * r->arg +
			     LOW_WORD);
	if (r->when == EQUAL)
		emit(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, r->value);
	else if (r->when == ANY_BIT)
		emit(p, BPF_JMP | BPF_JSET | BPF_K, 0, 1, r->value);
	else
		emit(p, BPF_JMP | BPF_JSET | BPF_K, 1, 0, r->value);
}

static void emit_rule(struct program *p, const struct rule *r, int chosen)
{
	uint8_t skip = r->when == ALWAYS ? 1 : 3;

	/* The condition of the rule before has overwritten the number. */
	emit_load(p, offsetof(struct seccomp_data, nr));
	emit(p, BPF_JMP | BPF_JEQ | BPF_K, 0, skip, (uint32_t)r->nr);
	if (r->when != ALWAYS)
		emit_condition(p, r);
	emit_return(p, action_of(r, chosen));
}

int filter_load(const struct rule *rules, int chosen_errno, unsigned int flags)
{
	struct program p = { .count = 0 };
	struct sock_fprog prog = { .filter = p.insn };
	long rc;

	emit_arch_check(&p);
	for (; rules->nr >= 0; rules++) {
		if (p.count + INSNS_PER_RULE + 1 > MAX_INSNS)
			return -E2BIG;
		emit_rule(&p, rules, chosen_errno);
	}
	emit_return(&p, SECCOMP_RET_ALLOW);
	prog.len = p.count;
	rc = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &prog);
	return rc < 0 ? -errno : (int)rc;
}

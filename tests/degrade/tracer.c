/* SPDX-License-Identifier: Apache-2.0 */
/* tracer: an older Landlock, and clone3 judged by its flags. */
#include <errno.h>
#include <linux/sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tracer.h"

#define CREATE_VERSION 1u
#define CREATE_ERRATA 2u	/* with ABI 7 */
#define RULE_NET_PORT 2u	/* with ABI 4 */
#define FIRST_ABI_NET 4
#define FIRST_ABI_RESTRICT_FLAGS 7
#define PAGE 4096u
#define WORDS 3

/* What each ABI knows: the three words of the attribute, and its size. */
static const struct {
	uint64_t known[WORDS];	/* fs, net, scope */
	uint64_t size;
} abi_table[] = {
	[1] = { { 0x1fff, 0, 0 }, 8 },	[2] = { { 0x3fff, 0, 0 }, 8 },
	[3] = { { 0x7fff, 0, 0 }, 8 },	[4] = { { 0x7fff, 3, 0 }, 16 },
	[5] = { { 0xffff, 3, 0 }, 16 },	[6] = { { 0xffff, 3, 3 }, 24 },
	[7] = { { 0xffff, 3, 3 }, 24 },	[8] = { { 0xffff, 3, 3 }, 24 },
};
#define LAST_ABI ((int)(sizeof(abi_table) / sizeof(*abi_table)) - 1)

const struct rule landlock_abi_rules[] = {
	{ .nr = SYS_landlock_create_ruleset, .act = ACT_TRACE },
	{ .nr = SYS_landlock_add_rule, .act = ACT_TRACE, .when = EQUAL,
	  .arg = 1, .value = RULE_NET_PORT },
	{ .nr = SYS_landlock_restrict_self, .act = ACT_TRACE,
	  .when = ANY_BIT, .arg = 1, .value = UINT32_MAX },
	{ .nr = -1 },
};

int tracer_host_abi(void)
{
	long rc = syscall(SYS_landlock_create_ruleset, NULL, 0,
			  CREATE_VERSION);

	if (rc < 0)
		return 0;
	return rc > LAST_ABI ? LAST_ABI : (int)rc;
}

/*
 * PEEK works on whatever the tracer may read; a process that is not dumpable
 * hides its memory from a tracer without CAP_SYS_PTRACE.
 */
static int peek(pid_t pid, uint64_t addr, uint64_t *ret)
{
	long word;

	errno = 0;
	word = ptrace(PTRACE_PEEKDATA, pid, (void *)(uintptr_t)addr, NULL);
	if (errno)
		return -errno;
	*ret = (uint64_t)word;
	return 0;
}

/* Word i of an attribute, zero past its end. */
static int attr_word(pid_t pid, uint64_t addr, uint64_t size, uint64_t i,
		     uint64_t *ret)
{
	uint64_t left = size - i * 8;
	int rc;

	*ret = 0;
	if (i * 8 >= size)
		return 0;
	rc = peek(pid, addr + i * 8, ret);
	if (rc == 0 && left < 8)
		*ret &= (1ull << (left * 8)) - 1;
	return rc;
}

/*
 * Returns what the older kernel would have answered: a negative errno, a
 * positive number, or 0 for "let the kernel do it".  What cannot be read is
 * the kernel's to refuse.
 */
static long judge_create(const struct tracer *t, pid_t pid,
			 const uint64_t *arg)
{
	const uint64_t *known = abi_table[t->landlock_abi].known;
	uint64_t own_size = abi_table[t->landlock_abi].size, word;

	if (arg[2] == CREATE_VERSION)
		return !arg[0] && !arg[1] ? t->landlock_abi : 0;
	if (arg[2])
		return arg[2] == CREATE_ERRATA && t->landlock_abi >= 7 ?
			       0 : -EINVAL;
	if (arg[1] < 8 || arg[1] > PAGE)
		return 0;
	for (uint64_t i = own_size / 8; i * 8 < arg[1]; i++) {
		if (attr_word(pid, arg[0], arg[1], i, &word) < 0)
			return 0;
		if (word)
			return -E2BIG;
	}
	for (uint64_t i = 0; i < own_size / 8; i++) {
		if (attr_word(pid, arg[0], arg[1], i, &word) < 0)
			return 0;
		if (word & ~known[i])
			return -EINVAL;
	}
	return 0;
}

static long judge_clone3(const struct tracer *t, pid_t pid,
			 const uint64_t *arg)
{
	uint64_t flags = 0;

	if (peek(pid, arg[0] + offsetof(struct clone_args, flags), &flags) < 0)
		return 0;
	return flags & CLONE_NEWUSER ? -t->userns_errno : 0;
}

static uint32_t restrict_flags(int abi)
{
	if (abi < FIRST_ABI_RESTRICT_FLAGS)
		return 0;
	return abi == FIRST_ABI_RESTRICT_FLAGS ? 0x7 : 0xf;
}

static long judge(const struct tracer *t, pid_t pid, uint64_t nr,
		  const uint64_t *arg)
{
	if (nr == SYS_clone3 && t->clone3)
		return judge_clone3(t, pid, arg);
	if (!t->landlock_abi)
		return 0;
	if (nr == SYS_landlock_create_ruleset)
		return judge_create(t, pid, arg);
	if (nr == SYS_landlock_add_rule)
		return t->landlock_abi < FIRST_ABI_NET ? -EINVAL : 0;
	if (nr == SYS_landlock_restrict_self)
		return (uint32_t)arg[1] & ~restrict_flags(t->landlock_abi) ?
			       -EINVAL : 0;
	return 0;
}

#if defined(__x86_64__)
static void serve(const struct tracer *t, pid_t pid)
{
	struct user_regs_struct regs;
	long answer;

	if (ptrace(PTRACE_GETREGS, pid, NULL, &regs) < 0)
		return;
	answer = judge(t, pid, regs.orig_rax,
		       (uint64_t[]){ regs.rdi, regs.rsi, regs.rdx });
	if (!answer)
		return;
	/* Number -1 skips the call; the result register stays as it is. */
	regs.orig_rax = (unsigned long long)-1;
	regs.rax = (unsigned long long)answer;
	(void)ptrace(PTRACE_SETREGS, pid, NULL, &regs);
}

int tracer_attach(pid_t child)
{
	long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK |
		       PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
		       PTRACE_O_EXITKILL;

	if (ptrace(PTRACE_SEIZE, child, NULL, (void *)options) == 0)
		return 0;
	return -errno;
}
#else
static void serve(const struct tracer *t, pid_t pid)
{
	(void)judge(t, pid, 0, (uint64_t[]){ 0, 0, 0 });
}

/* Registers are read and written by hand, which is done for x86-64 only. */
int tracer_attach(pid_t child)
{
	(void)child;
	return -EOPNOTSUPP;
}
#endif

/* One stop of one traced thread. */
static void go_on(const struct tracer *t, pid_t pid, int st)
{
	int event = st >> 16, sig = WSTOPSIG(st);

	if (event == PTRACE_EVENT_STOP && sig != SIGTRAP) {
		/* A real job control stop: it lasts until SIGCONT. */
		(void)ptrace(PTRACE_LISTEN, pid, NULL, NULL);
		return;
	}
	if (event == PTRACE_EVENT_SECCOMP)
		serve(t, pid);
	(void)ptrace(PTRACE_CONT, pid, NULL,
		     (void *)(long)(event ? 0 : sig));
}

int tracer_run(const struct tracer *t, pid_t child)
{
	int st;

	for (;;) {
		pid_t pid = waitpid(-1, &st, __WALL);

		if (pid < 0) {
			if (errno == EINTR)
				continue;
			return 99;
		}
		if (WIFSTOPPED(st))
			go_on(t, pid, st);
		else if (pid == child)
			return WIFEXITED(st) ? WEXITSTATUS(st) :
					       128 + WTERMSIG(st);
	}
}

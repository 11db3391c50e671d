/* SPDX-License-Identifier: Apache-2.0 */
/* The compiled filters as programs: shape, numbers, architectures, tables. */

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include <criterion/criterion.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "base/cleanup.h"
#include "kernel/seccomp.h"
#include "kernel/seccomp_sets.h"

#include "bpf_vm.h"

#define NUMBERS 600
#define X32 0x40000000
#define GARBAGE 0xdeadbeef00000000ull
#define ERR(e) (SECCOMP_RET_ERRNO | (e))

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#define OTHER AUDIT_ARCH_AARCH64
#else
#define NATIVE AUDIT_ARCH_AARCH64
#define OTHER AUDIT_ARCH_X86_64
#endif

struct variant {
	enum sbxi_filter which;
	struct sbxi_seccomp_opts opts;
	struct sbxi_bpf bpf;
};

static struct variant *variants;
static size_t n_variants;

static void add_variant(enum sbxi_filter which, uint32_t abi, uint32_t memfd)
{
	struct variant *v = &variants[n_variants++];

	v->which = which;
	v->opts.landlock_abi = abi;
	v->opts.memfd_noexec = memfd;
	cr_assert_eq(sbxi_seccomp_prepare(which, &v->opts, &v->bpf), 0);
}

static void compile_all(void)
{
	static const uint32_t abi[] = { 0, 2, 3, 5, 6, 8, 9, 10 };

	variants = calloc(8 * SBXI_COUNT(abi) + 5, sizeof(*variants));
	cr_assert_not_null(variants);
	for (size_t i = 0; i < SBXI_COUNT(abi); i++)
		for (uint32_t memfd = 0; memfd < 2; memfd++) {
			add_variant(SBXI_FILTER_TASK_A, abi[i], memfd);
			add_variant(SBXI_FILTER_TASK_B, abi[i], memfd);
		}
	for (size_t i = 0; i < SBXI_COUNT(abi); i++) {
		add_variant(SBXI_FILTER_TASK_A_ASKS, abi[i], 0);
		add_variant(SBXI_FILTER_TASK_B_ASKS, abi[i], 0);
		add_variant(SBXI_FILTER_TASK_A_FILES, abi[i], 0);
		add_variant(SBXI_FILTER_TASK_B_FILES, abi[i], 0);
	}
	add_variant(SBXI_FILTER_READER, 0, 0);
	add_variant(SBXI_FILTER_CONNECTED, 0, 0);
	add_variant(SBXI_FILTER_CONNECTED_ASKS, 0, 0);
	add_variant(SBXI_FILTER_SUPERVISOR, 0, 0);
	add_variant(SBXI_FILTER_SUPERVISOR_ACTS, 0, 0);
}

/* Whose rules a filter has, and what it asks the supervisor about. */
static enum sbxi_filter base_of(enum sbxi_filter which)
{
	switch ((int)which) {
	case SBXI_FILTER_TASK_A_ASKS:
	case SBXI_FILTER_TASK_A_FILES:
		return SBXI_FILTER_TASK_A;
	case SBXI_FILTER_TASK_B_ASKS:
	case SBXI_FILTER_TASK_B_FILES:
		return SBXI_FILTER_TASK_B;
	case SBXI_FILTER_CONNECTED_ASKS:
		return SBXI_FILTER_CONNECTED;
	case SBXI_FILTER_SUPERVISOR_ACTS:
		return SBXI_FILTER_SUPERVISOR;
	default:
		return which;
	}
}

static bool asks(enum sbxi_filter which)
{
	return base_of(which) != which;
}

static bool asks_about_files(enum sbxi_filter which)
{
	return which == SBXI_FILTER_TASK_A_FILES ||
	       which == SBXI_FILTER_TASK_B_FILES ||
	       which == SBXI_FILTER_SUPERVISOR_ACTS;
}

static void free_all(void)
{
	while (n_variants > 0)
		sbxi_bpf_done(&variants[--n_variants].bpf);
	free(variants);
}

static uint32_t answer(const struct variant *v, uint32_t arch, int number,
		       const uint64_t args[6])
{
	struct seccomp_data data = { .nr = number, .arch = arch };

	memcpy(data.args, args, sizeof(data.args));
	return bpf_vm_run(v->bpf.code, &data);
}

static bool lists(const struct sbxi_syscall_set *sets, size_t n,
		  const char *call)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; sets[i].calls[k]; k++)
			if (strcmp(sets[i].calls[k], call) == 0)
				return true;
	return false;
}

static bool is_taken(const struct variant *v, const struct sbxi_rule *r)
{
	switch (r->unless) {
	case SBXI_UNLESS_ABI_3:
		return v->opts.landlock_abi < 3;
	case SBXI_UNLESS_ABI_6:
		return v->opts.landlock_abi < 6;
	case SBXI_UNLESS_ABI_6_HEARD:
		return v->opts.landlock_abi < 6 && asks_about_files(v->which);
	case SBXI_UNLESS_ABI_9:
		return v->opts.landlock_abi < 9 && !asks(v->which);
	case SBXI_UNLESS_UNHEARD:
		return asks(v->which);
	case SBXI_UNLESS_UNHEARD_FILES:
		return asks_about_files(v->which);
	case SBXI_UNLESS_MEMFD_NOEXEC:
		return v->opts.memfd_noexec == 0;
	case SBXI_UNLESS_NEVER:
		break;
	}
	return true;
}

static bool rule_holds(const struct sbxi_rule *r, const uint64_t args[6])
{
	for (size_t i = 0; i < SBXI_RULE_CONDS && r->cond[i].mask; i++) {
		const struct sbxi_cond *c = &r->cond[i];
		uint64_t arg = args[c->arg];
		uint32_t half = (uint32_t)(c->upper ? arg >> 32 : arg);
		bool equal = (half & c->mask) == c->value;

		if (equal != (c->op == SBXI_COND_EQUAL))
			return false;
	}
	return true;
}

/* The tables read one by one, as their comment says they mean. */
static uint32_t reference(const struct variant *v, const char *call,
			  const uint64_t args[6])
{
	size_t n;
	const struct sbxi_rule *r = sbxi_seccomp_rules(&n);

	for (size_t i = 0; i < n; i++)
		if (strcmp(r[i].call, call) == 0 &&
		    (r[i].on & 1u << base_of(v->which)) && is_taken(v, &r[i]) &&
		    rule_holds(&r[i], args))
			return r[i].action;
	return SECCOMP_RET_ALLOW;
}

TestSuite(seccomp, .init = compile_all, .fini = free_all, .timeout = 60);

Test(seccomp, every_filter_is_one_that_the_kernel_would_load)
{
	size_t bad;

	for (size_t i = 0; i < n_variants; i++) {
		const struct variant *v = &variants[i];

		cr_expect_eq(bpf_vm_check(v->bpf.code, v->bpf.count, &bad), 0,
			     "variant %zu: instruction %zu", i, bad);
		cr_expect_lt(v->bpf.count, 4096u);
		printf("# filter %d, Landlock ABI %u, memfd_noexec %u: "
		       "%zu instructions\n", (int)v->which,
		       v->opts.landlock_abi, v->opts.memfd_noexec,
		       v->bpf.count);
	}
	fflush(stdout);
}

Test(seccomp, no_marker_is_left_for_a_tracer_to_answer)
{
	for (size_t i = 0; i < n_variants; i++)
		for (size_t k = 0; k < variants[i].bpf.count; k++) {
			struct sock_filter insn = variants[i].bpf.code[k];

			if (insn.code != (BPF_RET | BPF_K))
				continue;
			insn.k &= SECCOMP_RET_ACTION_FULL;
			cr_expect(insn.k == SECCOMP_RET_ALLOW ||
				  insn.k == SECCOMP_RET_ERRNO ||
				  insn.k == SECCOMP_RET_KILL_PROCESS ||
				  (insn.k == SECCOMP_RET_USER_NOTIF &&
				   asks(variants[i].which)));
		}
}

Test(seccomp, every_number_of_another_architecture_kills)
{
	static const uint32_t arch[] = { AUDIT_ARCH_I386, OTHER,
					 AUDIT_ARCH_ARM, 0 };
	static const uint64_t args[6];

	for (size_t i = 0; i < n_variants; i++)
		for (int number = 0; number <= NUMBERS; number++)
			for (size_t k = 0; k < SBXI_COUNT(arch); k++)
				cr_assert_eq(answer(&variants[i], arch[k],
						    number, args),
					     SECCOMP_RET_KILL_PROCESS);
	/* The twin: the same number, natively. */
	cr_expect_eq(answer(&variants[0], NATIVE, SYS_read, args),
		     SECCOMP_RET_ALLOW);
}

#if defined(__x86_64__)
Test(seccomp, every_x32_number_kills)
{
	static const uint64_t args[6];

	for (size_t i = 0; i < n_variants; i++)
		for (int number = 0; number <= NUMBERS; number++)
			cr_assert_eq(answer(&variants[i], NATIVE,
					    X32 | number, args),
				     SECCOMP_RET_KILL_PROCESS);
}
#endif

/* What a number gets whose call has no rule; -1 where a rule decides. */
static int64_t listed_answer(const struct variant *v, const char *call)
{
	const struct sbxi_filter_spec *spec = sbxi_filter_spec(v->which);
	size_t n;
	const struct sbxi_rule *r = sbxi_seccomp_rules(&n);

	for (size_t i = 0; i < spec->n_refused; i++)
		if (lists(&spec->refused[i], 1, call))
			return asks_about_files(v->which) &&
					       strcmp(spec->refused[i].name,
						      spec->quiet) != 0
				       ? SECCOMP_RET_USER_NOTIF
				       : ERR(EPERM);
	if (!lists(spec->sets, spec->n_sets, call) &&
	    !lists(spec->more, spec->n_more, call))
		return spec->fallback;
	for (size_t i = 0; i < n; i++)
		if (strcmp(r[i].call, call) == 0 && (r[i].on & 1u << base_of(v->which)))
			return -1;
	return SECCOMP_RET_ALLOW;
}

static void fill_expected(const struct variant *v,
			  const struct sbxi_syscall_set *sets, size_t n,
			  int64_t want[NUMBERS + 1])
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; sets[i].calls[k]; k++) {
			int nr = sbxi_syscall_number(sets[i].calls[k]);

			if (nr >= 0 && nr <= NUMBERS)
				want[nr] = listed_answer(v, sets[i].calls[k]);
		}
}

Test(seccomp, every_native_number_gets_what_the_sets_say)
{
	static const uint64_t args[2][6] = {
		{ 0 },
		{ GARBAGE, GARBAGE, GARBAGE, GARBAGE, GARBAGE, GARBAGE },
	};
	int64_t want[NUMBERS + 1];

	for (size_t i = 0; i < n_variants; i++) {
		const struct variant *v = &variants[i];
		const struct sbxi_filter_spec *s = sbxi_filter_spec(v->which);

		for (int nr = 0; nr <= NUMBERS; nr++)
			want[nr] = s->fallback;
		fill_expected(v, s->sets, s->n_sets, want);
		fill_expected(v, s->more, s->n_more, want);
		fill_expected(v, s->refused, s->n_refused, want);
		for (int nr = 0; nr <= NUMBERS; nr++)
			for (int k = 0; k < 2 && want[nr] >= 0; k++)
				cr_assert_eq(answer(v, NATIVE, nr, args[k]),
					     (uint32_t)want[nr],
					     "variant %zu, call %d", i, nr);
		cr_expect_eq(answer(v, NATIVE, -1, args[0]), s->fallback);
	}
}

/* Numbers that some rule of the call names, and their neighbours. */
static uint64_t interesting(unsigned int *seed, const struct sbxi_rule *r,
			    size_t n, const char *call, uint8_t arg)
{
	uint64_t upper = rand_r(seed) % 2 ? GARBAGE : 0;
	size_t from = (size_t)rand_r(seed) % n;

	for (size_t i = 0; i < n; i++) {
		const struct sbxi_rule *at = &r[(from + i) % n];
		size_t k = (size_t)rand_r(seed) % SBXI_RULE_CONDS;
		const struct sbxi_cond *c = &at->cond[k];

		if (strcmp(at->call, call) != 0 || c->mask == 0 ||
		    c->arg != arg)
			continue;
		switch (rand_r(seed) % 4) {
		case 0:
			return upper | c->value;
		case 1:
			return upper | (c->mask & (uint32_t)rand_r(seed));
		case 2:
			return upper | (uint32_t)(c->value + 1);
		default:
			return upper | (uint32_t)(c->value | c->mask);
		}
	}
	return upper | (uint64_t)(rand_r(seed) % 8);
}

/* A variant may lack a call that another one of its rules has. */
static bool is_listed(const struct variant *v, const char *call)
{
	const struct sbxi_filter_spec *s = sbxi_filter_spec(v->which);

	return lists(s->sets, s->n_sets, call) ||
	       lists(s->more, s->n_more, call);
}

Test(seccomp, compiled_rules_say_what_the_table_says)
{
	unsigned int seed = 1;
	uint64_t args[6];
	size_t n;
	const struct sbxi_rule *r = sbxi_seccomp_rules(&n);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n_variants; k++) {
			const struct variant *v = &variants[k];
			int nr = sbxi_syscall_number(r[i].call);

			if (!(r[i].on & 1u << base_of(v->which)) || nr < 0 ||
			    !is_listed(v, r[i].call))
				continue;
			for (int round = 0; round < 24; round++) {
				for (uint8_t a = 0; a < 6; a++)
					args[a] = interesting(&seed, r, n,
							      r[i].call, a);
				cr_assert_eq(answer(v, NATIVE, nr, args),
					     reference(v, r[i].call, args),
					     "%s in variant %zu", r[i].call, k);
			}
		}
}

Test(seccomp, an_unknown_filter_is_refused_and_nothing_is_written)
{
	struct sbxi_bpf bpf = { .code = NULL, .count = 77 };

	cr_expect_eq(sbxi_seccomp_prepare(SBXI_N_FILTERS, NULL, &bpf),
		     -EINVAL);
	cr_expect_eq(bpf.count, 77u);
	cr_expect_null(bpf.code);
}

Test(seccomp, options_may_be_left_out_and_then_close_most)
{
	struct sbxi_bpf bpf = { .code = NULL };
	struct variant v = { .which = SBXI_FILTER_TASK_B };
	static const uint64_t one[6] = { 1, 1 };

	cr_assert_eq(sbxi_seccomp_prepare(v.which, NULL, &bpf), 0);
	v.bpf = bpf;
	cr_expect_eq(answer(&v, NATIVE, SYS_kill, one), ERR(EPERM));
	cr_expect_eq(answer(&v, NATIVE, SYS_truncate, one), ERR(EACCES));
	cr_expect_eq(answer(&v, NATIVE, SYS_memfd_create, one), ERR(ENOSYS));
	sbxi_bpf_done(&bpf);
	cr_expect_null(bpf.code);
	sbxi_bpf_done(NULL);
}

TestSuite(seccomp_tables, .timeout = 20);

Test(seccomp_tables, every_set_has_a_name_a_reason_and_calls)
{
	size_t n;
	const struct sbxi_syscall_set *s = sbxi_syscall_sets(&n);

	cr_expect_gt(n, 10u);
	for (size_t i = 0; i < n; i++) {
		cr_expect_gt(strlen(s[i].name), 0u);
		cr_expect_gt(strlen(s[i].reason), 10u);
		cr_expect_not_null(s[i].calls[0]);
	}
}

static size_t n_times(const struct sbxi_syscall_set *sets, size_t n,
		      const char *call)
{
	size_t times = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; sets[i].calls[k]; k++)
			times += strcmp(sets[i].calls[k], call) == 0;
	return times;
}

static void check_calls(const struct sbxi_filter_spec *spec,
			const struct sbxi_syscall_set *sets, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; sets[i].calls[k]; k++) {
			const char *call = sets[i].calls[k];

			cr_expect_eq(n_times(spec->sets, spec->n_sets, call) +
				     n_times(spec->more, spec->n_more, call) +
				     n_times(spec->refused, spec->n_refused,
					     call), 1u, "%s", call);
#if defined(__x86_64__)
			cr_expect_geq(sbxi_syscall_number(call), 0,
				      "%s is no call", call);
#endif
		}
}

Test(seccomp_tables, every_call_exists_and_stands_in_one_set_only)
{
	for (int which = 0; which < SBXI_N_FILTERS; which++) {
		const struct sbxi_filter_spec *spec =
			sbxi_filter_spec((enum sbxi_filter)which);

		check_calls(spec, spec->sets, spec->n_sets);
		check_calls(spec, spec->more, spec->n_more);
		check_calls(spec, spec->refused, spec->n_refused);
	}
	cr_expect_eq(sbxi_syscall_number("no_such_call"), -1);
#if defined(__x86_64__)
	cr_expect_eq(sbxi_syscall_number("socketcall"), -1);
#endif
}

Test(seccomp_tables, calls_newer_than_the_compiler_library_have_numbers)
{
	cr_expect_eq(sbxi_syscall_number("fchmodat2"), 452);
	cr_expect_eq(sbxi_syscall_number("mseal"), 462);
	cr_expect_eq(sbxi_syscall_number("setxattrat"), 463);
	cr_expect_eq(sbxi_syscall_number("file_getattr"), 468);
}

Test(seccomp_tables, every_rule_is_about_a_call_that_its_filter_lists)
{
	size_t n;
	const struct sbxi_rule *r = sbxi_seccomp_rules(&n);

	for (size_t i = 0; i < n; i++)
		for (int which = 0; which < SBXI_N_FILTERS; which++) {
			const struct sbxi_filter_spec *spec =
				sbxi_filter_spec((enum sbxi_filter)which);

			/* What the supervisor does for the task comes with ears. */
			if (which == SBXI_FILTER_SUPERVISOR &&
			    r[i].unless == SBXI_UNLESS_UNHEARD_FILES)
				spec = sbxi_filter_spec(
					SBXI_FILTER_SUPERVISOR_ACTS);
			if (r[i].on & 1u << which)
				cr_expect(lists(spec->sets, spec->n_sets,
						r[i].call) ||
						  lists(spec->more,
							spec->n_more,
							r[i].call),
					  "%s, filter %d", r[i].call, which);
		}
}

static char *read_docs(void)
{
	const char *top = getenv("srcdir");
	char path[512], *text = calloc(1, 65536);
	FILE *f;

	snprintf(path, sizeof(path), "%s/docs/syscalls.md", top ? top : ".");
	f = fopen(path, "r");
	cr_assert_not_null(f, "%s", path);
	cr_assert_not_null(text);
	cr_assert_gt(fread(text, 1, 65535, f), 0u);
	fclose(f);
	return text;
}

static void check_docs(const char *text, const struct sbxi_syscall_set *sets,
		       size_t n)
{
	char word[64];

	for (size_t i = 0; i < n; i++) {
		snprintf(word, sizeof(word), "| **%s** |", sets[i].name);
		cr_expect(strstr(text, word), "set %s", sets[i].name);
		cr_expect(strstr(text, sets[i].reason), "reason of %s",
			  sets[i].name);
		for (size_t k = 0; sets[i].calls[k]; k++) {
			snprintf(word, sizeof(word), "`%s`",
				 sets[i].calls[k]);
			cr_expect(strstr(text, word), "call %s",
				  sets[i].calls[k]);
		}
	}
}

Test(seccomp_tables, the_page_names_every_set_its_reason_and_its_calls)
{
	char *text = read_docs();

	for (int which = 0; which < SBXI_N_FILTERS; which++) {
		const struct sbxi_filter_spec *spec =
			sbxi_filter_spec((enum sbxi_filter)which);

		check_docs(text, spec->sets, spec->n_sets);
		check_docs(text, spec->more, spec->n_more);
		check_docs(text, spec->refused, spec->n_refused);
	}
	free(text);
}

TestSuite(bpf_vm, .timeout = 10);

Test(bpf_vm, programs_that_the_kernel_refuses_do_not_pass)
{
	size_t bad;
	struct sock_filter ret = BPF_STMT(BPF_RET | BPF_K, 0);
	struct sock_filter good[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 4), ret };
	struct sock_filter odd[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 2), ret };
	struct sock_filter outside[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 64), ret };
	struct sock_filter far[] = { BPF_STMT(BPF_JMP | BPF_JA, 1), ret };
	struct sock_filter open_end[] = {
		ret, BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 1) };

	cr_expect_eq(bpf_vm_check(good, 2, &bad), 0);
	cr_expect_eq(bpf_vm_check(odd, 2, &bad), -EINVAL);
	cr_expect_eq(bpf_vm_check(outside, 2, &bad), -EINVAL);
	cr_expect_eq(bpf_vm_check(far, 2, &bad), -EINVAL);
	cr_expect_eq(bpf_vm_check(open_end, 2, &bad), -EINVAL);
	cr_expect_eq(bad, 1u);
	cr_expect_eq(bpf_vm_check(good, 0, &bad), -EINVAL);
}

Test(bpf_vm, jumps_and_masks_decide_as_in_the_kernel)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 10, 0, 3),
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 3),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 2, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, 1),
		BPF_STMT(BPF_RET | BPF_K, 2),
	};
	struct seccomp_data d = { .nr = 10 };

	cr_expect_eq(bpf_vm_run(code, &d), 2u);
	d.nr = 11;
	cr_expect_eq(bpf_vm_run(code, &d), 1u);
	d.nr = 2;
	cr_expect_eq(bpf_vm_run(code, &d), 2u);
}

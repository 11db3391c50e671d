/* SPDX-License-Identifier: Apache-2.0 */
/* explain: which system calls a task may make, and why. */
#include <string.h>

#include <sandbox/sandbox.h>

#include "explain.h"

#define INDENT "    "
#define WIDTH 78

static const char *const heading[] = {
	[SBX_SYSCALLS_ALLOWED] =
		"A task may call, as far as the arguments allow:",
	[SBX_SYSCALLS_REFUSED] =
		"Refused, with EPERM:",
	[SBX_SYSCALLS_CONNECTED] =
		"Looked at again while a granted socket of the caller's network is held:",
	[SBX_SYSCALLS_READER] =
		"Looked at again while a file that was handed over to be read is held:",
};

static void print_calls(FILE *out, const char *const *calls)
{
	size_t at = 0, n;

	for (; *calls; calls++) {
		n = strlen(*calls) + 1;
		if (at > 0 && at + n > WIDTH) {
			(void)fputc('\n', out);
			at = 0;
		}
		if (at == 0) {
			(void)fputs(INDENT, out);
			at = strlen(INDENT);
		} else {
			(void)fputc(' ', out);
		}
		(void)fputs(*calls, out);
		at += n;
	}
	(void)fputc('\n', out);
}

void cli_explain_syscalls(FILE *out)
{
	struct sbx_syscall_set set = SBX_SYSCALL_SET_INIT;
	uint32_t kind = 0;
	size_t i;

	for (i = 0; sbx_syscall_set(i, &set) == 0; i++) {
		if (set.kind != kind &&
		    set.kind < sizeof(heading) / sizeof(heading[0]))
			(void)fprintf(out, "%s%s\n", kind ? "\n" : "",
				      heading[set.kind]);
		kind = set.kind;
		(void)fprintf(out, "\n  %s: %s\n", set.name, set.reason);
		print_calls(out, set.calls);
	}
	(void)fputs("\nAny other call: ENOSYS, as on a kernel that never had "
		    "it.  A call by the numbers of\nanother architecture ends "
		    "the task.\n", out);
}

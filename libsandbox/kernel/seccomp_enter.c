/* SPDX-License-Identifier: Apache-2.0 */
/* seccomp_enter: load a compiled filter; also part of the static helper. */

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel/seccomp.h"

/* linux/seccomp.h and linux/filter.h, which musl's include path lacks. */
#define SET_MODE_FILTER 1u
#define MAX_INSTRUCTIONS 4096u

struct fprog {
	unsigned short len;
	const struct sock_filter *filter;
};

int sbxi_seccomp_enter(const struct sock_filter *code, size_t count)
{
	struct fprog prog = { .filter = code };

	/* The length has 16 bits: a larger count would load a part. */
	if (count == 0 || count > MAX_INSTRUCTIONS)
		return -EINVAL;
	prog.len = (unsigned short)count;
	if (syscall(SYS_seccomp, SET_MODE_FILTER, 0u, &prog) < 0)
		return -errno;
	return 0;
}

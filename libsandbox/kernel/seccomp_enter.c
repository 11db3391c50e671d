/* SPDX-License-Identifier: Apache-2.0 */
/* seccomp_enter: load a compiled filter; also part of the static helper. */

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/kconst.h"
#include "kernel/seccomp.h"

/* linux/seccomp.h and linux/filter.h, which musl's include path lacks. */
#define SET_MODE_FILTER 1u
#define MAX_INSTRUCTIONS 4096u

struct fprog {
	unsigned short len;
	const struct sock_filter *filter;
};

static long enter(const struct sock_filter *code, size_t count,
		  unsigned int flags)
{
	struct fprog prog = { .filter = code };
	long rc;

	/* The length has 16 bits: a larger count would load a part. */
	if (count == 0 || count > MAX_INSTRUCTIONS)
		return -EINVAL;
	prog.len = (unsigned short)count;
	rc = syscall(SYS_seccomp, SET_MODE_FILTER, flags, &prog);
	return rc < 0 ? -errno : rc;
}

int sbxi_seccomp_enter(const struct sock_filter *code, size_t count)
{
	return (int)enter(code, count, 0);
}

/*
 * Without WAIT_KILLABLE a signal would let a call begin anew that has been
 * done already, so an older kernel has no listener.
 */
int sbxi_seccomp_enter_asking(const struct sock_filter *code, size_t count)
{
	return (int)enter(code, count,
			  SBXI_NOTIF_FLAG_NEW_LISTENER |
				  SBXI_NOTIF_FLAG_WAIT_KILLABLE);
}

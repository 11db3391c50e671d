/* SPDX-License-Identifier: Apache-2.0 */
/* process: making single-threaded processes with namespaces. clone(2) */
#include "kernel/process.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/kconst.h"
#include "base/rawcall.h"

#define BORROWED_STACK (128u << 10)
#define SHARED_STACK (256u << 10)

static long old_clone(uint64_t flags, int *pidfd)
{
	/* With CLONE_PARENT the exit signal is inherited, as in clone3. */
	unsigned long f = (unsigned long)flags;

	if (!(flags & SBXI_CLONE_PARENT))
		f |= SIGCHLD;
	return sbxi_raw(SYS_clone, f, 0, pidfd, 0, 0);
}

pid_t sbxi_process_clone(uint64_t flags, int cgroup_fd, int *ret_pidfd)
{
	int pidfd = -1;
	struct sbxi_clone_args args = {
		.flags = flags | (ret_pidfd ? SBXI_CLONE_PIDFD : 0),
		.pidfd = (uint64_t)(uintptr_t)&pidfd,
		.exit_signal = flags & SBXI_CLONE_PARENT ? 0 : SIGCHLD,
	};
	long pid;

	if (cgroup_fd >= 0) {
		args.flags |= SBXI_CLONE_INTO_CGROUP;
		args.cgroup = (uint64_t)cgroup_fd;
	}
	pid = sbxi_raw(SYS_clone3, &args, sizeof(args));
	if (pid == -ENOSYS && cgroup_fd < 0)
		pid = old_clone(args.flags, &pidfd);
	else if (pid == -ENOSYS)
		return -EOPNOTSUPP;
	if (pid > 0 && ret_pidfd)
		*ret_pidfd = pidfd;
	return (pid_t)pid;
}

pid_t sbxi_process_borrow(int (*fn)(void *), void *arg)
{
	static char stack[BORROWED_STACK] __attribute__((aligned(16)));
	int pid = clone(fn, stack + sizeof(stack),
			CLONE_VM | CLONE_VFORK | SIGCHLD, arg);

	return pid < 0 ? -errno : pid;
}

pid_t sbxi_process_share(int (*fn)(void *), void *arg, uint64_t flags,
			 int *ret_pidfd)
{
	static char stack[SHARED_STACK] __attribute__((aligned(16)));
	int pid = clone(fn, stack + sizeof(stack),
			(int)(flags | SBXI_CLONE_VM | SBXI_CLONE_PIDFD), arg,
			ret_pidfd);

	return pid < 0 ? -errno : pid;
}

/* The line "SigIgn:\t0000000000001000" of /proc/self/status; ~0 if unknown. */
static uint64_t ignored_signals(void)
{
	AUTO_FD fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	char text[2048];
	uint64_t set = 0;
	const char *p;
	ssize_t n;

	if (fd < 0)
		return ~UINT64_C(0);
	n = read(fd, text, sizeof(text) - 1);
	if (n <= 0)
		return ~UINT64_C(0);
	text[n] = '\0';
	p = strstr(text, "SigIgn:\t");
	if (!p)
		return ~UINT64_C(0);
	for (p += 8; *p != '\n' && *p; p++)
		set = set << 4 | (uint64_t)(*p <= '9' ? *p - '0'
						      : *p - 'a' + 10);
	return set;
}

/* exec has reset every handler; what was ignored is ignored still. */
void sbxi_process_reset_signals(void)
{
	/* Handler, flags, restorer and mask: all zero is SIG_DFL. */
	static const uint64_t defaults[4];
	uint64_t ignored = ignored_signals();
	sigset_t none;

	/* Raw: a libc refuses the real-time signals that it keeps for itself. */
	for (int sig = 1; sig < 65; sig++)
		if ((ignored & (UINT64_C(1) << (sig - 1))) &&
		    sig != SIGKILL && sig != SIGSTOP)
			sbxi_raw(SYS_rt_sigaction, sig, &defaults, 0,
				 sizeof(uint64_t));
	sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* probe_process: calls about processes and descriptors that hosts may lack. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/errors.h"
#include "base/kconst.h"
#include "base/memfd.h"
#include "base/rawcall.h"
#include "init/probe.h"
#include "kernel/privileges.h"
#include "kernel/process.h"

#define EMPTY_PATH 0x1000	/* AT_EMPTY_PATH */
/* Exit codes of a child that could not exec; the helper's own are lower. */
#define NOT_EXECUTED 100

static void reap(pid_t pid)
{
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

int sbxi_try_clone3(struct sbxi_try *t)
{
	struct sbxi_clone_args args = { .exit_signal = SIGCHLD };
	long pid = sbxi_raw(SYS_clone3, &args, sizeof(args));

	(void)t;
	if (pid == 0)
		_exit(0);
	if (pid < 0)
		return (int)pid;
	reap((pid_t)pid);
	return 0;
}

int sbxi_try_close_range(struct sbxi_try *t)
{
	int end[2];
	long rc;

	(void)t;
	if (pipe2(end, O_CLOEXEC) < 0)
		return -errno;
	rc = sbxi_raw(SYS_close_range, end[0], end[0], 0);
	if (rc < 0)
		return (int)rc;
	return fcntl(end[0], F_GETFD) < 0 && fcntl(end[1], F_GETFD) >= 0
		       ? 0
		       : -EIO;
}

/* A child that does nothing until it is killed. */
static pid_t make_idle_child(void)
{
	pid_t pid = sbxi_process_clone(0, -1, NULL);

	if (pid == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	return pid;
}

static int kill_and_reap(int pidfd)
{
	siginfo_t info;

	if (syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0) < 0)
		return -errno;
	while (waitid((idtype_t)SBXI_P_PIDFD, (id_t)pidfd, &info, WEXITED) < 0)
		if (errno != EINTR)
			return -errno;
	return 0;
}

int sbxi_try_pidfd(struct sbxi_try *t)
{
	pid_t pid = make_idle_child();
	int rc;
	long fd;

	(void)t;
	if (pid < 0)
		return pid;
	fd = sbxi_raw(SYS_pidfd_open, pid, 0);
	rc = fd < 0 ? (int)fd : kill_and_reap((int)fd);
	/* If it worked the child is gone, and its number anybody's. */
	if (rc < 0) {
		(void)kill(pid, SIGKILL);
		reap(pid);
	}
	return rc;
}

static int is_same_file(int a, int b)
{
	struct stat st_a, st_b;

	if (fstat(a, &st_a) < 0 || fstat(b, &st_b) < 0)
		return 0;
	return st_a.st_dev == st_b.st_dev && st_a.st_ino == st_b.st_ino;
}

/* The supervisor takes descriptors of the task's processes, its children. */
int sbxi_try_pidfd_getfd(struct sbxi_try *t)
{
	int end[2];
	long pidfd, got;
	pid_t pid;

	(void)t;
	if (pipe2(end, O_CLOEXEC) < 0)
		return -errno;
	pid = make_idle_child();
	if (pid < 0)
		return pid;
	pidfd = sbxi_raw(SYS_pidfd_open, pid, 0);
	got = pidfd < 0 ? pidfd
			: sbxi_raw(SYS_pidfd_getfd, pidfd, end[0], 0);
	(void)kill(pid, SIGKILL);
	reap(pid);
	if (got < 0)
		return (int)got;
	return is_same_file((int)got, end[0]) ? 0 : -EIO;
}

/* Our own program as a memfd. */
static int copy_self(void)
{
	AUTO_FD self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *image;

	if (self < 0 || fstat(self, &st) < 0)
		return -errno;
	image = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, self,
		     0);
	if (image == MAP_FAILED)
		return -errno;
	return sbxi_memfd_sealed("sbx-probe", image, (size_t)st.st_size, true);
}

/* Without an argument the helper ends at once, with 1. */
_Noreturn static void execute(int fd)
{
	char *const argv[] = { (char[]){ "sbx-init" }, NULL };
	char *const envp[] = { NULL };

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)syscall(SYS_execveat, fd, "", argv, envp, EMPTY_PATH);
	_exit(NOT_EXECUTED + errno);
}

int sbxi_try_memfd_exec(struct sbxi_try *t)
{
	int fd = copy_self();
	int status = 0;
	pid_t pid;

	if (fd == -EACCES || fd == -EPERM)
		t->remedy = SBXI_REMEDY_MEMFD_EXEC;
	if (fd < 0)
		return fd;
	pid = sbxi_process_clone(0, -1, NULL);
	if (pid < 0)
		return pid;
	if (pid == 0)
		execute(fd);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!WIFEXITED(status))
		return -EIO;
	if (WEXITSTATUS(status) < NOT_EXECUTED)
		return 0;
	t->remedy = SBXI_REMEDY_MEMFD_EXEC;
	return NOT_EXECUTED - WEXITSTATUS(status);
}

int sbxi_try_keyring(struct sbxi_try *t)
{
	(void)t;
	return sbxi_keyring_enter();
}

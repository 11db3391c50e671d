/* SPDX-License-Identifier: Apache-2.0 */
/*
 * processes: a process of the host, one for each probe, with a secret in its
 * memory, its environment and behind a descriptor.  The runner watches it.
 */
#include <linux/ioprio.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "probe.h"

static pid_t victim(void)
{
	return (pid_t)own_number("victim");
}

static enum verdict send_signal(void)
{
	return outcome(kill(victim(), SIGUSR1));
}

static enum verdict send_thread(void)
{
	return outcome(syscall(SYS_tgkill, victim(), victim(), SIGUSR1));
}

static enum verdict send_queued(void)
{
	siginfo_t info = { .si_signo = SIGUSR1, .si_code = SI_QUEUE };

	return outcome(syscall(SYS_rt_sigqueueinfo, victim(), SIGUSR1, &info));
}

static enum verdict send_by_pidfd(void)
{
	int fd = (int)syscall(SYS_pidfd_open, victim(), 0);

	return outcome(fd < 0 ? -1 : syscall(SYS_pidfd_send_signal, fd,
					     SIGUSR1, NULL, 0));
}

/* The kernel sends it for us, when there is something to read. */
static enum verdict send_by_owner(void)
{
	int p[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, p) < 0 ||
	    fcntl(p[0], F_SETOWN, victim()) < 0 ||
	    fcntl(p[0], F_SETSIG, SIGUSR1) < 0 ||
	    fcntl(p[0], F_SETFL, O_ASYNC | O_NONBLOCK) < 0)
		return outcome(-1);
	return outcome(write(p[1], "x", 1));
}

static enum verdict attach(void)
{
	if (ptrace(PTRACE_ATTACH, victim(), NULL, NULL) < 0)
		return outcome(-1);
	/* Killing while attached leaves a mark that the runner sees. */
	waitpid(victim(), NULL, __WALL);
	return outcome(ptrace(PTRACE_KILL, victim(), NULL, NULL));
}

static enum verdict seize(void)
{
	unsigned long options = PTRACE_O_EXITKILL;

	/* Our end is the victim's: the runner sees it gone. */
	return outcome(ptrace(PTRACE_SEIZE, victim(), NULL, options));
}

static void *address(void)
{
	return (void *)(uintptr_t)own_number("address");
}

static enum verdict read_memory(void)
{
	char text[128] = "";
	struct iovec here = { .iov_base = text, .iov_len = 64 };
	struct iovec there = { .iov_base = address(), .iov_len = 64 };

	if (process_vm_readv(victim(), &here, 1, &there, 1, 0) < 0)
		return outcome(-1);
	show("%s", text);
	return DID;
}

static enum verdict write_memory(void)
{
	char text[8] = "changed";
	struct iovec here = { .iov_base = text, .iov_len = sizeof(text) };
	struct iovec there = { .iov_base = address(), .iov_len = sizeof(text) };

	return outcome(process_vm_writev(victim(), &here, 1, &there, 1, 0));
}

static char *proc(const char *leaf)
{
	static char path[256];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)victim(), leaf);
	return path;
}

static enum verdict proc_memory(void)
{
	char text[128] = "";
	int fd = open(proc("mem"), O_RDONLY);

	if (fd < 0 || pread(fd, text, 64, own_number("address")) < 0)
		return outcome(-1);
	show("%s", text);
	return DID;
}

/* It is longer than what is shown of a file: look for the secret's name. */
static enum verdict proc_environment(void)
{
	char text[8192] = "", *found;
	int fd = open(proc("environ"), O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (n < 0)
		return outcome(-1);
	found = memmem(text, (size_t)n, "VICTIM_SECRET=", 14);
	show("%s", found ? found : "");
	return DID;
}

static enum verdict proc_root(void)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s%s", proc("root"), key("stray.path"));
	return show_fd(open(path, O_RDONLY));
}

static enum verdict proc_cwd(void)
{
	return show_fd(open(proc("cwd/secret"), O_RDONLY));
}

static enum verdict proc_fd(void)
{
	char leaf[32], text[128] = "";
	int fd;

	snprintf(leaf, sizeof(leaf), "fd/%ld", own_number("victim_fd"));
	fd = open(proc(leaf), O_RDONLY);
	if (fd < 0 || pread(fd, text, 64, 0) < 0)
		return outcome(-1);
	show("%s", text);
	return DID;
}

static enum verdict take_fd(void)
{
	char text[128] = "";
	int pidfd = (int)syscall(SYS_pidfd_open, victim(), 0);
	int fd = pidfd < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, pidfd,
					       own_number("victim_fd"), 0);

	if (fd < 0 || pread(fd, text, 64, 0) < 0)
		return outcome(-1);
	show("%s", text);
	return DID;
}

static enum verdict limit(void)
{
	struct rlimit l = { .rlim_cur = 17, .rlim_max = 17 };

	return outcome(prlimit(victim(), RLIMIT_NOFILE, &l, NULL));
}

static enum verdict priority(void)
{
	return outcome(setpriority(PRIO_PROCESS, (id_t)victim(), 7));
}

static enum verdict affinity(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((int)key_number("cpu"), &set);
	return outcome(sched_setaffinity(victim(), sizeof(set), &set));
}

static enum verdict scheduler(void)
{
	const struct sched_param p = { .sched_priority = 0 };

	return outcome(sched_setscheduler(victim(), SCHED_BATCH, &p));
}

static enum verdict io_priority(void)
{
	return outcome(syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, victim(),
			       IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, 6)));
}

static enum verdict oom_score(void)
{
	int fd = open(proc("oom_score_adj"), O_WRONLY);

	return outcome(fd < 0 ? -1 : write(fd, "500", 3));
}

static enum verdict move_pages(void)
{
	void *page = (void *)((uintptr_t)address() & ~(uintptr_t)4095);
	int status = -1;

	if (syscall(SYS_move_pages, victim(), 1, &page, NULL, &status, 0) < 0)
		return outcome(-1);
	show("node %d", status);
	return DID;
}

static enum verdict compare(void)
{
	return outcome(syscall(SYS_kcmp, getpid(), victim(), 2, 0, 0));
}

static enum verdict join_namespaces(void)
{
	int fd = (int)syscall(SYS_pidfd_open, victim(), 0);

	return outcome(fd < 0 ? -1 : setns(fd, CLONE_NEWNET | CLONE_NEWUTS));
}

/* Leaves the session, the group and the parent; the runner looks for it. */
static enum verdict outlive(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		setsid();
		prctl(PR_SET_NAME, own_key("comm"));
		if (fork() > 0)
			_exit(0);
		close(0);
		close(1);
		close(2);
		sleep(60);
		_exit(0);
	}
	return outcome(pid < 0 ? -1 : waitpid(pid, NULL, 0));
}

/* What started the task: the jail's first process, or whoever it was. */
static pid_t first(void)
{
	return !strcmp(key("first"), "parent") ? probe_parent :
		(pid_t)key_number("first");
}

static enum verdict first_memory(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)first());
	return outcome(open(path, O_RDWR | O_CLOEXEC));
}

static enum verdict first_trace(void)
{
	return outcome(ptrace(PTRACE_SEIZE, first(), NULL, NULL));
}

/* None is what it has, or may well have. */
static enum verdict first_limit(void)
{
	const struct rlimit l = { .rlim_cur = 0, .rlim_max = 0 };

	return outcome(prlimit(first(), RLIMIT_CORE, &l, NULL));
}

const struct probe processes_probes[] = {
	{ "proc.kill", send_signal },
	{ "proc.tgkill", send_thread },
	{ "proc.sigqueue", send_queued },
	{ "proc.pidfd-signal", send_by_pidfd },
	{ "proc.setown", send_by_owner },
	{ "proc.ptrace-attach", attach },
	{ "proc.ptrace-seize", seize },
	{ "proc.vm-read", read_memory },
	{ "proc.vm-write", write_memory },
	{ "proc.mem", proc_memory },
	{ "proc.environ", proc_environment },
	{ "proc.root", proc_root },
	{ "proc.cwd", proc_cwd },
	{ "proc.fd", proc_fd },
	{ "proc.pidfd-getfd", take_fd },
	{ "proc.prlimit", limit },
	{ "proc.setpriority", priority },
	{ "proc.affinity", affinity },
	{ "proc.scheduler", scheduler },
	{ "proc.ioprio", io_priority },
	{ "proc.oom", oom_score },
	{ "proc.move-pages", move_pages },
	{ "proc.kcmp", compare },
	{ "proc.setns", join_namespaces },
	{ "proc.outlive", outlive },
	{ "proc.first-mem", first_memory },
	{ "proc.first-ptrace", first_trace },
	{ "proc.first-prlimit", first_limit },
	{ NULL, NULL }
};

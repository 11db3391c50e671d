/* SPDX-License-Identifier: Apache-2.0 */
/* surface: calls that a task has no need for, and other ways to make calls. */
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <sys/fanotify.h>
#include <sys/io.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/timex.h>
#include <sys/wait.h>

#include "probe.h"

static enum verdict unless_lacking(long rc)
{
	return rc < 0 && errno == ENOSYS ? absent("no such call") : outcome(rc);
}

static enum verdict io_uring(void)
{
	char params[256] = { 0 };

	return outcome(syscall(SYS_io_uring_setup, 4, params));
}

static enum verdict bpf_map(void)
{
	union bpf_attr a = { .map_type = BPF_MAP_TYPE_ARRAY };

	a.key_size = 4;
	a.value_size = 4;
	a.max_entries = 1;
	return outcome(syscall(SYS_bpf, BPF_MAP_CREATE, &a, sizeof(a)));
}

static enum verdict page_faults(void)
{
	return outcome(syscall(SYS_userfaultfd, O_CLOEXEC | 1));
}

static enum verdict counters(void)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE };

	a.size = sizeof(a);
	a.config = PERF_COUNT_SW_TASK_CLOCK;
	a.exclude_kernel = 1;
	a.exclude_hv = 1;
	return outcome(syscall(SYS_perf_event_open, &a, 0, -1, -1, 0));
}

static enum verdict run_from(int fd)
{
	const char *const argv[] = { "probe", "--hello", NULL };
	const char *const env[] = { NULL };
	int st = 0;
	pid_t pid = fork();

	if (pid == 0) {
		/* A refusal is told by its number. */
		syscall(SYS_execveat, fd, "", argv, env, AT_EMPTY_PATH);
		_exit(errno);
	}
	waitpid(pid, &st, 0);
	if (st == 0)
		return DID;
	errno = WIFEXITED(st) ? WEXITSTATUS(st) : EINTR;
	return outcome(-1);
}

static enum verdict memory_program(unsigned int flags)
{
	int fd = (int)syscall(SYS_memfd_create, "program", flags);
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	char room[65536];
	ssize_t n;

	if (fd < 0 || from < 0)
		return outcome(-1);
	while ((n = read(from, room, sizeof(room))) > 0)
		if (write(fd, room, (size_t)n) != n)
			return outcome(-1);
	return run_from(fd);
}

static enum verdict memfd_exec(void)
{
	return memory_program(MFD_CLOEXEC);
}

/* The flag that asks for it. */
static enum verdict memfd_exec_flag(void)
{
	return memory_program(MFD_CLOEXEC | 0x10);
}

static enum verdict secret_memory(void)
{
	return unless_lacking(syscall(SYS_memfd_secret, O_CLOEXEC));
}

static enum verdict listener(void)
{
	struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog p = { .len = 1, .filter = &allow };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return outcome(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			       SECCOMP_FILTER_FLAG_NEW_LISTENER, &p));
}

static enum verdict filter_in_force(void)
{
	return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 0 ? DID : REFUSED;
}

static enum verdict file_handle(void)
{
	struct {
		struct file_handle h;
		char room[MAX_HANDLE_SZ];
	} u = { .h.handle_bytes = MAX_HANDLE_SZ };
	int mount;

	return outcome(name_to_handle_at(AT_FDCWD, key("ws"), &u.h, &mount,
					 0));
}

static enum verdict fanotify(void)
{
	return outcome(fanotify_init(FAN_CLASS_NOTIF | FAN_REPORT_FID,
				     O_RDONLY));
}

static enum verdict descriptor_table(void)
{
	/* An empty entry: nothing is changed. */
	unsigned int entry[4] = { 0, 0, 0, 0x28 };

	return unless_lacking(syscall(SYS_modify_ldt, 1, entry,
				      sizeof(entry)));
}

static enum verdict kernel_log(void)
{
	char text[256];

	return outcome(klogctl(3, text, sizeof(text)));
}

static enum verdict io_ports(void)
{
	return unless_lacking(ioperm(0x80, 1, 1));
}

static enum verdict accounting(void)
{
	/* Off is off: but only who may, is told so. */
	return unless_lacking(acct(NULL));
}

/* The rate that it has already: asked for, that takes the privilege. */
static enum verdict clock_adjust(void)
{
	struct timex t = { .modes = 0 };

	if (adjtimex(&t) < 0)
		return outcome(-1);
	t.modes = ADJ_FREQUENCY;
	return outcome(adjtimex(&t));
}

static enum verdict swap(void)
{
	/* Who may is told that there is no such file. */
	if (syscall(SYS_swapoff, "/nonexistent/swap") < 0 && errno == ENOENT)
		return DID;
	return outcome(-1);
}

static enum verdict load_module(void)
{
	if (syscall(SYS_init_module, NULL, 0, "") < 0 &&
	    (errno == ENOEXEC || errno == EFAULT))
		return DID;
	return unless_lacking(-1);
}

static enum verdict reboot_machine(void)
{
	/* Wrong magic numbers: nothing happens, whoever asks. */
	if (syscall(SYS_reboot, 0, 0, 0, 0) < 0 && errno == EINVAL)
		return DID;
	return outcome(-1);
}

static enum verdict policy_of_memory(void)
{
	return unless_lacking(syscall(SYS_set_mempolicy, 0, NULL, 0));
}

#ifdef __x86_64__
static long by_int80(long nr, long a, long b, long c)
{
	long rc;

	__asm__ volatile("int $0x80" : "=a"(rc) :
			 "a"(nr), "b"(a), "c"(b), "d"(c) :
			 "memory", "r8", "r9", "r10", "r11");
	return rc;
}

static enum verdict old_calls(void)
{
	long rc = by_int80(20, 0, 0, 0);

	if (rc == getpid())
		return DID;
	errno = (int)-rc;
	return unless_lacking(-1);
}

/* The name must lie where 32 bits reach. */
static enum verdict old_calls_open(void)
{
	char *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	long fd;

	if (low == MAP_FAILED)
		return outcome(-1);
	snprintf(low, 4096, "%s", at("secret"));
	fd = by_int80(5, (long)low, O_RDONLY, 0);
	if (fd >= 0)
		return show_fd((int)fd);
	errno = (int)-fd;
	return unless_lacking(-1);
}

static enum verdict old_calls_socket(void)
{
	unsigned int *args = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	long fd;

	if (args == MAP_FAILED)
		return outcome(-1);
	args[0] = 2;
	args[1] = 2;
	fd = by_int80(102, 1, (long)args, 0);
	if (fd >= 0)
		return DID;
	errno = (int)-fd;
	return unless_lacking(-1);
}

static enum verdict x32(void)
{
	return unless_lacking(syscall(0x40000000 | SYS_getppid));
}
#else
static enum verdict old_calls(void)
{
	return absent("another machine");
}

#define old_calls_open old_calls
#define old_calls_socket old_calls
#define x32 old_calls
#endif

const struct probe surface_probes[] = {
	{ "sys.io-uring", io_uring },
	{ "sys.bpf", bpf_map },
	{ "sys.userfaultfd", page_faults },
	{ "sys.perf", counters },
	{ "sys.memfd-exec", memfd_exec },
	{ "sys.memfd-exec-flag", memfd_exec_flag },
	{ "sys.memfd-secret", secret_memory },
	{ "sys.listener", listener },
	{ "sys.no-filter", filter_in_force },
	{ "sys.file-handle", file_handle },
	{ "sys.fanotify", fanotify },
	{ "sys.modify-ldt", descriptor_table },
	{ "sys.syslog", kernel_log },
	{ "sys.ioperm", io_ports },
	{ "sys.acct", accounting },
	{ "sys.settime", clock_adjust },
	{ "sys.swap", swap },
	{ "sys.module", load_module },
	{ "sys.reboot", reboot_machine },
	{ "sys.mempolicy", policy_of_memory },
	{ "sys.int80", old_calls },
	{ "files.int80-open", old_calls_open },
	{ "sys.int80-socket", old_calls_socket },
	{ "sys.x32", x32 },
	{ NULL, NULL }
};

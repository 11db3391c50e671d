/* SPDX-License-Identifier: Apache-2.0 */
/*
 * seccomp_sets: which calls a filter lists, by name, in sets with a reason.
 *
 * Names that an architecture does not have are skipped when a filter is
 * compiled.  What is compared inside a listed call is in seccomp_args.c.
 */

#include <errno.h>
#include <string.h>

#include <linux/seccomp.h>
#include <seccomp.h>

#include "base/cleanup.h"
#include "kernel/seccomp_sets.h"

#define CALLS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static const struct sbxi_syscall_set task_sets[] = {
	{ "descriptors",
	  "use, copy and close the descriptors that the task holds",
	  CALLS("read", "write", "pread64", "pwrite64", "readv", "writev",
		"preadv", "pwritev", "preadv2", "pwritev2", "lseek", "close",
		"close_range", "dup", "dup2", "dup3", "pipe", "pipe2", "fcntl",
		"flock", "ioctl", "ftruncate", "fallocate", "fadvise64",
		"readahead", "fsync", "fdatasync", "sync_file_range", "syncfs",
		"sync", "sendfile", "copy_file_range", "splice", "tee",
		"vmsplice", "cachestat") },
	{ "files",
	  "find, make and remove files by name; "
	  "mounts and Landlock decide which",
	  CALLS("open", "openat", "creat", "truncate", "access", "faccessat",
		"faccessat2", "stat", "lstat", "fstat", "newfstatat", "statx",
		"statfs", "fstatfs", "readlink", "readlinkat", "getdents",
		"getdents64", "getcwd", "chdir", "fchdir", "mkdir", "mkdirat",
		"rmdir", "unlink", "unlinkat", "rename", "renameat",
		"renameat2", "link", "linkat", "symlink", "symlinkat", "mknod",
		"mknodat", "umask") },
	{ "metadata",
	  "owner, mode, times and attributes of files; never set-id bits",
	  CALLS("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown",
		"lchown", "fchownat", "utime", "utimes", "futimesat",
		"utimensat", "getxattr", "lgetxattr", "fgetxattr", "listxattr",
		"llistxattr", "flistxattr", "setxattr", "lsetxattr",
		"fsetxattr", "removexattr", "lremovexattr", "fremovexattr",
		"setxattrat", "getxattrat", "listxattrat", "removexattrat",
		"file_getattr") },
	{ "watch",
	  "be told when files change: editors, build tools, test runners",
	  CALLS("inotify_init", "inotify_init1", "inotify_add_watch",
		"inotify_rm_watch") },
	{ "wait",
	  "wait for several descriptors, timers and signals at once",
	  CALLS("poll", "ppoll", "select", "pselect6", "epoll_create",
		"epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait",
		"epoll_pwait2", "eventfd", "eventfd2", "signalfd", "signalfd4",
		"timerfd_create", "timerfd_settime", "timerfd_gettime") },
	{ "memory",
	  "the task's own address space; a memfd can never be executed",
	  CALLS("brk", "mmap", "munmap", "mprotect", "mremap", "madvise",
		"msync", "mincore", "mlock", "mlock2", "munlock", "mlockall",
		"munlockall", "memfd_create", "pkey_alloc", "pkey_free",
		"pkey_mprotect", "mseal", "map_shadow_stack") },
	{ "numa",
	  "memory placement for runtimes that tune it",
	  CALLS("get_mempolicy", "set_mempolicy", "mbind",
		"set_mempolicy_home_node", "move_pages", "migrate_pages") },
	{ "process",
	  "start, replace, group, wait for and end the task's own processes",
	  CALLS("clone", "fork", "vfork", "execve", "execveat", "exit",
		"exit_group", "wait4", "waitid", "getpid", "getppid",
		"getpgid", "getpgrp", "setpgid", "getsid", "setsid",
		"pidfd_open", "unshare") },
	{ "signals",
	  "handle, wait for and send signals; "
	  "the jail decides how far they reach",
	  CALLS("rt_sigaction", "rt_sigprocmask", "rt_sigpending",
		"rt_sigsuspend", "rt_sigtimedwait", "rt_sigreturn",
		"sigaltstack", "pause", "restart_syscall", "kill", "tkill",
		"tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo",
		"pidfd_send_signal") },
	{ "threads",
	  "locks and thread state, as libc and language runtimes use them",
	  CALLS("gettid", "set_tid_address", "set_robust_list",
		"get_robust_list", "futex", "futex_waitv", "futex_wait",
		"futex_wake", "futex_requeue", "rseq", "membarrier",
		"arch_prctl", "sched_yield", "getcpu") },
	{ "time",
	  "read clocks, sleep, and set the process's own timers",
	  CALLS("time", "gettimeofday", "clock_gettime", "clock_getres",
		"clock_nanosleep", "nanosleep", "times", "alarm", "getitimer",
		"setitimer", "timer_create", "timer_settime", "timer_gettime",
		"timer_getoverrun", "timer_delete") },
	{ "limits",
	  "read and lower limits, priorities and scheduling",
	  CALLS("getrlimit", "setrlimit", "prlimit64", "getrusage",
		"getpriority", "setpriority", "ioprio_get", "ioprio_set",
		"sched_getaffinity", "sched_setaffinity", "sched_getparam",
		"sched_setparam", "sched_getscheduler", "sched_setscheduler",
		"sched_getattr", "sched_setattr", "sched_get_priority_max",
		"sched_get_priority_min", "sched_rr_get_interval") },
	{ "identity",
	  "read ids; changing them fails by itself for want of a capability",
	  CALLS("getuid", "geteuid", "getresuid", "getgid", "getegid",
		"getresgid", "getgroups", "setuid", "setreuid", "setresuid",
		"setgid", "setregid", "setresgid", "setfsuid", "setfsgid",
		"capget", "capset") },
	{ "self",
	  "name, narrow and tune the process itself",
	  CALLS("prctl", "personality", "seccomp", "landlock_create_ruleset",
		"landlock_add_rule", "landlock_restrict_self") },
	{ "debug",
	  "debuggers and sanitizers, among the task's own processes",
	  CALLS("ptrace", "process_vm_readv", "process_vm_writev", "kcmp",
		"pidfd_getfd") },
	{ "sockets",
	  "use granted sockets, and make those that stay inside the jail",
	  CALLS("socket", "socketpair", "connect", "bind", "listen", "accept",
		"accept4", "getsockname", "getpeername", "sendto", "sendmsg",
		"sendmmsg", "recvfrom", "recvmsg", "recvmmsg", "shutdown",
		"setsockopt", "getsockopt") },
	{ "ipc",
	  "System V and POSIX queues of the jail's own namespace (tier A)",
	  CALLS("shmget", "shmat", "shmctl", "shmdt", "semget", "semop",
		"semtimedop", "semctl", "msgget", "msgsnd", "msgrcv", "msgctl",
		"mq_open", "mq_unlink", "mq_timedsend", "mq_timedreceive",
		"mq_notify", "mq_getsetattr") },
	{ "system",
	  "facts about the machine, and random numbers",
	  CALLS("uname", "sysinfo", "getrandom") },
};

/* Programs ask for these now and then, and expect EPERM. */
static const struct sbxi_syscall_set task_refused[] = {
	{ "mounts",
	  "the mount tree of a jail is final",
	  CALLS("mount", "umount2", "pivot_root", "chroot", "open_tree",
		"open_tree_attr", "move_mount", "fsopen", "fsconfig", "fsmount",
		"fspick", "mount_setattr") },
	{ "namespaces",
	  "no namespace is joined; clone and unshare make none",
	  CALLS("setns") },
	{ "keys",
	  "kernel keyrings reach beyond the jail",
	  CALLS("add_key", "request_key", "keyctl") },
	{ "kernel",
	  "code in the kernel, and windows into it",
	  CALLS("init_module", "finit_module", "delete_module", "kexec_load",
		"kexec_file_load", "bpf", "perf_event_open", "userfaultfd",
		"syslog", "lookup_dcookie") },
	{ "clocks",
	  "the machine's time belongs to all",
	  CALLS("settimeofday", "clock_settime", "clock_adjtime",
		"adjtimex") },
	{ "machine",
	  "administration of the host",
	  CALLS("reboot", "swapon", "swapoff", "sethostname", "setdomainname",
		"iopl", "ioperm", "acct", "quotactl", "quotactl_fd",
		"nfsservctl", "vhangup", "setgroups") },
	{ "handles",
	  "files by handle, and events of whole file systems, "
	  "pass by every path rule",
	  CALLS("open_by_handle_at", "name_to_handle_at", "fanotify_init",
		"fanotify_mark") },
};

static const struct sbxi_syscall_set connected_sets[] = {
	{ "connected",
	  "a granted socket of the harness's network goes nowhere else",
	  CALLS("connect", "bind", "listen", "sendto", "sendmsg", "sendmmsg",
		"ioctl") },
};

static const struct sbxi_syscall_set reader_sets[] = {
	{ "reader",
	  "a descriptor that was opened to be read changes no metadata",
	  CALLS("fchmod", "fchown", "fsetxattr", "fremovexattr", "utimensat",
		"futimesat") },
};

static const struct sbxi_syscall_set supervisor_sets[] = {
	{ "supervisor",
	  "relay, reap, keep limits, clear away; "
	  "it starts nothing, and opens nothing for writing",
	  CALLS("read", "write", "pread64", "readv", "writev", "preadv2",
		"pwritev2", "splice",
		"lseek", "close", "fcntl", "ioctl", "poll", "ppoll",
		"sendto", "sendmsg", "recvfrom", "recvmsg", "shutdown",
		"signalfd4", "timerfd_create", "timerfd_settime",
		"rt_sigaction", "rt_sigprocmask", "rt_sigtimedwait",
		"rt_sigreturn", "restart_syscall", "wait4", "waitid", "kill",
		"pidfd_open", "pidfd_send_signal", "open", "openat", "stat",
		"lstat", "fstat", "newfstatat", "statx", "readlink",
		"readlinkat", "getdents64", "unlinkat", "renameat",
		"fchmod", "fchmodat", "clock_gettime",
		"clock_nanosleep", "nanosleep", "getpid", "getppid", "gettid",
		"getrusage", "prlimit64", "kcmp", "sched_yield", "brk", "mmap",
		"munmap", "madvise", "exit", "exit_group") },
};

static const struct sbxi_syscall_set acting_sets[] = {
	{ "acting",
	  "make, open, change and connect on behalf of the task, inside the "
	  "supervisor's own Landlock domain",
	  CALLS("process_vm_readv", "process_vm_writev", "pidfd_getfd",
		"openat2", "mkdirat", "mknodat", "renameat2", "linkat",
		"symlinkat", "fchownat", "utimensat", "setxattr", "lsetxattr",
		"removexattr", "lremovexattr", "ftruncate", "umask", "chdir", "fchdir",
		"bind", "connect", "listen", "socketpair", "getsockopt",
		"memfd_create", "setitimer", "inotify_add_watch", "fstatfs",
		"getxattr", "listxattr", "sched_setaffinity",
		"sched_setscheduler", "setpriority", "tgkill",
		"rt_tgsigqueueinfo", "sched_getaffinity",
		"sched_getscheduler", "getpriority", "getsid", "getpgid") },
};

static const struct sbxi_filter_spec task_spec = {
	.fallback = SECCOMP_RET_ERRNO | ENOSYS,
	.sets = task_sets,
	.n_sets = SBXI_COUNT(task_sets),
	.refused = task_refused,
	.n_refused = SBXI_COUNT(task_refused),
	.quiet = "keys",
};

static const struct sbxi_filter_spec connected_spec = {
	.fallback = SECCOMP_RET_ALLOW,
	.sets = connected_sets,
	.n_sets = SBXI_COUNT(connected_sets),
};

static const struct sbxi_filter_spec reader_spec = {
	.fallback = SECCOMP_RET_ALLOW,
	.sets = reader_sets,
	.n_sets = SBXI_COUNT(reader_sets),
};

static const struct sbxi_filter_spec supervisor_spec = {
	.fallback = SECCOMP_RET_ERRNO | EPERM,
	.sets = supervisor_sets,
	.n_sets = SBXI_COUNT(supervisor_sets),
};

static const struct sbxi_filter_spec acting_spec = {
	.fallback = SECCOMP_RET_ERRNO | EPERM,
	.sets = supervisor_sets,
	.n_sets = SBXI_COUNT(supervisor_sets),
	.more = acting_sets,
	.n_more = SBXI_COUNT(acting_sets),
};

/*
 * Calls newer than libseccomp 2.5.4 knows.  From 424 on a number is the same
 * on x86-64, aarch64, riscv64, ppc64 and s390x.
 */
static const struct {
	const char *name;
	int number;
} newer_calls[] = {
	{ "cachestat", 451 },		/* 6.5 */
	{ "fchmodat2", 452 },		/* 6.6 */
	{ "map_shadow_stack", 453 },	/* 6.6 */
	{ "futex_wake", 454 },		/* 6.7 */
	{ "futex_wait", 455 },		/* 6.7 */
	{ "futex_requeue", 456 },	/* 6.7 */
	{ "mseal", 462 },		/* 6.10 */
	{ "setxattrat", 463 },		/* 6.13 */
	{ "getxattrat", 464 },		/* 6.13 */
	{ "listxattrat", 465 },		/* 6.13 */
	{ "removexattrat", 466 },	/* 6.13 */
	{ "open_tree_attr", 467 },	/* 6.15 */
	{ "file_getattr", 468 },	/* 6.17 */
};

const struct sbxi_syscall_set *sbxi_syscall_sets(size_t *ret_n)
{
	*ret_n = SBXI_COUNT(task_sets);
	return task_sets;
}

const struct sbxi_filter_spec *sbxi_filter_spec(enum sbxi_filter which)
{
	switch (which) {
	case SBXI_FILTER_TASK_A:
	case SBXI_FILTER_TASK_B:
	case SBXI_FILTER_TASK_A_ASKS:
	case SBXI_FILTER_TASK_B_ASKS:
	case SBXI_FILTER_TASK_A_FILES:
	case SBXI_FILTER_TASK_B_FILES:
		return &task_spec;
	case SBXI_FILTER_CONNECTED:
	case SBXI_FILTER_CONNECTED_ASKS:
		return &connected_spec;
	case SBXI_FILTER_READER:
		return &reader_spec;
	case SBXI_FILTER_SUPERVISOR:
		return &supervisor_spec;
	case SBXI_FILTER_SUPERVISOR_ACTS:
		return &acting_spec;
	case SBXI_N_FILTERS:
		break;
	}
	return NULL;
}

int sbxi_syscall_number(const char *name)
{
	int number = seccomp_syscall_resolve_name(name);

	if (number >= 0)
		return number;
	for (size_t i = 0; i < SBXI_COUNT(newer_calls); i++)
		if (strcmp(newer_calls[i].name, name) == 0)
			return newer_calls[i].number;
	/* Below -1 libseccomp means: only other architectures have it. */
	return -1;
}

static const char *name_in(const struct sbxi_syscall_set *sets, size_t n,
			   int number)
{
	for (size_t i = 0; i < n; i++)
		for (const char *const *c = sets[i].calls; *c; c++)
			if (sbxi_syscall_number(*c) == number)
				return *c;
	return NULL;
}

const char *sbxi_syscall_name(int number)
{
	const char *name =
		number < 0 ? ""
			   : name_in(task_sets, SBXI_COUNT(task_sets), number);

	if (!name)
		name = name_in(task_refused, SBXI_COUNT(task_refused), number);
	return name ? name : "";
}

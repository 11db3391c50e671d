/* SPDX-License-Identifier: Apache-2.0 */
/* probe_processes: descriptors, processes, memory, and what must stay as it was. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"

#define MFD_NOEXEC 0x8u
#define MFD_EXECUTABLE 0x10u

static int try_clone3(void)
{
	struct clone_args a = { .exit_signal = SIGCHLD };
	long pid = syscall(SYS_clone3, &a, sizeof(a));

	if (pid == 0)
		_exit(0);
	if (pid < 0)
		return -errno;
	return waitpid((pid_t)pid, NULL, 0) < 0 ? -errno : 0;
}

static int try_clone_pidfd(void)
{
	int fd = -1;
	long pid = syscall(SYS_clone, CLONE_PIDFD | SIGCHLD, 0, &fd, 0, 0);

	if (pid == 0)
		_exit(0);
	if (pid < 0)
		return -errno;
	return waitpid((pid_t)pid, NULL, 0) < 0 ? -errno : 0;
}

static int try_openat2(void)
{
	uint64_t how[3] = { O_RDONLY | O_CLOEXEC, 0, 0 };

	return syscall(SYS_openat2, AT_FDCWD, "/", how, sizeof(how)) < 0 ?
		       -errno : 0;
}

static int try_close_range(void)
{
	return outcome(syscall(SYS_close_range, 60000u, 60001u, 0));
}

static int try_pidfd_open(void)
{
	return syscall(SYS_pidfd_open, getpid(), 0) < 0 ? -errno : 0;
}

static int try_pidfd_signal(void)
{
	long fd = syscall(SYS_pidfd_open, getpid(), 0);

	return outcome(syscall(SYS_pidfd_send_signal, fd, 0, NULL, 0));
}

static int try_pidfd_getfd(void)
{
	long fd = syscall(SYS_pidfd_open, getpid(), 0);

	return syscall(SYS_pidfd_getfd, fd, 0, 0) < 0 ? -errno : 0;
}

/* P_PIDFD is 3; a descriptor that is no pidfd is EBADF. */
static int try_waitid(void)
{
	siginfo_t si;

	return outcome(syscall(SYS_waitid, 3, 60000, &si, WEXITED, NULL));
}

static int try_memfd(unsigned int flags)
{
	long fd = syscall(SYS_memfd_create, "probe", flags);

	return fd < 0 ? -errno : 0;
}

static int try_memfd_plain(void)
{
	return try_memfd(0);
}

static int try_memfd_noexec(void)
{
	return try_memfd(MFD_NOEXEC);
}

static int try_memfd_exec(void)
{
	return try_memfd(MFD_EXECUTABLE);
}

static int try_exec_fd(void)
{
	char *argv[] = { (char []){ "true" }, NULL };
	int fd = open("/bin/true", O_PATH | O_CLOEXEC);
	pid_t pid = fork();
	int st;

	if (pid == 0) {
		syscall(SYS_execveat, fd, "", argv, environ, AT_EMPTY_PATH);
		_exit(errno);
	}
	if (waitpid(pid, &st, 0) < 0)
		return -errno;
	return WIFEXITED(st) ? -WEXITSTATUS(st) : -EIO;
}

static int try_keyctl(void)
{
	/* KEYCTL_GET_KEYRING_ID of the user keyring, made if need be. */
	return syscall(SYS_keyctl, 0, -4, 1) < 0 ? -errno : 0;
}

static int try_add_key(void)
{
	return outcome(syscall(SYS_add_key, NULL, NULL, NULL, 0, 0));
}

static int try_request_key(void)
{
	return outcome(syscall(SYS_request_key, NULL, NULL, NULL, 0));
}

/* A command that no kernel has: EINVAL says that the call is there. */
static int try_bpf(void)
{
	return outcome(syscall(SYS_bpf, 9999, NULL, 0));
}

static int try_userfaultfd(void)
{
	return outcome(syscall(SYS_userfaultfd, ~0u));
}

static int try_io_uring(void)
{
	struct io_uring_params p = { .flags = 0 };

	return syscall(SYS_io_uring_setup, 1, &p) < 0 ? -errno : 0;
}

static int try_perf(void)
{
	return outcome(syscall(SYS_perf_event_open, NULL, 0, 0, 0, ~0ul));
}

static int try_vm_read(void)
{
	char from = 1, to = 0;
	struct iovec a = { &to, 1 }, b = { &from, 1 };

	return outcome(process_vm_readv(getpid(), &a, 1, &b, 1, 0)) < 0 ?
		       -errno : 0;
}

#if defined(__x86_64__)
/* getpid by its i386 number and by its i386 door. */
static int try_i386(void)
{
	long rc = 20;

	__asm__ volatile("int $0x80" : "+a"(rc) : : "memory", "r8", "r9",
			 "r10", "r11");
	return rc < 0 ? (int)rc : 0;
}
#else
static int try_i386(void)
{
	return -ENOSYS;
}
#endif

static int get_nofile(void)
{
	struct rlimit r;

	getrlimit(RLIMIT_NOFILE, &r);
	return (int)r.rlim_max;
}

static int get_uid(void)
{
	return (int)geteuid();
}

static int get_gid(void)
{
	return (int)getegid();
}

static int get_groups(void)
{
	return getgroups(0, NULL);
}

static int get_no_new_privs(void)
{
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
}

static void *thread_main(void *arg)
{
	return arg;
}

static int try_thread(void)
{
	pthread_t t;
	int rc = pthread_create(&t, NULL, thread_main, NULL);

	return rc ? -rc : -pthread_join(t, NULL);
}

static int try_file(void)
{
	char path[] = "/tmp/probe_XXXXXX", other[64];
	int fd = mkstemp(path), rc = 0;

	if (fd < 0)
		return -errno;
	snprintf(other, sizeof(other), "%s.2", path);
	if (write(fd, "x", 1) != 1 || ftruncate(fd, 0) < 0 ||
	    chmod(path, 0644) < 0 || rename(path, other) < 0)
		rc = -errno;
	unlink(path);
	unlink(other);
	return rc;
}

/* A rename across directories is the one that Landlock is touchy about. */
static int try_rename(void)
{
	char dir[] = "/tmp/probe_XXXXXX", a[64], b[64];
	int rc = 0;

	if (!mkdtemp(dir))
		return -errno;
	snprintf(a, sizeof(a), "%s/a", dir);
	snprintf(b, sizeof(b), "%s.b", dir);
	close(open(a, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	if (rename(a, b) < 0)
		rc = -errno;
	unlink(a);
	unlink(b);
	rmdir(dir);
	return rc;
}

static int try_stop(void)
{
	pid_t pid = fork();
	int st;

	if (pid == 0) {
		raise(SIGSTOP);
		_exit(7);
	}
	if (waitpid(pid, &st, WUNTRACED) < 0 || !WIFSTOPPED(st))
		return -EIO;
	kill(pid, SIGCONT);
	if (waitpid(pid, &st, 0) < 0 || !WIFEXITED(st))
		return -EIO;
	return WEXITSTATUS(st);
}

static int loopback(uint16_t port, struct sockaddr_in *ret)
{
	*ret = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	return socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

static int open_listener(uint16_t *ret_port)
{
	struct sockaddr_in a;
	socklen_t len = sizeof(a);
	int fd = loopback(0, &a);

	if (fd < 0 || bind(fd, (struct sockaddr *)&a, len) < 0 ||
	    listen(fd, 8) < 0 ||
	    getsockname(fd, (struct sockaddr *)&a, &len) < 0)
		return -errno;
	*ret_port = ntohs(a.sin_port);
	return fd;
}

static int connect_to(uint16_t port)
{
	struct sockaddr_in a;
	int fd = loopback(port, &a);

	if (fd < 0)
		return -errno;
	return outcome(connect(fd, (struct sockaddr *)&a, sizeof(a)));
}

static int try_tcp(void)
{
	uint16_t port;
	int fd = open_listener(&port);

	return fd < 0 ? fd : connect_to(port);
}

static int try_unix(void)
{
	int pair[2];
	char byte;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) < 0)
		return -errno;
	if (write(pair[0], "x", 1) != 1)
		return -errno;
	return read(pair[1], &byte, 1) == 1 ? 0 : -errno;
}

int listen_main(void)
{
	uint16_t port;
	int fd = open_listener(&port);

	if (fd < 0)
		return -fd;
	printf("%u\n", (unsigned int)port);
	fflush(stdout);
	fclose(stdout);
	for (;;) {
		int peer = accept(fd, NULL, NULL);

		if (peer >= 0)
			close(peer);
	}
}

int connect_main(const char *port)
{
	return -connect_to((uint16_t)strtoul(port, NULL, 10));
}

const struct act process_acts[] = {
	{ "clone3", try_clone3 },
	{ "clone_pidfd", try_clone_pidfd },
	{ "openat2", try_openat2 },
	{ "close_range", try_close_range },
	{ "pidfd_open", try_pidfd_open },
	{ "pidfd_signal", try_pidfd_signal },
	{ "pidfd_getfd", try_pidfd_getfd },
	{ "waitid_pidfd", try_waitid },
	{ "memfd_plain", try_memfd_plain },
	{ "memfd_noexec", try_memfd_noexec },
	{ "memfd_exec", try_memfd_exec },
	{ "exec_fd", try_exec_fd },
	{ "keyctl", try_keyctl },
	{ "add_key", try_add_key },
	{ "request_key", try_request_key },
	{ "bpf", try_bpf },
	{ "userfaultfd", try_userfaultfd },
	{ "io_uring", try_io_uring },
	{ "perf", try_perf },
	{ "vm_read", try_vm_read },
	{ "i386", try_i386 },
	{ "nofile", get_nofile },
	{ "uid", get_uid },
	{ "gid", get_gid },
	{ "groups", get_groups },
	{ "no_new_privs", get_no_new_privs },
	{ "thread", try_thread },
	{ "file", try_file },
	{ "rename", try_rename },
	{ "stop", try_stop },
	{ "tcp", try_tcp },
	{ "unix", try_unix },
	{ NULL, NULL },
};

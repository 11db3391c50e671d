/* SPDX-License-Identifier: Apache-2.0 */
/* work_ipc: how the task's own processes talk to each other. */
#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <signal.h>

#include "probe.h"

static enum verdict check(bool holds)
{
	return holds ? DID : outcome(-1);
}

static bool passes(int from, int to)
{
	char text[4] = "";

	return write(from, "two", 3) == 3 && read(to, text, 3) == 3 &&
		!strcmp(text, "two");
}

static enum verdict pair(int type)
{
	int p[2];

	if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, p) < 0)
		return outcome(-1);
	return check(passes(p[0], p[1]) && passes(p[1], p[0]));
}

static enum verdict pair_stream(void)
{
	return pair(SOCK_STREAM);
}

static enum verdict pair_packets(void)
{
	return pair(SOCK_SEQPACKET);
}

/* May be answered with another kind that keeps messages apart. */
static enum verdict pair_datagrams(void)
{
	char text[16];
	int p[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, p) < 0)
		return outcome(-1);
	return check(write(p[0], "one", 3) == 3 && write(p[0], "four", 4) == 4 &&
		     read(p[1], text, sizeof(text)) == 3 &&
		     read(p[1], text, sizeof(text)) == 4);
}

static enum verdict pass_descriptor(void)
{
	union {
		struct cmsghdr h;
		char room[CMSG_SPACE(sizeof(int))];
	} c = { .h.cmsg_len = CMSG_LEN(sizeof(int)) };
	char text[4] = "fd";
	struct iovec iov = { .iov_base = text, .iov_len = 2 };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1,
			    .msg_control = &c, .msg_controllen = sizeof(c) };
	int p[2], q[2], got = -1;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, p) < 0 || pipe(q) < 0)
		return outcome(-1);
	c.h.cmsg_level = SOL_SOCKET;
	c.h.cmsg_type = SCM_RIGHTS;
	memcpy(CMSG_DATA(&c.h), &q[1], sizeof(int));
	if (sendmsg(p[0], &m, 0) != 2 || recvmsg(p[1], &m, 0) != 2)
		return outcome(-1);
	memcpy(&got, CMSG_DATA(&c.h), sizeof(int));
	return check(got != q[1] && passes(got, q[0]));
}

/* A server and a client of our own. */
static enum verdict serve(const void *address, socklen_t len, bool inet)
{
	const struct sockaddr *a = address;
	struct sockaddr_storage real;
	socklen_t size = sizeof(real);
	int server = socket(a->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int client = socket(a->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int peer;

	if (server < 0 || client < 0 || bind(server, a, len) < 0 ||
	    listen(server, 1) < 0 ||
	    getsockname(server, (struct sockaddr *)&real, &size) < 0 ||
	    connect(client, inet ? (struct sockaddr *)&real : a,
		    inet ? size : len) < 0)
		return outcome(-1);
	peer = accept(server, NULL, NULL);
	return check(peer >= 0 && passes(client, peer) &&
		     passes(peer, client));
}

static enum verdict unix_path(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX, .sun_path = "socket" };

	return serve(&a, sizeof(a), false);
}

static enum verdict unix_path_tmp(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	const char *tmp = getenv("TMPDIR");

	snprintf(a.sun_path, sizeof(a.sun_path), "%.80s/probe-socket-%d",
		 tmp ? tmp : "/tmp", (int)getpid());
	return serve(&a, sizeof(a), false);
}

static enum verdict unix_abstract(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int n = snprintf(a.sun_path + 1, sizeof(a.sun_path) - 1,
			 "probe-%d", (int)getpid());

	return serve(&a, (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
				     1 + (size_t)n), false);
}

static enum verdict loopback(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET };

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return serve(&a, sizeof(a), true);
}

static enum verdict memory_file(void)
{
	int fd = memfd_create("probe", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	char text[4] = "";

	return check(fd >= 0 && write(fd, "two", 3) == 3 &&
		     pread(fd, text, 3, 0) == 3 && !strcmp(text, "two") &&
		     fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE) == 0);
}

static enum verdict memory_file_plain(void)
{
	int fd = memfd_create("probe", 0);

	return check(fd >= 0 && write(fd, "two", 3) == 3);
}

static enum verdict semaphore(void)
{
	char name[64];
	sem_t *s;

	snprintf(name, sizeof(name), "/probe-%d", (int)getpid());
	s = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
	if (s == SEM_FAILED)
		return outcome(-1);
	return check(sem_wait(s) == 0 && sem_post(s) == 0 &&
		     sem_unlink(name) == 0);
}

static enum verdict posix_memory(void)
{
	char name[64];
	int fd;

	snprintf(name, sizeof(name), "/probe-%d", (int)getpid());
	fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
	return check(fd >= 0 && ftruncate(fd, 4096) == 0 &&
		     shm_unlink(name) == 0);
}

static enum verdict sysv_memory(void)
{
	int id = shmget(IPC_PRIVATE, 4096, 0600);
	bool ok = id >= 0 && shmat(id, NULL, 0) != (void *)-1;

	return check(ok && shmctl(id, IPC_RMID, NULL) == 0);
}

static enum verdict event_descriptors(void)
{
	struct epoll_event e = { .events = EPOLLIN };
	int event = eventfd(1, EFD_CLOEXEC);
	int poll = epoll_create1(EPOLL_CLOEXEC);
	int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	return check(epoll_ctl(poll, EPOLL_CTL_ADD, event, &e) == 0 &&
		     epoll_wait(poll, &e, 1, 0) == 1 && timer >= 0 &&
		     signalfd(-1, &set, SFD_CLOEXEC) >= 0);
}

static enum verdict own_filter(void)
{
	struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog p = { .len = 1, .filter = &allow };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return outcome(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &p));
}

const struct probe work_ipc_probes[] = {
	{ "work.pair-stream", pair_stream },
	{ "work.pair-seqpacket", pair_packets },
	{ "work.pair-dgram", pair_datagrams },
	{ "work.pass-descriptor", pass_descriptor },
	{ "work.unix-path", unix_path },
	{ "work.unix-path-tmp", unix_path_tmp },
	{ "work.unix-abstract", unix_abstract },
	{ "work.loopback", loopback },
	{ "work.memfd", memory_file },
	{ "work.memfd-plain", memory_file_plain },
	{ "work.semaphore", semaphore },
	{ "work.shm", posix_memory },
	{ "work.sysv-shm", sysv_memory },
	{ "work.events", event_descriptors },
	{ "work.own-filter", own_filter },
	{ NULL, NULL }
};

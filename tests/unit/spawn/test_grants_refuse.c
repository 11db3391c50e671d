/* SPDX-License-Identifier: Apache-2.0 */
/* grants_refuse: what a descriptor is decides, and each kind has its twin. */
#include <linux/netlink.h>
#include <pty.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>

#include <criterion/criterion.h>

#include "grants_test.h"

TestSuite(grants_refuse, .init = set_up, .fini = tear_down, .timeout = 30);

Test(grants_refuse, a_closed_descriptor_is_ebadf_and_names_grant_and_number)
{
	struct sbx_grant g = fd_grant("log", 700, 0);

	expect_refused(&g, 1, -EBADF);
	cr_expect_str_eq(fail.object, "log");
	cr_expect(strstr(fail.text, "700"), "%s", fail.text);
	g.fd = -1;
	expect_refused(&g, 1, -EBADF);
}

Test(grants_refuse, files_are_granted_and_directories_and_o_path_are_not)
{
	const char *path = file("f", "x");

	expect_fd(open(path, O_RDONLY | O_CLOEXEC), true);
	expect_fd(open(path, O_RDWR), true);
	expect_fd(open(path, O_PATH | O_CLOEXEC), false);
	expect_fd(open(dir, O_RDONLY | O_CLOEXEC), false);
	expect_fd(open(dir, O_PATH | O_CLOEXEC), false);
	expect_fd(open(path, O_WRONLY | O_RDWR | O_CLOEXEC), false);
}

Test(grants_refuse, files_of_the_kernel_are_refused)
{
	expect_fd(open("/proc/self/status", O_RDONLY | O_CLOEXEC), false);
	expect_fd(open("/proc/self/mem", O_RDWR | O_CLOEXEC), false);
	expect_fd(open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC), false);
	expect_fd(open("/sys/kernel/mm/transparent_hugepage/enabled",
		       O_RDONLY | O_CLOEXEC), false);
	expect_fd(memfd_create("m", MFD_CLOEXEC), true);
}

Test(grants_refuse, harmless_devices_are_granted_and_terminals_are_not)
{
	int master, slave;

	expect_fd(open("/dev/null", O_RDWR | O_CLOEXEC), true);
	expect_fd(open("/dev/urandom", O_RDONLY | O_CLOEXEC), true);
	cr_assert_eq(openpty(&master, &slave, NULL, NULL, NULL), 0);
	expect_fd(slave, false);
	cr_expect(strstr(fail.text, "--new-tty"), "%s", fail.text);
	expect_fd(master, false);
}

static int another_device(void)
{
	static const char *const devices[] = { "/dev/fuse", "/dev/kmsg",
					       "/dev/net/tun", "/dev/kvm" };
	size_t i;

	for (i = 0; i < 4; i++) {
		int fd = open(devices[i], O_RDONLY | O_NONBLOCK | O_CLOEXEC);

		if (fd >= 0)
			return fd;
	}
	return -1;
}

Test(grants_refuse, other_devices_are_refused)
{
	int fd = another_device();

	if (fd < 0)
		skip("no device here may be opened");
	expect_fd(fd, false);
}

Test(grants_refuse, pipes_and_fifos_are_granted)
{
	char path[128];
	int p[2];

	cr_assert_eq(pipe2(p, O_CLOEXEC), 0);
	expect_fd(p[0], true);
	expect_fd(p[1], true);
	snprintf(path, sizeof(path), "%s/fifo", dir);
	cr_assert_eq(mkfifo(path, 0600), 0);
	expect_fd(open(path, O_RDWR | O_CLOEXEC), true);
}

Test(grants_refuse, of_anonymous_objects_only_an_eventfd_is_granted)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	expect_fd(eventfd(0, EFD_CLOEXEC), true);
	expect_fd(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC), false);
	expect_fd(signalfd(-1, &set, SFD_CLOEXEC), false);
	expect_fd(epoll_create1(EPOLL_CLOEXEC), false);
	expect_fd(inotify_init1(IN_CLOEXEC), false);
	expect_fd((int)syscall(SYS_pidfd_open, getpid(), 0), false);
}

/* Each exists on some hosts only, and is refused where it does. */
Test(grants_refuse, objects_of_great_power_are_refused)
{
	char params[120] = { 0 };
	char attr[128] = { 0 };
	uint32_t prog_type = 2, four = 4, one = 1;
	int fds[4];
	size_t i;

	fds[0] = (int)syscall(SYS_userfaultfd, O_CLOEXEC | 1 /* user mode */);
	fds[1] = (int)syscall(SYS_io_uring_setup, 1, params);
	memcpy(attr + 0, &prog_type, 4);	/* an array map, 4 to 4 bytes */
	memcpy(attr + 4, &four, 4);
	memcpy(attr + 8, &four, 4);
	memcpy(attr + 12, &one, 4);
	fds[2] = (int)syscall(SYS_bpf, 0, attr, sizeof(attr));
	fds[3] = (int)syscall(SYS_fanotify_init, 0, O_RDONLY);
	for (i = 0; i < 4; i++)
		if (fds[i] >= 0)
			expect_fd(fds[i], false);
}

/* Sockets */

static int connected_to(int l, int type)
{
	struct sockaddr_storage a;
	socklen_t len = sizeof(a);
	int fd;

	cr_assert_eq(getsockname(l, (struct sockaddr *)&a, &len), 0);
	fd = socket(a.ss_family, type | SOCK_CLOEXEC, 0);
	cr_assert_eq(connect(fd, (struct sockaddr *)&a, len), 0);
	return fd;
}

Test(grants_refuse, connected_and_listening_inet_sockets_are_granted)
{
	int l = listening(AF_INET);

	expect_fd(connected_to(l, SOCK_STREAM), true);
	expect_fd(l, true);
}

Test(grants_refuse, inet_sockets_that_reach_whom_they_like_are_refused)
{
	int udp = bound(AF_INET, SOCK_DGRAM);

	expect_fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), false);
	expect_fd(socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0), false);
	expect_fd(bound(AF_INET, SOCK_STREAM), false);
	expect_fd(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), false);
	expect_fd(connected_to(udp, SOCK_DGRAM), false);
	expect_fd(udp, false);
}

Test(grants_refuse, a_connect_that_is_not_finished_is_refused)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	int l = bound(AF_INET, SOCK_STREAM), fill[16], fd = -1, i;
	struct tcp_info_state {
		uint8_t state;
	} info = { 0 };
	socklen_t len = sizeof(info);

	cr_assert_eq(listen(l, 0), 0);
	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	a.sin_port = htons(port_of(l));
	for (i = 0; i < 16; i++) {
		fill[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC |
						  SOCK_NONBLOCK, 0);
		(void)connect(fill[i], (struct sockaddr *)&a, sizeof(a));
	}
	fd = fill[15];
	/* TCP_INFO; its first byte is the state, 2 is SYN_SENT. */
	cr_assert_eq(getsockopt(fd, IPPROTO_TCP, 11, &info, &len), 0);
	cr_assert_eq(info.state, 2);
	expect_fd(fd, false);
	expect_fd(fill[0], true);
	for (i = 1; i < 15; i++)
		close(fill[i]);
	close(l);
}

Test(grants_refuse, only_connected_and_listening_unix_sockets_are_granted)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	int pair[2], l;

	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0,
				pair), 0);
	expect_fd(pair[0], true);
	expect_fd(pair[1], true);	/* the peer is gone: still no other */
	cr_assert_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0,
				pair), 0);
	expect_fd(pair[0], true);
	close(pair[1]);
	cr_assert_eq(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair),
		     0);
	expect_fd(pair[0], false);
	close(pair[1]);
	expect_fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), false);

	snprintf(un.sun_path, sizeof(un.sun_path), "%s/s", dir);
	l = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	cr_assert_eq(bind(l, (struct sockaddr *)&un, sizeof(un)), 0);
	expect_fd(dup(l), false);
	cr_assert_eq(listen(l, 1), 0);
	expect_fd(l, true);
}

Test(grants_refuse, sockets_of_other_families_are_refused)
{
	int fd;

	expect_fd(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE),
		  false);
	fd = socket(40 /* AF_VSOCK */, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0)
		expect_fd(fd, false);
	fd = socket(38 /* AF_ALG */, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd >= 0)
		expect_fd(fd, false);
	fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	if (fd >= 0)
		expect_fd(fd, false);
	fd = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP);
	if (fd >= 0)
		expect_fd(fd, false);
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 132 /* SCTP */);
	if (fd >= 0)
		expect_fd(fd, false);
}

Test(grants_refuse, inet_is_told_for_inet_sockets_only)
{
	int l = listening(AF_INET), pair[2];
	struct sbx_grant g[2];
	char target[64];

	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0,
				pair), 0);
	g[0] = fd_grant("a", pair[0], 0);
	g[1] = fd_grant("b", pair[1], 0);
	cr_assert_eq(open_all(g, 2), 0);
	cr_expect_not(out.inet);
	done();
	g[0].fd = l;
	cr_assert_eq(open_all(g, 2), 0);
	cr_expect(out.inet);
	done();
	snprintf(target, sizeof(target), "tcp:localhost:%u", port_of(l));
	g[0] = named(SBX_GRANT_CONNECT, "a", target, 0);
	cr_assert_eq(open_all(g, 2), 0);
	cr_expect(out.inet);
	done();
	close(l);
	close(pair[0]);
	close(pair[1]);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* fdmsg: datagrams into other room, and to who does not read. */
#include <sys/socket.h>

#include "base/fdmsg.h"

#include "help.h"

/* What the kernel takes in one message (SCM_MAX_FD). */
#define MOST_OF_A_PEER 253

static int pair[2] = { -1, -1 };
static int null_fd = -1;

static void make_pair(void)
{
	cr_assert_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0,
				pair), 0);
	null_fd = null_device();
	cr_assert_geq(null_fd, 0);
}

static void drop_pair(void)
{
	close(pair[0]);
	close(pair[1]);
	close(null_fd);
}

TestSuite(fdmsg_room, .init = make_pair, .fini = drop_pair, .timeout = 10);

/* Without any of our code. */
static int send_fds(const void *data, size_t len, size_t n)
{
	union {
		struct cmsghdr align;
		char buf[CMSG_SPACE(sizeof(int) * MOST_OF_A_PEER)];
	} ctl = { .buf = { 0 } };
	struct iovec iov = { .iov_base = (void *)(size_t)data,
			     .iov_len = len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (n > 0) {
		struct cmsghdr *c = &ctl.align;

		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int) * n);
		for (size_t i = 0; i < n; i++)
			memcpy(CMSG_DATA(c) + i * sizeof(int), &null_fd,
			       sizeof(int));
		msg.msg_control = ctl.buf;
		msg.msg_controllen = CMSG_SPACE(sizeof(int) * n);
	}
	return sendmsg(pair[0], &msg, MSG_NOSIGNAL) == (ssize_t)len ? 0 : -1;
}

static void send_ok(const char *text, size_t n)
{
	cr_assert_eq(send_fds(text, strlen(text), n), 0);
}

#define ROOM_FDS 16
#define ROOM_BYTES 64

static char room_data[ROOM_BYTES + 1];
static int room_fd[ROOM_FDS + 1];

static int receive_room(struct sbxi_fdmsg_room *room, size_t fds)
{
	*room = (struct sbxi_fdmsg_room){
		.data = room_data,
		.size = ROOM_BYTES,
		.fd = room_fd,
		.max_fds = fds,
	};
	room_data[ROOM_BYTES] = 'g';
	room_fd[ROOM_FDS] = 4711;
	return sbxi_fdmsg_recv_room(pair[1], room, 1);
}

static void expect_received(size_t n, int code)
{
	int before = n_open();
	struct sbxi_fdmsg_room room;

	cr_expect_eq(receive_room(&room, ROOM_FDS), code, "%zu", n);
	cr_expect_eq(room.n_fds, code == 1 ? n : 0, "%zu", n);
	cr_expect_eq(n_open(), before + (int)room.n_fds, "%zu", n);
	cr_expect_eq(room_fd[ROOM_FDS], 4711);
	for (size_t i = 0; i < room.n_fds; i++)
		close(room.fd[i]);
}

static void expect_room(size_t n, int code)
{
	send_ok("x", n);
	expect_received(n, code);
}

Test(fdmsg_room, other_room_takes_as_many_as_it_says)
{
	expect_room(0, 1);
	expect_room(1, 1);
	expect_room(ROOM_FDS - 1, 1);
	expect_room(ROOM_FDS, 1);
}

Test(fdmsg_room, one_too_many_for_other_room_is_a_protocol_error_and_none_leaks)
{
	expect_room(ROOM_FDS + 1, -EPROTO);
	expect_room(ROOM_FDS + 2, -EPROTO);
	expect_room(MOST_OF_A_PEER, -EPROTO);
	expect_room(1, 1);
}

/* The padding behind an odd number would hold one more. */
Test(fdmsg_room, of_an_odd_number_none_too_many_is_taken)
{
	struct sbxi_fdmsg_room room;
	int before = n_open();

	send_ok("x", ROOM_FDS);
	cr_expect_eq(receive_room(&room, ROOM_FDS - 1), -EPROTO);
	cr_expect_eq(room.n_fds, 0);
	cr_expect_eq(n_open(), before);
}

Test(fdmsg_room, room_for_none_takes_none)
{
	struct sbxi_fdmsg_room room;
	int before = n_open();

	send_ok("x", 1);
	cr_expect_eq(receive_room(&room, 0), -EPROTO);
	cr_expect_eq(n_open(), before);
	send_ok("x", 0);
	cr_expect_eq(receive_room(&room, 0), 1);
	cr_expect_eq(receive_room(&room, SBXI_FDMSG_FDS + 1), -EINVAL);
}

Test(fdmsg_room, a_datagram_longer_than_the_room_is_a_protocol_error)
{
	static const char data[ROOM_BYTES + 1];
	struct sbxi_fdmsg_room room;

	cr_assert_eq(send_fds(data, ROOM_BYTES, 1), 0);
	cr_expect_eq(receive_room(&room, ROOM_FDS), 1);
	cr_expect_eq(room.len, ROOM_BYTES);
	cr_expect_eq(room_data[ROOM_BYTES], 'g');
	close(room.fd[0]);
	cr_assert_eq(send_fds(data, ROOM_BYTES + 1, 1), 0);
	cr_expect_eq(receive_room(&room, ROOM_FDS), -EPROTO);
	cr_expect_eq(room.n_fds, 0);
	cr_expect_eq(room_data[ROOM_BYTES], 'g');
}

Test(fdmsg_room, a_pidfd_that_the_peer_had_attached_does_not_leak)
{
	struct sbxi_fdmsg_room room;
	int on = 1, before;

	/* Who has a dup of our end can switch that on. */
	if (setsockopt(pair[1], SOL_SOCKET, SBXI_SO_PASSPIDFD, &on,
		       sizeof(on)) < 0)
		cr_skip_test("this kernel sends no pidfd");
	before = n_open();
	for (size_t n = 0; n < 3; n++) {
		send_ok("x", n);
		cr_expect_eq(receive_room(&room, ROOM_FDS), -EPROTO);
		cr_expect_eq(room.n_fds, 0);
	}
	cr_expect_eq(n_open(), before);
	on = 0;
	cr_assert_eq(setsockopt(pair[1], SOL_SOCKET, SBXI_SO_PASSPIDFD, &on,
				sizeof(on)), 0);
	expect_room(2, 1);
}

Test(fdmsg_room, who_does_not_read_is_not_waited_for)
{
	int n = 0, rc;

	while ((rc = sbxi_fdmsg_send_now(pair[0], "x", 1, &null_fd, 1)) == 0)
		cr_assert_lt(++n, 100000);
	cr_expect_eq(rc, -EAGAIN);
	cr_expect_gt(n, 0);
	expect_received(1, 1);
	cr_expect_eq(sbxi_fdmsg_send_now(pair[0], "x", 1, NULL, 0), 0);
}

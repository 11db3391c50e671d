/* SPDX-License-Identifier: Apache-2.0 */
/* fdmsg: a hostile peer gets nothing into our table and nothing out of it. */
#include <sys/socket.h>

#include "base/fdmsg.h"

#include "help.h"

/* What the kernel takes in one message (SCM_MAX_FD). */
#define MOST_OF_A_PEER 253

static int pair[2] = { -1, -1 };
static int null_fd = -1;
static struct sbxi_fdmsg m;

static void make_pair(void)
{
	cr_assert_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0,
				pair), 0);
	null_fd = null_device();
	cr_assert_geq(null_fd, 0);
	m = (struct sbxi_fdmsg){ .len = 4711, .n_fds = 0 };
}

static void drop_pair(void)
{
	close(pair[0]);
	close(pair[1]);
	close(null_fd);
}

/* Control messages of n[0], n[1], ... descriptors: without any of our code. */
static int send_parts(int sock, const void *data, size_t len, const size_t *n,
		      size_t n_parts)
{
	union {
		struct cmsghdr align;
		char buf[4 * CMSG_SPACE(sizeof(int) * MOST_OF_A_PEER)];
	} ctl = { .buf = { 0 } };
	struct iovec iov = { .iov_base = (void *)(size_t)data,
			     .iov_len = len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	char *at = ctl.buf;

	for (size_t i = 0; i < n_parts; i++) {
		struct cmsghdr *c = (void *)at;

		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int) * n[i]);
		for (size_t k = 0; k < n[i]; k++)
			memcpy(CMSG_DATA(c) + k * sizeof(int), &null_fd,
			       sizeof(int));
		at += CMSG_SPACE(sizeof(int) * n[i]);
	}
	if (at > ctl.buf) {
		msg.msg_control = ctl.buf;
		msg.msg_controllen = (size_t)(at - ctl.buf);
	}
	return sendmsg(sock, &msg, MSG_NOSIGNAL) == (ssize_t)len ? 0 : -errno;
}

static int send_fds(const void *data, size_t len, size_t n)
{
	return send_parts(pair[0], data, len, &n, n > 0);
}

static void send_ok(const char *text, size_t n)
{
	cr_assert_eq(send_fds(text, strlen(text), n), 0, "%zu: %s", n,
		     strerror(errno));
}

static int receive(void)
{
	return sbxi_fdmsg_recv(pair[1], &m, 1);
}

/* All of them came, close-on-exec, and go again. */
static void expect_fds(size_t n)
{
	int before = n_open();

	cr_expect_eq(receive(), 1, "%zu descriptors", n);
	cr_assert_eq(m.n_fds, n, "%zu of %zu", m.n_fds, n);
	cr_expect_eq(n_open(), before + (int)n);
	for (size_t i = 0; i < n; i++) {
		cr_expect_eq(fcntl(m.fd[i], F_GETFD), FD_CLOEXEC);
		cr_expect(same_file(m.fd[i], null_fd));
	}
	sbxi_fdmsg_drop(&m);
	cr_expect_eq(m.n_fds, 0);
	cr_expect_eq(n_open(), before, "%zu descriptors", n);
}

static void expect_code(int code)
{
	int before = n_open(), rc = receive();

	cr_expect_eq(rc, code, "%d instead of %d", rc, code);
	cr_expect_eq(m.n_fds, 0);
	cr_expect_eq(n_open(), before, "descriptors leak");
}

TestSuite(fdmsg, .init = make_pair, .fini = drop_pair, .timeout = 10);

Test(fdmsg, none_to_seventeen_descriptors_arrive)
{
	for (size_t n = 0; n <= 17; n++) {
		send_ok("x", n);
		expect_fds(n);
		cr_expect_eq(m.len, 1);
		cr_expect_eq(m.data[0], 'x');
	}
}

Test(fdmsg, as_many_as_there_is_room_for_arrive)
{
	send_ok("x", SBXI_FDMSG_FDS - 1);
	expect_fds(SBXI_FDMSG_FDS - 1);
	send_ok("x", SBXI_FDMSG_FDS);
	expect_fds(SBXI_FDMSG_FDS);
}

Test(fdmsg, of_one_descriptor_too_many_none_leaks)
{
	int before = n_open();

	send_ok("x", SBXI_FDMSG_FDS + 1);
	cr_expect_lt(receive(), 0);
	cr_expect_eq(m.n_fds, 0);
	cr_expect_eq(n_open(), before);
}

Test(fdmsg, of_all_that_a_peer_can_send_none_leaks)
{
	int before = n_open();

	for (int i = 0; i < 20; i++) {
		send_ok("x", MOST_OF_A_PEER);
		cr_expect_lt(receive(), 0);
		cr_expect_eq(m.n_fds, 0);
	}
	cr_expect_eq(n_open(), before);
	send_ok("x", 3);
	expect_fds(3);
}

Test(fdmsg, one_descriptor_too_many_is_a_protocol_error)
{
	send_ok("x", SBXI_FDMSG_FDS + 1);
	expect_code(-EPROTO);
	send_ok("x", MOST_OF_A_PEER);
	expect_code(-EPROTO);
}

Test(fdmsg, two_control_messages_are_one_to_the_receiver)
{
	const size_t n[2] = { 2, 3 };

	cr_assert_eq(send_parts(pair[0], "x", 1, n, 2), 0);
	expect_fds(5);
}

Test(fdmsg, two_control_messages_do_not_hide_one_too_many)
{
	const size_t n[2] = { SBXI_FDMSG_FDS, 2 };
	int before = n_open();

	cr_assert_eq(send_parts(pair[0], "x", 1, n, 2), 0);
	cr_expect_lt(receive(), 0);
	cr_expect_eq(m.n_fds, 0);
	cr_expect_eq(n_open(), before);
}

static void pass_credentials(int on)
{
	cr_assert_eq(setsockopt(pair[1], SOL_SOCKET, SO_PASSCRED, &on,
				sizeof(on)), 0);
}

Test(fdmsg, a_foreign_control_message_is_a_protocol_error)
{
	static const size_t with[] = { 0, 1, 2, 17, 240, SBXI_FDMSG_FDS,
				       MOST_OF_A_PEER };

	pass_credentials(1);
	for (size_t i = 0; i < sizeof(with) / sizeof(*with); i++) {
		send_ok("x", with[i]);
		expect_code(-EPROTO);
	}
	pass_credentials(0);
	send_ok("x", 2);
	expect_fds(2);
}

Test(fdmsg, data_that_fills_the_buffer_arrives)
{
	static char data[SBXI_FDMSG_DATA];
	int before = n_open();

	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (char)(i * 7);
	cr_assert_eq(send_fds(data, sizeof(data), 3), 0);
	cr_expect_eq(receive(), 1);
	cr_expect_eq(m.len, sizeof(data));
	cr_expect_eq(memcmp(m.data, data, sizeof(data)), 0);
	cr_expect_eq(m.n_fds, 3);
	sbxi_fdmsg_drop(&m);
	cr_expect_eq(n_open(), before);
}

Test(fdmsg, truncated_data_is_a_protocol_error)
{
	static char data[SBXI_FDMSG_DATA + 1];

	cr_assert_eq(send_fds(data, sizeof(data), 0), 0);
	expect_code(-EPROTO);
	cr_assert_eq(send_fds(data, sizeof(data), 3), 0);
	expect_code(-EPROTO);
	cr_assert_eq(send_fds(data, sizeof(data), MOST_OF_A_PEER), 0);
	expect_code(-EPROTO);
	send_ok("x", 1);
	expect_fds(1);
}

Test(fdmsg, an_empty_datagram_leaves_no_descriptor_behind)
{
	int before = n_open();

	cr_assert_eq(send_fds("", 0, 3), 0);
	/* Who is told that this is the end has nothing to drop. */
	if (receive() > 0)
		sbxi_fdmsg_drop(&m);
	cr_expect_eq(m.n_fds, 0);
	cr_expect_eq(n_open(), before, "descriptors leak");
}

Test(fdmsg, with_nothing_there_it_does_not_wait)
{
	expect_code(-EAGAIN);
	send_ok("x", 1);
	expect_fds(1);
	expect_code(-EAGAIN);
}

Test(fdmsg, the_end_of_the_stream_is_zero)
{
	send_ok("last", 2);
	close(pair[0]);
	expect_fds(2);
	expect_code(0);
	cr_expect_eq(m.len, 0);
	expect_code(0);
}

Test(fdmsg, what_is_no_socket_is_an_error)
{
	cr_expect_eq(sbxi_fdmsg_recv(null_fd, &m, 1), -ENOTSOCK);
	cr_expect_eq(sbxi_fdmsg_recv(-1, &m, 1), -EBADF);
	cr_expect_eq(sbxi_fdmsg_send(null_fd, "x", 1, NULL, 0), -ENOTSOCK);
	cr_expect_eq(sbxi_fdmsg_send(-1, "x", 1, NULL, 0), -EBADF);
}

/* The peer ends and has not read all that we sent. */
static void end_with_unread_messages(void)
{
	cr_assert_eq(sbxi_fdmsg_send(pair[1], "unread", 6, NULL, 0), 0);
	cr_assert_eq(sbxi_fdmsg_send(pair[1], "unread", 6, &null_fd, 1), 0);
	send_ok("first", 1);
	send_ok("second", 0);
	close(pair[0]);
}

Test(fdmsg, a_peer_that_left_messages_unread_resets_the_connection)
{
	char buf[16];

	/* What the next test is about: if not, it proves nothing. */
	end_with_unread_messages();
	cr_assert_eq(recv(pair[1], buf, sizeof(buf), MSG_DONTWAIT), -1);
	cr_assert_eq(errno, ECONNRESET);
	cr_assert_eq(recv(pair[1], buf, sizeof(buf), MSG_DONTWAIT), 5);
}

Test(fdmsg, last_words_of_a_peer_that_left_messages_unread_are_heard)
{
	int before;

	end_with_unread_messages();
	before = n_open();
	cr_expect_eq(receive(), 1);
	cr_expect_eq(m.len, 5);
	cr_expect_eq(memcmp(m.data, "first", 5), 0);
	cr_expect_eq(m.n_fds, 1);
	sbxi_fdmsg_drop(&m);
	cr_expect_eq(receive(), 1);
	cr_expect_eq(m.len, 6);
	cr_expect_eq(memcmp(m.data, "second", 6), 0);
	cr_expect_eq(receive(), 0);
	cr_expect_eq(n_open(), before);
}

Test(fdmsg, what_is_sent_arrives_and_stays_the_senders)
{
	int fds[SBXI_FDMSG_FDS];

	for (size_t i = 0; i < SBXI_FDMSG_FDS; i++)
		fds[i] = null_fd;
	cr_assert_eq(sbxi_fdmsg_send(pair[0], "hello", 5, fds, 2), 0);
	expect_fds(2);
	cr_expect_eq(m.len, 5);
	cr_expect_eq(memcmp(m.data, "hello", 5), 0);
	cr_assert_eq(sbxi_fdmsg_send(pair[0], "hello", 5, NULL, 0), 0);
	expect_fds(0);
	cr_assert_eq(sbxi_fdmsg_send(pair[0], "hello", 5, fds,
				     SBXI_FDMSG_FDS), 0);
	expect_fds(SBXI_FDMSG_FDS);
	cr_expect(is_open(null_fd));
}

Test(fdmsg, too_many_are_not_sent)
{
	int fds[SBXI_FDMSG_FDS + 1];

	for (size_t i = 0; i <= SBXI_FDMSG_FDS; i++)
		fds[i] = null_fd;
	cr_expect_eq(sbxi_fdmsg_send(pair[0], "x", 1, fds,
				     SBXI_FDMSG_FDS + 1), -E2BIG);
	expect_code(-EAGAIN);
}

Test(fdmsg, a_descriptor_that_is_not_open_is_not_sent)
{
	int fds[2] = { null_fd, -1 };

	cr_expect_eq(sbxi_fdmsg_send(pair[0], "x", 1, fds, 2), -EBADF);
	expect_code(-EAGAIN);
}

Test(fdmsg, a_peer_that_is_gone_is_an_error_and_no_signal)
{
	signal(SIGPIPE, SIG_DFL);
	close(pair[1]);
	cr_expect_eq(sbxi_fdmsg_send(pair[0], "x", 1, NULL, 0), -EPIPE);
	cr_expect_eq(sbxi_fdmsg_send(pair[0], "x", 1, &null_fd, 1), -EPIPE);
}

Test(fdmsg, what_is_taken_is_not_dropped)
{
	int before = n_open(), fd;

	send_ok("x", 3);
	cr_assert_eq(receive(), 1);
	fd = sbxi_fdmsg_take(&m, 1);
	cr_expect_geq(fd, 3);
	cr_expect_eq(sbxi_fdmsg_take(&m, 1), -1, "taken twice");
	cr_expect_eq(sbxi_fdmsg_take(&m, 3), -1);
	cr_expect_eq(sbxi_fdmsg_take(&m, (size_t)-1), -1);
	sbxi_fdmsg_drop(&m);
	cr_expect_eq(n_open(), before + 1);
	cr_expect(same_file(fd, null_fd));
	cr_expect_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
	cr_expect_eq(sbxi_fdmsg_take(&m, 0), -1, "taken from nothing");
}

/* In a child: 3 and 4 are the sockets, 5 is /dev/null, then all is free. */
static int small_table(void)
{
	if (clear_table() < 0 ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -1;
	null_fd = null_device();
	return pair[1] == 4 && null_fd == 5 ? 0 : -1;
}

static int receive_with_room_for(int room, size_t sent, int code)
{
	HOLDS(small_table() == 0);
	HOLDS(send_fds("pid", 3, sent) == 0);
	HOLDS(limit_files(6 + (unsigned int)room) == 0);
	memset(m.data, 0, sizeof(m.data));
	HOLDS(receive() == code);
	HOLDS(m.n_fds == (code == 1 ? sent : 0));
	/* The data is there all the same. */
	HOLDS(memcmp(m.data, "pid", 3) == 0);
	sbxi_fdmsg_drop(&m);
	HOLDS(n_open_in(0, 300) == 6);
	/* And the stream goes on. */
	HOLDS(send_fds("x", 1, 0) == 0);
	HOLDS(receive() == 1 && m.len == 1);
	return 0;
}

static int no_room(void)
{
	return receive_with_room_for(0, 1, -EMFILE);
}

static int some_room(void)
{
	return receive_with_room_for(2, 5, -EMFILE);
}

static int one_short(void)
{
	return receive_with_room_for(4, 5, -EMFILE);
}

static int one_short_of_the_most(void)
{
	return receive_with_room_for(SBXI_FDMSG_FDS - 1, SBXI_FDMSG_FDS,
				     -EMFILE);
}

static int enough_room(void)
{
	return receive_with_room_for(5, 5, 1);
}

Test(fdmsg, with_our_table_full_none_leaks_and_the_data_is_there)
{
	expect_child(no_room);
	expect_child(some_room);
	expect_child(one_short);
	expect_child(one_short_of_the_most);
	expect_child(enough_room);
}

static int take_low_ones(void)
{
	int fd[3];

	HOLDS(small_table() == 0);
	close(0);
	close(1);
	close(2);
	HOLDS(send_fds("x", 1, 4) == 0);
	HOLDS(receive() == 1 && m.n_fds == 4);
	/* 0, 1 and 2 are the harness's, though free; 6 is fine. */
	HOLDS(m.fd[0] == 0 && m.fd[1] == 1 && m.fd[2] == 2 && m.fd[3] == 6);
	for (int i = 0; i < 3; i++) {
		fd[i] = sbxi_fdmsg_take(&m, (size_t)i);
		HOLDS(fd[i] >= 3);
		HOLDS(fcntl(fd[i], F_GETFD) == FD_CLOEXEC);
		HOLDS(same_file(fd[i], null_fd));
	}
	HOLDS(n_open_in(0, 3) == 0);
	HOLDS(sbxi_fdmsg_take(&m, 3) == 6);
	sbxi_fdmsg_drop(&m);
	HOLDS(n_open_in(0, 300) == 3 + 4);
	return 0;
}

Test(fdmsg, taking_moves_low_numbers_up)
{
	expect_child(take_low_ones);
}

static int take_without_room(void)
{
	HOLDS(small_table() == 0);
	close(0);
	HOLDS(send_fds("x", 1, 1) == 0);
	HOLDS(receive() == 1 && m.fd[0] == 0);
	HOLDS(limit_files(6) == 0);
	HOLDS(sbxi_fdmsg_take(&m, 0) == -1);
	sbxi_fdmsg_drop(&m);
	HOLDS(n_open_in(0, 300) == 5);
	HOLDS(!is_open(0));
	return 0;
}

Test(fdmsg, what_cannot_be_moved_up_is_closed)
{
	expect_child(take_without_room);
}

static int drop_low_ones(void)
{
	HOLDS(small_table() == 0);
	close(0);
	HOLDS(send_fds("x", 1, 2) == 0);
	HOLDS(receive() == 1 && m.fd[0] == 0);
	sbxi_fdmsg_drop(&m);
	HOLDS(n_open_in(0, 300) == 5);
	return 0;
}

Test(fdmsg, dropping_closes_number_zero_too)
{
	expect_child(drop_low_ones);
}

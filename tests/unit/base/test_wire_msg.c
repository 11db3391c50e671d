/* SPDX-License-Identifier: Apache-2.0 */
/* wire_msg: messages over a socket, and no descriptor that leaks. */
#include <sys/socket.h>

#include "base/fdmsg.h"
#include "base/wire.h"
#include "base/wire_bytes.h"

#include "help.h"

static int pair[2] = { -1, -1 };
static int null_fd = -1;
static struct sbxi_wire_msg m;
static uint8_t buf[SBX_WIRE_DATAGRAM + 1];
static struct sbxi_wire_out out;

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

TestSuite(wire_msg, .init = make_pair, .fini = drop_pair, .timeout = 10);

/* A message that says declared, and comes with sent descriptors. */
static void send_message(uint16_t type, size_t declared, size_t sent)
{
	const struct sbxi_wire_head h = { .type = type, .id = 9,
					  .n_fds = (uint32_t)declared };
	int fds[20];

	for (size_t i = 0; i < sent; i++)
		fds[i] = null_fd;
	sbxi_wire_begin(&out, buf, sizeof(buf), &h);
	cr_assert_eq(sbxi_wire_send(pair[0], &out, fds, sent), 0);
}

static void expect_code(int code)
{
	int before = n_open();
	int rc = sbxi_wire_recv(pair[1], &m);

	cr_expect_eq(rc, code, "%d, not %d", rc, code);
	cr_expect_eq(m.n_fds, 0);
	cr_expect_eq(n_open(), before);
}

Test(wire_msg, a_message_arrives_with_its_descriptors)
{
	int before = n_open(), fd;

	send_message(SBX_MSG_DELEGATE, 3, 3);
	cr_assert_eq(sbxi_wire_recv(pair[1], &m), 1);
	cr_expect_eq(m.head.type, SBX_MSG_DELEGATE);
	cr_expect_eq(m.head.id, 9);
	cr_expect_eq(m.n_fds, 3);
	fd = sbxi_wire_take(&m, 1);
	cr_expect_geq(fd, 3);
	cr_expect_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	cr_expect(same_file(fd, null_fd));
	cr_expect_eq(sbxi_wire_take(&m, 1), -1, "taken twice");
	cr_expect_eq(sbxi_wire_take(&m, 3), -1);
	sbxi_wire_drop(&m);
	cr_expect_eq(n_open(), before + 1);
	close(fd);
}

Test(wire_msg, with_nothing_there_it_does_not_wait)
{
	expect_code(-EAGAIN);
	send_message(SBX_MSG_LIST, 0, 0);
	expect_code(1);
	expect_code(-EAGAIN);
	close(pair[0]);
	expect_code(0);
}

Test(wire_msg, other_descriptors_than_declared_are_closed)
{
	send_message(SBX_MSG_DELEGATE, 2, 3);
	expect_code(-EPROTO);
	send_message(SBX_MSG_DELEGATE, 3, 2);
	expect_code(-EPROTO);
	send_message(SBX_MSG_LIST, 1, 1);
	expect_code(-EPROTO);
	send_message(SBX_MSG_LIST, 0, 1);
	expect_code(-EPROTO);
	send_message(SBX_MSG_ATTACH, 0, 0);
	expect_code(-EPROTO);
	send_message(99, SBX_WIRE_FDS, SBX_WIRE_FDS);
	expect_code(-EOPNOTSUPP);
	cr_expect_eq(m.head.id, 9);
	send_message(99, SBX_WIRE_FDS + 1, SBX_WIRE_FDS + 1);
	expect_code(-EPROTO);
	send_message(SBX_MSG_LIST, 0, 0);
	expect_code(1);
}

Test(wire_msg, junk_of_any_length_is_a_protocol_error)
{
	memset(buf, 'S', sizeof(buf));
	for (size_t len = 1; len < 200; len++) {
		cr_assert_eq(sbxi_fdmsg_send(pair[0], buf, len, &null_fd, 1),
			     0);
		expect_code(-EPROTO);
	}
	cr_assert_eq(sbxi_fdmsg_send(pair[0], buf, SBX_WIRE_DATAGRAM + 1,
				     &null_fd, 1), 0);
	expect_code(-EPROTO);
	cr_assert_eq(sbxi_fdmsg_send(pair[0], "", 0, &null_fd, 1), 0);
	expect_code(0);
}

/* In a child: the sockets, a file, and no room for what comes. */
static int full_table(void)
{
	const struct sbxi_wire_head h = { .type = SBX_MSG_REPLY, .id = 9,
					  .n_fds = 1 };

	HOLDS(clear_table() == 0);
	HOLDS(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) == 0);
	null_fd = null_device();
	sbxi_wire_begin(&out, buf, sizeof(buf), &h);
	sbxi_wire_put_text(&out, SBX_TAG_TEXT, "hello");
	HOLDS(sbxi_wire_send(pair[0], &out, &null_fd, 1) == 0);
	HOLDS(limit_files(6) == 0);
	HOLDS(sbxi_wire_recv(pair[1], &m) == -EMFILE);
	HOLDS(m.n_fds == 0 && m.head.id == 9 && m.head.type == SBX_MSG_REPLY);
	HOLDS(sbxi_wire_find(m.body, SBX_TAG_TEXT,
			     &(struct sbxi_wire_tag){ 0 }));
	HOLDS(n_open_in(0, 300) == 6);
	/* A count that is a lie is told from a full table. */
	sbxi_set(buf + 20, 17, 4);
	HOLDS(sbxi_fdmsg_send(pair[0], buf, out.len, &null_fd, 1) == 0);
	HOLDS(sbxi_wire_recv(pair[1], &m) == -EPROTO);
	HOLDS(sbxi_wire_recv(pair[1], &m) == -EAGAIN);
	return 0;
}

Test(wire_msg, with_a_full_table_the_message_is_known_all_the_same)
{
	expect_child(full_table);
}

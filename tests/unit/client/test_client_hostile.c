/* SPDX-License-Identifier: Apache-2.0 */
/*
 * client: a broker that does not keep to the protocol.  Here the test is the
 * broker, and says what it likes; whatever that is, the client ends the
 * channel or goes on, and keeps no descriptor.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <sandbox/client.h>

#include "base/fdmsg.h"
#include "base/wire.h"
#include "base/wire_bytes.h"

#include "../base/help.h"

static alignas(16) char storage[SBX_CLIENT_SIZE];
static struct sbx_client *c;
static struct sbx_error e;
static int door[2] = { -1, -1 }, chan = -1, null_fd = -1;
static struct sbxi_wire_msg m;
static uint8_t buf[SBX_WIRE_DATAGRAM];
static struct sbxi_wire_out out;
static struct sbx_answer answer;

static void begin(uint16_t type, uint64_t id, int32_t status, uint16_t flags,
		  size_t n_fds)
{
	const struct sbxi_wire_head h = { .type = type, .id = id,
					  .status = status, .flags = flags,
					  .n_fds = (uint32_t)n_fds };

	sbxi_wire_begin(&out, buf, sizeof(buf), &h);
}

static void say(size_t n_fds)
{
	int fds[20];

	for (size_t i = 0; i < n_fds; i++)
		fds[i] = null_fd;
	cr_assert_eq(sbxi_wire_send(chan, &out, fds, n_fds), 0);
}

static void start(void)
{
	cr_assert_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0,
				door), 0);
	null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	cr_assert_eq(sbx_client_init(storage, sizeof(storage), door[1], 0, &c,
				     &e), 0);
	cr_assert_eq(sbxi_wire_recv(door[0], &m), 1);
	cr_assert_eq(m.head.type, SBX_MSG_ATTACH);
	chan = sbxi_wire_take(&m, 0);
	sbxi_wire_drop(&m);
	begin(SBX_MSG_REPLY, 1, 0, 0, 0);
	say(0);
	answer = (struct sbx_answer)SBX_ANSWER_INIT;
}

static void stop(void)
{
	sbx_client_close(c);
	close(chan);
	close(door[0]);
	close(door[1]);
	close(null_fd);
}

TestSuite(client_hostile, .init = start, .fini = stop, .timeout = 30);

/* A request is on its way; its id, as the broker sees it. */
static uint64_t asked(void)
{
	struct sbx_ask a = SBX_ASK_INIT;
	uint64_t id = 0;

	a.kind = SBX_ASK_CONNECT;
	a.target = "tcp:host:1";
	cr_assert_eq(sbx_client_ask(c, &a, &id, &e), 0, "%s", e.text);
	cr_assert_eq(sbxi_wire_recv(chan, &m), 1);
	cr_assert_eq(m.head.id, id);
	cr_assert_eq(m.head.type, SBX_MSG_REQUEST);
	return id;
}

/* The channel is over, for good, and nothing is kept of what came. */
static void expect_end(int code)
{
	struct sbx_ask a = SBX_ASK_INIT;
	int fd = 4711, before = n_open() - (sbx_client_fd(c) >= 0), rc;
	uint64_t id = 4711;

	rc = sbx_client_receive(c, &answer, &e);
	cr_expect_eq(rc, code, "%d, not %d", rc, code);
	cr_expect_eq(sbx_client_fd(c), -1);
	cr_expect_eq(n_open(), before);
	a.kind = SBX_ASK_CONNECT;
	a.target = "tcp:host:1";
	cr_expect_eq(sbx_client_receive(c, &answer, &e), code);
	cr_expect_eq(sbx_client_request(c, &a, &fd, -1, &e), code);
	cr_expect_eq(sbx_client_ask(c, &a, &id, &e), code);
	cr_expect_eq(sbx_client_log(c, "x", -1, &e), code);
	cr_expect_eq(fd, 4711);
	cr_expect_eq(id, 4711);
}

static void expect_answer(uint64_t id, int status, bool with_fd)
{
	int before = n_open();

	cr_assert_eq(sbx_client_receive(c, &answer, &e), 1, "%s", e.text);
	cr_expect_eq(answer.id, id);
	cr_expect_eq(answer.status, status);
	cr_expect_eq(answer.fd >= 0, with_fd);
	cr_expect_eq(n_open(), before + with_fd);
	if (answer.fd >= 0)
		close(answer.fd);
}

Test(client_hostile, a_good_answer_is_one)
{
	begin(SBX_MSG_REPLY, asked(), 0, 0, 1);
	say(1);
	expect_answer(m.head.id, 0, true);
	begin(SBX_MSG_REPLY, asked(), -EACCES, 0, 0);
	say(0);
	expect_answer(m.head.id, -EACCES, false);
	cr_expect_eq(sbx_client_receive(c, &answer, &e), 0);
}

Test(client_hostile, the_end_is_told_after_what_came_before)
{
	uint64_t id = asked();

	begin(SBX_MSG_REPLY, id, 0, 0, 1);
	say(1);
	close(chan);
	chan = -1;
	expect_answer(id, 0, true);
	expect_end(-EPIPE);
}

Test(client_hostile, junk_ends_the_channel)
{
	(void)asked();
	cr_assert_eq(sbxi_fdmsg_send(chan, "junk", 4, &null_fd, 1), 0);
	expect_end(-EPROTO);
}

Test(client_hostile, an_empty_datagram_is_the_end)
{
	(void)asked();
	cr_assert_eq(sbxi_fdmsg_send(chan, "", 0, &null_fd, 1), 0);
	expect_end(-EPIPE);
}

Test(client_hostile, an_answer_to_nothing_ends_the_channel)
{
	begin(SBX_MSG_REPLY, 4711, 0, 0, 1);
	say(1);
	expect_end(-EPROTO);
}

Test(client_hostile, a_second_answer_ends_the_channel)
{
	uint64_t id = asked();

	begin(SBX_MSG_REPLY, id, -EACCES, 0, 0);
	say(0);
	say(0);
	expect_answer(id, -EACCES, false);
	expect_end(-EPROTO);
}

Test(client_hostile, a_message_of_the_task_ends_the_channel)
{
	begin(SBX_MSG_ATTACH, asked(), 0, 0, 1);
	say(1);
	expect_end(-EPROTO);
}

Test(client_hostile, an_unknown_type_ends_the_channel)
{
	begin(99, asked(), 0, 0, 2);
	say(2);
	expect_end(-EPROTO);
}

Test(client_hostile, a_yes_without_its_descriptor_ends_the_channel)
{
	begin(SBX_MSG_REPLY, asked(), 0, 0, 0);
	say(0);
	expect_end(-EPROTO);
}

Test(client_hostile, two_descriptors_end_the_channel)
{
	begin(SBX_MSG_REPLY, asked(), 0, 0, 2);
	say(2);
	expect_end(-EPROTO);
}

Test(client_hostile, another_number_than_declared_ends_the_channel)
{
	begin(SBX_MSG_REPLY, asked(), 0, 0, 1);
	say(2);
	expect_end(-EPROTO);
}

Test(client_hostile, a_no_with_a_descriptor_ends_the_channel)
{
	begin(SBX_MSG_REPLY, asked(), -EACCES, 0, 1);
	say(1);
	expect_end(-EPROTO);
}

Test(client_hostile, a_list_where_none_was_asked_for_ends_the_channel)
{
	begin(SBX_MSG_REPLY, asked(), 0, SBX_WIRE_MORE, 0);
	say(0);
	expect_end(-EPROTO);
}

Test(client_hostile, a_name_that_is_none_ends_the_channel)
{
	size_t mark;

	begin(SBX_MSG_REPLY, asked(), 0, 0, 1);
	mark = sbxi_wire_open(&out, SBX_TAG_GRANT);
	sbxi_wire_put_text(&out, SBX_TAG_NAME, "\033[2J");
	sbxi_wire_close(&out, mark);
	say(1);
	expect_end(-EPROTO);
}

Test(client_hostile, another_version_ends_the_channel)
{
	begin(SBX_MSG_REPLY, asked(), 0, 0, 0);
	sbxi_wire_finish(&out);
	buf[3] = 2;
	cr_assert_eq(sbxi_fdmsg_send(chan, buf, out.len, NULL, 0), 0);
	expect_end(-EPROTONOSUPPORT);
}

Test(client_hostile, a_channel_that_is_not_taken_says_why)
{
	int before = n_open();

	begin(SBX_MSG_REPLY, 1, -EAGAIN, 0, 0);
	sbxi_wire_put_text(&out, SBX_TAG_TEXT, "too many channels");
	say(0);
	cr_expect_eq(sbx_client_log(c, "x", -1, &e), -EAGAIN);
	cr_expect_str_eq(e.text, "too many channels");
	cr_expect_eq(n_open(), before - 1);
	expect_end(-EAGAIN);
}

/* What the client cannot understand it may not use: it is given back. */
Test(client_hostile, an_unknown_critical_tag_is_a_refusal_of_that_answer)
{
	uint64_t id = asked();
	size_t mark;

	begin(SBX_MSG_REPLY, id, 0, 0, 1);
	mark = sbxi_wire_open(&out, SBX_TAG_GRANT);
	sbxi_wire_put_text(&out, SBX_TAG_NAME, "g1");
	sbxi_wire_close(&out, mark);
	sbxi_wire_put(&out, 0x7ff0 | SBX_TAG_CRITICAL, "x", 1);
	say(1);
	expect_answer(id, -EOPNOTSUPP, false);
	cr_expect_str_eq(answer.grant.name, "");
	cr_assert_eq(sbxi_wire_recv(chan, &m), 1);
	cr_expect_eq(m.head.type, SBX_MSG_RELEASE);
	/* The same without the bit is an answer. */
	id = asked();
	begin(SBX_MSG_REPLY, id, 0, 0, 1);
	sbxi_wire_put(&out, 0x7ff0, "x", 1);
	say(1);
	expect_answer(id, 0, true);
}

Test(client_hostile, an_event_that_is_not_understood_is_a_lost_one)
{
	begin(SBX_MSG_EVENT, 0, 0, 0, 0);
	sbxi_wire_put_u32(&out, SBX_TAG_EVENT, SBX_EVENT_EXPIRED);
	sbxi_wire_put(&out, 0x7ff0 | SBX_TAG_CRITICAL, "x", 1);
	say(0);
	cr_assert_eq(sbx_client_receive(c, &answer, &e), 1);
	cr_expect_eq(answer.event, SBX_EVENT_LOST);
	cr_expect_eq(sbx_client_receive(c, &answer, &e), 0);
	begin(SBX_MSG_EVENT, 0, 0, 0, 0);
	say(0);
	expect_end(-EPROTO);
}

Test(client_hostile, the_end_of_a_sub_task_that_is_none_is_nothing)
{
	begin(SBX_MSG_EVENT, asked(), 0, 0, 0);
	sbxi_wire_put_u32(&out, SBX_TAG_EVENT, SBX_EVENT_EXIT);
	say(0);
	cr_expect_eq(sbx_client_receive(c, &answer, &e), 0);
	begin(SBX_MSG_REPLY, m.head.id, 0, 0, 1);
	say(1);
	expect_answer(m.head.id, 0, true);
}

Test(client_hostile, an_event_with_the_id_of_a_request_ends_the_channel)
{
	begin(SBX_MSG_EVENT, asked(), 0, 0, 0);
	sbxi_wire_put_u32(&out, SBX_TAG_EVENT, SBX_EVENT_EXPIRED);
	say(0);
	expect_end(-EPROTO);
}

Test(client_hostile, who_talks_without_end_does_not_hold_a_wait)
{
	struct sbx_ask a = SBX_ASK_INIT;
	int fd = 4711;

	/* Three events are there, and time is over before the first. */
	for (int i = 0; i < 3; i++) {
		begin(SBX_MSG_EVENT, 0, 0, 0, 0);
		sbxi_wire_put_u32(&out, SBX_TAG_EVENT, SBX_EVENT_EXPIRED);
		say(0);
	}
	a.kind = SBX_ASK_CONNECT;
	a.target = "tcp:host:1";
	cr_expect_eq(sbx_client_request(c, &a, &fd, 0, &e), -ETIMEDOUT);
	cr_expect_eq(fd, 4711);
}

/* It reads nothing: no call waits longer than it may. */
Test(client_hostile, who_reads_nothing_is_not_waited_for)
{
	struct sbx_ask a = SBX_ASK_INIT;
	uint64_t id;
	int rc, n = 0;

	a.kind = SBX_ASK_CONNECT;
	a.target = "tcp:host:1";
	for (;;) {
		rc = sbx_client_log(c, "x", 0, &e);
		cr_assert_eq(rc == -ETIMEDOUT || rc == -EAGAIN, 1, "%d", rc);
		if (rc == -EAGAIN || ++n == 1000)
			break;
	}
	cr_expect_eq(sbx_client_ask(c, &a, &id, &e), -EAGAIN);
	cr_expect_eq(sbx_client_request(c, &a, &rc, 0, &e), -EAGAIN);
}

Test(client_hostile, a_door_that_is_full_is_tried_again)
{
	static alignas(16) char room[SBX_CLIENT_SIZE];
	struct sbx_client *other = NULL;
	struct sbx_ask a = SBX_ASK_INIT;
	int n = 0, fd;
	uint64_t id;

	while (sbxi_fdmsg_send_now(door[1], "x", 1, NULL, 0) == 0)
		cr_assert_lt(++n, 100000);
	cr_assert_eq(sbx_client_init(room, sizeof(room), door[1], 0, &other,
				     &e), 0);
	a.kind = SBX_ASK_CONNECT;
	a.target = "tcp:host:1";
	cr_expect_eq(sbx_client_ask(other, &a, &id, &e), -EAGAIN);
	cr_expect_eq(sbx_client_request(other, &a, &fd, 20, &e), -ETIMEDOUT);
	cr_expect_eq(sbx_client_receive(other, &answer, &e), 0);
	while (n-- > 0)
		cr_assert_eq(sbxi_wire_recv(door[0], &m), -EPROTO);
	cr_expect_eq(sbx_client_ask(other, &a, &id, &e), 0);
	cr_assert_eq(sbxi_wire_recv(door[0], &m), 1);
	cr_expect_eq(m.head.type, SBX_MSG_ATTACH);
	sbxi_wire_drop(&m);
	sbx_client_close(other);
}

Test(client_hostile, what_is_too_late_and_cannot_be_given_back_is_closed)
{
	struct sbx_ask a = SBX_ASK_INIT;
	int before = n_open(), fd = 4711;

	a.kind = SBX_ASK_CONNECT;
	a.target = "tcp:host:1";
	cr_expect_eq(sbx_client_request(c, &a, &fd, 20, &e), -ETIMEDOUT);
	cr_assert_eq(sbxi_wire_recv(chan, &m), 1);
	begin(SBX_MSG_REPLY, m.head.id, 0, 0, 1);
	say(1);
	/* It bears no name that could be given back. */
	cr_expect_eq(sbx_client_receive(c, &answer, &e), 0);
	cr_expect_eq(n_open(), before);
	cr_assert_eq(sbxi_wire_recv(chan, &m), 1);
	cr_expect_eq(m.head.type, SBX_MSG_CANCEL);
	cr_expect_eq(sbxi_wire_recv(chan, &m), -EAGAIN);
}

Test(client_hostile, a_sub_task_without_a_number_ends_the_channel)
{
	const char *argv[] = { "true", NULL };
	struct sbx_delegate d = SBX_DELEGATE_INIT;
	uint64_t id = 4711;

	/* The id of the next message is known: the answer may wait for it. */
	d.argv = argv;
	begin(SBX_MSG_REPLY, 3, 0, 0, 0);
	(void)asked();
	say(0);
	cr_expect_eq(sbx_client_delegate(c, &d, &id, NULL, -1, &e), -EPROTO);
	cr_expect_eq(id, 4711);
	expect_end(-EPROTO);
}

/* In a child, which has a client of its own and then no room for more. */
static int full_table(void)
{
	struct sbx_ask a = SBX_ASK_INIT;
	uint64_t id = 0;
	size_t mark;

	HOLDS(clear_table() == 0);
	HOLDS(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, door) == 0);
	null_fd = null_device();
	HOLDS(sbx_client_init(storage, sizeof(storage), door[1], 0, &c,
			      NULL) == 0);
	HOLDS(sbxi_wire_recv(door[0], &m) == 1);
	chan = sbxi_wire_take(&m, 0);
	a.kind = SBX_ASK_CONNECT;
	a.target = "tcp:host:1";
	HOLDS(sbx_client_ask(c, &a, &id, NULL) == 0);
	HOLDS(sbxi_wire_recv(chan, &m) == 1);
	begin(SBX_MSG_REPLY, id, 0, 0, 1);
	mark = sbxi_wire_open(&out, SBX_TAG_GRANT);
	sbxi_wire_put_text(&out, SBX_TAG_NAME, "g1");
	sbxi_wire_close(&out, mark);
	HOLDS(sbxi_wire_send(chan, &out, &null_fd, 1) == 0);
	HOLDS(limit_files(3) == 0);
	HOLDS(sbx_client_receive(c, &answer, NULL) == 1);
	HOLDS(answer.status == -EMFILE && answer.fd == -1);
	HOLDS(sbxi_wire_recv(chan, &m) == 1);
	HOLDS(m.head.type == SBX_MSG_RELEASE);
	/* The channel goes on. */
	HOLDS(sbx_client_receive(c, &answer, NULL) == 0);
	return 0;
}

Test(client_hostile, what_there_is_no_room_for_is_given_back)
{
	expect_child(full_table);
}

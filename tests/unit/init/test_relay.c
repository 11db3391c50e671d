/* SPDX-License-Identifier: Apache-2.0 */
/* relay: all bytes pass, an end and a lost reader show, and nothing waits. */
#include "relay_test.h"

TestSuite(relay, .init = start, .timeout = 20);

Test(relay, each_stream_goes_its_way)
{
	struct ends a = connect_stream(0), b = connect_stream(1),
		    c = connect_stream(2);

	put_text(a.in, "input");
	put_text(b.in, "output");
	put_text(c.in, "error");
	settle();
	expect_out(a.out, "input", false);
	expect_out(b.out, "output", false);
	expect_out(c.out, "error", false);
	cr_expect_eq(r.output_bytes, 11, "input does not count");
	cr_expect_not(r.cut);
}

Test(relay, an_end_is_passed_on_after_the_last_byte)
{
	struct ends a = connect_stream(0), b = connect_stream(1);

	put_text(a.in, "last");
	put_text(b.in, "words");
	close_in(&a);
	close_in(&b);
	settle();
	expect_out(a.out, "last", true);
	expect_out(b.out, "words", true);
	cr_expect_eq(r.stream[1].from, -1);
	cr_expect_eq(r.stream[1].to, -1);
}

Test(relay, is_done_when_both_outputs_have_ended)
{
	struct ends a = connect_stream(0), b = connect_stream(1),
		    c = connect_stream(2);

	cr_expect_not(sbxi_relay_done(&r));
	close_in(&b);
	settle();
	cr_expect_not(sbxi_relay_done(&r));
	close_in(&c);
	settle();
	cr_expect(sbxi_relay_done(&r), "input is no reason to stay");
	put_text(a.in, "x");
	settle();
	expect_out(a.out, "x", false);
}

Test(relay, with_no_stream_it_is_done)
{
	cr_expect(sbxi_relay_done(&r));
	cr_expect_eq(turn(), 0);
}

Test(relay, is_not_done_while_bytes_wait)
{
	struct ends b = connect_stream(1);
	struct pollfd p[2];

	put_text(b.in, "waits");
	close_in(&b);
	sbxi_relay_poll(&r, 1, p);
	cr_assert_eq(poll(p, 2, 0), 1);
	sbxi_relay_move(&r, 1, p);
	cr_expect_not(sbxi_relay_done(&r));
	settle();
	cr_expect(sbxi_relay_done(&r));
	expect_out(b.out, "waits", true);
}

Test(relay, a_stream_can_be_given_up)
{
	struct ends a = connect_stream(0), b = connect_stream(1);

	sbxi_relay_close(&r, 0);
	cr_expect_eq(r.stream[0].from, -1);
	cr_expect_eq(r.stream[0].to, -1);
	cr_expect_eq(write(a.in, "x", 1), -1);
	cr_expect_eq(errno, EPIPE);
	expect_out(a.out, "", true);
	put_text(b.in, "goes on");
	settle();
	expect_out(b.out, "goes on", false);
	/* With what is on its way, and as often as one likes. */
	put_text(b.in, "never seen");
	cr_assert_eq(turn(), 1);
	sbxi_relay_close(&r, 1);
	sbxi_relay_close(&r, 1);
	expect_out(b.out, "", true);
	cr_expect(sbxi_relay_done(&r));
}

Test(relay, a_reader_that_is_gone_closes_the_stream_at_once)
{
	struct ends b = connect_stream(1);

	close(b.out);
	settle();
	cr_expect_eq(r.stream[1].from, -1);
	cr_expect_eq(r.stream[1].to, -1);
	cr_expect_eq(write(b.in, "x", 1), -1);
	cr_expect_eq(errno, EPIPE, "the writer learns it");
	cr_expect(sbxi_relay_done(&r));
}

Test(relay, a_reader_that_goes_while_bytes_wait_closes_the_stream)
{
	struct ends b = connect_stream(1);
	struct pollfd p[2];

	put_text(b.in, "waits");
	sbxi_relay_poll(&r, 1, p);
	cr_assert_eq(poll(p, 2, 0), 1);
	sbxi_relay_move(&r, 1, p);
	close(b.out);
	settle();
	cr_expect_eq(r.stream[1].from, -1);
	cr_expect(sbxi_relay_done(&r));
	cr_expect_eq(write(b.in, "x", 1), -1);
}

Test(relay, a_reader_of_a_socket_that_is_gone_closes_the_stream)
{
	struct ends b = connect_stream(1);
	int far = socket_out(1);

	put_text(b.in, "one");
	settle();
	expect_out(far, "one", false);
	close(far);
	settle();
	cr_expect_eq(r.stream[1].from, -1);
	cr_expect_eq(write(b.in, "x", 1), -1);
	cr_expect_eq(errno, EPIPE, "the writer learns it");
}

Test(relay, a_socket_that_only_stopped_to_write_still_reads)
{
	struct ends b = connect_stream(1);
	int far = socket_out(1);

	cr_assert_eq(shutdown(far, SHUT_WR), 0);
	settle();
	put_text(b.in, "still");
	settle();
	expect_out(far, "still", false);
}

/* Much, to a reader that takes it in odd pieces. */
static void expect_all(struct ends e, int reader)
{
	size_t sent = 0, got = 0, piece = 1;
	int idle = 0;

	make_data();
	fcntl(e.in, F_SETFL, O_NONBLOCK);
	fcntl(reader, F_SETFL, O_NONBLOCK);
	while (got < BIG && idle < 1000) {
		ssize_t n;

		idle++;
		if (sent < BIG) {
			n = write(e.in, data + sent,
				  BIG - sent < 9999 ? BIG - sent : 9999);
			sent += n > 0 ? (size_t)n : 0;
			if (sent == BIG)
				close(e.in);
		}
		turn();
		piece = piece * 7 % 6007;
		n = read(reader, out + got, piece);
		if (n > 0) {
			got += (size_t)n;
			idle = 0;
		}
	}
	cr_expect_eq(got, BIG, "%zu of %d", got, BIG);
	cr_expect_eq(memcmp(out, data, got), 0, "bytes differ");
}

Test(relay, loses_no_byte_to_a_slow_reader_of_a_pipe)
{
	struct ends b = connect_stream(1);

	cr_assert_gt(fcntl(b.out, F_SETPIPE_SZ, 4096), 0);
	expect_all(b, b.out);
	cr_expect_eq(r.output_bytes, BIG);
}

Test(relay, loses_no_byte_to_a_slow_reader_of_a_socket)
{
	struct ends b = connect_stream(1);
	int far = socket_out(1), size = 1;

	/* So small that it takes parts of what is offered. */
	cr_assert_eq(setsockopt(r.stream[1].to, SOL_SOCKET, SO_SNDBUF, &size,
				sizeof(size)), 0);
	expect_all(b, far);
}

Test(relay, loses_no_byte_of_input)
{
	struct ends a = connect_stream(0);

	expect_all(a, a.out);
	cr_expect_eq(r.output_bytes, 0);
}

Test(relay, loses_no_byte_of_a_file)
{
	struct ends a = connect_stream(0), b = connect_stream(1);
	size_t got = 0;
	int file;

	make_scratch();
	make_data();
	file = openat(scratch_fd, "file", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	put(file, data, BIG);
	cr_assert_eq(lseek(file, 0, SEEK_SET), 0);
	close(r.stream[0].from);
	r.stream[0].from = file;
	for (int i = 0; i < 100000 && got < BIG; i++) {
		ssize_t n;

		turn();
		fcntl(a.out, F_SETFL, O_NONBLOCK);
		n = read(a.out, out + got, BIG - got);
		got += n > 0 ? (size_t)n : 0;
	}
	cr_expect_eq(got, BIG);
	cr_expect_eq(memcmp(out, data, got), 0);
	/* And to one, behind what is there. */
	file = openat(scratch_fd, "file", O_RDWR | O_APPEND | O_CLOEXEC);
	close(r.stream[1].to);
	r.stream[1].to = file;
	r.stream[1].to_file = true;
	put_text(b.in, "more");
	for (int i = 0; i < 10; i++)
		turn();
	cr_expect_eq(pread(file, out, 10, BIG), 4);
	cr_expect_eq(memcmp(out, "more", 4), 0);
	drop_scratch();
}

/* As the supervisor does when the tree is gone; how often it had to wait. */
static int drain(int reader, size_t *ret_got)
{
	int turns = 0;

	*ret_got = 0;
	sbxi_relay_drain(&r);
	while (!sbxi_relay_done(&r) && turns < 10000) {
		ssize_t n;

		turn();
		turns++;
		n = get_some(reader, out + *ret_got, 3000);
		*ret_got += n > 0 ? (size_t)n : 0;
		sbxi_relay_drain(&r);
	}
	for (;;) {
		ssize_t n = get_some(reader, out + *ret_got, 3000);

		if (n <= 0)
			return turns;
		*ret_got += (size_t)n;
	}
}

Test(relay, what_the_task_has_written_is_drained_without_an_end)
{
	struct ends a = connect_stream(0), b = connect_stream(1),
		    c = connect_stream(2);
	size_t got;

	make_data();
	/* Whoever holds these ends, nobody waits for them. */
	put(b.in, data, 50000);
	cr_expect_lt(drain(b.out, &got), 10000);
	cr_expect(sbxi_relay_done(&r));
	cr_expect_eq(got, 50000, "%zu", got);
	cr_expect_eq(memcmp(out, data, 50000), 0);
	cr_expect_eq(r.output_bytes, 50000);
	expect_out(c.out, "", true);
	/* And nothing more is read from the harness. */
	cr_expect_eq(write(a.in, "x", 1), -1);
	expect_out(a.out, "", true);
}

Test(relay, what_waits_for_its_reader_is_not_drained_away)
{
	struct ends b = connect_stream(1);
	size_t got;

	cr_assert_gt(fcntl(r.stream[1].to, F_SETPIPE_SZ, 4096), 0);
	make_data();
	put(b.in, data, 20000);
	settle();
	/* The reader has not begun, and one buffer is on its way. */
	for (int i = 0; i < 5; i++)
		sbxi_relay_drain(&r);
	cr_expect_not(sbxi_relay_done(&r));
	drain(b.out, &got);
	cr_expect_eq(got, 20000, "%zu", got);
	cr_expect_eq(memcmp(out, data, 20000), 0);
}

Test(relay, with_nothing_written_draining_is_done_at_once)
{
	struct ends b = connect_stream(1), c = connect_stream(2);

	sbxi_relay_drain(&r);
	cr_expect(sbxi_relay_done(&r));
	expect_out(b.out, "", true);
	expect_out(c.out, "", true);
	sbxi_relay_drain(&r);
}

/* Full to the last byte, as another writer may have made it after poll. */
static void fill(int fd)
{
	static const char zeros[4096];
	int flags = fcntl(fd, F_GETFL);

	fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	while (write(fd, zeros, sizeof(zeros)) > 0)
		;
	while (write(fd, zeros, 1) > 0)
		;
	fcntl(fd, F_SETFL, flags);
}

Test(relay, never_waits_for_a_pipe_that_is_full)
{
	struct ends b = connect_stream(1);

	cr_assert_eq(fcntl(r.stream[1].to, F_GETFL) & O_NONBLOCK, 0);
	put_text(b.in, "later");
	fill(r.stream[1].to);
	settle();
	for (int i = 0; i < 5; i++)
		move_regardless(1);
	cr_expect_eq(fcntl(r.stream[1].to, F_GETFL) & O_NONBLOCK, 0);
	get(b.out, NULL);
	settle();
	expect_out(b.out, "later", false);
}

Test(relay, never_waits_for_a_socket_that_is_full)
{
	struct ends b = connect_stream(1);
	int far = socket_out(1);

	put_text(b.in, "later");
	fill(r.stream[1].to);
	settle();
	for (int i = 0; i < 5; i++)
		move_regardless(1);
	cr_expect_eq(fcntl(r.stream[1].to, F_GETFL) & O_NONBLOCK, 0);
	for (int i = 0; i < 100; i++) {
		get(far, NULL);
		if (strstr(out, "later") || turn() < 0)
			break;
	}
	cr_expect_eq(r.stream[1].len, r.stream[1].at);
}

Test(relay, never_waits_for_an_input_that_is_empty)
{
	struct ends a = connect_stream(0), b;
	int pair[2];

	cr_assert_eq(fcntl(r.stream[0].from, F_GETFL) & O_NONBLOCK, 0);
	for (int i = 0; i < 5; i++)
		move_regardless(0);
	cr_expect_eq(fcntl(r.stream[0].from, F_GETFL) & O_NONBLOCK, 0);
	put_text(a.in, "now");
	settle();
	expect_out(a.out, "now", false);
	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0,
				pair), 0);
	b = connect_stream(1);
	close(r.stream[1].from);
	r.stream[1].from = pair[0];
	move_regardless(1);
	put_text(pair[1], "now");
	settle();
	expect_out(b.out, "now", false);
}

/* A socket that has room for a part only, whatever poll() says. */
Test(relay, loses_no_byte_to_a_socket_that_takes_a_part)
{
	for (int used = 0; used < 5; used++) {
		struct ends b = connect_stream(1);
		int far = socket_out(1), size = 1;
		size_t got = 0;

		make_data();
		cr_assert_eq(setsockopt(r.stream[1].to, SOL_SOCKET, SO_SNDBUF,
					&size, sizeof(size)), 0);
		for (int i = 0; i < used; i++)
			cr_assert_eq(send(r.stream[1].to, "-", 1,
					  MSG_DONTWAIT), 1);
		put(b.in, data, SBXI_RELAY_BUFFER);
		for (int i = 0; i < 5; i++)
			move_regardless(1);
		for (int i = 0; i < 100; i++) {
			ssize_t n = recv(far, out + got, 100, MSG_DONTWAIT);

			got += n > 0 ? (size_t)n : 0;
			turn();
		}
		cr_expect_eq(got, SBXI_RELAY_BUFFER + (size_t)used);
		cr_expect_eq(memcmp(out + used, data, SBXI_RELAY_BUFFER), 0);
		close(r.stream[1].to);
		close(far);
	}
}

Test(relay, what_is_not_to_be_waited_for_is_not)
{
	struct pollfd p[2];

	sbxi_relay_poll(&r, 1, p);
	cr_expect_eq(p[0].fd, -1);
	cr_expect_eq(p[1].fd, -1);
	connect_stream(1);
	sbxi_relay_poll(&r, 1, p);
	cr_expect_eq(p[0].fd, r.stream[1].from);
	cr_expect_eq(p[0].events, POLLIN);
	cr_expect_eq(p[1].fd, r.stream[1].to);
	cr_expect_eq(p[1].events, 0, "or it would spin");
	r.stream[1].len = 1;
	sbxi_relay_poll(&r, 1, p);
	cr_expect_eq(p[0].fd, -1, "the buffer is full");
	cr_expect_eq(p[1].events, POLLOUT);
}

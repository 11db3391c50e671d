/* SPDX-License-Identifier: Apache-2.0 */
/* relay_test: streams between pipes, and turns of the supervisor's loop. */
#ifndef TESTS_UNIT_INIT_RELAY_TEST_H
#define TESTS_UNIT_INIT_RELAY_TEST_H

#include <poll.h>
#include <sys/socket.h>

#include "init/relay.h"
#include "kernel/plan.h"

#include "../base/help.h"

#define BIG 300000

static struct sbxi_relays r;

static inline void start(void)
{
	signal(SIGPIPE, SIG_IGN);
	r = (struct sbxi_relays){ .limit = SBXI_NO_LIMIT };
	for (int i = 0; i < 3; i++)
		r.stream[i].from = r.stream[i].to = -1;
}

/* The far ends of a stream: what is written to "in" comes out of "out". */
struct ends {
	int in, out;
};

static inline struct ends connect_stream(int i)
{
	int from[2], to[2];

	cr_assert_eq(pipe2(from, O_CLOEXEC), 0);
	cr_assert_eq(pipe2(to, O_CLOEXEC), 0);
	r.stream[i].from = from[0];
	r.stream[i].to = to[1];
	r.stream[i].counts = i > 0;
	/* What the supervisor has made itself is like this; others are not. */
	fcntl(i > 0 ? from[0] : to[1], F_SETFL, O_NONBLOCK);
	return (struct ends){ from[1], to[0] };
}

/* One round of all streams; how many descriptors had something to say. */
static inline int turn(void)
{
	struct pollfd p[6];
	int n;

	for (int i = 0; i < 3; i++)
		sbxi_relay_poll(&r, i, &p[2 * i]);
	n = poll(p, 6, 0);
	for (int i = 0; i < 3; i++)
		sbxi_relay_move(&r, i, &p[2 * i]);
	return n;
}

/* Until nothing happens.  A relay that spins would do so for ever. */
static inline void settle(void)
{
	int rounds = 0;

	while (turn() > 0)
		cr_assert_lt(++rounds, 100000, "the supervisor would spin");
}

static inline ssize_t get_some(int fd, char *buf, size_t size)
{
	fcntl(fd, F_SETFL, O_NONBLOCK);
	return read(fd, buf, size);
}

static inline void put(int fd, const void *data, size_t len)
{
	cr_assert_eq(write(fd, data, len), (ssize_t)len);
}

static inline void put_text(int fd, const char *text)
{
	put(fd, text, strlen(text));
}

static inline void close_in(struct ends *e)
{
	close(e->in);
	e->in = -1;
}

static char out[BIG + 7000];

/* All that is there now; *ret_last: 0 at its end, -1 if more may come. */
static inline size_t get(int fd, int *ret_last)
{
	size_t len = 0;
	ssize_t n;

	fcntl(fd, F_SETFL, O_NONBLOCK);
	while ((n = read(fd, out + len, sizeof(out) - 1 - len)) > 0)
		len += (size_t)n;
	out[len] = '\0';
	if (ret_last)
		*ret_last = (int)n;
	return len;
}

#define expect_out(fd, text, ended)                                     \
	do {                                                            \
		int last_;                                              \
		get(fd, &last_);                                        \
		cr_expect_str_eq(out, text, "'%s'", out);               \
		cr_expect_eq(last_ == 0, ended, "the end of " #fd);     \
	} while (0)

static char data[BIG];

static inline void make_data(void)
{
	uint32_t x = 1;

	for (size_t i = 0; i < BIG; i++) {
		x = x * 1664525u + 1013904223u;
		data[i] = (char)(x >> 24);
	}
}

static inline int socket_out(int i)
{
	int pair[2];

	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0,
				pair), 0);
	close(r.stream[i].to);
	r.stream[i].to = pair[0];
	return pair[1];
}

/* poll() said that all could be done, but that is no longer so. */
static inline void move_regardless(int i)
{
	struct pollfd p[2];

	sbxi_relay_poll(&r, i, p);
	p[0].revents = p[0].fd >= 0 ? POLLIN : 0;
	p[1].revents = p[1].events;
	sbxi_relay_move(&r, i, p);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * client_test: a client "c" with a broker of its own, for each test of a suite
 * whose .init and .fini are start and stop.
 */
#ifndef TESTS_UNIT_CLIENT_CLIENT_TEST_H
#define TESTS_UNIT_CLIENT_CLIENT_TEST_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <sandbox/client.h>

#include "fake_broker.h"

static alignas(16) char storage[SBX_CLIENT_SIZE];
static struct sbx_client *c;
static struct sbx_error e;
static int door = -1, log_fd = -1;
static pid_t broker;

static inline void start(void)
{
	char number[16];

	log_fd = memfd_create("log", MFD_CLOEXEC);
	broker = fake_broker_start(log_fd, &door);
	cr_assert_gt(broker, 0);
	snprintf(number, sizeof(number), "%d", door);
	setenv("SBX_BROKER_FD", number, 1);
	cr_assert_eq(sbx_client_init(storage, sizeof(storage), -1,
				     SBX_CLIENT_EVENTS, &c, &e), 0, "%s",
		     e.text);
}

static inline void stop(void)
{
	int st;

	sbx_client_close(c);
	close(door);
	cr_expect_eq(waitpid(broker, &st, 0), broker);
	cr_expect_eq(st, 0, "the broker did not end well");
	close(log_fd);
}

static inline int ask_for(uint32_t kind, const char *target, int *ret_fd,
		   int timeout_ms)
{
	struct sbx_ask a = SBX_ASK_INIT;

	a.kind = kind;
	a.target = target;
	return sbx_client_request(c, &a, ret_fd, timeout_ms, &e);
}

static inline void expect_content(int fd, const char *text)
{
	char buf[256] = "";

	cr_expect_geq(read(fd, buf, sizeof(buf) - 1), 0);
	cr_expect_str_eq(buf, text);
	cr_expect_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
}

/* What the broker has written down holds that line. */
static inline void expect_log(const char *line)
{
	static char all[65536];
	ssize_t n = pread(log_fd, all, sizeof(all) - 1, 0);

	cr_assert_geq(n, 0);
	all[n] = '\0';
	cr_expect(strstr(all, line), "no '%s' in\n%s", line, all);
}

static size_t n_held;
static struct sbx_held held[64];

static inline int keep(const struct sbx_held *h, void *userdata)
{
	cr_expect_eq(userdata, &n_held);
	cr_expect_eq(h->size, sizeof(*h));
	if (n_held < 64)
		held[n_held++] = *h;
	return 0;
}

static inline size_t list(void)
{
	n_held = 0;
	cr_assert_eq(sbx_client_list(c, keep, &n_held, -1, &e), 0, "%s",
		     e.text);
	return n_held;
}

static inline int n_open(void)
{
	int n = 0;

	for (int fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

#endif

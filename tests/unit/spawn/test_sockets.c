/* SPDX-License-Identifier: Apache-2.0 */
/* sockets: pairs and counters that the harness does not notice. */
#include <stdint.h>
#include <sys/socket.h>

#include "spawn/sockets.h"

#include "../base/help.h"

TestSuite(sockets, .timeout = 10);

static bool is_ready(int fd)
{
	return fd >= 3 && fcntl(fd, F_GETFD) == FD_CLOEXEC;
}

Test(sockets, a_pair_keeps_datagrams_apart)
{
	int before = n_open(), a = -1, b = -1, type = 0;
	socklen_t len = sizeof(type);
	char buf[16];

	cr_assert_eq(sbxi_socket_pair(&a, &b), 0);
	cr_expect(is_ready(a));
	cr_expect(is_ready(b));
	cr_expect_eq(n_open(), before + 2);
	cr_assert_eq(getsockopt(a, SOL_SOCKET, SO_TYPE, &type, &len), 0);
	cr_expect_eq(type, SOCK_SEQPACKET);
	cr_assert_eq(send(a, "one", 3, MSG_NOSIGNAL), 3);
	cr_assert_eq(send(a, "three", 5, MSG_NOSIGNAL), 5);
	cr_expect_eq(recv(b, buf, sizeof(buf), MSG_DONTWAIT), 3);
	cr_expect_eq(recv(b, buf, sizeof(buf), MSG_DONTWAIT), 5);
	cr_assert_eq(send(b, "back", 4, MSG_NOSIGNAL), 4);
	cr_expect_eq(recv(a, buf, sizeof(buf), MSG_DONTWAIT), 4);
	close(b);
	cr_expect_eq(recv(a, buf, sizeof(buf), 0), 0, "the end is seen");
	close(a);
}

Test(sockets, progress_sums_up_and_does_not_wait)
{
	int before = n_open(), fd = sbxi_progress_fd();
	uint64_t n = 0;

	cr_assert(is_ready(fd));
	cr_expect_eq(n_open(), before + 1);
	cr_expect_eq(read(fd, &n, sizeof(n)), -1);
	cr_expect_eq(errno, EAGAIN);
	n = 1u << 3;
	cr_assert_eq(write(fd, &n, sizeof(n)), 8);
	n = 1u << 7;
	cr_assert_eq(write(fd, &n, sizeof(n)), 8);
	cr_assert_eq(read(fd, &n, sizeof(n)), 8);
	cr_expect_eq(n, (1u << 3) + (1u << 7));
	close(fd);
}

static int with_low_numbers_free(void)
{
	int a = -1, b = -1, fd;

	/* Each number of free ones below 3. */
	HOLDS(clear_table() == 0);
	for (int low = 2; low >= 0; low--) {
		close(low);
		HOLDS(sbxi_socket_pair(&a, &b) == 0);
		fd = sbxi_progress_fd();
		HOLDS(is_ready(a) && is_ready(b) && is_ready(fd));
		HOLDS(send(a, "x", 1, MSG_NOSIGNAL) == 1);
		HOLDS(n_open_in(0, 3) == low);
		HOLDS(n_open_in(3, 64) == 3);
		close(a);
		close(b);
		close(fd);
	}
	return 0;
}

Test(sockets, low_numbers_stay_free)
{
	expect_child(with_low_numbers_free);
}

static int with_a_full_table(void)
{
	int a = 4711, b = 4712;

	HOLDS(clear_table() == 0);
	HOLDS(limit_files(3) == 0);
	HOLDS(sbxi_socket_pair(&a, &b) == -EMFILE);
	HOLDS(sbxi_progress_fd() == -EMFILE);
	HOLDS(limit_files(4) == 0);
	HOLDS(sbxi_socket_pair(&a, &b) == -EMFILE);
	HOLDS(n_open_in(0, 64) == 3);
	/* Room for both, but not to move one of them up. */
	close(0);
	HOLDS(sbxi_socket_pair(&a, &b) == -EMFILE);
	HOLDS(n_open_in(0, 64) == 2);
	close(1);
	HOLDS(sbxi_socket_pair(&a, &b) == -EMFILE);
	HOLDS(n_open_in(0, 64) == 1);
	HOLDS(a == 4711 && b == 4712);
	/* And the same of a counter. */
	HOLDS(null_device() == 0 && null_device() == 1 && null_device() == 3);
	close(0);
	HOLDS(sbxi_progress_fd() == -EMFILE);
	HOLDS(n_open_in(0, 64) == 3);
	close(3);
	HOLDS(sbxi_progress_fd() == 3);
	return 0;
}

Test(sockets, with_a_full_table_nothing_leaks)
{
	expect_child(with_a_full_table);
}

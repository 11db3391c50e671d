/* SPDX-License-Identifier: Apache-2.0 */
/* relay: both directions between the caller's descriptors and a pty. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "relay.h"

#define EOF_CHECK_MS 200
#define PTMX makedev(5, 2)	/* opening it makes another pair */

enum fd_index {
	IN,
	MASTER,
	OUT
};

/*
 * The same terminal or pipe by a file description of our own, which can be
 * non-blocking; -1 where it cannot be had, or is not needed.
 */
static int non_blocking_twin(int fd)
{
	struct stat st;
	char path[64];

	if (fstat(fd, &st) < 0 ||
	    !(S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode)) ||
	    (S_ISCHR(st.st_mode) && st.st_rdev == PTMX))
		return -1;
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

static bool is_socket(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode);
}

void cli_relay_init(struct cli_relay *r, struct cli_pty *pty)
{
	*r = (struct cli_relay){ .pty = pty, .out_fd = STDOUT_FILENO };
	r->last_in = '\n';
	r->out_is_socket = is_socket(STDOUT_FILENO);
	r->out_fd = non_blocking_twin(STDOUT_FILENO);
	r->out_is_twin = r->out_fd >= 0;
	if (!r->out_is_twin)
		r->out_fd = STDOUT_FILENO;
}

void cli_relay_done(struct cli_relay *r)
{
	if (r->out_is_twin)
		close(r->out_fd);
	r->out_is_twin = false;
	r->out_fd = STDOUT_FILENO;
}

/* For the input's end: look again later, or -1 if there is nothing to do. */
static int64_t eof_wait_ms(const struct cli_relay *r, int64_t now_ms)
{
	if (!r->in_eof || r->in.len > 0 || r->master_gone ||
	    r->pty->slave < 0)
		return -1;
	if (!r->eof_sent || now_ms >= r->eof_check_ms)
		return 0;
	return r->eof_check_ms - now_ms;
}

int cli_relay_prepare(struct cli_relay *r, int64_t now_ms,
		      struct pollfd fds[CLI_RELAY_FDS], int timeout_ms)
{
	bool wants_in = !r->in_eof && r->in.len == 0 && !r->master_gone;
	bool wants_out = r->out.len > 0;
	int64_t wait_ms = eof_wait_ms(r, now_ms);
	short master = 0;

	if (r->out.len == 0)
		master |= POLLIN;
	if (r->in.len > 0)
		master |= POLLOUT;
	/*
	 * A descriptor of which nothing is wanted is left out: poll(2) would
	 * tell of its hang-up without end.
	 */
	fds[IN] = (struct pollfd){ .fd = wants_in ? STDIN_FILENO : -1,
				   .events = POLLIN };
	fds[MASTER] = (struct pollfd){
		.fd = r->master_gone || !master ? -1 : r->pty->master,
		.events = master,
	};
	fds[OUT] = (struct pollfd){ .fd = wants_out ? r->out_fd : -1,
				    .events = POLLOUT };
	if (wait_ms >= 0 && (timeout_ms < 0 || wait_ms < timeout_ms))
		return (int)wait_ms;
	return timeout_ms;
}

static bool is_transient(int err)
{
	return err == EAGAIN || err == EINTR;
}

/* The master end tells of a closed or hung-up slave by EIO. */
static void read_master(struct cli_relay *r)
{
	ssize_t n = read(r->pty->master, r->out.data, sizeof(r->out.data));

	if (n > 0) {
		r->out.off = 0;
		r->out.len = (size_t)n;
	} else if (n == 0 || !is_transient(errno)) {
		r->master_gone = true;
	}
}

static void write_master(struct cli_relay *r)
{
	ssize_t n = write(r->pty->master, r->in.data + r->in.off, r->in.len);

	if (n > 0) {
		r->in.off += (size_t)n;
		r->in.len -= (size_t)n;
	} else if (n < 0 && !is_transient(errno)) {
		r->in.len = 0;	/* no one will read it */
	}
}

static void read_input(struct cli_relay *r)
{
	ssize_t n = read(STDIN_FILENO, r->in.data, sizeof(r->in.data));

	if (n > 0) {
		r->in.off = 0;
		r->in.len = (size_t)n;
		r->last_in = r->in.data[n - 1];
	} else if (n == 0 || !is_transient(errno)) {
		r->in_eof = true;
	}
}

static ssize_t write_some(const struct cli_relay *r)
{
	const char *data = r->out.data + r->out.off;
	size_t n = r->out.len;

	if (r->out_is_socket)
		return send(r->out_fd, data, n, MSG_DONTWAIT | MSG_NOSIGNAL);
	/* A pipe that polls writable takes PIPE_BUF bytes without blocking. */
	if (!r->out_is_twin && n > PIPE_BUF)
		n = PIPE_BUF;
	return write(r->out_fd, data, n);
}

/*
 * The reader of our output is gone.  The task sees what it would see of any
 * terminal that is: SIGHUP, and no more input and output.
 */
static void hang_up(struct cli_relay *r)
{
	r->master_gone = true;
	r->out.len = 0;
	cli_pty_close(r->pty);
}

static void write_output(struct cli_relay *r)
{
	ssize_t n = write_some(r);

	if (n > 0) {
		r->out.off += (size_t)n;
		r->out.len -= (size_t)n;
	} else if (n < 0 && !is_transient(errno)) {
		hang_up(r);
	}
}

/*
 * A terminal has no end of input, only a character that ends one read.  The
 * first behind a half line only passes that on, so it takes two.  It is sent
 * again whenever it was read and a line is waited for: the next reader, too,
 * is to see an end.
 */
static void send_eof(struct cli_relay *r, int64_t now_ms)
{
	char c = cli_pty_eof_char(r->pty);

	if (eof_wait_ms(r, now_ms) != 0)
		return;
	r->eof_check_ms = now_ms + EOF_CHECK_MS;
	if (r->eof_sent && !cli_pty_wants_line(r->pty))
		return;
	r->in.off = 0;
	if (!r->eof_sent && r->last_in != '\n')
		r->in.data[r->in.len++] = c;
	r->in.data[r->in.len++] = c;
	r->eof_sent = true;
}

void cli_relay_run(struct cli_relay *r, int64_t now_ms,
		   const struct pollfd fds[CLI_RELAY_FDS])
{
	short master = fds[MASTER].revents;

	/* A hang-up comes without POLLOUT; the write is what finds it out. */
	if (r->in.len > 0 && master & ~POLLIN)
		write_master(r);
	if (r->out.len == 0 && master & ~POLLOUT)
		read_master(r);
	if (fds[OUT].revents)
		write_output(r);
	if (fds[IN].revents)
		read_input(r);
	send_eof(r, now_ms);
}

void cli_relay_end_input(struct cli_relay *r)
{
	r->in_eof = true;
	r->in.len = 0;
	cli_pty_close_slave(r->pty);
}

bool cli_relay_is_drained(const struct cli_relay *r)
{
	return r->master_gone && r->out.len == 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* relay: standard streams that pass through the supervisor. */
#include "init/relay.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/text.h"
#include "kernel/plan.h"

#define DRAIN_ROUNDS 64	/* more than a pipe holds */
#define NOWAIT 0x8	/* RWF_NOWAIT, 4.14 */

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void close_stream(struct sbxi_relay *s)
{
	close_end(&s->from);
	close_end(&s->to);
	s->len = s->at = 0;
}

static bool pending(const struct sbxi_relay *s)
{
	return s->at < s->len;
}

void sbxi_relay_poll(const struct sbxi_relays *r, int i, struct pollfd *p)
{
	const struct sbxi_relay *s = &r->stream[i];

	/* With no events asked for, a reader that is gone still shows. */
	p[0] = (struct pollfd){ .fd = pending(s) ? -1 : s->from,
				.events = POLLIN };
	p[1] = (struct pollfd){ .fd = s->to,
				.events = pending(s) ? POLLOUT : 0 };
}

/* Pipes and sockets take RWF_NOWAIT since 6.5, some files never do. */
static bool lacks_nowait(ssize_t n)
{
	return n < 0 && (errno == EOPNOTSUPP || errno == ENOSYS);
}

static bool is_ready(int fd, short events)
{
	struct pollfd p = { .fd = fd, .events = events };

	if (poll(&p, 1, 0) == 1)
		return true;
	errno = EAGAIN;
	return false;
}

static ssize_t read_some(int fd, char *buf, size_t size)
{
	struct iovec v = { buf, size };
	ssize_t n = syscall(SYS_preadv2, fd, &v, 1, -1L, -1L, NOWAIT);

	if (!lacks_nowait(n))
		return n;
	n = recv(fd, buf, size, MSG_DONTWAIT);
	if (n >= 0 || errno != ENOTSOCK)
		return n;
	return is_ready(fd, POLLIN) ? read(fd, buf, size) : -1;
}

/* A pipe that is ready has room for this much at once. pipe(7) */
static ssize_t write_when_ready(int fd, const char *buf, size_t size)
{
	ssize_t n = send(fd, buf, size, MSG_DONTWAIT | MSG_NOSIGNAL);

	if (n >= 0 || errno != ENOTSOCK)
		return n;
	if (!is_ready(fd, POLLOUT))
		return -1;
	return write(fd, buf, size < PIPE_BUF ? size : PIPE_BUF);
}

static ssize_t write_some(const struct sbxi_relay *s)
{
	const char *buf = s->buf + s->at;
	size_t size = s->len - s->at;
	struct iovec v = { (void *)(uintptr_t)buf, size };
	int fd = s->to;
	ssize_t n;

	/* Some file systems answer EAGAIN to every write that waits for disk. */
	if (s->to_file)
		return write(fd, buf, size);
	n = syscall(SYS_pwritev2, fd, &v, 1, -1L, -1L, NOWAIT);
	return lacks_nowait(n) ? write_when_ready(fd, buf, size) : n;
}

static bool try_again(void)
{
	return errno == EAGAIN || errno == EINTR;
}

/* Keep what is within the limit, and put the mark where the rest would be. */
static void count(struct sbxi_relays *r, struct sbxi_relay *s)
{
	uint64_t room = r->limit - r->output_bytes;
	struct sbxi_text t = { .buf = s->buf, .size = sizeof(s->buf) };

	if (s->cut) {
		s->len = 0;
		s->dropped = true;
		return;
	}
	if (r->limit == SBXI_NO_LIMIT || s->len <= room) {
		r->output_bytes += s->len;
		return;
	}
	r->output_bytes += room;
	r->cut = s->cut = true;
	t.len = (size_t)room;
	sbxi_text_add(&t, "\n[sbx: output cut at ");
	sbxi_text_number(&t, r->limit);
	sbxi_text_add(&t, " bytes]\n");
	s->len = (uint32_t)t.len;
}

static void pull(struct sbxi_relays *r, struct sbxi_relay *s)
{
	ssize_t n = read_some(s->from, s->buf, SBXI_RELAY_BUFFER);

	s->dropped = false;
	if (n < 0 && try_again())
		return;
	if (n <= 0) {
		close_stream(s);
		return;
	}
	s->at = 0;
	s->len = (uint32_t)n;
	if (s->counts)
		count(r, s);
}

static void push(struct sbxi_relay *s)
{
	ssize_t n;

	if (!pending(s))
		return;
	n = write_some(s);
	if (n < 0 && try_again())
		return;
	if (n < 0)
		close_stream(s);
	else
		s->at += (uint32_t)n;
}

void sbxi_relay_move(struct sbxi_relays *r, int i, const struct pollfd *p)
{
	struct sbxi_relay *s = &r->stream[i];

	/* The reader is gone: the writer must learn it by SIGPIPE. */
	if (p[1].fd >= 0 && (p[1].revents & (POLLERR | POLLHUP | POLLNVAL))) {
		close_stream(s);
		return;
	}
	if (p[0].fd >= 0 && (p[0].revents & (POLLIN | POLLHUP | POLLERR)))
		pull(r, s);
	else if (p[1].revents & POLLOUT)
		push(s);
}

void sbxi_relay_close(struct sbxi_relays *r, int i)
{
	close_stream(&r->stream[i]);
}

void sbxi_relay_drain(struct sbxi_relays *r)
{
	close_stream(&r->stream[0]);
	for (int i = 1; i < 3; i++) {
		struct sbxi_relay *s = &r->stream[i];

		if (s->from < 0 || pending(s))
			continue;
		/* Ours does not block: what is there comes at once. */
		pull(r, s);
		/* Whoever was given the other end may go on writing for ever. */
		for (int k = 0; k < DRAIN_ROUNDS && s->from >= 0 &&
				s->dropped; k++)
			pull(r, s);
		if (!pending(s))
			close_stream(s);
	}
}

bool sbxi_relay_done(const struct sbxi_relays *r)
{
	for (int i = 1; i < 3; i++)
		if (r->stream[i].from >= 0 || pending(&r->stream[i]))
			return false;
	return true;
}

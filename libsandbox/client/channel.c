/* SPDX-License-Identifier: Apache-2.0 */
/*
 * channel: messages out, messages in, and who waits for which.
 *
 * The socket is never switched to non-blocking, which its other users would
 * notice; each call says for itself that it does not wait.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fdmsg.h"
#include "base/text.h"
#include "client/client.h"

uint64_t sbxi_client_until(int timeout_ms)
{
	if (timeout_ms < 0)
		return UINT64_MAX;
	return sbxi_now_ms() + (uint64_t)timeout_ms;
}

bool sbxi_client_late(uint64_t until)
{
	return until != UINT64_MAX && sbxi_now_ms() >= until;
}

int sbxi_client_check(const struct sbx_client *c)
{
	if (c->pid != getpid())
		return -ECHILD;
	if (c->busy)
		return -EBUSY;
	return c->dead;
}

static void close_door(struct sbx_client *c)
{
	if (c->door >= 0)
		close(c->door);
	if (c->other >= 0)
		close(c->other);
	c->door = c->other = -1;
}

int sbxi_client_die(struct sbx_client *c, int why)
{
	if (c->dead == 0)
		c->dead = sbxi_client_code(why);
	if (c->sock >= 0)
		close(c->sock);
	c->sock = -1;
	close_door(c);
	return c->dead;
}

int sbxi_client_attach(struct sbx_client *c)
{
	struct sbxi_wire_head head = {
		.type = SBX_MSG_ATTACH,
		.flags = c->flags & SBX_CLIENT_EVENTS ? SBX_WIRE_EVENTS : 0,
		.id = 1,
		.n_fds = 1,
	};
	uint8_t buf[SBX_WIRE_HEADER];
	struct sbxi_wire_out out;
	int rc;

	if (c->door < 0)
		return 0;
	sbxi_wire_begin(&out, buf, sizeof(buf), &head);
	rc = sbxi_wire_send(c->door, &out, &c->other, 1);
	/* Too many sockets in flight: of the whole user, and not for long. */
	if (rc == -ETOOMANYREFS)
		rc = -EAGAIN;
	if (rc == 0)
		close_door(c);
	return rc;
}

/* Wait for events of one socket; EINTR goes on, for the time does, too. */
static int wait_for(int fd, short events, uint64_t until)
{
	struct pollfd p = { .fd = fd, .events = events };

	for (;;) {
		uint64_t now = sbxi_now_ms();
		int ms = -1, rc;

		if (until != UINT64_MAX) {
			if (now >= until)
				return -ETIMEDOUT;
			ms = until - now > INT_MAX ? INT_MAX :
						     (int)(until - now);
		}
		rc = poll(&p, 1, ms);
		if (rc > 0)
			return 0;
		if (rc < 0 && errno != EINTR)
			return -errno;
	}
}

int sbxi_client_poll(struct sbx_client *c, uint64_t until)
{
	int rc;

	/* What is not told of the channel yet answers nothing. */
	while ((rc = sbxi_client_attach(c)) == -EAGAIN) {
		rc = wait_for(c->door, POLLOUT, until);
		if (rc < 0)
			return rc;
	}
	if (rc < 0)
		return sbxi_client_die(c, rc);
	return wait_for(c->sock, POLLIN, until);
}

struct sbxi_pending *sbxi_client_find(struct sbx_client *c, uint64_t id)
{
	for (size_t i = 0; i < SBXI_CLIENT_PENDING; i++)
		if (c->pending[i].waits != SBXI_NOBODY &&
		    c->pending[i].id == id)
			return &c->pending[i];
	return NULL;
}

size_t sbxi_client_open_count(const struct sbx_client *c)
{
	size_t n = 0;

	for (size_t i = 0; i < SBXI_CLIENT_PENDING; i++)
		n += c->pending[i].waits == SBXI_QUEUE ||
		     c->pending[i].waits == SBXI_TASK;
	for (size_t i = 0; i < c->n_queue; i++)
		n += c->queue[i].id != 0;
	return n;
}

static struct sbxi_pending *free_entry(struct sbx_client *c)
{
	for (size_t i = 0; i < SBXI_CLIENT_PENDING; i++)
		if (c->pending[i].waits == SBXI_NOBODY)
			return &c->pending[i];
	return NULL;
}

struct sbxi_pending *sbxi_client_begin(struct sbx_client *c,
				       struct sbxi_wire_out *out,
				       uint16_t type, size_t n_fds)
{
	struct sbxi_wire_head head = {
		.type = type,
		.n_fds = (uint32_t)n_fds,
	};
	struct sbxi_pending *p = free_entry(c);

	if (!p)
		return NULL;
	head.id = ++c->last_id;
	sbxi_wire_begin(out, c->out, sizeof(c->out), &head);
	*p = (struct sbxi_pending){
		.id = head.id,
		.type = type,
		.waits = SBXI_FORGOTTEN,
	};
	return p;
}

/* As long as the broker reads nothing it may wait for us to read. */
static int wait_to_send(struct sbx_client *c, uint64_t until)
{
	int rc;

	if (c->door >= 0)
		return wait_for(c->door, POLLOUT, until);
	rc = wait_for(c->sock, POLLOUT | POLLIN, until);
	if (rc < 0)
		return rc;
	rc = sbxi_client_pump(c);
	return rc < 0 ? rc : 0;
}

int sbxi_client_post(struct sbx_client *c, struct sbxi_pending *p,
		     struct sbxi_wire_out *out, const int *fds, size_t n_fds,
		     uint64_t until)
{
	int rc;

	for (;;) {
		rc = sbxi_client_attach(c);
		if (rc == 0)
			rc = sbxi_wire_send(c->sock, out, fds, n_fds);
		if (rc != -EAGAIN || until == 0)
			break;
		rc = wait_to_send(c, until);
		if (rc < 0)
			break;
	}
	if (rc == 0)
		return 0;
	p->waits = SBXI_NOBODY;
	if (rc == -EPIPE || rc == -ECONNRESET)
		return sbxi_client_die(c, -EPIPE);
	return rc;
}

/* What came too late goes back; if even that fails, it ends with the task. */
static void give_back(struct sbx_client *c, const struct sbx_answer *a)
{
	uint8_t buf[SBX_WIRE_HEADER + 128];
	struct sbxi_wire_head head = { .type = SBX_MSG_RELEASE };
	struct sbxi_pending *p = free_entry(c);
	struct sbxi_wire_out out;

	if (a->fd >= 0)
		close(a->fd);
	if (!p || (a->grant.name[0] == '\0' && a->task == 0))
		return;
	head.id = ++c->last_id;
	sbxi_wire_begin(&out, buf, sizeof(buf), &head);
	if (a->task != 0)
		sbxi_wire_put_u64(&out, SBX_TAG_TASK, a->task);
	else
		sbxi_wire_put_text(&out, SBX_TAG_NAME, a->grant.name);
	*p = (struct sbxi_pending){
		.id = head.id,
		.type = SBX_MSG_RELEASE,
		.waits = SBXI_FORGOTTEN,
	};
	if (sbxi_wire_send(c->sock, &out, NULL, 0) < 0)
		p->waits = SBXI_NOBODY;
}

static void queue(struct sbx_client *c, const struct sbx_answer *a)
{
	size_t n_events = 0;

	for (size_t i = 0; i < c->n_queue; i++)
		n_events += c->queue[i].id == 0;
	/* Room for what has an id was counted when it was sent. */
	if (a->id == 0 && n_events >= SBXI_CLIENT_EVENTS) {
		c->lost = true;
		return;
	}
	c->queue[c->n_queue++] = *a;
}

static int take_event(struct sbx_client *c, const struct sbx_answer *a)
{
	struct sbxi_pending *p = NULL;

	if (a->event == SBX_EVENT_LOST) {
		c->lost = true;
		return 1;
	}
	if (a->id != 0) {
		p = sbxi_client_find(c, a->id);
		/* Nobody waits for the end of a sub-task given back. */
		if (!p || p->waits != SBXI_TASK)
			return 1;
		p->waits = SBXI_NOBODY;
	}
	queue(c, a);
	return 1;
}

/* One datagram of a list; the last has no SBX_WIRE_MORE. */
static void take_list(struct sbx_client *c, struct sbxi_wire_tags body)
{
	struct sbxi_wire_tag t;
	struct sbx_held held;

	while (c->listed == 0 && sbxi_wire_next(&body, &t)) {
		if (t.tag != SBX_TAG_GRANT)
			continue;
		sbxi_client_held(sbxi_wire_inside(&t), &held);
		c->busy = true;
		c->listed = c->list(&held, c->userdata);
		c->busy = false;
	}
}

/* A reply is there, and a is its owner of what came along. */
static void settle(struct sbx_client *c, struct sbxi_pending *p,
		   const struct sbx_answer *a)
{
	enum sbxi_waits waits = p->waits;

	if (waits == SBXI_CALLER) {
		*p->into = *a;
		p->done = true;
		return;
	}
	p->waits = SBXI_NOBODY;
	if (waits == SBXI_QUEUE)
		queue(c, a);
	else if (a->status == 0 && (p->type == SBX_MSG_REQUEST ||
				    p->type == SBX_MSG_DELEGATE))
		give_back(c, a);
	else if (a->fd >= 0)
		close(a->fd);
}

static int take_reply(struct sbx_client *c, struct sbx_answer *a)
{
	struct sbxi_wire_msg *m = &c->in;
	struct sbxi_pending *p = sbxi_client_find(c, a->id);

	if (!p || p->waits == SBXI_TASK || p->done)
		return -EPROTO;
	if (p->type != SBX_MSG_LIST && m->head.flags & SBX_WIRE_MORE)
		return -EPROTO;
	if (p->type == SBX_MSG_LIST && c->list_id == p->id &&
	    p->waits == SBXI_CALLER)
		take_list(c, m->body);
	if (m->head.flags & SBX_WIRE_MORE)
		return 1;
	if (a->status == 0 && p->brings_fd != (m->n_fds > 0))
		return -EPROTO;
	if (a->status == 0 && p->type == SBX_MSG_DELEGATE && a->task == 0)
		return -EPROTO;
	if (m->n_fds > 0) {
		a->fd = sbxi_wire_take(m, 0);
		if (a->fd < 0)
			a->status = -EMFILE;
	}
	settle(c, p, a);
	return 1;
}

/* The broker takes the channel, or says why not. */
static int take_attached(struct sbx_client *c, const struct sbx_answer *a)
{
	struct sbxi_text text = SBXI_TEXT(c->dead_text);

	if (c->in.n_fds > 0 || c->in.head.flags != 0)
		return -EPROTO;
	if (a->status == 0)
		return 1;
	sbxi_text_add(&text, a->text);
	return a->status;
}

static int dispatch(struct sbx_client *c)
{
	struct sbx_answer a;
	int rc = sbxi_client_answer(&c->in, &a);

	if (rc < 0)
		return rc;
	if (a.type == SBX_ANSWER_EVENT)
		return take_event(c, &a);
	if (a.id == 1)
		return take_attached(c, &a);
	return take_reply(c, &a);
}

/* It was allowed, and something of it cannot be had here: give it back. */
static int refuse(struct sbx_client *c, int code)
{
	struct sbxi_pending *p = sbxi_client_find(c, c->in.head.id);
	struct sbx_answer a;

	if (c->in.head.type == SBX_MSG_EVENT) {
		c->lost = true;
		return 1;
	}
	if (!p || c->in.head.type != SBX_MSG_REPLY ||
	    p->waits == SBXI_TASK || p->done ||
	    sbxi_client_answer(&c->in, &a) < 0)
		return -EPROTO;
	give_back(c, &a);
	a.status = code;
	a.task = 0;
	a.grant.name[0] = '\0';
	settle(c, p, &a);
	return 1;
}

int sbxi_client_pump(struct sbx_client *c)
{
	int rc = sbxi_wire_recv(c->sock, &c->in);

	if (rc == -EAGAIN)
		return 0;
	if (rc == 0)
		return sbxi_client_die(c, -EPIPE);
	if (rc == -EMFILE || rc == -EOPNOTSUPP)
		rc = refuse(c, rc);
	else if (rc == 1)
		rc = dispatch(c);
	sbxi_wire_drop(&c->in);
	return rc < 0 ? sbxi_client_die(c, rc) : rc;
}

int sbxi_client_await(struct sbx_client *c, struct sbxi_pending *p,
		      uint64_t until)
{
	int rc;

	while (!p->done) {
		rc = sbxi_client_pump(c);
		if (rc == 0)
			rc = sbxi_client_poll(c, until);
		else if (rc > 0 && !p->done && sbxi_client_late(until))
			rc = -ETIMEDOUT;
		if (rc < 0)
			return rc;
	}
	p->waits = SBXI_NOBODY;
	return 0;
}

int sbxi_client_forget(struct sbx_client *c, struct sbxi_pending *p, bool tell)
{
	struct sbxi_pending *cancel;
	struct sbxi_wire_out out;

	p->waits = SBXI_FORGOTTEN;
	p->into = NULL;
	if (!tell)
		return 0;
	cancel = sbxi_client_begin(c, &out, SBX_MSG_CANCEL, 0);
	if (!cancel)
		return -EAGAIN;
	sbxi_wire_put_u64(&out, SBX_TAG_ID, p->id);
	return sbxi_client_post(c, cancel, &out, NULL, 0, 0);
}

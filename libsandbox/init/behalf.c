/* SPDX-License-Identifier: Apache-2.0 */
/* behalf: the supervisor acts on the task's behalf. */
#include "init/behalf.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sandbox/policy.h>
#include <sandbox/task.h>

#include "base/cleanup.h"
#include "base/fdmsg.h"

#define RETRY_MS 5
#define AT_ONCE 16	/* calls in a row before the rest gets its turn */

void sbxi_behalf_init(struct sbxi_behalf *b, const struct sbxi_jail *jail,
		      pid_t target)
{
	AUTO_FD s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	socklen_t size = sizeof(b->netns);

	b->jail = jail;
	b->listener = b->terminal = -1;
	b->session = target;
	sbxi_tell_init(&b->tell, jail->ctl);
	sbxi_peers_init(&b->peers);
	for (size_t i = 0; i < SBXI_BEHALF_SOCKETS; i++)
		b->made[i] = -1;
	/* 0 is nobody's: then no inet socket is thought to be our own. */
	if (s < 0 || getsockopt(s, SOL_SOCKET, SBXI_SO_NETNS_COOKIE, &b->netns,
				&size) < 0)
		b->netns = 0;
}

void sbxi_behalf_listen(struct sbxi_behalf *b)
{
	static struct sbxi_fdmsg msg;

	if (b->jail->listener[0] < 0)
		return;
	/* A target that is a copy may not have come so far yet. */
	if (sbxi_fdmsg_recv(b->jail->listener[0], &msg, 0) == 1) {
		b->listener = sbxi_fdmsg_take(&msg, 0);
		b->terminal = sbxi_fdmsg_take(&msg, 1);
	}
	sbxi_fdmsg_drop(&msg);
	close(b->jail->listener[0]);
}

void sbxi_behalf_poll(const struct sbxi_behalf *b, struct pollfd *ret)
{
	*ret = (struct pollfd){ .fd = b->listener, .events = POLLIN };
}

int sbxi_behalf_timeout(const struct sbxi_behalf *b)
{
	return b->n_waiting > 0 ? RETRY_MS : -1;
}

bool sbxi_behalf_knows_names(const struct sbxi_behalf *b, int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return false;
	for (size_t i = 0; i < b->n_linked; i++)
		if (b->linked[i].ino == st.st_ino &&
		    b->linked[i].dev == st.st_dev)
			return true;
	return false;
}

void sbxi_behalf_note_name(struct sbxi_behalf *b, int fd)
{
	struct stat st;

	if (b->n_linked == SBXI_BEHALF_LINKS || fstat(fd, &st) < 0 ||
	    sbxi_behalf_knows_names(b, fd))
		return;
	b->linked[b->n_linked++] = (struct sbxi_linked){ st.st_dev,
							  st.st_ino };
}

static void tell_of(struct sbxi_behalf *b, const struct sbxi_call *c,
		    uint32_t kind, const struct sbxi_where *w, int code)
{
	const struct sbxi_denied d = {
		.kind = kind,
		.call = c->n.nr,
		.code = code,
		.object = w->path,
		.near = sbxi_where_grant(b->jail, w),
		.flags = sbxi_where_exists(w) ? SBX_DENIAL_EXISTS : 0,
	};

	sbxi_tell(&b->tell, &d);
}

int sbxi_behalf_refuse(struct sbxi_behalf *b, const struct sbxi_call *c,
		       uint32_t kind, const struct sbxi_where *w, int code)
{
	/* Nobody looks where nobody wants to know. */
	if (b->tell.wanted && w->path[0] == '/')
		tell_of(b, c, kind, w, code);
	b->outside[0] = '\0';
	return code;
}

int sbxi_behalf_judge(struct sbxi_behalf *b, const struct sbxi_call *c,
		      const struct sbxi_where *w, enum sbxi_change change)
{
	int rc = sbxi_where_judge(b->jail, w, change);

	if (rc == -EPERM)
		return sbxi_behalf_refuse(b, c, SBX_DENIAL_TRUST, w, rc);
	if (rc < 0)
		return sbxi_behalf_refuse(b, c, SBX_DENIAL_WRITE, w, rc);
	/* Mounts may refuse it all the same. */
	if (w->path[0] == '/' && !sbxi_where_grant(b->jail, w))
		memcpy(b->outside, w->path, strlen(w->path) + 1);
	return 0;
}

int sbxi_behalf_judge_read(struct sbxi_behalf *b, const struct sbxi_call *c,
			   const struct sbxi_where *w)
{
	int rc = sbxi_where_judge_read(b->jail, w);

	return rc < 0 ? sbxi_behalf_refuse(b, c, SBX_DENIAL_READ, w, rc) : 0;
}

/* A filter without us would have refused it by itself. */
static void refuse_call(struct sbxi_behalf *b, struct sbxi_call *c)
{
	const struct sbxi_denied d = {
		.kind = SBX_DENIAL_SYSCALL,
		.call = c->n.nr,
		.code = -EPERM,
		.object = "",
	};

	sbxi_tell(&b->tell, &d);
	sbxi_call_return(c, -EPERM);
}

/*
 * What the mounts have refused where nothing was granted.  Other errors are
 * about what the task has made itself, in its private folders.
 */
static void tell_outside(struct sbxi_behalf *b, const struct sbxi_call *c)
{
	const struct sbxi_denied d = {
		.kind = SBX_DENIAL_WRITE,
		.call = c->n.nr,
		.code = c->code,
		.object = b->outside,
	};

	if (b->outside[0] && c->code == -EROFS)
		sbxi_tell(&b->tell, &d);
}

static sbxi_handler handler_of(int nr)
{
	sbxi_handler h = sbxi_behalf_open(nr);

	if (!h)
		h = sbxi_behalf_names(nr);
	if (!h)
		h = sbxi_behalf_metadata(nr);
	if (!h)
		h = sbxi_behalf_reads(nr);
	if (!h)
		h = sbxi_behalf_signals(nr);
	if (!h)
		h = sbxi_behalf_own(nr);
	return h ? h : sbxi_behalf_sockets(nr);
}

/* True if it is done with. */
static bool serve(struct sbxi_behalf *b, struct sbxi_call *c)
{
	sbxi_handler h = handler_of(c->n.nr);

	b->outside[0] = '\0';
	if (!h)
		refuse_call(b, c);
	else if (!h(b, c))
		return false;
	tell_outside(b, c);
	/* A handler that forgot it must not leave a thread asleep. */
	sbxi_call_return(c, -EIO);
	return true;
}

static void keep(struct sbxi_behalf *b, const struct sbxi_call *c, int socket,
		 int flags)
{
	b->waiting[b->n_waiting++] = (struct sbxi_waiting){
		.call = *c,
		.socket = socket,
		.flags = flags,
	};
}

bool sbxi_behalf_connecting(struct sbxi_behalf *b, const struct sbxi_call *c,
			    int socket, int flags)
{
	if (b->n_waiting == SBXI_BEHALF_WAITING)
		return false;
	keep(b, c, socket, flags);
	return true;
}

/* True if the connection stands, or never will. */
static bool is_connected(struct sbxi_waiting *w)
{
	struct pollfd p = { .fd = w->socket, .events = POLLOUT };
	socklen_t size = sizeof(int);
	int error = 0;

	if (poll(&p, 1, 0) == 0)
		return false;
	if (getsockopt(w->socket, SOL_SOCKET, SO_ERROR, &error, &size) < 0)
		error = errno;
	(void)fcntl(w->socket, F_SETFL, w->flags);
	sbxi_closep(&w->socket);
	sbxi_call_return(&w->call, -error);
	return true;
}

static bool is_done(struct sbxi_behalf *b, struct sbxi_waiting *w)
{
	if (!sbxi_call_is_alive(&w->call)) {
		sbxi_closep(&w->socket);
		return true;
	}
	return w->socket >= 0 ? is_connected(w) : serve(b, &w->call);
}

static void serve_waiting(struct sbxi_behalf *b)
{
	for (size_t i = b->n_waiting; i-- > 0;)
		if (is_done(b, &b->waiting[i]))
			b->waiting[i] = b->waiting[--b->n_waiting];
}

static void serve_new(struct sbxi_behalf *b)
{
	struct sbxi_call c;

	if (sbxi_call_receive(&c, b->listener, b->jail->proc) < 0)
		return;
	if (serve(b, &c))
		return;
	if (b->n_waiting == SBXI_BEHALF_WAITING)
		sbxi_call_return(&c, -EAGAIN);
	else
		keep(b, &c, -1, 0);
}

static bool has_more(const struct sbxi_behalf *b)
{
	struct pollfd p;

	sbxi_behalf_poll(b, &p);
	return poll(&p, 1, 0) == 1 && (p.revents & POLLIN);
}

void sbxi_behalf_serve(struct sbxi_behalf *b, const struct pollfd *p)
{
	serve_waiting(b);
	if (b->listener < 0)
		return;
	if (p->revents & POLLIN)
		for (int i = 0; i < AT_ONCE && (i == 0 || has_more(b)); i++)
			serve_new(b);
	/* Nobody is left who could ask. */
	else if (p->revents) {
		close(b->listener);
		b->listener = -1;
	}
}

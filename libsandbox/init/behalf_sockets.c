/* SPDX-License-Identifier: Apache-2.0 */
/*
 * behalf_sockets: connect, bind, pairs of datagram sockets, memory files.
 *
 * A socket file is connected to only if this jail has made it, or if it was
 * granted by its own path: what a host has left in a granted tree leads out of
 * the jail.  An inet socket is the jail's own if it is of our own network
 * namespace; in tier B that is the harness's, so none is.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <sandbox/task.h>

#include "base/cleanup.h"
#include "base/kconst.h"
#include "base/text.h"
#include "init/behalf.h"
#include "init/where.h"

#define PATIENCE_US 20000

union address {
	struct sockaddr any;
	struct sockaddr_un un;
	struct sockaddr_storage storage;
};

struct socket {
	int fd;
	int family;
	int flags;		/* of its description */
	union address address;
	socklen_t size;
};

static bool is_same_file(int fd, const struct stat *st)
{
	struct stat mine;

	return fd >= 0 && fstat(fd, &mine) == 0 && mine.st_ino == st->st_ino &&
	       mine.st_dev == st->st_dev;
}

static bool has_made(const struct sbxi_behalf *b, int file)
{
	struct stat st;

	if (fstat(file, &st) < 0)
		return false;
	for (size_t i = 0; i < SBXI_BEHALF_SOCKETS; i++)
		if (is_same_file(b->made[i], &st))
			return true;
	return false;
}

/* Held as long as it has a name: its number cannot be another's meanwhile. */
static int *free_place(struct sbxi_behalf *b)
{
	for (size_t i = 0; i < SBXI_BEHALF_SOCKETS; i++) {
		struct stat st;

		if (b->made[i] >= 0 && fstat(b->made[i], &st) == 0 &&
		    st.st_nlink > 0)
			continue;
		sbxi_closep(&b->made[i]);
		b->made[i] = -1;
		return &b->made[i];
	}
	return NULL;
}

/* Granted by a path of its own, not by a tree that it lies in. */
static bool is_granted(const struct sbxi_jail *jail, const char *path)
{
	const struct sbxi_plan_path *all = sbxi_plan_paths(jail->plan);

	for (size_t i = 0; i < jail->plan->n_paths; i++)
		if (S_ISSOCK(all[i].id.type) && (all[i].rights & SBX_WRITE) &&
		    !strcmp(sbxi_plan_string(jail->plan, all[i].dest), path))
			return true;
	return false;
}

static void drop(struct socket *s)
{
	sbxi_closep(&s->fd);
}

#define AUTO_SOCKET __attribute__((cleanup(drop))) struct socket

/* The socket and the address of connect(2) and bind(2). */
static int take(struct sbxi_call *c, struct socket *ret)
{
	socklen_t size = sizeof(ret->family);

	ret->fd = -1;
	if (c->n.args[2] > sizeof(ret->address) ||
	    c->n.args[2] < sizeof(sa_family_t))
		return -EINVAL;
	ret->size = (socklen_t)c->n.args[2];
	int rc = sbxi_call_read(c, c->n.args[1], &ret->address, ret->size);
	if (rc < 0)
		return rc;
	ret->fd = sbxi_call_take_fd(c, (int)c->n.args[0]);
	if (ret->fd < 0)
		return ret->fd;
	if (getsockopt(ret->fd, SOL_SOCKET, SO_DOMAIN, &ret->family, &size) < 0)
		return -errno;
	ret->flags = fcntl(ret->fd, F_GETFL);
	return ret->flags < 0 ? -errno : 0;
}

static bool is_ours(const struct sbxi_behalf *b, const struct socket *s)
{
	uint64_t cookie = 0;
	socklen_t size = sizeof(cookie);

	return b->jail->tier == SBX_TIER_A && b->netns != 0 &&
	       getsockopt(s->fd, SOL_SOCKET, SBXI_SO_NETNS_COOKIE, &cookie,
			  &size) == 0 &&
	       cookie == b->netns;
}

static void on_alarm(int sig)
{
	(void)sig;
}

/*
 * A sibling may take O_NONBLOCK away at any moment: then a timer gets us out.
 */
static int connect_at_once(int fd, const union address *a, socklen_t size)
{
	const struct sigaction sa = { .sa_handler = on_alarm };
	const struct itimerval soon = { .it_interval.tv_usec = PATIENCE_US,
					.it_value.tv_usec = PATIENCE_US };
	const struct itimerval never = { .it_value.tv_usec = 0 };
	int rc;

	(void)sigaction(SIGALRM, &sa, NULL);
	(void)setitimer(ITIMER_REAL, &soon, NULL);
	rc = connect(fd, &a->any, size) < 0 ? -errno : 0;
	(void)setitimer(ITIMER_REAL, &never, NULL);
	return rc;
}

/* 0 or -errno; -EINPROGRESS with a blocking socket: to be waited for. */
static int start(struct socket *s, const union address *a, socklen_t size)
{
	int rc;

	if (!(s->flags & O_NONBLOCK) &&
	    fcntl(s->fd, F_SETFL, s->flags | O_NONBLOCK) < 0)
		return -errno;
	rc = connect_at_once(s->fd, a, size);
	if (rc == -EINTR)
		rc = -EAGAIN;
	if (!(s->flags & O_NONBLOCK) && rc != -EINPROGRESS)
		(void)fcntl(s->fd, F_SETFL, s->flags);
	return rc;
}

/* "tcp:192.0.2.1:443", as a grant would have it. */
static void name_address(const struct socket *s, char *to, size_t size)
{
	const struct sockaddr_in *in4 = (const void *)&s->address;
	const struct sockaddr_in6 *in6 = (const void *)&s->address;
	bool is6 = s->address.any.sa_family == AF_INET6;
	struct sbxi_text t = { .buf = to, .size = size };
	char host[INET6_ADDRSTRLEN] = "";
	socklen_t n = sizeof(int);
	int type = 0;

	to[0] = '\0';
	if (s->size < (is6 ? sizeof(*in6) : sizeof(*in4)))
		return;
	(void)getsockopt(s->fd, SOL_SOCKET, SO_TYPE, &type, &n);
	if (!inet_ntop(s->address.any.sa_family,
		       is6 ? (const void *)&in6->sin6_addr
			   : (const void *)&in4->sin_addr,
		       host, sizeof(host)))
		return;
	sbxi_text_add(&t, type == SOCK_STREAM ? "tcp:" : "udp:");
	sbxi_text_add(&t, is6 ? "[" : "");
	sbxi_text_add(&t, host);
	sbxi_text_add(&t, is6 ? "]:" : ":");
	sbxi_text_number(&t, ntohs(is6 ? in6->sin6_port : in4->sin_port));
}

/* Nothing leads there from the jail's own network. */
static void tell_network(struct sbxi_behalf *b, const struct sbxi_call *c,
			 const struct socket *s, int code)
{
	char name[INET6_ADDRSTRLEN + 16];
	const struct sbxi_denied d = {
		.kind = SBX_DENIAL_NETWORK,
		.call = c->n.nr,
		.code = code,
		.object = name,
	};

	if (code != -EPERM && code != -ENETUNREACH && code != -EHOSTUNREACH)
		return;
	name_address(s, name, sizeof(name));
	sbxi_tell(&b->tell, &d);
}

static bool connect_inet(struct sbxi_behalf *b, struct sbxi_call *c,
			 struct socket *s)
{
	int rc = is_ours(b, s) ? start(s, &s->address, s->size) : -EPERM;

	if (rc == -EINPROGRESS && !(s->flags & O_NONBLOCK)) {
		if (sbxi_behalf_connecting(b, c, s->fd, s->flags)) {
			s->fd = -1;
			c->answered = true;	/* by whoever waits for it */
			return true;
		}
		(void)fcntl(s->fd, F_SETFL, s->flags);
		rc = -EAGAIN;
	}
	tell_network(b, c, s, rc);
	sbxi_call_return(c, rc);
	return true;
}

/* A path in an address need not end in NUL. */
static void path_in(const struct socket *s, char *to)
{
	size_t n = s->size - offsetof(struct sockaddr_un, sun_path);

	memcpy(to, s->address.un.sun_path, n);
	to[n] = '\0';
}

static bool has_path(const struct socket *s)
{
	return s->size > offsetof(struct sockaddr_un, sun_path) &&
	       s->size <= sizeof(struct sockaddr_un) &&
	       s->address.un.sun_path[0] != '\0';
}

/* The socket file's address by our own descriptor of it. */
static socklen_t address_of(int file, union address *ret)
{
	char path[40];
	struct sbxi_text t = SBXI_TEXT(path);

	sbxi_text_add(&t, "/proc/self/fd/");
	sbxi_text_number(&t, (uint64_t)(unsigned int)file);
	*ret = (union address){ .un.sun_family = AF_UNIX };
	memcpy(ret->un.sun_path, path, t.len + 1);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + t.len + 1);
}

static int find_file(struct sbxi_behalf *b, struct sbxi_call *c,
		     const struct socket *s, int *ret_file)
{
	AUTO_WHERE w = SBXI_WHERE_INIT;
	char path[sizeof(s->address.un.sun_path) + 1];
	AUTO_FD file = -1;
	struct stat st;
	int rc;

	path_in(s, path);
	rc = sbxi_where_find_name(c, AT_FDCWD, path, SBXI_WHERE_FOLLOW, &w);
	if (rc == 0)
		rc = file = sbxi_where_hold(&w);
	if (rc < 0)
		return rc;
	if (fstat(file, &st) < 0 || !S_ISSOCK(st.st_mode))
		return -ECONNREFUSED;
	if (!has_made(b, file) && !is_granted(b->jail, w.path))
		return sbxi_behalf_refuse(b, c, SBX_DENIAL_SOCKET, &w, -EACCES);
	*ret_file = sbxi_steal_fd(&file);
	return 0;
}

/* What others may have made abstract is kept apart by Landlock's scope. */
static bool abstract_is_scoped(const struct sbxi_jail *jail)
{
	return jail->tier == SBX_TIER_A || jail->facts.landlock_abi >= 6;
}

/* false: nobody accepts yet, and the task would wait. */
static bool connect_unix(struct sbxi_behalf *b, struct sbxi_call *c,
			 struct socket *s)
{
	union address a = s->address;
	socklen_t size = s->size;
	AUTO_FD file = -1;
	int rc = 0;

	if (s->address.any.sa_family == AF_UNIX && has_path(s)) {
		rc = find_file(b, c, s, &file);
		size = rc == 0 ? address_of(file, &a) : 0;
	} else if (s->address.any.sa_family == AF_UNIX &&
		   !abstract_is_scoped(b->jail)) {
		rc = -EPERM;
	}
	if (rc == 0)
		rc = start(s, &a, size);
	if (rc == 0)
		sbxi_peers_note(&b->peers, s->fd, c->tgid);
	if (rc == -EAGAIN && !(s->flags & O_NONBLOCK))
		return false;
	sbxi_call_return(c, rc);
	return true;
}

static bool handle_connect(struct sbxi_behalf *b, struct sbxi_call *c)
{
	AUTO_SOCKET s = { .fd = -1 };
	int rc = take(c, &s);

	if (rc < 0) {
		sbxi_call_return(c, rc);
		return true;
	}
	return s.family == AF_UNIX ? connect_unix(b, c, &s)
				   : connect_inet(b, c, &s);
}

/*
 * A socket knows its name as it was given, and tells it to its clients: so by
 * the task's own words from its own folder.  All names in this jail change
 * through us, so they lead where was judged; what has become of it is checked.
 */
static int bind_here(const struct sbxi_call *c, const struct sbxi_where *w,
		     const struct socket *s, int *place)
{
	AUTO_FD cwd = sbxi_call_open_proc(c, "cwd", O_PATH | O_DIRECTORY);
	AUTO_FD made = -1;
	struct stat st;
	int rc;

	if (cwd < 0 || fchdir(cwd) < 0)
		return -EACCES;
	rc = bind(s->fd, &s->address.any, s->size) < 0 ? -errno : 0;
	(void)chdir("/");
	if (rc < 0)
		return rc;
	made = sbxi_where_hold(w);
	if (made >= 0 && fstat(made, &st) == 0 && S_ISSOCK(st.st_mode))
		*place = sbxi_steal_fd(&made);
	return 0;
}

static int bind_file(struct sbxi_behalf *b, struct sbxi_call *c,
		     const struct socket *s)
{
	AUTO_WHERE w = SBXI_WHERE_INIT;
	char path[sizeof(s->address.un.sun_path) + 1];
	int *place = free_place(b);
	int rc = sbxi_call_look_up(c);

	path_in(s, path);
	if (rc == 0)
		rc = sbxi_where_find_name(c, AT_FDCWD, path, 0, &w);
	if (rc == 0 && (w.thing >= 0 || sbxi_where_exists(&w)))
		rc = -EADDRINUSE;
	if (rc == 0)
		rc = sbxi_behalf_judge(b, c, &w, SBXI_CHANGE_MAKE);
	if (rc == 0 && !place)
		rc = -ENFILE;
	/* "/proc/self" is another one's there. */
	if (rc == 0 && !strncmp(path, "/proc/", 6))
		rc = -EACCES;
	if (rc < 0)
		return rc;
	umask(c->umask);
	return bind_here(c, &w, s, place);
}

static bool handle_bind(struct sbxi_behalf *b, struct sbxi_call *c)
{
	AUTO_SOCKET s = { .fd = -1 };
	int rc = take(c, &s);

	if (rc == 0 && s.family == AF_UNIX && has_path(&s))
		rc = bind_file(b, c, &s);
	else if (rc == 0 && s.family != AF_UNIX && !is_ours(b, &s))
		rc = -EPERM;
	/* An abstract name in the harness's namespace is there for all. */
	else if (rc == 0 && s.family == AF_UNIX &&
		 b->jail->tier == SBX_TIER_B)
		rc = -EACCES;
	else if (rc == 0)
		rc = bind(s.fd, &s.address.any, s.size) < 0 ? -errno : 0;
	sbxi_call_return(c, rc);
	return true;
}

/*
 * A datagram socket of AF_UNIX sends to any socket file, connected or not.
 * A pair of SEQPACKET keeps the bounds of messages as well, and does not.
 */
static bool handle_socketpair(struct sbxi_behalf *b, struct sbxi_call *c)
{
	int type = (int)c->n.args[1], pair[2] = { -1, -1 }, theirs[2];
	bool cloexec = type & SOCK_CLOEXEC;
	int rc = sbxi_call_look_up(c);

	if (rc == 0 && c->n.args[2] != 0)
		rc = -EPROTONOSUPPORT;
	else if (rc == 0 && socketpair(AF_UNIX,
				       SOCK_SEQPACKET | SOCK_CLOEXEC |
					       (type & SOCK_NONBLOCK),
				       0, pair) < 0)
		rc = -errno;
	for (int i = 0; i < 2 && rc >= 0; i++)
		sbxi_peers_note(&b->peers, pair[i], c->tgid);
	for (int i = 0; i < 2 && rc >= 0; i++)
		rc = theirs[i] = sbxi_call_add_fd(c, pair[i], cloexec);
	if (rc >= 0)
		rc = sbxi_call_write(c, c->n.args[3], theirs, sizeof(theirs));
	sbxi_closep(&pair[0]);
	sbxi_closep(&pair[1]);
	sbxi_call_return(c, rc < 0 ? rc : 0);
	return true;
}

/* One that can never be executed. */
static bool handle_memfd(struct sbxi_behalf *b, struct sbxi_call *c)
{
	unsigned int flags = (unsigned int)c->n.args[1];
	char name[250];
	AUTO_FD fd = -1;
	int rc = sbxi_call_string(c, c->n.args[0], name, sizeof(name));

	(void)b;
	if (rc == -ENAMETOOLONG)
		rc = -EINVAL;
	if (rc == 0 && (flags & SBXI_MFD_EXEC))
		rc = -EACCES;
	if (rc == 0) {
		fd = (int)syscall(SYS_memfd_create, name,
				  flags | SBXI_MFD_CLOEXEC |
					  SBXI_MFD_NOEXEC_SEAL);
		rc = fd < 0 ? -errno : 0;
	}
	/* Before 6.3 none can be had. */
	if (rc < 0)
		sbxi_call_return(c, rc == -EINVAL ? -ENOSYS : rc);
	else
		sbxi_call_return_fd(c, fd, flags & SBXI_MFD_CLOEXEC);
	return true;
}

/* Tier B: a socket of the harness's network is only had by a grant. */
static bool handle_socket(struct sbxi_behalf *b, struct sbxi_call *c)
{
	const struct sbxi_denied d = {
		.kind = SBX_DENIAL_NETWORK,
		.call = c->n.nr,
		.code = -EAFNOSUPPORT,
		.object = "",
	};

	sbxi_tell(&b->tell, &d);
	sbxi_call_return(c, d.code);
	return true;
}

sbxi_handler sbxi_behalf_sockets(int nr)
{
	switch (nr) {
	case SYS_socket:
		return handle_socket;
	case SYS_connect:
		return handle_connect;
	case SYS_bind:
		return handle_bind;
	case SYS_getsockopt:
		return sbxi_behalf_peer;
	case SYS_socketpair:
		return handle_socketpair;
	case SYS_memfd_create:
		return handle_memfd;
	default:
		return NULL;
	}
}

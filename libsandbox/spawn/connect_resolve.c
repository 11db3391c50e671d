/* SPDX-License-Identifier: Apache-2.0 */
/*
 * connect_resolve: names to addresses, with c-ares in the caller's thread.
 *
 * The options below leave LOCALDOMAIN, RES_OPTIONS and HOSTALIASES without
 * effect: c-ares looks at the first two all the same, but uses what it finds
 * only for options that nobody has set.  It reads
 * /etc/resolv.conf and /etc/hosts, each for a moment through a descriptor
 * that is not close-on-exec; its sockets are ours, and are.
 */
#include <ares.h>
#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <strings.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "spawn/connect.h"

#define TRY_MS 2000
#define TRIES 3

struct answer {
	bool done;
	int status;
	uint16_t port;
	struct sbxi_addresses *addresses;
};

static int64_t now_ms(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int64_t sbxi_deadline_ms(int timeout_ms)
{
	return timeout_ms < 0 ? INT64_MAX : now_ms() + timeout_ms;
}

int sbxi_deadline_left(int64_t deadline_ms)
{
	int64_t left;

	if (deadline_ms == INT64_MAX)
		return -1;
	left = deadline_ms - now_ms();
	if (left <= 0)
		return 0;
	return left > INT_MAX ? INT_MAX : (int)left;
}

/* c-ares makes its sockets close-on-exec too late for a thread that forks. */
static ares_socket_t open_socket(int domain, int type, int protocol,
				 void *arg)
{
	(void)arg;
	return socket(domain, type | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
}

static int close_socket(ares_socket_t fd, void *arg)
{
	(void)arg;
	return close(fd);
}

static int connect_socket(ares_socket_t fd, const struct sockaddr *address,
			  ares_socklen_t len, void *arg)
{
	(void)arg;
	return connect(fd, address, len);
}

static ares_ssize_t receive(ares_socket_t fd, void *buf, size_t len,
			    int flags, struct sockaddr *from,
			    ares_socklen_t *from_len, void *arg)
{
	(void)arg;
	return recvfrom(fd, buf, len, flags, from, from_len);
}

/* Not writev(2): a server that hangs up must not raise SIGPIPE. */
static ares_ssize_t send_vector(ares_socket_t fd, const struct iovec *iov,
				int n, void *arg)
{
	/* sendmsg(2) reads the vector only; its type cannot say so. */
	union {
		const struct iovec *in;
		struct iovec *out;
	} vector = { .in = iov };
	struct msghdr msg = { .msg_iov = vector.out,
			      .msg_iovlen = (size_t)n };

	(void)arg;
	return sendmsg(fd, &msg, MSG_NOSIGNAL);
}

static const struct ares_socket_functions socket_functions = {
	.asocket = open_socket,
	.aclose = close_socket,
	.aconnect = connect_socket,
	.arecvfrom = receive,
	.asendv = send_vector,
};

static int init_channel(ares_channel *ret)
{
	char lookups[] = "fb";	/* /etc/hosts, then DNS */
	struct ares_options options = {
		/* Names are whole: no search list, no aliases. */
		.flags = ARES_FLAG_NOSEARCH | ARES_FLAG_NOALIASES,
		.timeout = TRY_MS,
		.tries = TRIES,
		.ndots = 1,
		.lookups = lookups,
	};

	return ares_init_options(ret, &options,
				 ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS |
				 ARES_OPT_TRIES | ARES_OPT_NDOTS |
				 ARES_OPT_DOMAINS | ARES_OPT_LOOKUPS |
				 ARES_OPT_NOROTATE);
}

static bool copy_address(const struct ares_addrinfo_node *node, uint16_t port,
			 struct sockaddr_storage *ret)
{
	struct sockaddr_in sin;
	struct sockaddr_in6 sin6;

	*ret = (struct sockaddr_storage){ .ss_family = AF_UNSPEC };
	if (node->ai_family == AF_INET && node->ai_addrlen >= sizeof(sin)) {
		memcpy(&sin, node->ai_addr, sizeof(sin));
		sin.sin_port = htons(port);
		memcpy(ret, &sin, sizeof(sin));
		return true;
	}
	if (node->ai_family == AF_INET6 && node->ai_addrlen >= sizeof(sin6)) {
		memcpy(&sin6, node->ai_addr, sizeof(sin6));
		sin6.sin6_port = htons(port);
		memcpy(ret, &sin6, sizeof(sin6));
		return true;
	}
	return false;
}

static void take_answer(void *arg, int status, int timeouts,
			struct ares_addrinfo *res)
{
	struct answer *answer = arg;
	struct sbxi_addresses *to = answer->addresses;
	const struct ares_addrinfo_node *node;

	(void)timeouts;
	answer->done = true;
	answer->status = status;
	for (node = res ? res->nodes : NULL; node; node = node->ai_next)
		if (to->n < SBXI_MAX_ADDRESSES &&
		    copy_address(node, answer->port, &to->address[to->n]))
			to->n++;
	if (res)
		ares_freeaddrinfo(res);
}

/* Wait once for the sockets of c-ares, or for its next try. */
static void step(ares_channel channel, int64_t deadline_ms)
{
	ares_socket_t fd[ARES_GETSOCK_MAXNUM];
	struct pollfd p[ARES_GETSOCK_MAXNUM];
	struct timeval max = { .tv_sec = TRY_MS / 1000 }, tv;
	/* Unsigned: the macros of ares.h shift into the sign. */
	unsigned int bits = (unsigned int)ares_getsock(channel, fd,
						       ARES_GETSOCK_MAXNUM);
	int left = sbxi_deadline_left(deadline_ms), wait_ms;
	nfds_t n = 0, i;

	for (i = 0; i < ARES_GETSOCK_MAXNUM; i++) {
		short events = 0;

		if (bits >> i & 1)
			events |= POLLIN;
		if (bits >> (i + ARES_GETSOCK_MAXNUM) & 1)
			events |= POLLOUT;
		if (events)
			p[n++] = (struct pollfd){ .fd = fd[i],
						  .events = events };
	}
	tv = *ares_timeout(channel, &max, &tv);
	wait_ms = (int)(tv.tv_sec * 1000 + tv.tv_usec / 1000 + 1);
	if (left >= 0 && left < wait_ms)
		wait_ms = left;
	if (poll(p, n, wait_ms) < 0)
		n = 0;	/* interrupted: only the clock has moved */
	for (i = 0; i < n; i++)
		ares_process_fd(channel,
				p[i].revents & ~POLLOUT ? p[i].fd :
							  ARES_SOCKET_BAD,
				p[i].revents & POLLOUT ? p[i].fd :
							 ARES_SOCKET_BAD);
	ares_process_fd(channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
}

static int code_of(int status)
{
	switch (status) {
	case ARES_SUCCESS:
		return 0;
	case ARES_ENODATA:
	case ARES_ENOTFOUND:
	case ARES_ENONAME:
	case ARES_EBADNAME:
		return -ENOENT;
	case ARES_ETIMEOUT:
	case ARES_ECANCELLED:
		return -ETIMEDOUT;
	case ARES_ECONNREFUSED:
	case ARES_ESERVFAIL:
	case ARES_EREFUSED:
	case ARES_ENOTIMP:
	case ARES_EFORMERR:
	case ARES_EBADRESP:
		return -EHOSTUNREACH;
	case ARES_ENOMEM:
		return -ENOMEM;
	default:
		return -EIO;
	}
}

static bool is_localhost(const char *host)
{
	static const char name[] = "localhost";
	size_t len = strlen(host), n = sizeof(name) - 1;

	return len >= n && strcasecmp(host + len - n, name) == 0 &&
	       (len == n || host[len - n - 1] == '.');
}

static void localhost(uint16_t port, struct sbxi_addresses *ret)
{
	struct sockaddr_in sin = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	struct sockaddr_in6 sin6 = {
		.sin6_family = AF_INET6,
		.sin6_port = htons(port),
		.sin6_addr = IN6ADDR_LOOPBACK_INIT,
	};

	memcpy(&ret->address[0], &sin, sizeof(sin));
	memcpy(&ret->address[1], &sin6, sizeof(sin6));
	ret->n = 2;
}

static int ask(ares_channel channel, const char *host, struct answer *answer,
	       int64_t deadline_ms)
{
	static const struct ares_addrinfo_hints hints = {
		.ai_family = AF_UNSPEC,
		.ai_socktype = SOCK_STREAM,
	};

	ares_getaddrinfo(channel, host, NULL, &hints, take_answer, answer);
	while (!answer->done && sbxi_deadline_left(deadline_ms) != 0)
		step(channel, deadline_ms);
	/* The answer lies on our stack: nothing may be left that writes it. */
	if (!answer->done)
		ares_cancel(channel);
	if (!answer->done)
		return -EIO;
	return code_of(answer->status);
}

int sbxi_name_resolve(const char *host, uint16_t port, const char *servers,
		      int64_t deadline_ms, struct sbxi_addresses *ret)
{
	struct sbxi_addresses found = { .n = 0 };
	struct answer answer = { .port = port, .addresses = &found };
	ares_channel channel = NULL;
	int rc;

	if (is_localhost(host)) {
		localhost(port, ret);
		return 0;
	}
	rc = init_channel(&channel);
	if (rc != ARES_SUCCESS)
		return code_of(rc);
	ares_set_socket_functions(channel, &socket_functions, NULL);
	if (servers &&
	    ares_set_servers_ports_csv(channel, servers) != ARES_SUCCESS)
		rc = -EIO;
	else
		rc = ask(channel, host, &answer, deadline_ms);
	ares_destroy(channel);
	if (rc == 0 && found.n == 0)
		rc = -ENOENT;
	if (rc == 0)
		*ret = found;
	return rc;
}

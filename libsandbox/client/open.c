/* SPDX-License-Identifier: Apache-2.0 */
/*
 * open: a channel of one's own.
 *
 * The socket in SBX_BROKER_FD is shared by all processes of the task: whoever
 * reads it first gets what another asked for.  So nothing is ever read from
 * it; one end of a new pair is sent through it, and all the rest happens on
 * that pair.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fd.h"
#include "client/client.h"

_Static_assert(sizeof(struct sbx_client) <= SBX_CLIENT_SIZE, "room for it");

#define ALIGNMENT 16

/* The only variable that is read, and only where no number is given. */
static int broker_number(int *ret)
{
	const char *text = getenv("SBX_BROKER_FD");
	long n = 0;

	if (!text)
		return -ENOENT;
	if (*text == '\0')
		return -EINVAL;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return -EINVAL;
		n = n * 10 + (*text - '0');
		if (n > INT_MAX)
			return -EINVAL;
	}
	*ret = (int)n;
	return 0;
}

static int check_door(int fd)
{
	int domain = 0, type = 0;
	socklen_t size = sizeof(int);

	if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) < 0)
		return -errno;
	size = sizeof(int);
	if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) < 0)
		return -errno;
	return domain == AF_UNIX && type == SOCK_SEQPACKET ? 0 : -ENOTSOCK;
}

/* 0, 1 and 2 are left alone, even if they are closed. */
static int make_pair(struct sbx_client *c)
{
	int pair[2], rc;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	c->sock = pair[0];
	c->other = pair[1];
	rc = sbxi_fd_above_stdio(&c->sock);
	if (rc == 0)
		rc = sbxi_fd_above_stdio(&c->other);
	return rc;
}

static int start(struct sbx_client *c, int fd)
{
	int rc = fd < 0 ? broker_number(&fd) : 0;

	if (rc == 0)
		rc = check_door(fd);
	if (rc == 0)
		rc = make_pair(c);
	if (rc < 0)
		return rc;
	c->door = sbxi_fd_dup(fd);
	if (c->door < 0)
		return c->door;
	/* Who has not read yet is told later, when there is time to wait. */
	rc = sbxi_client_attach(c);
	if (rc == -ECONNRESET || rc == -ENOTCONN)
		return -EPIPE;
	return rc == -EAGAIN ? 0 : rc;
}

static int init(void *storage, size_t size, int fd, uint32_t flags,
		struct sbx_client **ret)
{
	struct sbx_client *c = storage;
	int rc;

	if (size < sizeof(*c) || (uintptr_t)storage % ALIGNMENT != 0 ||
	    flags & ~(uint32_t)SBX_CLIENT_EVENTS)
		return -EINVAL;
	/* The buffers need not be clean, and a page not touched is none. */
	memset(c, 0, offsetof(struct sbx_client, out));
	c->pid = getpid();
	c->flags = flags;
	c->last_id = 1;
	c->sock = c->door = c->other = -1;
	rc = start(c, fd);
	if (rc < 0) {
		(void)sbxi_client_die(c, rc);
		return rc;
	}
	*ret = c;
	return 0;
}

int sbx_client_init(void *storage, size_t size, int fd, uint32_t flags,
		    struct sbx_client **ret_client, struct sbx_error *reterr)
{
	int rc = init(storage, size, fd, flags, ret_client);

	return sbxi_client_fail(reterr, rc, SBX_STEP_SOCKETS, "SBX_BROKER_FD",
				rc == -ENOENT ?
					"this task may not ask for more" :
					NULL);
}

int sbx_client_open(struct sbx_client **ret_client, struct sbx_error *reterr)
{
	struct sbx_client *c;
	void *storage;
	int rc;

	storage = mmap(NULL, SBX_CLIENT_SIZE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (storage == MAP_FAILED)
		return sbxi_client_fail(reterr, -errno, SBX_STEP_SOCKETS,
					NULL, NULL);
	rc = sbx_client_init(storage, SBX_CLIENT_SIZE, -1, 0, &c, reterr);
	if (rc < 0) {
		munmap(storage, SBX_CLIENT_SIZE);
		return rc;
	}
	c->mapped = true;
	*ret_client = c;
	return 0;
}

void sbx_client_close(struct sbx_client *client)
{
	if (!client)
		return;
	for (size_t i = 0; i < client->n_queue; i++)
		if (client->queue[i].fd >= 0)
			close(client->queue[i].fd);
	client->n_queue = 0;
	(void)sbxi_client_die(client, -EPIPE);
	if (client->mapped)
		munmap(client, SBX_CLIENT_SIZE);
}

int sbx_client_fd(const struct sbx_client *client)
{
	return client->sock;
}

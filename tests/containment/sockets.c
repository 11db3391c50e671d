/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sockets: local sockets of host processes, by path and by abstract name.
 * "unix.*" are outside; those of the workspace lie in a granted tree.
 */
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "probe.h"

/* @name is abstract. */
static socklen_t local(const char *name, struct sockaddr_un *ret)
{
	size_t len = strlen(name);

	memset(ret, 0, sizeof(*ret));
	ret->sun_family = AF_UNIX;
	if (len >= sizeof(ret->sun_path))
		return 0;
	memcpy(ret->sun_path, name, len);
	if (*name == '@')
		ret->sun_path[0] = '\0';
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len +
			   (*name != '@'));
}

static enum verdict dial(const char *name, int type)
{
	struct sockaddr_un a;
	socklen_t len = local(name, &a);
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);

	if (fd < 0 || connect(fd, (struct sockaddr *)&a, len) < 0)
		return outcome(-1);
	return outcome(write(fd, probe_name, strlen(probe_name)));
}

static enum verdict post_on(int fd, const char *name)
{
	struct sockaddr_un a;
	socklen_t len = local(name, &a);

	return outcome(fd < 0 ? -1 : sendto(fd, probe_name, strlen(probe_name),
					    0, (struct sockaddr *)&a, len));
}

static enum verdict post(const char *name)
{
	return post_on(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), name);
}

static enum verdict message_on(int fd, const char *name)
{
	struct sockaddr_un a;
	char text[64];
	struct iovec iov = { .iov_base = text };
	struct msghdr m = { .msg_name = &a, .msg_namelen = local(name, &a),
			    .msg_iov = &iov, .msg_iovlen = 1 };

	iov.iov_len = (size_t)snprintf(text, sizeof(text), "%s", probe_name);
	return outcome(fd < 0 ? -1 : sendmsg(fd, &m, 0));
}

static int half_of_a_pair(int type)
{
	int p[2];

	return socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, p) < 0 ? -1 : p[0];
}

static enum verdict path_outside(void)
{
	return dial(key("unix.stream"), SOCK_STREAM);
}

static enum verdict path_in_ws(void)
{
	return dial(key("unix.ws-stream"), SOCK_STREAM);
}

static enum verdict path_in_ro(void)
{
	return dial(key("unix.ro-stream"), SOCK_STREAM);
}

static enum verdict path_by_symlink(void)
{
	if (symlink(key("unix.stream"), in_ws("door")) < 0)
		return outcome(-1);
	return dial("door", SOCK_STREAM);
}

static enum verdict path_by_link(void)
{
	if (link(key("unix.ws-stream"), in_ws("door")) < 0)
		return outcome(-1);
	return dial("door", SOCK_STREAM);
}

static enum verdict path_by_rename(void)
{
	if (rename(key("unix.ws-spare"), in_ws("door")) < 0)
		return outcome(-1);
	return dial("door", SOCK_STREAM);
}

static enum verdict path_by_proc(void)
{
	char path[128];
	int fd = open(key("unix.ws-stream"), O_PATH | O_CLOEXEC);

	if (fd < 0)
		return outcome(-1);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return dial(path, SOCK_STREAM);
}

static enum verdict dgram_outside(void)
{
	return post(key("unix.dgram"));
}

static enum verdict dgram_in_ws(void)
{
	return post(key("unix.ws-dgram"));
}

static enum verdict pair_sendto(void)
{
	return post_on(half_of_a_pair(SOCK_DGRAM), key("unix.ws-dgram"));
}

static enum verdict pair_sendmsg(void)
{
	return message_on(half_of_a_pair(SOCK_DGRAM), key("unix.ws-dgram"));
}

static enum verdict pair_raw(void)
{
	return message_on(half_of_a_pair(SOCK_RAW), key("unix.ws-dgram"));
}

static enum verdict pair_abstract(void)
{
	return message_on(half_of_a_pair(SOCK_DGRAM),
			  key("unix.abstract-dgram"));
}

static enum verdict pair_connect(void)
{
	struct sockaddr_un a;
	socklen_t len = local(key("unix.ws-dgram"), &a);
	int fd = half_of_a_pair(SOCK_DGRAM);

	if (fd < 0 || connect(fd, (struct sockaddr *)&a, len) < 0)
		return outcome(-1);
	return outcome(write(fd, probe_name, strlen(probe_name)));
}

static enum verdict abstract_stream(void)
{
	return dial(key("unix.abstract"), SOCK_STREAM);
}

static enum verdict abstract_dgram(void)
{
	return post(key("unix.abstract-dgram"));
}

/* The runner connects to this name for as long as it waits: not for
 * long where nobody can be expected. */
static enum verdict abstract_listen(void)
{
	struct sockaddr_un a;
	socklen_t len = local(key("unix.offer"), &a);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), peer;
	struct pollfd p = { .fd = fd, .events = POLLIN };

	if (fd < 0 || bind(fd, (struct sockaddr *)&a, len) < 0 ||
	    listen(fd, 1) < 0)
		return outcome(-1);
	if (poll(&p, 1, (int)key_number("patience")) <= 0) {
		show("nobody came");
		return REFUSED;
	}
	peer = accept(fd, NULL, NULL);
	return outcome(write(peer, probe_name, strlen(probe_name)));
}

const struct probe sockets_probes[] = {
	{ "unix.path", path_outside },
	{ "unix.path-in-ws", path_in_ws },
	{ "unix.path-in-ro", path_in_ro },
	{ "unix.path-symlink", path_by_symlink },
	{ "unix.path-link", path_by_link },
	{ "unix.path-rename", path_by_rename },
	{ "unix.path-proc", path_by_proc },
	{ "unix.dgram", dgram_outside },
	{ "unix.dgram-in-ws", dgram_in_ws },
	{ "unix.pair-sendto", pair_sendto },
	{ "unix.pair-sendmsg", pair_sendmsg },
	{ "unix.pair-raw", pair_raw },
	{ "unix.pair-abstract", pair_abstract },
	{ "unix.pair-connect", pair_connect },
	{ "unix.abstract", abstract_stream },
	{ "unix.abstract-dgram", abstract_dgram },
	{ "unix.abstract-listen", abstract_listen },
	{ NULL, NULL }
};

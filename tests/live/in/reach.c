/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reach: try to reach what listens.
 *   tcp PORT        connect to 127.0.0.1:PORT
 *   udp PORT        send a datagram there
 *   unix PATH       connect to a socket file
 *   abstract NAME   connect to an abstract socket
 *   own             serve and connect on a loopback of our own
 *   held FD PORT    talk over FD, then turn it elsewhere, then connect anew
 */
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "in.h"

static struct sockaddr_in loopback(long port)
{
	struct sockaddr_in a = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK)
	};

	return a;
}

static void try_tcp(const char *what, int fd, long port)
{
	struct sockaddr_in a = loopback(port);

	in_tell(what, fd < 0 ? -1 : connect(fd, (struct sockaddr *)&a,
					    sizeof(a)));
}

static void try_udp(long port)
{
	struct sockaddr_in a = loopback(port);
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	in_tell("udp", fd < 0 ? -1 : sendto(fd, "x", 1, 0,
					    (struct sockaddr *)&a, sizeof(a)));
}

/* at 1: the first byte of the name is NUL. */
static void try_unix(const char *what, const char *name, size_t at)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	size_t len = strlen(name);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	if (len + at >= sizeof(a.sun_path))
		return;
	memcpy(a.sun_path + at, name, len);
	in_tell(what, fd < 0 ? -1 :
		connect(fd, (struct sockaddr *)&a,
			(socklen_t)(offsetof(struct sockaddr_un, sun_path) +
				    at + len)));
}

static void try_own(void)
{
	struct sockaddr_in a = loopback(0);
	socklen_t len = sizeof(a);
	int server = socket(AF_INET, SOCK_STREAM, 0);
	int client = socket(AF_INET, SOCK_STREAM, 0);
	int peer = -1;
	char c = 0;

	if (server >= 0 && bind(server, (struct sockaddr *)&a, len) == 0 &&
	    listen(server, 1) == 0 &&
	    getsockname(server, (struct sockaddr *)&a, &len) == 0 &&
	    connect(client, (struct sockaddr *)&a, len) == 0)
		peer = accept(server, NULL, NULL);
	if (peer >= 0 && write(client, "p", 1) == 1)
		in_tell("own", read(peer, &c, 1) == 1 && c == 'p' ? 0 : -1);
	else
		in_tell("own", -1);
}

static void try_held(int fd, long port)
{
	struct sockaddr_in a = loopback(port);
	struct sockaddr none = { .sa_family = AF_UNSPEC };
	char text[16] = "";
	ssize_t n;

	in_tell("send", write(fd, "ping", 4));
	n = read(fd, text, sizeof(text) - 1);
	in_tell("receive", n == 4 && !strcmp(text, "pong") ? 0 : -1);
	try_tcp("again", fd, port);
	in_tell("loosen", connect(fd, &none, sizeof(none)));
	in_tell("bind", bind(fd, (struct sockaddr *)&a, sizeof(a)));
	in_tell("listen", listen(fd, 1));
	in_tell("fastopen", sendto(fd, "x", 1, MSG_FASTOPEN,
				   (struct sockaddr *)&a, sizeof(a)));
	try_tcp("turn", fd, port);
	try_tcp("fresh", socket(AF_INET, SOCK_STREAM, 0), port);
	try_tcp("mptcp", socket(AF_INET, SOCK_STREAM, 262), port);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	if (!strcmp(how, "tcp"))
		try_tcp("tcp", socket(AF_INET, SOCK_STREAM, 0),
			in_number(argc, argv, 2, 0));
	else if (!strcmp(how, "udp"))
		try_udp(in_number(argc, argv, 2, 0));
	else if (!strcmp(how, "unix") && argc > 2)
		try_unix("unix", argv[2], 0);
	else if (!strcmp(how, "abstract") && argc > 2)
		try_unix("abstract", argv[2], 1);
	else if (!strcmp(how, "own"))
		try_own();
	else if (!strcmp(how, "held"))
		try_held((int)in_number(argc, argv, 2, 3),
			 in_number(argc, argv, 3, 0));
	else
		return 2;
	return 0;
}

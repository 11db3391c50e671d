/* SPDX-License-Identifier: Apache-2.0 */
/*
 * grants_refuse: descriptors that reach more than they name.
 *
 * What a descriptor is, is asked of the kernel, never of its name.  Kinds
 * are allowed one by one: what nobody has thought about is refused.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "spawn/grants_open.h"

#ifndef IPPROTO_MPTCP
#define IPPROTO_MPTCP 262
#endif

#define NSFS_MAGIC 0x6e736673
#define PIDFS_MAGIC 0x50494446

/* File systems whose files are switches of the kernel. */
static const uint32_t kernel_magic[] = {
	0x9fa0,		/* proc */
	0x62656572,	/* sysfs */
	0x64626720,	/* debugfs */
	0x74726163,	/* tracefs */
	0x73636673,	/* securityfs */
	0xf97cff8c,	/* selinuxfs */
	0x43415d53,	/* smackfs */
	0x5a3c69f0,	/* apparmorfs */
	0x27e0eb,	/* cgroup */
	0x63677270,	/* cgroup2 */
	0x62656570,	/* configfs */
	0xcafe4a11,	/* bpf */
	0xde5e81e4,	/* efivarfs */
	0x6165676c,	/* pstore */
	0x42494e4d,	/* binfmt_misc */
	0x65735543,	/* fusectl */
	0x7655821,	/* resctrl */
};

/* Of all devices, the memory devices that are the same for everybody. */
static bool is_harmless_device(const struct stat *st)
{
	static const unsigned int minors[] = { 3, 5, 7, 8, 9 };
	size_t i;

	if (major(st->st_rdev) != 1)
		return false;
	for (i = 0; i < SBXI_COUNT(minors); i++)
		if (minor(st->st_rdev) == minors[i])
			return true;
	return false;
}

static const char *refuse_device(int fd, const struct stat *st)
{
	if (isatty(fd))
		return "a terminal reaches more than it names; use --new-tty";
	if (!is_harmless_device(st))
		return "a device reaches more than it names";
	return NULL;
}

static int option(int fd, int name)
{
	int value = -1;
	socklen_t len = sizeof(value);

	return getsockopt(fd, SOL_SOCKET, name, &value, &len) < 0 ? -1 : value;
}

static bool is_connected(int fd)
{
	struct sockaddr_storage peer;
	socklen_t len = sizeof(peer);

	return getpeername(fd, (struct sockaddr *)&peer, &len) == 0;
}

static bool is_inet(int domain)
{
	return domain == AF_INET || domain == AF_INET6;
}

/*
 * A unix socket without a peer is refused too: it was made in our network
 * namespace, so connect(2) would find our abstract sockets.
 */
static const char *refuse_socket(int fd, bool *ret_inet)
{
	int domain = option(fd, SO_DOMAIN), type = option(fd, SO_TYPE);
	int protocol = option(fd, SO_PROTOCOL);

	if (!is_inet(domain) && domain != AF_UNIX)
		return "a socket of this family reaches more than it names";
	if (type != SOCK_STREAM && !(type == SOCK_SEQPACKET &&
				     domain == AF_UNIX))
		return "a datagram or raw socket reaches whom it likes";
	if (is_inet(domain) && protocol != IPPROTO_TCP &&
	    protocol != IPPROTO_MPTCP)
		return "a socket of this protocol reaches more than it names";
	if (option(fd, SO_ACCEPTCONN) != 1 && !is_connected(fd))
		return "a socket that is not connected reaches whom it likes";
	*ret_inet = is_inet(domain);
	return NULL;
}

bool sbxi_grant_is_kernel_file(int fd)
{
	struct statfs fs;
	size_t i;

	if (fstatfs(fd, &fs) < 0)
		return true;
	for (i = 0; i < SBXI_COUNT(kernel_magic); i++)
		if ((uint32_t)fs.f_type == kernel_magic[i])
			return true;
	return false;
}

static const char *refuse_file(int fd)
{
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0)
		return "nothing can be found out about this file";
	if (fs.f_type == NSFS_MAGIC)
		return "a namespace reaches more than it names";
	if (fs.f_type == PIDFS_MAGIC)
		return "a pidfd reaches more than it names";
	if (sbxi_grant_is_kernel_file(fd))
		return "a file of the kernel's reaches more than it names";
	return NULL;
}

/*
 * No type at all: pidfd, io_uring, bpf, perf, userfaultfd, epoll and the
 * like.  Only an eventfd is a plain object; without /proc nobody can tell.
 */
static const char *refuse_anonymous(int fd)
{
	char link[40], text[32];
	ssize_t n;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, text, sizeof(text) - 1);
	if (n < 0)
		return "without /proc nobody can tell what this is";
	text[n] = '\0';
	if (strcmp(text, "anon_inode:[eventfd]") != 0)
		return "this kind of descriptor reaches more than it names";
	return NULL;
}

const char *sbxi_grant_refusal(int fd, const struct stat *st, bool *ret_inet)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || (flags & O_PATH))
		return "an O_PATH descriptor reaches more than it names";
	switch (st->st_mode & S_IFMT) {
	case S_IFDIR:
		return "a directory reaches more than it names; grant its path";
	case S_IFBLK:
		return "a block device reaches more than it names";
	case S_IFCHR:
		return refuse_device(fd, st);
	case S_IFSOCK:
		return refuse_socket(fd, ret_inet);
	case S_IFREG:
		return refuse_file(fd);
	case S_IFIFO:
		return NULL;
	default:
		return refuse_anonymous(fd);
	}
}

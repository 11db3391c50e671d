/* SPDX-License-Identifier: Apache-2.0 */
/* What the filters compare in the calls of sockets and in ioctl. */

#include <sys/socket.h>
#include <sys/syscall.h>

#include <criterion/criterion.h>

#include "seccomp_attempts.h"

#define NO_FAMILY ERR(EAFNOSUPPORT)
#define NO_TYPE ERR(ESOCKTNOSUPPORT)
#define NO_PROTOCOL ERR(EPROTONOSUPPORT)

TestSuite(seccomp_sockets, .init = attempts_init, .fini = attempts_done,
	  .timeout = 20);

Test(seccomp_sockets, sockets_are_those_that_stay_inside)
{
	static const struct attempt t[] = {
		{ A, SYS_socket, OK, { AF_UNIX, SOCK_STREAM, 0 } },
		{ A, SYS_socket, OK,
		  { AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC } },
		{ A, SYS_socket, NO_TYPE, { AF_UNIX, SOCK_DGRAM } },
		{ A, SYS_socket, NO_TYPE, { AF_UNIX, SOCK_RAW } },
		{ A, SYS_socket, OK, { AF_INET, SOCK_STREAM, 0 } },
		{ A, SYS_socket, OK,
		  { AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 6 } },
		{ A, SYS_socket, OK, { AF_INET6, SOCK_DGRAM, 17 } },
		{ A, SYS_socket, NO_PROTOCOL, { AF_INET, SOCK_STREAM, 262 } },
		{ A, SYS_socket, NO_PROTOCOL, { AF_INET, SOCK_STREAM, 132 } },
		{ A, SYS_socket, NO_PROTOCOL, { AF_INET, SOCK_DGRAM, 1 } },
		{ A, SYS_socket, NO_PROTOCOL, { AF_INET6, SOCK_DGRAM, 58 } },
		{ A, SYS_socket, NO_TYPE, { AF_INET, SOCK_RAW, 6 } },
		{ A, SYS_socket, NO_TYPE, { AF_INET, 10, 6 } },
		{ A, SYS_socket, OK,
		  { AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0 } },
		{ A, SYS_socket, OK, { AF_NETLINK, SOCK_DGRAM, 0 } },
		{ A, SYS_socket, NO_PROTOCOL, { AF_NETLINK, SOCK_RAW, 12 } },
		{ A, SYS_socket, NO_FAMILY, { AF_PACKET, SOCK_RAW, 0 } },
		{ A, SYS_socket, NO_FAMILY, { AF_VSOCK, SOCK_STREAM, 0 } },
		{ A, SYS_socket, NO_FAMILY, { AF_ALG, SOCK_SEQPACKET, 0 } },
		{ B, SYS_socket, OK, { AF_UNIX, SOCK_STREAM } },
		{ B, SYS_socket, NO_TYPE, { AF_UNIX, SOCK_DGRAM } },
		{ B, SYS_socket, NO_FAMILY, { AF_INET, SOCK_STREAM } },
		{ B, SYS_socket, NO_FAMILY, { AF_NETLINK, SOCK_RAW } },
		{ B8, SYS_socket, NO_FAMILY, { AF_UNIX, SOCK_STREAM } },
		{ B8, SYS_socketpair, OK, { AF_UNIX, SOCK_STREAM } },
		{ B8, SYS_socketpair, OK, { AF_UNIX, SOCK_SEQPACKET } },
		{ B8, SYS_socketpair, NO_TYPE, { AF_UNIX, SOCK_DGRAM } },
		{ A, SYS_socketpair, NO_TYPE, { AF_UNIX, SOCK_DGRAM } },
		{ A, SYS_socketpair, NO_FAMILY, { AF_INET, SOCK_STREAM } },
		{ A, SYS_socketpair, OK,
		  { AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC } },
	};

	CHECK(t);
}

Test(seccomp_sockets, socket_options_are_a_list_of_level_and_name)
{
	static const struct attempt t[] = {
		{ A, SYS_setsockopt, OK, { 3, 1, 2 } },		/* REUSEADDR */
		{ B, SYS_setsockopt, OK, { 3, 1, 9 } },		/* KEEPALIVE */
		{ A, SYS_setsockopt, OK, { 3, 1, 20 } },	/* RCVTIMEO */
		{ A, SYS_setsockopt, OK, { 3, 1, 67 } },	/* SNDTIMEO */
		{ A, SYS_setsockopt, OK, { 3, 6, 1 } },		/* NODELAY */
		{ A, SYS_setsockopt, OK, { 3, 0, 1 } },		/* TOS */
		{ A, SYS_setsockopt, OK, { 3, 41, 26 } },	/* V6ONLY */
		/* Answered, without effect. */
		{ A, SYS_setsockopt, ERR(0), { 3, 1, 13 } },	/* LINGER */
		{ B, SYS_setsockopt, ERR(0), { 3, 1, 6 } },	/* BROADCAST */
		{ A, SYS_setsockopt, ERR(ENOPROTOOPT), { 3, 1, 25 } },
		{ A, SYS_setsockopt, ERR(ENOPROTOOPT), { 3, 1, 26 } },
		{ A, SYS_setsockopt, ERR(ENOPROTOOPT), { 3, 6, 23 } },
		{ A, SYS_setsockopt, ERR(ENOPROTOOPT), { 3, 6, 30 } },
		{ A, SYS_setsockopt, ERR(ENOPROTOOPT), { 3, 6, 31 } },
		{ A, SYS_setsockopt, ERR(ENOPROTOOPT), { 3, 6, 19 } },
		{ B, SYS_setsockopt, ERR(ENOPROTOOPT), { 3, 41, 57 } },
		{ A, SYS_setsockopt, ERR(ENOPROTOOPT), { 3, 0, 4 } },
		{ A, SYS_setsockopt, ERR(ENOPROTOOPT), { 3, 0, 15 } },
		{ A, SYS_setsockopt, ERR(ENOPROTOOPT), { 3, 0, 35 } },
		/* The same name at another level. */
		{ A, SYS_setsockopt, ERR(ENOPROTOOPT), { 3, 0, 9 } },
		{ A, SYS_getsockopt, OK, { 3, 1, 25 } },
		{ A, SYS_getsockopt, OK, { 3, 1, 17 } },	/* PEERCRED */
		{ A, SYS_getsockopt, OK, { 3, 1, 59 } },	/* PEERGROUPS */
		{ A, SYS_getsockopt, ERR(ENOPROTOOPT), { 3, 1, 77 } },
		{ B, SYS_getsockopt, ERR(ENOPROTOOPT), { 3, 1, 77 } },
		{ A, SYS_getsockopt, OK, { 3, 6, 77 } },
	};

	CHECK(t);
}

Test(seccomp_sockets, ioctls_are_a_list_and_none_injects_input)
{
	static const struct attempt t[] = {
		{ A, SYS_ioctl, OK, { 0, 0x5401 } },		/* TCGETS */
		{ B, SYS_ioctl, OK, { 0, 0x5413 } },		/* TIOCGWINSZ */
		{ A, SYS_ioctl, OK, { 0, 0x5410 } },		/* TIOCSPGRP */
		{ A, SYS_ioctl, OK, { 0, 0x5441 } },	/* TIOCGPTPEER */
		{ A, SYS_ioctl, OK, { 0, 0x541b } },		/* FIONREAD */
		{ A, SYS_ioctl, OK, { 0, 0x40049409 } },	/* FICLONE */
		{ A, SYS_ioctl, ERR(ENOTTY), { 0, 0x5412 } },	/* TIOCSTI */
		{ B, SYS_ioctl, ERR(ENOTTY), { 0, 0x5412 } },
		{ A, SYS_ioctl, ERR(ENOTTY), { 0, 0x541c } },	/* TIOCLINUX */
		{ A, SYS_ioctl, ERR(ENOTTY), { 0, 0x541d } },	/* TIOCCONS */
		{ A, SYS_ioctl, ERR(ENOTTY), { 0, 0x5423 } },	/* TIOCSETD */
		{ A, SYS_ioctl, ERR(ENOTTY), { 0, 0x8901 } },	/* FIOSETOWN */
		{ A, SYS_ioctl, ERR(ENOTTY), { 0, 0x40086602 } },
		{ A, SYS_ioctl, OK, { 3, 0x8912 } },	/* SIOCGIFCONF */
		{ B, SYS_ioctl, ERR(ENOTTY), { 3, 0x8912 } },
		{ A, SYS_ioctl, ERR(ENOTTY), { 3, 0x8914 } }, /* SIFFLAGS */
	};

	CHECK(t);
}

Test(seccomp_sockets, a_granted_socket_of_the_harness_goes_nowhere_else)
{
	static const struct attempt t[] = {
		{ CON, SYS_connect, ERR(EPERM), { 0 } },
		{ CON, SYS_bind, ERR(EPERM), { 0 } },
		{ CON, SYS_listen, ERR(EPERM), { 0 } },
		{ CON, SYS_accept4, OK, { 0 } },
		{ CON, SYS_sendto, OK, { 3, 0, 0, MSG_NOSIGNAL } },
		{ CON, SYS_sendto, ERR(EPERM), { 3, 0, 0, 0x20004000 } },
		{ CON, SYS_sendmsg, OK, { 3, 0, MSG_NOSIGNAL } },
		{ CON, SYS_sendmsg, ERR(EPERM), { 3, 0, 0x20000000 } },
		{ CON, SYS_sendmmsg, OK, { 3, 0, 1, 0 } },
		{ CON, SYS_sendmmsg, ERR(EPERM), { 3, 0, 1, 0x20000000 } },
		{ CON, SYS_ioctl, ERR(ENOTTY), { 3, 0x8912 } },
		{ CON, SYS_ioctl, OK, { 3, 0x541b } },
		{ CON, SYS_read, OK, { 0 } },
		{ CON, 599, OK, { 0 } },
		{ A, SYS_connect, OK, { 0 } },
		{ A, SYS_bind, OK, { 0 } },
		{ A, SYS_listen, OK, { 0 } },
	};

	CHECK(t);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * network: inet sockets and rare families.  What is sent is the name of the
 * probe: the listener outside notes it.
 */
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/vm_sockets.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "probe.h"

static struct sockaddr_in inet4(const char *text, long port)
{
	struct sockaddr_in a = {
		.sin_family = AF_INET, .sin_port = htons((uint16_t)port)
	};

	inet_pton(AF_INET, text, &a.sin_addr);
	return a;
}

static struct sockaddr_in6 inet6(const char *text, long port)
{
	struct sockaddr_in6 a = {
		.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)
	};

	inet_pton(AF_INET6, text, &a.sin6_addr);
	return a;
}

static enum verdict say_name(int fd)
{
	return outcome(write(fd, probe_name, strlen(probe_name)));
}

static enum verdict dial(int type, const void *address, socklen_t len)
{
	const struct sockaddr *a = address;
	int fd = socket(a->sa_family, type | SOCK_CLOEXEC, 0);

	if (fd < 0 || connect(fd, a, len) < 0)
		return outcome(-1);
	return say_name(fd);
}

static enum verdict post(const void *address, socklen_t len, int type,
			 int flags)
{
	const struct sockaddr *a = address;
	int fd = socket(a->sa_family, type | SOCK_CLOEXEC, 0);

	return outcome(fd < 0 ? -1 : sendto(fd, probe_name, strlen(probe_name),
					    flags, a, len));
}

static enum verdict tcp4(void)
{
	struct sockaddr_in a = inet4("127.0.0.1", key_number("tcp4"));

	return dial(SOCK_STREAM, &a, sizeof(a));
}

static enum verdict tcp_any(void)
{
	struct sockaddr_in a = inet4("0.0.0.0", key_number("tcp4"));

	return dial(SOCK_STREAM, &a, sizeof(a));
}

static enum verdict tcp6(void)
{
	struct sockaddr_in6 a = inet6("::1", key_number("tcp6"));

	if (!key_number("tcp6"))
		return absent("no IPv6 here");
	return dial(SOCK_STREAM, &a, sizeof(a));
}

static enum verdict tcp_mapped(void)
{
	struct sockaddr_in6 a = inet6("::ffff:127.0.0.1", key_number("tcp4"));

	return dial(SOCK_STREAM, &a, sizeof(a));
}

static enum verdict fast_open(void)
{
	struct sockaddr_in a = inet4("127.0.0.1", key_number("tcp4"));

	return post(&a, sizeof(a), SOCK_STREAM, MSG_FASTOPEN);
}

static enum verdict mptcp(void)
{
	struct sockaddr_in a = inet4("127.0.0.1", key_number("tcp4"));
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 262);

	if (fd < 0 && (errno == EPROTONOSUPPORT || errno == ENOPROTOOPT))
		return absent("no MPTCP here");
	if (fd < 0 || connect(fd, (struct sockaddr *)&a, sizeof(a)) < 0)
		return outcome(-1);
	return say_name(fd);
}

static enum verdict udp4(void)
{
	struct sockaddr_in a = inet4("127.0.0.1", key_number("udp4"));

	return post(&a, sizeof(a), SOCK_DGRAM, 0);
}

static enum verdict udp6(void)
{
	struct sockaddr_in6 a = inet6("::1", key_number("udp6"));

	if (!key_number("udp6"))
		return absent("no IPv6 here");
	return post(&a, sizeof(a), SOCK_DGRAM, 0);
}

static enum verdict udp_connected(void)
{
	struct sockaddr_in a = inet4("127.0.0.1", key_number("udp4"));

	return dial(SOCK_DGRAM, &a, sizeof(a));
}

static enum verdict udp_sendmmsg(void)
{
	struct sockaddr_in a = inet4("127.0.0.1", key_number("udp4"));
	char text[64];
	struct iovec iov = { .iov_base = text };
	struct mmsghdr m = { .msg_hdr = { .msg_name = &a,
		.msg_namelen = sizeof(a), .msg_iov = &iov, .msg_iovlen = 1 } };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	iov.iov_len = (size_t)snprintf(text, sizeof(text), "%s", probe_name);
	return outcome(fd < 0 ? -1 : sendmmsg(fd, &m, 1, 0));
}

/* The runner connects to this port, or sends there, for as long as it waits: not for
 * long where nobody can be expected. */
static enum verdict serve(int type)
{
	struct sockaddr_in a = inet4("127.0.0.1", own_number("port"));
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0), one = 1;
	struct pollfd p = { .fd = fd, .events = POLLIN };

	if (fd < 0)
		return outcome(-1);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, (struct sockaddr *)&a, sizeof(a)) < 0 ||
	    (type == SOCK_STREAM && listen(fd, 1) < 0))
		return outcome(-1);
	if (poll(&p, 1, (int)key_number("patience")) <= 0) {
		show("nobody came");
		return REFUSED;
	}
	return type == SOCK_STREAM ? say_name(accept(fd, NULL, NULL)) :
		show_fd(fd);
}

static enum verdict tcp_listen(void)
{
	return serve(SOCK_STREAM);
}

static enum verdict udp_receive(void)
{
	return serve(SOCK_DGRAM);
}

/* A kernel that lacks the family is no jail. */
static enum verdict make_socket(int family, int type, int protocol)
{
	int fd = socket(family, type | SOCK_CLOEXEC, protocol);

	if (fd < 0 && (errno == EAFNOSUPPORT || errno == EPROTONOSUPPORT ||
		       errno == ESOCKTNOSUPPORT))
		return absent(strerrorname_np(errno));
	return outcome(fd);
}

static enum verdict raw(void)
{
	return make_socket(AF_INET, SOCK_RAW, IPPROTO_ICMP);
}

static enum verdict ping(void)
{
	return make_socket(AF_INET, SOCK_DGRAM, IPPROTO_ICMP);
}

static enum verdict packet(void)
{
	return make_socket(AF_PACKET, SOCK_RAW, 0);
}

static enum verdict vsock(void)
{
	return make_socket(AF_VSOCK, SOCK_STREAM, 0);
}

static enum verdict alg(void)
{
	return make_socket(AF_ALG, SOCK_SEQPACKET, 0);
}

static enum verdict bluetooth(void)
{
	return make_socket(AF_BLUETOOTH, SOCK_RAW, 1);
}

static enum verdict xdp(void)
{
	return make_socket(AF_XDP, SOCK_RAW, 0);
}

static enum verdict key_socket(void)
{
	return make_socket(AF_KEY, SOCK_RAW, 2);
}

static enum verdict sctp(void)
{
	return make_socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP);
}

static enum verdict tipc(void)
{
	return make_socket(AF_TIPC, SOCK_RDM, 0);
}

static enum verdict netlink_of(int protocol)
{
	struct sockaddr_nl to = { .nl_family = AF_NETLINK };
	struct {
		struct nlmsghdr h;
		struct rtgenmsg g;
	} ask = {
		.h = { .nlmsg_len = NLMSG_LENGTH(sizeof(ask.g)),
		       .nlmsg_type = RTM_GETLINK,
		       .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
		.g = { .rtgen_family = AF_UNSPEC }
	};
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol);

	if (fd < 0)
		return outcome(-1);
	return outcome(sendto(fd, &ask, ask.h.nlmsg_len, 0,
			      (struct sockaddr *)&to, sizeof(to)));
}

static enum verdict netlink_diag(void)
{
	return netlink_of(NETLINK_SOCK_DIAG);
}

static enum verdict netlink_netfilter(void)
{
	return netlink_of(NETLINK_NETFILTER);
}

static enum verdict netlink_uevent(void)
{
	struct sockaddr_nl a = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC,
			NETLINK_KOBJECT_UEVENT);

	return outcome(fd < 0 ? -1 : bind(fd, (struct sockaddr *)&a,
					  sizeof(a)));
}

/* The index of a host interface that is not loopback, by its name. */
static enum verdict interfaces(void)
{
	struct ifreq r = { .ifr_ifindex = 0 };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (!*key("interface"))
		return absent("there is none but loopback");
	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", key("interface"));
	return outcome(fd < 0 ? -1 : ioctl(fd, SIOCGIFINDEX, &r));
}

const struct probe network_probes[] = {
	{ "net.tcp4", tcp4 },
	{ "net.tcp-any", tcp_any },
	{ "net.tcp6", tcp6 },
	{ "net.tcp-mapped", tcp_mapped },
	{ "net.fast-open", fast_open },
	{ "net.mptcp", mptcp },
	{ "net.udp4", udp4 },
	{ "net.udp6", udp6 },
	{ "net.udp-connected", udp_connected },
	{ "net.udp-sendmmsg", udp_sendmmsg },
	{ "net.listen", tcp_listen },
	{ "net.udp-receive", udp_receive },
	{ "net.raw", raw },
	{ "net.ping", ping },
	{ "net.packet", packet },
	{ "net.vsock", vsock },
	{ "net.alg", alg },
	{ "net.bluetooth", bluetooth },
	{ "net.xdp", xdp },
	{ "net.key", key_socket },
	{ "net.sctp", sctp },
	{ "net.tipc", tipc },
	{ "net.netlink-diag", netlink_diag },
	{ "net.netlink-netfilter", netlink_netfilter },
	{ "net.netlink-uevent", netlink_uevent },
	{ "net.interfaces", interfaces },
	{ NULL, NULL }
};

/* SPDX-License-Identifier: Apache-2.0 */
/* etc: the few files of /etc that tell the task who and where it is. */
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "init/jail.h"
#include "init/paths.h"

#define HOST_NAME "sandbox"

static void add_user_line(struct sbxi_text *t, const char *name, uint32_t uid,
			  uint32_t gid, const char *rest)
{
	sbxi_text_add(t, name);
	sbxi_text_add(t, ":x:");
	sbxi_text_number(t, uid);
	sbxi_text_add(t, ":");
	sbxi_text_number(t, gid);
	sbxi_text_add(t, rest);
}

static void passwd(const struct sbxi_jail *jail, struct sbxi_text *t)
{
	add_user_line(t, "root", 0, 0, ":root:/root:/usr/sbin/nologin\n");
	add_user_line(t, "task", jail->uid, jail->gid,
		      ":task:/home/task:/bin/sh\n");
	add_user_line(t, "nobody", 65534, 65534,
		      ":nobody:/nonexistent:/usr/sbin/nologin\n");
}

static void group(const struct sbxi_jail *jail, struct sbxi_text *t)
{
	sbxi_text_add(t, "root:x:0:\ntask:x:");
	sbxi_text_number(t, jail->gid);
	sbxi_text_add(t, ":\nnogroup:x:65534:\n");
}

static void write_file(struct sbxi_jail *jail, const char *path,
		       const char *text)
{
	AUTO_FD fd = openat(jail->root, path,
			    O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
	ssize_t len = (ssize_t)strlen(text);

	if (fd < 0)
		sbxi_check(jail, -errno, path);
	if (write(fd, text, (size_t)len) != len)
		sbxi_check(jail, -EIO, path);
	sbxi_paths_allow_tree(jail, fd, S_IFREG, path, SBX_READ);
}

void sbxi_etc_write(struct sbxi_jail *jail)
{
	char text[512];
	struct sbxi_text t = SBXI_TEXT(text);

	passwd(jail, &t);
	write_file(jail, "etc/passwd", text);
	t = SBXI_TEXT(text);
	group(jail, &t);
	write_file(jail, "etc/group", text);
	write_file(jail, "etc/hostname", HOST_NAME "\n");
	write_file(jail, "etc/hosts",
		   "127.0.0.1 localhost " HOST_NAME "\n"
		   "::1 localhost ip6-localhost " HOST_NAME "\n");
	/* Nothing but files and DNS: no module that wants a daemon. */
	write_file(jail, "etc/nsswitch.conf",
		   "passwd: files\ngroup: files\nshadow: files\n"
		   "hosts: files dns\nservices: files\nprotocols: files\n");
	/* No name server to ask: look-ups fail at once. */
	write_file(jail, "etc/resolv.conf", "options attempts:1 timeout:1\n");
}

/* Up already, as on some hosts, is success. */
static int loopback_up(void)
{
	AUTO_FD fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq request = { .ifr_name = "lo" };

	if (fd < 0 || ioctl(fd, SIOCGIFFLAGS, &request) < 0)
		return -errno;
	if (request.ifr_flags & IFF_UP)
		return 0;
	request.ifr_flags |= IFF_UP;
	return ioctl(fd, SIOCSIFFLAGS, &request) < 0 ? -errno : 0;
}

void sbxi_system_set(struct sbxi_jail *jail)
{
	if (sethostname(HOST_NAME, strlen(HOST_NAME)) < 0)
		sbxi_check(jail, -errno, "hostname");
	if (jail->plan->flags & SBXI_PLAN_LOOPBACK)
		sbxi_check(jail, loopback_up(), "lo");
}

/* SPDX-License-Identifier: Apache-2.0 */
/* closefrom: close every descriptor from a number on, whatever the host. */
#include "base/closefrom.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "base/fd.h"
#include "base/kconst.h"
#include "base/rawcall.h"

/* The number that a name of /proc/self/fd stands for, or -1. */
SBXI_BORROWED static long parse_number(const char *name)
{
	long n = 0;

	if (!*name)
		return -1;
	for (; *name; name++) {
		if (*name < '0' || *name > '9' || n > 100000000)
			return -1;
		n = n * 10 + (*name - '0');
	}
	return n;
}

/* Close what one read of the directory lists; how many that were. */
SBXI_BORROWED static long close_listed(const char *buf, long len, long first, long dir)
{
	long closed = 0;

	for (long at = 0; at < len;) {
		const struct sbxi_dirent *d = (const void *)(buf + at);
		long fd = parse_number(d->name);

		at += d->reclen;
		if (fd < first || fd == dir)
			continue;
		sbxi_raw(SYS_close, fd);
		closed++;
	}
	return closed;
}

/* Closing while listing may skip entries: repeat until nothing is left. */
SBXI_BORROWED static int close_by_proc(unsigned int first)
{
	char buf[1024] __attribute__((aligned(8)));
	long dir, n, closed;

	do {
		closed = 0;
		dir = sbxi_raw(SYS_openat, AT_FDCWD, "/proc/self/fd",
			       O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
		if (dir < 0)
			return (int)dir;
		while ((n = sbxi_raw(SYS_getdents64, dir, buf,
				     sizeof(buf))) > 0)
			closed += close_listed(buf, n, (long)first, dir);
		sbxi_raw(SYS_close, dir);
		if (n < 0)
			return (int)n;
	} while (closed > 0);
	return 0;
}

SBXI_BORROWED int sbxi_close_from(unsigned int first)
{
	long rc = sbxi_raw(SYS_close_range, first, ~0u, 0);

	return rc == 0 ? 0 : close_by_proc(first);
}

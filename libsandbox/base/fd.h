/* SPDX-License-Identifier: Apache-2.0 */
/* fd: numbers of descriptors, and the entries of a folder as read raw. */
#ifndef SBXI_BASE_FD_H
#define SBXI_BASE_FD_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

/* A dup on a number above 2, close-on-exec.  A descriptor, or -errno. */
static inline int sbxi_fd_dup(int fd)
{
	int high = fcntl(fd, F_DUPFD_CLOEXEC, 3);

	return high < 0 ? -errno : high;
}

/*
 * Move a descriptor of ours above 2: a harness may have those closed, and
 * what is opened then gets them.  0 or -errno; then *fd is as before.
 */
static inline int sbxi_fd_above_stdio(int *fd)
{
	int high;

	if (*fd > 2)
		return 0;
	high = sbxi_fd_dup(*fd);
	if (high < 0)
		return high;
	close(*fd);
	*fd = high;
	return 0;
}

/* What getdents64(2) returns. */
struct sbxi_dirent {
	uint64_t ino;
	int64_t off;
	uint16_t reclen;
	uint8_t type;
	char name[];
} __attribute__((packed));

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* sockets: SEQPACKET pairs between the harness and its helpers. */
#include "spawn/sockets.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fd.h"

int sbxi_socket_pair(int *ret_ours, int *ret_theirs)
{
	int pair[2], rc;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	rc = sbxi_fd_above_stdio(&pair[0]);
	if (rc == 0)
		rc = sbxi_fd_above_stdio(&pair[1]);
	if (rc < 0) {
		close(pair[0]);
		close(pair[1]);
		return rc;
	}
	*ret_ours = pair[0];
	*ret_theirs = pair[1];
	return 0;
}

int sbxi_progress_fd(void)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	int rc;

	if (fd < 0)
		return -errno;
	rc = sbxi_fd_above_stdio(&fd);
	if (rc < 0) {
		close(fd);
		return rc;
	}
	return fd;
}

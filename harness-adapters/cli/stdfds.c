/* SPDX-License-Identifier: Apache-2.0 */
/* stdfds: descriptors 0 to 2 are open, whoever started us. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "stdfds.h"

int cli_stdfds_open(void)
{
	int fd;

	/* The lowest free number is what open(2) takes, so go upward. */
	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		if (open("/dev/null", O_RDWR | O_NOCTTY) != fd)
			return errno ? -errno : -EBADF;
	}
	return 0;
}

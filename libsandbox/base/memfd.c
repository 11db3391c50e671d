/* SPDX-License-Identifier: Apache-2.0 */
/* memfd: sealed memory that another process maps or executes. */
#include "base/memfd.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/kconst.h"

/* Kernels before 6.3 know neither flag: -EINVAL, and the old behaviour. */
static int create(const char *name, bool executable)
{
	unsigned int base = SBXI_MFD_CLOEXEC | SBXI_MFD_ALLOW_SEALING;
	unsigned int kind = executable ? SBXI_MFD_EXEC : SBXI_MFD_NOEXEC_SEAL;
	long fd = syscall(SYS_memfd_create, name, base | kind);

	if (fd < 0 && errno == EINVAL)
		fd = syscall(SYS_memfd_create, name, base);
	return fd < 0 ? -errno : (int)fd;
}

static int write_all(int fd, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

int sbxi_memfd_sealed(const char *name, const void *data, size_t len,
		      bool executable)
{
	AUTO_FD fd = create(name, executable);
	int rc;

	if (fd < 0)
		return fd;
	rc = write_all(fd, data, len);
	if (rc == 0)
		rc = sbxi_fd_above_stdio(&fd);
	if (rc < 0)
		return rc;
	if (fcntl(fd, SBXI_F_ADD_SEALS, SBXI_SEALS_ALL) < 0)
		return -errno;
	return sbxi_steal_fd(&fd);
}

int sbxi_memfd_check(int fd)
{
	int seals = fcntl(fd, SBXI_F_GET_SEALS);

	if (seals < 0)
		return -errno;
	return (seals & SBXI_SEALS_ALL) == SBXI_SEALS_ALL ? 0 : -EPERM;
}

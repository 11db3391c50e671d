/* SPDX-License-Identifier: Apache-2.0 */
/* helper: where the helper program comes from. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memfd.h"
#include "config.h"
#include "spawn/launch.h"

/* helper_blob.S */
extern const char sbxi_helper_begin[], sbxi_helper_end[];

int sbxi_helper_open_installed(void)
{
	AUTO_FD fd = open(SBX_HELPER_PATH, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	/* Who may change it would have what the harness has. */
	if (!S_ISREG(st.st_mode) || st.st_uid != 0 ||
	    (st.st_mode & (S_IWGRP | S_IWOTH)))
		return -EPERM;
	return sbxi_steal_fd(&fd);
}

int sbxi_helper_open(struct sbxi_fail *fail)
{
	size_t size = (size_t)(sbxi_helper_end - sbxi_helper_begin);
	int fd = sbxi_memfd_sealed("sbx-init", sbxi_helper_begin, size, true);

	if (fd >= 0)
		return fd;
	if (fd == -EACCES || fd == -EPERM || fd == -ENOSYS) {
		int installed = sbxi_helper_open_installed();

		if (installed >= 0)
			return installed;
		return sbxi_fail_remedy(fail, SBX_STEP_EXEC_HELPER, fd,
					SBXI_REMEDY_MEMFD_EXEC, "sbx-init",
					NULL);
	}
	return sbxi_fail(fail, SBX_STEP_SOCKETS, fd, "memfd", NULL);
}

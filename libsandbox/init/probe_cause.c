/* SPDX-License-Identifier: Apache-2.0 */
/* probe_cause: which setting of the host refuses user namespaces. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/errors.h"
#include "init/probe.h"

#define DEBIAN "/proc/sys/kernel/unprivileged_userns_clone"
#define APPARMOR "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"

/* Does the file begin with this digit, and nothing but it? */
static bool says(const char *path, char digit)
{
	AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC);
	char buf[4] = "";

	return fd >= 0 && read(fd, buf, sizeof(buf)) > 0 && buf[0] == digit &&
	       (buf[1] == '\n' || buf[1] == '\0');
}

static bool is_refusal(int err)
{
	return err == EPERM || err == EACCES;
}

/* A filter of whoever started the harness. */
static bool is_filtered(void)
{
	return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == 2;
}

uint32_t sbxi_probe_userns_cause(int err)
{
	/* Of our namespace or of one above it; older kernels say EUSERS. */
	if (err == ENOSPC || err == EUSERS)
		return SBXI_REMEDY_USERNS_SYSCTL;
	if (err == EPERM && says(DEBIAN, '0'))
		return SBXI_REMEDY_USERNS_DEBIAN;
	if (is_refusal(err) && says(APPARMOR, '1'))
		return SBXI_REMEDY_USERNS_APPARMOR;
	/* Filters answer as they like, ENOSYS and EINVAL too. */
	return is_filtered() ? SBXI_REMEDY_USERNS_FILTER : SBXI_REMEDY_NONE;
}

uint32_t sbxi_probe_restricted_cause(int err)
{
	if (is_refusal(err))
		return SBXI_REMEDY_USERNS_APPARMOR;
	return is_filtered() ? SBXI_REMEDY_USERNS_FILTER : SBXI_REMEDY_NONE;
}

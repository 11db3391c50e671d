/* SPDX-License-Identifier: Apache-2.0 */
/* host_files: what a task without a tree of its own finds of the host's. */
#ifndef SBXI_KERNEL_HOST_FILES_H
#define SBXI_KERNEL_HOST_FILES_H

static const char *const sbxi_host_devices[] = {
	"/dev/null", "/dev/zero",    "/dev/full",
	"/dev/random", "/dev/urandom", "/dev/tty",
};

/* In tier A the task finds files of its own there instead. */
static const char *const sbxi_host_user_database[] = {
	"/etc/passwd", "/etc/group", "/etc/hosts", "/etc/nsswitch.conf",
	"/etc/host.conf", "/etc/resolv.conf", "/etc/hostname",
};

#endif

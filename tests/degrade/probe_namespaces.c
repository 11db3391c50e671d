/* SPDX-License-Identifier: Apache-2.0 */
/* probe_namespaces: user namespaces and what can be done inside one. */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"

static int reap(long pid)
{
	if (pid < 0)
		return outcome(pid);
	if (pid == 0)
		_exit(0);
	/* Without an exit signal only __WALL sees it. */
	return waitpid((pid_t)pid, NULL, __WALL) < 0 ? -errno : 0;
}

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return write(fd, text, strlen(text)) < 0 ? -errno : 0;
}

static int try_unshare(void)
{
	return outcome(unshare(CLONE_NEWUSER));
}

static int try_unshare_all(void)
{
	return outcome(unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWUTS));
}

static int try_unshare_netns(void)
{
	return outcome(unshare(CLONE_NEWUSER | CLONE_NEWNET));
}

static int try_clone(void)
{
	return reap(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
}

static int try_clone3_userns(void)
{
	struct clone_args a = {
		.flags = CLONE_NEWUSER,
		.exit_signal = SIGCHLD,
	};

	return reap(syscall(SYS_clone3, &a, sizeof(a)));
}

static int try_setns(void)
{
	int fd = open("/proc/self/ns/uts", O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : outcome(setns(fd, CLONE_NEWUTS));
}

static int try_setns_user(void)
{
	int fd = open("/proc/self/ns/user", O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : outcome(setns(fd, CLONE_NEWUSER));
}

/* Own user namespace in which the caller's id is 0; other ones by flags. */
static int become_root(int flags)
{
	unsigned int uid = geteuid(), gid = getegid();
	char map[32];
	int rc;

	if (unshare(CLONE_NEWUSER | flags) < 0)
		return -errno;
	rc = write_text("/proc/self/setgroups", "deny");
	snprintf(map, sizeof(map), "0 %u 1", uid);
	if (rc == 0)
		rc = write_text("/proc/self/uid_map", map);
	snprintf(map, sizeof(map), "0 %u 1", gid);
	return rc ? rc : write_text("/proc/self/gid_map", map);
}

static int try_map(void)
{
	return become_root(0);
}

/* The acts below need no map, so that they tell what refuses them. */
static int try_mount(void)
{
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return -errno;
	return outcome(mount("tmpfs", "/mnt", "tmpfs", 0, NULL));
}

static int try_umount(void)
{
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return -errno;
	return outcome(umount2("/", MNT_DETACH));
}

static int mount_proc(void)
{
	return outcome(mount("proc", "/proc", "proc", 0, NULL));
}

static int try_mount_proc(void)
{
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID) < 0)
		return -errno;
	return in_child(mount_proc);
}

/* An id without a map may not have a user namespace. */
static int try_nested(void)
{
	int rc = become_root(0);

	return rc ? rc : outcome(unshare(CLONE_NEWUSER));
}

static int try_netns(void)
{
	if (unshare(CLONE_NEWUSER) < 0)
		return -errno;
	return outcome(unshare(CLONE_NEWNET));
}

static int try_chroot(void)
{
	if (unshare(CLONE_NEWUSER) < 0)
		return -errno;
	return outcome(chroot("/"));
}

static int try_hostname(void)
{
	if (unshare(CLONE_NEWUSER | CLONE_NEWUTS) < 0)
		return -errno;
	return outcome(sethostname("probe", 5));
}

static int try_pivot_root(void)
{
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return -errno;
	return outcome(syscall(SYS_pivot_root, "/proc/self/nothing", "/"));
}

static int try_open_tree(void)
{
	return outcome(syscall(SYS_open_tree, AT_FDCWD, "/", O_CLOEXEC)) < 0 ?
		       -errno : 0;
}

static int try_fsopen(void)
{
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return -errno;
	return syscall(SYS_fsopen, "tmpfs", 1) < 0 ? -errno : 0;
}

/* Without an attribute there is nothing to change, and no error. */
static int try_mount_setattr(void)
{
	uint64_t attr[4] = { 0 };

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return -errno;
	return outcome(syscall(SYS_mount_setattr, AT_FDCWD, "/", 0, attr,
			       sizeof(attr)));
}

const struct act namespace_acts[] = {
	{ "userns_unshare", try_unshare },
	{ "userns_others", try_unshare_all },
	{ "userns_netns", try_unshare_netns },
	{ "userns_clone", try_clone },
	{ "userns_clone3", try_clone3_userns },
	{ "setns_uts", try_setns },
	{ "setns_user", try_setns_user },
	{ "uid_map", try_map },
	{ "in_mount", try_mount },
	{ "in_umount", try_umount },
	{ "in_proc", try_mount_proc },
	{ "in_userns", try_nested },
	{ "in_netns", try_netns },
	{ "in_chroot", try_chroot },
	{ "in_hostname", try_hostname },
	{ "in_pivot_root", try_pivot_root },
	{ "in_fsopen", try_fsopen },
	{ "in_mount_setattr", try_mount_setattr },
	{ "open_tree", try_open_tree },
	{ NULL, NULL },
};

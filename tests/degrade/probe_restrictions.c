/* SPDX-License-Identifier: Apache-2.0 */
/* probe_restrictions: Landlock and seccomp, as far as a host offers them. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "probe.h"

struct ruleset_attr {
	uint64_t fs, net, scope, later;
};

static long create(const struct ruleset_attr *attr, size_t size)
{
	return syscall(SYS_landlock_create_ruleset, attr, size, 0);
}

static int try_create(uint64_t fs, uint64_t net, uint64_t scope, size_t size)
{
	struct ruleset_attr attr = { .fs = fs, .net = net, .scope = scope };

	return create(&attr, size) < 0 ? -errno : 0;
}

static int try_version(void)
{
	return outcome(syscall(SYS_landlock_create_ruleset, NULL, 0, 1));
}

static int try_bad_version(void)
{
	return outcome(syscall(SYS_landlock_create_ruleset, NULL, 8, 1));
}

static int try_errata(void)
{
	return syscall(SYS_landlock_create_ruleset, NULL, 0, 2) < 0 ? -errno :
								      0;
}

static int try_fs(void)
{
	return try_create(0x1fff, 0, 0, 8);
}

static int try_refer(void)
{
	return try_create(1 << 13, 0, 0, 8);
}

static int try_truncate(void)
{
	return try_create(1 << 14, 0, 0, 8);
}

static int try_ioctl_dev(void)
{
	return try_create(1 << 15, 0, 0, 8);
}

static int try_unknown_right(void)
{
	return try_create(1ull << 60, 0, 0, 8);
}

static int try_net(void)
{
	return try_create(0, 3, 0, 16);
}

static int try_scope(void)
{
	return try_create(0, 0, 3, 24);
}

static int try_zero_tail(void)
{
	return try_create(1, 0, 0, 32);
}

static int try_unknown_tail(void)
{
	struct ruleset_attr attr = { .fs = 1, .later = 1 };

	return create(&attr, sizeof(attr)) < 0 ? -errno : 0;
}

static int try_short(void)
{
	return try_create(1, 0, 0, 4);
}

static int try_bad_address(void)
{
	return outcome(syscall(SYS_landlock_create_ruleset, 16, 8, 0));
}

/* Before ABI 4 the kind of rule is unknown, after it the port is. */
static int try_net_rule(void)
{
	struct { uint64_t access, port; } rule = { 1, 80 };
	struct ruleset_attr net = { .net = 1 }, fs = { .fs = 1 };
	long fd = create(&net, 16);

	if (fd < 0)
		fd = create(&fs, 8);
	if (fd < 0)
		return -errno;
	return outcome(syscall(SYS_landlock_add_rule, fd, 2, &rule, 0));
}

static long restrict_self(unsigned int flags)
{
	struct ruleset_attr attr = { .fs = 1 << 12 };
	long fd = create(&attr, 8);

	if (fd < 0)
		return fd;
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return syscall(SYS_landlock_restrict_self, fd, flags);
}

static int try_restrict(void)
{
	return outcome(restrict_self(0));
}

static int try_restrict_log(void)
{
	return outcome(restrict_self(1));
}

static int try_restrict_unknown(void)
{
	return outcome(restrict_self(1u << 20));
}

/* A layer that holds: creating a link is refused where no rule allows it. */
static int try_holds(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/tmp/probe_%d", getpid());
	if (restrict_self(0) < 0)
		return -errno;
	if (symlink("x", path) == 0) {
		unlink(path);
		return 0;
	}
	return -errno;
}

static long load(unsigned int flags, uint32_t action)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_nfsservctl, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { .len = 4, .filter = code };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &prog);
}

static int try_filter(void)
{
	return outcome(load(0, SECCOMP_RET_ERRNO | EBUSY));
}

/* A filter of the command's own works on top of the emulator's. */
static int try_filter_holds(void)
{
	if (load(0, SECCOMP_RET_ERRNO | EMLINK) < 0)
		return -errno;
	return outcome(syscall(SYS_nfsservctl));
}

static int try_prctl_filter(void)
{
	struct sock_filter code = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog prog = { .len = 1, .filter = &code };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return outcome(prctl(PR_SET_SECCOMP, 2, &prog, 0, 0));
}

static int try_listener(void)
{
	long fd = load(SECCOMP_FILTER_FLAG_NEW_LISTENER,
		       SECCOMP_RET_USER_NOTIF);

	return fd < 0 ? -errno : 0;
}

static int try_wait_killable(void)
{
	long fd = load(SECCOMP_FILTER_FLAG_NEW_LISTENER |
			       SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV,
		       SECCOMP_RET_USER_NOTIF);

	return fd < 0 ? -errno : 0;
}

static int try_notif_sizes(void)
{
	struct seccomp_notif_sizes sizes;

	return outcome(syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0,
			       &sizes));
}

/* On /dev/null the command is unknown, unless somebody answered before. */
static int try_addfd(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	return outcome(ioctl(fd, SECCOMP_IOCTL_NOTIF_ADDFD, NULL));
}

const struct act restriction_acts[] = {
	{ "ll_abi", try_version },
	{ "ll_bad_version", try_bad_version },
	{ "ll_errata", try_errata },
	{ "ll_fs", try_fs },
	{ "ll_refer", try_refer },
	{ "ll_truncate", try_truncate },
	{ "ll_ioctl_dev", try_ioctl_dev },
	{ "ll_unknown_right", try_unknown_right },
	{ "ll_net", try_net },
	{ "ll_net_rule", try_net_rule },
	{ "ll_scope", try_scope },
	{ "ll_zero_tail", try_zero_tail },
	{ "ll_unknown_tail", try_unknown_tail },
	{ "ll_short", try_short },
	{ "ll_bad_address", try_bad_address },
	{ "ll_restrict", try_restrict },
	{ "ll_restrict_log", try_restrict_log },
	{ "ll_restrict_unknown", try_restrict_unknown },
	{ "ll_holds", try_holds },
	{ "seccomp_filter", try_filter },
	{ "seccomp_holds", try_filter_holds },
	{ "seccomp_prctl", try_prctl_filter },
	{ "seccomp_listener", try_listener },
	{ "seccomp_wait_killable", try_wait_killable },
	{ "seccomp_notif_sizes", try_notif_sizes },
	{ "seccomp_addfd", try_addfd },
	{ NULL, NULL },
};

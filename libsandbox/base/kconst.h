/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kconst: kernel constants newer than the headers that we build with (6.1),
 * each with the version that brought it.  From the kernel's uapi headers and
 * the man pages named; the helper is built with musl, which lacks many more.
 */
#ifndef SBXI_BASE_KCONST_H
#define SBXI_BASE_KCONST_H

#include <stdint.h>
#include <sys/syscall.h>

/* System call numbers of 5.x that a libc may not name; the same everywhere. */
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_open_tree
#define SYS_open_tree 428	/* 5.2 */
#define SYS_move_mount 429
#define SYS_fsopen 430
#define SYS_fsconfig 431
#define SYS_fsmount 432
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434	/* 5.3 */
#endif
#ifndef SYS_clone3
#define SYS_clone3 435		/* 5.3 */
#endif
#ifndef SYS_close_range
#define SYS_close_range 436	/* 5.9 */
#endif
#ifndef SYS_openat2
#define SYS_openat2 437		/* 5.6 */
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438	/* 5.6 */
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442	/* 5.12 */
#endif
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444	/* 5.13 */
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

#define SBXI_SYS_FCHMODAT2 452	/* 6.6 */

/* clone(2) */
#define SBXI_CLONE_NEWTIME 0x00000080ull
#define SBXI_CLONE_VM 0x00000100ull
#define SBXI_CLONE_VFORK 0x00004000ull
#define SBXI_CLONE_PARENT 0x00008000ull
#define SBXI_CLONE_PIDFD 0x00001000ull	/* 5.2 */
#define SBXI_CLONE_NEWNS 0x00020000ull
#define SBXI_CLONE_NEWCGROUP 0x02000000ull
#define SBXI_CLONE_NEWUTS 0x04000000ull
#define SBXI_CLONE_NEWIPC 0x08000000ull
#define SBXI_CLONE_NEWUSER 0x10000000ull
#define SBXI_CLONE_NEWPID 0x20000000ull
#define SBXI_CLONE_NEWNET 0x40000000ull
#define SBXI_CLONE_INTO_CGROUP 0x200000000ull	/* 5.7, clone3 only */

struct sbxi_clone_args {
	uint64_t flags, pidfd, child_tid, parent_tid, exit_signal;
	uint64_t stack, stack_size, tls, set_tid, set_tid_size, cgroup;
};

/* openat2(2) */
#define SBXI_RESOLVE_NO_XDEV 0x01
#define SBXI_RESOLVE_NO_MAGICLINKS 0x02
#define SBXI_RESOLVE_NO_SYMLINKS 0x04
#define SBXI_RESOLVE_BENEATH 0x08
#define SBXI_RESOLVE_IN_ROOT 0x10

struct sbxi_open_how {
	uint64_t flags, mode, resolve;
};

/* memfd_create(2) */
#define SBXI_MFD_CLOEXEC 0x1u
#define SBXI_MFD_ALLOW_SEALING 0x2u
#define SBXI_MFD_NOEXEC_SEAL 0x8u	/* 6.3 */
#define SBXI_MFD_EXEC 0x10u		/* 6.3 */

/* fcntl(2) seals */
#define SBXI_F_ADD_SEALS 1033
#define SBXI_F_GET_SEALS 1034
#define SBXI_F_SEAL_SEAL 0x1
#define SBXI_F_SEAL_SHRINK 0x2
#define SBXI_F_SEAL_GROW 0x4
#define SBXI_F_SEAL_WRITE 0x8
#define SBXI_SEALS_ALL (SBXI_F_SEAL_SEAL | SBXI_F_SEAL_SHRINK | \
			SBXI_F_SEAL_GROW | SBXI_F_SEAL_WRITE)

/* The mount API */
#define SBXI_OPEN_TREE_CLONE 1u
#define SBXI_OPEN_TREE_CLOEXEC 02000000u
#define SBXI_AT_RECURSIVE 0x8000u
#define SBXI_MOVE_MOUNT_F_EMPTY_PATH 0x4u
#define SBXI_FSOPEN_CLOEXEC 1u
#define SBXI_FSMOUNT_CLOEXEC 1u
#define SBXI_FSCONFIG_SET_STRING 1u
#define SBXI_FSCONFIG_CMD_CREATE 6u
#define SBXI_MOUNT_ATTR_RDONLY 0x01ull
#define SBXI_MOUNT_ATTR_NOSUID 0x02ull
#define SBXI_MOUNT_ATTR_NODEV 0x04ull
#define SBXI_MOUNT_ATTR_NOEXEC 0x08ull
#define SBXI_MOUNT_ATTR_IDMAP 0x00100000ull	/* 5.12 */

struct sbxi_mount_attr {
	uint64_t attr_set, attr_clr, propagation, userns_fd;
};

/* landlock(7), with the ABI that brought each */
#define SBXI_LL_FS_EXECUTE (1ull << 0)
#define SBXI_LL_FS_WRITE_FILE (1ull << 1)
#define SBXI_LL_FS_READ_FILE (1ull << 2)
#define SBXI_LL_FS_READ_DIR (1ull << 3)
#define SBXI_LL_FS_REMOVE_DIR (1ull << 4)
#define SBXI_LL_FS_REMOVE_FILE (1ull << 5)
#define SBXI_LL_FS_MAKE_CHAR (1ull << 6)
#define SBXI_LL_FS_MAKE_DIR (1ull << 7)
#define SBXI_LL_FS_MAKE_REG (1ull << 8)
#define SBXI_LL_FS_MAKE_SOCK (1ull << 9)
#define SBXI_LL_FS_MAKE_FIFO (1ull << 10)
#define SBXI_LL_FS_MAKE_BLOCK (1ull << 11)
#define SBXI_LL_FS_MAKE_SYM (1ull << 12)
#define SBXI_LL_FS_REFER (1ull << 13)		/* 2 */
#define SBXI_LL_FS_TRUNCATE (1ull << 14)	/* 3 */
#define SBXI_LL_FS_IOCTL_DEV (1ull << 15)	/* 5 */
#define SBXI_LL_FS_RESOLVE_UNIX (1ull << 16)	/* 9 */
#define SBXI_LL_NET_BIND_TCP (1ull << 0)	/* 4 */
#define SBXI_LL_NET_CONNECT_TCP (1ull << 1)	/* 4 */
#define SBXI_LL_SCOPE_ABSTRACT_UNIX (1ull << 0)	/* 6 */
#define SBXI_LL_SCOPE_SIGNAL (1ull << 1)	/* 6 */
#define SBXI_LL_CREATE_VERSION 1u
#define SBXI_LL_RULE_PATH_BENEATH 1

struct sbxi_landlock_ruleset_attr {
	uint64_t handled_access_fs, handled_access_net, scoped;
};

struct __attribute__((packed)) sbxi_landlock_path_beneath_attr {
	uint64_t allowed_access;
	int32_t parent_fd;
};

/* prctl(2) */
#define SBXI_PR_SET_NO_NEW_PRIVS 38
#define SBXI_PR_CAP_AMBIENT 47
#define SBXI_PR_CAP_AMBIENT_CLEAR_ALL 4

/* seccomp_unotify(2) */
#define SBXI_NOTIF_FLAG_NEW_LISTENER 0x8u	/* 5.0 */
#define SBXI_NOTIF_FLAG_WAIT_KILLABLE 0x20u	/* 5.19 */
#define SBXI_NOTIF_RECV 0xc0502100u
#define SBXI_NOTIF_SEND 0xc0182101u
#define SBXI_NOTIF_ID_VALID 0x40082102u
#define SBXI_NOTIF_ADDFD 0x40182103u
#define SBXI_ADDFD_SEND 0x2u			/* 5.14 */

struct sbxi_notif {
	uint64_t id;
	uint32_t pid, flags;
	int32_t nr;
	uint32_t arch;
	uint64_t instruction_pointer, args[6];
};

struct sbxi_notif_resp {
	uint64_t id;
	int64_t val;
	int32_t error;
	uint32_t flags;
};

struct sbxi_notif_addfd {
	uint64_t id;
	uint32_t flags, srcfd, newfd, newfd_flags;
};

/* getsockopt(2) */
#define SBXI_SO_NETNS_COOKIE 71			/* 5.14 */
#define SBXI_SO_PEERPIDFD 77			/* 6.5 */

/* pidfd_open(2) */
#define SBXI_PIDFD_THREAD 0200u			/* 6.9 */

/* waitid(2) */
#define SBXI_P_PIDFD 3		/* 5.4 */

/* sys/socket.h: control message with a pidfd of the sender, 6.5 */
#define SBXI_SCM_PIDFD 4
#define SBXI_SO_PASSPIDFD 76

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* rules: what each poorer host refuses, as tables. */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "filter.h"

/* Newer than the 6.1 headers. */
#ifndef SYS_open_tree_attr
#define SYS_open_tree_attr 467	/* 6.15 */
#endif
#define NR_MFD_NOEXEC_SEAL 0x8u	/* 6.3 */
#define NR_P_PIDFD 3u		/* waitid(2), 5.4 */

#define NEW_OTHERS (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | \
		    CLONE_NEWIPC | CLONE_NEWPID | CLONE_NEWNET)
#define NEW_ANY (NEW_OTHERS | CLONE_NEWUSER)

#define END { .nr = -1 }
#define REFUSE(name, err) { .nr = SYS_##name, .act = (err) }
#define REFUSE_BITS(name, argument, bits, err) \
	{ .nr = SYS_##name, .act = (err), .when = ANY_BIT, \
	  .arg = (argument), .value = (bits) }
#define REFUSE_VALUE(name, argument, number, err) \
	{ .nr = SYS_##name, .act = (err), .when = EQUAL, \
	  .arg = (argument), .value = (number) }
#define REFUSE_MOUNT_API(err) \
	REFUSE(open_tree, err), REFUSE(move_mount, err), \
	REFUSE(fsopen, err), REFUSE(fsconfig, err), REFUSE(fsmount, err), \
	REFUSE(fspick, err), REFUSE(mount_setattr, err), \
	REFUSE(open_tree_attr, err)

/* clone3 keeps its flags in memory, out of a filter's sight. */
const struct rule no_userns_rules[] = {
	REFUSE_BITS(unshare, 0, CLONE_NEWUSER, ACT_CHOSEN),
	REFUSE_BITS(clone, 0, CLONE_NEWUSER, ACT_CHOSEN),
	REFUSE_BITS(setns, 1, CLONE_NEWUSER, ACT_CHOSEN),
	REFUSE(clone3, ENOSYS),
	END
};

const struct rule no_userns_trace_rules[] = {
	REFUSE_BITS(unshare, 0, CLONE_NEWUSER, ACT_CHOSEN),
	REFUSE_BITS(clone, 0, CLONE_NEWUSER, ACT_CHOSEN),
	REFUSE_BITS(setns, 1, CLONE_NEWUSER, ACT_CHOSEN),
	REFUSE(clone3, ACT_TRACE),
	END
};

const struct rule no_landlock_rules[] = {
	REFUSE(landlock_create_ruleset, ACT_CHOSEN),
	REFUSE(landlock_add_rule, ACT_CHOSEN),
	REFUSE(landlock_restrict_self, ACT_CHOSEN),
	END
};

/*
 * A user namespace can be made, together with others, but whoever is inside
 * has no capability.
 */
const struct rule apparmor_rules[] = {
	REFUSE(mount, EACCES),
	REFUSE(umount2, EACCES),
	REFUSE(pivot_root, EPERM),
	REFUSE(chroot, EPERM),
	REFUSE(sethostname, EPERM),
	REFUSE(setdomainname, EPERM),
	REFUSE(setns, EPERM),
	REFUSE_MOUNT_API(EPERM),
	REFUSE_BITS(unshare, 0, CLONE_NEWUSER, ACT_ALLOW),
	REFUSE_BITS(unshare, 0, NEW_OTHERS, EPERM),
	REFUSE_BITS(clone, 0, CLONE_NEWUSER, ACT_ALLOW),
	REFUSE_BITS(clone, 0, NEW_OTHERS, EPERM),
	END
};

/* A system call that no program makes: it has been gone since Linux 3.1. */
const struct rule notify_taken_rules[] = {
	REFUSE(nfsservctl, ACT_NOTIFY),
	END
};

/* What the profile of a container engine withholds by default. */
static const struct rule docker_rules[] = {
	REFUSE(unshare, EPERM),
	REFUSE(setns, EPERM),
	REFUSE_BITS(clone, 0, NEW_ANY, EPERM),
	REFUSE(clone3, ENOSYS),
	REFUSE(mount, EPERM),
	REFUSE(umount2, EPERM),
	REFUSE(pivot_root, EPERM),
	REFUSE_MOUNT_API(EPERM),
	REFUSE(sethostname, EPERM),
	REFUSE(setdomainname, EPERM),
	REFUSE(keyctl, EPERM),
	REFUSE(add_key, EPERM),
	REFUSE(request_key, EPERM),
	REFUSE(bpf, EPERM),
	REFUSE(userfaultfd, EPERM),
	REFUSE(io_uring_setup, EPERM),
	REFUSE(io_uring_enter, EPERM),
	REFUSE(io_uring_register, EPERM),
	REFUSE(perf_event_open, EPERM),
	REFUSE(pidfd_getfd, EPERM),
	REFUSE(kcmp, EPERM),
	REFUSE(fanotify_init, EPERM),
	REFUSE(open_by_handle_at, EPERM),
	REFUSE(quotactl, EPERM),
	REFUSE(syslog, EPERM),
	END
};

static const struct rule no_seccomp_rules[] = {
	REFUSE(seccomp, ENOSYS),
	REFUSE_VALUE(prctl, 0, PR_SET_SECCOMP, EINVAL),
	REFUSE_VALUE(prctl, 0, PR_GET_SECCOMP, EINVAL),
	END
};

/* Linux 4.20; flags that came later are unknown there, too. */
static const struct rule no_notify_rules[] = {
	REFUSE_BITS(seccomp, 1,
		    SECCOMP_FILTER_FLAG_NEW_LISTENER |
			    SECCOMP_FILTER_FLAG_TSYNC_ESRCH |
			    SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV,
		    EINVAL),
	REFUSE_VALUE(seccomp, 0, SECCOMP_GET_NOTIF_SIZES, EINVAL),
	END
};

static const struct rule no_addfd_rules[] = {
	REFUSE_VALUE(ioctl, 1, (uint32_t)SECCOMP_IOCTL_NOTIF_ADDFD, EINVAL),
	END
};

static const struct rule no_wait_killable_rules[] = {
	REFUSE_BITS(seccomp, 1, SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV,
		    EINVAL),
	END
};

static const struct rule no_clone3_rules[] = { REFUSE(clone3, ENOSYS), END };
static const struct rule no_openat2_rules[] = { REFUSE(openat2, ENOSYS), END };
static const struct rule no_close_range_rules[] = {
	REFUSE(close_range, ENOSYS),
	END
};

/* Linux 5.1, where clone3 with its CLONE_PIDFD is missing as well. */
static const struct rule no_pidfd_rules[] = {
	REFUSE(pidfd_open, ENOSYS),
	REFUSE(pidfd_send_signal, ENOSYS),
	REFUSE(pidfd_getfd, ENOSYS),
	REFUSE(clone3, ENOSYS),
	REFUSE_BITS(clone, 0, CLONE_PIDFD, EINVAL),
	REFUSE_VALUE(waitid, 0, NR_P_PIDFD, EINVAL),
	END
};

static const struct rule no_memfd_rules[] = {
	REFUSE(memfd_create, ENOSYS),
	END
};

/* vm.memfd_noexec=2 as of Linux 6.3: what is not sealed against exec is refused. */
static const struct rule no_memfd_exec_rules[] = {
	{ .nr = SYS_memfd_create, .act = EACCES, .when = NO_BIT, .arg = 1,
	  .value = NR_MFD_NOEXEC_SEAL },
	END
};

static const struct rule no_exec_fd_rules[] = {
	REFUSE_BITS(execveat, 4, AT_EMPTY_PATH, EACCES),
	END
};

static const struct rule no_mount_api_rules[] = {
	REFUSE_MOUNT_API(ENOSYS),
	END
};

static const struct rule no_io_uring_rules[] = {
	REFUSE(io_uring_setup, EPERM),
	REFUSE(io_uring_enter, EPERM),
	REFUSE(io_uring_register, EPERM),
	END
};

static const struct rule no_vm_access_rules[] = {
	REFUSE(process_vm_readv, EPERM),
	REFUSE(process_vm_writev, EPERM),
	END
};

const struct rule_set rule_sets[] = {
	{ "--docker", "a container engine's default filter", docker_rules },
	{ "--no-seccomp", "seccomp not built", no_seccomp_rules },
	{ "--no-notify", "no user notification", no_notify_rules },
	{ "--no-addfd", "notification without ADDFD", no_addfd_rules },
	{ "--no-wait-killable", "notification without WAIT_KILLABLE_RECV",
	  no_wait_killable_rules },
	{ "--no-clone3", "clone3: ENOSYS", no_clone3_rules },
	{ "--no-openat2", "openat2: ENOSYS", no_openat2_rules },
	{ "--no-close-range", "close_range: ENOSYS", no_close_range_rules },
	{ "--no-pidfd", "no pidfd at all", no_pidfd_rules },
	{ "--no-memfd", "memfd_create: ENOSYS", no_memfd_rules },
	{ "--no-memfd-exec", "vm.memfd_noexec=2", no_memfd_exec_rules },
	{ "--no-exec-fd", "execveat of a descriptor: EACCES",
	  no_exec_fd_rules },
	{ "--no-mount-api", "open_tree and its kin: ENOSYS",
	  no_mount_api_rules },
	{ "--no-io-uring", "io_uring: EPERM", no_io_uring_rules },
	{ "--no-vm-access", "process_vm_readv and _writev: EPERM",
	  no_vm_access_rules },
	{ NULL, NULL, NULL },
};

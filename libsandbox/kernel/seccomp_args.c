/* SPDX-License-Identifier: Apache-2.0 */
/*
 * seccomp_args: what is compared inside a call, as one table of rules.
 *
 * The rules of a call stand in the order in which they are tried: the first
 * that holds decides.  Where the last one has no condition, the call is an
 * allow list of its own.  The errno is the one on which programs fall back.
 */

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/netlink.h>
#include <linux/random.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include "base/cleanup.h"
#include "base/kconst.h"
#include "kernel/seccomp_sets.h"

#define A SBXI_ON_A
#define B SBXI_ON_B
#define TASK SBXI_ON_TASK
#define CONNECTED SBXI_ON_CONNECTED
#define SUPERVISOR SBXI_ON_SUPERVISOR
#define READER SBXI_ON_READER

#define ALLOW SECCOMP_RET_ALLOW
#define ASK SECCOMP_RET_USER_NOTIF
#define ERR(e) (SECCOMP_RET_ERRNO | (e))
/* The call returns 0 and does nothing. */
#define WITHOUT_EFFECT ERR(0)

#define COND(arg, op, mask, value) \
	{ arg, false, SBXI_COND_##op, mask, (uint32_t)(value) }
#define EQ(arg, value) COND(arg, EQUAL, 0xffffffffu, value)
#define NE(arg, value) COND(arg, DIFFERS, 0xffffffffu, value)
#define BITS(arg, mask, value) COND(arg, EQUAL, mask, value)
#define ANY(arg, mask) COND(arg, DIFFERS, mask, 0)
#define NONE(arg, mask) COND(arg, EQUAL, mask, 0)
#define UPPER_IS_0(arg) { arg, true, SBXI_COND_EQUAL, 0xffffffffu, 0 }

#define RULE(call, on, action, ...) \
	{ call, on, SBXI_UNLESS_NEVER, action, { __VA_ARGS__ } }
#define UNLESS(what, call, on, action, ...) \
	{ call, on, SBXI_UNLESS_##what, action, { __VA_ARGS__ } }
#define REST(call, on, action) \
	{ call, on, SBXI_UNLESS_NEVER, action, { { .mask = 0 } } }
/* The supervisor does it on the task's behalf, where it listens. */
#define ASK_ALWAYS(call) \
	{ call, TASK, SBXI_UNLESS_UNHEARD, ASK, { { .mask = 0 } } }
#define ASK_FILES(call) \
	{ call, TASK, SBXI_UNLESS_UNHEARD_FILES, ASK, { { .mask = 0 } } }
#define ASK_FILES_B(call) \
	{ call, B, SBXI_UNLESS_UNHEARD_FILES, ASK, { { .mask = 0 } } }

/* Set-uid and set-gid: never made by a task. */
#define SET_ID (S_ISUID | S_ISGID)
/*
 * open(2) reads its mode argument only with one of these.  The C library's
 * O_TMPFILE holds O_DIRECTORY as well, the kernel's bit does not.
 */
#define MAKES_FILE (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))

#define MODE(call, arg) RULE(call, TASK, ERR(EPERM), ANY(arg, SET_ID))
#define OPEN(call, flags, mode) \
	RULE(call, TASK, ERR(EPERM), ANY(flags, MAKES_FILE), \
	     ANY(mode, SET_ID)), \
	UNLESS(UNHEARD_FILES, call, TASK, ASK, \
	       ANY(flags, O_ACCMODE | O_TRUNC | MAKES_FILE)), \
	/* Landlock below ABI 3 lets truncation pass without write access. */ \
	UNLESS(ABI_3, call, B, ERR(EACCES), \
	       BITS(flags, O_TRUNC | O_ACCMODE, O_TRUNC | O_RDONLY)), \
	UNLESS(ABI_3, call, B, ERR(EACCES), \
	       BITS(flags, O_TRUNC | O_ACCMODE, O_TRUNC | O_ACCMODE)), \
	UNLESS(UNHEARD_FILES, call, SUPERVISOR, ALLOW), \
	RULE(call, SUPERVISOR, ERR(EPERM), \
	     ANY(flags, O_ACCMODE | O_TRUNC | MAKES_FILE))
#define ASK_MKNOD(call, mode, type) \
	UNLESS(UNHEARD_FILES, call, TASK, ASK, BITS(mode, S_IFMT, type))
#define MKNOD(call, mode) \
	MODE(call, mode), \
	ASK_MKNOD(call, mode, 0), \
	ASK_MKNOD(call, mode, S_IFREG), \
	ASK_MKNOD(call, mode, S_IFIFO), \
	ASK_MKNOD(call, mode, S_IFSOCK), \
	RULE(call, TASK, ALLOW, BITS(mode, S_IFMT, 0)), \
	RULE(call, TASK, ALLOW, BITS(mode, S_IFMT, S_IFREG)), \
	RULE(call, TASK, ALLOW, BITS(mode, S_IFMT, S_IFIFO)), \
	RULE(call, TASK, ALLOW, BITS(mode, S_IFMT, S_IFSOCK)), \
	REST(call, TASK, ERR(EPERM))
/* Landlock judges no metadata, and tier B has no mounts that would. */
#define BY_PATH(call) REST(call, B, ERR(EPERM))
/*
 * Landlock does not judge metadata, and a descriptor that was opened to read
 * changes it all the same.  Times of a descriptor are answered without effect:
 * touch and tar set them on what they have just made.
 */
#define TIMES(call) \
	RULE(call, B, WITHOUT_EFFECT, EQ(1, 0), UPPER_IS_0(1)), \
	REST(call, B, ERR(EPERM))

/* In tier A the others are the task's own, but for the supervisor: pid 1. */
#define SELF_ONLY(call) \
	RULE(call, B, ERR(EPERM), NE(0, 0)), \
	RULE(call, A, ERR(EPERM), EQ(0, 1))
#define QUESTION(call) UNLESS(UNHEARD_FILES, call, B, ASK, NE(0, 0))
/* The supervisor knows whose number it is. */
#define OWN_TREE(call) \
	UNLESS(UNHEARD_FILES, call, B, ASK, NE(0, 0)), \
	SELF_ONLY(call)
/* Of a process: not the supervisor's; of a group: one's own; of a user: no. */
#define PRIORITY(call, of_process, of_group) \
	RULE(call, B, ALLOW, EQ(0, of_process), EQ(1, 0)), \
	REST(call, B, ERR(EPERM)), \
	RULE(call, A, ERR(EPERM), EQ(0, of_process), EQ(1, 1)), \
	RULE(call, A, ALLOW, EQ(0, of_process)), \
	RULE(call, A, ALLOW, EQ(0, of_group), EQ(1, 0)), \
	REST(call, A, ERR(EPERM))
#define OWN_IPC(call) REST(call, B, ERR(EPERM))

/* Signal 0 sends nothing. */
#define SIGNAL(call, sig) \
	UNLESS(ABI_6_HEARD, call, B, ASK, NE(sig, 0)), \
	UNLESS(ABI_6, call, B, ERR(EPERM), NE(sig, 0))

#define SOCKOPT(level, name) \
	RULE("setsockopt", TASK, ALLOW, EQ(1, level), EQ(2, name))
#define NO_SOCKOPT(level, name) \
	RULE("setsockopt", TASK, WITHOUT_EFFECT, EQ(1, level), EQ(2, name))
#define IOCTL(command) RULE("ioctl", TASK, ALLOW, EQ(1, command))
/* Interfaces: the jail's own, never the harness's. */
#define IOCTL_NET(command) \
	RULE("ioctl", A, ALLOW, EQ(1, command)), \
	RULE("ioctl", CONNECTED, ERR(ENOTTY), EQ(1, command))
/* The supervisor's listener. */
#define NOTIFY(command) \
	UNLESS(UNHEARD_FILES, "ioctl", SUPERVISOR, ALLOW, EQ(1, command))
#define PRCTL(option) RULE("prctl", TASK, ALLOW, EQ(0, option))
#define INET(family, type, protocol) \
	RULE("socket", A, ALLOW, EQ(0, family), BITS(1, TYPE_MASK, type), \
	     EQ(2, protocol))
#define INET_FAMILY(family) \
	INET(family, SOCK_STREAM, 0), \
	INET(family, SOCK_STREAM, IPPROTO_TCP), \
	INET(family, SOCK_DGRAM, 0), \
	INET(family, SOCK_DGRAM, IPPROTO_UDP), \
	RULE("socket", A, ERR(EPROTONOSUPPORT), EQ(0, family), \
	     BITS(1, TYPE_MASK, SOCK_STREAM)), \
	RULE("socket", A, ERR(EPROTONOSUPPORT), EQ(0, family), \
	     BITS(1, TYPE_MASK, SOCK_DGRAM)), \
	RULE("socket", A, ERR(ESOCKTNOSUPPORT), EQ(0, family))

/* The rest of the type argument is SOCK_CLOEXEC and SOCK_NONBLOCK. */
#define TYPE_MASK 0xfu

/* The flag bits of clone(2) and unshare(2). */
#define NEW_NAMESPACE \
	((uint32_t)(SBXI_CLONE_NEWNS | SBXI_CLONE_NEWCGROUP | \
		    SBXI_CLONE_NEWUTS | SBXI_CLONE_NEWIPC | \
		    SBXI_CLONE_NEWUSER | SBXI_CLONE_NEWPID | \
		    SBXI_CLONE_NEWNET))
#define UNSHARE_PLAIN (CLONE_FILES | CLONE_FS | CLONE_SYSVSEM)

/* linux/ioprio.h, linux/personality.h and fcntl.h of newer versions. */
#define IOPRIO_OF_PROCESS 1
#define IOPRIO_OF_GROUP 2
#define PERSONALITY_ASK 0xffffffffu
#define PERSONALITY_PLAIN 0x00060008u	/* LINUX32, UNAME26, NO_RANDOMIZE */
#define SET_LEASE 1024
#define SET_DELEGATION 1040		/* 6.19 */
#define SET_OWNER_EX 15
#define WHITEOUT (1u << 2)		/* RENAME_WHITEOUT */
#define EMPTY_PATH 0x1000u		/* AT_EMPTY_PATH */
#define FASTOPEN 0x20000000u		/* MSG_FASTOPEN */
#define PROT_EXECUTE 0x4u

/* linux/prctl.h of newer versions. */
#define SET_MDWE 65			/* 6.3 */
#define GET_MDWE 66
#define GET_AUXV 0x41555856		/* 6.4 */

static const struct sbxi_rule rules[] = {
	/* Files: no set-id bits, no devices. */
	OPEN("open", 1, 2),
	OPEN("openat", 2, 3),
	MODE("creat", 1),
	ASK_FILES("creat"),
	MODE("mkdir", 1),
	ASK_FILES("mkdir"),
	MODE("mkdirat", 2),
	ASK_FILES("mkdirat"),
	ASK_FILES("rmdir"),
	ASK_FILES("unlink"),
	ASK_FILES("unlinkat"),
	ASK_FILES("rename"),
	ASK_FILES("renameat"),
	ASK_FILES("link"),
	ASK_FILES("linkat"),
	ASK_FILES("symlink"),
	ASK_FILES("symlinkat"),
	MKNOD("mknod", 1),
	MKNOD("mknodat", 2),
	/* A whiteout is a character device. */
	RULE("renameat2", TASK, ERR(EPERM), ANY(4, WHITEOUT)),
	ASK_FILES("renameat2"),
	ASK_FILES("truncate"),
	UNLESS(ABI_3, "truncate", B, ERR(EACCES)),

	MODE("chmod", 1),
	MODE("fchmod", 1),
	MODE("fchmodat", 2),
	MODE("fchmodat2", 2),
	/* Landlock does not judge who watches; in tier A the mounts do. */
	ASK_FILES_B("inotify_add_watch"),
	REST("inotify_add_watch", B, ERR(EACCES)),
	ASK_FILES("chmod"),
	ASK_FILES("fchmod"),
	ASK_FILES("fchmodat"),
	ASK_FILES("fchmodat2"),
	ASK_FILES("chown"),
	ASK_FILES("fchown"),
	ASK_FILES("lchown"),
	ASK_FILES("fchownat"),
	ASK_FILES("utime"),
	ASK_FILES("utimes"),
	ASK_FILES("futimesat"),
	ASK_FILES("utimensat"),
	ASK_FILES("setxattr"),
	ASK_FILES("lsetxattr"),
	ASK_FILES("fsetxattr"),
	ASK_FILES("removexattr"),
	ASK_FILES("lremovexattr"),
	ASK_FILES("fremovexattr"),
	/* Nor who reads attributes. */
	ASK_FILES_B("statfs"),
	ASK_FILES_B("getxattr"),
	ASK_FILES_B("lgetxattr"),
	ASK_FILES_B("listxattr"),
	ASK_FILES_B("llistxattr"),
	/* Programs fall back on the ones above. */
	UNLESS(UNHEARD_FILES, "getxattrat", B, ERR(ENOSYS)),
	UNLESS(UNHEARD_FILES, "listxattrat", B, ERR(ENOSYS)),
	UNLESS(UNHEARD_FILES, "file_getattr", B, ERR(ENOSYS)),
	UNLESS(UNHEARD_FILES, "setxattrat", TASK, ERR(ENOSYS)),
	UNLESS(UNHEARD_FILES, "removexattrat", TASK, ERR(ENOSYS)),
	BY_PATH("fchmod"),
	BY_PATH("fchown"),
	BY_PATH("fsetxattr"),
	BY_PATH("fremovexattr"),
	BY_PATH("chmod"),
	BY_PATH("fchmodat"),
	BY_PATH("fchmodat2"),
	BY_PATH("chown"),
	BY_PATH("lchown"),
	BY_PATH("fchownat"),
	BY_PATH("utime"),
	BY_PATH("utimes"),
	TIMES("futimesat"),
	TIMES("utimensat"),
	BY_PATH("setxattr"),
	BY_PATH("lsetxattr"),
	BY_PATH("setxattrat"),
	BY_PATH("removexattr"),
	BY_PATH("lremovexattr"),
	BY_PATH("removexattrat"),

	/* A lease stalls whoever opens the file on the other side. */
	RULE("fcntl", TASK, ERR(EINVAL), EQ(1, SET_LEASE)),
	RULE("fcntl", TASK, ERR(EINVAL), EQ(1, SET_DELEGATION)),
	/* These send signals to any process of the same user. */
	RULE("fcntl", B, ERR(EPERM), EQ(1, F_SETOWN)),
	RULE("fcntl", B, ERR(EPERM), EQ(1, F_SETSIG)),
	RULE("fcntl", B, ERR(EPERM), EQ(1, SET_OWNER_EX)),

	/* Memory that can be executed comes from files that Landlock judged. */
	RULE("memfd_create", TASK, ERR(EACCES), ANY(1, SBXI_MFD_EXEC)),
	UNLESS(UNHEARD, "memfd_create", TASK, ASK,
	       NONE(1, SBXI_MFD_NOEXEC_SEAL)),
	UNLESS(MEMFD_NOEXEC, "memfd_create", TASK, ERR(ENOSYS),
	       NONE(1, SBXI_MFD_NOEXEC_SEAL)),
	RULE("execveat", TASK, ERR(EPERM), ANY(4, EMPTY_PATH)),

	/* No nested namespaces. */
	RULE("clone", TASK, ERR(EPERM), ANY(0, NEW_NAMESPACE)),
	RULE("unshare", TASK, ERR(EPERM), ANY(0, ~(uint32_t)UNSHARE_PLAIN)),

	/* One listener a chain of filters: it is the supervisor's. */
	RULE("seccomp", TASK, ERR(EPERM), EQ(0, SECCOMP_SET_MODE_FILTER),
	     ANY(1, SECCOMP_FILTER_FLAG_NEW_LISTENER)),

	RULE("personality", TASK, ALLOW, EQ(0, PERSONALITY_ASK)),
	RULE("personality", TASK, ERR(EPERM), ANY(0, ~PERSONALITY_PLAIN)),

	PRCTL(PR_SET_NAME),
	PRCTL(PR_GET_NAME),
	PRCTL(PR_SET_PDEATHSIG),
	PRCTL(PR_GET_PDEATHSIG),
	/* What hides from its own kind hides from who counts its memory. */
	RULE("prctl", TASK, ERR(0), EQ(0, PR_SET_DUMPABLE)),
	PRCTL(PR_GET_DUMPABLE),
	PRCTL(PR_SET_NO_NEW_PRIVS),
	PRCTL(PR_GET_NO_NEW_PRIVS),
	PRCTL(PR_SET_VMA),
	PRCTL(PR_SET_SECCOMP),
	PRCTL(PR_GET_SECCOMP),
	PRCTL(PR_SET_CHILD_SUBREAPER),
	PRCTL(PR_GET_CHILD_SUBREAPER),
	PRCTL(PR_SET_TIMERSLACK),
	PRCTL(PR_GET_TIMERSLACK),
	PRCTL(PR_SET_PTRACER),
	PRCTL(PR_SET_THP_DISABLE),
	PRCTL(PR_GET_THP_DISABLE),
	PRCTL(SET_MDWE),
	PRCTL(GET_MDWE),
	PRCTL(GET_AUXV),
	PRCTL(PR_GET_TID_ADDRESS),
	PRCTL(PR_GET_TIMING),
	PRCTL(PR_GET_TSC),
	PRCTL(PR_GET_SPECULATION_CTRL),
	/* Without a capability these can only give up or fail. */
	PRCTL(PR_SET_KEEPCAPS),
	PRCTL(PR_GET_KEEPCAPS),
	PRCTL(PR_CAPBSET_READ),
	PRCTL(PR_CAPBSET_DROP),
	PRCTL(PR_CAP_AMBIENT),
	PRCTL(PR_GET_SECUREBITS),
	/* aarch64: vector lengths, pointer tags and keys of the thread. */
	PRCTL(PR_SVE_SET_VL),
	PRCTL(PR_SVE_GET_VL),
	PRCTL(PR_PAC_RESET_KEYS),
	PRCTL(PR_SET_TAGGED_ADDR_CTRL),
	PRCTL(PR_GET_TAGGED_ADDR_CTRL),
	REST("prctl", TASK, ERR(EINVAL)),

	/* Tier B shares its user with others: what has a pid is for itself. */
	/* To read them. */
	UNLESS(UNHEARD_FILES, "prlimit64", B, ASK, NE(0, 0), EQ(2, 0),
	       UPPER_IS_0(2)),
	SELF_ONLY("prlimit64"),
	OWN_TREE("sched_setaffinity"),
	SELF_ONLY("sched_setparam"),
	OWN_TREE("sched_setscheduler"),
	SELF_ONLY("sched_setattr"),
	QUESTION("sched_getaffinity"),
	QUESTION("sched_getscheduler"),
	QUESTION("getsid"),
	QUESTION("getpgid"),
	ASK_FILES_B("pidfd_open"),
	UNLESS(UNHEARD_FILES, "sched_getparam", B, ERR(EPERM), NE(0, 0)),
	UNLESS(UNHEARD_FILES, "sched_getattr", B, ERR(EPERM), NE(0, 0)),
	UNLESS(UNHEARD_FILES, "sched_rr_get_interval", B, ERR(EPERM),
	       NE(0, 0)),
	UNLESS(UNHEARD_FILES, "getpriority", B, ASK, EQ(0, PRIO_PROCESS),
	       NE(1, 0)),
	UNLESS(UNHEARD_FILES, "getpriority", B, ERR(EPERM),
	       NE(0, PRIO_PROCESS), NE(1, 0)),
	UNLESS(UNHEARD_FILES, "getpriority", B, ERR(EPERM),
	       EQ(0, PRIO_USER)),
	UNLESS(UNHEARD_FILES, "ioprio_get", B, ERR(EPERM), NE(1, 0)),
	SELF_ONLY("move_pages"),
	SELF_ONLY("migrate_pages"),
	UNLESS(UNHEARD_FILES, "setpriority", B, ASK, EQ(0, PRIO_PROCESS),
	       NE(1, 0)),
	PRIORITY("setpriority", PRIO_PROCESS, PRIO_PGRP),
	PRIORITY("ioprio_set", IOPRIO_OF_PROCESS, IOPRIO_OF_GROUP),

	/* The task leads a session of its own: group 0 is its own. */
	UNLESS(ABI_6, "kill", B, ALLOW, EQ(0, 0)),
	SIGNAL("kill", 1),
	SIGNAL("tkill", 1),
	SIGNAL("tgkill", 2),
	SIGNAL("rt_sigqueueinfo", 1),
	SIGNAL("rt_tgsigqueueinfo", 2),
	SIGNAL("pidfd_send_signal", 1),

	OWN_IPC("shmget"),
	OWN_IPC("shmat"),
	OWN_IPC("shmctl"),
	OWN_IPC("shmdt"),
	OWN_IPC("semget"),
	OWN_IPC("semop"),
	OWN_IPC("semtimedop"),
	OWN_IPC("semctl"),
	OWN_IPC("msgget"),
	OWN_IPC("msgsnd"),
	OWN_IPC("msgrcv"),
	OWN_IPC("msgctl"),
	OWN_IPC("mq_open"),
	OWN_IPC("mq_unlink"),
	OWN_IPC("mq_timedsend"),
	OWN_IPC("mq_timedreceive"),
	OWN_IPC("mq_notify"),
	OWN_IPC("mq_getsetattr"),

	/*
	 * Sockets.  A datagram socket of AF_UNIX sends to any socket file that
	 * it can name, connected or not, so there are none.
	 */
	UNLESS(ABI_9, "socket", B, ERR(EAFNOSUPPORT)),
	RULE("socket", TASK, ALLOW, EQ(0, AF_UNIX),
	     BITS(1, TYPE_MASK, SOCK_STREAM)),
	RULE("socket", TASK, ALLOW, EQ(0, AF_UNIX),
	     BITS(1, TYPE_MASK, SOCK_SEQPACKET)),
	RULE("socket", TASK, ERR(ESOCKTNOSUPPORT), EQ(0, AF_UNIX)),
	INET_FAMILY(AF_INET),
	INET_FAMILY(AF_INET6),
	/* It refuses, but says so to whoever started the task. */
	UNLESS(UNHEARD_FILES, "socket", B, ASK, EQ(0, AF_INET),
	       NONE(2, ~0xffu)),
	UNLESS(UNHEARD_FILES, "socket", B, ASK, EQ(0, AF_INET6),
	       NONE(2, ~0xffu)),
	INET(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE),
	INET(AF_NETLINK, SOCK_DGRAM, NETLINK_ROUTE),
	RULE("socket", A, ERR(EPROTONOSUPPORT), EQ(0, AF_NETLINK)),
	REST("socket", TASK, ERR(EAFNOSUPPORT)),
	RULE("socketpair", TASK, ALLOW, EQ(0, AF_UNIX),
	     BITS(1, TYPE_MASK, SOCK_STREAM)),
	RULE("socketpair", TASK, ALLOW, EQ(0, AF_UNIX),
	     BITS(1, TYPE_MASK, SOCK_SEQPACKET)),
	UNLESS(UNHEARD, "socketpair", TASK, ASK, EQ(0, AF_UNIX),
	       BITS(1, TYPE_MASK, SOCK_DGRAM)),
	RULE("socketpair", TASK, ERR(ESOCKTNOSUPPORT), EQ(0, AF_UNIX)),
	/* Of whose network a socket is, and whose a socket file, it knows. */
	ASK_ALWAYS("connect"),
	ASK_ALWAYS("bind"),
	UNLESS(UNHEARD, "getsockopt", TASK, ASK, EQ(1, SOL_SOCKET),
	       EQ(2, SO_PEERCRED)),
	/* A process outside, or the supervisor; programs take the number. */
	RULE("getsockopt", TASK, ERR(ENOPROTOOPT), EQ(1, SOL_SOCKET),
	     EQ(2, SBXI_SO_PEERPIDFD)),
	REST("socketpair", TASK, ERR(EAFNOSUPPORT)),

	SOCKOPT(IPPROTO_TCP, TCP_NODELAY),
	SOCKOPT(IPPROTO_TCP, TCP_CORK),
	SOCKOPT(IPPROTO_TCP, TCP_QUICKACK),
	SOCKOPT(IPPROTO_TCP, TCP_KEEPIDLE),
	SOCKOPT(IPPROTO_TCP, TCP_KEEPINTVL),
	SOCKOPT(IPPROTO_TCP, TCP_KEEPCNT),
	SOCKOPT(IPPROTO_TCP, TCP_USER_TIMEOUT),
	SOCKOPT(IPPROTO_TCP, TCP_DEFER_ACCEPT),
	SOCKOPT(SOL_SOCKET, SO_REUSEADDR),
	SOCKOPT(SOL_SOCKET, SO_REUSEPORT),
	SOCKOPT(SOL_SOCKET, SO_KEEPALIVE),
	SOCKOPT(SOL_SOCKET, SO_SNDBUF),
	SOCKOPT(SOL_SOCKET, SO_RCVBUF),
	SOCKOPT(SOL_SOCKET, SO_RCVTIMEO_OLD),
	SOCKOPT(SOL_SOCKET, SO_SNDTIMEO_OLD),
	SOCKOPT(SOL_SOCKET, SO_RCVTIMEO_NEW),
	SOCKOPT(SOL_SOCKET, SO_SNDTIMEO_NEW),
	SOCKOPT(SOL_SOCKET, SO_PASSCRED),
	SOCKOPT(IPPROTO_IP, IP_TOS),
	/* glibc's resolver gives up where it cannot set this one. */
	SOCKOPT(IPPROTO_IP, IP_RECVERR),
	SOCKOPT(IPPROTO_IPV6, IPV6_RECVERR),
	SOCKOPT(IPPROTO_IPV6, IPV6_V6ONLY),
	SOCKOPT(IPPROTO_IPV6, IPV6_TCLASS),
	/* Whoever closes last would wait for as long as the task chose. */
	NO_SOCKOPT(SOL_SOCKET, SO_LINGER),
	/* Go sets it on every UDP socket, and gives up on an error. */
	NO_SOCKOPT(SOL_SOCKET, SO_BROADCAST),
	REST("setsockopt", TASK, ERR(ENOPROTOOPT)),

	IOCTL(TCGETS),
	IOCTL(FIONREAD),
	IOCTL(FIONBIO),
	IOCTL(TIOCGWINSZ),
	IOCTL(TCSETS),
	IOCTL(TCSETSW),
	IOCTL(TCSETSF),
	IOCTL(TCGETS2),
	IOCTL(TCSETS2),
	IOCTL(TCSETSW2),
	IOCTL(TCSETSF2),
	IOCTL(TCGETA),
	IOCTL(TCSETA),
	IOCTL(TCSETAW),
	IOCTL(TCSETAF),
	IOCTL(TCSBRK),
	IOCTL(TCXONC),
	IOCTL(TCFLSH),
	IOCTL(TIOCSWINSZ),
	IOCTL(TIOCGPGRP),
	IOCTL(TIOCSPGRP),
	IOCTL(TIOCGSID),
	IOCTL(TIOCSCTTY),
	IOCTL(TIOCNOTTY),
	IOCTL(TIOCOUTQ),
	IOCTL(TIOCPKT),
	IOCTL(TIOCGPKT),
	IOCTL(TIOCGPTN),
	IOCTL(TIOCSPTLCK),
	IOCTL(TIOCGPTLCK),
	IOCTL(TIOCGPTPEER),
	IOCTL(FIOCLEX),
	IOCTL(FIONCLEX),
	IOCTL(FIOASYNC),
	IOCTL(FIOQSIZE),
	IOCTL(FS_IOC_GETFLAGS),
	IOCTL(FS_IOC_FIEMAP),
	IOCTL(FICLONE),
	IOCTL(FICLONERANGE),
	IOCTL(FIDEDUPERANGE),
	IOCTL(RNDGETENTCNT),
	IOCTL(SIOCATMARK),
	IOCTL_NET(SIOCGIFCONF),
	IOCTL_NET(SIOCGIFNAME),
	IOCTL_NET(SIOCGIFINDEX),
	IOCTL_NET(SIOCGIFFLAGS),
	IOCTL_NET(SIOCGIFADDR),
	IOCTL_NET(SIOCGIFBRDADDR),
	IOCTL_NET(SIOCGIFNETMASK),
	IOCTL_NET(SIOCGIFHWADDR),
	IOCTL_NET(SIOCGIFMTU),
	REST("ioctl", TASK, ERR(ENOTTY)),

	/* A granted socket of the harness's network stays where it is. */
	UNLESS(UNHEARD, "connect", CONNECTED, ALLOW),
	UNLESS(UNHEARD, "bind", CONNECTED, ALLOW),
	REST("connect", CONNECTED, ERR(EPERM)),
	REST("bind", CONNECTED, ERR(EPERM)),
	REST("listen", CONNECTED, ERR(EPERM)),
	RULE("sendto", CONNECTED, ERR(EPERM), ANY(3, FASTOPEN)),
	RULE("sendmsg", CONNECTED, ERR(EPERM), ANY(2, FASTOPEN)),
	RULE("sendmmsg", CONNECTED, ERR(EPERM), ANY(3, FASTOPEN)),

	REST("fchmod", READER, ERR(EPERM)),
	REST("fchown", READER, ERR(EPERM)),
	REST("fsetxattr", READER, ERR(EPERM)),
	REST("fremovexattr", READER, ERR(EPERM)),
	RULE("utimensat", READER, WITHOUT_EFFECT, EQ(1, 0), UPPER_IS_0(1)),
	RULE("futimesat", READER, WITHOUT_EFFECT, EQ(1, 0), UPPER_IS_0(1)),

	RULE("ioctl", SUPERVISOR, ALLOW, EQ(1, FIONREAD)),
	RULE("ioctl", SUPERVISOR, ALLOW, EQ(1, TIOCOUTQ)),
	UNLESS(UNHEARD_FILES, "setpriority", SUPERVISOR, ERR(EPERM),
	       NE(0, PRIO_PROCESS)),
	NOTIFY(SBXI_NOTIF_RECV),
	NOTIFY(SBXI_NOTIF_SEND),
	NOTIFY(SBXI_NOTIF_ID_VALID),
	NOTIFY(SBXI_NOTIF_ADDFD),
	REST("ioctl", SUPERVISOR, ERR(ENOTTY)),
	RULE("mmap", SUPERVISOR, ERR(EPERM), ANY(2, PROT_EXECUTE)),
	/* Tier B stops a fork bomb with it before it kills. */
	RULE("prlimit64", SUPERVISOR, ALLOW, EQ(1, RLIMIT_NPROC)),
	UNLESS(UNHEARD_FILES, "prlimit64", SUPERVISOR, ALLOW, EQ(2, 0),
	       UPPER_IS_0(2)),
	REST("prlimit64", SUPERVISOR, ERR(EPERM)),
};

const struct sbxi_rule *sbxi_seccomp_rules(size_t *ret_n)
{
	*ret_n = SBXI_COUNT(rules);
	return rules;
}

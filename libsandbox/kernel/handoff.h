/* SPDX-License-Identifier: Apache-2.0 */
/*
 * handoff: what harness, supervisor and target say to each other.
 *
 * Two SEQPACKET pairs a task.  `hand` ends at the target: the hand-off goes
 * in, failures and the report come out, and its end of stream means that
 * execve has happened (or that all of them are dead).  `ctl` ends at the
 * supervisor and lives as long as the task.  Both sides are of one build, so
 * the messages are plain structs.
 */
#ifndef SBXI_KERNEL_HANDOFF_H
#define SBXI_KERNEL_HANDOFF_H

#include <stdint.h>

#include "kernel/plan.h"

/* Descriptors of the helper when it starts; the launcher places them. */
enum {
	SBXI_FD_HAND = 3,
	SBXI_FD_CTL = 4,
	SBXI_FD_PLAN = 5,
	SBXI_FD_HARNESS = 6,	/* pidfd of the harness */
	SBXI_FD_PROGRESS = 7,	/* eventfd: the sum of what was written is the step */
	SBXI_FD_CGROUP = 8,	/* directory of the task's cgroup, or not open */
	SBXI_FD_IDMAP = 9,	/* user namespace of id-mapped mounts, or not open */
	SBXI_FD_END = 10
};

/* The first argument of the helper says what it is to do. */
#define SBXI_MODE_TIER_A "a"
#define SBXI_MODE_TIER_B "b"
#define SBXI_MODE_TIER_A_RELAY "A"	/* with pipes for standard streams */
#define SBXI_MODE_TIER_B_RELAY "B"
#define SBXI_MODE_PROBE "p"
#define SBXI_MODE_IDMAP "i"	/* make the user namespace of id-mapped mounts */

/* Types of messages. */
enum {
	SBXI_MSG_ERROR = 1,	/* hand, out: struct sbxi_msg_error */
	SBXI_MSG_REPORT,	/* hand, out: struct sbxi_msg_report */
	SBXI_MSG_PIDFD,		/* ctl, out: struct sbxi_msg_pidfd, one descriptor */
	SBXI_MSG_EXIT,		/* ctl, out: struct sbxi_msg_exit */
	SBXI_MSG_HAND,		/* hand, in: struct sbxi_msg_hand and descriptors */
	SBXI_MSG_START,		/* ctl, in: struct sbxi_msg_start and descriptors */
	SBXI_MSG_KILL,		/* ctl, in: struct sbxi_msg_kill */
	SBXI_MSG_PROBE,		/* hand, out: struct sbxi_msg_probe */
	SBXI_MSG_IDMAP,		/* hand, out: one descriptor */
	SBXI_MSG_RUNNING,	/* ctl, out: the target has passed execve, or ended */
	SBXI_MSG_DENIAL		/* ctl, out: struct sbxi_msg_denial */
};

struct sbxi_msg_error {
	uint32_t type;
	uint32_t step, where, remedy;
	int32_t code;		/* negative */
	int32_t sys_errno;
	char object[256];
	char text[96];		/* "" = strerror(-code) */
};

/* What holds one property; names are in report.c. */
enum {
	SBXI_MECH_USERNS = 1 << 0,
	SBXI_MECH_MNTNS = 1 << 1,
	SBXI_MECH_PIDNS = 1 << 2,
	SBXI_MECH_NETNS = 1 << 3,
	SBXI_MECH_IPCNS = 1 << 4,
	SBXI_MECH_UTSNS = 1 << 5,
	SBXI_MECH_CGROUPNS = 1 << 6,
	SBXI_MECH_LANDLOCK = 1 << 7,
	SBXI_MECH_SECCOMP = 1 << 8,
	SBXI_MECH_CAPABILITIES = 1 << 9,
	SBXI_MECH_NO_NEW_PRIVS = 1 << 10,
	SBXI_MECH_RLIMIT = 1 << 11,
	SBXI_MECH_CGROUP = 1 << 12,
	SBXI_MECH_SUPERVISOR = 1 << 13,
	SBXI_MECH_CLOSE_RANGE = 1 << 14,
	SBXI_MECH_IDMAP = 1 << 15,
	SBXI_MECH_SESSION = 1 << 16,
	SBXI_MECH_KEYRING = 1 << 17,
	SBXI_MECH_EXEC = 1 << 18,
	SBXI_MECH_PROC = 1 << 19,
	SBXI_N_MECHS = 20
};

struct sbxi_row {
	uint32_t state, mechanisms, verified, remedy;
	int32_t sys_errno;
	uint32_t gap;		/* SBXI_GAP_...: what is open */
};

/* What is open where a row is not ENFORCED; texts are in report.c. */
enum {
	SBXI_GAP_NONE = 0,
	SBXI_GAP_NAMES_VISIBLE,		/* names of files outside are visible */
	SBXI_GAP_NO_TRUST,		/* workspace trust is not held by this version */
	SBXI_GAP_ROOT_ID,		/* the task's host id is root's, without capabilities */
	SBXI_GAP_GROUPS,		/* supplementary groups could not be dropped */
	SBXI_GAP_SIGNALS,		/* signals reach processes of the same user */
	SBXI_GAP_SAMPLED,		/* watched by sampling, killed above the limit */
	SBXI_GAP_NO_PROC,		/* no /proc to sum the tree by */
	SBXI_GAP_METADATA,		/* metadata of files cannot be told apart */
	SBXI_GAP_TRUNCATE,		/* truncate is refused as a whole */
	SBXI_GAP_ABSTRACT,		/* abstract sockets are kept by the filter alone */
	SBXI_GAP_UNLIMITED,		/* no limit was asked for */
	SBXI_GAP_KILL_BY_WALK,		/* the tree is found by walking /proc */
	SBXI_GAP_NO_LANDLOCK,
	SBXI_GAP_NO_FILTER,
	SBXI_GAP_UNIX_FILES,		/* socket files in granted trees can be connected to */
	SBXI_GAP_UNWAITED,		/* short children that nobody waits for are sampled */
	SBXI_N_GAPS
};

struct sbxi_msg_report {
	uint32_t type;
	uint32_t tier;
	uint32_t landlock_abi;
	uint32_t host_id;	/* the task's uid outside */
	uint64_t step_ns[SBXI_N_STEPS];	/* when each began, CLOCK_MONOTONIC; 0 = not run */
	uint64_t limit[SBXI_N_LIMITS];
	struct sbxi_row row[SBXI_N_PROPERTIES];
};

struct sbxi_msg_pidfd {
	uint32_t type;
	int32_t pid;		/* for a harness that cannot take the descriptor */
};

struct sbxi_msg_exit {
	uint32_t type;
	uint32_t kind;		/* SBX_EXITED... */
	int32_t code;
	uint32_t flags;		/* SBX_EXIT_... */
	uint64_t wall_ms, cpu_us, max_rss_bytes, output_bytes;
	uint64_t missed;	/* denials that were not told */
};

/* Descriptors: payload, then those of stdio that are FD, then the grants. */
enum {
	SBXI_STDIO_NULL = 0,
	SBXI_STDIO_FD = 1,	/* comes with this message */
	SBXI_STDIO_RELAY = 2	/* the supervisor's pipe */
};

enum {
	SBXI_HAND_CTTY = 1 << 0,
	SBXI_HAND_CONNECTED = 1 << 1,	/* an inet socket of the harness is among the grants */
	SBXI_HAND_DRY = 1 << 2,		/* report, then end */
	SBXI_HAND_READS_FILE = 1 << 3,	/* a file of the harness's is among them, to be read */
	SBXI_HAND_TELLS = 1 << 4	/* somebody wants to know what is refused */
};

struct sbxi_msg_hand {
	uint32_t type;
	uint32_t flags;		/* SBXI_HAND_... */
	uint32_t stdio[3];	/* SBXI_STDIO_... */
	uint32_t n_grants;
	int32_t grant_fd[];	/* numbers in the task, ascending */
};

/* Descriptors: those of stdio that are relayed, in order. */
struct sbxi_msg_start {
	uint32_t type;
	uint32_t relay;		/* bit per stream */
	uint32_t tells;		/* 1: what is refused is to be told by ctl */
};

#define SBXI_DENIAL_TEXT 3072	/* of one text, with its end; longer ones are cut */

/* Of any length up to its end: what lies in `text`. */
struct sbxi_msg_denial {
	uint32_t type;
	uint32_t kind;		/* SBX_DENIAL_... */
	uint32_t missed;	/* that were not told before this one */
	int32_t call;		/* number of the system call */
	int32_t code;		/* what the task got: -errno */
	uint32_t flags;		/* SBX_DENIAL_EXISTS, SBX_DENIAL_CUT */
	uint32_t near;		/* offset in text: the granted path, "" = none */
	char text[2 * SBXI_DENIAL_TEXT];	/* the object first */
};

struct sbxi_msg_kill {
	uint32_t type;
	int32_t sig;
};

/* The payload, a sealed memfd: this header, then offsets, then strings. */
#define SBXI_PAYLOAD_MAX (4u << 20)

struct sbxi_payload {
	uint32_t size;
	uint32_t argc, envc;
	uint32_t argv, envp;	/* offsets of arrays of string offsets */
	uint32_t cwd;		/* offset of a string, 0 = HOME */
};

/* One mechanism tried on this host. */
struct sbxi_msg_probe {
	uint32_t type;
	uint32_t id;		/* SBXI_PROBE_... */
	uint32_t state;		/* SBX_STATE_... */
	int32_t sys_errno;
	uint32_t remedy;
	uint32_t value;		/* the Landlock ABI, ... */
};

enum {
	SBXI_PROBE_LANDLOCK = 0,
	SBXI_PROBE_SECCOMP,
	SBXI_PROBE_NOTIFY,
	SBXI_PROBE_NO_NEW_PRIVS,
	SBXI_PROBE_USERNS,
	SBXI_PROBE_IDMAP_FILES,		/* writing uid_map and gid_map */
	SBXI_PROBE_MOUNTS,
	SBXI_PROBE_PROC,
	SBXI_PROBE_NETNS,
	SBXI_PROBE_PIDNS,
	SBXI_PROBE_IPCNS,
	SBXI_PROBE_UTSNS,
	SBXI_PROBE_CGROUPNS,
	SBXI_PROBE_OVERLAY,
	SBXI_PROBE_CLONE3,
	SBXI_PROBE_CLOSE_RANGE,
	SBXI_PROBE_PIDFD,
	SBXI_PROBE_PIDFD_GETFD,
	SBXI_PROBE_MEMFD_EXEC,
	SBXI_PROBE_KEYRING,
	SBXI_PROBE_CGROUP,
	SBXI_N_PROBES
};

#endif

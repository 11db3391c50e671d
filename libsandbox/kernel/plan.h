/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan: a compiled policy, flat, as the helper maps it from a sealed memfd.
 *
 * One block: the header below, then tables, then strings and filters.  A
 * string or a filter is named by its offset from the start of the plan; 0 is
 * "none".  Harness and helper come from one build (build_id), so the layout
 * is nobody else's business.
 */
#ifndef SBXI_KERNEL_PLAN_H
#define SBXI_KERNEL_PLAN_H

#include <stdint.h>

#include <sandbox/types.h>

#define SBXI_PLAN_MAGIC 0x4e4c5058u
#define SBXI_PLAN_VERSION 1u
#define SBXI_PLAN_MAX (64u << 20)

#define SBXI_N_PROPERTIES 17
#define SBXI_N_LIMITS 8
#define SBXI_N_STEPS 25			/* numbers of steps of a spawn: 1 to 24 */
#define SBXI_NO_LIMIT UINT64_MAX

/* Which file a path meant when the policy was compiled. */
struct sbxi_identity {
	uint64_t ino;
	uint64_t btime_ns;	/* time of birth; 0 where the file system has none */
	uint32_t dev_major, dev_minor;
	uint32_t type;		/* S_IFMT bits */
	uint32_t reserved;
};

enum {
	SBXI_PATH_SYSTEM = 1 << 0,	/* comes with a profile: not id-mapped */
	SBXI_PATH_NO_PROTECT = 1 << 1,
	SBXI_PATH_ELSEWHERE = 1 << 2,	/* dest differs from source: tier A only */
	SBXI_PATH_NARROWER = 1 << 3	/* has fewer rights than a path above it: tier A only */
};

/* A granted file or tree.  Sorted by dest, so that a parent comes first. */
struct sbxi_plan_path {
	struct sbxi_identity id;
	uint32_t source;	/* string: resolved absolute path on the host */
	uint32_t dest;		/* string: absolute path inside */
	uint32_t rights;	/* SBX_READ... */
	uint32_t flags;		/* SBXI_PATH_... */
};

/* A symbolic link to make inside, so that every spelling of a path works. */
struct sbxi_plan_link {
	uint32_t path;		/* string: absolute path inside */
	uint32_t text;		/* string: where it points */
};

/* A compiled system call filter. */
struct sbxi_plan_filter {
	uint32_t offset;	/* of an array of struct sock_filter */
	uint32_t count;		/* instructions */
};

enum sbxi_filter {
	SBXI_FILTER_TASK_A = 0,	/* the task, tier A */
	SBXI_FILTER_TASK_B,	/* the task, tier B */
	SBXI_FILTER_CONNECTED,	/* on top, when an inet socket of the harness is held */
	SBXI_FILTER_SUPERVISOR,
	/* The same, where the supervisor listens: sockets and memfds ask it. */
	SBXI_FILTER_TASK_A_ASKS,
	SBXI_FILTER_TASK_B_ASKS,
	SBXI_FILTER_CONNECTED_ASKS,
	SBXI_FILTER_SUPERVISOR_ACTS,
	/* And what makes, changes or removes files, too. */
	SBXI_FILTER_TASK_A_FILES,
	SBXI_FILTER_TASK_B_FILES,
	/* On top, where nobody listens and a file to be read is held. */
	SBXI_FILTER_READER,
	SBXI_N_FILTERS
};

enum {
	SBXI_PLAN_LOOPBACK = 1 << 0,	/* bring lo up */
	SBXI_PLAN_TASK_ID = 1 << 1,	/* a root harness: the task gets task_id */
	SBXI_PLAN_RELAY_OUTPUT = 1 << 2,	/* standard output and error are counted */
	SBXI_PLAN_TOOL = 1 << 3		/* SBX_PROFILE_TOOL */
};

struct sbxi_plan {
	uint32_t magic, version;
	uint8_t build_id[16];
	uint32_t size;			/* of the whole plan, bytes */
	uint32_t flags;			/* SBXI_PLAN_... */
	uint32_t task_id;		/* host uid and gid, if SBXI_PLAN_TASK_ID */
	uint32_t protect;		/* SBX_PROTECT_... */
	uint32_t paths, n_paths;	/* offset, number */
	uint32_t links, n_links;
	struct sbxi_plan_filter filter[SBXI_N_FILTERS];
	uint32_t level[SBXI_N_PROPERTIES];	/* SBX_OFF... */
	uint32_t limit_asked;		/* bit per limit: set by the policy, not by default */
	uint64_t limit[SBXI_N_LIMITS];	/* SBXI_NO_LIMIT = none */
	uint32_t fault_step;		/* test builds only, else 0 */
	int32_t fault_errno;		/* errno to inject, or -SIGKILL */
};

static inline const char *sbxi_plan_string(const struct sbxi_plan *plan,
					   uint32_t offset)
{
	return (const char *)plan + offset;
}

static inline const struct sbxi_plan_path *
sbxi_plan_paths(const struct sbxi_plan *plan)
{
	return (const void *)((const char *)plan + plan->paths);
}

static inline const struct sbxi_plan_link *
sbxi_plan_links(const struct sbxi_plan *plan)
{
	return (const void *)((const char *)plan + plan->links);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* cgroup: a group of its own for one task below a delegated cgroup v2. */
#ifndef SBXI_KERNEL_CGROUP_H
#define SBXI_KERNEL_CGROUP_H

#include <stdint.h>

struct sbxi_cgroup_limits {
	uint64_t memory_bytes;	/* SBXI_NO_LIMIT = none */
	uint64_t processes;	/* SBXI_NO_LIMIT = none */
};

enum {
	SBXI_CGROUP_MEMORY = 1 << 0,	/* memory.max was written and read back */
	SBXI_CGROUP_PIDS = 1 << 1,	/* pids.max was written and read back */
	SBXI_CGROUP_KILL = 1 << 2	/* cgroup.kill is there */
};

/* A task's group.  Harness side. */
struct sbxi_cgroup {
	int parent_fd;		/* dup of the delegated directory, or -1 */
	int fd;			/* the task's own directory, or -1 */
	char name[48];		/* its name below parent_fd */
	uint32_t has;		/* SBXI_CGROUP_... */
};
#define SBXI_CGROUP_INIT { .parent_fd = -1, .fd = -1 }

/*
 * Make a group below parent_fd, write its limits and read them back.
 * Returns 0 or -errno, and leaves nothing behind on failure.  A limit whose
 * controller is not delegated is left out of `has`, and is no failure.
 */
int sbxi_cgroup_prepare(int parent_fd, const struct sbxi_cgroup_limits *limits,
			struct sbxi_cgroup *ret);

/*
 * Look for a delegated group: the parent of the caller's own group, if the
 * caller may make groups there and "memory" is in its cgroup.subtree_control.
 * root: where cgroup v2 is mounted, NULL = found by /proc/self/mountinfo.
 * Returns a directory descriptor, or -errno (-ENOENT: none).
 */
int sbxi_cgroup_find(const char *root);

/*
 * The two halves that look at no kernel: write the limits of a group that is
 * there (dir_fd), and find the parent of the group `own` below root_fd.
 * As above; *ret_has is SBXI_CGROUP_..., untouched on failure.
 */
int sbxi_cgroup_apply(int dir_fd, const struct sbxi_cgroup_limits *limits,
		      uint32_t *ret_has);
int sbxi_cgroup_find_below(int root_fd, const char *own);

/* Has memory.events counted an oom_kill?  1, 0 or -errno. */
int sbxi_cgroup_oom(const struct sbxi_cgroup *cgroup);

/* Kill what is in it, wait for it to be empty (at most 1 s), remove it. */
void sbxi_cgroup_done(struct sbxi_cgroup *cgroup);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* usage: what the task's tree uses, summed by the supervisor. */
#ifndef SBXI_INIT_USAGE_H
#define SBXI_INIT_USAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct sbxi_usage {
	uint64_t memory_bytes;	/* anonymous and shared memory, memfds once each */
	uint64_t cpu_us;	/* highest sum seen so far; never falls */
	uint32_t processes;	/* processes and threads */
};

/* State between samples; zero it first. */
struct sbxi_usage_state {
	uint64_t cpu_us;	/* largest sum so far */
	uint64_t carried_us;	/* time of processes seen before that are gone */
	struct sbxi_usage_seen {
		int32_t pid;
		uint32_t mark;
		uint64_t start;	/* start time: tells a reused pid */
		uint64_t cpu_us;
	} seen[1024];
	uint32_t n_seen, mark;
};

/*
 * Sum the tree once.  Own pid namespace (own_pidns): every process of the
 * proc mount but pid 1.  Otherwise: every descendant of the caller.
 *
 * proc_fd: directory descriptor of a proc(5) mount.
 * Returns 0 or -errno; a process that ends meanwhile is skipped.  -E2BIG: the
 * tree holds more than can be watched (262,144 descriptors, or 32,768
 * processes on the host without a pid namespace): no honest task does, so
 * treat it as over its limit.  No heap, raw calls only: the supervisor runs
 * under a strict filter.  kcmp(2) is used where it is allowed.
 *
 * Memory that fork(2) shares is counted for each process, and a process
 * between fork and exec counts as its parent does: act on a memory limit only
 * when two samples in a row are above it.
 */
int sbxi_usage_sample(int proc_fd, bool own_pidns, bool want_memory,
		      struct sbxi_usage_state *state, struct sbxi_usage *ret);

/*
 * Every descendant of the caller (tier B), SIGKILLed, once.  Returns how many
 * were there, zombies apart, or -errno.  The caller reaps and calls again
 * until 0; waitid(2) with ECHILD is then the proof that nobody is left.
 */
int sbxi_usage_kill_descendants(int proc_fd);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* probe: each mechanism of this host, tried in a throw-away process. */
#ifndef SBXI_INIT_PROBE_H
#define SBXI_INIT_PROBE_H

#include <stdint.h>

/* What a try has found out; its result travels through a pipe as it is. */
struct sbxi_try {
	uint32_t state;		/* SBX_STATE_...; OFF: the return value says */
	uint32_t remedy;	/* SBXI_REMEDY_... */
	uint32_t value;		/* the Landlock ABI */
	int32_t sys_errno;
};

/*
 * One try, in a process of its own that ends afterwards, whatever it has
 * done to itself.  Returns 0 if the mechanism works, or -errno; remedy may be
 * set before.
 */
typedef int sbxi_try_fn(struct sbxi_try *t);

/* probe_confine.c */
sbxi_try_fn sbxi_try_landlock, sbxi_try_seccomp, sbxi_try_notify,
	sbxi_try_no_new_privs;
/* probe_namespaces.c */
sbxi_try_fn sbxi_try_userns, sbxi_try_id_maps, sbxi_try_netns, sbxi_try_pidns,
	sbxi_try_ipcns, sbxi_try_utsns, sbxi_try_cgroupns;
/* probe_mounts.c */
sbxi_try_fn sbxi_try_mounts, sbxi_try_proc, sbxi_try_overlay;
/* probe_process.c */
sbxi_try_fn sbxi_try_clone3, sbxi_try_close_range, sbxi_try_pidfd,
	sbxi_try_pidfd_getfd, sbxi_try_memfd_exec, sbxi_try_keyring;

/*
 * Go on in a child in a new user namespace and those of flags, with its ids
 * mapped.  Returns 0 in the child.  The parent waits for it and ends; it
 * returns only if there is no child: -errno, with the remedy noted.
 */
int sbxi_probe_enter(uint64_t flags, struct sbxi_try *t);

/* Why is a user namespace refused?  err: an errno.  SBXI_REMEDY_... */
uint32_t sbxi_probe_userns_cause(int err);

/* Why is it made, but of no use (no map, no mount)?  SBXI_REMEDY_... */
uint32_t sbxi_probe_restricted_cause(int err);

#endif

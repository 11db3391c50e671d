/* SPDX-License-Identifier: Apache-2.0 */
/* ids: id maps of user namespaces.  user_namespaces(7) */
#ifndef SBXI_KERNEL_IDS_H
#define SBXI_KERNEL_IDS_H

#include <stdint.h>
#include <sys/types.h>

struct sbxi_id_pair {
	uint32_t inside, outside;
};

/*
 * Write one-id maps of the caller's own new user namespace: a process may map
 * one id of its own, after setgroups is denied for good.  0 or -errno.
 */
int sbxi_ids_map_self(const struct sbxi_id_pair *uid,
		      const struct sbxi_id_pair *gid);

/* The same for a child, by a privileged parent.  0 or -errno. */
int sbxi_ids_map_child(pid_t pid, const struct sbxi_id_pair *uid,
		       const struct sbxi_id_pair *gid);

/*
 * Map a child so that two ids are swapped and all others stay: for id-mapped
 * mounts that lend a tree of `a` to `b`.  0 or -errno.
 */
int sbxi_ids_map_swapped(pid_t pid, uint32_t a, uint32_t b);

/* Is uid_map of the caller's user namespace the identity, from 0? */
int sbxi_ids_initial_namespace(void);

#endif

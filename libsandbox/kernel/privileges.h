/* SPDX-License-Identifier: Apache-2.0 */
/* privileges: capabilities, no_new_privs, groups, session keyring. */
#ifndef SBXI_KERNEL_PRIVILEGES_H
#define SBXI_KERNEL_PRIVILEGES_H

/* Nothing gained by exec, for good.  prctl(2).  0 or -errno. */
int sbxi_no_new_privs_enter(void);

/*
 * Empty all five capability sets of the calling thread, then read them back.
 * capabilities(7).  0; 1 if only the bounding set could not be emptied (an
 * ordinary user outside of a user namespace: no_new_privs makes it powerless);
 * -errno; -EPERM if another set is not empty afterwards.
 */
int sbxi_capabilities_enter(void);

/* Empty all but the bounding set, which needs a capability to be emptied. */
int sbxi_capabilities_drop(void);

/* Drop supplementary groups.  0; 1 if there were none; -errno. */
int sbxi_groups_enter(void);

/* A new, empty session keyring.  keyctl(2).  0 or -errno. */
int sbxi_keyring_enter(void);

#endif

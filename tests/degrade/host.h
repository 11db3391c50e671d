/* SPDX-License-Identifier: Apache-2.0 */
/* host: what is made poorer by real means, without a filter. */
#ifndef DEGRADE_HOST_H
#define DEGRADE_HOST_H

/* Each returns 0 or -errno, and says on standard error what failed. */

/* Enter a child user namespace in which every id keeps its number. */
int host_enter_userns(void);

/* Write a number below /proc/sys/user; the user namespace must be a child. */
int host_limit(const char *name, unsigned long value);

/*
 * Cover an entry of /proc in a private mount namespace, as container engines
 * do: nobody in a user namespace can mount a proc that shows more.
 */
int host_mask_proc(void);

/* A Landlock layer under which nothing below /proc can be opened for writing. */
int host_readonly_proc(void);

/* Soft and hard limit of descriptors. */
int host_nofile(unsigned long n);

/* Become uid and gid 65534 without groups, unless an ordinary user already. */
int host_drop_user(void);

#endif

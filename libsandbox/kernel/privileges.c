/* SPDX-License-Identifier: Apache-2.0 */
/* privileges: capabilities, no_new_privs, groups, session keyring. */
#include "kernel/privileges.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/keyctl.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/kconst.h"

int sbxi_no_new_privs_enter(void)
{
	if (prctl(SBXI_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	return 0;
}

/* The kernel answers EINVAL beyond the last capability that it knows. */
static int empty_bounding_set(void)
{
	for (unsigned long cap = 0; cap < 64; cap++) {
		if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) == 0)
			continue;
		return errno == EINVAL && cap > 0 ? 0 : -errno;
	}
	return 0;
}

/* Each drop was answered; one look shows that the answers meant something. */
static int bounding_set_is_empty(void)
{
	return prctl(PR_CAPBSET_READ, CAP_SYS_ADMIN, 0, 0, 0) == 0;
}

static int sets_are_empty(void)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = { { 0, 0, 0 }, { 0, 0, 0 } };

	if (syscall(SYS_capget, &head, data) < 0)
		return 0;
	for (int i = 0; i < 2; i++)
		if (data[i].effective | data[i].permitted |
		    data[i].inheritable)
			return 0;
	return 1;
}

int sbxi_capabilities_drop(void)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	const struct __user_cap_data_struct none[2] = { { 0, 0, 0 },
							{ 0, 0, 0 } };

	/* Kernels before 4.3 have no ambient set: nothing to clear there. */
	if (prctl(SBXI_PR_CAP_AMBIENT, SBXI_PR_CAP_AMBIENT_CLEAR_ALL, 0, 0,
		  0) < 0 && errno != EINVAL)
		return -errno;
	if (syscall(SYS_capset, &head, none) < 0)
		return -errno;
	return sets_are_empty() ? 0 : -EPERM;
}

int sbxi_capabilities_enter(void)
{
	int rc = empty_bounding_set();
	int empty;

	/* Without CAP_SETPCAP it stays: no_new_privs makes it powerless. */
	if (rc < 0 && rc != -EPERM)
		return rc;
	rc = sbxi_capabilities_drop();
	if (rc < 0)
		return rc;
	empty = bounding_set_is_empty();
	return empty ? 0 : 1;
}

int sbxi_groups_enter(void)
{
	int n = getgroups(0, NULL);

	if (n == 0)
		return 1;
	if (n < 0 || setgroups(0, NULL) < 0)
		return -errno;
	return 0;
}

int sbxi_keyring_enter(void)
{
	if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL, 0, 0, 0) <
	    0)
		return -errno;
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* profile: the paths that a policy starts with. */
#ifndef SBXI_POLICY_PROFILE_H
#define SBXI_POLICY_PROFILE_H

#include <stddef.h>
#include <stdint.h>

struct sbxi_profile_path {
	const char *path;
	uint32_t rights;	/* SBX_READ... */
};

/* The paths of SBX_PROFILE_...; those that a host lacks are no error. */
const struct sbxi_profile_path *sbxi_profile_paths(uint32_t profile,
						   size_t *ret_n);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* flat: from sorted tables of paths and links to one block, the plan. */
#ifndef SBXI_POLICY_FLAT_H
#define SBXI_POLICY_FLAT_H

#include <stddef.h>
#include <stdint.h>

#include "policy/policy.h"

struct sbxi_flat_path {
	const char *source, *dest;
	struct sbxi_identity id;
	uint32_t rights;	/* SBX_READ... */
	uint32_t flags;		/* SBXI_PATH_... */
};

struct sbxi_flat_link {
	const char *path, *text;
};

struct sbxi_flat {
	struct sbxi_flat_path *paths;
	size_t n_paths;
	struct sbxi_flat_link *links;
	size_t n_links;
};

/*
 * Compile the filters and lay all out.  The order of the tables is kept.
 * Returns 0 and a malloc'd plan, or -ENOMEM or -EINVAL, noted.
 */
int sbxi_flat_build(const struct sbx_policy *policy,
		    const struct sbxi_flat *flat, struct sbxi_plan **ret_plan,
		    struct sbxi_fail *fail);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* resolve: which file a path means now, and by which links. */
#ifndef SBXI_POLICY_RESOLVE_H
#define SBXI_POLICY_RESOLVE_H

#include <stddef.h>

#include "base/errors.h"
#include "kernel/plan.h"

/* A symbolic link that was met on the way. */
struct sbxi_met_link {
	char *path;	/* its own place; all above it is resolved */
	char *text;	/* where it points, as it is stored */
};

struct sbxi_resolved {
	char *real;	/* the path without any link in it */
	struct sbxi_identity id;
	struct sbxi_met_link *links;
	size_t n_links;
};

/*
 * Walk a clean absolute path name by name, links at its end included.
 *
 * Links are followed by hand, at most 40 of them, since each has to exist
 * inside the jail too.  proc(5) is refused on the way and at the end: what
 * its links lead to depends on who asks.  A link that somebody else put into
 * a sticky directory is refused as fs.protected_symlinks does.
 *
 * Returns 0; -ENOENT, -ENOTDIR, -EACCES, -ELOOP, -ENAMETOOLONG, -EINVAL,
 * -EMFILE, -ENFILE, -ENOMEM or -EIO, noted with step COMPILE and the path;
 * *ret is untouched then.
 */
int sbxi_resolve(const char *path, struct sbxi_resolved *ret,
		 struct sbxi_fail *fail);
void sbxi_resolved_done(struct sbxi_resolved *resolved);

#endif

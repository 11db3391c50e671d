/* SPDX-License-Identifier: Apache-2.0 */
/*
 * where: what a path of the task means, and whether it may be changed there.
 *
 * The kernel resolves; then it is asked where that led, and that is judged.
 * Only the last name is ours to walk, since links there are followed or not,
 * as the call says.
 */
#ifndef SBXI_INIT_WHERE_H
#define SBXI_INIT_WHERE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "init/call.h"
#include "init/jail.h"

/* A name in a folder, or a thing that was reached by a link of /proc. */
struct sbxi_where {
	int folder;		/* O_PATH, or -1 */
	int thing;		/* O_PATH, if it was reached without a name; or -1 */
	char name[NAME_MAX + 1];
	char path[PATH_MAX];	/* of the thing: the folder's and the name */
	bool must_be_folder;	/* there was a "/" at the end */
};

#define SBXI_WHERE_INIT { .folder = -1, .thing = -1 }

void sbxi_where_done(struct sbxi_where *w);
#define AUTO_WHERE __attribute__((cleanup(sbxi_where_done))) struct sbxi_where

enum {
	SBXI_WHERE_FOLLOW = 1 << 0,	/* a link at the end is followed */
	SBXI_WHERE_EMPTY = 1 << 1	/* "" is what dir is (AT_EMPTY_PATH) */
};

/*
 * Find path, at an address of the task's, from its descriptor dir or
 * AT_FDCWD.  Returns 0 or -errno; the last name need not exist.
 */
int sbxi_where_find(struct sbxi_call *c, int dir, uint64_t path,
		    unsigned int flags, struct sbxi_where *ret);

/* The same for a path that was copied already. */
int sbxi_where_find_name(struct sbxi_call *c, int dir, const char *path,
			 unsigned int flags, struct sbxi_where *ret);

/* What its descriptor fd is. */
int sbxi_where_of_fd(struct sbxi_call *c, int fd, struct sbxi_where *ret);

/* Is there anything of that name, be it a link? */
bool sbxi_where_exists(const struct sbxi_where *w);

/* Take hold of the thing itself, O_PATH.  A descriptor or -errno. */
int sbxi_where_hold(const struct sbxi_where *w);

enum sbxi_change {
	SBXI_CHANGE_MAKE,	/* a new name */
	SBXI_CHANGE_REMOVE,	/* a name goes, or becomes another thing's */
	SBXI_CHANGE_THING,	/* content or metadata */
	SBXI_CHANGE_TREE	/* a folder or a link comes or goes, with what is in it */
};

/*
 * May the task do that?  0; -EACCES, -EROFS: not in a tree that it may write to;
 * -EPERM: others trust that name.
 */
int sbxi_where_judge(const struct sbxi_jail *jail, const struct sbxi_where *w,
		     enum sbxi_change change);

/* May the task read there?  0 or -EACCES. */
int sbxi_where_judge_read(const struct sbxi_jail *jail,
			  const struct sbxi_where *w);

/* The granted path that it lies in, as the task names it; NULL = none. */
const char *sbxi_where_grant(const struct sbxi_jail *jail,
			     const struct sbxi_where *w);

/* Are names protected where it is? */
bool sbxi_where_is_covered(const struct sbxi_jail *jail,
			   const struct sbxi_where *w);
bool sbxi_where_is_folder(const struct sbxi_where *w);

/* Is it older than the jail?  Where nobody knows, yes. */
bool sbxi_where_is_older(const struct sbxi_jail *jail, int fd);

#endif

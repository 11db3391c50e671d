/* SPDX-License-Identifier: Apache-2.0 */
/* paths: granted paths, as Landlock rules and (tier A) as mounts. */
#ifndef SBXI_INIT_PATHS_H
#define SBXI_INIT_PATHS_H

struct sbxi_jail;
struct sbxi_plan_path;

/* A granted path could not be opened as what it was: say so and end. */
_Noreturn void sbxi_source_die(struct sbxi_jail *jail, int rc,
			       const struct sbxi_plan_path *path);

/* Make the task's ruleset: all that this kernel knows is refused. */
void sbxi_ruleset_make(struct sbxi_jail *jail, unsigned int what);

/* Attach every granted path below the new root, and allow it. */
void sbxi_paths_attach(struct sbxi_jail *jail);

/* Tier B: allow every granted path where it is. */
void sbxi_paths_allow(struct sbxi_jail *jail);

/* Allow rights on what fd is: something of type S_IF..., seen at path. */
void sbxi_paths_allow_tree(struct sbxi_jail *jail, int fd, unsigned int type,
			   const char *path, unsigned int rights);

/* Allow SBXI_LL_FS_... on what fd is and below: the task and its supervisor. */
int sbxi_paths_allow_access(struct sbxi_jail *jail, int fd,
			    unsigned long access);

/* Allow rights on a path of our own below dir (AT_FDCWD: of the host). */
int sbxi_paths_allow_own(struct sbxi_jail *jail, int dir, const char *path,
			 unsigned int rights);

#endif

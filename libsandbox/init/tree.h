/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree: names below the new root, while it is being built.
 *
 * Granted trees are the enemy's: he may have put links anywhere in them.  So
 * once the first is attached nothing here follows a link, and nothing is made
 * but in our own tmpfs.
 */
#ifndef SBXI_INIT_TREE_H
#define SBXI_INIT_TREE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The folder that a path lies in, opened with O_PATH; missing parts are made,
 * where they are ours to make.  ret_name: the last part of the path.
 * A descriptor, or -errno: -ELOOP or -ENOTDIR for a link on the way, -ENOENT
 * for a part that is missing in a granted tree.
 */
int sbxi_tree_parent(int root, const char *path, const char **ret_name);

/*
 * Mount a detached tree at a path below root: the place is made, if it is
 * missing and ours to make.  0 or -errno, as above.
 */
int sbxi_tree_attach(int root, const char *path, int tree, bool is_dir);

/*
 * Keep the folders on the way to a path where they are: what is a mount cannot
 * be renamed.  Else a task that may write to a folder moves it away, and what
 * was read-only below is not any more when the next task starts.
 */
int sbxi_tree_pin(int root, const char *path);

/* A symbolic link in our own tmpfs; -EROFS elsewhere. */
int sbxi_tree_link(int root, const char *path, const char *text);

#endif

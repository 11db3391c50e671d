/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree: names below the new root, while it is being built.
 *
 * Granted trees are the enemy's: he may have put links anywhere in them.  So
 * nothing here follows a link, and nothing is made but in our own tmpfs.
 */
#ifndef SBXI_INIT_TREE_H
#define SBXI_INIT_TREE_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Open a path below root with O_PATH; missing parts are made, where they are
 * ours to make: folders, and a last part that is a folder or an empty file.
 * A descriptor, or -errno: -ELOOP or -ENOTDIR for a link on the way, -ENOENT
 * for a part that is missing in a granted tree.
 */
int sbxi_tree_mountpoint(int root, const char *path, bool is_dir);

/* Make the folder that path lies in; a descriptor of it, or -errno. */
int sbxi_tree_parent(int root, const char *path, const char **ret_name);

/* A new file with text in it, or a link, below our own tmpfs.  0 or -errno. */
int sbxi_tree_file(int root, const char *path, const char *text, mode_t mode);
int sbxi_tree_link(int root, const char *path, const char *text);

#endif

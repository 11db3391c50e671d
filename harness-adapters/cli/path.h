/* SPDX-License-Identifier: Apache-2.0 */
/* path: from what the caller typed to absolute paths. */
#ifndef CLI_PATH_H
#define CLI_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* The caller's working directory by its two names. */
struct cli_cwd {
	char *logical;	/* $PWD where it is the same directory, else physical */
	char *physical;	/* getcwd(3) */
	int err;	/* negative errno, and no names, where there is none */
};

/* pwd: value of PWD, may be NULL. */
void cli_cwd_init(struct cli_cwd *cwd, const char *pwd);
void cli_cwd_done(struct cli_cwd *cwd);

/*
 * The absolute form of text, without "." and "..", malloc'd.
 *
 * Links keep their names, since the task finds a path where the caller named
 * it; only what stands before a ".." is resolved, as the kernel would.
 * Returns 0 or a negative errno; *ret_path is untouched on failure.
 */
int cli_path_absolute(const struct cli_cwd *cwd, const char *text,
		      char **ret_path);

/* Is path the same as parent, or below it? Both absolute and clean. */
bool cli_path_covers(const char *parent, const char *path);

/*
 * May a path be named in an option that is offered to a person?  A task chose
 * it, so: no character that a shell or an eye takes for another thing, and
 * nothing as wide as a home directory, a folder right below the root, or what
 * is the jail's own.
 */
bool cli_path_is_fit(const char *path);

/*
 * The name by which the working directory lies in one of n granted paths, by
 * their names or where their links lead; NULL = in none.  Stays cwd's.
 */
const char *cli_cwd_within(const struct cli_cwd *cwd, char *const *paths,
			   size_t n);

#endif

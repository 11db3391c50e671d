/* SPDX-License-Identifier: Apache-2.0 */
/* grantopt: the options that make grants. */
#ifndef CLI_GRANTOPT_H
#define CLI_GRANTOPT_H

#include "options.h"

/*
 * Each adds to options->grants what value says, or returns a negative errno
 * with *fault filled; option is the name for messages ("--open").
 */
int cli_grant_fd(struct cli_options *options, const char *option,
		 const char *value, struct cli_fault *fault);
int cli_grant_open(struct cli_options *options, const char *option,
		   const char *value, struct cli_fault *fault);
int cli_grant_connect(struct cli_options *options, const char *option,
		      const char *value, struct cli_fault *fault);
int cli_grant_unix(struct cli_options *options, const char *option,
		   const char *value, struct cli_fault *fault);

/* "option: value is wrong", with the way to help as the remedy. */
__attribute__((format(printf, 3, 4)))
int cli_bad_option(struct cli_fault *fault, const char *option,
		   const char *fmt, ...);

/*
 * Room for one more element, zeroed, at the end of *array, which grows;
 * NULL without memory.  *n is counted up.
 */
void *cli_grow(void *array, size_t *n, size_t element);

/* Is fd open? */
bool cli_fd_is_open(int fd);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* denial_args: arguments of a command that failed, and that it could not see. */
#ifndef CLI_DENIAL_ARGS_H
#define CLI_DENIAL_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "denial.h"
#include "options.h"

/*
 * Nobody hears what a task fails to read: a path that was not granted is not
 * there.  But a command that fails, and was given the path of a file that is
 * here and that no option grants, has most likely missed it.
 *
 * Is argument number index (of options->argv) such a path?
 */
bool cli_denial_of_argument(const struct cli_options *options, size_t index,
			    struct cli_denial_texts *texts,
			    struct cli_denial *ret);

#endif

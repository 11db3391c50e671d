/* SPDX-License-Identifier: Apache-2.0 */
/* build: from options to a policy and to what a spawn takes. */
#ifndef CLI_BUILD_H
#define CLI_BUILD_H

#include "options.h"

/*
 * Make the policy that the options describe; not compiled yet.
 *
 * Returns 0 and sets *ret_policy, which the caller drops with
 * sbx_policy_unref(), or a negative code with *fault filled.
 */
int cli_build_policy(const struct cli_options *options,
		     struct sbx_policy **ret_policy, struct cli_fault *fault);

/*
 * The task's working directory; NULL = its HOME.  *ret_is_guess: the
 * directory is the caller's, and only the policy file could grant it, so a
 * spawn that fails for its sake is to be tried again with NULL.
 */
const char *cli_build_cwd(const struct cli_options *options,
			  bool *ret_is_guess);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* inplace: --in-place: this process confines itself and becomes the command. */
#ifndef CLI_INPLACE_H
#define CLI_INPLACE_H

#include "options.h"

/*
 * Refuse options that need somebody who stays, by name; and prefer what no
 * process can hold for itself, where the command line does not say otherwise.
 * Returns 0 or a negative errno with *fault filled.
 */
int cli_in_place_check(struct cli_options *options, struct cli_fault *fault);

/*
 * Confine this process.  Returns 0 and sets *ret_report, which the caller
 * frees, or a negative code with *fault filled: then only to say so is left.
 */
int cli_in_place_enter(const struct cli_options *options,
		       struct sbx_policy *policy,
		       struct sbx_report **ret_report,
		       struct cli_fault *fault);

/* Become the command.  Returns why not: a negative code, *fault filled. */
int cli_in_place_exec(const struct cli_options *options,
		      struct cli_fault *fault);

#endif

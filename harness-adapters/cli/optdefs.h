/* SPDX-License-Identifier: Apache-2.0 */
/* optdefs: each option of sbx-exec, and what it does with its argument. */
#ifndef CLI_OPTDEFS_H
#define CLI_OPTDEFS_H

#include "options.h"

struct cli_parser {
	struct cli_options *o;
	struct cli_list no_protect;	/* absolute, owned */
	struct cli_fault *fault;
};

struct cli_def {
	const char *name;	/* without "--" */
	int has_arg;		/* as in struct option */
	int (*take)(struct cli_parser *p, const struct cli_def *def,
		    const char *option, const char *value);
	int64_t arg;
};

extern const struct cli_def cli_defs[];
extern const size_t cli_n_defs;

int cli_no_memory(struct cli_parser *p, const char *option);

#endif

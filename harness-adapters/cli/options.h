/* SPDX-License-Identifier: Apache-2.0 */
/* options: the command line of sbx-exec. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sandbox/sandbox.h>

#include "message.h"
#include "path.h"

#define CLI_N_LIMITS (SBX_LIMIT_SCRATCH + 1)
#define CLI_N_PROPERTIES (SBX_PROP_KEYRING + 1)

enum cli_action {
	CLI_RUN,
	CLI_DRY_RUN,
	CLI_EXPLAIN,
	CLI_HELP,
	CLI_VERSION
};

/* A granted path. */
struct cli_path {
	char *path;		/* absolute; owned */
	uint32_t rights;	/* SBX_READ, ... */
	uint32_t flags;		/* SBX_PATH_... */
};

/* Texts of options that may come again; the texts are argv's. */
struct cli_list {
	const char **item;	/* NULL at the end once there is one */
	size_t n;
};

struct cli_options {
	enum cli_action action;
	const char *const *argv;	/* the command, NULL at its end */
	struct cli_cwd caller;		/* against which paths resolve */

	struct cli_path *paths;
	size_t n_paths;
	struct sbx_grant *grants;	/* name and target owned */
	size_t n_grants;
	struct cli_list env;		/* "K=V" or "K" */
	struct cli_list vars;		/* "K=V" */
	char *cwd;			/* absolute; NULL = not given */

	const char *policy_file;	/* NULL = profile */
	const char *profile_name;	/* as given; NULL = default */
	uint32_t profile;
	int protect;			/* SBX_PROTECT_..., -1 = not given */
	int loopback;			/* 0 = off, -1 = not given */
	int level[CLI_N_PROPERTIES];	/* SBX_REQUIRE, ..., -1 = not given */
	uint64_t limit[CLI_N_LIMITS];	/* 0 = not given, UINT64_MAX = none */

	uint64_t kill_after_ms;		/* 0 = never */
	int status_fd;			/* -1 = none */
	const char *report;		/* file or "-"; NULL = none */
	bool in_place;		/* no task: this process becomes the command */
	bool tty_chosen;	/* --new-tty or --no-tty was given */
	bool new_tty;
};

/*
 * Read the command line.
 *
 * pwd: value of PWD, may be NULL.  Checks that the descriptors it names are
 * open, so call it before anything else is opened: a number that nobody
 * opened must not come to mean a file of ours.
 *
 * Returns 0, or a negative errno with *fault filled.  Drop *ret with
 * cli_options_done() in both cases.
 */
int cli_options_parse(int argc, char **argv, const char *pwd,
		      struct cli_options *ret, struct cli_fault *fault);
void cli_options_done(struct cli_options *options);

/* The stable name of a property ("files"), as in reports; NULL = no such. */
const char *cli_property_name(uint32_t property);

/* The option that sets a limit ("--timeout"). */
const char *cli_limit_option(uint32_t which);

#endif

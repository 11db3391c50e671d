/* SPDX-License-Identifier: Apache-2.0 */
/* options: the command line of sbx-exec. */
#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grantopt.h"
#include "optdefs.h"
#include "options.h"

#define MAX_DEFS 64

static void fill_getopt(struct option *ret)
{
	size_t i;

	for (i = 0; i < cli_n_defs; i++)
		ret[i] = (struct option){ .name = cli_defs[i].name,
					  .has_arg = cli_defs[i].has_arg,
					  .val = (int)i + 256 };
	ret[cli_n_defs] = (struct option){ .name = NULL };
}

/*
 * getopt_long(3) takes "--time" for "--timeout".  A script that relies on it
 * breaks on the day a second option begins so; hence whole names only.
 */
static bool is_whole_name(const char *arg, const char *name)
{
	size_t n = strlen(name);

	return strncmp(arg, "--", 2) == 0 && strncmp(arg + 2, name, n) == 0 &&
	       (arg[2 + n] == '\0' || arg[2 + n] == '=');
}

static int refuse(struct cli_parser *p, int c, const char *arg)
{
	size_t n = strcspn(arg, "=");
	char name[64];

	(void)snprintf(name, sizeof(name), "%.*s", (int)(n > 60 ? 60 : n), arg);
	if (c == ':')
		return cli_bad_option(p->fault, name,
				      "its argument is missing");
	if (optopt >= 256)
		return cli_bad_option(p->fault, name, "it takes no argument");
	return cli_bad_option(p->fault, name, "no such option");
}

static int take_options(struct cli_parser *p, int argc, char **argv)
{
	struct option longs[MAX_DEFS + 1];
	const struct cli_def *def;
	char name[64];
	int c, at, rc;

	assert(cli_n_defs <= MAX_DEFS);
	fill_getopt(longs);
	optind = 0;	/* once more from the start, whoever used it before */
	opterr = 0;
	for (at = 1;; at = optind) {
		optopt = 0;
		c = getopt_long(argc, argv, "+:", longs, NULL);
		if (c == -1)
			return 0;
		if (c < 256 || !is_whole_name(argv[at], longs[c - 256].name))
			return refuse(p, c < 256 ? c : '?', argv[at]);
		def = &cli_defs[c - 256];
		(void)snprintf(name, sizeof(name), "--%s", def->name);
		rc = def->take(p, def, name, optarg);
		if (rc < 0)
			return rc;
		if (p->o->action == CLI_HELP || p->o->action == CLI_VERSION)
			return 0;
	}
}

/* The most specific path that covers it. */
static const struct cli_path *covering(const struct cli_options *o,
				       const char *path)
{
	const struct cli_path *best = NULL;
	size_t i;

	for (i = 0; i < o->n_paths; i++) {
		/* A later grant of the same path replaces the earlier one. */
		if (cli_path_covers(o->paths[i].path, path) &&
		    (!best || strlen(o->paths[i].path) >= strlen(best->path)))
			best = &o->paths[i];
	}
	return best;
}

/* --no-protect is a flag of granted paths: those below it, and its own. */
static int lift_protection(struct cli_parser *p, const char *path)
{
	struct cli_options *o = p->o;
	const struct cli_path *above = covering(o, path);
	struct cli_path *own;
	uint32_t rights = above ? above->rights : 0;
	bool any = above != NULL;
	size_t i;

	for (i = 0; i < o->n_paths; i++) {
		if (!cli_path_covers(path, o->paths[i].path))
			continue;
		o->paths[i].flags |= SBX_PATH_NO_PROTECT;
		any = true;
	}
	if (!any)
		return cli_fault(p->fault, -EINVAL, SBX_STEP_ARGUMENT,
				 "--no-protect",
				 "grant it too, with --rw or --rwx",
				 "'%s' is in no path granted here", path);
	if (!above || above->flags & SBX_PATH_NO_PROTECT)
		return 0;
	own = cli_grow(&o->paths, &o->n_paths, sizeof(*own));
	if (!own || !(own->path = strdup(path)))
		return cli_no_memory(p, "--no-protect");
	own->rights = rights;
	own->flags = SBX_PATH_NO_PROTECT;
	return 0;
}

static int finish(struct cli_parser *p, char **argv)
{
	struct cli_options *o = p->o;
	size_t i;
	int rc;

	for (i = 0; i < p->no_protect.n; i++) {
		rc = lift_protection(p, p->no_protect.item[i]);
		if (rc < 0)
			return rc;
	}
	if (o->policy_file && o->profile_name)
		return cli_bad_option(p->fault, "--profile",
				      "it is the policy file that says it");
	if (o->vars.n > 0 && !o->policy_file)
		return cli_bad_option(p->fault, "--var",
				      "it needs --policy");
	if (argv[optind])
		o->argv = (const char *const *)argv + optind;
	else if (o->action == CLI_RUN)
		return cli_bad_option(p->fault, "COMMAND", "none is given");
	return 0;
}

static void set_defaults(struct cli_options *o, const char *pwd)
{
	size_t i;

	*o = (struct cli_options){ .profile = SBX_PROFILE_TOOL,
				   .protect = -1,
				   .loopback = -1,
				   .status_fd = -1 };
	for (i = 0; i < CLI_N_PROPERTIES; i++)
		o->level[i] = -1;
	cli_cwd_init(&o->caller, pwd);
}

int cli_options_parse(int argc, char **argv, const char *pwd,
		      struct cli_options *ret, struct cli_fault *fault)
{
	struct cli_parser p = { .o = ret, .fault = fault };
	int rc;

	set_defaults(ret, pwd);
	rc = take_options(&p, argc, argv);
	if (rc == 0 && ret->action != CLI_HELP && ret->action != CLI_VERSION)
		rc = finish(&p, argv);
	while (p.no_protect.n > 0)
		free((void *)(uintptr_t)p.no_protect.item[--p.no_protect.n]);
	free(p.no_protect.item);
	return rc;
}

void cli_options_done(struct cli_options *o)
{
	while (o->n_paths > 0)
		free(o->paths[--o->n_paths].path);
	free(o->paths);
	while (o->n_grants > 0) {
		o->n_grants--;
		free((void *)(uintptr_t)o->grants[o->n_grants].name);
		free((void *)(uintptr_t)o->grants[o->n_grants].target);
	}
	free(o->grants);
	free(o->env.item);
	free(o->vars.item);
	free(o->cwd);
	cli_cwd_done(&o->caller);
}

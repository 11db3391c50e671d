/* SPDX-License-Identifier: Apache-2.0 */
/* build: from options to a policy and to what a spawn takes. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build.h"

#define MAX_POLICY_FILE (1024 * 1024)

extern char **environ;

/* "--env FOO": what an error of one option is about. */
static int option_fault(struct cli_fault *fault, int code, const char *option,
			const char *value)
{
	char object[sizeof(fault->object)];

	(void)snprintf(object, sizeof(object), "%s %s", option, value);
	return cli_fault(fault, code, SBX_STEP_ARGUMENT, object,
			 "try 'sbx-exec --help'", NULL);
}

static int read_all(int fd, char *buf, size_t size, size_t *ret_len)
{
	size_t len = 0;
	ssize_t n;

	while (len < size) {
		n = read(fd, buf + len, size - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	*ret_len = len;
	return 0;
}

/* The whole file, and one byte more than is allowed if it is too long. */
static int read_policy(const char *file, char **ret_text, size_t *ret_len)
{
	char *text;
	int fd, rc;

	fd = open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return -errno;
	text = malloc(MAX_POLICY_FILE + 1);
	rc = text ? read_all(fd, text, MAX_POLICY_FILE + 1, ret_len) : -ENOMEM;
	close(fd);
	if (rc < 0) {
		free(text);
		return rc;
	}
	*ret_text = text;
	return 0;
}

static int load_policy(const struct cli_options *o,
		       struct sbx_policy **ret_policy,
		       struct cli_fault *fault)
{
	struct sbx_load_opts opts = SBX_LOAD_OPTS_INIT;
	struct sbx_error error = { .code = 0 };
	char *text = NULL;
	size_t len = 0;
	int rc;

	rc = read_policy(o->policy_file, &text, &len);
	if (rc < 0)
		return option_fault(fault, rc, "--policy", o->policy_file);
	opts.vars = o->vars.item;
	opts.envp = (const char *const *)environ;
	rc = sbx_policy_load(text, len, &opts, ret_policy, &error);
	free(text);
	if (rc < 0)
		return cli_fault_library(fault, rc, &error, o->policy_file);
	return 0;
}

static int new_policy(const struct cli_options *o,
		      struct sbx_policy **ret_policy, struct cli_fault *fault)
{
	struct sbx_error error = { .code = 0 };
	int rc;

	if (o->policy_file)
		return load_policy(o, ret_policy, fault);
	rc = sbx_policy_new(o->profile, ret_policy, &error);
	return rc < 0 ? cli_fault_library(fault, rc, &error, NULL) : 0;
}

static int add_paths(const struct cli_options *o, struct sbx_policy *policy,
		     struct cli_fault *fault)
{
	struct sbx_error error = { .code = 0 };
	size_t i;
	int rc;

	for (i = 0; i < o->n_paths; i++) {
		rc = sbx_policy_path(policy, o->paths[i].path,
				     o->paths[i].rights, o->paths[i].flags,
				     &error);
		if (rc < 0)
			return cli_fault_library(fault, rc, &error, NULL);
	}
	return 0;
}

/* One --env: "K=V", or "K" with the caller's value, if he has one. */
static int add_variable(struct sbx_policy *policy, const char *text)
{
	const char *eq = strchr(text, '='), *value;
	char *name;
	int rc = 0;

	name = eq ? strndup(text, (size_t)(eq - text)) : strdup(text);
	if (!name)
		return -ENOMEM;
	value = eq ? eq + 1 : getenv(name);
	if (value)
		rc = sbx_policy_env(policy, name, value);
	free(name);
	return rc;
}

static int add_environment(const struct cli_options *o,
			   struct sbx_policy *policy, struct cli_fault *fault)
{
	const char *term = getenv("TERM");
	size_t i;
	int rc = 0;

	/*
	 * The task writes for the caller's terminal, through the one it gets,
	 * so it has to know which kind that is.
	 */
	if (o->new_tty && term && *term && isatty(STDOUT_FILENO))
		rc = sbx_policy_env(policy, "TERM", term);
	if (rc < 0)
		return option_fault(fault, rc, "--new-tty", "TERM");
	for (i = 0; i < o->env.n; i++) {
		rc = add_variable(policy, o->env.item[i]);
		if (rc < 0)
			return option_fault(fault, rc, "--env",
					    o->env.item[i]);
	}
	return 0;
}

static int add_limits(const struct cli_options *o, struct sbx_policy *policy,
		      struct cli_fault *fault)
{
	uint32_t i;
	int rc;

	for (i = 0; i < CLI_N_LIMITS; i++) {
		if (o->limit[i] == 0)
			continue;
		rc = sbx_policy_limit(policy, i, o->limit[i]);
		if (rc < 0)
			return cli_fault(fault, rc, SBX_STEP_ARGUMENT,
					 cli_limit_option(i), NULL, NULL);
	}
	return 0;
}

static int add_levels(const struct cli_options *o, struct sbx_policy *policy,
		      struct cli_fault *fault)
{
	uint32_t i;
	int rc = 0;

	for (i = 0; i < CLI_N_PROPERTIES && rc == 0; i++) {
		if (o->level[i] < 0)
			continue;
		rc = sbx_policy_require(policy, i, (uint32_t)o->level[i]);
		if (rc < 0)
			return option_fault(fault, rc,
					    o->level[i] == SBX_REQUIRE ?
						    "--require" : "--prefer",
					    cli_property_name(i));
	}
	return 0;
}

static int add_modes(const struct cli_options *o, struct sbx_policy *policy,
		     struct cli_fault *fault)
{
	int rc = 0;

	if (o->protect >= 0) {
		rc = sbx_policy_protect(policy, (uint32_t)o->protect);
		if (rc < 0)
			return cli_fault(fault, rc, SBX_STEP_ARGUMENT,
					 "--protect", NULL, NULL);
	}
	if (o->loopback >= 0)
		rc = sbx_policy_network(policy, SBX_NET_NONE,
					(uint32_t)o->loopback);
	if (rc < 0)
		return cli_fault(fault, rc, SBX_STEP_ARGUMENT,
				 "--no-loopback", NULL, NULL);
	return 0;
}

int cli_build_policy(const struct cli_options *o,
		     struct sbx_policy **ret_policy, struct cli_fault *fault)
{
	static int (*const add[])(const struct cli_options *,
				  struct sbx_policy *, struct cli_fault *) = {
		add_paths, add_environment, add_limits, add_levels, add_modes,
	};
	struct sbx_policy *policy = NULL;
	size_t i;
	int rc;

	rc = new_policy(o, &policy, fault);
	for (i = 0; i < sizeof(add) / sizeof(add[0]) && rc == 0; i++)
		rc = add[i](o, policy, fault);
	if (rc < 0) {
		sbx_policy_unref(policy);
		return rc;
	}
	*ret_policy = policy;
	return 0;
}

const char *cli_build_cwd(const struct cli_options *o, bool *ret_is_guess)
{
	const char *cwd = NULL;
	char **paths;
	size_t i;

	*ret_is_guess = false;
	if (o->cwd)
		return o->cwd;
	paths = calloc(o->n_paths + 1, sizeof(*paths));
	if (paths) {
		for (i = 0; i < o->n_paths; i++)
			paths[i] = o->paths[i].path;
		cwd = cli_cwd_within(&o->caller, paths, o->n_paths);
		free(paths);
	}
	if (cwd || !o->policy_file)
		return cwd;
	*ret_is_guess = true;
	return o->caller.logical;
}

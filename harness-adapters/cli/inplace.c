/* SPDX-License-Identifier: Apache-2.0 */
/* inplace: --in-place: this process confines itself and becomes the command. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inplace.h"

/* linux/close_range.h, which not every system has. */
#define CLOEXEC_RANGE 4u
#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

static int refuse(struct cli_fault *fault, const char *option,
		  const char *reason)
{
	return cli_fault(fault, -EOPNOTSUPP, SBX_STEP_ARGUMENT, option,
			 "leave out this option or --in-place",
			 "not with --in-place: %s", reason);
}

/* What each of these limits needs somebody for; NULL = the kernel keeps it. */
static const char *const keeper[CLI_N_LIMITS] = {
	[SBX_LIMIT_WALL_MS] = "nobody stays to end the command",
	[SBX_LIMIT_MEMORY] = "nobody stays to watch the memory of its tree",
	[SBX_LIMIT_PROCESSES] = "nobody stays to count its processes",
	[SBX_LIMIT_OUTPUT] = "nobody stays to count its output",
	[SBX_LIMIT_SCRATCH] = "it has no private folders",
};

static int check_limits(const struct cli_options *o, struct cli_fault *fault)
{
	uint32_t i;

	for (i = 0; i < CLI_N_LIMITS; i++)
		if (keeper[i] && o->limit[i] != 0 &&
		    o->limit[i] != UINT64_MAX)
			return refuse(fault, cli_limit_option(i), keeper[i]);
	return 0;
}

static int check_grants(const struct cli_options *o, struct cli_fault *fault)
{
	static const char *const option[] = {
		[SBX_GRANT_FILE] = "--open",
		[SBX_GRANT_CONNECT] = "--connect",
	};
	size_t i;

	for (i = 0; i < o->n_grants; i++) {
		const struct sbx_grant *g = &o->grants[i];

		if (g->kind == SBX_GRANT_FD)
			continue;
		return refuse(fault,
			      g->kind == SBX_GRANT_CONNECT && g->target &&
					      !strncmp(g->target, "unix:", 5) ?
				      "--unix" : option[g->kind],
			      "a grant is made for a task; open it before and use --allow-fd");
	}
	return 0;
}

/*
 * Who writes --in-place has said that the environment and the terminal stay;
 * who adds --allow-fd, that descriptors do.  A policy file speaks for itself.
 */
static void prefer_what_stays(struct cli_options *o)
{
	if (o->policy_file)
		return;
	if (o->level[SBX_PROP_ENVIRONMENT] < 0)
		o->level[SBX_PROP_ENVIRONMENT] = SBX_PREFER;
	if (o->level[SBX_PROP_TERMINAL] < 0)
		o->level[SBX_PROP_TERMINAL] = SBX_PREFER;
	if (o->level[SBX_PROP_DESCRIPTORS] < 0 && o->n_grants > 0)
		o->level[SBX_PROP_DESCRIPTORS] = SBX_PREFER;
}

int cli_in_place_check(struct cli_options *o, struct cli_fault *fault)
{
	int rc = check_limits(o, fault);

	if (rc == 0)
		rc = check_grants(o, fault);
	if (rc == 0 && o->kill_after_ms > 0)
		rc = refuse(fault, "--kill-after",
			    "nobody stays to end the command");
	if (rc == 0 && o->status_fd >= 0)
		rc = refuse(fault, "--status-fd",
			    "nobody stays to write how it ended");
	if (rc == 0 && o->new_tty)
		rc = refuse(fault, "--new-tty",
			    "nobody stays to join the terminals");
	if (rc == 0)
		prefer_what_stays(o);
	return rc;
}

static int set_cloexec(int fd, bool on)
{
	int flags = fcntl(fd, F_GETFD);

	if (flags < 0)
		return -errno;
	flags = on ? flags | FD_CLOEXEC : flags & ~FD_CLOEXEC;
	return fcntl(fd, F_SETFD, flags) < 0 ? -errno : 0;
}

/* Before Linux 5.11 there is no call for all of them. */
static int close_all_later(void)
{
	const struct dirent *e;
	DIR *dir;

	if (syscall(SYS_close_range, 3u, ~0u, CLOEXEC_RANGE) == 0)
		return 0;
	dir = opendir("/proc/self/fd");
	if (!dir)
		return -errno;
	while ((e = readdir(dir))) {
		int fd = (int)strtol(e->d_name, NULL, 10);

		if (fd > STDERR_FILENO)
			(void)set_cloexec(fd, true);	/* it is open */
	}
	(void)closedir(dir);
	return 0;
}

/* Only what is allowed passes execve. */
static int keep_allowed(const struct cli_options *o, struct cli_fault *fault)
{
	int rc = close_all_later();
	size_t i;

	for (i = 0; i < o->n_grants && rc == 0; i++)
		rc = set_cloexec(o->grants[i].fd, false);
	if (rc < 0)
		return cli_fault(fault, rc, SBX_STEP_GRANTS, "descriptors",
				 NULL, NULL);
	return 0;
}

int cli_in_place_enter(const struct cli_options *o, struct sbx_policy *policy,
		       struct sbx_report **ret_report, struct cli_fault *fault)
{
	struct sbx_error error = { .code = 0 };
	int rc = keep_allowed(o, fault);

	if (rc < 0)
		return rc;
	rc = sbx_enter_self(policy, SBX_ENTER_EXEC, ret_report, &error);
	return rc < 0 ? cli_fault_library(fault, rc, &error, NULL) : 0;
}

/* "K=V" sets; "K" is there already, or is not. */
static int set_environment(const struct cli_options *o)
{
	size_t i;

	for (i = 0; i < o->env.n; i++) {
		const char *eq = strchr(o->env.item[i], '=');
		char *name = eq ? strndup(o->env.item[i],
					  (size_t)(eq - o->env.item[i])) :
				  NULL;
		int rc = eq && (!name || setenv(name, eq + 1, 1) < 0);

		free(name);
		if (rc)
			return -ENOMEM;
	}
	return 0;
}

/* SBX_FDS="name:3 other:4", as a task has it. */
static int set_fds(const struct cli_options *o)
{
	char *list = NULL;
	size_t len = 0, i;
	FILE *out;
	int rc = 0;

	if (o->n_grants == 0)
		return 0;
	out = open_memstream(&list, &len);
	if (!out)
		return -ENOMEM;
	for (i = 0; i < o->n_grants; i++)
		(void)fprintf(out, "%s%s:%d", i ? " " : "", o->grants[i].name,
			      (int)o->grants[i].fd);
	if (fclose(out) != 0 || setenv("SBX_FDS", list, 1) < 0)
		rc = -ENOMEM;
	free(list);
	return rc;
}

/*
 * Execute argv[0] in each folder of PATH, as execvp(3), but for its shell: a
 * file of no known form is an error here as it is in a task.
 */
static int exec_by_path(char *const *argv)
{
	const char *dirs = getenv("PATH"), *end;
	int err = ENOENT;
	char path[4096];

	for (dirs = dirs ? dirs : DEFAULT_PATH; dirs; dirs = end) {
		int n = (int)strcspn(dirs, ":");

		end = dirs[n] ? dirs + n + 1 : NULL;
		if (snprintf(path, sizeof(path), "%.*s%s%s", n, dirs,
			     n ? "/" : "", argv[0]) >= (int)sizeof(path))
			continue;
		(void)execv(path, argv);
		if (errno == EACCES)
			err = EACCES;
		else if (errno != ENOENT && errno != ENOTDIR)
			return -errno;
	}
	return -err;
}

static int exec_command(const struct cli_options *o)
{
	/* execve takes what it does not change without const. */
	char *const *argv = (char *const *)(uintptr_t)o->argv;

	if (!strchr(argv[0], '/'))
		return exec_by_path(argv);
	(void)execv(argv[0], argv);
	return -errno;
}

int cli_in_place_exec(const struct cli_options *o, struct cli_fault *fault)
{
	bool is_there;
	int rc = set_environment(o);

	if (rc == 0)
		rc = set_fds(o);
	if (rc < 0)
		return cli_fault(fault, rc, SBX_STEP_ARGUMENT, "--env", NULL,
				 NULL);
	if (o->cwd && chdir(o->cwd) < 0)
		return cli_fault(fault, -errno, SBX_STEP_CWD, o->cwd,
				 "choose another directory with --cwd", NULL);
	rc = exec_command(o);
	is_there = access(o->argv[0], F_OK) == 0;
	if (rc == -ENOENT && is_there && strchr(o->argv[0], '/'))
		return cli_fault(fault, rc, SBX_STEP_EXEC, o->argv[0],
				 "grant the directory of the interpreter with --rox",
				 "the interpreter of the program cannot be used");
	(void)cli_fault(fault, rc, SBX_STEP_EXEC, o->argv[0],
			rc == -EACCES ? "grant its directory with --rox" : NULL,
			NULL);
	fault->sys_errno = -rc;
	return rc;
}

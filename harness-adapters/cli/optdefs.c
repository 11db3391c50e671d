/* SPDX-License-Identifier: Apache-2.0 */
/* optdefs: each option of sbx-exec, and what it does with its argument. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grantopt.h"
#include "number.h"
#include "optdefs.h"

#define R SBX_READ
#define W SBX_WRITE
#define X SBX_EXEC

int cli_no_memory(struct cli_parser *p, const char *option)
{
	return cli_fault(p->fault, -ENOMEM, SBX_STEP_ARGUMENT, option, NULL,
			 NULL);
}

/* One more text, and NULL behind it. */
static int append(struct cli_parser *p, struct cli_list *list,
		  const char *option, const char *text)
{
	size_t n = list->n;
	const char **item = NULL;

	/* The room for the NULL is counted only while it is made. */
	item = cli_grow(&list->item, &n, sizeof(*item));
	if (item)
		item = cli_grow(&list->item, &n, sizeof(*item));
	if (!item)
		return cli_no_memory(p, option);
	list->item[list->n++] = text;
	return 0;
}

/* Which of the words, which end with NULL; -1 = none. */
static int word_index(const char *const *words, const char *text, size_t n)
{
	int i;

	for (i = 0; words[i]; i++) {
		if (strlen(words[i]) == n && strncmp(words[i], text, n) == 0)
			return i;
	}
	return -1;
}

static int resolve(struct cli_parser *p, const char *option, const char *value,
		   char **ret_path)
{
	char object[sizeof(p->fault->object)];
	int rc;

	rc = cli_path_absolute(&p->o->caller, value, ret_path);
	if (rc == 0)
		return 0;
	(void)snprintf(object, sizeof(object), "%s %s", option, value);
	return cli_fault(p->fault, rc, SBX_STEP_ARGUMENT, object,
			 "make it, or name a path that exists", NULL);
}

static int take_path(struct cli_parser *p, const struct cli_def *def,
		     const char *option, const char *value)
{
	struct cli_path *path;
	char *absolute = NULL;
	int rc;

	rc = resolve(p, option, value, &absolute);
	if (rc < 0)
		return rc;
	path = cli_grow(&p->o->paths, &p->o->n_paths, sizeof(*path));
	if (!path) {
		free(absolute);
		return cli_no_memory(p, option);
	}
	path->path = absolute;
	path->rights = (uint32_t)def->arg;
	return 0;
}

static int take_no_protect(struct cli_parser *p, const struct cli_def *def,
			   const char *option, const char *value)
{
	char *absolute = NULL;
	int rc;

	(void)def;
	rc = resolve(p, option, value, &absolute);
	if (rc == 0)
		rc = append(p, &p->no_protect, option, absolute);
	if (rc < 0)
		free(absolute);
	return rc;
}

static int take_cwd(struct cli_parser *p, const struct cli_def *def,
		    const char *option, const char *value)
{
	char *absolute = NULL;
	int rc;

	(void)def;
	rc = resolve(p, option, value, &absolute);
	if (rc < 0)
		return rc;
	free(p->o->cwd);
	p->o->cwd = absolute;
	return 0;
}

static int take_allow_fd(struct cli_parser *p, const struct cli_def *def,
			 const char *option, const char *value)
{
	(void)def;
	return cli_grant_fd(p->o, option, value, p->fault);
}

static int take_open(struct cli_parser *p, const struct cli_def *def,
		     const char *option, const char *value)
{
	(void)def;
	return cli_grant_open(p->o, option, value, p->fault);
}

static int take_connect(struct cli_parser *p, const struct cli_def *def,
			const char *option, const char *value)
{
	(void)def;
	return cli_grant_connect(p->o, option, value, p->fault);
}

static int take_unix(struct cli_parser *p, const struct cli_def *def,
		     const char *option, const char *value)
{
	(void)def;
	return cli_grant_unix(p->o, option, value, p->fault);
}

static int take_env(struct cli_parser *p, const struct cli_def *def,
		    const char *option, const char *value)
{
	(void)def;
	if (*value == '\0' || *value == '=')
		return cli_bad_option(p->fault, option,
				      "'%s' is not NAME or NAME=VALUE", value);
	return append(p, &p->o->env, option, value);
}

static int take_var(struct cli_parser *p, const struct cli_def *def,
		    const char *option, const char *value)
{
	(void)def;
	if (*value == '=' || !strchr(value, '='))
		return cli_bad_option(p->fault, option,
				      "'%s' is not NAME=VALUE", value);
	return append(p, &p->o->vars, option, value);
}

static int bad_number(struct cli_parser *p, int rc, const char *option,
		      const char *value, const char *shape)
{
	if (rc == -ERANGE)
		return cli_bad_option(p->fault, option, "'%s' is too large",
				      value);
	if (rc < 0)
		return cli_bad_option(p->fault, option, "'%s' is not %s",
				      value, shape);
	return cli_bad_option(p->fault, option, "'%s' is not more than 0",
			      value);
}

static int parse_u32(const char *text, uint64_t *ret)
{
	return cli_parse_count(text, UINT32_MAX, ret);
}

static int take_limit(struct cli_parser *p, const char *option,
		      const char *value, uint64_t *limit,
		      int (*parse)(const char *, uint64_t *),
		      const char *shape)
{
	uint64_t number = 0;
	int rc;

	if (strcmp(value, "none") == 0) {
		*limit = UINT64_MAX;
		return 0;
	}
	rc = parse(value, &number);
	if (rc < 0 || number == 0)
		return bad_number(p, rc, option, value, shape);
	*limit = number;
	return 0;
}

static int take_duration(struct cli_parser *p, const struct cli_def *def,
			 const char *option, const char *value)
{
	return take_limit(p, option, value, &p->o->limit[def->arg],
			  cli_parse_duration,
			  "a duration such as 500ms, 10s, 5m, 2h or none");
}

static int take_size(struct cli_parser *p, const struct cli_def *def,
		     const char *option, const char *value)
{
	return take_limit(p, option, value, &p->o->limit[def->arg],
			  cli_parse_size,
			  "a size such as 4096, 64K, 512M, 2G or none");
}

static int take_count(struct cli_parser *p, const struct cli_def *def,
		      const char *option, const char *value)
{
	return take_limit(p, option, value, &p->o->limit[def->arg], parse_u32,
			  "a number or none");
}

static int take_kill_after(struct cli_parser *p, const struct cli_def *def,
			   const char *option, const char *value)
{
	uint64_t ms = 0;
	int rc;

	(void)def;
	rc = cli_parse_duration(value, &ms);
	if (rc < 0 || ms == 0)
		return bad_number(p, rc, option, value,
				  "a duration such as 500ms, 10s, 5m or 2h");
	p->o->kill_after_ms = ms;
	return 0;
}

static int take_status_fd(struct cli_parser *p, const struct cli_def *def,
			  const char *option, const char *value)
{
	uint64_t fd = 0;
	int flags;

	(void)def;
	if (cli_parse_count(value, INT_MAX, &fd) < 0 || fd == 0)
		return cli_bad_option(p->fault, option,
				      "'%s' is no descriptor to write to",
				      value);
	flags = fcntl((int)fd, F_GETFL);
	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
		return cli_fault(p->fault, -EBADF, SBX_STEP_ARGUMENT, option,
				 "open it before, as in 'sbx-exec ... 3>file'",
				 "descriptor %d is not open for writing",
				 (int)fd);
	p->o->status_fd = (int)fd;
	return 0;
}

/* A word of a list; what is planned for later says so. */
static int choose(struct cli_parser *p, const char *option, const char *value,
		  const char *const *words, const char *later)
{
	int i = word_index(words, value, strlen(value));

	if (i >= 0)
		return i;
	if (later && strcmp(value, later) == 0)
		return cli_bad_option(p->fault, option,
				      "'%s' is not in this version", value);
	return cli_bad_option(p->fault, option, "'%s' is not known", value);
}

static int take_protect(struct cli_parser *p, const struct cli_def *def,
			const char *option, const char *value)
{
	static const char *const words[] = { "strict", "existing", "off",
					     NULL };
	int level = choose(p, option, value, words, NULL);

	(void)def;
	if (level < 0)
		return level;
	p->o->protect = level;	/* the order of SBX_PROTECT_... */
	return 0;
}

static int take_profile(struct cli_parser *p, const struct cli_def *def,
			const char *option, const char *value)
{
	static const char *const words[] = { "empty", "tool", NULL };
	int profile = choose(p, option, value, words, "call");

	(void)def;
	if (profile < 0)
		return profile;
	/* The order of SBX_PROFILE_... */
	p->o->profile = (uint32_t)profile;
	p->o->profile_name = value;
	return 0;
}

static int take_net(struct cli_parser *p, const struct cli_def *def,
		    const char *option, const char *value)
{
	static const char *const words[] = { "none", NULL };
	int mode = choose(p, option, value, words, "broker");

	(void)def;
	/* "none" is the only mode that a policy of this version can have. */
	return mode < 0 ? mode : 0;
}

static const char *const properties[] = {
	"files", "names", "trust", "network", "descriptors", "syscalls",
	"privileges", "identity", "signals", "ipc", "terminal", "processes",
	"memory", "cpu", "time", "environment", "keyring", NULL
};
_Static_assert(sizeof(properties) / sizeof(properties[0]) ==
	       CLI_N_PROPERTIES + 1, "a name for each property");

static int take_level(struct cli_parser *p, const struct cli_def *def,
		      const char *option, const char *value)
{
	size_t n;
	int i;

	do {
		n = strcspn(value, ",");
		i = word_index(properties, value, n);
		if (i < 0)
			return cli_bad_option(p->fault, option,
					      "'%.*s' is no property",
					      (int)(n > 80 ? 80 : n), value);
		p->o->level[i] = (int)def->arg;
		value += n;
	} while (*value++ == ',');
	return 0;
}

static int take_policy(struct cli_parser *p, const struct cli_def *def,
		       const char *option, const char *value)
{
	(void)def;
	if (*value == '\0')
		return cli_bad_option(p->fault, option, "no file is named");
	p->o->policy_file = value;
	return 0;
}

static int take_report(struct cli_parser *p, const struct cli_def *def,
		       const char *option, const char *value)
{
	(void)def;
	if (*value == '\0')
		return cli_bad_option(p->fault, option, "no file is named");
	p->o->report = value;
	return 0;
}

static int take_no_loopback(struct cli_parser *p, const struct cli_def *def,
			    const char *option, const char *value)
{
	(void)def;
	(void)option;
	(void)value;
	p->o->loopback = 0;
	return 0;
}

static int take_tty(struct cli_parser *p, const struct cli_def *def,
		    const char *option, const char *value)
{
	(void)option;
	(void)value;
	p->o->new_tty = def->arg != 0;
	p->o->tty_chosen = true;
	return 0;
}

static int take_in_place(struct cli_parser *p, const struct cli_def *def,
			 const char *option, const char *value)
{
	(void)def;
	(void)option;
	(void)value;
	p->o->in_place = true;
	return 0;
}

static int take_action(struct cli_parser *p, const struct cli_def *def,
		       const char *option, const char *value)
{
	(void)option;
	(void)value;
	p->o->action = (enum cli_action)def->arg;
	return 0;
}

static int take_later(struct cli_parser *p, const struct cli_def *def,
		      const char *option, const char *value)
{
	(void)def;
	(void)value;
	return cli_bad_option(p->fault, option, "not in this version");
}

#define NO no_argument
#define YES required_argument
#define LATER optional_argument	/* is refused before its argument matters */

const struct cli_def cli_defs[] = {
	{ "ro", YES, take_path, R },
	{ "rox", YES, take_path, R | X },
	{ "rw", YES, take_path, R | W },
	{ "rwx", YES, take_path, R | W | X },
	{ "no-protect", YES, take_no_protect, 0 },
	{ "protect", YES, take_protect, 0 },
	{ "allow-fd", YES, take_allow_fd, 0 },
	{ "open", YES, take_open, 0 },
	{ "connect", YES, take_connect, 0 },
	{ "unix", YES, take_unix, 0 },
	{ "net", YES, take_net, 0 },
	{ "no-loopback", NO, take_no_loopback, 0 },
	{ "env", YES, take_env, 0 },
	{ "cwd", YES, take_cwd, 0 },
	{ "timeout", YES, take_duration, SBX_LIMIT_WALL_MS },
	{ "cpu", YES, take_duration, SBX_LIMIT_CPU_MS },
	{ "kill-after", YES, take_kill_after, 0 },
	{ "memory", YES, take_size, SBX_LIMIT_MEMORY },
	{ "output", YES, take_size, SBX_LIMIT_OUTPUT },
	{ "scratch", YES, take_size, SBX_LIMIT_SCRATCH },
	{ "file-size", YES, take_size, SBX_LIMIT_FILE_SIZE },
	{ "processes", YES, take_count, SBX_LIMIT_PROCESSES },
	{ "open-files", YES, take_count, SBX_LIMIT_OPEN_FILES },
	{ "policy", YES, take_policy, 0 },
	{ "var", YES, take_var, 0 },
	{ "profile", YES, take_profile, 0 },
	{ "require", YES, take_level, SBX_REQUIRE },
	{ "prefer", YES, take_level, SBX_PREFER },
	{ "status-fd", YES, take_status_fd, 0 },
	{ "report", YES, take_report, 0 },
	{ "dry-run", NO, take_action, CLI_DRY_RUN },
	{ "in-place", NO, take_in_place, 0 },
	{ "explain-syscalls", NO, take_action, CLI_EXPLAIN },
	{ "new-tty", NO, take_tty, 1 },
	{ "no-tty", NO, take_tty, 0 },
	{ "version", NO, take_action, CLI_VERSION },
	{ "help", NO, take_action, CLI_HELP },
	{ "listen", LATER, take_later, 0 },
	{ "allow-host", LATER, take_later, 0 },
	{ "deny", LATER, take_later, 0 },
	{ "ask", LATER, take_later, 0 },
	{ "audit", LATER, take_later, 0 },
	{ "workspace", LATER, take_later, 0 },
	{ "commit", LATER, take_later, 0 },
	{ "discard", LATER, take_later, 0 },
	{ "ask-commit", LATER, take_later, 0 },
	{ "keep", LATER, take_later, 0 },
	{ "changes", LATER, take_later, 0 },
	{ "learn", LATER, take_later, 0 },
};

const size_t cli_n_defs = sizeof(cli_defs) / sizeof(cli_defs[0]);

const char *cli_property_name(uint32_t property)
{
	return property < CLI_N_PROPERTIES ? properties[property] : NULL;
}

const char *cli_limit_option(uint32_t which)
{
	static const char *const names[CLI_N_LIMITS] = {
		[SBX_LIMIT_WALL_MS] = "--timeout",
		[SBX_LIMIT_CPU_MS] = "--cpu",
		[SBX_LIMIT_MEMORY] = "--memory",
		[SBX_LIMIT_PROCESSES] = "--processes",
		[SBX_LIMIT_OPEN_FILES] = "--open-files",
		[SBX_LIMIT_FILE_SIZE] = "--file-size",
		[SBX_LIMIT_OUTPUT] = "--output",
		[SBX_LIMIT_SCRATCH] = "--scratch",
	};

	return which < CLI_N_LIMITS ? names[which] : NULL;
}

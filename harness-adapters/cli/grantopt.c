/* SPDX-License-Identifier: Apache-2.0 */
/* grantopt: the options that make grants. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grantopt.h"
#include "number.h"

#define MAX_NAME 64

int cli_bad_option(struct cli_fault *fault, const char *option,
		   const char *fmt, ...)
{
	char text[sizeof(fault->text)];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return cli_fault(fault, -EINVAL, SBX_STEP_ARGUMENT, option,
			 "try 'sbx-exec --help'", "%s", text);
}

void *cli_grow(void *array, size_t *n, size_t element)
{
	char *a;

	/* A copy of the bytes: the caller's pointer has a type of its own. */
	memcpy(&a, array, sizeof(a));
	/* Doubles whenever the count reaches a power of two. */
	if ((*n & (*n - 1)) == 0) {
		a = reallocarray(a, *n ? *n * 2 : 1, element);
		if (!a)
			return NULL;
		memcpy(array, &a, sizeof(a));
	}
	a += *n * element;
	memset(a, 0, element);
	(*n)++;
	return a;
}

bool cli_fd_is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

static int check_name(const char *option, const char *name, size_t n,
		      struct cli_fault *fault)
{
	static const char allowed[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		"0123456789._-";

	if (n == 0 || n > MAX_NAME || strspn(name, allowed) < n)
		return cli_bad_option(fault, option,
				      "'%.*s' is no name: 1 to 64 of "
				      "A-Z a-z 0-9 . _ -",
				      (int)(n > 80 ? 80 : n), name);
	return 0;
}

/* A grant of that name; *ret_grant stays the options'.  Takes target. */
static int add(struct cli_options *options, const char *option,
	       uint32_t kind, const char *name, size_t n, char *target,
	       struct sbx_grant **ret_grant, struct cli_fault *fault)
{
	const struct sbx_grant empty = SBX_GRANT_INIT;
	struct sbx_grant *g = NULL;
	char *copy;

	copy = strndup(name, n);
	if (copy)
		g = cli_grow(&options->grants, &options->n_grants, sizeof(*g));
	if (!g) {
		free(copy);
		free(target);
		return cli_fault(fault, -ENOMEM, SBX_STEP_ARGUMENT, option,
				 NULL, NULL);
	}
	*g = empty;
	g->kind = kind;
	g->name = copy;
	g->target = target;
	*ret_grant = g;
	return 0;
}

int cli_grant_fd(struct cli_options *options, const char *option,
		 const char *value, struct cli_fault *fault)
{
	size_t digits = strcspn(value, ":");
	char number[16], name[MAX_NAME + 2];
	struct sbx_grant *g;
	uint64_t fd;
	int rc;

	(void)snprintf(number, sizeof(number), "%.*s", (int)digits, value);
	if (digits >= sizeof(number) ||
	    cli_parse_count(number, INT_MAX, &fd) < 0)
		return cli_bad_option(fault, option,
				      "'%s' is not N or N:NAME", value);
	if (fd < 3)
		return cli_bad_option(fault, option,
				      "%d is standard input or output, which "
				      "the task has anyway", (int)fd);
	if (!cli_fd_is_open((int)fd))
		return cli_fault(fault, -EBADF, SBX_STEP_ARGUMENT, option,
				 "open it before, as in 'sbx-exec ... 5<file'",
				 "descriptor %d is not open", (int)fd);
	(void)snprintf(name, sizeof(name), "fd%d", (int)fd);
	if (value[digits] == ':')
		(void)snprintf(name, sizeof(name), "%s", value + digits + 1);
	rc = check_name(option, name, strlen(name), fault);
	if (rc == 0)
		rc = add(options, option, SBX_GRANT_FD, name, strlen(name),
			 NULL, &g, fault);
	if (rc == 0)
		g->fd = g->task_fd = (int)fd;
	return rc;
}

/* Split "NAME=REST"; *ret_n is the name's length. */
static int split(const char *option, const char *value, const char *shape,
		 size_t *ret_n, const char **ret_rest,
		 struct cli_fault *fault)
{
	const char *eq = strchr(value, '=');

	if (!eq || eq[1] == '\0')
		return cli_bad_option(fault, option, "'%s' is not %s", value,
				      shape);
	*ret_n = (size_t)(eq - value);
	*ret_rest = eq + 1;
	return check_name(option, value, *ret_n, fault);
}

/* Rights at the end of "PATH:rw"; *ret_n is the path's length. */
static uint32_t rights_suffix(const char *path, size_t *ret_n)
{
	static const struct {
		const char *text;
		uint32_t rights;
	} suffix[] = {
		{ ":rw", SBX_READ | SBX_WRITE },
		{ ":r", SBX_READ },
		{ ":w", SBX_WRITE },
	};
	size_t len = strlen(path), i, n;

	for (i = 0; i < sizeof(suffix) / sizeof(suffix[0]); i++) {
		n = strlen(suffix[i].text);
		if (len > n && strcmp(path + len - n, suffix[i].text) == 0) {
			*ret_n = len - n;
			return suffix[i].rights;
		}
	}
	*ret_n = len;
	return SBX_READ;
}

static int absolute(const struct cli_options *options, const char *option,
		    const char *path, size_t n, char **ret_path,
		    struct cli_fault *fault)
{
	char object[sizeof(fault->object)];
	char *copy = strndup(path, n);
	int rc = copy ? 0 : -ENOMEM;

	if (rc == 0)
		rc = cli_path_absolute(&options->caller, copy, ret_path);
	free(copy);
	if (rc == 0)
		return 0;
	(void)snprintf(object, sizeof(object), "%s %.*s", option, (int)n,
		       path);
	return cli_fault(fault, rc, SBX_STEP_ARGUMENT, object,
			 "name a path that exists", NULL);
}

int cli_grant_open(struct cli_options *options, const char *option,
		   const char *value, struct cli_fault *fault)
{
	const char *path = NULL;
	size_t n_name = 0, n_path;
	char *target = NULL;
	struct sbx_grant *g;
	uint32_t rights;
	int rc;

	rc = split(option, value, "NAME=PATH or NAME=PATH:rw", &n_name, &path,
		   fault);
	if (rc < 0)
		return rc;
	rights = rights_suffix(path, &n_path);
	rc = absolute(options, option, path, n_path, &target, fault);
	if (rc == 0)
		rc = add(options, option, SBX_GRANT_FILE, value, n_name,
			 target, &g, fault);
	if (rc == 0)
		g->rights = rights;
	return rc;
}

/* Is it HOST:PORT or [V6]:PORT? */
static bool is_endpoint(const char *text)
{
	const char *colon = strrchr(text, ':');
	uint64_t port = 0;
	size_t n;

	if (!colon || colon == text ||
	    cli_parse_count(colon + 1, 65535, &port) < 0 || port == 0)
		return false;
	n = (size_t)(colon - text);
	if (*text == '[')
		return n > 2 && strcspn(text, "]") == n - 1;
	return strcspn(text, ":[]/ ") == n;
}

int cli_grant_connect(struct cli_options *options, const char *option,
		      const char *value, struct cli_fault *fault)
{
	const char *endpoint = NULL;
	struct sbx_grant *g;
	size_t n = 0;
	char *target;
	int rc;

	rc = split(option, value, "NAME=HOST:PORT", &n, &endpoint, fault);
	if (rc < 0)
		return rc;
	if (!is_endpoint(endpoint))
		return cli_bad_option(fault, option,
				      "'%s' is not HOST:PORT or [ADDRESS]:PORT",
				      endpoint);
	if (asprintf(&target, "tcp:%s", endpoint) < 0)
		return cli_fault(fault, -ENOMEM, SBX_STEP_ARGUMENT, option,
				 NULL, NULL);
	return add(options, option, SBX_GRANT_CONNECT, value, n, target, &g,
		   fault);
}

int cli_grant_unix(struct cli_options *options, const char *option,
		   const char *value, struct cli_fault *fault)
{
	char *path = NULL, *target;
	const char *rest = NULL;
	struct sbx_grant *g;
	size_t n = 0;
	int rc;

	rc = split(option, value, "NAME=PATH", &n, &rest, fault);
	if (rc == 0)
		rc = absolute(options, option, rest, strlen(rest), &path,
			      fault);
	if (rc < 0)
		return rc;
	rc = asprintf(&target, "unix:%s", path);
	free(path);
	if (rc < 0)
		return cli_fault(fault, -ENOMEM, SBX_STEP_ARGUMENT, option,
				 NULL, NULL);
	return add(options, option, SBX_GRANT_CONNECT, value, n, target, &g,
		   fault);
}

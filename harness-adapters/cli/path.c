/* SPDX-License-Identifier: Apache-2.0 */
/* path: from what the caller typed to absolute paths. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "path.h"

/* Is the component at p, up to the next slash, equal to name? */
static bool component_is(const char *p, const char *name)
{
	size_t n = strcspn(p, "/");

	return n == strlen(name) && strncmp(p, name, n) == 0;
}

static const char *next_component(const char *p)
{
	p += strcspn(p, "/");
	return p + strspn(p, "/");
}

static bool is_clean(const char *path)
{
	const char *p;

	if (*path != '/')
		return false;
	for (p = path + 1; *p; p = next_component(p)) {
		if (component_is(p, ".") || component_is(p, ".."))
			return false;
	}
	return true;
}

static bool is_same_directory(const char *a, const char *b)
{
	struct stat sa, sb;

	return stat(a, &sa) == 0 && stat(b, &sb) == 0 &&
	       sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

void cli_cwd_init(struct cli_cwd *cwd, const char *pwd)
{
	*cwd = (struct cli_cwd){ .err = 0 };
	cwd->physical = getcwd(NULL, 0);
	if (!cwd->physical) {
		cwd->err = -errno;
		return;
	}
	/* "(unreachable)/..." where the directory is outside our root. */
	if (cwd->physical[0] == '/') {
		if (!pwd || !is_clean(pwd) || !is_same_directory(pwd, "."))
			pwd = cwd->physical;
		cwd->logical = strdup(pwd);
		if (cwd->logical)
			return;
	}
	cwd->err = cwd->physical[0] == '/' ? -ENOMEM : -ENOENT;
	free(cwd->physical);
	cwd->physical = NULL;
}

void cli_cwd_done(struct cli_cwd *cwd)
{
	free(cwd->logical);
	free(cwd->physical);
	*cwd = (struct cli_cwd){ .err = -ENOENT };
}

/* Where the last ".." of path ends; NULL = it has none. */
static char *behind_last_dotdot(char *path)
{
	char *p = path + strspn(path, "/"), *end = NULL;

	while (*p) {
		if (component_is(p, ".."))
			end = p + 2;
		p += strcspn(p, "/");
		p += strspn(p, "/");
	}
	return end;
}

/* Resolve path up to its last ".."; takes path, returns 0 or an errno. */
static int resolve_dotdot(char *path, char **ret_path)
{
	char *end = behind_last_dotdot(path), *real, *joined;
	char saved;
	int rc;

	if (!end) {
		*ret_path = path;
		return 0;
	}
	saved = *end;
	*end = '\0';
	real = realpath(path, NULL);
	if (!real) {
		rc = -errno;
		free(path);
		return rc;
	}
	*end = saved;
	if (asprintf(&joined, "%s%s", real, end) < 0)
		joined = NULL;
	free(real);
	free(path);
	if (!joined)
		return -ENOMEM;
	*ret_path = joined;
	return 0;
}

/* Take out ".", doubled slashes and the slash at the end, in place. */
static void squeeze(char *path)
{
	const char *p = path + strspn(path, "/"), *next;
	char *to = path;	/* before p: each component has its slash */
	size_t n;

	for (; *p; p = next) {
		next = next_component(p);
		if (component_is(p, "."))
			continue;
		n = strcspn(p, "/");
		*to++ = '/';
		memmove(to, p, n);
		to += n;
	}
	if (to == path)
		*to++ = '/';
	*to = '\0';
}

int cli_path_absolute(const struct cli_cwd *cwd, const char *text,
		      char **ret_path)
{
	char *path;
	int rc;

	if (*text == '\0')
		return -ENOENT;
	if (*text != '/' && cwd->err < 0)
		return cwd->err;
	if (asprintf(&path, "%s/%s", *text == '/' ? "" : cwd->logical,
		     text) < 0)
		return -ENOMEM;
	rc = resolve_dotdot(path, &path);
	if (rc < 0)
		return rc;
	squeeze(path);
	*ret_path = path;
	return 0;
}

bool cli_path_covers(const char *parent, const char *path)
{
	size_t n = strlen(parent);

	if (n == 1)
		return *path == '/';
	return strncmp(parent, path, n) == 0 &&
	       (path[n] == '\0' || path[n] == '/');
}

static const char *name_within(const struct cli_cwd *cwd, const char *parent)
{
	if (cli_path_covers(parent, cwd->logical))
		return cwd->logical;
	if (cli_path_covers(parent, cwd->physical))
		return cwd->physical;
	return NULL;
}

const char *cli_cwd_within(const struct cli_cwd *cwd, char *const *paths,
			   size_t n)
{
	const char *name = NULL;
	char *real;
	size_t i;

	if (cwd->err < 0)
		return NULL;
	for (i = 0; i < n && !name; i++)
		name = name_within(cwd, paths[i]);
	for (i = 0; i < n && !name; i++) {
		real = realpath(paths[i], NULL);
		if (!real)
			continue;
		name = name_within(cwd, real);
		free(real);
	}
	return name;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trust: which names in a granted tree others run or trust later.
 *
 * The list is share/trust.list, turned into strings when the helper is built.
 * Names are compared without regard to case, as some file systems do.
 */
#include "init/trust.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include <sandbox/types.h>

#include "base/cleanup.h"

static const char *const lines[] = {
#include "init/trust_list.h"
};

bool sbxi_trust_covers(const struct sbxi_plan_path *path)
{
	return (path->rights & SBX_WRITE) && S_ISDIR(path->id.type) &&
	       !(path->flags & (SBXI_PATH_SYSTEM | SBXI_PATH_NO_PROTECT));
}

static size_t name_length(const char *path)
{
	return strcspn(path, "/");
}

static const char *next_name(const char *path)
{
	path += name_length(path);
	return path + (*path == '/');
}

/*
 * Does the line match the path from its start on?  The end of what it names,
 * or NULL.  "**" tries every number of names: lines have one at most.
 */
static const char *match_here(const char *line, const char *path)
{
	while (*line) {
		size_t n = name_length(line), m = name_length(path);

		if (n == 2 && !strncmp(line, "**", 2)) {
			const char *rest = next_name(line), *end = NULL;

			for (; *path && !end; path = next_name(path))
				end = match_here(rest, path);
			return end;
		}
		if (n != m || strncasecmp(line, path, n) != 0)
			return NULL;
		line = next_name(line);
		if (!*line)
			return path + m;
		path = next_name(path);
	}
	return NULL;
}

static size_t match_line(const char *line, const char *path, const char *from)
{
	const char *end = match_here(line, from);
	bool below = line[strlen(line) - 1] == '/';

	if (!end || (*end && !below))
		return 0;
	return (size_t)(end - path);
}

size_t sbxi_trust_match(const char *path)
{
	for (size_t i = 0; i < SBXI_COUNT(lines); i++)
		for (const char *from = path; *from; from = next_name(from)) {
			size_t n = match_line(lines[i], path, from);

			if (n > 0)
				return n;
		}
	return 0;
}

/* The line without its ".git/", or NULL. */
static const char *inside_git(const char *line)
{
	return !strncmp(line, ".git/", 5) ? line + 5 : NULL;
}

size_t sbxi_trust_match_below(const char *path)
{
	for (size_t i = 0; i < SBXI_COUNT(lines); i++) {
		const char *line = inside_git(lines[i]);
		size_t n = line ? match_line(line, path, path) : 0;

		if (n > 0)
			return n;
	}
	return 0;
}

bool sbxi_trust_is_candidate(const char *path)
{
	for (const char *from = path; *from; from = next_name(from))
		if (sbxi_trust_match_below(from) > 0)
			return true;
	return false;
}

/* Is the path a beginning of the line?  "**" is any number of names. */
static bool leads_here(const char *line, const char *path)
{
	while (*path) {
		size_t n = name_length(line), m = name_length(path);

		if (n == 2 && !strncmp(line, "**", 2))
			return true;
		if (n == 0 || n != m || strncasecmp(line, path, n) != 0)
			return false;
		line = next_name(line);
		path = next_name(path);
	}
	return *line != '\0';
}

bool sbxi_trust_leads(const char *path)
{
	for (size_t i = 0; i < SBXI_COUNT(lines); i++)
		for (const char *from = path; *from; from = next_name(from))
			if (leads_here(lines[i], from))
				return true;
	return false;
}

bool sbxi_trust_leads_below(const char *path)
{
	for (size_t i = 0; i < SBXI_COUNT(lines); i++) {
		const char *line = inside_git(lines[i]);

		if (line && leads_here(line, path))
			return true;
	}
	return false;
}

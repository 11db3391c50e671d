/* SPDX-License-Identifier: Apache-2.0 */
/* denial_args: arguments of a command that failed, and that it could not see. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "denial_args.h"
#include "path.h"

/* What the profile grants, or the jail has of its own. */
static const char *const always_there[] = { "/usr",  "/bin", "/sbin", "/lib",
					    "/lib64", "/proc", "/dev" };

static bool is_there(const struct cli_options *o, const char *path)
{
	size_t i;

	for (i = 0; i < sizeof(always_there) / sizeof(always_there[0]); i++)
		if (cli_path_covers(always_there[i], path))
			return true;
	for (i = 0; i < o->n_paths; i++)
		if (cli_path_covers(o->paths[i].path, path))
			return true;
	return false;
}

/* The path in "path" or "--option=path". */
static const char *path_in(const char *argument)
{
	const char *value = argument[0] == '-' ? strchr(argument, '=') : NULL;

	if (value)
		return value + 1;
	return argument[0] == '-' ? "" : argument;
}

bool cli_denial_of_argument(const struct cli_options *options, size_t index,
			    struct cli_denial_texts *texts,
			    struct cli_denial *ret)
{
	const char *path = path_in(options->argv[index]);
	const char *place;
	char *absolute = NULL;
	struct stat st;
	bool is_missed;

	if (cli_path_absolute(&options->caller, path, &absolute) < 0)
		return false;
	is_missed = !is_there(options, absolute) && lstat(absolute, &st) == 0;
	(void)snprintf(texts->object, sizeof(texts->object), "%s", absolute);
	/* A relative one needs the folder that it starts from as well. */
	place = path[0] == '/' ? absolute : options->caller.logical;
	(void)snprintf(texts->option, sizeof(texts->option), "--ro %s",
		       place);
	if (!cli_path_is_fit(place))
		texts->option[0] = '\0';
	free(absolute);
	*ret = (struct cli_denial){ .operation = "argument",
				    .object = texts->object,
				    .allow_with = texts->option };
	return is_missed;
}

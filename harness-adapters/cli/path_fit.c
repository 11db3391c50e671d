/* SPDX-License-Identifier: Apache-2.0 */
/* path_fit: which paths may be offered to be granted. */
#include <stdlib.h>
#include <string.h>

#include "path.h"

static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
			    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+,:@%=-";

static const char *const of_the_jail[] = { "/dev", "/proc", "/sys" };

bool cli_path_is_fit(const char *path)
{
	const char *home = getenv("HOME");
	size_t i;

	if (path[0] != '/' || path[strspn(path, plain)] != '\0')
		return false;
	/* "/", "/usr", "/tmp", ... */
	if (strchr(path + 1, '/') == NULL)
		return false;
	for (i = 0; i < sizeof(of_the_jail) / sizeof(of_the_jail[0]); i++)
		if (cli_path_covers(of_the_jail[i], path))
			return false;
	return !home || home[0] != '/' || !cli_path_covers(path, home);
}

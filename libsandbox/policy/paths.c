/* SPDX-License-Identifier: Apache-2.0 */
/* paths: text of paths, never the files behind them. */
#include "policy/paths.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

static bool is_dots(const char *name, size_t len)
{
	return (len == 1 && name[0] == '.') ||
	       (len == 2 && name[0] == '.' && name[1] == '.');
}

static int refuse(int code, const char *why, const char **ret_why)
{
	*ret_why = why;
	return code;
}

/* Copy what is between the slashes of text to out; out is big enough. */
static int copy_components(const char *text, char *out, const char **ret_why)
{
	char *end = out;

	for (;;) {
		size_t len;

		text += strspn(text, "/");
		len = strcspn(text, "/");
		if (len == 0)
			break;
		if (is_dots(text, len))
			return refuse(-EINVAL,
				      "a path may not have \".\" or \"..\" in it",
				      ret_why);
		if (len > SBXI_COMPONENT_BYTES)
			return refuse(-ENAMETOOLONG,
				      "a name in the path is over 255 bytes",
				      ret_why);
		*end++ = '/';
		memcpy(end, text, len);
		end += len;
		text += len;
	}
	if (end == out)
		*end++ = '/';
	*end = '\0';
	return 0;
}

int sbxi_path_clean(const char *text, char **ret, const char **ret_why)
{
	AUTO_FREE char *out = NULL;
	size_t len = strlen(text);
	int rc;

	if (text[0] != '/')
		return refuse(-EINVAL, "a path must be absolute", ret_why);
	if (len > SBXI_PATH_BYTES)
		return refuse(-ENAMETOOLONG, "a path is over 4,095 bytes",
			      ret_why);
	out = malloc(len + 1);
	if (!out)
		return refuse(-ENOMEM, "out of memory", ret_why);
	rc = copy_components(text, out, ret_why);
	if (rc < 0)
		return rc;
	*ret = out;
	out = NULL;
	return 0;
}

bool sbxi_path_within(const char *top, const char *path)
{
	size_t len = strlen(top);

	if (len == 1)
		return true;
	return strncmp(top, path, len) == 0 &&
	       (path[len] == '\0' || path[len] == '/');
}

/* The end of the text is lowest, then the slash, then every other byte. */
static int rank(char c)
{
	if (c == '\0')
		return -1;
	return c == '/' ? 0 : (unsigned char)c;
}

int sbxi_path_order(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return rank(*a) - rank(*b);
}

const char *sbxi_path_no_source(const char *path)
{
	if (strcmp(path, "/") == 0)
		return "\"/\" cannot be granted: name the directories in it";
	if (strcmp(path, "/dev") == 0)
		return "/dev cannot be granted: name the devices in it";
	if (sbxi_path_within("/proc", path))
		return "/proc cannot be granted: a task has its own";
	return NULL;
}

const char *sbxi_path_no_dest(const char *path)
{
	if (strcmp(path, "/") == 0)
		return "nothing can be shown at \"/\"";
	if (sbxi_path_within("/proc", path) || sbxi_path_within("/dev", path) ||
	    sbxi_path_within("/sys", path))
		return "nothing can be shown below /proc, /dev or /sys";
	return NULL;
}

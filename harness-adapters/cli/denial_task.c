/* SPDX-License-Identifier: Apache-2.0 */
/* denial_task: what the library told of, as the option that would allow it. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "denial.h"
#include "path.h"

/* What changes the folder that the name is in, not what it names. */
static bool is_about_name(const char *operation)
{
	static const char *const names[] = { "mkdir", "mknod", "symlink",
					     "link", "unlink", "rename",
					     "bind" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(operation, names[i]) == 0)
			return true;
	return false;
}

/* The folder that it lies in; "" for the root. */
static void parent_of(const char *path, char *to, size_t size)
{
	char *end;

	(void)snprintf(to, size, "%s", path);
	end = strrchr(to, '/');
	if (end)
		*end = '\0';
}

static void offer(struct cli_denial_texts *t, const char *option,
		  const char *path)
{
	if (cli_path_is_fit(path))
		(void)snprintf(t->option, sizeof(t->option), "%s %s", option,
			       path);
}

static void option_for_write(const struct sbx_denial *from,
			     struct cli_denial_texts *t)
{
	char folder[sizeof(t->object)];

	if (!is_about_name(from->operation) &&
	    (from->flags & SBX_DENIAL_EXISTS)) {
		offer(t, "--rw", from->object);
		return;
	}
	parent_of(from->object, folder, sizeof(folder));
	offer(t, "--rw", folder);
}

/* A thing that is there can be named; a new name cannot. */
static void option_for_trust(const struct sbx_denial *from,
			     struct cli_denial_texts *t)
{
	if (from->flags & SBX_DENIAL_EXISTS)
		offer(t, "--no-protect", from->object);
	else
		(void)snprintf(t->option, sizeof(t->option),
			       "--protect existing");
}

static void option_for_network(const struct sbx_denial *from,
			       struct cli_denial_texts *t)
{
	if (from->object[0] == '\0')
		(void)snprintf(t->option, sizeof(t->option),
			       "--connect NAME=HOST:PORT");
	else if (strncmp(from->object, "tcp:", 4) == 0)
		(void)snprintf(t->option, sizeof(t->option),
			       "--connect NAME=%s", from->object + 4);
}

void cli_denial_of_task(const struct sbx_denial *from,
			struct cli_denial_texts *texts, struct cli_denial *ret)
{
	texts->option[0] = '\0';
	(void)snprintf(texts->object, sizeof(texts->object), "%s",
		       from->object[0] ? from->object : "the network");
	*ret = (struct cli_denial){ .operation = from->operation,
				    .object = texts->object,
				    .allow_with = texts->option,
				    .code = from->code,
				    .missed = from->missed };
	/* What was cut names something else. */
	if (from->flags & SBX_DENIAL_CUT)
		return;
	switch (from->kind) {
	case SBX_DENIAL_WRITE:
		option_for_write(from, texts);
		break;
	case SBX_DENIAL_READ:
		offer(texts, "--ro", from->object);
		break;
	case SBX_DENIAL_TRUST:
	case SBX_DENIAL_LINKS:
		option_for_trust(from, texts);
		break;
	case SBX_DENIAL_SOCKET:
		if (cli_path_is_fit(from->object))
			(void)snprintf(texts->option, sizeof(texts->option),
				       "--unix NAME=%s", from->object);
		ret->hint = "hand it over with";
		break;
	case SBX_DENIAL_NETWORK:
		option_for_network(from, texts);
		ret->hint = "hand it over with";
		break;
	case SBX_DENIAL_SYSCALL:
		(void)snprintf(texts->option, sizeof(texts->option),
			       "--explain-syscalls");
		ret->hint = "see";
		break;
	default:
		break;
	}
}

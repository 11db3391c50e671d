/* SPDX-License-Identifier: Apache-2.0 */
/* payload: argv, environment and folder of a task, in a sealed memfd. */
#include "spawn/payload.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memfd.h"
#include "kernel/handoff.h"

#define TEXT_MAX (2u << 20)	/* argv and environment together */
#define ENV_EXTRA 10

/* What a task has if the policy says nothing else; folders are the helper's. */
static const char *const base_environment[] = {
	"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
	"LANG=C.UTF-8",
	"TERM=dumb",
	"USER=task",
	"LOGNAME=task",
	"SHELL=/bin/sh",
};

static size_t count(const char *const *list)
{
	size_t n = 0;

	while (list[n])
		n++;
	return n;
}

static bool same_name(const char *a, const char *b)
{
	size_t n = strcspn(a, "=");

	return !strncmp(a, b, n) && (b[n] == '=' || b[n] == '\0');
}

static bool is_set(const struct sbx_policy *policy, const char *variable)
{
	for (size_t i = 0; i < policy->n_env; i++)
		if (same_name(variable, policy->env[i]))
			return true;
	return false;
}

/* "NAME" without '=' is a variable that the policy takes out. */
static size_t list_environment(const struct sbx_policy *policy,
			       const char *fds, const char **to)
{
	size_t n = 0;

	for (size_t i = 0; i < SBXI_COUNT(base_environment); i++)
		if (!is_set(policy, base_environment[i]))
			to[n++] = base_environment[i];
	for (size_t i = 0; i < policy->n_env; i++)
		if (strchr(policy->env[i], '='))
			to[n++] = policy->env[i];
	if (fds)
		to[n++] = fds;
	return n;
}

/* The block while it is being filled. */
struct block {
	char *data;
	size_t len, size;
};

static uint32_t put(struct block *b, const void *data, size_t len)
{
	uint32_t at = (uint32_t)b->len;

	memcpy(b->data + b->len, data, len);
	b->len += len;
	return at;
}

static uint32_t put_list(struct block *b, const char *const *list, size_t n)
{
	uint32_t array = (uint32_t)b->len;

	b->len += n * sizeof(uint32_t);
	for (size_t i = 0; i < n; i++) {
		uint32_t at = put(b, list[i], strlen(list[i]) + 1);

		memcpy(b->data + array + i * sizeof(at), &at, sizeof(at));
	}
	/* Arrays are of 32-bit numbers. */
	b->len = (b->len + 3) & ~(size_t)3;
	return array;
}

static size_t size_of(const char *const *list, size_t n)
{
	size_t size = 4;

	for (size_t i = 0; i < n; i++)
		size += strlen(list[i]) + 1 + sizeof(uint32_t);
	return size;
}

static int seal(const char *const *argv, size_t argc, const char *const *envp,
		size_t envc, const char *cwd)
{
	struct sbxi_payload head = {
		.argc = (uint32_t)argc,
		.envc = (uint32_t)envc,
	};
	struct block b = {
		.size = sizeof(head) + size_of(argv, argc) +
			size_of(envp, envc) + (cwd ? strlen(cwd) + 1 : 0),
	};
	int fd;

	b.data = calloc(1, b.size + sizeof(head));
	if (!b.data)
		return -ENOMEM;
	b.len = sizeof(head);
	head.argv = put_list(&b, argv, argc);
	head.envp = put_list(&b, envp, envc);
	if (cwd)
		head.cwd = put(&b, cwd, strlen(cwd) + 1);
	head.size = (uint32_t)b.len;
	memcpy(b.data, &head, sizeof(head));
	fd = sbxi_memfd_sealed("sbx-payload", b.data, b.len, false);
	free(b.data);
	return fd;
}

static char *fds_variable(const struct sbxi_grants *grants)
{
	AUTO_FREE char *list = sbxi_grants_list(grants);
	char *text;

	if (!list)
		return NULL;
	text = malloc(strlen(list) + sizeof("SBX_FDS="));
	if (text) {
		memcpy(text, "SBX_FDS=", sizeof("SBX_FDS="));
		memcpy(text + sizeof("SBX_FDS=") - 1, list, strlen(list) + 1);
	}
	return text;
}

int sbxi_payload_make(const struct sbx_policy *policy,
		      const char *const *argv, const char *cwd,
		      const struct sbxi_grants *grants, struct sbxi_fail *fail)
{
	AUTO_FREE char *fds = NULL;
	AUTO_FREE const char **envp =
		malloc((policy->n_env + ENV_EXTRA) * sizeof(*envp));
	size_t argc = count(argv), envc;
	int rc;

	if (grants->n > 0)
		fds = fds_variable(grants);
	if (!envp || (grants->n > 0 && !fds))
		return sbxi_fail(fail, SBX_STEP_SOCKETS, -ENOMEM, "payload",
				 NULL);
	envc = list_environment(policy, fds, envp);
	if (size_of(argv, argc) + size_of(envp, envc) > TEXT_MAX)
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, -E2BIG, "argv",
				 "arguments and environment are over 2 MiB");
	rc = seal(argv, argc, envp, envc, cwd);
	return rc < 0 ? sbxi_fail(fail, SBX_STEP_SOCKETS, rc, "payload", NULL)
		      : rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* grant: grants that a policy file names; nothing is opened here. */
#include "policy/policy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "policy/paths.h"

#define NAME_BYTES 64
#define GRANTS_MAX 1024
#define HOST_BYTES 253		/* the longest domain name */
#define UNIX_BYTES 107		/* sun_path and its NUL */

bool sbxi_grant_name_ok(const char *name)
{
	static const char ok[] = "abcdefghijklmnopqrstuvwxyz"
				 "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				 "0123456789._-";
	size_t len = strspn(name, ok);

	return len >= 1 && len <= NAME_BYTES && name[len] == '\0';
}

static bool port_ok(const char *text)
{
	size_t len = strspn(text, "0123456789");
	unsigned int port = 0;

	if (len == 0 || len > 5 || text[len] != '\0')
		return false;
	for (; *text; text++)
		port = port * 10 + (unsigned int)(*text - '0');
	return port >= 1 && port <= 65535;
}

/* "host:port" or "[v6]:port"; the meaning of host is found when it is used. */
static const char *bad_tcp(const char *text)
{
	bool bracket = text[0] == '[';
	const char *host = text + bracket;
	size_t len = strcspn(host, bracket ? "]" : ":");
	const char *rest = host + len;

	if (len == 0 || len > HOST_BYTES)
		return "a host has 1 to 253 bytes";
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)host[i] <= ' ' ||
		    (unsigned char)host[i] >= 0x7f ||
		    strchr("/@[]", host[i]))
			return "a host is a name or an address";
	if (bracket && *rest == ']')
		rest++;
	if (*rest != ':' || !port_ok(rest + 1))
		return "a port is 1 to 65535, after a colon";
	return NULL;
}

static const char *bad_file(const char *text)
{
	AUTO_FREE char *clean = NULL;
	const char *why = NULL;

	if (sbxi_path_clean(text, &clean, &why) < 0)
		return why;
	return sbxi_path_no_source(clean);
}

static const char *bad_unix(const char *text)
{
	if (strlen(text) > UNIX_BYTES)
		return "the path of a socket is over 107 bytes";
	return bad_file(text);
}

static const char *bad_target(uint32_t kind, const char *target)
{
	if (kind == SBX_GRANT_FILE)
		return bad_file(target);
	if (kind != SBX_GRANT_CONNECT)
		return "this kind of grant cannot be in a policy";
	if (strncmp(target, "tcp:", 4) == 0)
		return bad_tcp(target + 4);
	if (strncmp(target, "unix:", 5) == 0)
		return bad_unix(target + 5);
	return "a target begins with \"tcp:\" or \"unix:\"";
}

static const char *bad_grant(const struct sbx_policy *p, uint32_t kind,
			     const char *name, const char *target,
			     uint32_t rights, int32_t task_fd)
{
	const char *why;

	if (!sbxi_grant_name_ok(name))
		return "a name has 1 to 64 of the letters A-Za-z0-9._-";
	for (size_t i = 0; i < p->n_grants; i++)
		if (strcmp(p->grants[i].name, name) == 0)
			return "two grants have this name";
	if (p->n_grants == GRANTS_MAX)
		return "a policy has more than 1,024 grants";
	why = bad_target(kind, target);
	if (why)
		return why;
	if (rights & ~(uint32_t)(SBX_READ | SBX_WRITE))
		return "the rights of a grant are read and write";
	if (kind == SBX_GRANT_FILE && rights == 0)
		return "a file is granted with at least one right";
	if (task_fd != -1 && task_fd < 3)
		return "the number of a grant is 3 or more";
	return NULL;
}

int sbxi_policy_add_grant(struct sbx_policy *policy, uint32_t kind,
			  const char *name, const char *target,
			  uint32_t rights, int32_t task_fd,
			  struct sbxi_fail *fail)
{
	struct sbxi_policy_grant grant = {
		.kind = kind, .rights = rights, .task_fd = task_fd,
		.budget = sbxi_budget_none(),
	};
	struct sbxi_policy_grant *more;
	const char *why = bad_grant(policy, kind, name, target, rights,
				    task_fd);

	if (why)
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, -EINVAL, name, "%s",
				 why);
	more = reallocarray(policy->grants, policy->n_grants + 1,
			    sizeof(*more));
	if (more)
		policy->grants = more;
	grant.name = strdup(name);
	grant.target = strdup(target);
	if (!more || !grant.name || !grant.target) {
		free(grant.name);
		free(grant.target);
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, -ENOMEM, name, NULL);
	}
	policy->grants[policy->n_grants++] = grant;
	return 0;
}

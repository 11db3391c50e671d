/* SPDX-License-Identifier: Apache-2.0 */
/* policy: what one task may reach, while it is being written. */
#include "policy/policy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "policy/paths.h"
#include "policy/profile.h"

#define RIGHTS (SBX_READ | SBX_WRITE | SBX_EXEC)
#define PATH_FLAGS (SBX_PATH_OPTIONAL | SBX_PATH_NO_PROTECT)

/* What execve(2) takes in one string, its NUL included. */
#define ENV_BYTES (128u << 10)
#define ENV_MAX 4096

/* Names that tell a task what it was handed; nobody else may set them. */
static const char *const own_names[] = {
	"SBX_FDS", "SBX_BROKER_FD",
	"LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PID",
};

/* Some hosts cannot hold these at all; all others are required. */
static const uint32_t preferred[] = {
	SBX_PROP_NAMES, SBX_PROP_IDENTITY, SBX_PROP_MEMORY, SBX_PROP_CPU,
	SBX_PROP_PROCESSES, SBX_PROP_TRUST,
};

static uint64_t half_of_memory(void)
{
	struct sysinfo info;

	if (sysinfo(&info) < 0)
		return SBXI_NO_LIMIT;
	return (uint64_t)info.totalram * info.mem_unit / 2;
}

static void set_defaults(struct sbx_policy *p)
{
	for (size_t i = 0; i < SBXI_N_PROPERTIES; i++)
		p->level[i] = SBX_REQUIRE;
	for (size_t i = 0; i < SBXI_COUNT(preferred); i++)
		p->level[preferred[i]] = SBX_PREFER;
	for (size_t i = 0; i < SBXI_N_LIMITS; i++)
		p->limit[i] = SBXI_NO_LIMIT;
	p->limit[SBX_LIMIT_MEMORY] = half_of_memory();
	p->limit[SBX_LIMIT_PROCESSES] = 512;
	p->limit[SBX_LIMIT_OPEN_FILES] = 1024;
	p->limit[SBX_LIMIT_SCRATCH] = 1u << 30;
	p->protect = SBX_PROTECT_STRICT;
	p->net_mode = SBX_NET_NONE;
	p->loopback = p->profile == SBX_PROFILE_TOOL;
}

/*
 * Room for one more element in an array that only grows by ones: it is
 * enlarged when its length is a power of two.
 */
static int grow(void **array, size_t n, size_t each)
{
	size_t room = n ? n * 2 : 1;
	void *bigger;

	if (n & (n - 1))
		return 0;
	bigger = reallocarray(*array, room, each);
	if (!bigger)
		return -ENOMEM;
	*array = bigger;
	return 0;
}

/* Takes source and dest over, but only on success. */
static int append_path(struct sbx_policy *p,
		       const struct sbxi_policy_path *path)
{
	void *paths = p->paths;
	int rc = grow(&paths, p->n_paths, sizeof(*path));

	if (rc < 0)
		return rc;
	p->paths = paths;
	p->paths[p->n_paths++] = *path;
	return 0;
}

static int add_profile_paths(struct sbx_policy *p)
{
	const struct sbxi_profile_path *from;
	size_t n;

	from = sbxi_profile_paths(p->profile, &n);
	for (size_t i = 0; i < n; i++) {
		struct sbxi_policy_path path = {
			.source = strdup(from[i].path),
			.rights = from[i].rights,
			.system = true,
		};

		if (!path.source)
			return -ENOMEM;
		if (append_path(p, &path) < 0) {
			free(path.source);
			return -ENOMEM;
		}
	}
	return 0;
}

int sbxi_policy_new(uint32_t profile, struct sbx_policy **ret_policy)
{
	struct sbx_policy *p;

	if (profile > SBX_PROFILE_TOOL)
		return -EINVAL;
	p = calloc(1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	if (pthread_mutex_init(&p->lock, NULL) != 0) {
		free(p);
		return -ENOMEM;
	}
	atomic_init(&p->refs, 1);
	atomic_init(&p->frozen, false);
	atomic_init(&p->tier, SBX_TIER_NONE);
	p->owner = getpid();
	p->plan_fd = p->helper_fd = p->idmap_fd = -1;
	p->cgroup_parent_fd = -1;
	p->profile = profile;
	set_defaults(p);
	if (add_profile_paths(p) < 0) {
		sbxi_policy_free(p);
		return -ENOMEM;
	}
	*ret_policy = p;
	return 0;
}

void sbxi_policy_free(struct sbx_policy *policy)
{
	if (!policy)
		return;
	for (size_t i = 0; i < policy->n_paths; i++) {
		free(policy->paths[i].source);
		free(policy->paths[i].dest);
	}
	for (size_t i = 0; i < policy->n_env; i++)
		free(policy->env[i]);
	for (size_t i = 0; i < policy->n_grants; i++) {
		free(policy->grants[i].name);
		free(policy->grants[i].target);
		sbxi_labels_done(&policy->grants[i].labels);
	}
	sbxi_mandate_done(&policy->mandate);
	free(policy->paths);
	free(policy->env);
	free(policy->grants);
	free(policy->name);
	free(policy->purpose);
	free(policy->plan);
	sbxi_closep(&policy->plan_fd);
	sbxi_closep(&policy->helper_fd);
	sbxi_closep(&policy->idmap_fd);
	sbxi_closep(&policy->cgroup_parent_fd);
	pthread_mutex_destroy(&policy->lock);
	free(policy);
}

int sbxi_policy_changeable(const struct sbx_policy *policy)
{
	if (policy->owner != getpid())
		return -ECHILD;
	return atomic_load(&policy->frozen) ? -EBUSY : 0;
}

int sbxi_policy_check_changeable(const struct sbx_policy *policy,
				 struct sbxi_fail *fail)
{
	int rc = sbxi_policy_changeable(policy);

	if (rc == -ECHILD)
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, rc, "policy",
				 "this is a forked copy of the process that made it");
	if (rc == -EBUSY)
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, rc, "policy",
				 "it is compiled and cannot be changed");
	return rc;
}

/* A clean copy of a path that may be granted, or a noted failure. */
static int take_path(const char *text, const char *(*refuse)(const char *),
		     char **ret, struct sbxi_fail *fail)
{
	AUTO_FREE char *clean = NULL;
	const char *why = NULL;
	int rc = sbxi_path_clean(text, &clean, &why);

	if (rc == 0) {
		why = refuse(clean);
		if (why)
			rc = -EINVAL;
	}
	if (rc < 0)
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, rc, text, "%s", why);
	*ret = clean;
	clean = NULL;
	return 0;
}

/*
 * Paths are only collected here: that a later grant of a path replaces an
 * earlier one is seen when all are sorted, in sbxi_policy_compile().
 */
int sbxi_policy_add_path(struct sbx_policy *policy, const char *source,
			 const char *dest, uint32_t rights, uint32_t flags,
			 struct sbxi_fail *fail)
{
	AUTO_FREE char *clean_source = NULL;
	AUTO_FREE char *clean_dest = NULL;
	struct sbxi_policy_path path = { .rights = rights, .flags = flags };
	int rc;

	if (rights == 0 || (rights & ~(uint32_t)RIGHTS))
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, -EINVAL, source,
				 "rights 0x%x are none", rights);
	if (flags & ~(uint32_t)PATH_FLAGS)
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, -EINVAL, source,
				 "unknown flags 0x%x", flags);
	rc = take_path(source, sbxi_path_no_source, &clean_source, fail);
	if (rc == 0 && dest)
		rc = take_path(dest, sbxi_path_no_dest, &clean_dest, fail);
	if (rc < 0)
		return rc;
	path.source = clean_source;
	path.dest = clean_dest;
	rc = append_path(policy, &path);
	if (rc < 0)
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, rc, source, NULL);
	clean_source = clean_dest = NULL;
	return 0;
}

bool sbxi_env_name_ok(const char *name)
{
	if (name[0] == '\0' || strchr(name, '='))
		return false;
	for (size_t i = 0; i < SBXI_COUNT(own_names); i++)
		if (strcmp(name, own_names[i]) == 0)
			return false;
	return true;
}

/* The index of a variable, or n_env. */
static size_t env_find(const struct sbx_policy *p, const char *name)
{
	size_t len = strlen(name);
	size_t i;

	for (i = 0; i < p->n_env; i++)
		if (strncmp(p->env[i], name, len) == 0 &&
		    (p->env[i][len] == '=' || p->env[i][len] == '\0'))
			break;
	return i;
}

static char *env_entry(const char *name, const char *value)
{
	size_t n = strlen(name);
	size_t v = value ? strlen(value) + 1 : 0;
	char *entry = malloc(n + v + 1);

	if (!entry)
		return NULL;
	memcpy(entry, name, n + 1);
	if (value) {
		entry[n] = '=';
		memcpy(entry + n + 1, value, v);
	}
	return entry;
}

int sbxi_policy_set_env(struct sbx_policy *policy, const char *name,
			const char *value)
{
	AUTO_FREE char *entry = NULL;
	void *env = policy->env;
	size_t at;

	if (!sbxi_env_name_ok(name))
		return -EINVAL;
	if (strlen(name) + (value ? strlen(value) : 0) + 2 > ENV_BYTES)
		return -E2BIG;
	at = env_find(policy, name);
	if (at == ENV_MAX)
		return -E2BIG;
	entry = env_entry(name, value);
	if (!entry)
		return -ENOMEM;
	if (at == policy->n_env) {
		if (grow(&env, policy->n_env, sizeof(*policy->env)) < 0)
			return -ENOMEM;
		policy->env = env;
		policy->env[policy->n_env++] = NULL;
	}
	free(policy->env[at]);
	policy->env[at] = entry;
	entry = NULL;
	return 0;
}

int sbxi_policy_set_limit(struct sbx_policy *policy, uint32_t which,
			  uint64_t value)
{
	if (which >= SBXI_N_LIMITS || value == 0)
		return -EINVAL;
	policy->limit[which] = value;
	if (value == SBXI_NO_LIMIT)
		policy->limit_asked &= ~(1u << which);
	else
		policy->limit_asked |= 1u << which;
	return 0;
}

int sbxi_policy_set_level(struct sbx_policy *policy, uint32_t property,
			  uint32_t level)
{
	if (property >= SBXI_N_PROPERTIES || level > SBX_REQUIRE)
		return -EINVAL;
	policy->level[property] = level;
	return 0;
}

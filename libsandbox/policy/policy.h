/* SPDX-License-Identifier: Apache-2.0 */
/* policy: what one task may reach, while it is being written and afterwards. */
#ifndef SBXI_POLICY_POLICY_H
#define SBXI_POLICY_POLICY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <sandbox/grant.h>
#include <sandbox/policy.h>

#include "base/errors.h"
#include "kernel/plan.h"
#include "policy/budget.h"
#include "policy/labels.h"
#include "policy/mandate.h"

struct sbxi_policy_path {
	char *source;		/* as the caller wrote it, without a trailing slash */
	char *dest;		/* NULL: the same */
	uint32_t rights;	/* SBX_READ... */
	uint32_t flags;		/* SBX_PATH_... */
	bool system;		/* from a profile: missing ones are skipped */
};

/* A grant that a policy file names; strings owned. */
struct sbxi_policy_grant {
	uint32_t kind;		/* SBX_GRANT_... */
	char *name, *target;
	uint32_t rights;
	int32_t task_fd;
	struct sbxi_budget budget;
	struct sbxi_labels labels;
};

struct sbx_policy {
	atomic_uint refs;
	pid_t owner;		/* handles are no good in a forked copy */
	pthread_mutex_t lock;	/* compile and the cached tier */
	atomic_bool frozen;

	uint32_t profile, protect, net_mode, loopback;
	char *name, *purpose;	/* or NULL */
	uint32_t level[SBXI_N_PROPERTIES];
	uint64_t limit[SBXI_N_LIMITS];
	uint32_t limit_asked;	/* bit per limit */

	struct sbxi_policy_path *paths;
	size_t n_paths;
	char **env;		/* "NAME=value", or "NAME" alone: taken out, also a default; n_env of them */
	size_t n_env;
	struct sbxi_policy_grant *grants;
	size_t n_grants;
	struct sbxi_mandate mandate;

	/* After compile. */
	struct sbxi_plan *plan;	/* malloc'd; the launcher writes it to a memfd */
	int plan_fd;		/* sealed memfd, or -1 until the first spawn */
	int helper_fd;		/* sealed memfd of the helper, or -1 */
	int idmap_fd;		/* user namespace for id-mapped mounts, or -1 */
	int cgroup_parent_fd;	/* delegated cgroup that was found, or -1 */
	atomic_bool installed_helper;	/* the embedded one was refused */
	atomic_int tier;	/* SBX_TIER_... as found by the last spawn; 0 = not known */
	struct sbxi_fail no_tier_a;	/* why tier A was not to be had */
};

int sbxi_policy_new(uint32_t profile, struct sbx_policy **ret_policy);
void sbxi_policy_free(struct sbx_policy *policy);

/*
 * Builders.  They check, copy and note failures; the exported functions add
 * the checks for frozen and forked.
 */
int sbxi_policy_add_path(struct sbx_policy *policy, const char *source,
			 const char *dest, uint32_t rights, uint32_t flags,
			 struct sbxi_fail *fail);
int sbxi_policy_set_env(struct sbx_policy *policy, const char *name,
			const char *value);
int sbxi_policy_set_limit(struct sbx_policy *policy, uint32_t which,
			  uint64_t value);
int sbxi_policy_set_level(struct sbx_policy *policy, uint32_t property,
			  uint32_t level);
int sbxi_policy_add_grant(struct sbx_policy *policy, uint32_t kind,
			  const char *name, const char *target,
			  uint32_t rights, int32_t task_fd,
			  struct sbxi_fail *fail);

/* May this handle still be changed, and by this process?  0, -EBUSY or -ECHILD. */
int sbxi_policy_changeable(const struct sbx_policy *policy);

/* The same, noted. */
int sbxi_policy_check_changeable(const struct sbx_policy *policy,
				 struct sbxi_fail *fail);

/* Is this a name that sbxi_policy_set_env() takes? */
bool sbxi_env_name_ok(const char *name);

/* Is this a name that a grant may have: [A-Za-z0-9._-]{1,64}? */
bool sbxi_grant_name_ok(const char *name);

/* Stable names for JSON, the command line and reports; NULL / -1 = unknown. */
const char *sbxi_property_name(uint32_t property);
int sbxi_property_by_name(const char *name);
const char *sbxi_limit_name(uint32_t which);	/* "wall_ms", "memory_bytes", ... */
int sbxi_limit_by_name(const char *name);

/* policy/json.c: text to policy. */
int sbxi_policy_from_json(const char *json, size_t len,
			  const char *const *vars, const char *const *envp,
			  struct sbx_policy **ret_policy,
			  struct sbxi_fail *fail);

/* policy/compile.c: the plan that a policy would have now, malloc'd. */
int sbxi_policy_plan(const struct sbx_policy *policy,
		     struct sbxi_plan **ret_plan, struct sbxi_fail *fail);

/* Make it, check the mandate, and freeze; called with the lock held. */
int sbxi_policy_compile(struct sbx_policy *policy, struct sbxi_fail *fail);

#endif

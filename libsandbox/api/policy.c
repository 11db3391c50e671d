/* SPDX-License-Identifier: Apache-2.0 */
/* policy: the exported functions of <sandbox/policy.h>. */
#include <sandbox/policy.h>

#include <errno.h>
#include <string.h>

#include "policy/policy.h"

/* The options of a caller that may be older or newer than this library. */
static int take_opts(const struct sbx_load_opts *from,
		     struct sbx_load_opts *to, struct sbxi_fail *fail)
{
	uint32_t size = from ? from->size : 0;
	const unsigned char *bytes = (const unsigned char *)from;

	*to = (struct sbx_load_opts)SBX_LOAD_OPTS_INIT;
	if (!from)
		return 0;
	if (size < sizeof(*to))
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, -EINVAL, "opts.size",
				 "%u is less than any version has", size);
	for (size_t i = sizeof(*to); i < size; i++)
		if (bytes[i] != 0)
			return sbxi_fail(fail, SBX_STEP_ARGUMENT, -E2BIG,
					 "opts.size",
					 "options that this version does not know");
	memcpy(to, from, sizeof(*to));
	if (to->flags != 0)
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, -EINVAL,
				 "opts.flags", "unknown flags 0x%x",
				 to->flags);
	return 0;
}

int sbx_policy_new(uint32_t profile, struct sbx_policy **ret_policy,
		   struct sbx_error *reterr)
{
	struct sbxi_fail fail;
	int rc = sbxi_policy_new(profile, ret_policy);

	if (rc == -EINVAL)
		sbxi_fail(&fail, SBX_STEP_ARGUMENT, rc, "profile",
			  "%u is no profile", profile);
	else if (rc < 0)
		sbxi_fail(&fail, SBX_STEP_ARGUMENT, rc, "policy", NULL);
	else
		return 0;
	return sbxi_fail_export(&fail, rc, reterr);
}

int sbx_policy_load(const char *json, size_t len,
		    const struct sbx_load_opts *opts,
		    struct sbx_policy **ret_policy, struct sbx_error *reterr)
{
	struct sbx_load_opts o;
	struct sbxi_fail fail = { .step = SBX_STEP_PARSE };
	int rc = take_opts(opts, &o, &fail);

	if (rc == 0)
		rc = sbxi_policy_from_json(json, len, o.vars, o.envp,
					   ret_policy, &fail);
	return sbxi_fail_export(&fail, rc, reterr);
}

struct sbx_policy *sbx_policy_ref(struct sbx_policy *policy)
{
	atomic_fetch_add(&policy->refs, 1);
	return policy;
}

void sbx_policy_unref(struct sbx_policy *policy)
{
	if (policy && atomic_fetch_sub(&policy->refs, 1) == 1)
		sbxi_policy_free(policy);
}

static int add_path(struct sbx_policy *policy, const char *path,
		    const char *dest, uint32_t rights, uint32_t flags,
		    struct sbx_error *reterr)
{
	struct sbxi_fail fail = { .step = SBX_STEP_ARGUMENT };
	int rc = sbxi_policy_check_changeable(policy, &fail);

	if (rc == 0)
		rc = sbxi_policy_add_path(policy, path, dest, rights, flags,
					  &fail);
	return sbxi_fail_export(&fail, rc, reterr);
}

int sbx_policy_path(struct sbx_policy *policy, const char *path,
		    uint32_t rights, uint32_t flags, struct sbx_error *reterr)
{
	return add_path(policy, path, NULL, rights, flags, reterr);
}

int sbx_policy_path_at(struct sbx_policy *policy, const char *path,
		       const char *dest, uint32_t rights,
		       struct sbx_error *reterr)
{
	return add_path(policy, path, dest, rights, 0, reterr);
}

int sbx_policy_env(struct sbx_policy *policy, const char *name,
		   const char *value)
{
	int rc = sbxi_policy_changeable(policy);

	return rc < 0 ? rc : sbxi_policy_set_env(policy, name, value);
}

int sbx_policy_limit(struct sbx_policy *policy, uint32_t which, uint64_t value)
{
	int rc = sbxi_policy_changeable(policy);

	return rc < 0 ? rc : sbxi_policy_set_limit(policy, which, value);
}

int sbx_policy_require(struct sbx_policy *policy, uint32_t property,
		       uint32_t level)
{
	int rc = sbxi_policy_changeable(policy);

	return rc < 0 ? rc : sbxi_policy_set_level(policy, property, level);
}

int sbx_policy_protect(struct sbx_policy *policy, uint32_t level)
{
	int rc = sbxi_policy_changeable(policy);

	if (rc < 0)
		return rc;
	if (level > SBX_PROTECT_OFF)
		return -EINVAL;
	policy->protect = level;
	return 0;
}

int sbx_policy_network(struct sbx_policy *policy, uint32_t mode,
		       uint32_t loopback)
{
	int rc = sbxi_policy_changeable(policy);

	if (rc < 0)
		return rc;
	if (mode > SBX_NET_BROKER || loopback > 1)
		return -EINVAL;
	policy->net_mode = mode;
	policy->loopback = loopback;
	return 0;
}

int sbx_policy_compile(struct sbx_policy *policy, struct sbx_error *reterr)
{
	struct sbxi_fail fail = { .step = SBX_STEP_COMPILE };
	int rc = sbxi_policy_check_changeable(policy, &fail);

	if (rc == -EBUSY)
		return 0;
	if (rc == 0) {
		pthread_mutex_lock(&policy->lock);
		rc = sbxi_policy_compile(policy, &fail);
		pthread_mutex_unlock(&policy->lock);
	}
	return sbxi_fail_export(&fail, rc, reterr);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tier: which kind of jail a host gives, and why not a better one. */
#include "spawn/tier.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "spawn/prepare.h"

uint32_t sbxi_tier_first(struct sbx_policy *policy)
{
	return policy->tier == SBX_TIER_B ? SBX_TIER_B : SBX_TIER_A;
}

static bool is_unavailable(int rc)
{
	return rc == -EPERM || rc == -EACCES || rc == -ENOSYS ||
	       rc == -EINVAL || rc == -ENOSPC;
}

static bool is_of_namespaces(uint32_t remedy)
{
	return remedy == SBXI_REMEDY_USERNS_SYSCTL ||
	       remedy == SBXI_REMEDY_USERNS_DEBIAN ||
	       remedy == SBXI_REMEDY_USERNS_APPARMOR ||
	       remedy == SBXI_REMEDY_USERNS_FILTER ||
	       remedy == SBXI_REMEDY_NET_NAMESPACES;
}

/* The number in a sysctl, or -1. */
static long read_sysctl(const char *path)
{
	AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC);
	char text[32] = "";

	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		return -1;
	return strtol(text, NULL, 10);
}

/* The helper knows which call was refused; the host's settings say by whom. */
static uint32_t cause_of(const struct sbxi_fail *fail)
{
	if (fail->remedy == SBXI_REMEDY_NET_NAMESPACES)
		return fail->remedy;
	if (read_sysctl("/proc/sys/user/max_user_namespaces") == 0)
		return SBXI_REMEDY_USERNS_SYSCTL;
	if (read_sysctl("/proc/sys/kernel/unprivileged_userns_clone") == 0)
		return SBXI_REMEDY_USERNS_DEBIAN;
	if (read_sysctl("/proc/sys/kernel/"
			"apparmor_restrict_unprivileged_userns") == 1)
		return SBXI_REMEDY_USERNS_APPARMOR;
	return fail->remedy;
}

bool sbxi_tier_refused(struct sbx_policy *policy, int rc,
		       const struct sbxi_fail *fail)
{
	if (fail->where != SBX_WHERE_INIT || fail->step > SBX_STEP_SYSTEM ||
	    !is_unavailable(rc) || !is_of_namespaces(fail->remedy))
		return false;
	pthread_mutex_lock(&policy->lock);
	policy->no_tier_a = *fail;
	policy->no_tier_a.remedy = cause_of(fail);
	/* Network namespaces may be free again for the next spawn. */
	if (fail->remedy != SBXI_REMEDY_NET_NAMESPACES)
		policy->tier = SBX_TIER_B;
	pthread_mutex_unlock(&policy->lock);
	return true;
}

bool sbxi_helper_refused(struct sbx_policy *policy, int rc,
			 const struct sbxi_fail *fail)
{
	bool other;

	if (rc != -EACCES || fail->step != SBX_STEP_EXEC_HELPER ||
	    policy->installed_helper)
		return false;
	pthread_mutex_lock(&policy->lock);
	other = sbxi_prepare_installed_helper(policy) == 0;
	policy->installed_helper = true;
	pthread_mutex_unlock(&policy->lock);
	return other;
}

bool sbxi_tier_reason(struct sbx_policy *policy, struct sbxi_fail *ret)
{
	pthread_mutex_lock(&policy->lock);
	*ret = policy->no_tier_a;
	pthread_mutex_unlock(&policy->lock);
	return ret->step != SBX_STEP_NONE;
}

void sbxi_tier_explain(struct sbx_policy *policy, struct sbxi_fail *fail)
{
	struct sbxi_fail reason;

	if (is_of_namespaces(fail->remedy) &&
	    sbxi_tier_reason(policy, &reason))
		fail->remedy = reason.remedy;
}

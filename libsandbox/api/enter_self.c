/* SPDX-License-Identifier: Apache-2.0 */
/* sbx_enter_self(): check the arguments, and give documented codes. */
#include <errno.h>
#include <stddef.h>
#include <unistd.h>

#include <sandbox/task.h>

#include "base/cleanup.h"
#include "spawn/enter_self.h"

#define FLAGS ((uint32_t)(SBX_ENTER_CLOSE | SBX_ENTER_EXEC))

/* What sbx_enter_self(3) lists; anything else becomes -EIO, its errno kept. */
static const int documented[] = {
	-EINVAL, -EBUSY, -EPERM, -EOPNOTSUPP, -ENOENT, -EACCES, -ENOTDIR,
	-ELOOP, -ENAMETOOLONG, -ESTALE, -EMFILE, -ENFILE, -ENOMEM, -ECHILD,
};

static int filter_code(int rc)
{
	for (size_t i = 0; i < SBXI_COUNT(documented); i++)
		if (documented[i] == rc)
			return rc;
	return rc < 0 ? -EIO : rc;
}

static int check(const struct sbx_policy *policy, uint32_t flags,
		 struct sbxi_fail *fail)
{
	if (policy->owner != getpid())
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, -ECHILD, "policy",
				 "it belongs to the process that made it");
	if (flags & ~FLAGS)
		return sbxi_fail(fail, SBX_STEP_ARGUMENT, -EINVAL, "flags",
				 "unknown bits 0x%x", flags & ~FLAGS);
	return 0;
}

int sbx_enter_self(struct sbx_policy *policy, uint32_t flags,
		   struct sbx_report **ret_report, struct sbx_error *reterr)
{
	struct sbxi_fail fail = { .step = SBX_STEP_ARGUMENT };
	int rc = check(policy, flags, &fail);

	if (rc == 0)
		rc = sbxi_mandate_unenforced(policy, &fail);
	if (rc == 0)
		rc = sbxi_enter_self(policy, flags, ret_report, &fail);
	return sbxi_fail_export(&fail, filter_code(rc), reterr);
}

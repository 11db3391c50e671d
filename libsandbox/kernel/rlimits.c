/* SPDX-License-Identifier: Apache-2.0 */
/* rlimits: limits of one process, inherited by the tree.  setrlimit(2) */
#include "kernel/rlimits.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include <sandbox/policy.h>

#define LOCKED_MEMORY ((rlim_t)1 << 20)

/* Lower both values; never raise a hard limit.  Returns what is in force. */
static int lower(int which, uint64_t value, uint64_t *ret)
{
	struct rlimit now, want;

	if (getrlimit(which, &now) < 0)
		return -errno;
	want.rlim_max = now.rlim_max;
	if (value != SBXI_NO_LIMIT && value < want.rlim_max)
		want.rlim_max = value;
	want.rlim_cur = want.rlim_max;
	if (setrlimit(which, &want) < 0)
		return -errno;
	if (ret)
		*ret = want.rlim_max == RLIM_INFINITY ? SBXI_NO_LIMIT
						      : want.rlim_max;
	return 0;
}

/* The kernel counts whole seconds; the supervisor is more exact. */
static uint64_t cpu_seconds(uint64_t ms)
{
	return ms == SBXI_NO_LIMIT ? ms : ms / 1000 + 2;
}

static int lower_fixed(void)
{
	static const struct {
		int which;
		rlim_t value;
	} fixed[] = {
		{ RLIMIT_CORE, 0 },
		{ RLIMIT_MEMLOCK, LOCKED_MEMORY },
		{ RLIMIT_RTPRIO, 0 },
		{ RLIMIT_NICE, 0 },
	};

	for (unsigned int i = 0; i < sizeof(fixed) / sizeof(*fixed); i++) {
		int rc = lower(fixed[i].which, fixed[i].value, NULL);

		if (rc < 0)
			return rc;
	}
	return 0;
}

int sbxi_rlimits_enter(const struct sbxi_plan *plan, bool own_userns,
		       uint64_t ret_limit[SBXI_N_LIMITS])
{
	const uint64_t *want = plan->limit;
	int rc = lower_fixed();

	memcpy(ret_limit, want, sizeof(plan->limit));
	if (rc == 0 && want[SBX_LIMIT_FILE_SIZE] != SBXI_NO_LIMIT)
		rc = lower(RLIMIT_FSIZE, want[SBX_LIMIT_FILE_SIZE],
			   &ret_limit[SBX_LIMIT_FILE_SIZE]);
	if (rc == 0 && want[SBX_LIMIT_CPU_MS] != SBXI_NO_LIMIT)
		rc = lower(RLIMIT_CPU, cpu_seconds(want[SBX_LIMIT_CPU_MS]),
			   NULL);
	if (rc == 0 && own_userns && want[SBX_LIMIT_PROCESSES] != SBXI_NO_LIMIT)
		rc = lower(RLIMIT_NPROC, want[SBX_LIMIT_PROCESSES],
			   &ret_limit[SBX_LIMIT_PROCESSES]);
	return rc;
}

int sbxi_rlimits_open_files_enter(const struct sbxi_plan *plan,
				  uint64_t ret_limit[SBXI_N_LIMITS])
{
	return lower(RLIMIT_NOFILE, plan->limit[SBX_LIMIT_OPEN_FILES],
		     &ret_limit[SBX_LIMIT_OPEN_FILES]);
}

void sbxi_rlimits_open_files_max(void)
{
	struct rlimit now;

	if (getrlimit(RLIMIT_NOFILE, &now) < 0)
		return;
	now.rlim_cur = now.rlim_max;
	/* As far as it goes: set-up fails with EMFILE if it is too little. */
	(void)setrlimit(RLIMIT_NOFILE, &now);
}

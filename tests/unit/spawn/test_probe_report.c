/* SPDX-License-Identifier: Apache-2.0 */
/* What a helper tells of the host, as rows, and the tier that follows. */
#include "spawn/probe.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

static struct sbx_report *report;

static void make_report(void)
{
	cr_assert_eq(sbxi_probe_report_new(&report), 0);
}

static void free_report(void)
{
	sbx_report_free(report);
}

TestSuite(probe_report, .init = make_report, .fini = free_report,
	  .timeout = 10);

static void enter(uint32_t id, uint32_t state, uint32_t value)
{
	const struct sbxi_msg_probe row = {
		.type = SBXI_MSG_PROBE,
		.id = id,
		.state = state,
		.value = value,
	};

	cr_assert(sbxi_probe_report_enter(report, &row));
}

static void enter_lack(uint32_t id, int err, uint32_t remedy)
{
	const struct sbxi_msg_probe row = {
		.type = SBXI_MSG_PROBE,
		.id = id,
		.state = SBX_STATE_ABSENT,
		.sys_errno = err,
		.remedy = remedy,
	};

	cr_assert(sbxi_probe_report_enter(report, &row));
}

/* A host that has everything. */
static void enter_all(void)
{
	for (uint32_t i = 0; i < SBXI_N_PROBES; i++)
		enter(i, SBX_STATE_ENFORCED, i == SBXI_PROBE_LANDLOCK ? 7 : 0);
}

static struct sbx_report_row row_of(uint32_t id)
{
	struct sbx_report_row row = SBX_REPORT_ROW_INIT;

	cr_assert_eq(sbx_report_row(report, id, &row), 0);
	return row;
}

Test(probe_report, what_never_came_is_absent_and_says_so)
{
	for (uint32_t i = 0; i < SBXI_N_PROBES; i++) {
		struct sbx_report_row row = row_of(i);

		cr_expect_eq(row.state, SBX_STATE_ABSENT);
		cr_expect_str_eq(row.object, "the probe's process died");
	}
	sbxi_probe_report_conclude(report);
	cr_expect_eq(sbx_report_tier(report), SBX_TIER_NONE);
}

Test(probe_report, every_mechanism_has_a_name_and_a_lack_of_its_own)
{
	for (uint32_t i = 0; i < SBXI_N_PROBES; i++)
		enter_lack(i, EPERM, 0);
	for (uint32_t i = 0; i < SBXI_N_PROBES; i++) {
		cr_expect_eq(row_of(i).id, i);
		cr_expect_gt(strlen(row_of(i).name), 0);
		cr_expect_gt(strlen(row_of(i).object), 0);
		for (uint32_t k = 0; k < i; k++) {
			cr_expect_str_neq(row_of(i).name, row_of(k).name);
			cr_expect_str_neq(row_of(i).object, row_of(k).object);
		}
	}
	cr_expect_eq(sbx_report_row(report, SBXI_N_PROBES,
				    &(struct sbx_report_row)
					    SBX_REPORT_ROW_INIT),
		     -ENOENT);
}

Test(probe_report, what_works_has_nothing_open)
{
	enter_all();
	for (uint32_t i = 0; i < SBXI_N_PROBES; i++) {
		cr_expect_eq(row_of(i).state, SBX_STATE_ENFORCED);
		cr_expect_eq(row_of(i).sys_errno, 0);
		if (i != SBXI_PROBE_LANDLOCK)
			cr_expect_str_eq(row_of(i).object, "");
	}
	cr_expect_str_eq(row_of(SBXI_PROBE_LANDLOCK).object, "ABI 7");
	cr_expect_eq(row_of(SBXI_PROBE_SECCOMP).verified, SBX_VERIFIED_CANARY);
}

Test(probe_report, what_does_not_work_is_not_verified)
{
	enter_all();
	enter_lack(SBXI_PROBE_SECCOMP, ENOSYS, SBXI_REMEDY_SECCOMP);
	cr_expect_eq(row_of(SBXI_PROBE_SECCOMP).verified,
		     SBX_VERIFIED_ASSUMED);
	cr_expect_eq(row_of(SBXI_PROBE_SECCOMP).sys_errno, ENOSYS);
	cr_expect_eq(row_of(SBXI_PROBE_SECCOMP).remedy, SBXI_REMEDY_SECCOMP);
}

Test(probe_report, an_older_landlock_names_its_gaps)
{
	enter(SBXI_PROBE_LANDLOCK, SBX_STATE_PARTIAL, 5);
	cr_expect_not_null(strstr(row_of(SBXI_PROBE_LANDLOCK).object,
				  "ABI 5: no scopes"));
	cr_expect_null(strstr(row_of(SBXI_PROBE_LANDLOCK).object, "TCP"));
	enter(SBXI_PROBE_LANDLOCK, SBX_STATE_PARTIAL, 2);
	cr_expect_not_null(strstr(row_of(SBXI_PROBE_LANDLOCK).object,
				  "ABI 2: "));
	cr_expect_not_null(strstr(row_of(SBXI_PROBE_LANDLOCK).object,
				  "truncation"));
}

Test(probe_report, a_try_that_was_killed_names_the_signal)
{
	enter(SBXI_PROBE_KEYRING, SBX_STATE_ABSENT, SIGSYS);
	cr_expect_not_null(strstr(row_of(SBXI_PROBE_KEYRING).object,
				  "SIGSYS"));
	enter(SBXI_PROBE_KEYRING, SBX_STATE_ABSENT, 4000);
	cr_expect_null(strstr(row_of(SBXI_PROBE_KEYRING).object, "SIG"));
}

Test(probe_report, what_is_no_mechanism_changes_nothing)
{
	const struct sbxi_msg_probe rows[] = {
		{ .type = SBXI_MSG_PROBE, .id = SBXI_N_PROBES },
		{ .type = SBXI_MSG_PROBE, .id = UINT32_MAX },
		{ .type = SBXI_MSG_ERROR, .id = SBXI_PROBE_USERNS,
		  .state = SBX_STATE_ENFORCED },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		cr_expect_not(sbxi_probe_report_enter(report, &rows[i]));
	cr_expect_eq(row_of(SBXI_PROBE_USERNS).state, SBX_STATE_ABSENT);
}

Test(probe_report, a_host_with_everything_is_tier_a_without_a_reason)
{
	enter_all();
	sbxi_probe_report_conclude(report);
	cr_expect_eq(sbx_report_tier(report), SBX_TIER_A);
	cr_expect_eq(report->tier_errno, 0);
	cr_expect_eq(report->tier_step, SBX_STEP_NONE);
}

Test(probe_report, each_namespace_is_needed_for_tier_a)
{
	const uint32_t needed[] = {
		SBXI_PROBE_USERNS, SBXI_PROBE_IDMAP_FILES, SBXI_PROBE_MOUNTS,
		SBXI_PROBE_PIDNS, SBXI_PROBE_NETNS, SBXI_PROBE_IPCNS,
		SBXI_PROBE_UTSNS, SBXI_PROBE_CGROUPNS,
	};

	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++) {
		enter_all();
		enter_lack(needed[i], EACCES, SBXI_REMEDY_USERNS_APPARMOR);
		sbxi_probe_report_conclude(report);
		cr_expect_eq(sbx_report_tier(report), SBX_TIER_B);
		cr_expect_eq(report->tier_errno, EACCES);
		cr_expect_eq(report->tier_remedy, SBXI_REMEDY_USERNS_APPARMOR);
		cr_expect_neq(report->tier_step, SBX_STEP_NONE);
	}
}

Test(probe_report, tier_a_does_without_the_rest)
{
	const uint32_t spare[] = {
		SBXI_PROBE_LANDLOCK, SBXI_PROBE_NOTIFY, SBXI_PROBE_PROC,
		SBXI_PROBE_OVERLAY, SBXI_PROBE_CLONE3, SBXI_PROBE_CLOSE_RANGE,
		SBXI_PROBE_PIDFD_GETFD, SBXI_PROBE_MEMFD_EXEC,
		SBXI_PROBE_KEYRING, SBXI_PROBE_CGROUP,
	};

	enter_all();
	for (size_t i = 0; i < sizeof(spare) / sizeof(*spare); i++)
		enter_lack(spare[i], ENOSYS, 0);
	sbxi_probe_report_conclude(report);
	cr_expect_eq(sbx_report_tier(report), SBX_TIER_A);
}

Test(probe_report, the_first_thing_missing_is_the_reason)
{
	enter_all();
	enter_lack(SBXI_PROBE_NETNS, ENOSPC, SBXI_REMEDY_NET_NAMESPACES);
	enter_lack(SBXI_PROBE_USERNS, EPERM, SBXI_REMEDY_USERNS_FILTER);
	sbxi_probe_report_conclude(report);
	cr_expect_eq(report->tier_errno, EPERM);
	cr_expect_eq(report->tier_step, SBX_STEP_NAMESPACES);
	cr_expect_eq(report->tier_remedy, SBXI_REMEDY_USERNS_FILTER);
}

Test(probe_report, tier_b_needs_landlock_filters_and_no_new_privs)
{
	const uint32_t needed[] = { SBXI_PROBE_LANDLOCK, SBXI_PROBE_SECCOMP,
				    SBXI_PROBE_NO_NEW_PRIVS };

	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++) {
		enter_all();
		enter_lack(SBXI_PROBE_USERNS, EPERM, 0);
		enter_lack(needed[i], ENOSYS, 0);
		sbxi_probe_report_conclude(report);
		cr_expect_eq(sbx_report_tier(report), SBX_TIER_NONE);
	}
	enter_all();
	enter_lack(SBXI_PROBE_USERNS, EPERM, 0);
	enter(SBXI_PROBE_LANDLOCK, SBX_STATE_PARTIAL, 1);
	sbxi_probe_report_conclude(report);
	cr_expect_eq(sbx_report_tier(report), SBX_TIER_B);
}

Test(probe_report, the_json_lists_mechanisms)
{
	char *text = NULL;

	enter_all();
	enter_lack(SBXI_PROBE_USERNS, EPERM, SBXI_REMEDY_USERNS_DEBIAN);
	sbxi_probe_report_conclude(report);
	cr_assert_eq(sbx_report_json(report, &text), 0);
	cr_expect_not_null(strstr(text, "\"kind\":\"probe\""));
	cr_expect_not_null(strstr(text, "\"mechanisms\":[{\"name\":\"landlock\""));
	cr_expect_not_null(strstr(text,
		"\"tier_reason\":{\"step\":\"namespaces\",\"errno\":\"EPERM\""));
	cr_expect_null(strstr(text, "\"properties\""));
	free(text);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* errors: a note says all, is cut where it must be, and goes out once. */
#include <errno.h>
#include <string.h>

#include <criterion/criterion.h>

#include "base/errors.h"

TestSuite(errors, .timeout = 10);

static struct sbxi_fail fail;
static struct sbx_error error;

Test(errors, a_note_holds_what_was_said)
{
	int rc;

	memset(&fail, 'x', sizeof(fail));
	rc = sbxi_fail(&fail, SBX_STEP_GRANTS, -ENOENT, "/some/path",
		       "number %d of %s", 7, "nine");
	cr_expect_eq(rc, -ENOENT);
	cr_expect_eq(fail.step, SBX_STEP_GRANTS);
	cr_expect_eq(fail.where, SBX_WHERE_HARNESS);
	cr_expect_eq(fail.remedy, SBXI_REMEDY_NONE);
	cr_expect_eq(fail.sys_errno, ENOENT);
	cr_expect_str_eq(fail.object, "/some/path");
	cr_expect_str_eq(fail.text, "number 7 of nine");
}

Test(errors, a_note_holds_its_remedy)
{
	int rc = sbxi_fail_remedy(&fail, SBX_STEP_MOUNTS, -EPERM,
				  SBXI_REMEDY_PROC, "proc", "%s", "masked");

	cr_expect_eq(rc, -EPERM);
	cr_expect_eq(fail.step, SBX_STEP_MOUNTS);
	cr_expect_eq(fail.remedy, SBXI_REMEDY_PROC);
	cr_expect_str_eq(fail.object, "proc");
	cr_expect_str_eq(fail.text, "masked");
}

Test(errors, without_a_text_it_is_the_codes)
{
	sbxi_fail(&fail, SBX_STEP_EXEC, -EACCES, "x", NULL);
	cr_expect_str_eq(fail.text, strerror(EACCES));
	sbxi_fail_remedy(&fail, SBX_STEP_EXEC, -ENOEXEC, 1, "x", NULL);
	cr_expect_str_eq(fail.text, strerror(ENOEXEC));
}

Test(errors, without_an_object_there_is_none)
{
	memset(&fail, 'x', sizeof(fail));
	sbxi_fail(&fail, SBX_STEP_EXEC, -EACCES, NULL, "text");
	cr_expect_str_eq(fail.object, "");
	cr_expect_str_eq(fail.text, "text");
}

Test(errors, an_object_is_no_format)
{
	sbxi_fail(&fail, SBX_STEP_EXEC, -EACCES, "%s%n%d", NULL);
	cr_expect_str_eq(fail.object, "%s%n%d");
}

Test(errors, what_is_too_long_is_cut_and_ends)
{
	char longer[1000];

	memset(longer, 'a', sizeof(longer));
	longer[999] = '\0';
	sbxi_fail(&fail, SBX_STEP_EXEC, -E2BIG, longer, "%s", longer);
	cr_expect_eq(strlen(fail.object), sizeof(fail.object) - 1);
	cr_expect_eq(strlen(fail.text), sizeof(fail.text) - 1);
	cr_expect_eq(sbxi_fail_export(&fail, -E2BIG, &error), -E2BIG);
	cr_expect_str_eq(error.object, fail.object);
	cr_expect_str_eq(error.text, fail.text);
}

Test(errors, a_new_note_leaves_nothing_of_the_old)
{
	sbxi_fail_remedy(&fail, SBX_STEP_MOUNTS, -EPERM, SBXI_REMEDY_PROC,
			 "a long object", "a long text");
	fail.where = SBX_WHERE_TARGET;
	sbxi_fail(&fail, SBX_STEP_EXEC, -ENOENT, "x", "y");
	cr_expect_eq(fail.remedy, SBXI_REMEDY_NONE);
	cr_expect_eq(fail.where, SBX_WHERE_HARNESS);
	cr_expect_str_eq(fail.object, "x");
	cr_expect_str_eq(fail.text, "y");
	cr_expect_eq(fail.text[2], '\0');
	cr_expect_eq(fail.object[2], '\0');
}

Test(errors, all_of_a_note_goes_out)
{
	memset(&error, 'x', sizeof(error));
	sbxi_fail_remedy(&fail, SBX_STEP_LANDLOCK, -EOPNOTSUPP,
			 SBXI_REMEDY_LANDLOCK, "files", "not here");
	fail.where = SBX_WHERE_INIT;
	fail.sys_errno = ENOSYS;
	cr_expect_eq(sbxi_fail_export(&fail, -EPERM, &error), -EPERM);
	cr_expect_eq(error.code, -EPERM);
	cr_expect_eq(error.step, SBX_STEP_LANDLOCK);
	cr_expect_eq(error.where, SBX_WHERE_INIT);
	cr_expect_eq(error.remedy, SBXI_REMEDY_LANDLOCK);
	cr_expect_eq(error.sys_errno, ENOSYS);
	cr_expect_eq(error.reserved, 0);
	cr_expect_str_eq(error.object, "files");
	cr_expect_str_eq(error.text, "not here");
	cr_expect_eq(error.text[sizeof(error.text) - 1], '\0');
}

Test(errors, success_writes_nothing)
{
	struct sbx_error before;

	memset(&error, 'x', sizeof(error));
	before = error;
	sbxi_fail(&fail, SBX_STEP_EXEC, -ENOENT, "x", NULL);
	cr_expect_eq(sbxi_fail_export(&fail, 0, &error), 0);
	cr_expect_eq(sbxi_fail_export(&fail, 3, &error), 3);
	cr_expect_eq(memcmp(&error, &before, sizeof(error)), 0);
}

Test(errors, a_caller_may_want_no_error)
{
	sbxi_fail(&fail, SBX_STEP_EXEC, -ENOENT, "x", NULL);
	cr_expect_eq(sbxi_fail_export(&fail, -ENOENT, NULL), -ENOENT);
	cr_expect_eq(sbxi_fail_export(&fail, 0, NULL), 0);
}

Test(errors, each_step_has_a_name_of_its_own)
{
	static const uint32_t last = SBX_STEP_PROBE;

	for (uint32_t a = 0; a <= last; a++) {
		bool is_step = a <= SBX_STEP_EXEC || a >= SBX_STEP_ARGUMENT;

		cr_expect_eq(strcmp(sbx_step_name(a), "unknown") != 0,
			     is_step, "%u", a);
		for (uint32_t b = 0; is_step && b < a; b++)
			cr_expect_str_neq(sbx_step_name(a), sbx_step_name(b));
	}
	cr_expect_str_eq(sbx_step_name(SBX_STEP_EXEC), "exec");
	cr_expect_str_eq(sbx_step_name(SBX_STEP_MOUNTS), "mounts");
}

Test(errors, numbers_that_are_no_step_are_unknown)
{
	cr_expect_str_eq(sbx_step_name(SBX_STEP_PROBE + 1), "unknown");
	cr_expect_str_eq(sbx_step_name(UINT32_MAX), "unknown");
}

Test(errors, each_remedy_has_a_text_of_its_own)
{
	for (uint32_t a = 1; a < SBXI_N_REMEDIES; a++) {
		cr_assert_not_null(sbx_remedy_text(a), "%u", a);
		cr_expect_str_neq(sbx_remedy_text(a), "", "%u", a);
		for (uint32_t b = 1; b < a; b++)
			cr_expect_str_neq(sbx_remedy_text(a),
					  sbx_remedy_text(b));
	}
}

Test(errors, no_remedy_and_unknown_ones_are_empty)
{
	cr_expect_str_eq(sbx_remedy_text(SBXI_REMEDY_NONE), "");
	cr_expect_str_eq(sbx_remedy_text(SBXI_N_REMEDIES), "");
	cr_expect_str_eq(sbx_remedy_text(UINT32_MAX), "");
}

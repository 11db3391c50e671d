/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/policy.h"

#include <criterion/criterion.h>

TestSuite(names, .timeout = 10);

Test(names, every_property_has_a_name_that_leads_back)
{
	for (uint32_t i = 0; i < SBXI_N_PROPERTIES; i++) {
		cr_assert_not_null(sbxi_property_name(i));
		cr_expect_eq(sbxi_property_by_name(sbxi_property_name(i)),
			     (int)i);
	}
	cr_expect_eq(SBXI_N_PROPERTIES, SBX_PROP_KEYRING + 1);
}

Test(names, every_limit_has_a_name_that_leads_back)
{
	for (uint32_t i = 0; i < SBXI_N_LIMITS; i++) {
		cr_assert_not_null(sbxi_limit_name(i));
		cr_expect_eq(sbxi_limit_by_name(sbxi_limit_name(i)), (int)i);
	}
	cr_expect_eq(SBXI_N_LIMITS, SBX_LIMIT_SCRATCH + 1);
}

Test(names, known_words_have_their_numbers)
{
	cr_expect_eq(sbxi_property_by_name("files"), SBX_PROP_FILES);
	cr_expect_eq(sbxi_property_by_name("trust"), SBX_PROP_TRUST);
	cr_expect_eq(sbxi_property_by_name("keyring"), SBX_PROP_KEYRING);
	cr_expect_eq(sbxi_limit_by_name("wall_ms"), SBX_LIMIT_WALL_MS);
	cr_expect_eq(sbxi_limit_by_name("memory_bytes"), SBX_LIMIT_MEMORY);
	cr_expect_eq(sbxi_limit_by_name("scratch_bytes"), SBX_LIMIT_SCRATCH);
}

Test(names, others_are_unknown)
{
	cr_expect_null(sbxi_property_name(SBXI_N_PROPERTIES));
	cr_expect_null(sbxi_property_name(UINT32_MAX));
	cr_expect_null(sbxi_limit_name(SBXI_N_LIMITS));
	cr_expect_eq(sbxi_property_by_name(""), -1);
	cr_expect_eq(sbxi_property_by_name("Files"), -1);
	cr_expect_eq(sbxi_limit_by_name("wall"), -1);
	cr_expect_eq(sbxi_limit_by_name("wall_ms "), -1);
}

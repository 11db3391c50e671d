/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/labels.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

static struct sbxi_labels a, b;

static void drop(void)
{
	sbxi_labels_done(&a);
	sbxi_labels_done(&b);
}

TestSuite(labels, .fini = drop, .timeout = 10);

Test(labels, words_that_are_none_are_refused)
{
	static const char *const bad[] = {
		"", " ", "a b", "a,b", "\xc3\xa9", "a\n", "a/b", "*",
		"12345678901234567890123456789012345678901234567890123456789012345",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		cr_expect_eq(sbxi_labels_add(&a, bad[i]), -EINVAL, "%s",
			     bad[i]);
	cr_expect_eq(a.n, 0);
	cr_expect_eq(sbxi_labels_add(&a, "private-data.2_X"), 0);
}

Test(labels, a_set_has_each_word_once)
{
	char word[] = "egress";

	cr_expect_eq(sbxi_labels_add(&a, word), 0);
	word[0] = 'x';
	cr_expect_eq(sbxi_labels_add(&a, "egress"), 0);
	cr_expect_eq(a.n, 1);
	cr_expect(sbxi_labels_has(&a, "egress"));
	cr_expect_not(sbxi_labels_has(&a, "egres"));
	cr_expect_not(sbxi_labels_has(&a, "egress2"));
}

Test(labels, a_set_has_64_words_and_keeps_them)
{
	char word[16];

	for (int i = 0; i < SBXI_LABELS_MAX; i++) {
		snprintf(word, sizeof(word), "l%d", i);
		cr_assert_eq(sbxi_labels_add(&a, word), 0);
	}
	cr_expect_eq(sbxi_labels_add(&a, "one-more"), -E2BIG);
	cr_expect_eq(sbxi_labels_add(&a, "l0"), 0);
	cr_expect_eq(a.n, SBXI_LABELS_MAX);
}

Test(labels, a_list_is_added_up_to_its_first_bad_word)
{
	static const char *const list[] = { "x", "y", "", "z", NULL };

	cr_expect_eq(sbxi_labels_list(&a, NULL), 0);
	cr_expect_eq(sbxi_labels_list(&a, list), -EINVAL);
	cr_expect(sbxi_labels_has(&a, "y"));
	cr_expect_not(sbxi_labels_has(&a, "z"));
}

Test(labels, join_cover_and_meet)
{
	cr_expect(sbxi_labels_cover(&a, &b), "nothing is part of nothing");
	cr_expect_not(sbxi_labels_meet(&a, &b));
	cr_assert_eq(sbxi_labels_add(&a, "x"), 0);
	cr_assert_eq(sbxi_labels_add(&b, "y"), 0);
	cr_expect_not(sbxi_labels_meet(&a, &b));
	cr_expect_not(sbxi_labels_cover(&a, &b));
	cr_expect_eq(sbxi_labels_join(&a, &b), 0);
	cr_expect(sbxi_labels_cover(&a, &b));
	cr_expect_not(sbxi_labels_cover(&b, &a));
	cr_expect(sbxi_labels_meet(&a, &b));
}

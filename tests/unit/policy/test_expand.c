/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/expand.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

static const char *const vars[] = {
	"a=1", "dir=/srv/x", "empty=", "odd=${a}$$", "eq=a=b", "twice=old",
	"twice=new", NULL
};

TestSuite(expand, .timeout = 10);

static void gives(const char *text, const char *want)
{
	const char *at = NULL;
	char *out = NULL;

	cr_assert_eq(sbxi_expand(text, vars, &out, &at), 0, "%s", text);
	cr_expect_str_eq(out, want);
	free(out);
}

static void fails_at(const char *text, size_t where)
{
	char marker;
	const char *at = NULL;
	char *out = &marker;

	cr_expect_eq(sbxi_expand(text, vars, &out, &at), -EINVAL, "%s", text);
	cr_expect_eq(out, &marker, "output was written on failure");
	cr_expect_eq(at, text + where, "%s", text);
}

Test(expand, variables_are_replaced)
{
	gives("", "");
	gives("plain", "plain");
	gives("${dir}", "/srv/x");
	gives("<${a}${a}>${empty}!", "<11>!");
	gives("${eq}", "a=b");
}

Test(expand, the_last_value_of_a_name_counts)
{
	gives("${twice}", "new");
}

Test(expand, values_are_not_looked_into_again)
{
	gives("${odd}", "${a}$$");
}

Test(expand, dollars)
{
	gives("$$", "$");
	gives("$", "$");
	gives("a$b$", "a$b$");
	gives("$$$$", "$$");
	gives("$${a}", "${a}");
	gives("$$${a}", "$1");
	gives("}{", "}{");
}

Test(expand, unknown_and_unfinished_variables_are_errors)
{
	fails_at("${nobody}", 0);
	fails_at("x${a", 1);
	fails_at("x${a}${}", 5);
	fails_at("${", 0);
	fails_at("${a b}", 0);
	fails_at("${1a}", 0);
	fails_at("${A}", 0);
	fails_at("${a${a}}", 0);
}

Test(expand, without_a_list_nothing_has_a_value)
{
	const char *at = NULL;
	char *out = NULL;

	cr_expect_eq(sbxi_expand("${a}", NULL, &out, &at), -EINVAL);
	cr_expect_eq(sbxi_expand("$a", NULL, &out, &at), 0);
	free(out);
}

Test(expand, what_comes_out_is_bounded)
{
	char *value = calloc(1, 65536 + 3);
	const char *list[] = { value, NULL };
	const char *at = NULL;
	char *out = NULL;

	cr_assert_not_null(value);
	memset(value, 'v', 65536 + 2);
	value[1] = '=';
	cr_assert_eq(sbxi_expand("${v}${v}", list, &out, &at), 0);
	cr_expect_eq(strlen(out), 131072);
	free(out);
	out = NULL;
	cr_expect_eq(sbxi_expand("${v}${v}x", list, &out, &at), -E2BIG);
	cr_expect_null(out);
	free(value);
}

Test(expand, a_list_value_is_the_first_as_for_getenv)
{
	cr_expect_str_eq(sbxi_list_value(vars, "twice"), "old");
	cr_expect_str_eq(sbxi_list_value(vars, "empty"), "");
	cr_expect_null(sbxi_list_value(vars, "tw"));
	cr_expect_null(sbxi_list_value(NULL, "a"));
}

Test(expand, bad_lists_are_seen)
{
	static const char *const no_sign[] = { "a=1", "b", NULL };
	static const char *const no_name[] = { "=1", NULL };
	static const char *const odd_name[] = { "a-b=1", NULL };

	cr_expect_null(sbxi_list_bad(vars));
	cr_expect_null(sbxi_list_bad(NULL));
	cr_expect_str_eq(sbxi_list_bad(no_sign), "b");
	cr_expect_str_eq(sbxi_list_bad(no_name), "=1");
	cr_expect_str_eq(sbxi_list_bad(odd_name), "a-b=1");
}

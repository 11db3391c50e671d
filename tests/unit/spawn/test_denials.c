/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include <criterion/criterion.h>

#include "spawn/denials.h"

TestSuite(denials, .timeout = 10);

static struct sbx_denial told[SBXI_DENIALS_MAX + 1];
static char told_object[64], told_grant[64], told_operation[64];
static size_t n_told;

static void on_denial(struct sbx_task *task, const struct sbx_denial *d,
		      void *userdata)
{
	(void)task;
	cr_assert_eq(userdata, told);
	cr_assert_eq(d->size, sizeof(*d));
	told[n_told++] = *d;
	strcpy(told_object, d->object);
	strcpy(told_grant, d->grant);
	strcpy(told_operation, d->operation);
}

static void deliver(struct sbxi_denials *d)
{
	struct sbx_handlers h = SBX_HANDLERS_INIT;

	h.on_denial = on_denial;
	n_told = 0;
	sbxi_denials_deliver(d, NULL, &h, told);
}

static struct sbxi_msg_denial message(uint32_t kind, int call,
				      const char *object, const char *near,
				      size_t *ret_len)
{
	struct sbxi_msg_denial m = { .type = SBXI_MSG_DENIAL, .kind = kind,
				     .call = call, .code = -EACCES,
				     .missed = 2 };

	strcpy(m.text, object);
	m.near = (uint32_t)strlen(object) + 1;
	strcpy(m.text + m.near, near);
	*ret_len = offsetof(struct sbxi_msg_denial, text) + m.near +
		   strlen(near) + 1;
	return m;
}

Test(denials, reaches_the_handler_with_its_words)
{
	struct sbxi_denials d = { .n = 0 };
	size_t len;
	struct sbxi_msg_denial m = message(SBX_DENIAL_WRITE, SYS_renameat2,
					   "/a/b", "/a", &len);

	sbxi_denials_add(&d, &m, len);
	deliver(&d);
	cr_assert_eq(n_told, 1);
	cr_expect_eq(told[0].kind, SBX_DENIAL_WRITE);
	cr_expect_eq(told[0].code, -EACCES);
	cr_expect_eq(told[0].missed, 2);
	cr_expect_str_eq(told_operation, "rename");
	cr_expect_str_eq(told_object, "/a/b");
	cr_expect_str_eq(told_grant, "/a");
	/* Once only. */
	deliver(&d);
	cr_expect_eq(n_told, 0);
}

Test(denials, names_the_call_where_that_is_what_was_refused)
{
	struct sbxi_denials d = { .n = 0 };
	size_t len;
	struct sbxi_msg_denial m = message(SBX_DENIAL_SYSCALL, SYS_mount, "",
					   "", &len);

	sbxi_denials_add(&d, &m, len);
	deliver(&d);
	cr_assert_eq(n_told, 1);
	cr_expect_str_eq(told_operation, "syscall");
	cr_expect_str_eq(told_object, "mount");
	cr_expect_str_eq(told_grant, "");
}

Test(denials, of_an_unknown_call_have_no_name)
{
	struct sbxi_denials d = { .n = 0 };
	size_t len;
	struct sbxi_msg_denial m = message(SBX_DENIAL_WRITE, 100000, "/x", "",
					   &len);

	sbxi_denials_add(&d, &m, len);
	m.call = -1;
	sbxi_denials_add(&d, &m, len);
	deliver(&d);
	cr_assert_eq(n_told, 2);
	cr_expect_str_eq(told_operation, "");
}

Test(denials, that_are_malformed_are_dropped)
{
	struct sbxi_denials d = { .n = 0 };
	size_t len, head = offsetof(struct sbxi_msg_denial, text);
	const struct sbxi_msg_denial good = message(SBX_DENIAL_READ, SYS_open,
						    "/a", "/", &len);
	struct sbxi_msg_denial m = good;

	/* No end of the second text, of the first, no text at all. */
	sbxi_denials_add(&d, &m, len - 1);
	m.text[m.near - 1] = 'x';
	sbxi_denials_add(&d, &m, len);
	sbxi_denials_add(&d, &m, head);
	/* An offset outside. */
	m = good;
	for (uint32_t near = 0; near < 9000; near++) {
		m.near = near;
		if (near != good.near && near + head < len &&
		    near > 0 && m.text[near - 1] == '\0')
			continue;
		if (near != good.near)
			sbxi_denials_add(&d, &m, len);
	}
	m.near = UINT32_MAX;
	sbxi_denials_add(&d, &m, len);
	cr_assert_eq(d.n, 0);
	/* The twin. */
	sbxi_denials_add(&d, &good, len);
	cr_assert_eq(d.n, 1);
	sbxi_denials_drop(&d);
	cr_assert_eq(d.n, 0);
}

Test(denials, that_nobody_fetches_are_counted)
{
	struct sbxi_denials d = { .n = 0 };
	size_t len;
	struct sbxi_msg_denial m = message(SBX_DENIAL_READ, SYS_open, "/a",
					   "", &len);

	m.missed = 0;
	for (int i = 0; i < SBXI_DENIALS_MAX + 5; i++)
		sbxi_denials_add(&d, &m, len);
	cr_assert_eq(d.n, SBXI_DENIALS_MAX);
	deliver(&d);
	cr_assert_eq(n_told, SBXI_DENIALS_MAX);
	m.missed = 1;
	sbxi_denials_add(&d, &m, len);
	deliver(&d);
	cr_assert_eq(n_told, 1);
	cr_expect_eq(told[0].missed, 6);
}

Test(denials, without_a_handler_are_forgotten)
{
	const struct sbx_handlers none = SBX_HANDLERS_INIT;
	struct sbxi_denials d = { .n = 0 };
	size_t len;
	struct sbxi_msg_denial m = message(SBX_DENIAL_READ, SYS_open, "/a",
					   "", &len);

	sbxi_denials_add(&d, &m, len);
	sbxi_denials_deliver(&d, NULL, &none, NULL);
	cr_assert_eq(d.n, 0);
}

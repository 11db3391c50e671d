/* SPDX-License-Identifier: Apache-2.0 */
/* client: what is held, sub-tasks, and words. */
#include "client_test.h"

TestSuite(client_grants, .init = start, .fini = stop, .timeout = 30);

Test(client_grants, what_is_held_is_listed_over_several_messages)
{
	char target[32], name[8];
	int fd;

	cr_expect_eq(list(), 0);
	for (int i = 0; i < 25; i++) {
		snprintf(target, sizeof(target), "tcp:granted:%d", i);
		cr_assert_eq(ask_for(SBX_ASK_CONNECT, target, &fd, -1), 0);
		close(fd);
	}
	cr_expect_eq(list(), 25);
	for (int i = 0; i < 25; i++) {
		snprintf(name, sizeof(name), "g%d", i);
		cr_expect_str_eq(held[i].name, name);
	}
}

static int stop_at_two(const struct sbx_held *h, void *userdata)
{
	(void)h;
	return ++*(int *)userdata == 2 ? 42 : 0;
}

static int use_client(const struct sbx_held *h, void *userdata)
{
	(void)h;
	*(int *)userdata = sbx_client_log(c, "from inside", -1, NULL);
	return 0;
}

Test(client_grants, a_list_ends_where_the_callback_says_so)
{
	int fd, n = 0;

	for (int i = 0; i < 5; i++) {
		cr_assert_eq(ask_for(SBX_ASK_DATA, "blob", &fd, -1), 0);
		close(fd);
	}
	cr_expect_eq(sbx_client_list(c, stop_at_two, &n, -1, &e), 42);
	cr_expect_eq(n, 2);
	cr_expect_eq(sbx_client_list(c, use_client, &n, -1, &e), 0);
	cr_expect_eq(n, -EBUSY);
	cr_expect_eq(list(), 5);
}

Test(client_grants, a_grant_is_narrowed_and_given_back)
{
	struct sbx_share s = SBX_SHARE_INIT;
	struct sbx_answer a = SBX_ANSWER_INIT;
	int fd;

	cr_assert_eq(ask_for(SBX_ASK_CONNECT, "tcp:granted:1", &fd, -1), 0);
	close(fd);
	s.name = "g1";
	s.rights = SBX_READ;
	s.max_bytes_out = 5;
	cr_expect_eq(sbx_client_narrow(c, &s, -1, &e), 0, "%s", e.text);
	cr_assert_eq(list(), 1);
	cr_expect_eq(held[0].rights, SBX_READ);
	cr_expect_eq(held[0].max_bytes_out, 5);
	cr_expect_eq(sbx_client_release(c, "g1", -1, &e), 0);
	cr_expect_eq(list(), 0);
	cr_assert_eq(sbx_client_receive(c, &a, &e), 1);
	cr_expect_eq(a.type, SBX_ANSWER_EVENT);
	cr_expect_eq(a.event, SBX_EVENT_RELEASED);
	cr_expect_str_eq(a.grant.name, "g1");
	cr_expect_eq(sbx_client_release(c, "g1", -1, &e), -ENOENT);
	cr_expect_str_eq(e.text, "no such grant");
	cr_expect_eq(sbx_client_narrow(c, &s, -1, &e), -ENOENT);
	cr_expect_eq(sbx_client_release(c, "no/name", -1, &e), -EINVAL);
	s.name = NULL;
	cr_expect_eq(sbx_client_narrow(c, &s, -1, &e), -EINVAL);
}

Test(client_grants, events_that_nobody_takes_are_lost_and_that_is_told)
{
	struct sbx_answer a = SBX_ANSWER_INIT;
	int fd, n = 0;

	for (int i = 0; i < 12; i++) {
		cr_assert_eq(ask_for(SBX_ASK_DATA, "blob", &fd, -1), 0);
		close(fd);
		cr_assert_eq(sbx_client_release(c, "gblob", -1, &e), 0);
	}
	while (sbx_client_receive(c, &a, &e) == 1) {
		n++;
		cr_expect_eq(a.event, n <= 8 ? SBX_EVENT_RELEASED :
					       SBX_EVENT_LOST);
	}
	cr_expect_eq(n, 9);
}

static void delegate_with(const char *script, int out, uint64_t *id,
			  uint64_t *number)
{
	const char *argv[] = { "sh", "-c", script, NULL };
	const char *envp[] = { "A=1", "PATH=/usr/bin:/bin", NULL };
	struct sbx_share s[2] = { SBX_SHARE_INIT, SBX_SHARE_INIT };
	struct sbx_delegate d = SBX_DELEGATE_INIT;
	int fd;

	cr_assert_eq(ask_for(SBX_ASK_CONNECT, "tcp:granted:1", &fd, -1), 0);
	close(fd);
	cr_assert_eq(ask_for(SBX_ASK_CONNECT, "tcp:granted:2", &fd, -1), 0);
	close(fd);
	s[0].name = "g1";
	s[1].name = "g2";
	s[1].max_bytes_out = 10;
	d.argv = argv;
	d.envp = envp;
	d.cwd = "/";
	d.shares = s;
	d.n_shares = 2;
	d.stdio[1] = out;
	d.wall_ms = 30000;
	cr_assert_eq(sbx_client_delegate(c, &d, id, number, -1, &e), 0, "%s",
		     e.text);
}

Test(client_grants, a_sub_task_runs_and_its_end_is_told)
{
	struct sbx_answer a = SBX_ANSWER_INIT;
	uint64_t id = 0, number = 0;
	int end[2];

	cr_assert_eq(pipe2(end, O_CLOEXEC), 0);
	delegate_with("echo $A $PWD; exit 7", end[1], &id, &number);
	cr_assert_eq(sbx_client_wait(c, id, &a, -1, &e), 0, "%s", e.text);
	cr_expect_eq(a.type, SBX_ANSWER_EVENT);
	cr_expect_eq(a.event, SBX_EVENT_EXIT);
	cr_expect_eq(a.id, id);
	cr_expect_eq(a.task, number);
	cr_expect_eq(a.exit_kind, 1);
	cr_expect_eq(a.exit_code, 7);
	close(end[1]);
	expect_content(end[0], "1 /\n");
	expect_log("35=(6) 35=(18)");
	cr_expect_eq(sbx_client_wait(c, id, &a, 0, &e), -ENOENT);
}

Test(client_grants, a_sub_task_can_be_ended)
{
	struct sbx_answer a = SBX_ANSWER_INIT;
	uint64_t id = 0, number = 0;

	delegate_with("sleep 60", -1, &id, &number);
	cr_expect_eq(sbx_client_wait(c, id, &a, 0, &e), -ETIMEDOUT);
	cr_assert_eq(sbx_client_end(c, number, -1, &e), 0, "%s", e.text);
	cr_assert_eq(sbx_client_wait(c, id, &a, -1, &e), 0);
	cr_expect_eq(a.exit_kind, 2);
	cr_expect_eq(a.exit_code, SIGKILL);
	cr_expect_eq(sbx_client_end(c, number, -1, &e), -ENOENT);
	cr_expect_eq(sbx_client_end(c, 0, -1, &e), -EINVAL);
}

Test(client_grants, a_sub_task_gets_what_is_held_and_nothing_else)
{
	const char *argv[] = { "true", NULL };
	struct sbx_share s = SBX_SHARE_INIT;
	struct sbx_delegate d = SBX_DELEGATE_INIT;
	static char text[SBX_WIRE_DATAGRAM];
	const char *large[] = { text, NULL };
	uint64_t id = 4711;

	s.name = "g9";
	d.argv = argv;
	d.shares = &s;
	d.n_shares = 1;
	cr_expect_eq(sbx_client_delegate(c, &d, &id, NULL, -1, &e), -ENOENT);
	cr_expect_eq(id, 4711);
	s.name = "a b";
	cr_expect_eq(sbx_client_delegate(c, &d, &id, NULL, -1, &e), -EINVAL);
	d.n_shares = 0;
	d.cwd = "relative";
	cr_expect_eq(sbx_client_delegate(c, &d, &id, NULL, -1, &e), -EINVAL);
	d.cwd = NULL;
	d.argv = large;
	memset(text, 'a', sizeof(text) - 1);
	cr_expect_eq(sbx_client_delegate(c, &d, &id, NULL, -1, &e), -EMSGSIZE);
	d.argv = argv;
	cr_expect_eq(sbx_client_delegate(c, &d, &id, NULL, -1, &e), 0, "%s",
		     e.text);
}

Test(client_grants, words_for_the_audit_and_for_the_harness_arrive)
{
	static char text[SBX_WIRE_TEXT + 2];

	memset(text, 't', SBX_WIRE_TEXT + 1);
	cr_expect_eq(sbx_client_log(c, "one line", -1, &e), 0);
	cr_expect_eq(sbx_client_ready(c, "listening", -1, &e), 0);
	cr_expect_eq(sbx_client_ready(c, NULL, -1, &e), 0);
	expect_log("8 8=one line\n9 8=listening\n9\n");
	cr_expect_eq(sbx_client_log(c, text, -1, &e), -ENAMETOOLONG);
	text[SBX_WIRE_TEXT] = '\0';
	cr_expect_eq(sbx_client_log(c, text, -1, &e), 0);
}

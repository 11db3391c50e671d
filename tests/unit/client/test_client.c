/* SPDX-License-Identifier: Apache-2.0 */
/* client: what a task can ask of a broker that answers as it should. */
#include "client_test.h"

TestSuite(client, .init = start, .fini = stop, .timeout = 30);

static uint64_t ask_later(const char *target)
{
	struct sbx_ask a = SBX_ASK_INIT;
	uint64_t id = 0;

	a.kind = SBX_ASK_CONNECT;
	a.target = target;
	cr_assert_eq(sbx_client_ask(c, &a, &id, &e), 0, "%s", e.text);
	cr_assert_neq(id, 0);
	return id;
}

Test(client, a_connection_is_granted)
{
	int fd = -1;

	cr_assert_eq(ask_for(SBX_ASK_CONNECT, "tcp:granted:1", &fd, -1), 0,
		     "%s", e.text);
	cr_expect_geq(fd, 3);
	expect_content(fd, "hello from tcp:granted:1\n");
}

Test(client, files_data_listeners_and_directories_are_granted)
{
	int fd = -1, on = 0;
	socklen_t size = sizeof(on);

	cr_assert_eq(ask_for(SBX_ASK_OPEN, "/srv/a", &fd, -1), 0);
	expect_content(fd, "content of /srv/a\n");
	cr_assert_eq(ask_for(SBX_ASK_DATA, "blob", &fd, -1), 0);
	expect_content(fd, "content of blob\n");
	cr_assert_eq(ask_for(SBX_ASK_LISTEN, "tcp:localhost:0", &fd, -1), 0);
	cr_expect_eq(getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &on, &size), 0);
	cr_expect_eq(on, 1);
	close(fd);
	cr_assert_eq(ask_for(SBX_ASK_DIRECTORY, "/srv/d", &fd, -1), 0);
	cr_expect_eq(fd, -1);
}

Test(client, a_refusal_has_a_code_and_the_brokers_reason)
{
	int fd = 4711;

	cr_expect_eq(ask_for(SBX_ASK_CONNECT, "tcp:denied:1", &fd, -1),
		     -EACCES);
	cr_expect_eq(fd, 4711);
	cr_expect_eq(e.code, -EACCES);
	cr_expect_eq(e.step, SBX_STEP_GRANTS);
	cr_expect_str_eq(e.object, "tcp:denied:1");
	cr_expect_str_eq(e.text, "no rule of the mandate allows it");
	cr_expect_eq(ask_for(SBX_ASK_CONNECT, "tcp:refused:1", &fd, -1),
		     -ECONNREFUSED);
	cr_expect_str_eq(e.text, "the peer refused the connection");
	/* One that is not documented is not passed on. */
	cr_expect_eq(ask_for(SBX_ASK_CONNECT, "tcp:weird:1", &fd, -1), -EIO);
	cr_expect_eq(ask_for(SBX_ASK_CONNECT, "tcp:granted:1", &fd, -1), 0);
	close(fd);
}

Test(client, all_of_a_request_reaches_the_broker)
{
	struct sbx_ask a = SBX_ASK_INIT;
	int fd;

	a.kind = SBX_ASK_CONNECT;
	a.target = "tcp:granted:7";
	a.reason = "to read one issue";
	a.rights = SBX_READ;
	a.deadline_ms = 5000;
	a.lifetime_ms = 60000;
	a.max_uses = 1;
	a.max_bytes_in = 2000;
	a.max_bytes_out = 3000;
	a.max_cost = 4;
	cr_assert_eq(sbx_client_request(c, &a, &fd, -1, &e), 0);
	close(fd);
	expect_log("2 1=3 2=tcp:granted:7 3=1 4=to read one issue 5=5000 "
		   "16=60000 17=1 18=2000 19=3000 20=4\n");
}

Test(client, what_is_no_request_is_not_sent)
{
	struct sbx_ask a = SBX_ASK_INIT;
	struct {
		struct sbx_ask ask;
		uint64_t newer;
	} b = { SBX_ASK_INIT, 0 };
	static char text[2000];
	int fd = 4711;

	memset(text, 'a', sizeof(text) - 1);
	cr_expect_eq(sbx_client_request(c, &a, &fd, -1, NULL), -EINVAL);
	cr_expect_eq(ask_for(0, "tcp:granted:1", &fd, -1), -EINVAL);
	cr_expect_eq(ask_for(SBX_ASK_CONNECT, "", &fd, -1), -EINVAL);
	cr_expect_eq(ask_for(SBX_ASK_CONNECT, text, &fd, -1), -ENAMETOOLONG);
	a.kind = SBX_ASK_CONNECT;
	a.target = "tcp:granted:1";
	a.reason = text;
	cr_expect_eq(sbx_client_request(c, &a, &fd, -1, &e), -ENAMETOOLONG);
	a.reason = NULL;
	a.flags = 1;
	cr_expect_eq(sbx_client_request(c, &a, &fd, -1, &e), -EINVAL);
	a.flags = 0;
	a.size--;
	cr_expect_eq(sbx_client_request(c, &a, &fd, -1, &e), -EINVAL);
	b.ask.kind = SBX_ASK_CONNECT;
	b.ask.target = "tcp:granted:1";
	b.ask.size = sizeof(b);
	b.newer = 1;
	cr_expect_eq(sbx_client_request(c, &b.ask, &fd, -1, &e), -E2BIG);
	cr_expect_eq(fd, 4711);
	b.newer = 0;
	cr_expect_eq(sbx_client_request(c, &b.ask, &fd, -1, &e), 0);
	close(fd);
}

Test(client, the_longest_target_and_reason_are_sent)
{
	static char target[SBX_WIRE_TARGET + 1], reason[SBX_WIRE_TEXT + 1];
	struct sbx_ask a = SBX_ASK_INIT;
	int fd;

	memset(target, 'a', SBX_WIRE_TARGET);
	memset(reason, 'r', SBX_WIRE_TEXT);
	target[0] = '/';
	target[SBX_WIRE_TARGET - 4] = '/';
	a.kind = SBX_ASK_OPEN;
	a.target = target;
	a.reason = reason;
	cr_assert_eq(sbx_client_request(c, &a, &fd, -1, &e), 0, "%s", e.text);
	close(fd);
	cr_assert_eq(list(), 1);
	cr_expect_str_eq(held[0].target, target);
}

Test(client, a_grant_may_be_smaller_than_asked_for)
{
	struct sbx_answer a = SBX_ANSWER_INIT;
	uint64_t id = ask_later("tcp:narrowed:1");

	cr_assert_eq(sbx_client_wait(c, id, &a, -1, &e), 0, "%s", e.text);
	cr_expect_eq(a.type, SBX_ANSWER_REPLY);
	cr_expect_eq(a.id, id);
	cr_expect_eq(a.status, 0);
	cr_expect_eq(a.flags, SBX_ANSWER_NARROWED);
	cr_expect_str_eq(a.grant.name, "n1");
	cr_expect_str_eq(a.grant.target, "tcp:narrowed:1");
	cr_expect_str_eq(a.grant.labels, "egress test");
	cr_expect_eq(a.grant.kind, SBX_ASK_CONNECT);
	cr_expect_eq(a.grant.flags, SBX_HELD_RECALLABLE);
	cr_expect_eq(a.grant.max_bytes_out, 1000);
	cr_expect_eq(a.grant.max_bytes_in, SBX_NO_LIMIT);
	cr_expect_eq(a.grant.used_bytes_out, 12);
	expect_content(a.fd, "hello from tcp:narrowed:1\n");
}

Test(client, answers_may_come_in_another_order)
{
	struct sbx_answer a = SBX_ANSWER_INIT;
	uint64_t first = ask_later("tcp:later:1");
	uint64_t second = ask_later("tcp:granted:2");

	cr_assert_eq(sbx_client_wait(c, second, &a, -1, &e), 0);
	cr_expect_str_eq(a.grant.name, "g2");
	close(a.fd);
	cr_assert_eq(sbx_client_wait(c, first, &a, 0, &e), -ETIMEDOUT);
	cr_assert_eq(sbx_client_log(c, "go", -1, &e), 0);
	cr_assert_eq(sbx_client_wait(c, first, &a, -1, &e), 0);
	cr_expect_str_eq(a.grant.name, "w1");
	close(a.fd);
	cr_expect_eq(sbx_client_wait(c, first, &a, 0, &e), -ENOENT);
	cr_expect_eq(sbx_client_wait(c, 0, &a, 0, &e), -ENOENT);
}

Test(client, answers_can_be_polled_for)
{
	struct sbx_answer a = SBX_ANSWER_INIT;
	struct pollfd p = { .fd = sbx_client_fd(c), .events = POLLIN };
	int seen = 0, rc;

	for (int i = 0; i < 16; i++)
		(void)ask_later("tcp:granted:1");
	while (seen < 16) {
		while ((rc = sbx_client_receive(c, &a, &e)) == 1) {
			cr_expect_eq(a.status, 0);
			expect_content(a.fd, "hello from tcp:granted:1\n");
			seen++;
		}
		cr_assert_eq(rc, 0, "%s", e.text);
		if (seen < 16)
			cr_assert_eq(poll(&p, 1, 10000), 1);
	}
}

Test(client, sixteen_may_be_unanswered_and_their_answers_wait_too)
{
	struct sbx_answer a = SBX_ANSWER_INIT;
	struct sbx_ask ask = SBX_ASK_INIT;
	uint64_t id = 4711;

	ask.kind = SBX_ASK_CONNECT;
	ask.target = "tcp:granted:1";
	for (int i = 0; i < 16; i++)
		(void)ask_later("tcp:later:1");
	cr_expect_eq(sbx_client_ask(c, &ask, &id, &e), -EAGAIN);
	cr_expect_eq(id, 4711);
	cr_assert_eq(sbx_client_log(c, "go", -1, &e), 0);
	/* They are here now, and take as much room as before. */
	cr_expect_eq(sbx_client_ask(c, &ask, &id, &e), -EAGAIN);
	for (int i = 0; i < 16; i++) {
		cr_assert_eq(sbx_client_receive(c, &a, &e), 1);
		close(a.fd);
	}
	cr_expect_eq(sbx_client_ask(c, &ask, &id, &e), 0);
}

Test(client, who_does_not_wait_any_longer_gets_nothing_later)
{
	int before = n_open(), fd = 4711;

	cr_expect_eq(ask_for(SBX_ASK_CONNECT, "tcp:never:1", &fd, 20),
		     -ETIMEDOUT);
	/* This one is granted in the moment in which we give up. */
	cr_expect_eq(ask_for(SBX_ASK_CONNECT, "tcp:late:1", &fd, 20),
		     -ETIMEDOUT);
	cr_expect_eq(fd, 4711);
	/* It is given back before anything else is heard. */
	cr_assert_eq(sbx_client_log(c, "x", -1, &e), 0);
	cr_expect_eq(list(), 0);
	cr_expect_eq(n_open(), before);
	expect_log("6 6=l1\n");
}

Test(client, a_request_can_be_cancelled)
{
	struct sbx_answer a = SBX_ANSWER_INIT;
	uint64_t id = ask_later("tcp:never:1");

	cr_expect_eq(sbx_client_cancel(c, id, &e), 0);
	cr_expect_eq(sbx_client_cancel(c, id, &e), -ENOENT);
	cr_expect_eq(sbx_client_wait(c, id, &a, 0, &e), -ENOENT);
	cr_assert_eq(sbx_client_log(c, "x", -1, &e), 0);
	cr_expect_eq(sbx_client_receive(c, &a, &e), 0);
	expect_log("3 10=");
	cr_expect_eq(sbx_client_cancel(c, 4711, &e), -ENOENT);
}

/* Each process has a channel of its own: none takes another's answer. */
Test(client, processes_that_ask_at_once_get_their_own_answers)
{
	pid_t pid[8];
	int st;

	for (int i = 0; i < 8; i++) {
		pid[i] = fork();
		if (pid[i] == 0) {
			struct sbx_ask a = SBX_ASK_INIT;
			struct sbx_client *own = NULL;
			char target[32], want[64], got[64] = "";
			int fd = -1;

			snprintf(target, sizeof(target), "tcp:granted:%d", i);
			snprintf(want, sizeof(want), "hello from %s\n",
				 target);
			a.kind = SBX_ASK_CONNECT;
			a.target = target;
			if (sbx_client_open(&own, NULL) < 0)
				_exit(1);
			for (int k = 0; k < 5; k++) {
				if (sbx_client_request(own, &a, &fd, -1,
						       NULL) < 0)
					_exit(2);
				if (read(fd, got, sizeof(got) - 1) < 0 ||
				    strcmp(got, want) != 0)
					_exit(3);
				close(fd);
			}
			sbx_client_close(own);
			_exit(0);
		}
	}
	for (int i = 0; i < 8; i++) {
		cr_assert_eq(waitpid(pid[i], &st, 0), pid[i]);
		cr_expect_eq(st, 0, "%d: %x", i, st);
	}
	cr_expect_eq(list(), 40);
}

Test(client, a_forked_copy_may_not_ask)
{
	pid_t pid = fork();
	int st;

	if (pid == 0) {
		struct sbx_answer a = SBX_ANSWER_INIT;
		int fd;

		_exit(ask_for(SBX_ASK_DATA, "blob", &fd, -1) == -ECHILD &&
		      sbx_client_log(c, "x", -1, NULL) == -ECHILD &&
		      sbx_client_receive(c, &a, NULL) == -ECHILD &&
		      sbx_client_wait(c, 1, &a, 0, NULL) == -ECHILD ? 0 : 1);
	}
	cr_assert_eq(waitpid(pid, &st, 0), pid);
	cr_expect_eq(st, 0);
	cr_expect_eq(sbx_client_log(c, "x", -1, &e), 0);
}

Test(client, opening_and_closing_leaves_nothing_behind)
{
	struct sbx_client *other = NULL;
	int before = n_open();

	for (int i = 0; i < 100; i++) {
		cr_assert_eq(sbx_client_open(&other, &e), 0, "%d: %s", i,
			     e.text);
		cr_assert_eq(sbx_client_log(other, "x", -1, &e), 0, "%d", i);
		sbx_client_close(other);
	}
	cr_expect_eq(n_open(), before);
	sbx_client_close(NULL);
}

Test(client, where_there_is_no_broker_is_told)
{
	struct sbx_client *other = (void *)storage;
	int file = open("/dev/null", O_RDWR | O_CLOEXEC);
	int before = n_open(), pair[2];
	char number[16];

	unsetenv("SBX_BROKER_FD");
	cr_expect_eq(sbx_client_open(&other, &e), -ENOENT);
	cr_expect_str_eq(e.text, "this task may not ask for more");
	setenv("SBX_BROKER_FD", "", 1);
	cr_expect_eq(sbx_client_open(&other, &e), -EINVAL);
	setenv("SBX_BROKER_FD", "3x", 1);
	cr_expect_eq(sbx_client_open(&other, &e), -EINVAL);
	setenv("SBX_BROKER_FD", "-1", 1);
	cr_expect_eq(sbx_client_open(&other, &e), -EINVAL);
	setenv("SBX_BROKER_FD", "99999999999999999999999", 1);
	cr_expect_eq(sbx_client_open(&other, &e), -EINVAL);
	setenv("SBX_BROKER_FD", "999", 1);
	cr_expect_eq(sbx_client_open(&other, &e), -EBADF);
	snprintf(number, sizeof(number), "%d", file);
	setenv("SBX_BROKER_FD", number, 1);
	cr_expect_eq(sbx_client_open(&other, &e), -ENOTSOCK);
	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	snprintf(number, sizeof(number), "%d", pair[0]);
	setenv("SBX_BROKER_FD", number, 1);
	cr_expect_eq(sbx_client_open(&other, &e), -ENOTSOCK);
	close(pair[0]);
	close(pair[1]);
	cr_assert_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
	close(pair[1]);
	snprintf(number, sizeof(number), "%d", pair[0]);
	setenv("SBX_BROKER_FD", number, 1);
	cr_expect_eq(sbx_client_open(&other, &e), -EPIPE);
	close(pair[0]);
	cr_expect_eq((void *)other, (void *)storage);
	cr_expect_eq(n_open(), before);
	close(file);
}

Test(client, memory_that_is_too_small_or_crooked_is_refused)
{
	static alignas(16) char room[SBX_CLIENT_SIZE + 16];
	struct sbx_client *other = NULL;

	cr_expect_eq(sbx_client_init(room, 1000, door, 0, &other, &e),
		     -EINVAL);
	cr_expect_eq(sbx_client_init(room + 8, SBX_CLIENT_SIZE, door, 0,
				     &other, &e), -EINVAL);
	cr_expect_eq(sbx_client_init(room, SBX_CLIENT_SIZE, door, 0x80, &other,
				     &e), -EINVAL);
	cr_expect_null(other);
	cr_expect_eq(sbx_client_init(room, SBX_CLIENT_SIZE, door, 0, &other,
				     &e), 0);
	sbx_client_close(other);
}

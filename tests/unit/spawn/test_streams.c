/* SPDX-License-Identifier: Apache-2.0 */
/* streams: each is what was asked for, and nothing of ours lies below 3. */
#include <sys/socket.h>

#include "kernel/handoff.h"
#include "spawn/streams.h"

#include "../base/help.h"

static struct sbxi_plan plan;
static struct sbx_policy policy = { .plan = &plan };
static struct sbxi_streams s;
static struct sbxi_fail fail;

static void set_up(void)
{
	memset(&s, 'x', sizeof(s));
	plan = (struct sbxi_plan){ .flags = 0 };
}

TestSuite(streams, .init = set_up, .timeout = 10);

static int open_as(int in, int out, int err)
{
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;

	o.stdio[0] = in;
	o.stdio[1] = out;
	o.stdio[2] = err;
	return sbxi_streams_open(&policy, &o, &s, &fail);
}

static bool is_null_stream(int i)
{
	return s.kind[i] == SBXI_STDIO_NULL && s.fd[i] == -1 &&
	       s.ours[i] == -1;
}

static bool is_ready(int fd)
{
	return fd >= 3 && fcntl(fd, F_GETFD) == FD_CLOEXEC;
}

static bool is_stream(int i)
{
	return s.kind[i] == SBXI_STDIO_FD && is_ready(s.fd[i]);
}

static void drop(int before)
{
	sbxi_streams_done(&s);
	for (int i = 0; i < 3; i++) {
		cr_expect_eq(s.fd[i], -1);
		cr_expect_eq(s.ours[i], -1);
	}
	cr_expect_eq(n_open(), before);
}

Test(streams, null_needs_no_descriptor)
{
	int before = n_open();

	cr_assert_eq(open_as(SBX_STDIO_NULL, SBX_STDIO_NULL, SBX_STDIO_NULL),
		     0);
	for (int i = 0; i < 3; i++)
		cr_expect(is_null_stream(i));
	cr_expect_eq(n_open(), before);
	drop(before);
}

Test(streams, a_descriptor_is_copied)
{
	int before, fds[2];

	cr_assert_eq(pipe2(fds, O_CLOEXEC), 0);
	before = n_open();
	cr_assert_eq(open_as(fds[0], fds[1], fds[1]), 0);
	for (int i = 0; i < 3; i++) {
		cr_expect(is_stream(i));
		cr_expect(same_file(s.fd[i], fds[i > 0]));
		cr_expect_neq(s.fd[i], fds[i > 0]);
		cr_expect_eq(s.ours[i], -1);
	}
	cr_expect_eq(n_open(), before + 3);
	drop(before);
	cr_expect(is_open(fds[0]) && is_open(fds[1]));
}

Test(streams, the_callers_own_is_copied)
{
	int before = n_open();

	cr_assert_eq(open_as(SBX_STDIO_INHERIT, SBX_STDIO_INHERIT,
			     SBX_STDIO_INHERIT), 0);
	for (int i = 0; i < 3; i++) {
		cr_expect(is_stream(i));
		cr_expect(same_file(s.fd[i], i));
	}
	drop(before);
}

Test(streams, numbers_below_three_can_be_named_in_any_order)
{
	int before = n_open();

	cr_assert_eq(open_as(2, 0, 1), 0);
	cr_expect(is_stream(0) && same_file(s.fd[0], 2));
	cr_expect(is_stream(1) && same_file(s.fd[1], 0));
	cr_expect(is_stream(2) && same_file(s.fd[2], 1));
	drop(before);
}

/* What is written to one end comes out of the other. */
static bool is_pipe(int to, int from)
{
	char buf[4] = "";

	return is_ready(to) && is_ready(from) && write(to, "abc", 3) == 3 &&
	       read(from, buf, sizeof(buf)) == 3 && !strcmp(buf, "abc");
}

Test(streams, a_pipe_has_its_right_ends)
{
	int before = n_open();

	cr_assert_eq(open_as(SBX_STDIO_PIPE, SBX_STDIO_PIPE, SBX_STDIO_PIPE),
		     0);
	cr_expect(is_stream(0) && is_pipe(s.ours[0], s.fd[0]));
	cr_expect(is_stream(1) && is_pipe(s.fd[1], s.ours[1]));
	cr_expect(is_stream(2) && is_pipe(s.fd[2], s.ours[2]));
	cr_expect_not(same_file(s.fd[1], s.fd[2]));
	cr_expect_eq(n_open(), before + 6);
	drop(before);
}

Test(streams, kinds_can_be_mixed)
{
	int before = n_open(), null = null_device();

	cr_assert_eq(open_as(SBX_STDIO_NULL, SBX_STDIO_PIPE, null), 0);
	cr_expect(is_null_stream(0));
	cr_expect(is_pipe(s.fd[1], s.ours[1]));
	cr_expect(same_file(s.fd[2], null) && s.ours[2] == -1);
	close(null);
	drop(before);
}

static void expect_refused(int in, int out, int err, int code,
			   const char *object)
{
	struct sbxi_streams was = s;
	int before = n_open(), rc;

	fail = (struct sbxi_fail){ .step = 0 };
	rc = open_as(in, out, err);
	cr_expect_eq(rc, code, "%d", rc);
	cr_expect_eq(fail.step, SBX_STEP_ARGUMENT);
	cr_expect_str_eq(fail.object, object);
	cr_expect_str_neq(fail.text, "");
	cr_expect_eq(memcmp(&s, &was, sizeof(s)), 0, "written on failure");
	cr_expect_eq(n_open(), before, "descriptors leak");
}

Test(streams, what_is_not_open_is_refused)
{
	expect_refused(1000, SBX_STDIO_PIPE, SBX_STDIO_PIPE, -EBADF,
		       "stdio[0]");
	expect_refused(SBX_STDIO_PIPE, 1000, SBX_STDIO_PIPE, -EBADF,
		       "stdio[1]");
	expect_refused(SBX_STDIO_PIPE, SBX_STDIO_INHERIT, 1000, -EBADF,
		       "stdio[2]");
	cr_expect_not_null(strstr(fail.text, "1000"), "%s", fail.text);
}

Test(streams, unknown_numbers_are_refused)
{
	expect_refused(-4, 1, 1, -EINVAL, "stdio[0]");
	expect_refused(0, SBX_STDIO_PIPE, INT32_MIN, -EINVAL, "stdio[2]");
}

static int open_with_closed_ones(void)
{
	HOLDS(clear_table() == 0);
	for (int i = 0; i < 3; i++)
		close(i);
	/* His own, which he has closed, is /dev/null; a named one is not. */
	HOLDS(open_as(SBX_STDIO_INHERIT, SBX_STDIO_INHERIT,
		      SBX_STDIO_INHERIT) == 0);
	for (int i = 0; i < 3; i++)
		HOLDS(is_null_stream(i));
	HOLDS(open_as(0, SBX_STDIO_NULL, SBX_STDIO_NULL) == -EBADF);
	HOLDS(open_as(SBX_STDIO_PIPE, SBX_STDIO_PIPE, SBX_STDIO_PIPE) == 0);
	for (int i = 0; i < 3; i++)
		HOLDS(is_ready(s.fd[i]) && is_ready(s.ours[i]));
	HOLDS(is_pipe(s.ours[0], s.fd[0]) && is_pipe(s.fd[1], s.ours[1]));
	HOLDS(n_open_in(0, 3) == 0);
	HOLDS(n_open_in(0, 64) == 6);
	sbxi_streams_done(&s);
	HOLDS(n_open_in(0, 64) == 0);
	return 0;
}

static int open_with_one_closed(void)
{
	HOLDS(clear_table() == 0);
	close(1);
	HOLDS(open_as(SBX_STDIO_INHERIT, SBX_STDIO_INHERIT,
		      SBX_STDIO_INHERIT) == 0);
	HOLDS(is_stream(0) && is_null_stream(1) && is_stream(2));
	HOLDS(!is_open(1));
	return 0;
}

Test(streams, closed_ones_of_the_caller_stay_closed)
{
	expect_child(open_with_closed_ones);
	expect_child(open_with_one_closed);
}

static int open_with_a_full_table(void)
{
	HOLDS(clear_table() == 0);
	for (unsigned int room = 0; room < 6; room++) {
		int rc;

		HOLDS(limit_files(4 + room) == 0);
		HOLDS(null_device() == 3);
		rc = open_as(SBX_STDIO_PIPE, SBX_STDIO_PIPE, SBX_STDIO_PIPE);
		HOLDS(rc == -EMFILE);
		HOLDS(fail.remedy == SBXI_REMEDY_OPEN_FILES);
		HOLDS(n_open_in(0, 64) == 4);
		close(3);
	}
	HOLDS(limit_files(64) == 0);
	HOLDS(open_as(SBX_STDIO_PIPE, SBX_STDIO_PIPE, SBX_STDIO_PIPE) == 0);
	return 0;
}

Test(streams, with_a_full_table_nothing_leaks)
{
	expect_child(open_with_a_full_table);
}

Test(streams, a_pipe_is_the_tasks_own)
{
	struct stat st;

	if (geteuid() != 0)
		cr_skip_test("only a root harness gives pipes away");
	plan.flags = SBXI_PLAN_TASK_ID;
	plan.task_id = 64832;
	cr_assert_eq(open_as(SBX_STDIO_PIPE, SBX_STDIO_PIPE, 2), 0);
	for (int i = 0; i < 2; i++) {
		cr_assert_eq(fstat(s.fd[i], &st), 0);
		cr_expect_eq(st.st_uid, 64832);
		cr_expect_eq(st.st_gid, 64832);
	}
	cr_assert_eq(fstat(2, &st), 0);
	cr_expect_neq(st.st_uid, 64832, "the caller's is not touched");
	sbxi_streams_done(&s);
}

static int open_without_fchown(void)
{
	HOLDS(clear_table() == 0);
	HOLDS(refuse_call(SYS_fchown, EPERM) == 0);
	plan.flags = SBXI_PLAN_TASK_ID;
	HOLDS(open_as(SBX_STDIO_NULL, SBX_STDIO_PIPE, SBX_STDIO_NULL) < 0);
	HOLDS(n_open_in(0, 64) == 3);
	return 0;
}

Test(streams, a_pipe_that_cannot_be_given_away_does_not_leak)
{
	expect_child(open_without_fchown);
}

static bool relayed(int i, uint32_t tier, uint32_t flags)
{
	return sbxi_streams_relayed(&s, i, &policy, tier, flags);
}

/* Which of the three, as bits. */
static unsigned int which(uint32_t tier, uint32_t flags)
{
	unsigned int bits = 0;

	for (int i = 0; i < 3; i++)
		bits |= (unsigned int)relayed(i, tier, flags) << i;
	return bits;
}

#define A SBX_TIER_A
#define B SBX_TIER_B

Test(streams, nothing_is_relayed_without_a_reason)
{
	int fds[2];

	cr_assert_eq(pipe2(fds, O_CLOEXEC), 0);
	cr_assert_eq(open_as(fds[0], fds[1], SBX_STDIO_PIPE), 0);
	cr_expect_eq(which(A, 0), 0);
	cr_expect_eq(which(B, 0), 0);
	sbxi_streams_done(&s);
}

Test(streams, output_that_is_counted_is_relayed)
{
	int fds[2];

	cr_assert_eq(pipe2(fds, O_CLOEXEC), 0);
	plan.flags = SBXI_PLAN_RELAY_OUTPUT;
	cr_assert_eq(open_as(fds[0], fds[1], SBX_STDIO_PIPE), 0);
	cr_expect_eq(which(A, 0), 6);
	cr_expect_eq(which(B, 0), 6);
	sbxi_streams_done(&s);
	/* What goes nowhere is not counted. */
	cr_assert_eq(open_as(fds[0], SBX_STDIO_NULL, fds[1]), 0);
	cr_expect_eq(which(A, 0), 4);
	sbxi_streams_done(&s);
}

static int open_terminal(int *ret_master)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), fd;
	char name[64];

	if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0 ||
	    ptsname_r(master, name, sizeof(name)) != 0)
		return -1;
	fd = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
	*ret_master = master;
	return fd;
}

Test(streams, a_terminal_is_relayed_unless_it_is_given_as_one)
{
	int master, tty = open_terminal(&master);

	if (tty < 0)
		skip_or_fail("no pseudoterminal here");
	cr_assert_eq(open_as(tty, tty, SBX_STDIO_NULL), 0);
	cr_expect_eq(which(A, 0), 3);
	cr_expect_eq(which(B, 0), 3);
	cr_expect_eq(which(A, SBX_SPAWN_CTTY), 0);
	cr_expect_eq(which(B, SBX_SPAWN_CTTY), 0);
	sbxi_streams_done(&s);
	close(tty);
	close(master);
}

/* The caller's, which a task with an id of its own cannot open by name. */
static void expect_foreign(int fd, unsigned int bits)
{
	cr_assert_geq(fd, 0);
	cr_assert_eq(open_as(fd, fd, fd), 0);
	plan.flags = SBXI_PLAN_TASK_ID;
	cr_expect_eq(which(A, 0), bits, "%u", which(A, 0));
	cr_expect_eq(which(B, 0), 0, "tier B has the caller's id");
	cr_expect_eq(which(A, SBX_SPAWN_CTTY), 0);
	plan.flags = 0;
	cr_expect_eq(which(A, 0), 0);
	sbxi_streams_done(&s);
	close(fd);
}

Test(streams, foreign_ones_are_relayed_to_a_task_with_its_own_id)
{
	int fds[2], pair[2], file;

	cr_assert_eq(pipe2(fds, O_CLOEXEC), 0);
	expect_foreign(fds[0], 7);
	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0,
				pair), 0);
	expect_foreign(pair[0], 7);
	make_scratch();
	file = openat(scratch_fd, "file", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	/* Not as input: reading ahead would move the caller's offset. */
	expect_foreign(file, 6);
	drop_scratch();
	/* Anybody opens this one. */
	expect_foreign(null_device(), 0);
	close(fds[1]);
	close(pair[1]);
}

Test(streams, pipes_of_our_own_are_not_foreign)
{
	plan.flags = SBXI_PLAN_TASK_ID;
	plan.task_id = geteuid();
	cr_assert_eq(open_as(SBX_STDIO_PIPE, SBX_STDIO_PIPE,
			     SBX_STDIO_PIPE), 0);
	cr_expect_eq(which(A, 0), 0);
	plan.flags |= SBXI_PLAN_RELAY_OUTPUT;
	cr_expect_eq(which(A, 0), 6);
	sbxi_streams_done(&s);
}

Test(streams, null_is_never_relayed)
{
	plan.flags = SBXI_PLAN_TASK_ID | SBXI_PLAN_RELAY_OUTPUT;
	cr_assert_eq(open_as(SBX_STDIO_NULL, SBX_STDIO_NULL, SBX_STDIO_NULL),
		     0);
	cr_expect_eq(which(A, 0), 0);
	cr_expect_eq(which(B, 0), 0);
	sbxi_streams_done(&s);
}

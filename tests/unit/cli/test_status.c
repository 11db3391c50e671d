/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "message.h"
#include "status.h"
#include "text.h"

static int pipe_fd[2];
static struct cli_status status;

static void open_pipe(void)
{
	cr_assert_eq(pipe2(pipe_fd, O_CLOEXEC | O_NONBLOCK), 0);
	status = (struct cli_status){ .program = "test", .fd = pipe_fd[1] };
}

static void close_pipe(void)
{
	close(pipe_fd[0]);
	close(pipe_fd[1]);
}

TestSuite(status, .init = open_pipe, .fini = close_pipe, .timeout = 10);
TestSuite(text, .timeout = 10);

static const char *written(void)
{
	static char buf[4096];
	ssize_t n = read(pipe_fd[0], buf, sizeof(buf) - 1);

	buf[n > 0 ? n : 0] = '\0';
	return buf;
}

Test(status, each_end_has_its_exit_status)
{
	static const struct {
		uint32_t kind;
		int32_t code;
		int status;
	} ends[] = {
		{ SBX_EXITED, 0, 0 },	    { SBX_EXITED, 255, 255 },
		{ SBX_SIGNALED, 15, 143 },  { SBX_DENIED_SYSCALL, SIGSYS, 159 },
		{ SBX_TIMEOUT, 0, 124 },    { SBX_CPU_LIMIT, 0, 124 },
		{ SBX_MEMORY_LIMIT, 0, 137 }, { SBX_BUDGET, 0, 137 },
	};
	struct sbx_exit ex = SBX_EXIT_INIT;
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		ex.kind = ends[i].kind;
		ex.code = ends[i].code;
		cr_expect_eq(cli_exit_status(&ex), ends[i].status,
			     "kind %u is %d", ends[i].kind,
			     cli_exit_status(&ex));
	}
}

Test(status, only_a_failure_at_exec_is_about_the_command)
{
	static const struct {
		uint32_t step;
		int code, status;
	} failures[] = {
		{ SBX_STEP_EXEC, -ENOENT, 127 },
		{ SBX_STEP_EXEC, -EACCES, 126 },
		{ SBX_STEP_EXEC, -ENOEXEC, 126 },
		{ SBX_STEP_EXEC, -ENOMEM, 125 },
		{ SBX_STEP_CWD, -ENOENT, 125 },
		{ SBX_STEP_OPEN_PATHS, -ENOENT, 125 },
		{ SBX_STEP_OPEN_PATHS, -EACCES, 125 },
	};
	struct cli_fault fault;
	size_t i;

	for (i = 0; i < sizeof(failures) / sizeof(failures[0]); i++) {
		cr_expect_eq(cli_fault(&fault, failures[i].code,
				       failures[i].step, "x", NULL, NULL),
			     failures[i].code);
		cr_expect_eq(cli_fault_status(&fault), failures[i].status,
			     "failure %zu is %d", i, cli_fault_status(&fault));
	}
}

Test(status, an_end_is_one_line_of_json)
{
	struct sbx_exit ex = SBX_EXIT_INIT;

	ex.kind = SBX_SIGNALED;
	ex.code = 9;
	ex.wall_ms = 12;
	ex.max_rss_bytes = UINT64_MAX;
	ex.flags = SBX_EXIT_OUTPUT_CUT;
	cli_status_exit(&status, &ex, 137);
	cr_expect_str_eq(written(),
			 "{\"event\":\"exit\",\"kind\":\"signaled\",\"code\":9,"
			 "\"status\":137,\"wall_ms\":12,\"cpu_us\":0,"
			 "\"max_rss_bytes\":18446744073709551615,"
			 "\"output_bytes\":0,\"output_cut\":true}\n");
}

Test(status, an_error_holds_any_text)
{
	struct cli_fault fault;

	(void)cli_fault(&fault, -ENOENT, SBX_STEP_EXEC, "a\"\\\n\xff\xc3\xa4",
			"do this", "that");
	cli_status_error(&status, &fault, 127);
	cr_expect_str_eq(written(),
			 "{\"event\":\"error\",\"code\":\"ENOENT\","
			 "\"step\":\"exec\",\"object\":\"a\\\"\\\\\\u000a"
			 "\\ufffd\xc3\xa4\",\"text\":\"that\","
			 "\"remedy\":\"do this\",\"status\":127}\n");
}

Test(status, without_a_descriptor_nothing_is_written)
{
	struct sbx_exit ex = SBX_EXIT_INIT;

	status.fd = -1;
	cli_status_exit(&status, &ex, 0);
	cr_expect_str_eq(written(), "");
}

Test(status, a_reader_that_is_gone_ends_the_status)
{
	struct sbx_exit ex = SBX_EXIT_INIT;

	cr_assert(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
	close(pipe_fd[0]);
	cli_status_exit(&status, &ex, 0);
	cr_expect_eq(status.fd, -1);
	pipe_fd[0] = dup(pipe_fd[1]);	/* for close_pipe() */
}

static void expect_escaped(const char *text, const char *wanted)
{
	char *escaped = cli_text_escaped(text);

	cr_assert(escaped != NULL);
	cr_expect_str_eq(escaped, wanted);
	free(escaped);
}

Test(text, what_can_be_read_stays)
{
	expect_escaped("plain text, \xc3\xa4 \xe2\x82\xac \xf0\x9f\x99\x82",
		       "plain text, \xc3\xa4 \xe2\x82\xac \xf0\x9f\x99\x82");
	expect_escaped("", "");
}

Test(text, what_a_terminal_would_act_on_is_escaped)
{
	expect_escaped("\033[31m", "\\x1b[31m");
	expect_escaped("a\nb\tc\rd\x7f", "a\\nb\\tc\\rd\\x7f");
	expect_escaped("\xc2\x9b" "1m", "\\xc2\\x9b1m");	/* C1 CSI */
	expect_escaped("\xe2\x80\xae", "\\xe2\\x80\\xae");	/* U+202E */
}

Test(text, bytes_that_are_no_utf8_are_escaped)
{
	expect_escaped("\xff", "\\xff");
	expect_escaped("\xc3", "\\xc3");
	expect_escaped("\xc0\xaf", "\\xc0\\xaf");		/* overlong */
	expect_escaped("\xed\xa0\x80", "\\xed\\xa0\\x80");	/* surrogate */
	expect_escaped("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
	expect_escaped("\xe2\x82", "\\xe2\\x82");
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "denial.h"
#include "status.h"

TestSuite(denial, .timeout = 10);

static const struct cli_denial read_of_x = {
	.operation = "open", .object = "/srv/x", .allow_with = "--ro /srv/x"
};
static const struct cli_denial hostile = {
	.operation = "open",
	.object = "/tmp/\033[2J\nsbx-exec: ok\xe2\x80\xae\xff",
	.allow_with = "--ro '/tmp/\r'",
};

static const char *printed(const struct cli_denial *d, bool colour)
{
	static char line[1024];
	FILE *out = fmemopen(line, sizeof(line), "w");

	cli_denial_print(out, "prog", d, colour);
	fclose(out);
	return line;
}

Test(denial, is_a_line_with_the_option_that_allows_it)
{
	cr_assert_str_eq(printed(&read_of_x, false),
			 "prog: denied: open: /srv/x - allow it with --ro /srv/x");
}

Test(denial, colours_only_what_is_its_own)
{
	cr_assert_str_eq(printed(&read_of_x, true),
			 "\033[1;33mprog: denied:\033[0m open: /srv/x - "
			 "allow it with --ro /srv/x");
}

Test(denial, says_nothing_of_an_option_that_there_is_not)
{
	const struct cli_denial d = { .operation = "open",
				       .object = "/srv/x",
				       .allow_with = "" };

	cr_assert_str_eq(printed(&d, false), "prog: denied: open: /srv/x");
}

Test(denial, has_a_hint_of_its_own_where_the_option_allows_nothing)
{
	const struct cli_denial d = { .operation = "syscall",
				       .object = "x",
				       .allow_with = "--explain",
				       .hint = "see" };

	cr_assert_str_eq(printed(&d, false),
			 "prog: denied: syscall: x - see --explain");
}

Test(denial, of_hostile_text_is_one_line_without_controls)
{
	const char *line = printed(&hostile, false);

	cr_assert_null(strpbrk(line, "\n\r\033"));
	cr_assert_null(strstr(line, "\xe2\x80\xae"));
	cr_assert_null(strchr(line, '\xff'));
	cr_assert(strstr(line, "\\x1b[2J\\nsbx-exec: ok"), "%s", line);
	/* The control: unescaped the text has them. */
	cr_assert(strpbrk(hostile.object, "\n\033"));
}

static const char *as_record(const struct cli_denial *d)
{
	static char buf[1024];
	struct cli_status status = { .program = "test" };
	int end[2];
	ssize_t n;

	cr_assert_eq(pipe(end), 0);
	status.fd = end[1];
	cli_status_denial(&status, d);
	n = read(end[0], buf, sizeof(buf) - 1);
	buf[n > 0 ? n : 0] = '\0';
	close(end[0]);
	close(end[1]);
	return buf;
}

Test(denial, is_a_record_for_programs)
{
	cr_assert_str_eq(as_record(&read_of_x),
			 "{\"event\":\"denial\",\"type\":\"denial\","
			 "\"operation\":\"open\",\"object\":\"/srv/x\","
			 "\"allow_with\":\"--ro /srv/x\"}\n");
}

Test(denial, of_hostile_text_is_one_record)
{
	const char *line = as_record(&hostile);

	cr_assert_eq(strchr(line, '\n'), line + strlen(line) - 1);
	cr_assert_null(strpbrk(line, "\r\033"));
	cr_assert(strstr(line, "\\u001b[2J\\u000asbx-exec: ok"), "%s", line);
}

Test(denial, without_a_status_descriptor_is_no_record)
{
	struct cli_status status = { .program = "test", .fd = -1 };

	cli_status_denial(&status, &read_of_x);
	cr_assert_eq(status.fd, -1);
}

Test(denial, of_each_limit_names_its_option)
{
	static const struct {
		uint32_t kind;
		int32_t code;
		const char *option;	/* NULL: nothing was refused */
	} ends[] = {
		{ SBX_EXITED, 1, NULL },
		{ SBX_SIGNALED, SIGTERM, NULL },
		{ SBX_SIGNALED, SIGXFSZ, "--file-size" },
		{ SBX_DENIED_SYSCALL, SIGSYS, "--explain-syscalls" },
		{ SBX_TIMEOUT, 0, "--timeout" },
		{ SBX_CPU_LIMIT, 0, "--cpu" },
		{ SBX_MEMORY_LIMIT, 0, "--memory" },
		{ SBX_PROCESS_LIMIT, 0, "--processes" },
		{ 0, 0, NULL },
		{ 4000000, 0, NULL },
	};
	struct sbx_exit ex = SBX_EXIT_INIT;
	struct cli_denial d;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		ex.kind = ends[i].kind;
		ex.code = ends[i].code;
		cr_assert_eq(cli_denial_of_exit(&ex, 0, &d),
			     ends[i].option != NULL, "kind %u", ex.kind);
		if (ends[i].option)
			cr_assert_str_eq(d.allow_with, ends[i].option);
		cr_assert_not(cli_denial_of_exit(&ex, 1, &d));
	}
}

Test(denial, of_cut_output_comes_beside_another)
{
	struct sbx_exit ex = SBX_EXIT_INIT;
	struct cli_denial d;

	ex.kind = SBX_TIMEOUT;
	ex.flags = SBX_EXIT_OUTPUT_CUT;
	cr_assert(cli_denial_of_exit(&ex, 0, &d));
	cr_assert_str_eq(d.operation, "time");
	cr_assert(cli_denial_of_exit(&ex, 1, &d));
	cr_assert_str_eq(d.operation, "output");
	cr_assert_not(cli_denial_of_exit(&ex, 2, &d));
}

/* What arrives at a terminal that is this process's standard error. */
static const char *told(bool raw)
{
	static char buf[1024];
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave;
	struct termios t;
	ssize_t n;

	cr_assert(master >= 0 && grantpt(master) == 0 &&
		  unlockpt(master) == 0);
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	cr_assert(slave >= 0 && tcgetattr(slave, &t) == 0);
	/* So that what arrives is what was written. */
	t.c_oflag &= ~(tcflag_t)ONLCR;
	if (raw)
		cfmakeraw(&t);
	cr_assert_eq(tcsetattr(slave, TCSANOW, &t), 0);
	cr_assert_eq(dup2(slave, STDERR_FILENO), STDERR_FILENO);
	cli_denial_tell("prog", &read_of_x);
	n = read(master, buf, sizeof(buf) - 1);
	buf[n > 0 ? n : 0] = '\0';
	return buf;
}

Test(denial, on_a_terminal_is_coloured)
{
	unsetenv("NO_COLOR");
	cr_assert_str_eq(told(false),
			 "\033[1;33mprog: denied:\033[0m open: /srv/x - "
			 "allow it with --ro /srv/x\n");
}

Test(denial, on_a_terminal_honours_no_color)
{
	setenv("NO_COLOR", "1", 1);
	cr_assert_str_eq(told(false),
			 "prog: denied: open: /srv/x - "
			 "allow it with --ro /srv/x\n");
}

Test(denial, on_a_raw_terminal_goes_back_to_the_margin)
{
	setenv("NO_COLOR", "1", 1);
	cr_assert_str_eq(told(true),
			 "prog: denied: open: /srv/x - "
			 "allow it with --ro /srv/x\r\n");
}

Test(denial, where_no_terminal_is_says_nothing)
{
	int end[2];
	char c;

	cr_assert_eq(pipe2(end, O_NONBLOCK), 0);
	cr_assert_eq(dup2(end[1], STDERR_FILENO), STDERR_FILENO);
	setenv("CLICOLOR_FORCE", "1", 1);
	cli_denial_tell("prog", &read_of_x);
	cr_assert_lt(read(end[0], &c, 1), 0);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* denial: what a task was refused, and what would allow it. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include "denial.h"
#include "message.h"
#include "text.h"

#define YELLOW "\033[1;33m"
#define PLAIN "\033[0m"

/* On a terminal; the status descriptor has more. */
#define LINES_MAX 100

static const struct cli_denial of_kind[] = {
	[SBX_DENIED_SYSCALL] = {
		.operation = "syscall",
		.object = "ended for a system call that no task may make",
		.allow_with = "--explain-syscalls",
		.hint = "see" },
	[SBX_TIMEOUT] = {
		.operation = "time",
		.object = "ended by its limit of real time",
		.allow_with = "--timeout",
		.hint = "raise it with" },
	[SBX_CPU_LIMIT] = {
		.operation = "cpu",
		.object = "ended by its limit of CPU time",
		.allow_with = "--cpu",
		.hint = "raise it with" },
	[SBX_MEMORY_LIMIT] = {
		.operation = "memory",
		.object = "ended by its limit of memory",
		.allow_with = "--memory",
		.hint = "raise it with" },
	[SBX_PROCESS_LIMIT] = {
		.operation = "processes",
		.object = "ended by its limit of processes",
		.allow_with = "--processes",
		.hint = "raise it with" },
};

static const struct cli_denial output_cut = {
	.operation = "output",
	.object = "output was cut at its limit",
	.allow_with = "--output",
	.hint = "raise it with"
};

static const struct cli_denial file_size = {
	.operation = "file-size",
	.object = "ended by its limit of one file's size",
	.allow_with = "--file-size",
	.hint = "raise it with"
};

void cli_denial_print(FILE *out, const char *program,
		      const struct cli_denial *d, bool colour)
{
	(void)fprintf(out, "%s%s: denied:%s ", colour ? YELLOW : "", program,
		      colour ? PLAIN : "");
	cli_text_print(out, d->operation);
	(void)fputs(": ", out);
	cli_text_print(out, d->object);
	if (d->allow_with[0] == '\0')
		return;
	(void)fprintf(out, " - %s ", d->hint ? d->hint : "allow it with");
	cli_text_print(out, d->allow_with);
}

/* With a terminal of the task's own, the caller's turns no newline. */
static bool is_raw(int fd)
{
	struct termios t;

	return tcgetattr(fd, &t) == 0 && !(t.c_oflag & OPOST);
}

/*
 * One write, so that a line of ours is not torn by the task's; none to a
 * terminal that takes nothing, since a task can be refused without end.
 */
static void write_line(const char *line, size_t len)
{
	struct pollfd p = { .fd = STDERR_FILENO, .events = POLLOUT };
	ssize_t n;

	if (poll(&p, 1, 0) != 1)
		return;
	do
		n = write(STDERR_FILENO, line, len);
	while (n < 0 && errno == EINTR);
}

void cli_denial_tell(const char *program, const struct cli_denial *denial)
{
	char *line = NULL;
	size_t len = 0;
	FILE *out;

	static unsigned int told;

	if (told == LINES_MAX || !isatty(STDERR_FILENO))
		return;
	told++;
	out = open_memstream(&line, &len);
	if (!out)
		return;
	cli_denial_print(out, program, denial, cli_colour(STDERR_FILENO));
	(void)fputs(is_raw(STDERR_FILENO) ? "\r\n" : "\n", out);
	if (fclose(out) == 0)
		write_line(line, len);
	free(line);
}

/* The first of them, or NULL. */
static const struct cli_denial *of_end(const struct sbx_exit *ex)
{
	if (ex->kind == SBX_SIGNALED && ex->code == SIGXFSZ)
		return &file_size;
	if (ex->kind < sizeof(of_kind) / sizeof(of_kind[0]) &&
	    of_kind[ex->kind].operation)
		return &of_kind[ex->kind];
	return NULL;
}

bool cli_denial_of_exit(const struct sbx_exit *ex, size_t index,
			struct cli_denial *ret)
{
	const struct cli_denial *all[2] = { of_end(ex), NULL };
	size_t n = all[0] ? 1 : 0;

	if (ex->flags & SBX_EXIT_OUTPUT_CUT)
		all[n++] = &output_cut;
	if (index >= n)
		return false;
	*ret = *all[index];
	return true;
}

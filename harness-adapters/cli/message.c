/* SPDX-License-Identifier: Apache-2.0 */
/* message: what went wrong, as one line on standard error. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "text.h"

#define RED "\033[1;31m"
#define PLAIN "\033[0m"

static void copy(char *to, size_t size, const char *from)
{
	(void)snprintf(to, size, "%s", from ? from : "");
}

int cli_fault(struct cli_fault *fault, int code, uint32_t step,
	      const char *object, const char *remedy, const char *fmt, ...)
{
	va_list ap;

	*fault = (struct cli_fault){ .code = code, .step = step };
	copy(fault->object, sizeof(fault->object), object);
	copy(fault->remedy, sizeof(fault->remedy), remedy);
	if (!fmt) {
		copy(fault->text, sizeof(fault->text), strerror(-code));
		return code;
	}
	va_start(ap, fmt);
	(void)vsnprintf(fault->text, sizeof(fault->text), fmt, ap);
	va_end(ap);
	return code;
}

int cli_fault_library(struct cli_fault *fault, int code,
		      const struct sbx_error *error, const char *before)
{
	*fault = (struct cli_fault){ .code = code,
				     .step = error->step,
				     .sys_errno = error->sys_errno };
	(void)snprintf(fault->object, sizeof(fault->object), "%s%s%s",
		       before ? before : "",
		       before && error->object[0] ? ": " : "", error->object);
	copy(fault->text, sizeof(fault->text),
	     error->text[0] ? error->text : strerror(-code));
	copy(fault->remedy, sizeof(fault->remedy),
	     sbx_remedy_text(error->remedy));
	return code;
}

bool cli_colour(int fd)
{
	const char *no = getenv("NO_COLOR");
	const char *force = getenv("CLICOLOR_FORCE");

	if (no && *no)
		return false;
	if (force && *force && strcmp(force, "0") != 0)
		return true;
	return isatty(fd);
}

/* One write, so that a line of ours is not torn by the task's. */
static void write_line(const char *line, size_t len)
{
	ssize_t n;

	while (len > 0) {
		n = write(STDERR_FILENO, line, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;	/* nobody is left to be told */
		line += n;
		len -= (size_t)n;
	}
}

static void print_part(FILE *out, const char *before, const char *text)
{
	if (text[0] == '\0')
		return;
	(void)fputs(before, out);
	cli_text_print(out, text);
}

static void print_line(const char *program, const char *step,
		       const char *object, const char *text,
		       const char *remedy)
{
	bool colour = cli_colour(STDERR_FILENO);
	char *line = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&line, &len);

	if (!out)
		return;
	(void)fprintf(out, "%s%s:%s", colour ? RED : "", program,
		      colour ? PLAIN : "");
	print_part(out, " ", step);
	print_part(out, step[0] ? ": " : " ", object);
	print_part(out, step[0] || object[0] ? ": " : " ", text);
	print_part(out, " - ", remedy);
	(void)fputc('\n', out);
	if (fclose(out) == 0)
		write_line(line, len);
	free(line);
}

void cli_message(const char *program, const struct cli_fault *fault)
{
	const char *step = sbx_step_name(fault->step);

	print_line(program, fault->step == SBX_STEP_NONE ? "" : step,
		   fault->object, fault->text, fault->remedy);
}

void cli_note(const char *program, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	print_line(program, "", "", text, "");
}

int cli_fault_status(const struct cli_fault *fault)
{
	if (fault->step != SBX_STEP_EXEC)
		return CLI_EXIT_SETUP;
	switch (-fault->code) {
	case ENOENT:
		return CLI_EXIT_NOT_FOUND;
	case EACCES:
	case ENOEXEC:
	case ENOTDIR:
	case ELOOP:
	case ENAMETOOLONG:
		return CLI_EXIT_NOT_EXECUTABLE;
	default:
		/* Not a documented code; execve(2) has more reasons. */
		if (fault->sys_errno == ETXTBSY || fault->sys_errno == EISDIR)
			return CLI_EXIT_NOT_EXECUTABLE;
		return CLI_EXIT_SETUP;
	}
}

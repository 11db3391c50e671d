/* SPDX-License-Identifier: Apache-2.0 */
/* status: what happens to the task, as JSON lines on a descriptor. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "status.h"
#include "text.h"

/* Bytes of denials; a pipe takes twice as much. */
#define DENIALS_MAX 32768

struct line {
	char *text;
	size_t len;
	FILE *out;
};

static int line_begin(struct line *line, const struct cli_status *status,
		      const char *event)
{
	*line = (struct line){ .text = NULL };
	if (status->fd < 0)
		return -EBADF;
	line->out = open_memstream(&line->text, &line->len);
	if (!line->out)
		return -ENOMEM;
	(void)fprintf(line->out, "{\"event\":\"%s\"", event);
	return 0;
}

static void put_text(struct line *line, const char *key, const char *value)
{
	(void)fprintf(line->out, ",\"%s\":", key);
	cli_text_json(line->out, value);
}

static void put_number(struct line *line, const char *key, uint64_t value)
{
	(void)fprintf(line->out, ",\"%s\":%" PRIu64, key, value);
}

/* The caller's descriptor may be non-blocking: that is his to choose. */
static int write_all(int fd, const char *text, size_t len)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	ssize_t n;

	while (len > 0) {
		n = write(fd, text, len);
		if (n < 0 && errno == EAGAIN)
			(void)poll(&p, 1, -1);	/* EINTR: write again */
		else if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0) {
			text += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

static int close_line(struct line *line)
{
	(void)fputs("}\n", line->out);
	return fclose(line->out) != 0 ? -ENOMEM : 0;
}

static void give_up(struct cli_status *status, int rc)
{
	cli_note(status->program, "--status-fd %d: %s", status->fd,
		 strerror(-rc));
	status->fd = -1;
}

static void line_end(struct line *line, struct cli_status *status)
{
	int rc = close_line(line);

	if (rc == 0)
		rc = write_all(status->fd, line->text, line->len);
	free(line->text);
	if (rc < 0)
		give_up(status, rc);
}

/* A pipe that is writable takes so much at once: pipe(7). */
static bool fits(const struct cli_status *status, size_t len)
{
	struct pollfd p = { .fd = status->fd, .events = POLLOUT };

	return len <= PIPE_BUF && status->denied + len <= DENIALS_MAX &&
	       poll(&p, 1, 0) == 1;
}

static void line_end_now(struct line *line, struct cli_status *status)
{
	int rc = close_line(line);

	if (rc == 0 && fits(status, line->len)) {
		status->denied += line->len;
		rc = write_all(status->fd, line->text, line->len);
	} else {
		status->missed++;
	}
	free(line->text);
	if (rc < 0)
		give_up(status, rc);
}

/* The supervisor's process id from its pidfd; 0 = not to be had. */
static uint64_t pid_of(int pidfd)
{
	char path[64], buf[1024], *at;
	long long pid = 0;
	ssize_t n;
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", pidfd);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, buf, sizeof(buf) - 1);
	close(fd);
	if (n <= 0)
		return 0;
	buf[n] = '\0';
	at = strstr(buf, "\nPid:");
	if (at)
		pid = strtoll(at + strlen("\nPid:"), NULL, 10);
	return pid > 0 ? (uint64_t)pid : 0;	/* -1: it has ended */
}

static const char *tier_of(const struct sbx_task *task)
{
	static const char *const names[] = { "none", "B", "A" };
	struct sbx_report *report = NULL;
	uint32_t tier;

	if (sbx_task_report(task, &report) < 0)
		return NULL;
	tier = sbx_report_tier(report);
	sbx_report_free(report);
	return tier < sizeof(names) / sizeof(names[0]) ? names[tier] : NULL;
}

void cli_status_start(struct cli_status *status, const struct sbx_task *task)
{
	const char *tier;
	struct line line;
	uint64_t pid;

	if (line_begin(&line, status, "start") < 0)
		return;
	pid = pid_of(sbx_task_pidfd(task));
	if (pid > 0)
		put_number(&line, "pid", pid);
	tier = tier_of(task);
	if (tier)
		put_text(&line, "tier", tier);
	line_end(&line, status);
}

const char *cli_exit_kind(uint32_t kind)
{
	static const char *const names[] = {
		[SBX_EXITED] = "exited",
		[SBX_SIGNALED] = "signaled",
		[SBX_DENIED_SYSCALL] = "denied-syscall",
		[SBX_TIMEOUT] = "timeout",
		[SBX_CPU_LIMIT] = "cpu-limit",
		[SBX_MEMORY_LIMIT] = "memory-limit",
		[SBX_BUDGET] = "budget",
		[SBX_HARNESS_GONE] = "harness-gone",
		[SBX_PROCESS_LIMIT] = "process-limit",
	};

	if (kind >= sizeof(names) / sizeof(names[0]) || !names[kind])
		return "unknown";
	return names[kind];
}

int cli_exit_status(const struct sbx_exit *ex)
{
	switch (ex->kind) {
	case SBX_EXITED:
		return ex->code;
	case SBX_SIGNALED:
		return CLI_EXIT_SIGNAL + ex->code;
	case SBX_DENIED_SYSCALL:
		return CLI_EXIT_SIGNAL + SIGSYS;
	case SBX_TIMEOUT:
	case SBX_CPU_LIMIT:
		return CLI_EXIT_TIME;
	default:
		/* Killed for some other limit, memory above all. */
		return CLI_EXIT_SIGNAL + SIGKILL;
	}
}

void cli_status_exit(struct cli_status *status, const struct sbx_exit *ex,
		     int exit_status)
{
	struct line line;

	if (line_begin(&line, status, "exit") < 0)
		return;
	put_text(&line, "kind", cli_exit_kind(ex->kind));
	(void)fprintf(line.out, ",\"code\":%" PRId32 ",\"status\":%d",
		      ex->code, exit_status);
	put_number(&line, "wall_ms", ex->wall_ms);
	put_number(&line, "cpu_us", ex->cpu_us);
	put_number(&line, "max_rss_bytes", ex->max_rss_bytes);
	put_number(&line, "output_bytes", ex->output_bytes);
	(void)fprintf(line.out, ",\"output_cut\":%s",
		      ex->flags & SBX_EXIT_OUTPUT_CUT ? "true" : "false");
	if (status->missed + ex->missed > 0)
		put_number(&line, "missed", status->missed + ex->missed);
	line_end(&line, status);
}

void cli_status_denial(struct cli_status *status,
		       const struct cli_denial *denial)
{
	struct line line;

	if (line_begin(&line, status, "denial") < 0)
		return;
	put_text(&line, "type", "denial");
	put_text(&line, "operation", denial->operation);
	if (denial->code < 0)
		put_text(&line, "errno", cli_errno_name(-denial->code));
	if (denial->missed > 0)
		put_number(&line, "missed", denial->missed);
	put_text(&line, "object", denial->object);
	put_text(&line, "allow_with", denial->allow_with);
	line_end_now(&line, status);
}

void cli_status_error(struct cli_status *status,
		      const struct cli_fault *fault, int exit_status)
{
	struct line line;

	if (line_begin(&line, status, "error") < 0)
		return;
	put_text(&line, "code", cli_errno_name(-fault->code));
	if (fault->sys_errno > 0)
		put_text(&line, "errno", cli_errno_name(fault->sys_errno));
	put_text(&line, "step", sbx_step_name(fault->step));
	put_text(&line, "object", fault->object);
	put_text(&line, "text", fault->text);
	put_text(&line, "remedy", fault->remedy);
	(void)fprintf(line.out, ",\"status\":%d", exit_status);
	line_end(&line, status);
}

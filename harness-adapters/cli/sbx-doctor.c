/* SPDX-License-Identifier: Apache-2.0 */
/* sbx-doctor: what this host can hold, tried out; causes and remedies. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <sandbox/sandbox.h>

#include "message.h"
#include "stdfds.h"
#include "table.h"
#include "text.h"

#define PROGRAM "sbx-doctor"

enum {
	EXIT_FULL = 0,
	EXIT_DEGRADED = 1,
	EXIT_UNUSABLE = 2,
	EXIT_USAGE = 2
};

static const char usage[] =
"Usage: sbx-doctor [--json]\n"
"Try each mechanism of this host in a throw-away process, and say what holds,\n"
"why the rest does not, and what to change.\n"
"\n"
"  --json     the report as JSON on one line\n"
"  --help, --version\n"
"\n"
"Exit status: 0 all holds, 1 degraded, 2 unusable.\n";

static int finish_output(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	cli_note(PROGRAM, "standard output: %s", strerror(errno));
	return EXIT_UNUSABLE;
}

static bool is_missing(const struct sbx_report_row *row)
{
	return row->state == SBX_STATE_ABSENT ||
	       row->state == SBX_STATE_PARTIAL;
}

static int verdict(const struct sbx_report *report)
{
	struct sbx_report_row row = SBX_REPORT_ROW_INIT;
	int status = EXIT_FULL;
	size_t i;

	if (sbx_report_tier(report) == SBX_TIER_NONE)
		return EXIT_UNUSABLE;
	if (sbx_report_tier(report) != SBX_TIER_A)
		status = EXIT_DEGRADED;
	/* A row that is off by default is said, but lacks nobody. */
	for (i = 0; sbx_report_row(report, i, &row) == 0; i++) {
		if (is_missing(&row) && row.level != SBX_OFF)
			status = EXIT_DEGRADED;
	}
	return status;
}

static void print_cause(const struct sbx_report_row *row)
{
	(void)fputs(row->level == SBX_OFF ? "note: " : "cause: ", stdout);
	cli_text_print(stdout, row->name);
	(void)printf(" is %s", cli_state_name(row->state));
	if (row->sys_errno > 0)
		(void)printf(": %s (%s)", cli_errno_name(row->sys_errno),
			     strerror(row->sys_errno));
	else if (row->object && row->object[0]) {
		(void)fputs(": ", stdout);
		cli_text_print(stdout, row->object);
	}
	(void)fputc('\n', stdout);
	if (*sbx_remedy_text(row->remedy))
		(void)printf("  remedy: %s\n", sbx_remedy_text(row->remedy));
}

static void print_causes(const struct sbx_report *report)
{
	struct sbx_report_row row = SBX_REPORT_ROW_INIT;
	size_t i;

	for (i = 0; sbx_report_row(report, i, &row) == 0; i++) {
		if (is_missing(&row))
			print_cause(&row);
	}
}

/* What a row says of the Landlock ABI, or NULL. */
static const char *landlock_abi(const struct sbx_report_row *row)
{
	const char *text;

	if (!row->name || !strcasestr(row->name, "landlock"))
		return NULL;
	text = row->object ? strcasestr(row->object, "abi") : NULL;
	if (!text && row->mechanisms)
		text = strcasestr(row->mechanisms, "abi");
	return text;
}

static void print_host(const struct sbx_report *report)
{
	struct sbx_report_row row = SBX_REPORT_ROW_INIT;
	const char *abi = NULL;
	struct utsname host;
	size_t i;

	if (uname(&host) == 0)
		(void)printf("kernel %s %s", host.release, host.machine);
	for (i = 0; !abi && sbx_report_row(report, i, &row) == 0; i++)
		abi = landlock_abi(&row);
	if (abi) {
		(void)fputs(", Landlock ", stdout);
		cli_text_print(stdout, abi);
	}
	(void)fputs("\n\n", stdout);
}

static void print_verdict(uint32_t tier, int status, bool colour)
{
	static const char *const words[] = { "full", "degraded", "unusable" };
	static const char *const codes[] = { "\033[1;32m", "\033[1;33m",
					     "\033[1;31m" };
	static const char *const tiers[] = {
		"this host holds no task",
		"tier B: Landlock and system call filter, no namespaces",
		"tier A: a jail with namespaces of its own",
	};

	(void)printf("\n%s%s%s: %s\n", colour ? codes[status] : "",
		     words[status], colour ? "\033[0m" : "",
		     tier <= SBX_TIER_A ? tiers[tier] : "unknown tier");
}

static int print_text(const struct sbx_report *report, int status)
{
	bool colour = cli_colour(STDOUT_FILENO);

	print_host(report);
	if (cli_table_print(stdout, report, true, colour) < 0) {
		cli_note(PROGRAM, "%s", strerror(ENOMEM));
		return EXIT_UNUSABLE;
	}
	print_verdict(sbx_report_tier(report), status, colour);
	print_causes(report);
	return finish_output(status);
}

static int print_json(const struct sbx_report *report, int status)
{
	char *json = NULL;
	int rc;

	rc = sbx_report_json(report, &json);
	if (rc < 0) {
		cli_note(PROGRAM, "%s", strerror(-rc));
		return EXIT_UNUSABLE;
	}
	(void)puts(json);
	free(json);
	return finish_output(status);
}

static int examine(bool as_json)
{
	struct sbx_error error = { .code = 0 };
	struct sbx_report *report = NULL;
	struct cli_fault fault;
	int rc, status;

	rc = sbx_probe(&report, &error);
	if (rc < 0) {
		(void)cli_fault_library(&fault, rc, &error, NULL);
		cli_message(PROGRAM, &fault);
		return EXIT_UNUSABLE;
	}
	status = verdict(report);
	status = as_json ? print_json(report, status) :
			   print_text(report, status);
	sbx_report_free(report);
	return status;
}

static int print_and_end(const char *text)
{
	(void)fputs(text, stdout);
	return finish_output(EXIT_FULL);
}

int main(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 },
	};
	bool as_json = false;
	int c;

	if (cli_stdfds_open() < 0)
		return EXIT_UNUSABLE;
	opterr = 0;
	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (c == 'h')
			return print_and_end(usage);
		if (c == 'V')
			return print_and_end("sbx-doctor (libsandbox) "
					     SBX_VERSION "\n");
		if (c != 'j')
			break;
		as_json = true;
	}
	if (c != -1 || optind < argc) {
		cli_note(PROGRAM, "wrong arguments - try 'sbx-doctor --help'");
		return EXIT_USAGE;
	}
	return examine(as_json);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* report: where --report and --dry-run write what holds. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report.h"
#include "table.h"

static int report_fault(struct cli_fault *fault, int code, const char *name)
{
	char object[sizeof(fault->object)];

	(void)snprintf(object, sizeof(object), "--report %s", name);
	return cli_fault(fault, code, SBX_STEP_ARGUMENT, object, NULL, NULL);
}

int cli_report_open(const char *name, struct cli_fault *fault)
{
	int fd;

	if (strcmp(name, "-") == 0)
		return STDOUT_FILENO;
	fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY,
		  0666);
	return fd < 0 ? report_fault(fault, -errno, name) : fd;
}

static int write_all(int fd, const char *text, size_t len)
{
	ssize_t n;

	while (len > 0) {
		n = write(fd, text, len);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0) {
			text += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

int cli_report_write(const struct sbx_report *report, int fd,
		     const char *name, struct cli_fault *fault)
{
	char *json = NULL, *line = NULL;
	int rc;

	rc = sbx_report_json(report, &json);
	/* The newline with it, so that the line is one write. */
	if (rc == 0 && asprintf(&line, "%s\n", json) < 0) {
		line = NULL;	/* undefined after a failure */
		rc = -ENOMEM;
	}
	if (rc == 0)
		rc = write_all(fd, line, strlen(line));
	free(line);
	free(json);
	if (fd != STDOUT_FILENO && close(fd) < 0 && rc == 0)
		rc = -errno;
	return rc < 0 ? report_fault(fault, rc, name) : 0;
}

int cli_report_check(const struct sbx_report *report,
		     struct cli_fault *fault)
{
	struct sbx_report_row row = SBX_REPORT_ROW_INIT;
	const char *remedy = "";
	char names[256] = "";
	size_t i, n = 0;

	for (i = 0; sbx_report_row(report, i, &row) == 0; i++) {
		/* OFF is a limit that nobody asked for. */
		if (row.level != SBX_REQUIRE ||
		    row.state == SBX_STATE_ENFORCED ||
		    row.state == SBX_STATE_OFF || n >= sizeof(names))
			continue;
		if (*remedy == '\0')
			remedy = sbx_remedy_text(row.remedy);
		n += (size_t)snprintf(names + n, sizeof(names) - n,
				      "%s%s (%s)", n ? ", " : "", row.name,
				      cli_state_name(row.state));
	}
	if (n == 0)
		return 0;
	return cli_fault(fault, -EPERM, SBX_STEP_VERIFY, names, remedy,
			 "required, but does not hold on this host");
}

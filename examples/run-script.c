/* SPDX-License-Identifier: Apache-2.0 */
/* run-script FOLDER SCRIPT: run a shell script that may change one folder. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sandbox/sandbox.h>

static int make_policy(const char *folder, struct sbx_policy **ret,
		       struct sbx_error *e)
{
	int rc = sbx_policy_new(SBX_PROFILE_TOOL, ret, e);

	if (rc == 0)
		rc = sbx_policy_path(*ret, folder,
				     SBX_READ | SBX_WRITE | SBX_EXEC, 0, e);
	if (rc == 0)
		rc = sbx_policy_limit(*ret, SBX_LIMIT_WALL_MS, 10000);
	if (rc == 0)
		rc = sbx_policy_limit(*ret, SBX_LIMIT_MEMORY, 256u << 20);
	return rc;
}

static int copy_output(struct sbx_task *t)
{
	char buf[4096];
	ssize_t n;

	while ((n = read(sbx_task_stdio(t, 1), buf, sizeof(buf))) != 0) {
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0 && fwrite(buf, 1, (size_t)n, stdout) != (size_t)n)
			return -EIO;
	}
	return fflush(stdout) == 0 ? 0 : -EIO;
}

static int print_report(const struct sbx_task *t)
{
	static const char *const states[] = { "off", "absent", "partial",
					      "enforced" };
	struct sbx_report_row row = SBX_REPORT_ROW_INIT;
	struct sbx_report *report;
	int rc = sbx_task_report(t, &report);

	if (rc < 0)
		return rc;
	for (size_t i = 0; sbx_report_row(report, i, &row) == 0; i++)
		printf("%-12s %-9s %s\n", row.name, states[row.state & 3],
		       row.mechanisms);
	sbx_report_free(report);
	return 0;
}

int main(int argc, char **argv)
{
	const char *cmd[] = { "sh", "-c", argc == 3 ? argv[2] : "", NULL };
	char *folder = argc == 3 ? realpath(argv[1], NULL) : NULL;
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_exit ex = SBX_EXIT_INIT;
	struct sbx_error e = { .text = "usage: run-script FOLDER SCRIPT" };
	struct sbx_policy *p = NULL;
	struct sbx_task *t = NULL;
	int rc = folder ? make_policy(folder, &p, &e) : -EINVAL;

	o.argv = cmd;
	o.cwd = folder;
	o.stdio[1] = SBX_STDIO_PIPE;
	o.stdio[2] = SBX_STDIO_INHERIT;
	if (rc < 0 || (rc = sbx_spawn(p, &o, &t, &e)) < 0)
		fprintf(stderr, "run-script: %s %s\n", e.object, e.text);
	else if ((rc = copy_output(t)) == 0 && (rc = print_report(t)) == 0)
		rc = sbx_task_wait(t, -1, &ex);
	sbx_task_unref(t);
	sbx_policy_unref(p);
	free(folder);
	return rc < 0 ? 125 : ex.kind == SBX_EXITED ? ex.code : 124;
}

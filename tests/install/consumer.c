/* SPDX-License-Identifier: Apache-2.0 */
/*
 * consumer: a program outside of the tree, built with pkg-config's flags alone
 * as C and as C++.  It grants a pipe to a task, reads what the task writes to
 * it, and ends with the task's exit status.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sandbox/sandbox.h>

static int fail(const char *what, const struct sbx_error *e)
{
	fprintf(stderr, "consumer: %s: %s: %s: %s\n", what,
		sbx_step_name(e->step), e->object, e->text);
	return 125;
}

int main(void)
{
	const char *argv[] = { "sh", "-c", "echo $SBX_FDS >&5; exit 7", NULL };
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_grant g = SBX_GRANT_INIT;
	struct sbx_exit ex = SBX_EXIT_INIT;
	struct sbx_error e;
	struct sbx_policy *p = NULL;
	struct sbx_task *t = NULL;
	char text[32] = "";
	int end[2];

	memset(&e, 0, sizeof(e));
	if (pipe(end) < 0)
		return 125;
	g.kind = SBX_GRANT_FD;
	g.name = "out";
	g.fd = end[1];
	g.task_fd = 5;
	o.argv = argv;
	o.grants = &g;
	o.n_grants = 1;
	if (sbx_policy_new(SBX_PROFILE_TOOL, &p, &e) < 0)
		return fail("policy", &e);
	if (sbx_spawn(p, &o, &t, &e) < 0)
		return fail("spawn", &e);
	if (sbx_task_wait(t, -1, &ex) < 0 || ex.kind != SBX_EXITED)
		return 124;
	close(end[1]);
	if (read(end[0], text, sizeof(text) - 1) < 0 ||
	    strcmp(text, "out:5\n") != 0)
		return 123;
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return ex.code;
}

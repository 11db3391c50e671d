/* SPDX-License-Identifier: Apache-2.0 */
/* many-tasks: eight tasks at once, followed by one thread with poll(2). */
#include <errno.h>
#include <poll.h>
#include <stdio.h>

#include <sandbox/sandbox.h>

enum { N = 8 };

static int start(struct sbx_policy *p, int i, struct sbx_task **ret,
		 struct sbx_error *e)
{
	char script[40];
	const char *argv[] = { "sh", "-c", script, NULL };
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;

	snprintf(script, sizeof(script), "sleep 0.%d; exit %d", i, i);
	o.argv = argv;
	return sbx_spawn(p, &o, ret, e);
}

/* Task i may have ended: take its status, and do not poll it again. */
static int collect(struct sbx_task *t, int i, struct pollfd *poll_entry)
{
	struct sbx_exit ex = SBX_EXIT_INIT;
	int rc = sbx_task_dispatch(t);

	if (rc <= 0)
		return rc;
	rc = sbx_task_wait(t, 0, &ex);
	if (rc < 0)
		return rc;
	printf("task %d: %s %d after %llu ms\n", i,
	       ex.kind == SBX_EXITED ? "status" : "ended otherwise:", ex.code,
	       (unsigned long long)ex.wall_ms);
	poll_entry->fd = -1;
	return 1;
}

static int follow(struct sbx_task *const *task)
{
	struct pollfd set[N];
	int left = N, rc = 0;

	for (int i = 0; i < N; i++)
		set[i] = (struct pollfd){ sbx_task_fd(task[i]), POLLIN, 0 };
	while (left > 0 && rc >= 0) {
		if (poll(set, N, -1) < 0 && errno != EINTR)
			return -errno;
		for (int i = 0; i < N && rc >= 0; i++) {
			rc = set[i].fd < 0 ? 0 : collect(task[i], i, &set[i]);
			left -= rc == 1;
		}
	}
	return rc < 0 ? rc : 0;
}

int main(void)
{
	struct sbx_task *task[N] = { NULL };
	struct sbx_error e = { .code = 0 };
	struct sbx_policy *p = NULL;
	int rc = sbx_policy_new(SBX_PROFILE_TOOL, &p, &e);

	for (int i = 0; i < N && rc == 0; i++)
		rc = start(p, i, &task[i], &e);
	if (rc < 0)
		fprintf(stderr, "many-tasks: %s: %s\n", e.object, e.text);
	else
		rc = follow(task);
	/* Whatever still runs after a failure ends here. */
	for (int i = 0; i < N; i++)
		sbx_task_unref(task[i]);
	sbx_policy_unref(p);
	return rc < 0 ? 125 : 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* streams: what a task gets as its standard streams. */
#include "spawn/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "kernel/handoff.h"
#include "spawn/grants_open.h"

enum {
	TAKE_INHERITED = 1 << 0,	/* closed is fine */
	TAKE_AS_IS = 1 << 1		/* a terminal is the task's own */
};

static const char *const names[3] = { "stdio[0]", "stdio[1]", "stdio[2]" };

/* Both ends above 2, whatever of 0 to 2 is free in the harness. */
static int pipe_high(int ret[2])
{
	int low[2], rc = 0;

	if (pipe2(low, O_CLOEXEC) < 0)
		return -errno;
	for (int i = 0; i < 2; i++) {
		ret[i] = sbxi_fd_dup(low[i]);
		if (ret[i] < 0)
			rc = ret[i];
		close(low[i]);
	}
	if (rc < 0)
		for (int i = 0; i < 2; i++)
			sbxi_closep(&ret[i]);
	return rc;
}

static int make_pipe(const struct sbx_policy *policy, struct sbxi_streams *s,
		     int i)
{
	uint32_t id = policy->plan->task_id;
	int end[2], rc = pipe_high(end);

	if (rc < 0)
		return rc;
	s->kind[i] = SBXI_STDIO_FD;
	s->fd[i] = end[i == 0 ? 0 : 1];
	s->ours[i] = end[i == 0 ? 1 : 0];
	/* The task opens it anew by /dev/stdout: let it be the task's own. */
	if ((policy->plan->flags & SBXI_PLAN_TASK_ID) &&
	    fchown(s->fd[i], id, id) < 0)
		return -errno;
	return 0;
}

/*
 * What a stream may be: a folder or a socket that goes anywhere reaches more
 * than a stream, as with grants.
 */
static int check_kind(struct sbxi_streams *s, int fd)
{
	struct stat st;
	bool inet = false;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (S_ISDIR(st.st_mode) || (fcntl(fd, F_GETFL) & O_PATH))
		return -EINVAL;
	if (!S_ISSOCK(st.st_mode))
		return 0;
	if (sbxi_grant_refusal(fd, &st, &inet))
		return -EINVAL;
	s->inet |= inet;
	return 0;
}

/*
 * Writing to a terminal may block, and its description is shared: one of our
 * own, which does not.  Where it cannot be had the shared one must do.
 */
static void own_terminal(int *fd)
{
	int again;

	if (!isatty(*fd))
		return;
	again = sbxi_grant_reopen(*fd, O_RDWR | O_NONBLOCK | O_NOCTTY);
	if (again < 0)
		return;
	close(*fd);
	*fd = again;
}

/* A stream that the harness itself has closed is /dev/null. */
static int take(struct sbxi_streams *s, int i, int fd, int flags)
{
	int mine = sbxi_fd_dup(fd);
	int rc;

	if (mine == -EBADF && (flags & TAKE_INHERITED))
		return 0;
	if (mine < 0)
		return mine;
	rc = check_kind(s, mine);
	if (rc < 0) {
		close(mine);
		return rc;
	}
	if (!(flags & TAKE_AS_IS))
		own_terminal(&mine);
	s->kind[i] = SBXI_STDIO_FD;
	s->fd[i] = mine;
	return 0;
}

static int open_one(const struct sbx_policy *policy,
		    const struct sbx_spawn_opts *opts, struct sbxi_streams *s,
		    int i)
{
	int flags = opts->flags & SBX_SPAWN_CTTY ? TAKE_AS_IS : 0;
	int want = opts->stdio[i];

	switch (want) {
	case SBX_STDIO_NULL:
		return 0;
	case SBX_STDIO_INHERIT:
		return take(s, i, i, flags | TAKE_INHERITED);
	case SBX_STDIO_PIPE:
		return make_pipe(policy, s, i);
	default:
		return want < 0 ? -EINVAL : take(s, i, want, flags);
	}
}

int sbxi_streams_open(const struct sbx_policy *policy,
		      const struct sbx_spawn_opts *opts,
		      struct sbxi_streams *ret, struct sbxi_fail *fail)
{
	struct sbxi_streams s = { .fd = { -1, -1, -1 },
				  .ours = { -1, -1, -1 } };

	for (int i = 0; i < 3; i++) {
		int rc = open_one(policy, opts, &s, i);

		if (rc >= 0)
			continue;
		sbxi_streams_done(&s);
		if (rc == -EBADF)
			return sbxi_fail(fail, SBX_STEP_ARGUMENT, rc,
					 names[i],
					 "descriptor %d is not open",
					 opts->stdio[i]);
		if (rc == -EINVAL)
			return sbxi_fail(fail, SBX_STEP_ARGUMENT, rc,
					 names[i],
					 "descriptor %d is a folder, or a socket that reaches more than its peer",
					 opts->stdio[i]);
		return sbxi_fail_remedy(fail, SBX_STEP_ARGUMENT, rc,
					rc == -EMFILE ? SBXI_REMEDY_OPEN_FILES
						      : SBXI_REMEDY_NONE,
					names[i], NULL);
	}
	*ret = s;
	return 0;
}

/*
 * As standard input a file is only read, and reading ahead would move its
 * offset under whoever reads on after the task.
 */
static int is_foreign(int fd, int i)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return 1;
	if (S_ISCHR(st.st_mode))
		return 0;
	return !(i == 0 && S_ISREG(st.st_mode));
}

int sbxi_streams_relayed(const struct sbxi_streams *streams, int i,
			 const struct sbx_policy *policy, uint32_t tier,
			 uint32_t flags)
{
	uint32_t plan = policy->plan->flags;

	if (streams->kind[i] != SBXI_STDIO_FD || (flags & SBX_SPAWN_CTTY))
		return 0;
	if (i > 0 && (plan & SBXI_PLAN_RELAY_OUTPUT))
		return 1;
	/* A terminal reaches more than its stream: modes, size, input. */
	if (isatty(streams->fd[i]))
		return 1;
	return tier == SBX_TIER_A && (plan & SBXI_PLAN_TASK_ID) &&
	       streams->ours[i] < 0 && is_foreign(streams->fd[i], i);
}

void sbxi_streams_done(struct sbxi_streams *streams)
{
	for (int i = 0; i < 3; i++) {
		sbxi_closep(&streams->fd[i]);
		sbxi_closep(&streams->ours[i]);
		streams->fd[i] = streams->ours[i] = -1;
	}
}

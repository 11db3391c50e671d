/* SPDX-License-Identifier: Apache-2.0 */
/*
 * race: while a task is set up, a process of the host swaps what the granted
 * path leads through.  A task gets the tree that was granted, or none.
 *
 *	a/b/data	in the granted tree a/b: says "inside"
 *	evil/b/data	in another one: says "outside"
 */
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live.h"

#define INSIDE "inside"
#define OUTSIDE "outside"
/* By each of two policies in each of four runs: 1,000 together. */
#define SPAWNS 125
#define SPAWNS_MAX (16 * SPAWNS)
#define EXCHANGE 2u	/* RENAME_EXCHANGE */

TestSuite(race_live, .timeout = 120);

/* Names of the test's folder, valid until the eighth next call. */
static const char *at(const struct live *l, const char *name)
{
	static char paths[8][128];
	static unsigned turn;
	char *path = paths[turn++ % 8];

	snprintf(path, sizeof(paths[0]), "%s/%s", l->dir, name);
	return path;
}

static int make_trees(const struct live *l)
{
	CHECK(mkdir(at(l, "a"), 0755) == 0);
	CHECK(mkdir(at(l, "a/b"), 0755) == 0);
	CHECK(mkdir(at(l, "evil"), 0755) == 0);
	CHECK(mkdir(at(l, "evil/b"), 0755) == 0);
	CHECK(live_write(at(l, "a/b/data"), INSIDE) == 0);
	CHECK(live_write(at(l, "evil/b/data"), OUTSIDE) == 0);
	CHECK(symlink("evil", at(l, "to-evil")) == 0);
	CHECK(symlink("evil/b", at(l, "to-evil-b")) == 0);
	CHECK(symlink("a", at(l, "link")) == 0);
	CHECK(symlink("evil", at(l, "link-to-evil")) == 0);
	return 0;
}

static int exchange(const struct live *l, const char *one, const char *other)
{
	return (int)syscall(SYS_renameat2, AT_FDCWD, at(l, one), AT_FDCWD,
			    at(l, other), EXCHANGE);
}

/*
 * Each pair is exchanged twice, so that all is as before in between; with a
 * little time in each state, or few tasks would meet the granted tree.
 */
static void swap_for_ever(const struct live *l)
{
	static const char *const pairs[][2] = {
		{ "a", "evil" },	/* a folder above the granted one */
		{ "a", "to-evil" },	/* a link in its place */
		{ "a/b", "evil/b" },	/* the granted one itself */
		{ "a/b", "to-evil-b" },
		{ "link", "link-to-evil" },
	};

	for (unsigned n = 0;; n++) {
		const char *const *pair = pairs[n / 2 % 5];

		if (exchange(l, pair[0], pair[1]) < 0)
			_exit(1);
		for (unsigned k = 0; k < n * 7919 % 64; k++)
			(void)getppid();
	}
}

static pid_t start_swapper(const struct live *l)
{
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		swap_for_ever(l);
	}
	return pid;
}

/* 0 if it was swapping until now. */
static int end_swapper(pid_t pid)
{
	int st;

	CHECK(kill(pid, SIGKILL) == 0);
	CHECK(waitpid(pid, &st, 0) == pid);
	CHECK(WIFSIGNALED(st) && WTERMSIG(st) == SIGKILL,
	      "it had ended: the files could not be exchanged");
	return 0;
}

/* The control: without a jail this path leads to either file. */
static int both_can_be_met(const struct live *l)
{
	bool inside = false, outside = false;

	for (int n = 0; n < 1000000 && !(inside && outside); n++) {
		const char *text = live_read(at(l, "a/b/data"));

		inside = inside || (text && !strcmp(text, INSIDE));
		outside = outside || (text && !strcmp(text, OUTSIDE));
	}
	CHECK(inside && outside, "%d %d", inside, outside);
	return 0;
}

struct tally {
	unsigned inside;	/* tasks that read what was granted */
	unsigned refused;	/* that were not started */
	unsigned nothing;	/* that found nothing to read */
};

/* One task that tries every way to the files. */
static int spawn_one(const struct live *l, struct sbx_policy *p,
		     struct tally *tally)
{
	const char *const argv[] = {
		"/bin/cat", at(l, "a/b/data"), at(l, "link/b/data"),
		at(l, "evil/b/data"), at(l, "to-evil/b/data"),
		at(l, "to-evil-b/data"), NULL
	};
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_error e = { .code = 0 };
	struct sbx_task *task = NULL;
	static struct live_run r;
	int rc;

	o.argv = argv;
	o.stdio[1] = SBX_STDIO_PIPE;
	o.stdio[2] = SBX_STDIO_PIPE;
	rc = sbx_spawn(p, &o, &task, &e);
	if (rc < 0) {
		CHECK(rc == -ESTALE || rc == -ENOENT || rc == -ENOTDIR ||
		      rc == -ELOOP, "%d, step %u: %s: %s", rc, e.step,
		      e.object, e.text);
		tally->refused++;
		return 0;
	}
	memset(&r, 0, sizeof(r));
	CHECK(live_collect(task, &r) == 0);
	sbx_task_unref(task);
	CHECK(!strstr(r.out, OUTSIDE), "%s", r.out);
	if (strstr(r.out, INSIDE))
		tally->inside++;
	else
		tally->nothing++;
	return 0;
}

static struct sbx_policy *grant(const struct live *l, const char *name)
{
	struct sbx_policy *p = NULL;

	if (sbx_policy_new(SBX_PROFILE_TOOL, &p, NULL) == 0 &&
	    sbx_policy_path(p, at(l, name), SBX_READ, 0, NULL) == 0 &&
	    sbx_policy_compile(p, NULL) == 0)
		return p;
	sbx_policy_unref(p);
	return NULL;
}

/* As long as all stays where it is: read, refused, read. */
static int without_a_race(const struct live *l, struct sbx_policy *p)
{
	struct tally t = { 0 };

	CHECK(spawn_one(l, p, &t) == 0 && t.inside == 1);
	CHECK(exchange(l, "a", "evil") == 0);
	CHECK(spawn_one(l, p, &t) == 0 && t.refused == 1,
	      "another tree is at the granted path");
	CHECK(exchange(l, "a", "evil") == 0);
	CHECK(exchange(l, "a/b", "to-evil-b") == 0);
	CHECK(spawn_one(l, p, &t) == 0 && t.refused == 2,
	      "a link is at the granted path");
	CHECK(exchange(l, "a/b", "to-evil-b") == 0);
	CHECK(spawn_one(l, p, &t) == 0 && t.inside == 2);
	return 0;
}

/* Until it has happened often enough, and both outcomes have been seen. */
static int race(const struct live *l, struct sbx_policy *p)
{
	struct tally t = { 0 };
	unsigned n;

	for (n = 0; n < SPAWNS || ((!t.inside || !t.refused) &&
				   n < SPAWNS_MAX); n++)
		CHECK(spawn_one(l, p, &t) == 0, "the %uth", n);
	CHECK(t.inside > 0 && t.refused > 0,
	      "%u read it, %u were refused, %u found nothing", t.inside,
	      t.refused, t.nothing);
	return 0;
}

LIVE_TEST_BOTH_TIERS(race_live, a_swapped_path_never_leads_outside)
{
	struct sbx_policy *direct, *by_link;
	pid_t swapper;
	int rc;

	CHECK(make_trees(l) == 0);
	direct = grant(l, "a/b");
	by_link = grant(l, "link/b");
	CHECK(direct && by_link);
	CHECK(without_a_race(l, direct) == 0);
	CHECK(without_a_race(l, by_link) == 0);
	swapper = start_swapper(l);
	CHECK(swapper > 0);
	rc = both_can_be_met(l);
	if (rc == 0)
		rc = race(l, direct);
	if (rc == 0)
		rc = race(l, by_link);
	CHECK(end_swapper(swapper) == 0);
	sbx_policy_unref(direct);
	sbx_policy_unref(by_link);
	return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sandbox/sandbox.h>

#include "ledger.h"
#include "storm.h"

#define BLOCKS 64
#define MAX_THREADS 64

static struct sbx_policy *policy;
static atomic_int todo, started, ended, wrong;
static atomic_bool stop;

/* Blocks of many sizes come and go, each full of its own pattern. */
struct churn {
	unsigned seed;
	unsigned char *block[BLOCKS];
	size_t size[BLOCKS];
};

static void churn_once(struct churn *c)
{
	unsigned i = (unsigned)rand_r(&c->seed) % BLOCKS;

	for (size_t at = 0; c->block[i] && at < c->size[i]; at++)
		if (c->block[i][at] != (unsigned char)i)
			atomic_fetch_add(&wrong, 1);
	free(c->block[i]);
	c->size[i] = (size_t)rand_r(&c->seed) % 4096 + 1;
	c->block[i] = malloc(c->size[i]);
	if (c->block[i])
		memset(c->block[i], (int)i, c->size[i]);
}

static void churn_done(struct churn *c)
{
	for (int i = 0; i < BLOCKS; i++)
		free(c->block[i]);
}

static void complain(const char *what, int rc, const struct sbx_error *e)
{
	atomic_fetch_add(&wrong, 1);
	printf("# %s: %d, step %u, %s: %s\n", what, rc, e->step, e->object,
	       e->text);
}

static void spawn_one(void)
{
	static const char *const argv[] = { "/bin/true", NULL };
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_exit ex = SBX_EXIT_INIT;
	struct sbx_error e = { .code = 0 };
	struct sbx_task *t = NULL;
	int rc;

	o.argv = argv;
	rc = sbx_spawn(policy, &o, &t, &e);
	if (rc < 0) {
		complain("spawn", rc, &e);
		return;
	}
	atomic_fetch_add(&started, 1);
	rc = sbx_task_wait(t, 60000, &ex);
	if (rc == 0 && ex.kind == SBX_EXITED && ex.code == 0)
		atomic_fetch_add(&ended, 1);
	else
		complain("wait", rc, &e);
	sbx_task_unref(t);
}

static void *spawn_many(void *arg)
{
	struct churn c = { .seed = (unsigned)(size_t)arg };

	while (atomic_fetch_sub(&todo, 1) > 0) {
		for (int i = 0; i < 50; i++)
			churn_once(&c);
		spawn_one();
	}
	churn_done(&c);
	return NULL;
}

/* Goes on while the others sleep in a spawn. */
static void *churn_along(void *arg)
{
	struct churn c = { .seed = 4711 };

	(void)arg;
	while (!atomic_load(&stop)) {
		for (int i = 0; i < 1000; i++)
			churn_once(&c);
		usleep(1000);
	}
	churn_done(&c);
	return NULL;
}

static int start_all(int threads)
{
	pthread_t thread[MAX_THREADS], along;

	if (pthread_create(&along, NULL, churn_along, NULL) != 0)
		return -1;
	for (int i = 0; i < threads; i++)
		if (pthread_create(&thread[i], NULL, spawn_many,
				   (void *)(size_t)(i + 1)) != 0)
			return -1;
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	atomic_store(&stop, true);
	pthread_join(along, NULL);
	return 0;
}

static int tell(int number, bool good, const char *what)
{
	printf("%s %d - %s\n", good ? "ok" : "not ok", number, what);
	return good ? 0 : 1;
}

/* One task, to see whether this host can run any; and to warm up. */
static int try_one(struct sbx_error *e)
{
	static const char *const argv[] = { "/bin/true", NULL };
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_task *t = NULL;
	int rc;

	o.argv = argv;
	rc = sbx_policy_new(SBX_PROFILE_TOOL, &policy, e);
	if (rc == 0)
		rc = sbx_spawn(policy, &o, &t, e);
	sbx_task_unref(t);
	return rc;
}

int storm_main(int threads, int spawns)
{
	const char *required = getenv("SBX_REQUIRE_LIVE");
	struct sbx_error e = { .code = 0 };
	int before, rc;

	setvbuf(stdout, NULL, _IOLBF, 0);
	rc = try_one(&e);
	if (rc == -EPERM && !(required && !strcmp(required, "1"))) {
		fprintf(stderr, "SKIPPED: no task here: %s: %s\n", e.object,
			e.text);
		printf("1..0 # SKIP no task can run here: %s\n", e.text);
		return 0;
	}
	printf("1..5\n");
	before = ledger_descriptors();
	atomic_store(&todo, spawns);
	if (rc < 0)
		complain("first spawn", rc, &e);
	else if (start_all(threads) < 0)
		atomic_fetch_add(&wrong, 1);
	rc = tell(1, atomic_load(&started) == spawns, "every spawn succeeds");
	rc |= tell(2, atomic_load(&ended) == spawns, "no status is lost");
	rc |= tell(3, atomic_load(&wrong) == 0,
		   "no memory of the harness is touched");
	rc |= tell(4, ledger_descriptors() == before,
		   "as many descriptors as before");
	rc |= tell(5, ledger_no_children(0) == 0, "no child is left");
	sbx_policy_unref(policy);
	return rc;
}

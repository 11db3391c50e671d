/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flat_10000 [N]: N spawns in one process, 10,000 if neither an argument nor
 * SBX_FLAT_N says otherwise.  Neither descriptors nor memory grow.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sandbox/sandbox.h>

#include "ledger.h"

#define WARM_UP 100
#ifdef __SANITIZE_ADDRESS__
#define MAX_GROWTH_KIB (400 << 10)	/* it keeps what is freed for a while */
#else
#define MAX_GROWTH_KIB 4096
#endif

static const char *const argv_true[] = { "/bin/true", NULL };

static long rss_kib(void)
{
	FILE *in = fopen("/proc/self/statm", "re");
	long size, rss = -1;

	if (!in)
		return -1;
	if (fscanf(in, "%ld %ld", &size, &rss) != 2)
		rss = -1;
	fclose(in);
	return rss < 0 ? -1 : rss * (sysconf(_SC_PAGESIZE) / 1024);
}

static int spawn_one(struct sbx_policy *policy, struct sbx_error *e)
{
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_exit ex = SBX_EXIT_INIT;
	struct sbx_task *t = NULL;
	int rc;

	o.argv = argv_true;
	rc = sbx_spawn(policy, &o, &t, e);
	if (rc == 0)
		rc = sbx_task_wait(t, 60000, &ex);
	sbx_task_unref(t);
	if (rc == 0 && (ex.kind != SBX_EXITED || ex.code != 0))
		rc = -EPROTO;
	return rc;
}

/* The number of spawns that went wrong; the first of them is told. */
static long spawn_many(struct sbx_policy *policy, long n)
{
	long failed = 0;

	for (long i = 0; i < n; i++) {
		struct sbx_error e = { .code = 0 };
		int rc = spawn_one(policy, &e);

		if (rc < 0 && failed++ == 0)
			printf("# spawn %ld: %d, step %u, %s: %s\n", i, rc,
			       e.step, e.object, e.text);
	}
	return failed;
}

static int tell(int number, bool good, const char *what)
{
	printf("%s %d - %s\n", good ? "ok" : "not ok", number, what);
	return good ? 0 : 1;
}

int main(int argc, char **argv)
{
	const char *required = getenv("SBX_REQUIRE_LIVE");
	const char *wanted = argc > 1 ? argv[1] : getenv("SBX_FLAT_N");
	long n = wanted ? strtol(wanted, NULL, 10) : 10000;
	struct sbx_policy *policy = NULL;
	struct sbx_error e = { .code = 0 };
	long rss, failed;
	int fds, rc;

	setvbuf(stdout, NULL, _IOLBF, 0);
	rc = sbx_policy_new(SBX_PROFILE_TOOL, &policy, &e);
	if (rc == 0)
		rc = spawn_one(policy, &e);
	if (rc == -EPERM && !(required && !strcmp(required, "1"))) {
		fprintf(stderr, "SKIPPED: no task here: %s: %s\n", e.object,
			e.text);
		printf("1..0 # SKIP no task can run here: %s\n", e.text);
		return 0;
	}
	printf("1..4\n");
	failed = spawn_many(policy, WARM_UP);
	fds = ledger_descriptors();
	rss = rss_kib();
	failed += spawn_many(policy, n);
	printf("# %ld spawns, %d descriptors, %ld KiB, then %d and %ld\n", n,
	       fds, rss, ledger_descriptors(), rss_kib());
	rc = tell(1, rc == 0 && failed == 0, "every spawn succeeds");
	rc |= tell(2, ledger_descriptors() == fds,
		   "as many descriptors as before");
	rc |= tell(3, rss > 0 && rss_kib() - rss < MAX_GROWTH_KIB,
		   "memory has not grown");
	rc |= tell(4, ledger_no_children(0) == 0, "no child is left");
	sbx_policy_unref(policy);
	return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Each limit stops what is over it, and lets through what is below. */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "live.h"

#define NOEXEC_SEAL 8	/* MFD_NOEXEC_SEAL, Linux 6.3 */

TestSuite(limits_live, .timeout = 120);

/* A policy with one limit. */
static struct sbx_policy *limited(const struct live *l, uint32_t which,
				  uint64_t value)
{
	struct sbx_policy *p = live_policy(l);

	if (p && sbx_policy_limit(p, which, value) == 0)
		return p;
	sbx_policy_unref(p);
	return NULL;
}

static int run_program(const struct live *l, struct sbx_policy *p,
		       const char *name, const char *a, const char *b,
		       struct live_run *r)
{
	const char *const argv[] = { live_program(l, name), a, b, NULL };

	return live_exec(p, NULL, argv, r);
}

LIVE_TEST_BOTH_TIERS(limits_live, wall_time)
{
	struct sbx_policy *p = limited(l, SBX_LIMIT_WALL_MS, 500);
	struct live_run r;

	CHECK(p);
	CHECK(live_sh(p, NULL, "trap '' TERM INT HUP; sleep 1000", &r) == 0);
	CHECK(r.exit.kind == SBX_TIMEOUT && r.exit.code == 0, "kind %u",
	      r.exit.kind);
	CHECK(r.exit.wall_ms >= 490, "%llu",
	      (unsigned long long)r.exit.wall_ms);
	sbx_policy_unref(p);
	p = limited(l, SBX_LIMIT_WALL_MS, 20000);
	CHECK(p);
	CHECK(live_sh(p, NULL, "sleep 0.6", &r) == 0);
	CHECK(r.exit.kind == SBX_EXITED && r.exit.code == 0);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(limits_live, cpu_time_of_one_process)
{
	struct sbx_policy *p = limited(l, SBX_LIMIT_CPU_MS, 500);
	struct live_run r;

	CHECK(p);
	CHECK(run_program(l, p, "burn", "0", "10000", &r) == 0);
	CHECK(r.exit.kind == SBX_CPU_LIMIT && r.exit.code == 0, "kind %u",
	      r.exit.kind);
	CHECK(r.exit.cpu_us < 3000000, "%llu us",
	      (unsigned long long)r.exit.cpu_us);
	CHECK(run_program(l, p, "burn", "0", "100", &r) == 0);
	CHECK(r.exit.kind == SBX_EXITED && r.exit.code == 0);
	CHECK(r.exit.cpu_us >= 90000, "%llu us",
	      (unsigned long long)r.exit.cpu_us);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(limits_live, cpu_time_spread_over_children)
{
	struct sbx_policy *p = limited(l, SBX_LIMIT_CPU_MS, 1000);
	struct live_run r;

	/* None of the eight is over the limit by itself. */
	CHECK(p);
	CHECK(run_program(l, p, "burn", "8", "600", &r) == 0);
	CHECK(r.exit.kind == SBX_CPU_LIMIT, "kind %u", r.exit.kind);
	CHECK(run_program(l, p, "burn", "4", "50", &r) == 0);
	CHECK(r.exit.kind == SBX_EXITED && r.exit.code == 0);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(limits_live, cpu_time_of_children_that_have_ended)
{
	struct sbx_policy *p = limited(l, SBX_LIMIT_CPU_MS, 1000);
	struct live_run r;
	char script[512];

	/* One after the other, each soon gone. */
	CHECK(p);
	snprintf(script, sizeof(script),
		 "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do %s 0 200; done",
		 live_program(l, "burn"));
	CHECK(live_sh(p, NULL, script, &r) == 0);
	CHECK(r.exit.kind == SBX_CPU_LIMIT, "kind %u", r.exit.kind);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(limits_live, cpu_time_while_the_harness_is_busy)
{
	struct sbx_policy *p = limited(l, SBX_LIMIT_CPU_MS, 300);
	const char *argv[] = { live_program(l, "burn"), "2", "20000", NULL };
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_task *t = NULL;
	struct sbx_exit ex;

	CHECK(p);
	o.argv = argv;
	CHECK(sbx_spawn(p, &o, &t, NULL) == 0);
	live_sleep(3000);
	CHECK(ledger_processes(l->dir) == 0);
	CHECK(live_wait(t, &ex) == 0 && ex.kind == SBX_CPU_LIMIT);
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(limits_live, open_files)
{
	struct sbx_policy *p = limited(l, SBX_LIMIT_OPEN_FILES, 32);
	struct live_run r;

	CHECK(p);
	CHECK(run_program(l, p, "openfiles", "100", NULL, &r) == 0);
	CHECK(!strcmp(r.out, "open=EMFILE\nopened=29\n"), "%s", r.out);
	CHECK(run_program(l, p, "openfiles", "20", NULL, &r) == 0);
	CHECK(!strcmp(r.out, "open=ok\nopened=20\n"), "%s", r.out);
	CHECK(live_sh(p, NULL, "ulimit -n 64", &r) == 0);
	CHECK(r.exit.code != 0, "the limit can be raised");
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(limits_live, a_harness_with_few_files_lends_no_fewer)
{
	struct sbx_policy *p = limited(l, SBX_LIMIT_OPEN_FILES, 200);
	struct rlimit r = { .rlim_cur = 0 };
	struct live_run run;

	CHECK(p);
	CHECK(getrlimit(RLIMIT_NOFILE, &r) == 0 && r.rlim_max >= 200);
	r.rlim_cur = 64;
	CHECK(setrlimit(RLIMIT_NOFILE, &r) == 0);
	CHECK(live_sh(p, NULL, "ulimit -n", &run) == 0);
	CHECK(!strcmp(run.out, "200\n"), "%s", run.out);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(limits_live, size_of_one_file)
{
	struct sbx_policy *p = limited(l, SBX_LIMIT_FILE_SIZE, 65536);
	struct live_run r;
	struct stat st;
	char script[256], path[128];

	CHECK(p);
	snprintf(path, sizeof(path), "%s/big", l->ws);
	snprintf(script, sizeof(script), "head -c 65536 /dev/zero >%s", path);
	CHECK(live_sh(p, NULL, script, &r) == 0);
	CHECK(r.exit.code == 0 && stat(path, &st) == 0 && st.st_size == 65536);
	snprintf(script, sizeof(script), "head -c 99999 /dev/zero >%s", path);
	CHECK(live_sh(p, NULL, script, &r) == 0);
	CHECK(r.exit.kind == SBX_SIGNALED || r.exit.code != 0);
	CHECK(stat(path, &st) == 0 && st.st_size == 65536, "%lld",
	      (long long)st.st_size);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(limits_live, number_of_processes)
{
	struct sbx_policy *p = limited(l, SBX_LIMIT_PROCESSES, 12);
	struct live_run r;
	int n = -1;

	CHECK(p);
	CHECK(run_program(l, p, "forkbomb-bounded", "200", NULL, &r) == 0);
	if (r.exit.kind == SBX_EXITED) {
		CHECK(strstr(r.out, "fork=EAGAIN\n"), "%s", r.out);
		CHECK(sscanf(strstr(r.out, "children="), "children=%d",
			     &n) == 1 && n > 0 && n <= 12, "%d", n);
	} else {
		CHECK(r.exit.kind == SBX_PROCESS_LIMIT, "kind %u",
		      r.exit.kind);
	}
	CHECK(run_program(l, p, "forkbomb-bounded", "6", NULL, &r) == 0);
	CHECK(strstr(r.out, "fork=ok\nchildren=6\n"), "%s", r.out);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST(limits_live, processes_of_one_task_are_not_anothers)
{
	struct sbx_policy *p = limited(l, SBX_LIMIT_PROCESSES, 12);
	struct sbx_task *t[4];
	struct live_run r;

	/* The number is of each jail, not of the user. */
	CHECK(p);
	for (int i = 0; i < 4; i++) {
		t[i] = live_start(p, NULL, "sleep 20 & sleep 20 & "
				  "sleep 20 & sleep 20 & sleep 20");
		CHECK(t[i]);
	}
	live_sleep(300);
	CHECK(run_program(l, p, "forkbomb-bounded", "6", NULL, &r) == 0);
	CHECK(strstr(r.out, "fork=ok\nchildren=6\n"), "%s", r.out);
	for (int i = 0; i < 4; i++)
		sbx_task_unref(t[i]);
	sbx_policy_unref(p);
	return 0;
}

/* What came must be `limit` bytes of the task's and then a marker. */
static int check_cut(const char *text, size_t n, size_t limit)
{
	CHECK(n > limit && n < limit + 300, "%zu bytes", n);
	for (size_t i = 0; i < limit; i++)
		CHECK(text[i] == 'x', "byte %zu is %d", i, text[i]);
	CHECK(text[limit] != 'x', "no marker: %s", text + limit);
	return 0;
}

LIVE_TEST_BOTH_TIERS(limits_live, output_is_cut_and_the_task_goes_on)
{
	struct sbx_policy *p = limited(l, SBX_LIMIT_OUTPUT, 10000);
	struct live_run r;
	char script[256], path[128];

	CHECK(p);
	snprintf(path, sizeof(path), "%s/went-on", l->ws);
	snprintf(script, sizeof(script), "head -c 3000000 /dev/zero | "
		 "tr '\\0' x; echo on >%s; exit 7", path);
	CHECK(live_sh(p, NULL, script, &r) == 0);
	CHECK(r.exit.kind == SBX_EXITED && r.exit.code == 7, "kind %u code %d",
	      r.exit.kind, r.exit.code);
	CHECK(r.exit.flags & SBX_EXIT_OUTPUT_CUT);
	CHECK(live_read(path) && !strcmp(live_read(path), "on\n"));
	CHECK(check_cut(r.out, r.n_out, 10000) == 0);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(limits_live, output_below_the_limit_is_whole)
{
	struct sbx_policy *p = limited(l, SBX_LIMIT_OUTPUT, 10000);
	struct live_run r;

	CHECK(p);
	CHECK(live_sh(p, NULL, "head -c 5000 /dev/zero | tr '\\0' x; "
		      "head -c 5000 /dev/zero | tr '\\0' x", &r) == 0);
	CHECK(r.n_out == 10000 && r.n_err == 0, "%zu", r.n_out);
	CHECK(!(r.exit.flags & SBX_EXIT_OUTPUT_CUT));
	CHECK(r.exit.output_bytes == 10000, "%llu",
	      (unsigned long long)r.exit.output_bytes);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(limits_live, output_of_both_streams_counts_together)
{
	struct sbx_policy *p = limited(l, SBX_LIMIT_OUTPUT, 1000);
	struct live_run r;

	CHECK(p);
	CHECK(live_sh(p, NULL, "head -c 600 /dev/zero; sleep 0.2; "
		      "head -c 600 /dev/zero >&2", &r) == 0);
	CHECK(r.exit.flags & SBX_EXIT_OUTPUT_CUT);
	CHECK(r.n_out >= 600 && r.n_err >= 400);
	CHECK(r.n_out + r.n_err < 1600, "%zu %zu", r.n_out, r.n_err);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(limits_live, output_is_relayed_while_the_harness_is_busy)
{
	struct sbx_policy *p = limited(l, SBX_LIMIT_OUTPUT, 50000);
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_task *t;
	struct sbx_exit ex;
	char path[128], done[128], script[320];
	const char *text;
	int fd;

	CHECK(p);
	snprintf(path, sizeof(path), "%s/out", l->dir);
	snprintf(done, sizeof(done), "%s/done", l->ws);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	CHECK(fd >= 0);
	o.stdio[1] = fd;
	snprintf(script, sizeof(script), "head -c 2000000 /dev/zero | "
		 "tr '\\0' x; echo y >%s", done);
	t = live_start(p, &o, script);
	CHECK(t);
	/* No wait and no dispatch until all has happened. */
	CHECK(live_appears(done));
	live_sleep(500);
	text = live_read(path);
	CHECK(text && check_cut(text, strlen(text), 50000) == 0);
	CHECK(live_wait(t, &ex) == 0 && ex.kind == SBX_EXITED &&
	      ex.code == 0 && (ex.flags & SBX_EXIT_OUTPUT_CUT));
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(limits_live, a_reader_that_is_gone_does_not_hang_a_task)
{
	struct sbx_policy *p = limited(l, SBX_LIMIT_OUTPUT, 1000000);
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_task *t;
	struct sbx_exit ex;

	CHECK(p);
	o.stdio[1] = SBX_STDIO_PIPE;
	t = live_start(p, &o, "sleep 0.3; head -c 900000 /dev/zero; exit 0");
	CHECK(t);
	CHECK(sbx_task_close_stdio(t, 1) == 0);
	CHECK(live_wait(t, &ex) == 0, "it hangs");
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST(limits_live, scratch_space)
{
	static const char *const places[] = { "/tmp", "/dev/shm", "$HOME" };
	struct sbx_policy *p = limited(l, SBX_LIMIT_SCRATCH, 4 << 20);
	struct live_run r;
	char script[256];

	CHECK(p);
	for (int i = 0; i < 3; i++) {
		snprintf(script, sizeof(script),
			 "head -c 1000000 /dev/zero >%s/few && echo few; "
			 "head -c 8000000 /dev/zero >%s/many && echo many",
			 places[i], places[i]);
		CHECK(live_sh(p, NULL, script, &r) == 0);
		CHECK(!strcmp(r.out, "few\n"), "%s: %s", places[i], r.out);
		CHECK(strstr(r.err, "No space left"), "%s", r.err);
	}
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST(limits_live, scratch_space_counts_together)
{
	struct sbx_policy *p = limited(l, SBX_LIMIT_SCRATCH, 8 << 20);
	struct live_run r;

	CHECK(p);
	CHECK(live_sh(p, NULL,
		      "for d in /tmp /dev/shm \"$HOME\"; do "
		      "head -c 3500000 /dev/zero >$d/f && echo $d; done",
		      &r) == 0);
	CHECK(!strncmp(r.out, "/tmp\n/dev/shm\n", 14), "%s", r.out);
	CHECK(strlen(r.out) == 14, "%s", r.out);
	CHECK(strstr(r.err, "No space left"), "%s", r.err);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST(limits_live, scratch_space_is_not_the_hosts)
{
	struct sbx_policy *p = live_policy(l);
	struct live_run r;
	char script[300], path[128];

	CHECK(p);
	snprintf(path, sizeof(path), "/tmp/from-%s", l->token);
	snprintf(script, sizeof(script), "echo x >%s && cat %s", path, path);
	CHECK(live_sh(p, NULL, script, &r) == 0);
	CHECK(!strcmp(r.out, "x\n"));
	CHECK(access(path, F_OK) < 0, "seen outside");
	snprintf(script, sizeof(script), "cat %s", path);
	CHECK(live_sh(p, NULL, script, &r) == 0);
	CHECK(r.exit.code != 0, "seen by the next task");
	sbx_policy_unref(p);
	return 0;
}

static int check_memory(const struct live *l, const char *kind)
{
	struct sbx_policy *p = limited(l, SBX_LIMIT_MEMORY, 96 << 20);
	struct live_run r;

	CHECK(p);
	CHECK(run_program(l, p, "memory", kind, "256", &r) == 0);
	CHECK(r.exit.kind == SBX_MEMORY_LIMIT && r.exit.code == 0,
	      "%s: kind %u code %d", kind, r.exit.kind, r.exit.code);
	CHECK(run_program(l, p, "memory", kind, "32", &r) == 0);
	CHECK(r.exit.kind == SBX_EXITED && r.exit.code == 0,
	      "%s: kind %u code %d", kind, r.exit.kind, r.exit.code);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(limits_live, memory_of_one_process)
{
	return check_memory(l, "heap");
}

/* Without a seal against being executed a task has no memfd at all. */
static int check_no_memfd(const struct live *l)
{
	struct sbx_policy *p = limited(l, SBX_LIMIT_MEMORY, 96 << 20);
	struct live_run r;

	CHECK(p);
	CHECK(run_program(l, p, "memory", "memfd", "32", &r) == 0);
	CHECK(r.exit.kind == SBX_EXITED && r.exit.code == 5, "%u %d",
	      r.exit.kind, r.exit.code);
	CHECK(!strcmp(r.out, "sealed=EINVAL\nplain=ENOSYS\n"), "%s", r.out);
	sbx_policy_unref(p);
	fprintf(stderr, "no MFD_NOEXEC_SEAL before Linux 6.3: a task can make "
			"no memory file, so none was measured\n");
	return 0;
}

LIVE_TEST_BOTH_TIERS(limits_live, memory_of_memfds)
{
	int fd = memfd_create("seal", NOEXEC_SEAL);

	if (fd < 0 && errno == EINVAL)
		return check_no_memfd(l);
	CHECK(fd >= 0);
	close(fd);
	return check_memory(l, "memfd");
}

LIVE_TEST_BOTH_TIERS(limits_live, memory_of_many_small_children)
{
	return check_memory(l, "children");
}

LIVE_TEST_BOTH_TIERS(limits_live, memory_that_is_watched_is_reported_as_such)
{
	struct sbx_policy *p = limited(l, SBX_LIMIT_MEMORY, 64 << 20);
	struct sbx_report_row row = SBX_REPORT_ROW_INIT;
	struct sbx_report *report = NULL;
	struct sbx_task *t;
	struct sbx_exit ex;
	bool found = false;

	CHECK(p);
	t = live_start(p, NULL, "exit 0");
	CHECK(t);
	CHECK(sbx_task_report(t, &report) == 0);
	for (size_t i = 0; sbx_report_row(report, i, &row) == 0; i++)
		if (row.id == SBX_PROP_MEMORY) {
			found = true;
			CHECK(row.state == SBX_STATE_PARTIAL, "state %u",
			      row.state);
			CHECK(row.object && row.object[0]);
		}
	CHECK(found);
	sbx_report_free(report);
	CHECK(live_wait(t, &ex) == 0);
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(limits_live, memory_that_must_be_held_needs_a_cgroup)
{
	struct sbx_policy *p = limited(l, SBX_LIMIT_MEMORY, 64 << 20);
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	const char *const argv[] = { "/bin/true", NULL };
	struct sbx_task *t = NULL;
	struct sbx_error e = { .code = 0 };

	/* Watched is not held: required, there is no task. */
	CHECK(p);
	CHECK(sbx_policy_require(p, SBX_PROP_MEMORY, SBX_REQUIRE) == 0);
	o.argv = argv;
	CHECK(sbx_spawn(p, &o, &t, &e) == -EPERM, "%d", e.code);
	CHECK(!t && !strcmp(e.object, "memory"), "%s", e.object);
	CHECK(ledger_no_children(0) == 0);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(limits_live, core_dumps_are_off)
{
	struct sbx_policy *p = live_policy(l);
	struct rlimit r = { .rlim_cur = RLIM_INFINITY,
			    .rlim_max = RLIM_INFINITY };
	struct live_run run;

	CHECK(p);
	/* Where it may, the harness has them on. */
	if (setrlimit(RLIMIT_CORE, &r) < 0 && geteuid() == 0)
		CHECK(getrlimit(RLIMIT_CORE, &r) == 0);
	CHECK(live_sh(p, NULL, "ulimit -Sc; ulimit -Hc", &run) == 0);
	CHECK(!strcmp(run.out, "0\n0\n"), "%s", run.out);
	sbx_policy_unref(p);
	return 0;
}

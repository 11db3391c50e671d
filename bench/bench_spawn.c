/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_spawn: what a confined task costs, start to exit status, as ratios to
 * posix_spawn(3) of the same static program in the same interleaved run.
 *
 *   bench_spawn PROGRAM [ROUNDS]
 *
 * A row's time goes from the call to the exit status in hand; dropping the
 * handle waits for the supervisor as well, and is told apart.
 * Rows take turns, so drift of the machine hits all of them.  The harness
 * runs as it is started; tier B is a copy of it that may not make user
 * namespaces.  bwrap is measured where it is installed.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <sandbox/sandbox.h>

#define GIB ((size_t)1 << 30)
#define MAX_ROUNDS 5000
#define BWRAP "/usr/bin/bwrap"

extern char **environ;

static const char *program;
static char folder[] = "/tmp/sbx-bench-XXXXXX";
static struct sbx_policy *policy;

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void die(const char *what, const struct sbx_error *e)
{
	fprintf(stderr, "bench_spawn: %s: %s: %s: %s\n", what,
		e ? sbx_step_name(e->step) : "", e ? e->object : "",
		e ? e->text : strerror(errno));
	exit(1);
}

static void spawn_argv(const char *const *argv)
{
	int status;
	pid_t pid;

	if (posix_spawn(&pid, argv[0], NULL, NULL,
			(char *const *)(uintptr_t)argv, environ) != 0)
		die("posix_spawn", NULL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		die("status", NULL);
}

static double run_plain(void)
{
	const char *const argv[] = { program, NULL };

	spawn_argv(argv);
	return now_us();
}

static double run_bwrap(void)
{
	const char *const argv[] = {
		BWRAP, "--unshare-all", "--ro-bind", "/usr", "/usr",
		"--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64",
		"/lib64", "--proc", "/proc", "--dev", "/dev", "--tmpfs",
		"/tmp", "--bind", folder, folder, "--ro-bind", program,
		program, "--chdir", folder, "--", program, NULL,
	};

	spawn_argv(argv);
	return now_us();
}

static double run_task(void)
{
	double ended;

	const char *const argv[] = { program, NULL };
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_exit ex = SBX_EXIT_INIT;
	struct sbx_error e = { .code = 0 };
	struct sbx_task *t = NULL;

	o.argv = argv;
	if (sbx_spawn(policy, &o, &t, &e) < 0)
		die("spawn", &e);
	if (sbx_task_wait(t, -1, &ex) < 0 || ex.kind != SBX_EXITED || ex.code)
		die("wait", NULL);
	ended = now_us();
	sbx_task_unref(t);
	return ended;
}

static void make_policy(void)
{
	struct sbx_error e = { .code = 0 };

	if (sbx_policy_new(SBX_PROFILE_TOOL, &policy, &e) < 0 ||
	    sbx_policy_path(policy, folder, SBX_READ | SBX_WRITE | SBX_EXEC, 0,
			    &e) < 0 ||
	    sbx_policy_path(policy, program, SBX_READ | SBX_EXEC, 0, &e) < 0 ||
	    sbx_policy_compile(policy, &e) < 0)
		die("policy", &e);
}

struct row {
	const char *name;
	double (*run)(void);	/* returns when the status was known */
	double us[MAX_ROUNDS], drop_us[MAX_ROUNDS];
	int n;
};

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double quantile_of(double *us, int n, double q)
{
	qsort(us, (size_t)n, sizeof(double), by_value);
	return us[(int)(q * (n - 1))];
}

static double quantile(struct row *r, double q)
{
	return quantile_of(r->us, r->n, q);
}

static void measure(struct row *rows, int n_rows, int rounds)
{
	for (int i = -5; i < rounds; i++)
		for (int k = 0; k < n_rows; k++) {
			struct row *r = &rows[(k + i + n_rows * 5) % n_rows];
			double start = now_us(), ended = r->run();

			if (i < 0)
				continue;
			r->drop_us[r->n] = now_us() - ended;
			r->us[r->n++] = ended - start;
		}
}

static void print_rows(const char *title, struct row *rows, int n_rows)
{
	double unit = quantile(&rows[0], 0.5), low = quantile(&rows[0], 0.1);

	printf("%s\n  %-14s %9s %9s %8s %8s %9s\n", title, "row", "median us",
	       "p10 us", "x median", "x p10", "+ drop us");
	for (int k = 0; k < n_rows; k++) {
		double median = quantile(&rows[k], 0.5);
		double p10 = quantile(&rows[k], 0.1);

		printf("  %-14s %9.0f %9.0f %8.2f %8.2f %9.0f\n",
		       rows[k].name, median, p10, median / unit, p10 / low,
		       quantile_of(rows[k].drop_us, rows[k].n, 0.5));
	}
}

/* The steps of one cold spawn, from the report. */
static void print_steps(void)
{
	const char *const argv[] = { program, NULL };
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_report *report = NULL;
	struct sbx_error e = { .code = 0 };
	struct sbx_task *t = NULL;
	char *json = NULL;
	const char *steps;

	o.argv = argv;
	if (sbx_spawn(policy, &o, &t, &e) < 0)
		die("spawn", &e);
	if (sbx_task_report(t, &report) < 0 ||
	    sbx_report_json(report, &json) < 0)
		die("report", NULL);
	steps = strstr(json, "\"steps_us\"");
	if (steps)
		printf("  %.*s  (when each step began, us)\n",
		       (int)strcspn(steps, "}") + 1, steps);
	free(json);
	sbx_report_free(report);
	sbx_task_unref(t);
}

/* As Docker's filter refuses: no new user namespace. */
static void refuse_user_namespaces(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 435 /* clone3 */, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWUSER, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog f = { sizeof(code) / sizeof(*code), code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &f) < 0)
		die("filter", NULL);
}

static void bench_tier_a(int rounds)
{
	static struct row rows[3] = {
		{ .name = "posix_spawn", .run = run_plain },
		{ .name = "tier A, cold", .run = run_task },
		{ .name = "bwrap", .run = run_bwrap },
	};
	int n = access(BWRAP, X_OK) == 0 ? 3 : 2;

	measure(rows, n, rounds);
	print_rows("a small harness", rows, n);
	if (n == 3)
		printf("  tier A / bwrap: %.2f\n",
		       quantile(&rows[1], 0.5) / quantile(&rows[2], 0.5));
	print_steps();
}

static void bench_large(int rounds)
{
	static struct row rows[2] = {
		{ .name = "posix_spawn", .run = run_plain },
		{ .name = "tier A, cold", .run = run_task },
	};
	char *p = mmap(NULL, GIB, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || madvise(p, GIB, MADV_NOHUGEPAGE) < 0)
		die("1 GiB", NULL);
	for (size_t i = 0; i < GIB; i += 4096)
		p[i] = 1;
	measure(rows, 2, rounds);
	print_rows("a harness of 1 GiB", rows, 2);
	munmap(p, GIB);
}

static void bench_tier_b(int rounds)
{
	static struct row rows[2] = {
		{ .name = "posix_spawn", .run = run_plain },
		{ .name = "tier B, cold", .run = run_task },
	};

	refuse_user_namespaces();
	measure(rows, 2, rounds);
	print_rows("a harness without user namespaces", rows, 2);
	print_steps();
}

static void in_child(void (*bench)(int), int rounds)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		make_policy();
		bench(rounds);
		sbx_policy_unref(policy);
		fflush(stdout);
		_exit(0);
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

int main(int argc, char **argv)
{
	int rounds = argc > 2 ? atoi(argv[2]) : 200;

	program = argc > 1 ? realpath(argv[1], NULL) : NULL;
	if (!program || rounds < 1 || rounds > MAX_ROUNDS) {
		fprintf(stderr, "usage: bench_spawn PROGRAM [ROUNDS]\n");
		return 2;
	}
	if (!mkdtemp(folder))
		die(folder, NULL);
	in_child(bench_tier_a, rounds);
	in_child(bench_large, rounds);
	in_child(bench_tier_b, rounds);
	rmdir(folder);
	return 0;
}

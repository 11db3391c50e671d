/* SPDX-License-Identifier: Apache-2.0 */
/* usage: real children are counted and found; hostile text is not believed. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "init/usage.h"

#define MIB ((uint64_t)1 << 20)

/* Big, and zero at first: one a test process. */
static struct sbxi_usage_state state;
static int proc_fd = -1;

static void open_proc(void)
{
	proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cr_assert_geq(proc_fd, 0);
}

static void close_proc(void)
{
	close(proc_fd);
}

static int reap(pid_t pid)
{
	int st = 0;

	while (waitpid(pid, &st, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st);
}

static int in_child(int (*fn)(void))
{
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(fn());
	}
	return reap(pid);
}

/* A child that does its work, says so, and waits for the pipe to close. */
struct helper {
	pid_t pid;
	int hold;
};

static struct helper start_helper(int (*work)(void))
{
	int ready[2], hold[2];
	struct helper h;
	char c;

	cr_assert_eq(pipe2(ready, O_CLOEXEC), 0);
	cr_assert_eq(pipe2(hold, O_CLOEXEC), 0);
	h.pid = fork();
	cr_assert_geq(h.pid, 0);
	if (h.pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(hold[1]);
		if (work() != 0)
			_exit(1);
		if (write(ready[1], "r", 1) != 1)
			_exit(2);
		_exit(read(hold[0], &c, 1) == 0 ? 0 : 3);
	}
	close(ready[1]);
	close(hold[0]);
	h.hold = hold[1];
	cr_assert_eq(read(ready[0], &c, 1), 1, "the helper failed");
	close(ready[0]);
	return h;
}

static void end_helper(struct helper *h)
{
	/* Not by the pipe: a later helper holds the other end of it too. */
	kill(h->pid, SIGKILL);
	cr_assert_eq(reap(h->pid), 128 + SIGKILL);
	close(h->hold);
}

static struct sbxi_usage sample(bool want_memory)
{
	struct sbxi_usage u = { 0 };

	cr_assert_eq(sbxi_usage_sample(proc_fd, false, want_memory, &state,
				       &u), 0);
	return u;
}

static int idle(void)
{
	return 0;
}

static int burn(void)
{
	struct timespec t;

	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while (t.tv_sec == 0 && t.tv_nsec < 120 * 1000000);
	return 0;
}

static int touch_64_mib(void)
{
	char *p = mmap(NULL, 64 * MIB, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return 1;
	memset(p, 1, 64 * MIB);
	return 0;
}

static int share_64_mib(void)
{
	char *p = mmap(NULL, 64 * MIB, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return 1;
	memset(p, 1, 64 * MIB);
	return 0;
}

TestSuite(usage, .init = open_proc, .fini = close_proc, .timeout = 60);

Test(usage, a_tree_without_processes_uses_nothing)
{
	struct sbxi_usage u = sample(true);

	cr_expect_eq(u.processes, 0);
	cr_expect_eq(u.memory_bytes, 0);
}

Test(usage, cpu_time_of_a_living_child_is_counted)
{
	struct helper h = start_helper(burn);
	struct sbxi_usage u = sample(false);

	cr_expect_geq(u.cpu_us, 100 * 1000);
	cr_expect_lt(u.cpu_us, 5000 * 1000);
	cr_expect_eq(u.processes, 1);
	cr_expect_eq(u.memory_bytes, 0, "memory was not asked for");
	end_helper(&h);
}

Test(usage, cpu_time_of_an_idle_child_is_not_invented)
{
	struct helper h = start_helper(idle);

	cr_expect_lt(sample(false).cpu_us, 100 * 1000);
	end_helper(&h);
}

Test(usage, cpu_time_stays_when_the_child_was_waited_for)
{
	struct helper h = start_helper(burn);
	uint64_t before = sample(false).cpu_us;

	end_helper(&h);
	cr_expect_geq(sample(false).cpu_us, before);
	state = (struct sbxi_usage_state){ 0 };
	cr_expect_geq(sample(false).cpu_us, 100 * 1000,
		      "what was waited for counts without having been met");
}

Test(usage, cpu_time_of_children_that_nobody_waits_for_adds_up)
{
	uint64_t first, second;
	struct helper h;

	signal(SIGCHLD, SIG_IGN);
	h = start_helper(burn);
	first = sample(false).cpu_us;
	close(h.hold);
	while (kill(h.pid, 0) == 0)
		usleep(1000);
	cr_expect_geq(sample(false).cpu_us, first);
	h = start_helper(burn);
	second = sample(false).cpu_us;
	close(h.hold);
	cr_expect_geq(first, 100 * 1000);
	cr_expect_geq(second, first + 100 * 1000);
}

Test(usage, touched_memory_of_a_child_is_counted)
{
	struct helper h = start_helper(touch_64_mib);
	uint64_t bytes = sample(true).memory_bytes;

	cr_expect_geq(bytes, 64 * MIB);
	cr_expect_lt(bytes, 96 * MIB);
	end_helper(&h);
}

Test(usage, shared_mapped_memory_of_a_child_is_counted)
{
	struct helper h = start_helper(share_64_mib);
	uint64_t bytes = sample(true).memory_bytes;

	cr_expect_geq(bytes, 64 * MIB);
	cr_expect_lt(bytes, 96 * MIB);
	end_helper(&h);
}

static int write_memfd(size_t mib)
{
	static char block[1 << 20];
	int fd = memfd_create("held", MFD_CLOEXEC);

	memset(block, 1, sizeof(block));
	while (fd >= 0 && mib-- > 0)
		if (write(fd, block, sizeof(block)) != (ssize_t)sizeof(block))
			return -1;
	return fd;
}

Test(usage, an_unmapped_memfd_held_by_two_is_counted_once)
{
	struct helper none[2] = { start_helper(idle), start_helper(idle) };
	uint64_t bytes, without = sample(true).memory_bytes;
	struct helper two[2];
	int fd = write_memfd(32);

	cr_assert_geq(fd, 0);
	end_helper(&none[0]);
	end_helper(&none[1]);
	two[0] = start_helper(idle);
	two[1] = start_helper(idle);
	close(fd);
	bytes = sample(true).memory_bytes;
	cr_expect_geq(bytes, without + 31 * MIB);
	cr_expect_lt(bytes, without + 48 * MIB);
	end_helper(&two[0]);
	end_helper(&two[1]);
}

static int map_memfd(void)
{
	int fd = write_memfd(32);
	volatile char *p = mmap(NULL, 32 * MIB, PROT_READ, MAP_SHARED, fd, 0);
	size_t i;

	if (p == MAP_FAILED)
		return 1;
	for (i = 0; i < 32 * MIB; i += 4096)
		(void)p[i];
	return 0;
}

Test(usage, a_mapped_memfd_is_not_counted_as_memory_and_as_memfd)
{
	struct helper h = start_helper(map_memfd);
	uint64_t bytes = sample(true).memory_bytes;

	cr_expect_geq(bytes, 32 * MIB);
	cr_expect_lt(bytes, 56 * MIB);
	end_helper(&h);
}

/* The first thread ends by itself; proc(5) shows its memory no more. */
static char thread_stack[65536] __attribute__((aligned(16)));

static int hide_behind_thread(void *arg)
{
	(void)arg;
	for (;;)
		pause();
	return 0;
}

static pid_t start_leaderless(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (touch_64_mib() != 0 || write_memfd(32) < 0)
			_exit(1);
		if (clone(hide_behind_thread,
			  thread_stack + sizeof(thread_stack),
			  CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD,
			  NULL) < 0)
			_exit(2);
		syscall(SYS_exit, 0);
	}
	return pid;
}

static char state_letter(pid_t pid)
{
	char path[64], line[512];
	FILE *f;
	char c = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	if (fgets(line, sizeof(line), f) && strrchr(line, ')'))
		c = strrchr(line, ')')[2];
	fclose(f);
	return c;
}

Test(usage, a_process_whose_first_thread_has_ended_is_still_seen)
{
	pid_t pid = start_leaderless();
	struct sbxi_usage u;

	cr_assert_gt(pid, 0);
	while (state_letter(pid) != 'Z')
		usleep(1000);
	u = sample(true);
	cr_expect_geq(u.processes, 1);
	/* The second thread has a table of its own: no CLONE_FILES. */
	cr_expect_geq(u.memory_bytes, 96 * MIB);
	cr_expect_gt(sbxi_usage_kill_descendants(proc_fd), 0);
	cr_expect_eq(reap(pid), 128 + SIGKILL);
}

/* Fork twice; the grandchild leaves session and parent. */
static pid_t start_daemon(int *ret_hold)
{
	int told[2], hold[2];
	pid_t pid, grandchild = -1;

	if (pipe2(told, O_CLOEXEC) < 0 || pipe2(hold, O_CLOEXEC) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		if (fork() == 0) {
			char c;
			pid_t self = getpid();

			close(hold[1]);
			setsid();
			if (write(told[1], &self, sizeof(self)) < 0)
				_exit(1);
			_exit(read(hold[0], &c, 1) == 0 ? 0 : 1);
		}
		_exit(0);
	}
	close(hold[0]);
	close(told[1]);
	if (pid < 0 || reap(pid) != 0 ||
	    read(told[0], &grandchild, sizeof(grandchild)) < 0)
		grandchild = -1;
	close(told[0]);
	*ret_hold = hold[1];
	return grandchild;
}

static int subreaper_finds_daemon(void)
{
	struct sbxi_usage u = { 0 };
	int hold;
	pid_t pid;

	if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		return 1;
	pid = start_daemon(&hold);
	if (pid < 0)
		return 2;
	if (sbxi_usage_sample(proc_fd, false, false, &state, &u) != 0)
		return 3;
	if (u.processes != 1)
		return 4;
	if (sbxi_usage_kill_descendants(proc_fd) != 1)
		return 5;
	if (reap(pid) != 128 + SIGKILL)
		return 6;
	return sbxi_usage_kill_descendants(proc_fd) == 0 ? 0 : 7;
}

static int parent_misses_daemon(void)
{
	struct sbxi_usage u = { 0 };
	int hold;
	pid_t pid = start_daemon(&hold);

	if (pid < 0)
		return 1;
	if (sbxi_usage_sample(proc_fd, false, false, &state, &u) != 0)
		return 2;
	close(hold);
	return u.processes == 0 ? 0 : 3;
}

Test(usage, a_daemon_is_found_by_a_subreaper)
{
	cr_expect_eq(in_child(subreaper_finds_daemon), 0);
}

Test(usage, a_daemon_is_not_the_descendant_of_a_plain_parent)
{
	cr_expect_eq(in_child(parent_misses_daemon), 0);
}

/* Every process makes one child a generation: 2^depth processes. */
static void grow(int depth)
{
	while (depth-- > 0)
		if (fork() < 0)
			break;
	for (;;)
		pause();
}

static int kills_tree(void)
{
	int rounds = 0, n;
	pid_t pid;

	if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		return 1;
	pid = fork();
	if (pid < 0)
		return 2;
	if (pid == 0) {
		setsid();
		grow(5);
	}
	while ((n = sbxi_usage_kill_descendants(proc_fd)) > 0) {
		if (++rounds > 500)
			return 3;
		/* Not blocking: what was born in the meantime still lives. */
		while (waitpid(-1, NULL, WNOHANG | __WALL) > 0)
			;
		usleep(1000);
	}
	if (n < 0)
		return 4;
	while (waitpid(-1, NULL, __WALL) > 0)
		;
	return errno == ECHILD ? 0 : 5;
}

Test(usage, a_growing_tree_of_processes_is_ended)
{
	cr_expect_eq(in_child(kills_tree), 0);
}

static int kills_what_has_no_exit_signal(void)
{
	pid_t pid = (pid_t)syscall(SYS_clone, 0, 0, 0, 0, 0);

	if (pid == 0)
		for (;;)
			pause();
	if (sbxi_usage_kill_descendants(proc_fd) != 1)
		return 1;
	return waitpid(pid, NULL, __WALL) == pid ? 0 : 2;
}

Test(usage, a_child_without_exit_signal_is_killed)
{
	cr_expect_eq(in_child(kills_what_has_no_exit_signal), 0);
}

static int spares_others(void)
{
	/* The parent has another child: it must live. */
	return sbxi_usage_kill_descendants(proc_fd) == 0 ? 0 : 1;
}

Test(usage, killing_descendants_spares_siblings_and_parents)
{
	struct helper h = start_helper(idle);

	cr_expect_eq(in_child(spares_others), 0);
	cr_expect_eq(kill(h.pid, 0), 0);
	end_helper(&h);
}

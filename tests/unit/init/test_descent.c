/* SPDX-License-Identifier: Apache-2.0 */
/* descent: children and orphans are of the tree, everybody else is not. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "init/descent.h"

static int proc = -1;

static void open_proc(void)
{
	proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cr_assert_geq(proc, 0);
}

static void close_proc(void)
{
	close(proc);
}

TestSuite(descent, .init = open_proc, .fini = close_proc, .timeout = 30);

/* One that waits to be killed; ended with its parent. */
static pid_t start(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static bool is_alive(int pidfd)
{
	return syscall(SYS_pidfd_send_signal, pidfd, 0, NULL, 0) == 0;
}

Test(descent, a_child_is_of_the_tree_and_the_caller_is_not)
{
	pid_t child = start();

	cr_assert_gt(child, 0);
	cr_expect_eq(sbxi_descent_check(proc, child), 0);
	cr_expect_eq(sbxi_descent_check(proc, getpid()), -EPERM);
	cr_expect_eq(sbxi_descent_check(proc, getppid()), -EPERM);
	cr_expect_eq(sbxi_descent_check(proc, 1), -EPERM);
	cr_expect_eq(sbxi_descent_check(proc, 0), -ESRCH);
	cr_expect_eq(sbxi_descent_check(proc, -child), -ESRCH);
	end(child);
	cr_expect_eq(sbxi_descent_check(proc, child), -ESRCH);
}

Test(descent, a_sibling_is_not_of_the_tree)
{
	pid_t sibling = start(), asker;
	int st = -1;

	cr_assert_gt(sibling, 0);
	asker = fork();
	if (asker == 0) {
		pid_t own = start();
		int rc = sbxi_descent_check(proc, own) == 0 &&
			 sbxi_descent_check(proc, sibling) == -EPERM &&
			 sbxi_descent_pin(proc, sibling, 0) == -EPERM;

		end(own);
		_exit(!rc);
	}
	waitpid(asker, &st, 0);
	cr_expect_eq(st, 0);
	end(sibling);
}

/* A grandchild, then an orphan: its number comes by a pipe. */
Test(descent, what_has_lost_its_parent_is_of_the_tree_of_its_subreaper)
{
	int out[2], hold[2];
	pid_t child, orphan = 0;
	char byte = 0;

	cr_assert_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	cr_assert_eq(pipe(out), 0);
	cr_assert_eq(pipe(hold), 0);
	child = fork();
	if (child == 0) {
		pid_t pid = fork();

		if (pid == 0)
			for (;;)
				pause();
		if (write(out[1], &pid, sizeof(pid)) != sizeof(pid) ||
		    read(hold[0], &byte, 1) != 1)
			_exit(1);
		_exit(0);
	}
	cr_assert_eq(read(out[0], &orphan, sizeof(orphan)),
		     (ssize_t)sizeof(orphan));
	cr_expect_eq(sbxi_descent_check(proc, orphan), 0);
	cr_assert_eq(write(hold[1], &byte, 1), 1);
	waitpid(child, NULL, 0);
	cr_expect_eq(sbxi_descent_check(proc, orphan), 0);
	end(orphan);
}

Test(descent, a_pidfd_means_what_was_looked_at)
{
	pid_t child = start(), other = start();
	int pidfd = sbxi_descent_pin(proc, child, 0);

	cr_assert_geq(pidfd, 0);
	cr_expect_eq(fcntl(pidfd, F_GETFD), FD_CLOEXEC);
	cr_expect(is_alive(pidfd));
	cr_expect_eq(sbxi_descent_check_pidfd(proc, pidfd, child), 0);
	end(child);
	cr_expect(!is_alive(pidfd));
	/* The number is a descendant's, but not of this pidfd any more. */
	cr_expect_eq(sbxi_descent_check_pidfd(proc, pidfd, other), -ESRCH);
	cr_expect_eq(sbxi_descent_pin(proc, child, 0), -ESRCH);
	close(pidfd);
	end(other);
}

Test(descent, an_unknown_flag_is_told_apart_from_no_process)
{
	cr_expect_eq(sbxi_descent_pin(proc, 0, 0), -ESRCH);
	cr_expect_eq(sbxi_descent_pin(proc, getppid(), 0), -EPERM);
	cr_expect_eq(sbxi_descent_pin(proc, getppid(), 0x40000000u), -EINVAL);
}

/* A proc(5) mount of another pid namespace says other numbers. */
Test(descent, where_numbers_mean_other_processes_nobody_is_of_the_tree)
{
	char dir[] = "/tmp/sbx-descent.XXXXXX", name[64], number[24];
	pid_t child = start();
	int fake;

	cr_assert_not_null(mkdtemp(dir));
	snprintf(name, sizeof(name), "%s/self", dir);
	snprintf(number, sizeof(number), "%d", (int)getpid());
	fake = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cr_assert_geq(fake, 0);
	cr_expect(!sbxi_descent_counts_as_we_do(fake));
	cr_expect_eq(sbxi_descent_check(fake, child), -EPERM);
	cr_assert_eq(symlink("1", name), 0);
	cr_expect(!sbxi_descent_counts_as_we_do(fake));
	cr_expect_eq(sbxi_descent_check(fake, child), -EPERM);
	unlink(name);
	cr_assert_eq(symlink(number, name), 0);
	cr_expect(sbxi_descent_counts_as_we_do(fake));
	cr_expect(sbxi_descent_counts_as_we_do(proc));
	unlink(name);
	rmdir(dir);
	close(fake);
	end(child);
}

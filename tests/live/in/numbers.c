/* SPDX-License-Identifier: Apache-2.0 */
/*
 * numbers: limits, affinity and priority of a process by its number.
 *
 * numbers own		one's own, a thread's and a child's
 * numbers at PID	another's; 0: whoever started us
 */
#include <linux/ioprio.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "in.h"

/* sched_setattr(2), as the kernel has had it from 3.14 on. */
struct attributes {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

/* The first processor that we may use: all that is set is one fewer. */
static void one_processor(cpu_set_t *ret)
{
	cpu_set_t all;

	CPU_ZERO(ret);
	sched_getaffinity(0, sizeof(all), &all);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &all)) {
			CPU_SET(i, ret);
			return;
		}
}

static void tell_affinity(const char *what, pid_t tid)
{
	cpu_set_t one, seen;
	long rc;

	one_processor(&one);
	rc = sched_setaffinity(tid, sizeof(one), &one);
	if (rc == 0 && (sched_getaffinity(tid, sizeof(seen), &seen) < 0 ||
			!CPU_EQUAL(&one, &seen)))
		printf("%s=lost\n", what);
	else
		in_tell(what, rc);
}

static void tell_policy(const char *what, pid_t tid)
{
	struct sched_param p = { .sched_priority = 0 };
	long rc = syscall(SYS_sched_setscheduler, tid, SCHED_BATCH, &p);

	if (rc == 0 && syscall(SYS_sched_getscheduler, tid) != SCHED_BATCH)
		printf("%s=lost\n", what);
	else
		in_tell(what, rc);
}

static void tell_priority(const char *what, pid_t tid)
{
	long rc = setpriority(PRIO_PROCESS, (id_t)tid, 5);

	if (rc == 0 && getpriority(PRIO_PROCESS, (id_t)tid) != 5)
		printf("%s=lost\n", what);
	else
		in_tell(what, rc);
}

static long set_limit(pid_t pid)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_CORE, &l) < 0)
		return -1;
	l.rlim_cur = 0;
	return prlimit(pid, RLIMIT_CORE, &l, &l);
}

static long set_attributes(pid_t pid)
{
	struct attributes a = { .size = sizeof(a), .policy = SCHED_BATCH,
				.nice = 5 };

	return syscall(SYS_sched_setattr, pid, &a, 0);
}

static long set_parameters(pid_t pid)
{
	struct sched_param p = { .sched_priority = 0 };

	return syscall(SYS_sched_setparam, pid, &p);
}

static long set_io(pid_t pid)
{
	return syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, pid,
		       IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, 6));
}

static long move_pages(pid_t pid)
{
	return syscall(SYS_move_pages, pid, 0, NULL, NULL, NULL, 0);
}

/* What is for the process itself alone. */
static void tell_rest(const char *what, pid_t pid)
{
	char name[64];

	snprintf(name, sizeof(name), "%s limit", what);
	in_tell(name, set_limit(pid));
	snprintf(name, sizeof(name), "%s attributes", what);
	in_tell(name, set_attributes(pid));
	snprintf(name, sizeof(name), "%s parameters", what);
	in_tell(name, set_parameters(pid));
	snprintf(name, sizeof(name), "%s io", what);
	in_tell(name, set_io(pid));
	snprintf(name, sizeof(name), "%s pages", what);
	in_tell(name, move_pages(pid));
}

static void tell_all(const char *what, pid_t pid)
{
	char name[64];

	snprintf(name, sizeof(name), "%s affinity", what);
	tell_affinity(name, pid);
	snprintf(name, sizeof(name), "%s policy", what);
	tell_policy(name, pid);
	snprintf(name, sizeof(name), "%s priority", what);
	tell_priority(name, pid);
	tell_rest(what, pid);
}

static volatile pid_t thread_tid;
static volatile bool thread_ends;

static void *act_in_thread(void *arg)
{
	/* Its own number is not its process's; that one is its own, too. */
	in_tell("from a thread", set_limit(getpid()));
	in_tell("thread's own", set_io((pid_t)syscall(SYS_gettid)));
	thread_tid = (pid_t)syscall(SYS_gettid);
	while (!thread_ends)
		usleep(1000);
	return arg;
}

static void tell_thread(void)
{
	pthread_t t;

	if (pthread_create(&t, NULL, act_in_thread, NULL) != 0)
		return;
	while (thread_tid == 0)
		usleep(1000);
	tell_affinity("thread affinity", thread_tid);
	tell_policy("thread policy", thread_tid);
	tell_priority("thread priority", thread_tid);
	thread_ends = true;
	pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
	pid_t child;
	int hold[2];

	if (argc > 2 && strcmp(argv[1], "at") == 0) {
		long pid = in_number(argc, argv, 2, 0);

		tell_all("other", pid > 0 ? (pid_t)pid : getppid());
		return 0;
	}
	if (pipe(hold) < 0)
		return 1;
	child = fork();
	if (child == 0) {
		char byte;

		/* Until its parent lets go. */
		close(hold[1]);
		_exit(read(hold[0], &byte, 1) != 0);
	}
	close(hold[0]);
	tell_all("child", child);
	tell_thread();
	tell_all("own", getpid());
	in_tell("group", setpriority(PRIO_PGRP, (id_t)getpgrp(), 5));
	in_tell("user", setpriority(PRIO_USER, getuid(), 5));
	close(hold[1]);
	waitpid(child, NULL, 0);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * resources: how much can be had of what is limited.  The runner names the
 * limits; each of these takes a few times as much.
 */
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "probe.h"

/* All of them at once; they end with the probe's process group. */
static enum verdict fork_many(void)
{
	int n;

	for (n = 0; n < 200; n++) {
		pid_t pid = fork();

		if (pid < 0)
			break;
		if (pid == 0) {
			pause();
			_exit(0);
		}
	}
	show("%d processes", n);
	return n == 200 ? DID : REFUSED;
}

static void *wait_long(void *arg)
{
	(void)arg;
	pause();
	return NULL;
}

static enum verdict start_threads(void)
{
	pthread_attr_t small;
	pthread_t t;
	int n;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	for (n = 0; n < 200; n++)
		if (pthread_create(&t, &small, wait_long, NULL))
			break;
	show("%d threads", n);
	return n == 200 ? DID : REFUSED;
}

/* Each page is one of its own, and stays a while to be counted. */
static enum verdict touch_memory(void)
{
	const struct timespec pause = { .tv_nsec = 3000000 };
	const size_t piece = 4 << 20;

	for (int i = 0; i < 40; i++) {
		char *p = mmap(NULL, piece, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED)
			return outcome(-1);
		memset(p, i | 1, piece);
		nanosleep(&pause, NULL);
	}
	return DID;
}

static enum verdict fill_memfd(void)
{
	const struct timespec pause = { .tv_nsec = 3000000 };
	static char piece[4 << 20];
	int fd = memfd_create("fill", MFD_CLOEXEC);

	if (fd < 0)
		return outcome(-1);
	memset(piece, 1, sizeof(piece));
	for (int i = 0; i < 40; i++) {
		if (write(fd, piece, sizeof(piece)) != sizeof(piece))
			return outcome(-1);
		nanosleep(&pause, NULL);
	}
	return DID;
}

/* A second of processor time, however long that takes. */
static enum verdict burn(void)
{
	struct timespec t = { .tv_sec = 0 };

	while (t.tv_sec < 1)
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return DID;
}

/* So many that no one limit is at fault. */
static enum verdict open_many(void)
{
	struct rlimit l;
	int n = 0;

	getrlimit(RLIMIT_NOFILE, &l);
	l.rlim_cur = l.rlim_max;
	setrlimit(RLIMIT_NOFILE, &l);
	while (n < 4096 && dup(1) >= 0)
		n++;
	show("%d descriptors", n);
	return n == 4096 ? DID : REFUSED;
}

static enum verdict core_dump(void)
{
	struct rlimit l = { .rlim_cur = 4096, .rlim_max = 4096 };

	return outcome(setrlimit(RLIMIT_CORE, &l));
}

static enum verdict lock_memory(void)
{
	void *p = mmap(NULL, 4 << 20, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return outcome(mlock(p, 4 << 20));
}

static enum verdict real_time(void)
{
	const struct sched_param p = { .sched_priority = 1 };

	return outcome(sched_setscheduler(0, SCHED_FIFO, &p));
}

static enum verdict raise_priority(void)
{
	return outcome(setpriority(PRIO_PROCESS, 0, -5));
}

const struct probe resources_probes[] = {
	{ "res.fork", fork_many },
	{ "res.threads", start_threads },
	{ "res.memory", touch_memory },
	{ "res.memfd", fill_memfd },
	{ "res.cpu", burn },
	{ "res.descriptors", open_many },
	{ "res.core", core_dump },
	{ "res.mlock", lock_memory },
	{ "res.realtime", real_time },
	{ "res.nice", raise_priority },
	{ NULL, NULL }
};

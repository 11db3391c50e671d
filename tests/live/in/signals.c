/* SPDX-License-Identifier: Apache-2.0 */
/*
 * signals: send them, to oneself, to one's own tree and to others.
 *
 * signals own		to its threads and children
 * signals at PID	to a process that leads a group
 *
 * Never SIGKILL or the like to all: outside of a jail all is all.
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "in.h"

#define PIDFD_THREAD 0200	/* 6.9 */

static volatile sig_atomic_t hit_tid, hit_value;

static void note(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	hit_value = info->si_value.sival_int;
	hit_tid = (sig_atomic_t)syscall(SYS_gettid);
}

static void catch(int sig)
{
	struct sigaction a = { .sa_sigaction = note, .sa_flags = SA_SIGINFO };

	sigaction(sig, &a, NULL);
	hit_tid = hit_value = 0;
}

/* "ok" only if it was sent, and came to this thread before that returned. */
static void tell_hit(const char *what, long rc, pid_t tid)
{
	if (rc == 0 && hit_tid != tid) {
		printf("%s=lost (%d, not %d)\n", what, (int)hit_tid, (int)tid);
		fflush(stdout);
	} else {
		in_tell(what, rc);
	}
	hit_tid = 0;
}

static long queue(pid_t pid, int sig, int value)
{
	return sigqueue(pid, sig, (union sigval){ .sival_int = value });
}

static void to_self(void)
{
	pid_t pid = getpid(), tid = (pid_t)syscall(SYS_gettid);
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	long rc;

	catch(SIGUSR1);
	tell_hit("raise", raise(SIGUSR1), tid);
	tell_hit("kill", kill(pid, SIGUSR1), tid);
	tell_hit("tkill", syscall(SYS_tkill, tid, SIGUSR1), tid);
	tell_hit("pthread_kill", -pthread_kill(pthread_self(), SIGUSR1), tid);
	tell_hit("pidfd", syscall(SYS_pidfd_send_signal, fd, SIGUSR1, NULL, 0),
		 tid);
	rc = queue(pid, SIGUSR1, 42);
	tell_hit("queue", hit_value == 42 ? rc : -1, tid);
	in_tell("bad signal", kill(pid, 65));
	close(fd);
}

static volatile pid_t thread_tid;
static volatile bool thread_ends;

static void *wait_in_thread(void *arg)
{
	thread_tid = (pid_t)syscall(SYS_gettid);
	while (!thread_ends)
		usleep(1000);
	return arg;
}

/* Up to ten seconds: another thread takes it when it runs. */
static void await_hit(void)
{
	for (int i = 0; i < 10000 && hit_tid == 0; i++)
		usleep(1000);
}

static void to_threads(void)
{
	pthread_t t;
	long rc;
	int fd;

	if (pthread_create(&t, NULL, wait_in_thread, NULL) != 0)
		return;
	while (thread_tid == 0)
		usleep(1000);
	catch(SIGUSR1);
	rc = pthread_kill(t, SIGUSR1);
	await_hit();
	tell_hit("thread", -rc, thread_tid);
	/* What a kernel cannot pin down is not asked for. */
	fd = (int)syscall(SYS_pidfd_open, thread_tid, PIDFD_THREAD);
	in_tell("thread pidfd", fd);
	rc = syscall(SYS_tkill, thread_tid, SIGUSR1);
	if (rc == 0)
		await_hit();
	tell_hit("thread tkill", rc, thread_tid);
	thread_ends = true;
	pthread_join(t, NULL);
}

/* A child that waits to be ended, in a group of its own. */
static pid_t start_child(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		setpgid(0, 0);
		for (;;)
			pause();
	}
	setpgid(pid, pid);
	return pid;
}

/* "ok" if it ended by that signal; ended all the same if it did not. */
static void tell_ended(const char *what, long rc, pid_t child, int sig)
{
	int error = errno, st = 0;

	if (rc < 0)
		kill(child, SIGKILL);
	if (rc < 0 && waitpid(child, &st, WNOHANG) == 0) {
		/* Nothing reaches it: the end of the task will. */
		errno = error;
		in_tell(what, rc);
		return;
	}
	if (rc == 0)
		waitpid(child, &st, 0);
	errno = error;
	if (rc == 0 && (!WIFSIGNALED(st) || WTERMSIG(st) != sig))
		printf("%s=lost\n", what);
	else
		in_tell(what, rc);
	fflush(stdout);
}

static void to_children(void)
{
	pid_t child;
	int fd;

	/* Before they are there: what comes early must end them, too. */
	signal(SIGUSR1, SIG_DFL);
	child = start_child();
	tell_ended("child kill", kill(child, SIGTERM), child, SIGTERM);
	child = start_child();
	tell_ended("child tgkill",
		   syscall(SYS_tgkill, child, child, SIGUSR1), child, SIGUSR1);
	child = start_child();
	tell_ended("child queue", queue(child, SIGUSR1, 7), child, SIGUSR1);
	child = start_child();
	fd = (int)syscall(SYS_pidfd_open, child, 0);
	tell_ended("child pidfd",
		   syscall(SYS_pidfd_send_signal, fd, SIGKILL, NULL, 0), child,
		   SIGKILL);
	close(fd);
	child = start_child();
	tell_ended("child group", kill(-child, SIGTERM), child, SIGTERM);
	in_tell("ended child", kill(child, SIGTERM));
	in_tell("ended group", kill(-child, SIGTERM));
	child = fork();
	if (child == 0)
		abort();
	waitpid(child, &fd, 0);
	printf("abort=%s\n",
	       WIFSIGNALED(fd) && WTERMSIG(fd) == SIGABRT ? "ok" : "lost");
}

static void end_well(int sig)
{
	(void)sig;
	_exit(0);
}

/* Harmless to whoever does not wait for it, if this reaches too far. */
static void to_all(void)
{
	int ready[2], st = -1;
	char byte;
	pid_t child;
	long rc;

	if (pipe(ready) < 0)
		return;
	child = fork();
	if (child == 0) {
		signal(SIGURG, end_well);
		if (write(ready[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	if (read(ready[0], &byte, 1) != 1)
		return;
	rc = kill(-1, SIGURG);
	in_tell("all", rc);
	if (rc == 0)
		waitpid(child, &st, 0);
	printf("all came=%d\n", st);
}

static void to_other(pid_t pid)
{
	siginfo_t info = { .si_signo = SIGUSR1, .si_code = SI_QUEUE };
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	in_tell("kill", kill(pid, SIGUSR1));
	in_tell("tkill", syscall(SYS_tkill, pid, SIGUSR1));
	in_tell("tgkill", syscall(SYS_tgkill, pid, pid, SIGUSR1));
	in_tell("queue", syscall(SYS_rt_sigqueueinfo, pid, SIGUSR1, &info));
	in_tell("tgqueue",
		syscall(SYS_rt_tgsigqueueinfo, pid, pid, SIGUSR1, &info));
	/* It is the descriptor that is refused, or else the signal. */
	in_tell("pidfd", fd < 0 ? -1
				: syscall(SYS_pidfd_send_signal, fd, SIGUSR1,
					  NULL, 0));
	in_tell("group", kill(-pid, SIGUSR1));
	close(fd);
}

int main(int argc, char **argv)
{
	if (argc > 2 && strcmp(argv[1], "at") == 0) {
		long pid = in_number(argc, argv, 2, 0);

		/* 0 stands for whoever started us: the supervisor. */
		to_other(pid > 0 ? (pid_t)pid : getppid());
		return 0;
	}
	to_self();
	to_threads();
	to_children();
	to_all();
	return 0;
}

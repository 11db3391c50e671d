/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ledger.h"

#define MAX_FD 65536
#define C_LIBRARY_FLAG 0x04000000u	/* SA_RESTORER */

extern char **environ;

static void put_descriptors(FILE *out)
{
	static char target[MAX_FD / 8];
	struct dirent *entry;
	DIR *dir = opendir("/proc/self/fd");
	int own, fd;

	/* Sorted by number: a bit map first, the names afterwards. */
	memset(target, 0, sizeof(target));
	if (!dir)
		return;
	own = dirfd(dir);
	while ((entry = readdir(dir))) {
		fd = (int)strtol(entry->d_name, NULL, 10);
		if (entry->d_name[0] != '.' && fd != own && fd < MAX_FD)
			target[fd / 8] |= (char)(1 << (fd % 8));
	}
	closedir(dir);
	for (fd = 0; fd < MAX_FD; fd++) {
		char path[64], name[512];
		ssize_t n;

		if (!(target[fd / 8] & (1 << (fd % 8))))
			continue;
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		n = readlink(path, name, sizeof(name) - 1);
		name[n < 0 ? 0 : n] = '\0';
		fprintf(out, "descriptor %d: %s, flags %x, status %x\n", fd,
			name, (unsigned)fcntl(fd, F_GETFD),
			(unsigned)fcntl(fd, F_GETFL));
	}
}

static void put_signals(FILE *out)
{
	for (int sig = 1; sig <= SIGRTMAX; sig++) {
		struct sigaction sa = { .sa_flags = 0 };
		uint64_t mask = 0;

		if (sigaction(sig, NULL, &sa) < 0)
			continue;
		for (int i = 1; i <= 64; i++)
			if (sigismember(&sa.sa_mask, i) == 1)
				mask |= 1ull << (i - 1);
		fprintf(out, "signal %d: handler %#lx flags %x mask %llx\n",
			sig, (unsigned long)(uintptr_t)sa.sa_handler,
			(unsigned)sa.sa_flags & ~C_LIBRARY_FLAG,
			(unsigned long long)mask);
	}
}

static void put_limits(FILE *out)
{
	for (int i = 0; i < (int)RLIM_NLIMITS; i++) {
		struct rlimit r;

		if (getrlimit((__rlimit_resource_t)i, &r) == 0)
			fprintf(out, "rlimit %d: %llu %llu\n", i,
				(unsigned long long)r.rlim_cur,
				(unsigned long long)r.rlim_max);
	}
}

/* The lines of a status file that a library has no business to change. */
static void put_status(FILE *out)
{
	static const char *const kept[] = {
		"Name:", "Umask:", "Tgid:", "TracerPid:", "Uid:", "Gid:",
		"Groups:", "Threads:", "SigPnd:", "ShdPnd:", "SigBlk:",
		"SigIgn:", "SigCgt:", "CapInh:", "CapPrm:", "CapEff:",
		"CapBnd:", "CapAmb:", "NoNewPrivs:", "Seccomp:",
		"Seccomp_filters:", "Cpus_allowed:"
	};
	FILE *in = fopen("/proc/thread-self/status", "re");
	char line[4096];

	while (in && fgets(line, sizeof(line), in))
		for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
			if (!strncmp(line, kept[i], strlen(kept[i])))
				fputs(line, out);
	if (in)
		fclose(in);
}

static void put_file(FILE *out, const char *name, const char *path)
{
	FILE *in = fopen(path, "re");
	char line[4096];

	while (in && fgets(line, sizeof(line), in))
		fprintf(out, "%s: %s", name, line);
	if (in)
		fclose(in);
}

static void put_process(FILE *out)
{
	siginfo_t si = { .si_pid = 0 };
	char cwd[4096];
	stack_t stack = { .ss_flags = 0 };
	int value = 0;
	int rc;

	fprintf(out, "folder: %s\n", getcwd(cwd, sizeof(cwd)) ? cwd : "?");
	for (char **e = environ; e && *e; e++)
		fprintf(out, "environment: %s\n", *e);
	fprintf(out, "session: %d group %d\n", (int)getsid(0), (int)getpgrp());
	fprintf(out, "dumpable: %d\n", prctl(PR_GET_DUMPABLE));
	prctl(PR_GET_CHILD_SUBREAPER, &value);
	fprintf(out, "subreaper: %d\n", value);
	prctl(PR_GET_PDEATHSIG, &value);
	fprintf(out, "death signal: %d\n", value);
	fprintf(out, "secure bits: %d\n", prctl(PR_GET_SECUREBITS));
	fprintf(out, "priority: %d\n", getpriority(PRIO_PROCESS, 0));
	if (sigaltstack(NULL, &stack) == 0)
		fprintf(out, "stack: %p %x\n", stack.ss_sp,
			(unsigned)stack.ss_flags);
	rc = waitid(P_ALL, 0, &si, WEXITED | WNOHANG | WNOWAIT | __WALL);
	fprintf(out, "children: %s\n",
		rc < 0 && errno == ECHILD ? "none" : "some");
}

static void put_names(FILE *out, const char *path, const char *prefix)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.' && entry->d_type == DT_DIR &&
		    !strncmp(entry->d_name, prefix, strlen(prefix)))
			fprintf(out, "folder %s/%s\n", path, entry->d_name);
	if (dir)
		closedir(dir);
}

static void put_cgroup(FILE *out)
{
	FILE *in = fopen("/proc/self/cgroup", "re");
	char line[1024], path[1100];

	while (in && fgets(line, sizeof(line), in)) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "0::", 3) != 0)
			continue;
		snprintf(path, sizeof(path), "/sys/fs/cgroup%s", line + 3);
		put_names(out, path, "");
	}
	if (in)
		fclose(in);
}

char *ledger_take(unsigned flags)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out;

	/* Descriptors first: a stream that is open now is none of them. */
	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	put_descriptors(out);
	put_process(out);
	put_status(out);
	put_signals(out);
	put_limits(out);
	put_file(out, "mount", "/proc/self/mountinfo");
	put_cgroup(out);
	if (flags & LEDGER_SCRATCH) {
		put_names(out, "/tmp", "sbx-");
		put_names(out, "/var/tmp", "sbx-");
	}
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

static size_t line_length(const char *text)
{
	return strcspn(text, "\n");
}

/* Is the line at text one of those in all? */
static bool has_line(const char *all, const char *text)
{
	size_t n = line_length(text);

	for (;;) {
		if (line_length(all) == n && !strncmp(all, text, n))
			return true;
		all += line_length(all);
		if (!*all++)
			return false;
	}
}

static bool find_missing(const char *all, const char *text, const char *what,
			 char *why, size_t size)
{
	while (*text) {
		if (!has_line(all, text)) {
			snprintf(why, size, "%s: %.*s", what,
				 (int)line_length(text), text);
			return true;
		}
		text += line_length(text);
		text += *text == '\n';
	}
	return false;
}

int ledger_compare(const char *before, unsigned flags, char *why, size_t size)
{
	char *after = ledger_take(flags);
	int rc = 0;

	if (!before || !after) {
		snprintf(why, size, "no ledger could be taken");
		rc = 1;
	} else if (find_missing(before, after, "new", why, size) ||
		   find_missing(after, before, "gone", why, size)) {
		rc = 1;
	}
	free(after);
	return rc;
}

int ledger_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;
	int n = 0;

	if (!dir)
		return -1;
	while ((entry = readdir(dir)))
		n += entry->d_name[0] != '.';
	closedir(dir);
	return n - 1;	/* the directory's own */
}

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

int ledger_no_children(int timeout_ms)
{
	int64_t end = now_ms() + timeout_ms;

	for (;;) {
		pid_t pid = waitpid(-1, NULL, WNOHANG | __WALL);

		if (pid < 0 && errno == ECHILD)
			return 0;
		if (pid > 0 && timeout_ms > 0)
			continue;
		if (pid > 0 || now_ms() >= end)
			return 1;
		nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
	}
}

static bool line_has(const char *path, const char *needle)
{
	char text[8192];
	ssize_t n = -1;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		n = read(fd, text, sizeof(text));
		close(fd);
	}
	return n > 0 &&
	       memmem(text, (size_t)n, needle, strlen(needle)) != NULL;
}

int ledger_processes(const char *needle)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	int n = 0;

	if (!dir)
		return -1;
	while ((entry = readdir(dir))) {
		char path[300];

		if (entry->d_name[0] < '1' || entry->d_name[0] > '9' ||
		    strtol(entry->d_name, NULL, 10) == getpid())
			continue;
		snprintf(path, sizeof(path), "/proc/%s/cmdline",
			 entry->d_name);
		n += line_has(path, needle);
	}
	closedir(dir);
	return n;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* work: what a task must be able to do, and by itself see that it worked. */
#include <fcntl.h>
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>

#include "probe.h"

static enum verdict check(bool holds)
{
	return holds ? DID : outcome(-1);
}

static enum verdict shell(void)
{
	const char *const argv[] = {
		"/bin/sh", "-c", "echo one | sed s/one/two/ && ls /usr >/dev/null",
		NULL
	};

	return show_program(argv);
}

static enum verdict python(void)
{
	const char *const argv[] = {
		"/usr/bin/python3", "-c",
		"import json, os, socket, subprocess, threading;"
		"t = threading.Thread(target=lambda: None); t.start();"
		"t.join(); print(subprocess.check_output(['echo', 'two']))",
		NULL
	};

	if (access(argv[0], X_OK) < 0 && !*key("python"))
		return absent("no python3");
	return show_program(argv);
}

/* In the repository that the runner made. */
static enum verdict git(void)
{
	const char *const argv[] = {
		"/bin/sh", "-c",
		"cd project && echo more >>file && git add file &&"
		"git -c user.name=a -c user.email=a@example.com "
		"commit -q -m two && git log --oneline | wc -l", NULL
	};

	if (!*key("git"))
		return absent("no git");
	return show_program(argv);
}

static enum verdict new_program(void)
{
	const char *const argv[] = { "./program", NULL };

	if (make_file("program", "#!/bin/sh\necho two\n") < 0 ||
	    chmod("program", 0755) < 0)
		return outcome(-1);
	return show_program(argv);
}

static void *put_one(void *arg)
{
	*(int *)arg = 1;
	return NULL;
}

static enum verdict thread(void)
{
	pthread_t t;
	int seen = 0;

	if (pthread_create(&t, NULL, put_one, &seen))
		return outcome(-1);
	pthread_join(t, NULL);
	return check(seen == 1);
}

static enum verdict temporary(const char *where)
{
	char path[64], text[8] = "";
	int fd;

	snprintf(path, sizeof(path), "%s/probe-XXXXXX", where);
	fd = mkstemp(path);
	if (fd < 0 || write(fd, "two", 3) != 3 || pread(fd, text, 3, 0) != 3 ||
	    unlink(path) < 0)
		return outcome(-1);
	return check(!strcmp(text, "two"));
}

static enum verdict tmp_file(void)
{
	const char *where = getenv("TMPDIR");

	return temporary(where ? where : "/tmp");
}

static enum verdict home_file(void)
{
	return temporary(getenv("HOME") ? getenv("HOME") : "/nonexistent");
}

static enum verdict fifo(void)
{
	char c = 0;
	int fd;

	if (mkfifo("pipe", 0644) < 0)
		return outcome(-1);
	fd = open("pipe", O_RDWR | O_CLOEXEC);
	return check(write(fd, "2", 1) == 1 && read(fd, &c, 1) == 1 &&
		     c == '2');
}

static enum verdict attributes(void)
{
	char text[8] = "";

	if (make_file("file", "") < 0)
		return outcome(-1);
	if (setxattr("file", "user.probe", "two", 3, 0) < 0)
		return errno == ENOTSUP ? absent("no attributes here") :
			outcome(-1);
	return check(getxattr("file", "user.probe", text, 3) == 3);
}

static enum verdict times(void)
{
	const struct timespec then[2] = { { .tv_sec = 2 }, { .tv_sec = 2 } };
	int fd = open("file", O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	struct stat st;

	return check(fd >= 0 && futimens(fd, then) == 0 &&
		     fstat(fd, &st) == 0 && st.st_mtime == 2 &&
		     utimensat(AT_FDCWD, "file", NULL, 0) == 0 &&
		     fchmod(fd, 0600) == 0);
}

static enum verdict watch(void)
{
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	char text[512];

	return check(inotify_add_watch(fd, ".", IN_CREATE) >= 0 &&
		     make_file("seen", "") == 0 &&
		     read(fd, text, sizeof(text)) > 0);
}

static enum verdict file_lock(void)
{
	int fd = open("file", O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	struct flock l = { .l_type = F_WRLCK };

	return check(flock(fd, LOCK_EX | LOCK_NB) == 0 &&
		     fcntl(fd, F_SETLK, &l) == 0);
}

static enum verdict map_shared(void)
{
	int fd = open("file", O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	char text[4] = "", *p;

	if (fd < 0 || ftruncate(fd, 4096) < 0)
		return outcome(-1);
	p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return outcome(-1);
	memcpy(p, "two", 3);
	return check(pread(fd, text, 3, 0) == 3 && !strcmp(text, "two"));
}

/* What just-in-time compilers do. */
static enum verdict made_code(void)
{
	unsigned char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return outcome(-1);
	return outcome(mprotect(p, 4096, PROT_READ | PROT_EXEC));
}

static enum verdict devices(void)
{
	char c[4];
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	int random = open("/dev/urandom", O_RDONLY | O_CLOEXEC);

	return check(write(null, "x", 1) == 1 && read(null, c, 1) == 0 &&
		     read(zero, c, 4) == 4 && read(random, c, 4) == 4);
}

static enum verdict reopen_output(void)
{
	int fd = open("/dev/stdout", O_WRONLY | O_APPEND | O_CLOEXEC);

	return check(fd >= 0 && write(fd, "\n", 1) == 1);
}

/* A descriptor of a file that may be written, opened once more. */
static enum verdict reopen_own(void)
{
	char path[64];
	int fd = open("file", O_RDWR | O_CREAT | O_CLOEXEC, 0644);

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	fd = open(path, O_RDWR | O_CLOEXEC);
	return check(fd >= 0 && write(fd, "two", 3) == 3);
}

static enum verdict pseudo_terminal(void)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	struct termios t;
	int master, slave;

	if (openpty(&master, &slave, NULL, NULL, &size) < 0)
		return outcome(-1);
	if (tcgetattr(slave, &t) < 0)
		return outcome(-1);
	cfmakeraw(&t);
	return check(tcsetattr(slave, TCSANOW, &t) == 0 &&
		     write(slave, "x", 1) == 1);
}

static pid_t stopped_child(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		pause();
		_exit(0);
	}
	return pid;
}

static enum verdict kill_child(void)
{
	pid_t pid = stopped_child();
	int st = 0;

	return check(pid > 0 && kill(pid, SIGUSR1) == 0 &&
		     waitpid(pid, &st, 0) == pid && WIFSIGNALED(st) &&
		     WTERMSIG(st) == SIGUSR1);
}

static enum verdict trace_child(void)
{
	pid_t pid = stopped_child();
	int st = 0;

	return check(ptrace(PTRACE_ATTACH, pid, NULL, NULL) == 0 &&
		     waitpid(pid, &st, 0) == pid && WIFSTOPPED(st) &&
		     ptrace(PTRACE_DETACH, pid, NULL, NULL) == 0);
}

static enum verdict read_child(void)
{
	static char theirs[4] = "two";
	char mine[4] = "";
	struct iovec here = { .iov_base = mine, .iov_len = 4 };
	struct iovec there = { .iov_base = theirs, .iov_len = 4 };

	return check(process_vm_readv(stopped_child(), &here, 1, &there, 1,
				      0) == 4);
}

static enum verdict own_scheduling(void)
{
	cpu_set_t set;
	struct rlimit l;

	return check(sched_getaffinity(0, sizeof(set), &set) == 0 &&
		     sched_setaffinity(0, sizeof(set), &set) == 0 &&
		     prlimit(0, RLIMIT_NOFILE, NULL, &l) == 0 &&
		     setpriority(PRIO_PROCESS, 0, 5) == 0);
}

/* By its number, not by 0. */
static enum verdict own_number_scheduling(void)
{
	cpu_set_t set;

	return check(sched_getaffinity(getpid(), sizeof(set), &set) == 0 &&
		     sched_setaffinity(getpid(), sizeof(set), &set) == 0 &&
		     prlimit(getpid(), RLIMIT_NOFILE, NULL, NULL) == 0);
}

static enum verdict own_proc(void)
{
	return show_fd(open("/proc/self/status", O_RDONLY | O_CLOEXEC));
}

const struct probe work_probes[] = {
	{ "work.shell", shell },
	{ "work.python", python },
	{ "work.git", git },
	{ "work.new-program", new_program },
	{ "work.thread", thread },
	{ "work.tmp", tmp_file },
	{ "work.home", home_file },
	{ "work.fifo", fifo },
	{ "work.attributes", attributes },
	{ "work.times", times },
	{ "work.inotify", watch },
	{ "work.file-lock", file_lock },
	{ "work.mmap", map_shared },
	{ "work.mprotect", made_code },
	{ "work.devices", devices },
	{ "work.stdout", reopen_output },
	{ "work.reopen", reopen_own },
	{ "work.pty", pseudo_terminal },
	{ "work.kill-child", kill_child },
	{ "work.ptrace-child", trace_child },
	{ "work.vm-read-child", read_child },
	{ "work.scheduling", own_scheduling },
	{ "work.scheduling-pid", own_number_scheduling },
	{ "work.proc-self", own_proc },
	{ NULL, NULL }
};

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: probe TARGETS NAME...
 *        probe --victim
 *
 * Runs each probe in a child with a time limit.  A line for each on standard
 * output: "@name<TAB>did|refused|absent|died<TAB>detail".  TARGETS is a file of
 * lines "key=value" that says where the victims are, and holds no secret.
 */
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "probe.h"

#define LIMIT_MS 8000

static const struct probe *const groups[] = {
	files_probes, grants_probes, network_probes, sockets_probes,
	processes_probes, privileges_probes, ipc_probes, surface_probes,
	leaks_probes, resources_probes, trust_probes, work_probes,
	work_ipc_probes, NULL
};

/* In memory that outlives the child. */
static struct outcome {
	enum verdict verdict;
	size_t len;
	char detail[2048];
} *result;

const char *probe_name = "";
pid_t probe_parent;
static char *targets;

const char *key(const char *name)
{
	static char value[8][1024];
	static unsigned int turn;
	size_t len = strlen(name);
	char *line = targets;

	while (line && *line) {
		char *end = strchrnul(line, '\n');

		if (!strncmp(line, name, len) && line[len] == '=') {
			char *to = value[turn++ % 8];

			snprintf(to, 1024, "%.*s", (int)(end - line - len - 1),
				 line + len + 1);
			return to;
		}
		line = *end ? end + 1 : end;
	}
	return "";
}

long key_number(const char *name)
{
	return strtol(key(name), NULL, 0);
}

const char *own_key(const char *name)
{
	char full[256];

	snprintf(full, sizeof(full), "%s.%s", name, probe_name);
	return key(full);
}

long own_number(const char *name)
{
	return strtol(own_key(name), NULL, 0);
}

static char *join(const char *base, const char *leaf)
{
	static char path[8][4096];
	static unsigned int turn;
	char *to = path[turn++ % 8];

	snprintf(to, 4096, "%s/%s%s%s", base, probe_name, *leaf ? "/" : "",
		 leaf);
	return to;
}

char *at(const char *leaf)
{
	char group[64];

	snprintf(group, sizeof(group), "%.*s",
		 (int)strcspn(probe_name, "."), probe_name);
	return join(key(group), leaf);
}

char *in_ws(const char *leaf)
{
	return join(key("ws"), leaf);
}

void show(const char *format, ...)
{
	size_t room = sizeof(result->detail) - result->len;
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(result->detail + result->len, room, format, ap);
	va_end(ap);
	if (n > 0)
		result->len += (size_t)n < room ? (size_t)n : room - 1;
}

enum verdict outcome(long rc)
{
	if (rc >= 0)
		return DID;
	show("%s ", strerrorname_np(errno));
	return REFUSED;
}

enum verdict absent(const char *why)
{
	show("%s", why);
	return ABSENT;
}

enum verdict show_fd(int fd)
{
	char text[512] = "";
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	enum verdict v = outcome(n);

	if (n > 0)
		show("%s", text);
	if (fd >= 0)
		close(fd);
	return v;
}

int make_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	size_t len = strlen(text);
	int rc;

	if (fd < 0)
		return -1;
	rc = write(fd, text, len) == (ssize_t)len ? 0 : -1;
	close(fd);
	return rc;
}

static int status_of(pid_t pid)
{
	int st = 0;

	while (waitpid(pid, &st, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st);
}

int in_child(int (*fn)(void *), void *arg)
{
	pid_t pid = fork();

	if (pid < 0)
		return -1;
	if (pid == 0)
		_exit(fn(arg));
	return status_of(pid);
}

enum verdict show_program(const char *const *argv)
{
	char text[512];
	int p[2], rc;
	ssize_t n;
	pid_t pid;

	if (pipe2(p, O_CLOEXEC) < 0 || (pid = fork()) < 0)
		return outcome(-1);
	if (pid == 0) {
		dup2(p[1], 1);
		dup2(p[1], 2);
		execv(argv[0], (char *const *)(uintptr_t)argv);
		_exit(126);
	}
	close(p[1]);
	while ((n = read(p[0], text, sizeof(text) - 1)) > 0) {
		text[n] = '\0';
		show("%s", text);
	}
	close(p[0]);
	rc = status_of(pid);
	if (rc)
		show(" status=%d", rc);
	return rc == 0 ? DID : REFUSED;
}

static const struct probe *find(const char *name)
{
	for (size_t g = 0; groups[g]; g++)
		for (const struct probe *p = groups[g]; p->name; p++)
			if (!strcmp(p->name, name))
				return p;
	return NULL;
}

/* A terminal must not stop it, nor a probe that it follows. */
static void run_child(const struct probe *p)
{
	setpgid(0, 0);
	signal(SIGTTOU, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	umask(022);
	if (chdir(in_ws("")) < 0 && chdir(key("ws")) < 0)
		show("no workspace: %s ", strerrorname_np(errno));
	result->verdict = p->act();
	_exit(0);
}

static int wait_for(pid_t pid)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	int st = 0;

	for (int i = 0; i < LIMIT_MS; i++) {
		if (waitpid(pid, &st, WNOHANG) == pid)
			return st;
		nanosleep(&pause, NULL);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &st, 0);
	return st;
}

static void tell(const struct probe *p)
{
	static const char *const words[] = {
		"died", "did", "refused", "absent"
	};

	for (char *c = result->detail; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = ' ';
	printf("\n@%s\t%s\t%s\n", p->name, words[result->verdict],
	       result->detail);
	fflush(stdout);
}

static void run(const struct probe *p)
{
	pid_t pid;
	int st;

	memset(result, 0, sizeof(*result));
	probe_name = p->name;
	pid = fork();
	if (pid == 0)
		run_child(p);
	if (pid > 0) {
		st = wait_for(pid);
		kill(-pid, SIGKILL);
		if (WIFSIGNALED(st))
			show(" signal %d", WTERMSIG(st));
	}
	tell(p);
}

static void load_targets(const char *path)
{
	static char text[1 << 17];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (n < 0) {
		perror(path);
		exit(2);
	}
	close(fd);
	targets = text;
}

/*
 * A process to be attacked: the secret comes by standard input, and stays in
 * memory and behind a descriptor.  It ends when its input does.
 */
static int victim(void)
{
	static char secret[128];
	ssize_t n = read(0, secret, 64);
	int fd = memfd_create("victim", MFD_CLOEXEC);
	char c;

	if (n <= 0 || fd < 0 || write(fd, secret, (size_t)n) != n)
		return 2;
	/* Where only children may be traced, it asks for it. */
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	printf("%p %d\n", (void *)secret, fd);
	fflush(stdout);
	while (read(0, &c, 1) > 0)
		;
	return 0;
}

int main(int argc, char **argv)
{
	/* Some test copies are set-uid: they do nothing but say so. */
	if (geteuid() != getuid()) {
		printf("euid=%d\n", (int)geteuid());
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "--victim"))
		return victim();
	if (argc == 2 && !strcmp(argv[1], "--hello")) {
		puts("hello");
		return 0;
	}
	if (argc < 2)
		return 2;
	probe_parent = getppid();
	load_targets(argv[1]);
	result = mmap(NULL, sizeof(*result), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (result == MAP_FAILED)
		return 2;
	/* Whatever comes now, there was a jail to be in. */
	printf("\n@started\tdid\t\n");
	fflush(stdout);
	for (int i = 2; i < argc; i++) {
		const struct probe *p = find(argv[i]);

		if (p)
			run(p);
		else
			printf("\n@%s\tunknown\t\n", argv[i]);
	}
	fflush(stdout);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "live.h"
#include "no_userns.h"

#define ORDINARY 65534
#define PATIENCE_MS 30000

extern char **environ;

static struct live_behaviour *known;

void live_know(struct live_behaviour *b)
{
	b->next = known;
	known = b;
}

int live_wrong(const char *file, int line, const char *condition,
	       const char *format, ...)
{
	va_list ap;

	fprintf(stderr, "%s:%d: wrong: %s:", file, line, condition);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
	return 1;
}

int in_child(int (*fn)(void *), void *arg)
{
	pid_t pid = fork();
	int st;

	if (pid < 0)
		return -errno;
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(fn(arg));
	}
	while (waitpid(pid, &st, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st);
}

void skip_live(const char *reason)
{
	const char *required = getenv("SBX_REQUIRE_LIVE");

	cr_log_warn("SKIPPED: %s", reason);
	cr_assert(!required || strcmp(required, "1") != 0,
		  "nothing may be skipped: %s", reason);
	cr_skip_test("%s", reason);
}

/* The side of the program that was started anew. */

static int make_user_namespace(void *arg)
{
	(void)arg;
	return unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0;
}

/* What the kernel of this host lacks for a test, or NULL. */
static const char *host_lacks(bool tier_b)
{
	if (syscall(__NR_landlock_create_ruleset, NULL, 0, 1) < 1)
		return "no Landlock";
	if (prctl(PR_GET_SECCOMP) < 0)
		return "no system call filters";
	if (!tier_b && in_child(make_user_namespace, NULL) != 0)
		return "no user namespaces";
	return NULL;
}

static int take_setting(const char *name, char *ret, size_t size)
{
	const char *value = getenv(name);

	if (!value || strlen(value) >= size)
		return -1;
	strcpy(ret, value);
	return unsetenv(name);
}

static void fill_live(struct live *l)
{
	snprintf(l->ws, sizeof(l->ws), "%s/ws", l->dir);
	snprintf(l->bin, sizeof(l->bin), "%s/bin", l->dir);
}

__attribute__((constructor)) static void run_behaviour(void)
{
	struct live l = { .tier_b = false };
	struct live_behaviour *b;
	const char *token = getenv("SBX_LIVE_TOKEN");
	const char *lacks;
	char name[256], tier[8];

	if (take_setting("SBX_LIVE_RUN", name, sizeof(name)) < 0)
		return;
	for (b = known; b && strcmp(b->name, name) != 0;)
		b = b->next;
	if (!b || !token || strlen(token) >= sizeof(l.token) ||
	    take_setting("SBX_LIVE_DIR", l.dir, sizeof(l.dir)) < 0 ||
	    take_setting("SBX_LIVE_TIER", tier, sizeof(tier)) < 0)
		_exit(99);
	strcpy(l.token, token);
	l.tier_b = tier[0] == 'b';
	fill_live(&l);
	lacks = host_lacks(l.tier_b);
	if (lacks) {
		fprintf(stderr, "%s: %s here\n", name, lacks);
		_exit(LIVE_SKIP);
	}
	/* So that orphans of any task are ours to find. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	alarm(100);
	exit(b->run(&l));
}

/* The side of the runner. */

struct attempt {
	const char *name;
	unsigned how;
	const struct live *live;
	int said;	/* becomes its standard error */
};

/* The environment of the new program: ours, without the runner's own. */
static int set_environment(const struct attempt *a)
{
	for (char **e = environ; *e;) {
		char name[64];
		size_t n = strcspn(*e, "=");

		if (strncmp(*e, "BXF", 3) != 0 || n >= sizeof(name)) {
			e++;
			continue;
		}
		memcpy(name, *e, n);
		name[n] = '\0';
		unsetenv(name);
		e = environ;
	}
	return setenv("SBX_LIVE_RUN", a->name, 1) ||
	       setenv("SBX_LIVE_DIR", a->live->dir, 1) ||
	       setenv("SBX_LIVE_TOKEN", a->live->token, 1) ||
	       setenv("SBX_LIVE_TIER", a->live->tier_b ? "b" : "a", 1);
}

static int become_ordinary(void)
{
	return setgroups(0, NULL) < 0 ||
	       setresgid(ORDINARY, ORDINARY, ORDINARY) < 0 ||
	       setresuid(ORDINARY, ORDINARY, ORDINARY) < 0;
}

/* Some tests open high numbers, and 1024 is what many shells start with. */
static int raise_limit_of_files(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) < 0)
		return -1;
	r.rlim_cur = r.rlim_max;
	return setrlimit(RLIMIT_NOFILE, &r);
}

static int start_behaviour(void *arg)
{
	const struct attempt *a = arg;
	char program[] = "live-behaviour";
	char *argv[] = { program, NULL };
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	/* The runner keeps what tests say on standard error to itself. */
	if (fd < 0 || dup2(a->said, 2) < 0 || set_environment(a) != 0 ||
	    raise_limit_of_files() != 0)
		return 98;
	if ((a->how & LIVE_USER) && become_ordinary())
		return 97;
	if ((a->how & LIVE_TIER_B) && refuse_user_namespaces() < 0)
		return 96;
	/* Changing ids has cleared it. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	syscall(__NR_execveat, fd, "", argv, environ, AT_EMPTY_PATH);
	return errno == EACCES ? LIVE_SKIP : 95;
}

static int make_folder(const char *path, unsigned how)
{
	if (mkdir(path, 0755) < 0 && errno != EEXIST)
		return -1;
	if (chmod(path, 0755) < 0)
		return -1;
	return how & LIVE_USER ? chown(path, ORDINARY, ORDINARY) : 0;
}

static int make_live(struct live *l, unsigned how)
{
	unsigned char random[16];

	if (getrandom(random, sizeof(random), 0) != sizeof(random))
		return -1;
	for (size_t i = 0; i < sizeof(random); i++)
		snprintf(l->token + 2 * i, 3, "%02x", random[i]);
	strcpy(l->dir, "/tmp/live-XXXXXX");
	if (!mkdtemp(l->dir))
		return -1;
	fill_live(l);
	l->tier_b = how & LIVE_TIER_B;
	return make_folder(l->dir, how) || make_folder(l->ws, how) ||
	       make_folder(l->bin, how);
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	(void)remove(path);	/* what stays is seen in /tmp */
	return 0;
}

void live_try(const char *name, unsigned how)
{
	struct live l = { .tier_b = false };
	struct attempt a = { .name = name, .how = how, .live = &l };
	char said[4096];
	ssize_t n;
	int rc;

	/* Then the test without this flag is the same. */
	if ((how & LIVE_USER) && geteuid() != 0)
		return;
	cr_assert_eq(make_live(&l, how), 0, "no folder for the test: %s",
		     strerror(errno));
	a.said = memfd_create("said", MFD_CLOEXEC);
	rc = in_child(start_behaviour, &a);
	n = pread(a.said, said, sizeof(said) - 1, 0);
	said[n < 0 ? 0 : n] = '\0';
	nftw(l.dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	if (rc == LIVE_SKIP)
		skip_live(said);
	cr_assert_eq(rc, 0, "it ended with %d and said: %s", rc, said);
	/* What this host cannot show, it passes without: loudly. */
	if (n > 0)
		fprintf(stderr, "# %s: %s", name, said);
}

/* What behaviours are made of. */

struct sbx_policy *live_policy(const struct live *l)
{
	struct sbx_policy *p = NULL;
	struct sbx_error e = { .code = 0 };
	int rc;

	rc = sbx_policy_new(SBX_PROFILE_TOOL, &p, &e);
	if (rc == 0)
		rc = sbx_policy_path(p, l->ws, SBX_READ | SBX_WRITE | SBX_EXEC,
				     0, &e);
	if (rc == 0)
		rc = sbx_policy_path(p, l->bin, SBX_READ | SBX_EXEC, 0, &e);
	if (rc == 0)
		return p;
	fprintf(stderr, "no policy: %d: %s: %s\n", rc, e.object, e.text);
	sbx_policy_unref(p);
	return NULL;
}

/* Where the programs of in/ are, from the tests' programs. */
static int open_program(const char *name)
{
	static const char *const places[] = { "in", "../in" };
	const char *given = getenv("SBX_LIVE_IN");
	char self[3000], path[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int fd;

	if (given) {
		snprintf(path, sizeof(path), "%s/%s", given, name);
		return open(path, O_RDONLY | O_CLOEXEC);
	}
	self[n < 0 ? 0 : n] = '\0';
	if (strrchr(self, '/'))
		*strrchr(self, '/') = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		snprintf(path, sizeof(path), "%s/%s/%s", self, places[i],
			 name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd >= 0)
			return fd;
	}
	return -1;
}

const char *live_program(const struct live *l, const char *name)
{
	static char paths[4][160];
	static unsigned turn;
	char *path = paths[turn++ % 4];
	char buf[65536];
	ssize_t n = -1;
	int in = open_program(name);
	int out = -1;

	snprintf(path, sizeof(paths[0]), "%s/%s", l->bin, name);
	if (in >= 0)
		out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
			   0755);
	while (out >= 0 && (n = read(in, buf, sizeof(buf))) > 0)
		if (write(out, buf, (size_t)n) != n)
			n = -1;
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
	if (n != 0) {
		fprintf(stderr, "no program %s to run in a jail\n", name);
		path[0] = '\0';
	}
	return path;
}

int live_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = write(fd, text, strlen(text));
	close(fd);
	return n == (ssize_t)strlen(text) ? 0 : -EIO;
}

const char *live_read(const char *path)
{
	static char text[65536];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return NULL;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n < 0)
		return NULL;
	text[n] = '\0';
	return text;
}

void live_sleep(int ms)
{
	struct timespec ts = { .tv_sec = ms / 1000,
			       .tv_nsec = ms % 1000 * 1000000L };

	while (nanosleep(&ts, &ts) < 0 && errno == EINTR)
		;
}

static long long size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) < 0 ? -1 : (long long)st.st_size;
}

static bool gets_over(const char *path, long long size)
{
	for (int i = 0; i < 1000; i++) {
		if (size_of(path) > size)
			return true;
		live_sleep(10);
	}
	return false;
}

bool live_appears(const char *path)
{
	return gets_over(path, -1);
}

bool live_grows(const char *path)
{
	return gets_over(path, size_of(path));
}

bool live_still(const char *path)
{
	long long size = size_of(path);

	live_sleep(300);
	return size_of(path) == size;
}

int live_wait(struct sbx_task *task, struct sbx_exit *ret)
{
	struct sbx_exit none = SBX_EXIT_INIT;

	*ret = none;
	return sbx_task_wait(task, PATIENCE_MS, ret);
}

static void keep(char *to, size_t size, size_t *n, const char *from, size_t len)
{
	if (*n < size - 1) {
		size_t room = size - 1 - *n;

		memcpy(to + *n, from, len < room ? len : room);
	}
	*n += len;
	to[*n < size ? *n : size - 1] = '\0';
}

static int collect_streams(struct sbx_task *task, struct live_run *ret)
{
	struct pollfd p[2] = {
		{ .fd = sbx_task_stdio(task, 1), .events = POLLIN },
		{ .fd = sbx_task_stdio(task, 2), .events = POLLIN }
	};
	char buf[65536];

	while (p[0].fd >= 0 || p[1].fd >= 0) {
		if (poll(p, 2, PATIENCE_MS) <= 0)
			return -ETIMEDOUT;
		for (int i = 0; i < 2; i++) {
			ssize_t n;

			if (p[i].fd < 0 || !p[i].revents)
				continue;
			n = read(p[i].fd, buf, sizeof(buf));
			if (n < 0 && (errno == EAGAIN || errno == EINTR))
				continue;
			if (n <= 0)
				p[i].fd = -1;
			else if (i == 0)
				keep(ret->out, sizeof(ret->out), &ret->n_out,
				     buf, (size_t)n);
			else
				keep(ret->err, sizeof(ret->err), &ret->n_err,
				     buf, (size_t)n);
		}
	}
	return 0;
}

int live_collect(struct sbx_task *task, struct live_run *ret)
{
	int rc = collect_streams(task, ret);

	return rc < 0 ? rc : live_wait(task, &ret->exit);
}

int live_exec(struct sbx_policy *policy, const struct sbx_spawn_opts *opts,
	      const char *const *argv, struct live_run *ret)
{
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_task *task = NULL;
	int rc;

	memset(ret, 0, sizeof(*ret));
	if (opts)
		o = *opts;
	o.argv = argv;
	o.stdio[1] = SBX_STDIO_PIPE;
	o.stdio[2] = SBX_STDIO_PIPE;
	ret->rc = sbx_spawn(policy, &o, &task, &ret->error);
	if (ret->rc < 0) {
		fprintf(stderr, "no task: %d step %u (%s): %s: %s\n", ret->rc,
			ret->error.step, sbx_step_name(ret->error.step),
			ret->error.object, ret->error.text);
		return ret->rc;
	}
	rc = live_collect(task, ret);
	sbx_task_unref(task);
	if (rc < 0)
		fprintf(stderr, "no end of the task: %s\n", strerror(-rc));
	return rc;
}

int live_sh(struct sbx_policy *policy, const struct sbx_spawn_opts *opts,
	    const char *script, struct live_run *ret)
{
	const char *const argv[] = { "/bin/sh", "-c", script, NULL };

	return live_exec(policy, opts, argv, ret);
}

struct sbx_task *live_start(struct sbx_policy *policy,
			    const struct sbx_spawn_opts *opts,
			    const char *script)
{
	const char *const argv[] = { "/bin/sh", "-c", script, NULL };
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_error e = { .code = 0 };
	struct sbx_task *task = NULL;

	if (opts)
		o = *opts;
	o.argv = argv;
	if (sbx_spawn(policy, &o, &task, &e) == 0)
		return task;
	fprintf(stderr, "no task: %d step %u (%s): %s: %s\n", e.code, e.step,
		sbx_step_name(e.step), e.object, e.text);
	return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The filters in the kernel: real programs work under the task's filter, and
 * what must be refused is refused.  All filters are loaded in forked children.
 */

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "kernel/seccomp.h"

#define SKIP 77
#define NOT_LOADED 78

static struct sbxi_bpf task_a, task_b, connected, supervisor;

static void compile(enum sbxi_filter which, uint32_t abi, struct sbxi_bpf *ret)
{
	struct sbxi_seccomp_opts opts = { .landlock_abi = abi };

	cr_assert_eq(sbxi_seccomp_prepare(which, &opts, ret), 0);
}

static void compile_all(void)
{
	compile(SBXI_FILTER_TASK_A, 7, &task_a);
	compile(SBXI_FILTER_TASK_B, 0, &task_b);
	compile(SBXI_FILTER_CONNECTED, 7, &connected);
	compile(SBXI_FILTER_SUPERVISOR, 7, &supervisor);
}

static void free_all(void)
{
	sbxi_bpf_done(&task_a);
	sbxi_bpf_done(&task_b);
	sbxi_bpf_done(&connected);
	sbxi_bpf_done(&supervisor);
}

static int in_child(int (*fn)(const void *), const void *arg)
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

static int load(const struct sbxi_bpf *bpf)
{
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return sbxi_seccomp_enter(bpf->code, bpf->count);
}

struct job {
	const struct sbxi_bpf *bpf;	/* NULL = without a filter */
	const char *const *argv;
	const char *dir;		/* to work in */
};

static int run_program(const void *arg)
{
	const struct job *j = arg;
	int null = open("/dev/null", O_RDWR);

	if (null < 0 || chdir(j->dir) < 0)
		return NOT_LOADED;
	/* Standard output belongs to the test's own report. */
	dup2(null, 0);
	dup2(null, 1);
	setenv("HOME", j->dir, 1);
	setenv("TMPDIR", j->dir, 1);
	if (j->bpf && load(j->bpf) < 0)
		return NOT_LOADED;
	execvp(j->argv[0], (char *const *)(uintptr_t)j->argv);
	return errno == ENOENT ? SKIP : NOT_LOADED;
}

static void skip_live(const char *why)
{
	const char *strict = getenv("SBX_REQUIRE_LIVE");

	cr_assert(!strict || strcmp(strict, "1") != 0, "would skip: %s", why);
	cr_skip_test("%s", why);
}

static int remove_entry(const char *path, const struct stat *st, int type,
			struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

static int run_in_new_dir(const struct sbxi_bpf *bpf, const char *const *argv)
{
	char dir[] = "/tmp/sbx-seccomp-XXXXXX";
	struct job j = { .bpf = bpf, .argv = argv, .dir = dir };
	int rc;

	cr_assert_not_null(mkdtemp(dir));
	rc = in_child(run_program, &j);
	nftw(dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	return rc;
}

static void works(const struct sbxi_bpf *bpf, const char *const *argv)
{
	int rc = run_in_new_dir(NULL, argv);

	if (rc == SKIP)
		skip_live(argv[0]);
	/* A program that fails anyway would prove nothing. */
	cr_assert_eq(rc, 0, "%s fails without a filter: %d", argv[0], rc);
	rc = run_in_new_dir(bpf, argv);
	cr_expect_eq(rc, 0, "%s fails under the filter: %d", argv[0], rc);
}

#define WORKS(bpf, ...) \
	works(bpf, (const char *const[]){ __VA_ARGS__, NULL })

TestSuite(seccomp_live, .init = compile_all, .fini = free_all, .timeout = 120);

Test(seccomp_live, shell_pipes_jobs_and_signals_work)
{
	WORKS(&task_a, "bash", "-ec",
	      "set -m; sleep 20 & kill %1; wait %1 || true;"
	      "x=$(printf 'b\\na\\n' | sort | head -1); test \"$x\" = a;"
	      "trap 'exit 0' USR1; kill -USR1 $$; sleep 5; exit 1");
}

Test(seccomp_live, file_tools_work)
{
	WORKS(&task_a, "sh", "-ec",
	      "mkdir -p a/b; echo x > a/b/f; ln -s f a/b/l; ln a/b/f a/h;"
	      "cp -a a c; mv c d; chmod 750 d/b; touch -d yesterday d/h;"
	      "tar cf t.tar d; mkdir e; tar xpf t.tar -C e; cmp e/d/h a/h;"
	      "dd if=/dev/zero of=z bs=4k count=4 2>/dev/null; truncate -s 1 z;"
	      "mkfifo p; install -m 640 z y; find . -type f | xargs wc -c;"
	      "df . > o; stat z > o; timeout 5 true; nice true; nproc; ls -la");
}

Test(seccomp_live, python_with_processes_and_loops_works)
{
	WORKS(&task_a, "python3", "-c",
	      "import multiprocessing as m, subprocess, asyncio, threading\n"
	      "import os, socket, tempfile, ctypes, ssl, sqlite3\n"
	      "def f(x): return x * x\n"
	      "if __name__ == '__main__':\n"
	      "  with m.get_context('fork').Pool(2) as p:\n"
	      "    assert p.map(f, range(5)) == [0, 1, 4, 9, 16]\n"
	      "  assert subprocess.run(['true']).returncode == 0\n"
	      "  p = subprocess.Popen(['sleep', '20'])\n"
	      "  p.terminate(); p.wait()\n"
	      "  async def g():\n"
	      "    q = await asyncio.create_subprocess_exec('cat',\n"
	      "      stdin=asyncio.subprocess.PIPE,\n"
	      "      stdout=asyncio.subprocess.PIPE)\n"
	      "    out, _ = await q.communicate(b'hi'); assert out == b'hi'\n"
	      "    async def h(r, w): w.write(await r.read(2)); w.close()\n"
	      "    s = await asyncio.start_server(h, '127.0.0.1', 0)\n"
	      "    r, w = await asyncio.open_connection(\n"
	      "      *s.sockets[0].getsockname()[:2])\n"
	      "    w.write(b'yo'); w.write_eof()\n"
	      "    assert await r.read() == b'yo'; s.close()\n"
	      "  asyncio.run(g())\n"
	      "  t = threading.Thread(target=f, args=(1,))\n"
	      "  t.start(); t.join()\n"
	      "  assert socket.if_nameindex()\n"
	      "  socket.getaddrinfo('127.0.0.1', 80)\n"
	      "  u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
	      "  u.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)\n"
	      "  d = sqlite3.connect('x.db'); d.execute('create table t(a)')\n"
	      "  d.commit(); tempfile.TemporaryFile().write(b'x')\n"
	      "  os.sched_setaffinity(0, os.sched_getaffinity(0))\n");
}

Test(seccomp_live, a_data_base_with_a_shared_log_works)
{
	WORKS(&task_a, "sqlite3", "t.db",
	      "pragma journal_mode=wal; create table t(a);"
	      "insert into t values(1); select sum(a) from t;");
}

Test(seccomp_live, node_with_threads_and_sockets_works)
{
	WORKS(&task_a, "node", "-e",
	      "const {Worker}=require('worker_threads');"
	      "const net=require('net'),fs=require('fs'),os=require('os');"
	      "const cp=require('child_process');"
	      "cp.execFileSync('true');os.networkInterfaces();"
	      "fs.writeFileSync('a','b');fs.watch('a').close();"
	      "const s=net.createServer(c=>c.end('x')).listen(0,'127.0.0.1',"
	      "()=>{const c=net.connect(s.address().port,'127.0.0.1');"
	      "c.setNoDelay(true);c.setKeepAlive(true);"
	      "c.on('data',()=>{s.close();"
	      "new Worker('1',{eval:true}).on('exit',e=>process.exit(e))})})");
}

Test(seccomp_live, compiler_make_and_sanitizer_work)
{
	WORKS(&task_a, "sh", "-ec",
	      "echo 'int main(void){char*p=__builtin_malloc(3);p[0]=0;"
	      "__builtin_free(p);return 0;}' > m.c;"
	      "printf 'm: m.c\\n\\tgcc -g -fsanitize=address -o m m.c\\n'"
	      " > Makefile;"
	      "make -s -j2 >&2; ./m");
}

Test(seccomp_live, version_control_works)
{
	WORKS(&task_a, "sh", "-ec",
	      "git init -q r; cd r; echo x > f; git add f;"
	      "git -c user.name=a -c user.email=a@b commit -qm m;"
	      "git clone -q . ../s; git gc -q; git fsck 2>&1; git status");
}

Test(seccomp_live, tracer_works_among_the_tasks_own_processes)
{
	WORKS(&task_a, "strace", "-f", "-o", "log", "sh", "-c",
	      "true; cat /dev/null");
}

Test(seccomp_live, debugger_works_without_randomisation)
{
	WORKS(&task_a, "sh", "-ec",
	      "gdb -q -batch -nx -ex 'break main' -ex run -ex 'print 6*7'"
	      " /bin/true > o 2>&1; ! grep -qi 'randomization: ' o;"
	      "grep -q '= 42' o");
}

Test(seccomp_live, transfer_tool_works_on_a_local_file)
{
	WORKS(&task_a, "sh", "-ec",
	      "curl -s file:///etc/passwd -o p; test -s p");
}

Test(seccomp_live, shell_and_python_work_in_the_narrowest_tier_b)
{
	WORKS(&task_b, "bash", "-ec",
	      "x=$(echo a | cat); test $x = a; echo y > f; touch f; cp f g");
	WORKS(&task_b, "python3", "-c",
	      "import subprocess, asyncio\n"
	      "assert subprocess.run(['true']).returncode == 0\n"
	      "asyncio.run(asyncio.sleep(0))\n");
}

/* Each attempt of a child: 0 = as wanted, else which one was not. */
#define WANT(expr, error) \
	do { \
		errno = 0; \
		if ((expr) != -1 || errno != (error)) \
			return __COUNTER__ + 1; \
	} while (0)
#define WANT_OK(expr) \
	do { \
		if ((expr) == -1) \
			return __COUNTER__ + 1; \
	} while (0)

static int try_refused_a(const void *arg)
{
	char *argv[] = { NULL };
	int sv[2], fd;

	(void)arg;
	if (load(&task_a) < 0)
		return NOT_LOADED;
	WANT(mount(NULL, NULL, NULL, 0, NULL), EPERM);
	WANT(unshare(CLONE_NEWUSER), EPERM);
	WANT_OK(unshare(CLONE_FILES));
	WANT(syscall(435, NULL, 0), ENOSYS);
	WANT(syscall(437, AT_FDCWD, "/", NULL, 0), ENOSYS);
	WANT(syscall(425, 1, NULL), ENOSYS);
	WANT(syscall(SYS_keyctl, 0, -3, 0), EPERM);
	WANT(syscall(SYS_bpf, 0, NULL, 0), EPERM);
	WANT(socketpair(AF_UNIX, SOCK_DGRAM, 0, sv), ESOCKTNOSUPPORT);
	WANT_OK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sv));
	WANT(setsockopt(sv[0], SOL_SOCKET, 36, &(int){ 1 }, 4), ENOPROTOOPT);
	WANT_OK(setsockopt(sv[0], SOL_SOCKET, SO_LINGER,
			   &(struct linger){ 1, 100 }, sizeof(struct linger)));
	WANT(ioctl(0, TIOCSTI, "x"), ENOTTY);
	WANT(syscall(SYS_ioctl, 0, 0x100000000ull | TIOCSTI, "x"), ENOTTY);
	WANT(chmod("/nonexistent", 04755), EPERM);
	WANT(chmod("/nonexistent", 0755), ENOENT);
	WANT(mknod("/nonexistent/d", S_IFCHR | 0600, 0), EPERM);
	WANT(mknod("/nonexistent/d", S_IFIFO | 0600, 0), ENOENT);
	WANT(memfd_create("m", 0x10), EACCES);
	WANT(memfd_create("m", 0), ENOSYS);
	fd = open("/bin/true", O_PATH);
	WANT_OK(fd);
	WANT(syscall(SYS_execveat, fd, "", argv, argv, AT_EMPTY_PATH), EPERM);
	WANT(prctl(PR_SET_MM, 0, 0, 0, 0), EINVAL);
	WANT_OK(prctl(PR_SET_NAME, "task"));
	WANT(personality(READ_IMPLIES_EXEC), EPERM);
	WANT_OK(personality(ADDR_NO_RANDOMIZE));
	return 0;
}

Test(seccomp_live, what_tier_a_refuses_is_refused_by_the_kernel)
{
	cr_expect_eq(in_child(try_refused_a, NULL), 0);
}

static int try_refused_b(const void *arg)
{
	int sv[2], fd = open("/dev/null", O_RDWR);

	(void)arg;
	if (load(&task_b) < 0)
		return NOT_LOADED;
	WANT(socket(AF_INET, SOCK_STREAM, 0), EAFNOSUPPORT);
	WANT(socket(AF_UNIX, SOCK_STREAM, 0), EAFNOSUPPORT);
	WANT_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, sv));
	WANT(kill(getppid(), SIGUSR2), EPERM);
	WANT_OK(kill(getpid(), 0));
	WANT(fcntl(fd, F_SETOWN, getppid()), EPERM);
	WANT_OK(fcntl(fd, F_SETFL, O_NONBLOCK));
	WANT(chmod("/nonexistent", 0755), EPERM);
	WANT(utimensat(AT_FDCWD, "/nonexistent", NULL, 0), EPERM);
	WANT(truncate("/nonexistent", 0), EACCES);
	WANT(open("/nonexistent", O_TRUNC), EACCES);
	WANT(open("/nonexistent", O_TRUNC | O_WRONLY), ENOENT);
	WANT(syscall(SYS_shmget, 0, 4096, 0600), EPERM);
	WANT(syscall(SYS_prlimit64, getppid(), 0, NULL, NULL), EPERM);
	WANT_OK(syscall(SYS_prlimit64, 0, 0, NULL, NULL));
	return 0;
}

Test(seccomp_live, what_tier_b_refuses_is_refused_by_the_kernel)
{
	cr_expect_eq(in_child(try_refused_b, NULL), 0);
}

static int try_connected(const void *arg)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	(void)arg;
	if (load(&task_a) < 0 || load(&connected) < 0)
		return NOT_LOADED;
	WANT(connect(fd, NULL, 0), EPERM);
	WANT(bind(fd, NULL, 0), EPERM);
	WANT(listen(fd, 1), EPERM);
	WANT(send(fd, "x", 1, 0x20000000), EPERM);
	WANT(send(fd, "x", 1, MSG_NOSIGNAL), ENOTCONN);
	/* The filter below still holds. */
	WANT(mount(NULL, NULL, NULL, 0, NULL), EPERM);
	return 0;
}

Test(seccomp_live, the_second_filter_holds_connected_sockets)
{
	cr_expect_eq(in_child(try_connected, NULL), 0);
}

static int try_supervisor(const void *arg)
{
	int st;
	pid_t pid = fork();

	(void)arg;
	if (pid == 0)
		_exit(9);
	if (pid < 0 || load(&supervisor) < 0)
		return NOT_LOADED;
	WANT(open("/dev/null", O_WRONLY), EPERM);
	WANT_OK(open("/proc/self", O_RDONLY | O_DIRECTORY));
	WANT(fork(), EPERM);
	WANT(execl("/bin/true", "true", NULL), EPERM);
	WANT(socket(AF_UNIX, SOCK_STREAM, 0), EPERM);
	WANT_OK(waitpid(pid, &st, 0));
	return WEXITSTATUS(st) == 9 ? 0 : 99;
}

Test(seccomp_live, the_supervisor_reaps_and_starts_nothing)
{
	cr_expect_eq(in_child(try_supervisor, NULL), 0);
}

#if defined(__x86_64__)
static int by_the_old_gate(const void *arg)
{
	long rc = 20;	/* getpid there, writev here */

	if (arg && load(arg) < 0)
		return NOT_LOADED;
	__asm__ volatile("int $0x80" : "+a"(rc) : : "memory", "r8", "r9",
			 "r10", "r11");
	return rc == getpid() ? 0 : SKIP;
}

Test(seccomp_live, a_call_by_another_abi_kills)
{
	if (in_child(by_the_old_gate, NULL) != 0)
		/* Not a lack of this host's: the evaluator has the case too. */
		cr_skip_test("this kernel has no 32-bit calls to refuse");
	cr_expect_eq(in_child(by_the_old_gate, &task_a), 128 + SIGSYS);
	cr_expect_eq(in_child(by_the_old_gate, &task_b), 128 + SIGSYS);
	cr_expect_eq(in_child(by_the_old_gate, &connected), 128 + SIGSYS);
	cr_expect_eq(in_child(by_the_old_gate, &supervisor), 128 + SIGSYS);
}

static int by_x32(const void *arg)
{
	if (load(arg) < 0)
		return NOT_LOADED;
	return syscall(0x40000000 | SYS_getpid) == getpid() ? 1 : 2;
}

Test(seccomp_live, an_x32_number_kills)
{
	cr_expect_eq(in_child(by_x32, &task_a), 128 + SIGSYS);
}
#endif

static int load_with_bad_length(const void *arg)
{
	struct sock_filter ret = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);

	(void)arg;
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (sbxi_seccomp_enter(&ret, 0) != -EINVAL ||
	    sbxi_seccomp_enter(&ret, 4097) != -EINVAL ||
	    sbxi_seccomp_enter(&ret, 65537) != -EINVAL)
		return 1;
	return sbxi_seccomp_enter(&ret, 1);
}

Test(seccomp_live, a_length_that_would_be_cut_off_is_refused)
{
	cr_expect_eq(in_child(load_with_bad_length, NULL), 0);
}

static int load_as_nobody(const void *arg)
{
	struct sock_filter ret = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);

	(void)arg;
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ||
	    (getuid() == 0 && setuid(65534) < 0))
		return SKIP;
	if (sbxi_seccomp_enter(&ret, 1) != -EACCES)
		return 1;
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return sbxi_seccomp_enter(&ret, 1);
}

Test(seccomp_live, without_no_new_privs_an_ordinary_user_loads_nothing)
{
	int rc = in_child(load_as_nobody, NULL);

	if (rc == SKIP)
		skip_live("no_new_privs is already set");
	cr_expect_eq(rc, 0);
}

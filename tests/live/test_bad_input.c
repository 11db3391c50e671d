/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each mistake of a caller has its code, names its object and its step, and
 * leaves no process, descriptor, mount or cgroup; the handle is untouched.
 */
#include <elf.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "live.h"

TestSuite(bad_input_live, .timeout = 120);

static const char *const right[] = { "/bin/true", NULL };

/* Either of two steps. */
#define EITHER(a, b) ((uint32_t)(a) | (uint32_t)(b) << 8)
#define RESOLVING EITHER(SBX_STEP_OPEN_PATHS, SBX_STEP_MOUNTS)
#define CHECKING EITHER(SBX_STEP_ARGUMENT, SBX_STEP_GRANTS)

static bool step_is(uint32_t step, uint32_t either)
{
	return step == (either & 255) || (either >> 8 && step == either >> 8);
}

/* Spawn and expect a failure.  object: part of the error's object. */
static int check_fails(struct sbx_policy *p, const struct sbx_spawn_opts *o,
		       int code, uint32_t step, const char *object)
{
	struct sbx_task *untouched = (struct sbx_task *)(uintptr_t)0x5a5a;
	struct sbx_task *t = untouched;
	struct sbx_error e = { .code = 0 };
	char why[512], *before = ledger_take(0);
	int rc;

	rc = sbx_spawn(p, o, &t, &e);
	CHECK(rc == code, "%s: %d, not %d (step %u, object %s: %s)", object,
	      rc, code, e.step, e.object, e.text);
	CHECK(e.code == rc, "%s: the error says %d", object, e.code);
	CHECK(t == untouched, "%s", object);
	CHECK(step_is(e.step, step), "%s: step %u", object, e.step);
	CHECK(e.object[0] && strstr(e.object, object), "%s: object %s",
	      object, e.object);
	CHECK(e.text[0], "%s: no text", object);
	CHECK(ledger_compare(before, 0, why, sizeof(why)) == 0, "%s: %s",
	      object, why);
	free(before);
	/* Without an error struct the same. */
	CHECK(sbx_spawn(p, o, &t, NULL) == code && t == untouched);
	return 0;
}

/* A policy that has been used, so that it keeps what it keeps. */
static struct sbx_policy *used_policy(const struct live *l)
{
	struct sbx_policy *p = live_policy(l);
	static struct live_run r;

	if (p && live_exec(p, NULL, right, &r) == 0 && r.exit.code == 0)
		return p;
	sbx_policy_unref(p);
	return NULL;
}

static struct sbx_spawn_opts with_grants(const struct sbx_grant *g, size_t n)
{
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;

	o.argv = right;
	o.grants = g;
	o.n_grants = n;
	return o;
}

static struct sbx_grant data_grant(const char *name, int task_fd)
{
	struct sbx_grant g = SBX_GRANT_INIT;

	g.kind = SBX_GRANT_DATA;
	g.name = name;
	g.target = "text";
	g.task_fd = task_fd;
	return g;
}

LIVE_TEST_BOTH_TIERS(bad_input_live, a_closed_descriptor)
{
	struct sbx_policy *p = used_policy(l);
	struct sbx_grant g = SBX_GRANT_INIT;
	struct sbx_spawn_opts o = with_grants(&g, 1);

	CHECK(p);
	g.kind = SBX_GRANT_FD;
	g.name = "closed";
	g.fd = 1999;
	CHECK(check_fails(p, &o, -EBADF, CHECKING, "closed") == 0);
	g.kind = SBX_GRANT_DATA;
	CHECK(check_fails(p, &o, -EBADF, CHECKING, "closed") == 0);
	o = with_grants(NULL, 0);
	o.stdio[1] = 1999;
	CHECK(check_fails(p, &o, -EBADF, SBX_STEP_ARGUMENT, "stdio") == 0);
	o.stdio[1] = -4;
	CHECK(check_fails(p, &o, -EINVAL, SBX_STEP_ARGUMENT, "stdio") == 0);
	o.stdio[1] = SBX_STDIO_NULL;
	o.cgroup_fd = 1999;
	CHECK(check_fails(p, &o, -EBADF,
			  EITHER(SBX_STEP_ARGUMENT, SBX_STEP_SOCKETS),
			  "cgroup") == 0);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(bad_input_live, an_inherited_stream_that_is_closed)
{
	static const char *const reads[] = { "/bin/sh", "-c", "! read -r x",
					     NULL };
	struct live_run r;
	struct sbx_policy *p = used_policy(l);
	struct sbx_spawn_opts o = with_grants(NULL, 0);

	CHECK(p);
	close(0);
	o.stdio[0] = SBX_STDIO_INHERIT;
	CHECK(live_exec(p, &o, reads, &r) == 0 && r.exit.code == 0,
	      "/dev/null is at its end at once");
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(bad_input_live, numbers_of_grants)
{
	static const int bad[] = { 0, 1, 2, -2, 1 << 20, 2147483647 };
	struct sbx_policy *p = used_policy(l);
	struct sbx_grant g[2] = { data_grant("one", 7), data_grant("two", 7) };
	struct sbx_spawn_opts o = with_grants(g, 2);
	struct live_run r;

	CHECK(p);
	CHECK(check_fails(p, &o, -EINVAL, CHECKING, "two") == 0);
	g[1].task_fd = 8;
	CHECK(live_exec(p, &o, right, &r) == 0 && r.exit.code == 0,
	      "two numbers are right");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		g[1].task_fd = bad[i];
		CHECK(check_fails(p, &o, -EINVAL, CHECKING, "two") == 0, "%d",
		      bad[i]);
	}
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(bad_input_live, names_of_grants)
{
	static const char *const bad[] = {
		"", "a b", "a:b", "a/b", "\xc3\xa4", "a\n",
		"0123456789012345678901234567890123456789"
		"0123456789012345678901234"
	};
	struct sbx_policy *p = used_policy(l);
	struct sbx_grant g[2] = { data_grant("same", -1),
				  data_grant("same", -1) };
	struct sbx_spawn_opts o = with_grants(g, 2);
	struct live_run r;

	CHECK(p);
	CHECK(check_fails(p, &o, -EINVAL, CHECKING, "same") == 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		g[1].name = bad[i];
		CHECK(check_fails(p, &o, -EINVAL, CHECKING, "") == 0, "%s",
		      bad[i]);
	}
	g[1].name = NULL;
	CHECK(check_fails(p, &o, -EINVAL, CHECKING, "grants[1]") == 0);
	g[1].name = "0123456789012345678901234567890123456789"
		    "012345678901234567890123";
	CHECK(live_exec(p, &o, right, &r) == 0 && r.exit.code == 0,
	      "64 bytes are right");
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(bad_input_live, grants_that_are_no_grants)
{
	struct sbx_policy *p = used_policy(l);
	struct sbx_grant g = data_grant("odd", -1);
	struct sbx_spawn_opts o = with_grants(&g, 1);

	CHECK(p);
	g.kind = 0;
	CHECK(check_fails(p, &o, -EINVAL, CHECKING, "odd") == 0);
	g.kind = 77;
	CHECK(check_fails(p, &o, -EINVAL, CHECKING, "odd") == 0);
	g = data_grant("odd", -1);
	g.flags = 1;
	CHECK(check_fails(p, &o, -EINVAL, CHECKING, "odd") == 0);
	g.flags = 0;
	g.rights = 1u << 30;
	CHECK(check_fails(p, &o, -EINVAL, CHECKING, "odd") == 0);
	g = data_grant("odd", -1);
	g.target = NULL;
	CHECK(check_fails(p, &o, -EINVAL, CHECKING, "odd") == 0);
	g = data_grant("odd", -1);
	g.size = 4;
	CHECK(check_fails(p, &o, -EINVAL, CHECKING, "grants[0]") == 0);
	o.grants = NULL;
	CHECK(check_fails(p, &o, -EINVAL, SBX_STEP_ARGUMENT, "grants") == 0);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(bad_input_live, files_and_peers_of_grants)
{
	struct sbx_policy *p = used_policy(l);
	struct sbx_grant g = SBX_GRANT_INIT;
	struct sbx_spawn_opts o = with_grants(&g, 1);
	static const char *const peers[] = {
		"tcp:", "tcp:127.0.0.1", "tcp:127.0.0.1:0", "udp:127.0.0.1:5",
		"tcp:127.0.0.1:65536", "tcp:127.1:80", "tcp:0x7f.1:80",
		"unix:relative", "127.0.0.1:80"
	};

	CHECK(p);
	g.kind = SBX_GRANT_FILE;
	g.name = "file";
	g.rights = SBX_READ;
	g.target = "/nonexistent/file";
	CHECK(check_fails(p, &o, -ENOENT, SBX_STEP_GRANTS,
			  "file") == 0);
	g.target = "relative";
	CHECK(check_fails(p, &o, -EINVAL, CHECKING, "") == 0);
	g.target = l->ws;
	CHECK(check_fails(p, &o, -EINVAL, CHECKING, "") == 0, "a directory");
	g.target = "/dev/null";
	CHECK(check_fails(p, &o, -EINVAL, CHECKING, "") == 0, "a device");
	g.kind = SBX_GRANT_CONNECT;
	g.rights = 0;
	for (size_t i = 0; i < sizeof(peers) / sizeof(*peers); i++) {
		g.target = peers[i];
		CHECK(check_fails(p, &o, -EINVAL, CHECKING, "") == 0, "'%s'",
		      peers[i]);
	}
	g.target = "unix:/nonexistent/socket";
	CHECK(check_fails(p, &o, -ENOENT, SBX_STEP_GRANTS,
			  "/nonexistent/socket") == 0);
	g.target = "";
	CHECK(check_fails(p, &o, -EINVAL, CHECKING, "") == 0, "empty");
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(bad_input_live, option_structs_of_another_size)
{
	struct {
		struct sbx_spawn_opts o;
		char tail[16];
	} longer = { .o = SBX_SPAWN_OPTS_INIT };
	struct sbx_exit ex = SBX_EXIT_INIT;
	struct sbx_policy *p = used_policy(l);
	struct sbx_task *t = NULL;

	CHECK(p);
	longer.o.argv = right;
	longer.o.size = 0;
	CHECK(check_fails(p, &longer.o, -EINVAL, SBX_STEP_ARGUMENT,
			  "size") == 0);
	longer.o.size = sizeof(longer.o) - 8;
	CHECK(check_fails(p, &longer.o, -EINVAL, SBX_STEP_ARGUMENT,
			  "size") == 0);
	longer.o.size = sizeof(longer);
	longer.tail[15] = 1;
	CHECK(check_fails(p, &longer.o, -E2BIG, SBX_STEP_ARGUMENT,
			  "size") == 0);
	longer.tail[15] = 0;
	CHECK(sbx_spawn(p, &longer.o, &t, NULL) == 0, "a tail of zeros");
	ex.size = 4;
	CHECK(sbx_task_wait(t, -1, &ex) == -EINVAL);
	CHECK(live_wait(t, &ex) == 0);
	sbx_task_unref(t);
	longer.o.size = sizeof(longer.o);
	longer.o.flags = 1u << 31;
	CHECK(check_fails(p, &longer.o, -EINVAL, SBX_STEP_ARGUMENT,
			  "flags") == 0);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(bad_input_live, programs_that_are_not_there)
{
	static const char *const none[] = { NULL };
	static const char *const empty[] = { "", NULL };
	static const char *const missing[] = { "/no/such/program", NULL };
	static const char *const unnamed[] = { "no-such-program", NULL };
	static const char *const folder[] = { "/usr", NULL };
	static const char *const below[] = { "/usr/bin/env/x", NULL };
	struct sbx_policy *p = used_policy(l);
	struct sbx_spawn_opts o = with_grants(NULL, 0);

	CHECK(p);
	o.argv = NULL;
	CHECK(check_fails(p, &o, -EINVAL, SBX_STEP_ARGUMENT, "argv") == 0);
	o.argv = none;
	CHECK(check_fails(p, &o, -EINVAL, SBX_STEP_ARGUMENT, "argv") == 0);
	o.argv = empty;
	CHECK(check_fails(p, &o, -EINVAL, SBX_STEP_ARGUMENT, "argv") == 0);
	o.argv = missing;
	CHECK(check_fails(p, &o, -ENOENT, SBX_STEP_EXEC, missing[0]) == 0);
	o.argv = unnamed;
	CHECK(check_fails(p, &o, -ENOENT, SBX_STEP_EXEC, unnamed[0]) == 0);
	o.argv = folder;
	CHECK(check_fails(p, &o, -EACCES, SBX_STEP_EXEC, folder[0]) == 0);
	o.argv = below;
	CHECK(check_fails(p, &o, -ENOTDIR, SBX_STEP_EXEC, below[0]) == 0);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(bad_input_live, programs_that_are_no_programs)
{
	struct sbx_policy *p = used_policy(l);
	struct sbx_spawn_opts o = with_grants(NULL, 0);
	const char *argv[] = { NULL, NULL };
	char path[128];

	CHECK(p);
	snprintf(path, sizeof(path), "%s/program", l->ws);
	argv[0] = path;
	o.argv = argv;
	CHECK(live_write(path, "#!/bin/sh\nexit 0\n") == 0);
	CHECK(check_fails(p, &o, -EACCES, SBX_STEP_EXEC, path) == 0,
	      "not executable");
	CHECK(chmod(path, 0755) == 0);
	CHECK(live_write(path, "neither one nor the other\n") == 0);
	CHECK(check_fails(p, &o, -ENOEXEC, SBX_STEP_EXEC, path) == 0);
	CHECK(live_write(path, "") == 0);
	CHECK(check_fails(p, &o, -ENOEXEC, SBX_STEP_EXEC, path) == 0);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(bad_input_live, a_script_without_its_interpreter)
{
	struct sbx_policy *p = used_policy(l);
	struct sbx_spawn_opts o = with_grants(NULL, 0);
	const char *argv[] = { NULL, NULL };
	struct live_run r;
	char path[128];

	CHECK(p);
	snprintf(path, sizeof(path), "%s/script", l->ws);
	argv[0] = path;
	o.argv = argv;
	CHECK(live_write(path, "#!/no/such/interpreter -x\n") == 0);
	CHECK(chmod(path, 0755) == 0);
	CHECK(check_fails(p, &o, -ENOENT, SBX_STEP_EXEC,
			  "/no/such/interpreter") == 0);
	CHECK(live_write(path, "#!/bin/sh\nexit 0\n") == 0);
	CHECK(live_exec(p, NULL, argv, &r) == 0 && r.exit.code == 0);
	sbx_policy_unref(p);
	return 0;
}

/* Let the program at path name another dynamic linker. */
static int spoil_interpreter(const char *path)
{
	Elf64_Ehdr eh;
	Elf64_Phdr ph;
	int fd = open(path, O_RDWR | O_CLOEXEC);

	CHECK(fd >= 0 && pread(fd, &eh, sizeof(eh), 0) == sizeof(eh));
	for (int i = 0; i < eh.e_phnum; i++) {
		off_t at = (off_t)eh.e_phoff + i * (off_t)sizeof(ph);

		CHECK(pread(fd, &ph, sizeof(ph), at) == sizeof(ph));
		if (ph.p_type == PT_INTERP)
			CHECK(pwrite(fd, "/no-such-linker", 16,
				     (off_t)ph.p_offset) == 16);
	}
	close(fd);
	return 0;
}

LIVE_TEST_BOTH_TIERS(bad_input_live, a_program_without_its_dynamic_linker)
{
	struct sbx_policy *p = used_policy(l);
	struct sbx_spawn_opts o = with_grants(NULL, 0);
	const char *argv[] = { live_program(l, "openfiles"), "1", NULL };
	struct live_run r;

	CHECK(p);
	o.argv = argv;
	CHECK(live_exec(p, NULL, argv, &r) == 0 && r.exit.code == 0);
	CHECK(spoil_interpreter(argv[0]) == 0);
	CHECK(check_fails(p, &o, -ENOENT, SBX_STEP_EXEC,
			  "/no-such-linker") == 0);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(bad_input_live, folders_to_start_in)
{
	struct sbx_policy *p = used_policy(l);
	struct sbx_spawn_opts o = with_grants(NULL, 0);
	struct live_run r;
	char path[128];

	CHECK(p);
	o.cwd = "/no/such/folder";
	CHECK(check_fails(p, &o, -ENOENT, SBX_STEP_CWD, o.cwd) == 0);
	o.cwd = "relative";
	CHECK(check_fails(p, &o, -EINVAL, SBX_STEP_ARGUMENT, "") == 0);
	o.cwd = "/usr/bin/env";
	CHECK(check_fails(p, &o, -ENOTDIR, SBX_STEP_CWD, o.cwd) == 0);
	o.cwd = l->ws;
	CHECK(live_exec(p, &o, right, &r) == 0 && r.exit.code == 0);
	snprintf(path, sizeof(path), "%s/closed", l->ws);
	CHECK(mkdir(path, 0) == 0);
	o.cwd = path;
	/* Root's own harness passes by any mode; its task does not. */
	if (geteuid() != 0 || !l->tier_b)
		CHECK(check_fails(p, &o, -EACCES, SBX_STEP_CWD, path) == 0);
	CHECK(chmod(path, 0755) == 0);
	CHECK(live_exec(p, &o, right, &r) == 0 && r.exit.code == 0);
	o.cwd = "";
	CHECK(check_fails(p, &o, -EINVAL, SBX_STEP_ARGUMENT, "") == 0);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(bad_input_live, paths_of_a_policy)
{
	static const char *const bad[] = { "relative", "", "/a/../b", "/a/./b",
					   "/a/.." };
	struct sbx_policy *p = live_policy(l);
	struct sbx_spawn_opts o = with_grants(NULL, 0);
	struct sbx_error e = { .code = 0 };
	struct live_run r;

	CHECK(p);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		CHECK(sbx_policy_path(p, bad[i], SBX_READ, 0, &e) == -EINVAL,
		      "%s", bad[i]);
	CHECK(sbx_policy_path(p, "/usr", 0, 0, NULL) == -EINVAL);
	CHECK(sbx_policy_path(p, "/usr", 8, 0, NULL) == -EINVAL);
	CHECK(sbx_policy_path(p, "/usr", SBX_READ, 1u << 20, NULL) == -EINVAL);
	CHECK(sbx_policy_path(p, "/no/such/file", SBX_READ, SBX_PATH_OPTIONAL,
			      &e) == 0);
	CHECK(live_exec(p, NULL, right, &r) == 0 && r.exit.code == 0);
	CHECK(sbx_policy_path(p, "/usr", SBX_READ, 0, NULL) == -EBUSY);
	sbx_policy_unref(p);

	p = live_policy(l);
	CHECK(p);
	CHECK(sbx_policy_path(p, "/no/such/file", SBX_READ, 0, &e) == 0);
	CHECK(check_fails(p, &o, -ENOENT, SBX_STEP_COMPILE,
			  "/no/such/file") == 0);
	/* The policy is not frozen: it can be mended. */
	CHECK(sbx_policy_path(p, "/no/such/file", SBX_READ, SBX_PATH_OPTIONAL,
			      &e) == 0);
	CHECK(live_exec(p, NULL, right, &r) == 0 && r.exit.code == 0);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(bad_input_live, a_path_that_became_another_file)
{
	struct sbx_policy *p = live_policy(l);
	struct sbx_spawn_opts o = with_grants(NULL, 0);
	struct live_run r;
	char path[128], other[128];

	CHECK(p);
	snprintf(path, sizeof(path), "%s/file", l->dir);
	snprintf(other, sizeof(other), "%s/other", l->dir);
	CHECK(live_write(path, "one\n") == 0 && live_write(other, "x\n") == 0);
	CHECK(sbx_policy_path(p, path, SBX_READ, 0, NULL) == 0);
	CHECK(live_exec(p, NULL, right, &r) == 0 && r.exit.code == 0);
	CHECK(rename(other, path) == 0);
	CHECK(check_fails(p, &o, -ESTALE, RESOLVING, path) == 0);
	CHECK(unlink(path) == 0);
	CHECK(check_fails(p, &o, -ENOENT, RESOLVING, path) == 0);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(bad_input_live, too_many_arguments)
{
	struct sbx_policy *p = used_policy(l);
	struct sbx_spawn_opts o = with_grants(NULL, 0);
	static const char *argv[40];
	char *big = malloc(100001);

	CHECK(p && big);
	memset(big, 'a', 100000);
	big[100000] = '\0';
	argv[0] = "/bin/true";
	for (int i = 1; i < 30; i++)
		argv[i] = big;
	o.argv = argv;
	CHECK(check_fails(p, &o, -E2BIG, SBX_STEP_ARGUMENT, "argv") == 0);
	free(big);
	sbx_policy_unref(p);
	return 0;
}

/* With n free numbers: a task, or the documented code and nothing left. */
static int check_scarce(struct sbx_policy *p, const struct sbx_spawn_opts *o,
			int n, bool *ret_done)
{
	struct sbx_error e = { .code = 0 };
	struct sbx_task *t = NULL;
	struct sbx_exit ex;
	int held[64], rc, left;

	for (int i = 0; i < n; i++)
		held[i] = dup(0);
	while (dup(0) >= 0)
		;
	for (int i = 0; i < n; i++)
		CHECK(held[i] >= 0 && close(held[i]) == 0);
	rc = sbx_spawn(p, o, &t, &e);
	if (rc == 0) {
		CHECK(live_wait(t, &ex) == 0 && ex.kind == SBX_EXITED &&
		      ex.code == 0, "%d free: kind %u", n, ex.kind);
		sbx_task_unref(t);
		*ret_done = true;
	} else {
		CHECK(rc == -EMFILE && !t, "%d free: %d step %u %s", n, rc,
		      e.step, e.object);
		CHECK(e.object[0] && e.step, "%d free", n);
	}
	for (left = 0; left < 64 && (held[left] = dup(0)) >= 0; left++)
		;
	CHECK(left == n, "%d free before, %d after", n, left);
	for (int i = 0; i < left; i++)
		close(held[i]);
	CHECK(ledger_no_children(0) == 0);
	return 0;
}

LIVE_TEST_BOTH_TIERS(bad_input_live, no_free_descriptor_in_the_harness)
{
	struct sbx_policy *p = used_policy(l);
	struct sbx_grant g = data_grant("data", -1);
	struct sbx_spawn_opts o = with_grants(&g, 1);
	struct rlimit r = { .rlim_cur = 0 };
	struct live_run run;
	bool done = false;
	int top;

	CHECK(p);
	o.stdio[0] = o.stdio[1] = SBX_STDIO_PIPE;
	CHECK(getrlimit(RLIMIT_NOFILE, &r) == 0);
	r.rlim_cur = 128;
	CHECK(setrlimit(RLIMIT_NOFILE, &r) == 0);
	for (int n = 0; n < 60 && !done; n++) {
		CHECK(check_scarce(p, &o, n, &done) == 0);
		for (top = 127; top > 63; top--)
			close(top);
	}
	CHECK(done, "60 free descriptors are not enough");
	CHECK(live_exec(p, NULL, right, &run) == 0 && run.exit.code == 0);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(bad_input_live, a_property_that_cannot_be_held)
{
	struct sbx_policy *p = live_policy(l);
	struct sbx_spawn_opts o = with_grants(NULL, 0);
	char path[128];

	/* Another place needs mounts; the workspace below a file does not. */
	CHECK(p);
	snprintf(path, sizeof(path), "%s/sub", l->ws);
	CHECK(mkdir(path, 0755) == 0);
	CHECK(sbx_policy_path_at(p, path, "/elsewhere", SBX_READ, NULL) == 0);
	if (l->tier_b) {
		struct sbx_task *t = NULL;

		/* Once before, for what a compiled policy keeps. */
		CHECK(sbx_spawn(p, &o, &t, NULL) == -EPERM && !t);
		CHECK(check_fails(p, &o, -EPERM,
				  EITHER(SBX_STEP_NAMESPACES, SBX_STEP_MOUNTS),
				  "") == 0);
	} else {
		struct live_run r;

		CHECK(live_sh(p, NULL, "ls -d /elsewhere", &r) == 0);
		CHECK(!strcmp(r.out, "/elsewhere\n"), "%s", r.err);
	}
	sbx_policy_unref(p);
	return 0;
}

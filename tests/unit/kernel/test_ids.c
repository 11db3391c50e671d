/* SPDX-License-Identifier: Apache-2.0 */
/* ids: maps of user namespaces, each in a child's own. */
#include <sched.h>

#include "kernel/ids.h"

#include "../base/help.h"

TestSuite(ids, .timeout = 20);

static void expect_or_skip(int (*fn)(void))
{
	int rc = in_child(fn);

	if (rc == CHILD_SKIPS)
		skip_or_fail("no user namespaces here");
	cr_expect_eq(rc, 0, "%d, line %d, errno %d", rc, child_said[0],
		     child_said[1]);
}

static struct sbxi_id_pair uid, gid;

/* A namespace of our own; from here on ids are unmapped. */
static int enter(uint32_t inside_uid, uint32_t inside_gid)
{
	uid = (struct sbxi_id_pair){ inside_uid, geteuid() };
	gid = (struct sbxi_id_pair){ inside_gid, getegid() };
	return unshare(CLONE_NEWUSER) < 0 ? CHILD_SKIPS : 0;
}

static int has_text(const char *path, const char *text)
{
	char buf[64] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, buf, sizeof(buf) - 1);

	if (fd >= 0)
		close(fd);
	return n > 0 && !strncmp(buf, text, strlen(text));
}

static int map_self(void)
{
	int rc = enter(0, 7);

	if (rc != 0)
		return rc;
	HOLDS(getuid() == NOBODY);
	rc = sbxi_ids_map_self(&uid, &gid);
	if (rc == -EACCES || rc == -EROFS)
		return CHILD_SKIPS;
	HOLDS(rc == 0);
	HOLDS(getuid() == 0 && geteuid() == 0);
	HOLDS(getgid() == 7 && getegid() == 7);
	HOLDS(has_text("/proc/self/setgroups", "deny"));
	/* Once and for all. */
	HOLDS(sbxi_ids_map_self(&uid, &gid) < 0);
	return 0;
}

Test(ids, a_process_maps_its_own)
{
	expect_or_skip(map_self);
}

static int map_anothers(void)
{
	int rc = enter(0, 0);

	if (rc != 0)
		return rc;
	uid.outside++;
	HOLDS(sbxi_ids_map_self(&uid, &gid) < 0);
	HOLDS(getuid() == NOBODY);
	uid.outside--;
	rc = sbxi_ids_map_self(&uid, &gid);
	if (rc == -EACCES || rc == -EROFS)
		return CHILD_SKIPS;
	HOLDS(rc == 0 && getuid() == 0);
	return 0;
}

Test(ids, a_process_maps_no_id_of_anothers)
{
	expect_or_skip(map_anothers);
}

static int not_initial(void)
{
	int rc = enter(5, 5);

	if (rc != 0)
		return rc;
	HOLDS(sbxi_ids_initial_namespace() == 0);
	rc = sbxi_ids_map_self(&uid, &gid);
	if (rc == -EACCES || rc == -EROFS)
		return CHILD_SKIPS;
	HOLDS(rc == 0);
	HOLDS(sbxi_ids_initial_namespace() == 0);
	return 0;
}

Test(ids, a_namespace_of_ones_own_is_not_the_initial_one)
{
	expect_or_skip(not_initial);
}

static int without_proc(void)
{
	HOLDS(refuse_call(SYS_openat, ENOENT) == 0);
	HOLDS(sbxi_ids_initial_namespace() == 0);
	uid.inside = gid.inside = 0;
	HOLDS(sbxi_ids_map_self(&uid, &gid) == -ENOENT);
	HOLDS(sbxi_ids_map_child(1, &uid, &gid) == -ENOENT);
	HOLDS(sbxi_ids_map_swapped(1, 0, 1) == -ENOENT);
	return 0;
}

Test(ids, without_proc_it_is_an_error_and_not_initial)
{
	expect_child(without_proc);
}

Test(ids, the_namespace_of_the_host_is_the_initial_one)
{
	bool whole = has_text("/proc/self/uid_map",
			      "         0          0 4294967295");

	if (!whole)
		skip_or_fail("these tests run in a user namespace");
	cr_expect_eq(sbxi_ids_initial_namespace(), 1);
}

/* A child in a namespace of its own that waits to be mapped. */
struct mapped {
	pid_t pid;
	int hold;
};

static struct mapped start_child(void)
{
	int ready[2], hold[2];
	struct mapped m;
	char c = 0;

	cr_assert_eq(pipe2(ready, O_CLOEXEC), 0);
	cr_assert_eq(pipe2(hold, O_CLOEXEC), 0);
	m.pid = fork();
	cr_assert_geq(m.pid, 0);
	if (m.pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(hold[1]);
		c = unshare(CLONE_NEWUSER) == 0 ? 'y' : 'n';
		if (write(ready[1], &c, 1) != 1)
			_exit(1);
		_exit(read(hold[0], &c, 1) == 0 ? 0 : 2);
	}
	close(ready[1]);
	close(hold[0]);
	m.hold = hold[1];
	cr_assert_eq(read(ready[0], &c, 1), 1);
	close(ready[0]);
	if (c != 'y') {
		close(m.hold);
		waitpid(m.pid, NULL, 0);
		skip_or_fail("no user namespaces here");
	}
	return m;
}

static void end_child(struct mapped *m)
{
	int st = -1;

	close(m->hold);
	cr_expect_eq(waitpid(m->pid, &st, 0), m->pid);
	cr_expect_eq(st, 0);
}

/* Which id outside an id inside is; -1 if it is none. */
static int64_t outside_of(pid_t pid, const char *map, uint32_t id)
{
	char path[64];
	unsigned int in, out, n;
	int64_t found = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, map);
	f = fopen(path, "re");
	cr_assert_not_null(f);
	while (fscanf(f, "%u %u %u", &in, &out, &n) == 3)
		if (id >= in && id - in < n)
			found = (int64_t)out + (id - in);
	fclose(f);
	return found;
}

static void expect_outside(pid_t pid, uint32_t id, int64_t outside)
{
	int64_t u = outside_of(pid, "uid_map", id);
	int64_t g = outside_of(pid, "gid_map", id);

	cr_expect_eq(u, outside, "uid %u is %lld", id, (long long)u);
	cr_expect_eq(g, outside, "gid %u is %lld", id, (long long)g);
}

/* Refused where /proc is read-only or a filter has its say. */
static bool is_refusal(int rc)
{
	return rc == -EACCES || rc == -EROFS || rc == -EPERM;
}

Test(ids, a_parent_maps_its_child)
{
	struct mapped m = start_child();
	struct sbxi_id_pair u = { 1000, geteuid() }, g = { 99, getegid() };
	int rc = sbxi_ids_map_child(m.pid, &u, &g);

	if (is_refusal(rc)) {
		end_child(&m);
		skip_or_fail("no map can be written here");
	}
	cr_expect_eq(rc, 0, "%s", strerror(-rc));
	cr_expect_eq(outside_of(m.pid, "uid_map", 1000), (int64_t)geteuid());
	cr_expect_eq(outside_of(m.pid, "gid_map", 99), (int64_t)getegid());
	cr_expect_eq(outside_of(m.pid, "uid_map", 0), -1);
	cr_expect_eq(outside_of(m.pid, "uid_map", 1001), -1);
	end_child(&m);
}

Test(ids, a_child_that_is_gone_is_an_error)
{
	struct sbxi_id_pair p = { 0, 0 };
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	cr_expect_eq(sbxi_ids_map_child(pid, &p, &p), -ENOENT);
	cr_expect_eq(sbxi_ids_map_swapped(pid, 0, 5), -ENOENT);
}

/* a is b, b is a, and all others are themselves, the last one too. */
static void expect_swapped(uint32_t a, uint32_t b)
{
	const uint32_t others[] = { 0, 1, 2, 999, 64831, 64833, 65534, 65535,
				    a + 1, b + 1, a - 1, b - 1,
				    UINT32_MAX - 1 };
	struct mapped m = start_child();
	int rc = sbxi_ids_map_swapped(m.pid, a, b);

	if (is_refusal(rc)) {
		end_child(&m);
		skip_or_fail("no map can be written here");
	}
	cr_assert_eq(rc, 0, "%u and %u: %s", a, b, strerror(-rc));
	expect_outside(m.pid, a, b);
	expect_outside(m.pid, b, a);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (others[i] != a && others[i] != b &&
		    others[i] != UINT32_MAX)
			expect_outside(m.pid, others[i], others[i]);
	end_child(&m);
}

Test(ids, two_ids_are_swapped_and_all_others_stay)
{
	if (geteuid() != 0 || !sbxi_ids_initial_namespace())
		cr_skip_test("only root of the host may map all ids");
	expect_swapped(0, 64832);
	expect_swapped(64832, 0);
	expect_swapped(1000, 64832);
	expect_swapped(0, 1);
	expect_swapped(1000, 1001);
	expect_swapped(0, UINT32_MAX - 1);
	expect_swapped(UINT32_MAX - 2, UINT32_MAX - 1);
}

Test(ids, an_ordinary_user_swaps_nothing)
{
	struct mapped m;

	if (geteuid() == 0)
		cr_skip_test("root may");
	m = start_child();
	cr_expect_eq(sbxi_ids_map_swapped(m.pid, 0, 64832), -EPERM);
	cr_expect_eq(outside_of(m.pid, "uid_map", 64832), -1);
	end_child(&m);
}

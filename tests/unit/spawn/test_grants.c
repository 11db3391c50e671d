/* SPDX-License-Identifier: Apache-2.0 */
/* grants: names, numbers and versions; all or nothing. */
#include <sys/eventfd.h>
#include <sys/wait.h>

#include <criterion/criterion.h>

#include "grants_test.h"

TestSuite(grants, .init = set_up, .fini = tear_down, .timeout = 30);

Test(grants, none_is_fine)
{
	int before = n_open();
	char *list;

	cr_assert_eq(open_all(NULL, 0), 0);
	cr_expect_eq(out.n, 0);
	cr_expect_not(out.inet);
	list = sbxi_grants_list(&out);
	cr_assert(list);
	cr_expect_str_eq(list, "");
	free(list);
	done();
	cr_expect_eq(n_open(), before);
}

/* Connect */

Test(grants, connect_hands_out_a_connected_socket)
{
	int l = listening(AF_INET);
	struct sbx_grant g = named(SBX_GRANT_CONNECT, "api", NULL,
				   SBX_READ | SBX_WRITE);
	struct sockaddr_storage a;
	socklen_t len = sizeof(a);
	char target[64];

	snprintf(target, sizeof(target), "tcp:127.0.0.1:%u", port_of(l));
	g.target = target;
	cr_assert_eq(open_all(&g, 1), 0, "%s", fail.text);
	cr_expect_eq(getpeername(out.grant[0].fd, (struct sockaddr *)&a,
				 &len), 0);
	done();
	g.rights = SBX_READ;
	expect_refused(&g, 1, -EINVAL);
	g.rights = 0;
	g.fd = l;
	expect_refused(&g, 1, -EINVAL);
	g.fd = -1;
	g.target = NULL;
	expect_refused(&g, 1, -EINVAL);
	g.target = "tcp:127.1:80";
	expect_refused(&g, 1, -EINVAL);
	cr_expect_str_eq(fail.object, g.target);
	close(l);
}

/* Names and numbers */

Test(grants, names_are_there_valid_and_unique)
{
	struct sbx_grant g[2] = { named(SBX_GRANT_DATA, "a", "1", 0),
				  named(SBX_GRANT_DATA, "b", "2", 0) };

	cr_assert_eq(open_all(g, 2), 0);
	done();
	g[1].name = "a";
	expect_refused(g, 2, -EINVAL);
	cr_expect_str_eq(fail.object, "a");
	g[1].name = NULL;
	expect_refused(g, 2, -EINVAL);
	cr_expect_str_eq(fail.object, "grants[1]");
	g[1].name = "a b";
	expect_refused(g, 2, -EINVAL);
	cr_expect_str_eq(fail.object, "grants[1]");
	g[1].name = "";
	expect_refused(g, 2, -EINVAL);
}

static int numbers(const int *want, size_t n)
{
	struct sbx_grant g[8];
	char name[8][24];
	size_t i;

	for (i = 0; i < n; i++) {
		snprintf(name[i], sizeof(name[i]), "g%zu", i);
		g[i] = named(SBX_GRANT_DATA, name[i], "x", 0);
		g[i].task_fd = want[i];
	}
	return open_all(g, n);
}

Test(grants, those_without_a_number_get_the_lowest_free_ones)
{
	static const int want[] = { -1, 4, -1, 3, -1, 900 };
	static const int got[] = { 5, 4, 6, 3, 7, 900 };
	char *list;
	size_t i;

	cr_assert_eq(numbers(want, 6), 0);
	for (i = 0; i < 6; i++)
		cr_expect_eq(out.grant[i].task_fd, got[i]);
	list = sbxi_grants_list(&out);
	cr_assert(list);
	cr_expect_str_eq(list, "g0:5 g1:4 g2:6 g3:3 g4:7 g5:900");
	free(list);
	done();
}

static void expect_number_refused(const int *want, size_t n, const char *word)
{
	int before = n_open();

	cr_expect_eq(numbers(want, n), -EINVAL);
	cr_expect_eq(fail.remedy, SBXI_REMEDY_GRANT_NUMBER);
	cr_expect(strstr(fail.text, word), "%s", fail.text);
	cr_expect_eq(n_open(), before);
}

Test(grants, bad_numbers_are_refused)
{
	int i;

	for (i = 0; i <= 2; i++)
		expect_number_refused((int[]){ i }, 1, "stdio");
	expect_number_refused((int[]){ -2 }, 1, "-2");
	expect_number_refused((int[]){ 65536 }, 1, "65536");
	expect_number_refused((int[]){ 1024 }, 1, "1024");
	cr_expect_eq(numbers((int[]){ 1023 }, 1), 0);
	done();
	expect_number_refused((int[]){ 9, 7, 9 }, 3, "g0 and g2");
	policy.limit[SBX_LIMIT_OPEN_FILES] = 5;
	expect_number_refused((int[]){ -1, -1, -1 }, 3, "limit");
	cr_expect_eq(numbers((int[]){ -1, -1 }, 2), 0);
	done();
	policy.limit[SBX_LIMIT_OPEN_FILES] = SBXI_NO_LIMIT;
	cr_expect_eq(numbers((int[]){ 65535 }, 1), 0);
	done();
}

Test(grants, more_than_240_are_too_many)
{
	static struct sbx_grant g[241];
	static char name[241][24];
	size_t i;

	for (i = 0; i < 241; i++) {
		snprintf(name[i], sizeof(name[i]), "g%zu", i);
		g[i] = named(SBX_GRANT_DATA, name[i], "x", 0);
	}
	expect_refused(g, 241, -E2BIG);
	cr_expect(strstr(fail.text, "241"), "%s", fail.text);
	cr_expect_eq(open_all(g, 240), 0);
	done();
	expect_refused(g, SIZE_MAX, -E2BIG);
	expect_refused(NULL, 1, -EINVAL);
}

/* Structs of other versions */

struct newer {
	struct sbx_grant known;
	uint64_t unknown;
};

Test(grants, structs_of_other_sizes_follow_the_rule)
{
	struct newer g[2] = { { named(SBX_GRANT_DATA, "a", "1", 0), 0 },
			      { named(SBX_GRANT_DATA, "b", "2", 0), 0 } };

	g[0].known.size = g[1].known.size = sizeof(struct newer);
	cr_assert_eq(open_all(&g[0].known, 2), 0, "%s", fail.text);
	cr_expect_str_eq(out.grant[1].name, "b");
	done();
	g[1].unknown = 1;
	expect_refused(&g[0].known, 2, -E2BIG);
	cr_expect_str_eq(fail.object, "b");
	g[1].unknown = 0;
	g[1].known.size = sizeof(struct sbx_grant);
	expect_refused(&g[0].known, 2, -EINVAL);
	cr_expect_str_eq(fail.object, "grants[1]");
	g[0].known.size = 0;
	expect_refused(&g[0].known, 1, -EINVAL);
	g[0].known.size = sizeof(struct sbx_grant) - 1;
	expect_refused(&g[0].known, 1, -EINVAL);
	g[0].known.size = UINT32_MAX;
	expect_refused(&g[0].known, 1, -E2BIG);
}

/* Grants of a policy file */

Test(grants, those_of_the_policy_come_first_and_share_names_and_numbers)
{
	char a[] = "of-policy", path[128];
	struct sbxi_policy_grant p = { .kind = SBX_GRANT_FILE, .name = a,
				       .target = path, .rights = SBX_READ,
				       .task_fd = 3 };
	struct sbx_grant g = named(SBX_GRANT_DATA, "of-call", "x", 0);

	strcpy(path, file("f", "x"));
	policy.grants = &p;
	policy.n_grants = 1;
	cr_assert_eq(open_all(&g, 1), 0, "%s", fail.text);
	cr_assert_eq(out.n, 2);
	cr_expect_str_eq(out.grant[0].name, "of-policy");
	cr_expect_eq(out.grant[1].task_fd, 4);
	done();
	g.task_fd = 3;
	expect_refused(&g, 1, -EINVAL);
	g.task_fd = -1;
	g.name = "of-policy";
	expect_refused(&g, 1, -EINVAL);
}

Test(grants, what_was_opened_is_closed_when_a_later_one_fails)
{
	int l = listening(AF_INET), fd = eventfd(0, EFD_CLOEXEC);
	struct sbx_grant g[5];
	char target[64];

	snprintf(target, sizeof(target), "tcp:127.0.0.1:%u", port_of(l));
	g[0] = named(SBX_GRANT_DATA, "a", "x", 0);
	g[1] = named(SBX_GRANT_FILE, "b", file("f", "x"), 0);
	g[2] = fd_grant("c", fd, 0);
	g[3] = named(SBX_GRANT_CONNECT, "d", target, 0);
	g[4] = named(SBX_GRANT_FILE, "e", "/nonexistent/file", 0);
	expect_refused(g, 5, -ENOENT);
	g[4].target = g[1].target;
	cr_expect_eq(open_all(g, 5), 0);
	done();
	close(fd);
	close(l);
}

/* With 0 to 2 closed, every descriptor would like to be one of them. */
static int low_numbers(void)
{
	int l = listening(AF_INET), p[2];
	struct sbx_grant g[5];
	char target[64];
	size_t i;

	snprintf(target, sizeof(target), "tcp:127.0.0.1:%u", port_of(l));
	g[0] = named(SBX_GRANT_DATA, "a", "x", 0);
	g[1] = named(SBX_GRANT_FILE, "b", file("f", "x"), 0);
	g[3] = named(SBX_GRANT_CONNECT, "d", target, 0);
	if (pipe2(p, O_CLOEXEC) < 0)
		return 1;
	g[2] = fd_grant("c", p[0], 0);
	g[4] = fd_grant("e", open(file("g", "x"), O_RDWR | O_CLOEXEC),
			SBX_READ);
	close(0);
	close(1);
	close(2);
	if (open_all(g, 5) != 0)
		return 2;
	for (i = 0; i < out.n; i++)
		if (out.grant[i].fd < 3)
			return 10 + (int)i;
	return 0;
}

Test(grants, standard_streams_are_never_taken)
{
	pid_t pid = fork();
	int st;

	if (pid == 0)
		_exit(low_numbers());
	cr_assert_eq(waitpid(pid, &st, 0), pid);
	cr_expect_eq(st, 0, "status %d", st);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* payload: what the helper maps is what the caller said. */
#include "base/memfd.h"
#include "kernel/handoff.h"
#include "spawn/payload.h"

#include "../base/help.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static struct sbx_policy *policy;
static struct sbxi_grants grants;
static struct sbxi_fail fail;

/* As the helper sees it. */
static const struct sbxi_payload *p;
static size_t p_size;

static void set_up(void)
{
	cr_assert_eq(sbxi_policy_new(SBX_PROFILE_EMPTY, &policy), 0);
	grants = (struct sbxi_grants){ .n = 0 };
	p = NULL;
}

static void unmap(void)
{
	if (p)
		munmap((void *)(uintptr_t)p, p_size);
	p = NULL;
}

static void tear_down(void)
{
	unmap();
	sbxi_policy_free(policy);
}

TestSuite(payload, .init = set_up, .fini = tear_down, .timeout = 20);

static void map(int fd)
{
	struct stat st;

	cr_assert_eq(fstat(fd, &st), 0);
	p_size = (size_t)st.st_size;
	cr_assert_geq(p_size, sizeof(*p));
	cr_assert_leq(p_size, SBXI_PAYLOAD_MAX);
	p = mmap(NULL, p_size, PROT_READ, MAP_SHARED, fd, 0);
	cr_assert_neq(p, MAP_FAILED);
	cr_assert_eq(p->size, p_size);
}

static void make(const char *const *argv, const char *cwd)
{
	int before = n_open(), fd;

	unmap();
	fd = sbxi_payload_make(policy, argv, cwd, &grants, &fail);
	cr_assert_geq(fd, 3, "%s", fail.text);
	cr_expect_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	cr_expect_eq(sbxi_memfd_check(fd), 0);
	map(fd);
	close(fd);
	cr_expect_eq(n_open(), before);
}

/* A string of the payload, which must end within it. */
static const char *string(uint32_t offset)
{
	cr_assert_geq(offset, sizeof(*p));
	cr_assert_lt(offset, p_size);
	cr_assert_not_null(memchr((const char *)p + offset, '\0',
				  p_size - offset));
	return (const char *)p + offset;
}

static const char *entry(uint32_t array, uint32_t n, uint32_t i)
{
	const uint32_t *offsets = (const void *)((const char *)p + array);

	cr_assert_eq(array % sizeof(uint32_t), 0);
	cr_assert_geq(array, sizeof(*p));
	cr_assert_leq(array + n * sizeof(uint32_t), p_size);
	return string(offsets[i]);
}

static void expect_argv(const char *const *argv)
{
	uint32_t n = 0;

	while (argv[n])
		n++;
	cr_assert_eq(p->argc, n, "%u of %u", p->argc, n);
	for (uint32_t i = 0; i < n; i++)
		cr_expect_str_eq(entry(p->argv, n, i), argv[i]);
}

/* The value of a variable, or NULL.  It is there once at most. */
static const char *variable(const char *name)
{
	size_t len = strlen(name);
	const char *found = NULL;

	for (uint32_t i = 0; i < p->envc; i++) {
		const char *e = entry(p->envp, p->envc, i);

		if (strncmp(e, name, len) || e[len] != '=')
			continue;
		cr_expect_null(found, "%s is there twice", name);
		found = e + len + 1;
	}
	return found;
}

#define expect_variable(name, value)                                     \
	do {                                                             \
		const char *v_ = variable(name);                         \
		cr_assert_not_null(v_, "%s is not there", name);         \
		cr_expect_str_eq(v_, value, "%s is '%s'", name, v_);     \
	} while (0)

static const char *const one[] = { "/bin/true", NULL };

Test(payload, holds_the_arguments)
{
	const char *const argv[] = { "a", "", "b c", "d\ne", "\xff\xfe",
				     "=", NULL };

	make(one, NULL);
	expect_argv(one);
	make(argv, NULL);
	expect_argv(argv);
}

Test(payload, holds_any_number_of_arguments)
{
	static char text[300][8];
	const char *argv[301];

	for (size_t n = 0; n <= 300; n += n < 20 ? 1 : 70) {
		for (size_t i = 0; i < n; i++) {
			snprintf(text[i], sizeof(text[i]), "%.*s%zu",
				 (int)(i % 4), "xyz", i);
			argv[i] = text[i];
		}
		argv[n] = NULL;
		make(argv, "/");
		expect_argv(argv);
		expect_variable("USER", "task");
		cr_expect_str_eq(string(p->cwd), "/");
	}
}

Test(payload, holds_the_folder_or_none)
{
	make(one, NULL);
	cr_expect_eq(p->cwd, 0);
	make(one, "/some/where");
	cr_expect_str_eq(string(p->cwd), "/some/where");
	make(one, "");
	cr_expect_str_eq(string(p->cwd), "");
}

Test(payload, has_a_small_environment_by_default)
{
	make(one, NULL);
	cr_expect_eq(p->envc, 6);
	expect_variable("LANG", "C.UTF-8");
	expect_variable("TERM", "dumb");
	expect_variable("USER", "task");
	expect_variable("LOGNAME", "task");
	expect_variable("SHELL", "/bin/sh");
	cr_expect_not_null(variable("PATH"));
	/* Where these are only the helper knows. */
	cr_expect_null(variable("HOME"));
	cr_expect_null(variable("TMPDIR"));
	cr_expect_null(variable("SBX_FDS"));
}

Test(payload, has_nothing_of_the_callers_environment)
{
	setenv("SBX_TEST_SECRET", "secret", 1);
	setenv("USER", "me", 1);
	make(one, NULL);
	cr_expect_null(variable("SBX_TEST_SECRET"));
	expect_variable("USER", "task");
}

static void set(const char *name, const char *value)
{
	cr_assert_eq(sbxi_policy_set_env(policy, name, value), 0);
}

Test(payload, has_what_the_policy_sets)
{
	set("ONE", "1");
	set("EMPTY", "");
	set("EQUAL", "a=b=c");
	set("LONG", "with blanks\nand lines");
	make(one, NULL);
	cr_expect_eq(p->envc, 10);
	expect_variable("ONE", "1");
	expect_variable("EMPTY", "");
	expect_variable("EQUAL", "a=b=c");
	expect_variable("LONG", "with blanks\nand lines");
	expect_variable("USER", "task");
}

Test(payload, a_default_can_be_overridden)
{
	set("PATH", "/only/here");
	set("TERM", "");
	make(one, NULL);
	cr_expect_eq(p->envc, 6);
	expect_variable("PATH", "/only/here");
	expect_variable("TERM", "");
	set("PATH", "/or/there");
	make(one, NULL);
	cr_expect_eq(p->envc, 6);
	expect_variable("PATH", "/or/there");
}

Test(payload, a_default_can_be_taken_out)
{
	set("PATH", NULL);
	set("SHELL", NULL);
	set("NOT_THERE", NULL);
	make(one, NULL);
	cr_expect_eq(p->envc, 4);
	cr_expect_null(variable("PATH"));
	cr_expect_null(variable("SHELL"));
	cr_expect_null(variable("NOT_THERE"));
	expect_variable("USER", "task");
	set("PATH", "/back");
	make(one, NULL);
	expect_variable("PATH", "/back");
}

Test(payload, all_defaults_can_be_taken_out)
{
	static const char *const names[] = { "PATH", "LANG", "TERM", "USER",
					     "LOGNAME", "SHELL" };

	for (size_t i = 0; i < COUNT(names); i++)
		set(names[i], NULL);
	make(one, NULL);
	cr_expect_eq(p->envc, 0);
	expect_argv(one);
}

Test(payload, names_that_only_begin_alike_are_others)
{
	set("PATHS", "x");
	set("PAT", "y");
	set("USERS", NULL);
	set("LAN", NULL);
	make(one, NULL);
	cr_expect_eq(p->envc, 8);
	cr_expect_str_neq(variable("PATH"), "x");
	expect_variable("PATHS", "x");
	expect_variable("PAT", "y");
	expect_variable("USER", "task");
	expect_variable("LANG", "C.UTF-8");
}

Test(payload, names_the_grants)
{
	struct sbxi_ready_grant g[2] = {
		{ .name = "api", .fd = -1, .task_fd = 3 },
		{ .name = "log.out-1_x", .fd = -1, .task_fd = 1023 },
	};

	grants = (struct sbxi_grants){ .grant = g, .n = 1 };
	make(one, NULL);
	cr_expect_eq(p->envc, 7);
	expect_variable("SBX_FDS", "api:3");
	grants.n = 2;
	make(one, NULL);
	expect_variable("SBX_FDS", "api:3 log.out-1_x:1023");
}

/*
 * What the bound counts: each string with its end, and its place in a list;
 * and four bytes a list.
 */
static size_t bytes_of_defaults(void)
{
	size_t n = 0;

	for (uint32_t i = 0; i < p->envc; i++)
		n += strlen(entry(p->envp, p->envc, i)) + 1 + 4;
	return n + 4 + 4;
}

static char *blanks(size_t len)
{
	char *text = malloc(len + 1);

	cr_assert_not_null(text);
	memset(text, ' ', len);
	text[len] = '\0';
	return text;
}

Test(payload, two_mebibytes_fit)
{
	const char *argv[] = { NULL, NULL };
	size_t len;
	char *text;

	make(one, NULL);
	len = (2u << 20) - bytes_of_defaults() - 1 - 4;
	argv[0] = text = blanks(len);
	make(argv, "/");
	cr_expect_eq(strlen(entry(p->argv, 1, 0)), len);
	expect_variable("USER", "task");
	cr_expect_str_eq(string(p->cwd), "/");
	free(text);
}

static void expect_too_big(const char *const *argv)
{
	int before = n_open(), rc;

	fail = (struct sbxi_fail){ .step = 0 };
	rc = sbxi_payload_make(policy, argv, NULL, &grants, &fail);
	cr_expect_eq(rc, -E2BIG, "%d", rc);
	cr_expect_eq(fail.step, SBX_STEP_ARGUMENT);
	cr_expect_eq(fail.sys_errno, E2BIG);
	cr_expect_str_eq(fail.object, "argv");
	cr_expect_str_neq(fail.text, "");
	cr_expect_eq(n_open(), before);
}

Test(payload, one_byte_more_is_too_big)
{
	const char *argv[] = { NULL, NULL };
	char *text;

	make(one, NULL);
	argv[0] = text = blanks((2u << 20) - bytes_of_defaults() - 4);
	expect_too_big(argv);
	free(text);
	argv[0] = text = blanks(5u << 20);
	expect_too_big(argv);
	free(text);
}

Test(payload, many_arguments_are_too_big_too)
{
	size_t n = (2u << 20) / 5;
	const char **argv = malloc((n + 1) * sizeof(*argv));

	cr_assert_not_null(argv);
	for (size_t i = 0; i < n; i++)
		argv[i] = "";
	argv[n] = NULL;
	expect_too_big(argv);
	/* The twin. */
	argv[n - 100] = NULL;
	make(argv, NULL);
	cr_expect_eq(p->argc, n - 100);
	free(argv);
}

Test(payload, the_environment_counts)
{
	char name[16], *text = blanks(120000);

	for (int i = 0; i < 17; i++) {
		snprintf(name, sizeof(name), "V%d", i);
		set(name, text);
	}
	make(one, NULL);
	cr_expect_eq(strlen(variable("V16")), 120000);
	set("V17", text);
	expect_too_big(one);
	free(text);
}

static int with_a_full_table(void)
{
	HOLDS(clear_table() == 0);
	HOLDS(limit_files(3) == 0);
	HOLDS(sbxi_payload_make(policy, one, NULL, &grants, &fail) ==
	      -EMFILE);
	HOLDS(fail.step == SBX_STEP_SOCKETS);
	HOLDS(!strcmp(fail.object, "payload"));
	HOLDS(n_open_in(0, 64) == 3);
	return 0;
}

Test(payload, a_full_table_is_an_error)
{
	expect_child(with_a_full_table);
}

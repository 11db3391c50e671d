/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live: tests that start real tasks.
 *
 * A behaviour runs in a program of its own, started anew for each test: as
 * whoever runs the tests, as an ordinary user, and, where it must hold there
 * too, without user namespaces.  It uses no cr_ macro; it returns 0 or the
 * result of CHECK(), which says on standard error what is wrong.
 */
#ifndef TESTS_LIVE_LIVE_H
#define TESTS_LIVE_LIVE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <sandbox/sandbox.h>

#include "ledger.h"

/* What a behaviour works with. */
struct live {
	char dir[64];		/* the test's own, removed afterwards */
	char ws[80];		/* in it; live_policy() grants all */
	char bin[80];		/* in it; live_policy() grants read, exec */
	char token[33];		/* random; in our first environment */
	bool tier_b;		/* no user namespaces here */
};

struct live_behaviour {
	const char *name;
	int (*run)(struct live *l);
	struct live_behaviour *next;
};

/* How a behaviour is tried. */
enum {
	LIVE_SELF = 0,
	LIVE_USER = 1 << 0,	/* as uid 65534 */
	LIVE_TIER_B = 1 << 1	/* user namespaces refused by a filter */
};

/* Exit status of a child that cannot do its work here. */
#define LIVE_SKIP 77

#define LIVE_BEHAVIOUR(name)                                                  \
	static int name(struct live *l);                                      \
	__attribute__((constructor(200))) static void name##_is_known(void)   \
	{                                                                     \
		static struct live_behaviour b = { #name, name, NULL };       \
		live_know(&b);                                                \
	}

/* A behaviour that needs user namespaces. */
#define LIVE_TEST(suite, name)                                                \
	LIVE_BEHAVIOUR(name)                                                  \
	Test(suite, name)                                                     \
	{                                                                     \
		live_try(#name, LIVE_SELF);                                   \
	}                                                                     \
	Test(suite, name##__for_an_ordinary_user)                             \
	{                                                                     \
		live_try(#name, LIVE_USER);                                   \
	}                                                                     \
	static int name(__attribute__((unused)) struct live *l)

/* A behaviour that holds without them, too. */
#define LIVE_TEST_BOTH_TIERS(suite, name)                                     \
	Test(suite, name##__without_user_namespaces)                          \
	{                                                                     \
		live_try(#name, LIVE_TIER_B);                                 \
	}                                                                     \
	Test(suite, name##__for_an_ordinary_user_without_user_namespaces)     \
	{                                                                     \
		live_try(#name, LIVE_USER | LIVE_TIER_B);                     \
	}                                                                     \
	LIVE_TEST(suite, name)

/* In a behaviour: go on if cond holds, else say so and end. */
#define CHECK(cond, ...)                                                      \
	do {                                                                  \
		if (!(cond))                                                  \
			return live_wrong(__FILE__, __LINE__, #cond,          \
					  " " __VA_ARGS__);                   \
	} while (0)

void live_know(struct live_behaviour *b);
void live_try(const char *name, unsigned how);
int live_wrong(const char *file, int line, const char *condition,
	       const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Run fn in a forked child: its status, 128 + signal, or -errno. */
int in_child(int (*fn)(void *), void *arg);

/* In a test: skip loudly, or fail where SBX_REQUIRE_LIVE=1. */
void skip_live(const char *reason);

/* SBX_PROFILE_TOOL with the test's folders; NULL, said so, on failure. */
struct sbx_policy *live_policy(const struct live *l);

/*
 * A copy of a program of in/ that a task may execute.  Its path is valid
 * until the fourth next call; "" if there is no such program.
 */
const char *live_program(const struct live *l, const char *name);

/* A file of the test's: made with this text; its whole text (NULL: none). */
int live_write(const char *path, const char *text);
const char *live_read(const char *path);

/* What became of a task. */
struct live_run {
	int rc;			/* of sbx_spawn() */
	struct sbx_error error;
	struct sbx_exit exit;
	char out[65536], err[8192];	/* NUL-terminated, cut if longer */
	size_t n_out, n_err;	/* bytes that came, cut or not */
};

/*
 * Run a task to its end and collect what it writes.  opts: NULL, or what is
 * wanted besides argv and streams 1 and 2.
 * Returns 0 if it was started and has ended; the struct says how.
 */
int live_exec(struct sbx_policy *policy, const struct sbx_spawn_opts *opts,
	      const char *const *argv, struct live_run *ret);
int live_sh(struct sbx_policy *policy, const struct sbx_spawn_opts *opts,
	    const char *script, struct live_run *ret);

/* The second half: collect from a task with pipes, then wait for it. */
int live_collect(struct sbx_task *task, struct live_run *ret);

/* Start a script that goes on; NULL, said so, on failure. */
struct sbx_task *live_start(struct sbx_policy *policy,
			    const struct sbx_spawn_opts *opts,
			    const char *script);

/* Wait at most 30 s: 0, or what sbx_task_wait() says. */
int live_wait(struct sbx_task *task, struct sbx_exit *ret);

void live_sleep(int ms);

/* Does a file come to exist, or grow, within 10 s?  Does it grow in 300 ms? */
bool live_appears(const char *path);
bool live_grows(const char *path);
bool live_still(const char *path);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What a task is refused reaches whoever started it, and only him. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "live.h"

TestSuite(denials_live, .timeout = 120);

#define MAX_TOLD 64

struct heard {
	size_t n;
	struct {
		uint32_t kind, missed;
		int32_t code;
		char operation[32], object[256], grant[256];
	} denial[MAX_TOLD];
};

static void on_denial(struct sbx_task *task, const struct sbx_denial *d,
		      void *userdata)
{
	struct heard *h = userdata;

	if (sbx_task_userdata(task) != userdata || h->n == MAX_TOLD)
		return;
	h->denial[h->n].kind = d->kind;
	h->denial[h->n].missed = d->missed;
	h->denial[h->n].code = d->code;
	snprintf(h->denial[h->n].operation, 32, "%s", d->operation);
	snprintf(h->denial[h->n].object, 256, "%s", d->object);
	snprintf(h->denial[h->n].grant, 256, "%s", d->grant);
	h->n++;
}

static int run(struct sbx_policy *p, const char *script, struct heard *heard,
	       struct live_run *r)
{
	struct sbx_handlers handlers = SBX_HANDLERS_INIT;
	struct sbx_spawn_opts opts = SBX_SPAWN_OPTS_INIT;

	memset(heard, 0, sizeof(*heard));
	handlers.on_denial = on_denial;
	opts.handlers = &handlers;
	opts.userdata = heard;
	return live_sh(p, &opts, script, r);
}

/* A task that goes on; its denials are heard as they are dispatched. */
static struct sbx_task *start(struct sbx_policy *p, const char *script,
			      struct heard *heard)
{
	struct sbx_handlers handlers = SBX_HANDLERS_INIT;
	struct sbx_spawn_opts opts = SBX_SPAWN_OPTS_INIT;

	memset(heard, 0, sizeof(*heard));
	handlers.on_denial = on_denial;
	opts.handlers = &handlers;
	opts.userdata = heard;
	return p ? live_start(p, &opts, script) : NULL;
}

static bool heard_of(const struct heard *h, uint32_t kind,
		     const char *operation, int code, const char *object,
		     const char *grant)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->denial[i].kind == kind && h->denial[i].code == code &&
		    !strcmp(h->denial[i].operation, operation) &&
		    !strcmp(h->denial[i].object, object) &&
		    !strcmp(h->denial[i].grant, grant))
			return true;
	for (size_t i = 0; i < h->n; i++)
		fprintf(stderr, "heard: %u %s %d %s (%s)\n", h->denial[i].kind,
			h->denial[i].operation, h->denial[i].code,
			h->denial[i].object, h->denial[i].grant);
	return false;
}

LIVE_TEST_BOTH_TIERS(denials_live, each_kind_is_told_with_what_it_is_about)
{
	struct sbx_policy *p = live_policy(l);
	static struct heard h;
	static struct live_run r;
	char script[1024], git[128], bin[128];

	CHECK(p);
	snprintf(git, sizeof(git), "%s/.git", l->ws);
	snprintf(bin, sizeof(bin), "%s/new", l->bin);
	CHECK(mkdir(git, 0755) == 0);
	snprintf(git, sizeof(git), "%s/.git/config", l->ws);
	CHECK(live_write(git, "before") == 0);
	snprintf(script, sizeof(script),
		 "echo x >%s; echo x >%s; chroot / true; echo x >%s/fine", git,
		 bin, l->ws);
	CHECK(run(p, script, &h, &r) == 0);
	CHECK(!strcmp(live_read(git), "before"));
	CHECK(heard_of(&h, SBX_DENIAL_TRUST, "open", -EPERM, git, l->ws));
	CHECK(heard_of(&h, SBX_DENIAL_WRITE, "open",
		       l->tier_b ? -EACCES : -EROFS, bin, l->bin));
	CHECK(heard_of(&h, SBX_DENIAL_SYSCALL, "syscall", -EPERM, "chroot",
		       ""));
	/* What is allowed is not told. */
	for (size_t i = 0; i < h.n; i++)
		CHECK(!strstr(h.denial[i].object, "fine"));
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST(denials_live, an_address_that_nothing_leads_to_is_told)
{
	struct sbx_policy *p = live_policy(l);
	static struct heard h;
	static struct live_run r;

	CHECK(p);
	CHECK(run(p, "exec bash -c 'exec 5<>/dev/tcp/192.0.2.1/80'", &h,
		  &r) == 0);
	CHECK(heard_of(&h, SBX_DENIAL_NETWORK, "connect", -ENETUNREACH,
		       "tcp:192.0.2.1:80", ""));
	/* Its own loopback is its own: refused by nobody that we would tell of. */
	CHECK(run(p, "exec bash -c 'exec 5<>/dev/tcp/127.0.0.1/9'", &h, &r) ==
	      0);
	CHECK(h.n == 0 && strstr(r.err, "refused"), "%s", r.err);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(denials_live, a_flood_neither_blocks_nor_hides_the_end)
{
	struct sbx_policy *p = live_policy(l);
	static struct heard h;
	struct sbx_exit ex = SBX_EXIT_INIT;
	struct sbx_task *t;
	struct pollfd end;
	uint64_t told;
	char script[512];

	CHECK(p);
	snprintf(script, sizeof(script),
		 "i=0; while [ $i -lt 2000 ]; do true >%s/$i-%0100d; "
		 "i=$((i+1)); done 2>/dev/null; exit 7", l->bin, 0);
	/* Nobody dispatches: the supervisor must end by itself. */
	t = start(p, script, &h);
	CHECK(t);
	end = (struct pollfd){ sbx_task_pidfd(t), POLLIN, 0 };
	CHECK(poll(&end, 1, 60000) == 1, "it has not ended");
	CHECK(h.n == 0, "a handler ran outside dispatch");
	CHECK(sbx_task_wait(t, 1000, &ex) == 0);
	CHECK(ex.kind == SBX_EXITED && ex.code == 7, "%u %d", ex.kind, ex.code);
	CHECK(h.n > 0, "not one was told");
	/* Not one is lost without a word: the shell tries each name once. */
	told = h.n;
	for (size_t i = 0; i < h.n; i++)
		told += h.denial[i].missed;
	CHECK(told + ex.missed == 2000, "%llu and %llu",
	      (unsigned long long)told, (unsigned long long)ex.missed);
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(denials_live, wake_the_poll_loop)
{
	struct sbx_policy *p = live_policy(l);
	static struct heard h;
	struct sbx_task *t;
	struct pollfd news;
	char script[256];

	CHECK(p);
	snprintf(script, sizeof(script), "true >%s/new; sleep 30", l->bin);
	t = start(p, script, &h);
	CHECK(t);
	news = (struct pollfd){ sbx_task_fd(t), POLLIN, 0 };
	while (h.n == 0) {
		CHECK(poll(&news, 1, 20000) == 1, "nothing came");
		CHECK(sbx_task_dispatch(t) == 0);
	}
	/* All of it was taken: the loop can sleep again. */
	CHECK(poll(&news, 1, 0) == 0);
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

/* Poll with each event only once, as runtimes of other languages do. */
static int wait_by_edges(struct sbx_task *t)
{
	struct epoll_event e = { .events = EPOLLIN | EPOLLET };
	int loop = epoll_create1(EPOLL_CLOEXEC), ended = 0;

	CHECK(loop >= 0);
	CHECK(epoll_ctl(loop, EPOLL_CTL_ADD, sbx_task_fd(t), &e) == 0);
	while (!ended) {
		CHECK(epoll_wait(loop, &e, 1, 20000) == 1, "nothing came");
		ended = sbx_task_dispatch(t);
		CHECK(ended >= 0);
	}
	close(loop);
	return 0;
}

LIVE_TEST_BOTH_TIERS(denials_live, the_end_wakes_a_loop_that_is_told_once)
{
	struct sbx_policy *p = live_policy(l);
	static struct heard h;
	struct sbx_task *t;
	char script[256];

	CHECK(p);
	snprintf(script, sizeof(script), "true >%s/new; exit 0", l->bin);
	t = start(p, script, &h);
	CHECK(t);
	CHECK(wait_by_edges(t) == 0);
	CHECK(h.n == 1);
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(denials_live, a_killed_supervisor_wakes_it_too)
{
	struct sbx_policy *p = live_policy(l);
	static struct heard h;
	struct sbx_exit ex = SBX_EXIT_INIT;
	struct sbx_task *t;

	CHECK(p);
	t = start(p, "sleep 30 & sleep 30 & sleep 30", &h);
	CHECK(t);
	CHECK(syscall(SYS_pidfd_send_signal, sbx_task_pidfd(t), SIGKILL, NULL,
		      0) == 0);
	CHECK(wait_by_edges(t) == 0);
	CHECK(sbx_task_wait(t, 0, &ex) == 0 && ex.kind == SBX_SIGNALED);
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(denials_live, a_signal_takes_no_news_away)
{
	struct sbx_policy *p = live_policy(l);
	static struct heard h;
	struct sbx_task *t;
	struct pollfd news;
	char script[256], up[128];

	CHECK(p);
	snprintf(up, sizeof(up), "%s/up", l->ws);
	snprintf(script, sizeof(script), "true >%s/new; echo >%s; sleep 30",
		 l->bin, up);
	t = start(p, script, &h);
	CHECK(t && live_appears(up));
	news = (struct pollfd){ sbx_task_fd(t), POLLIN, 0 };
	CHECK(sbx_task_kill(t, SIGCONT) == 0);
	CHECK(poll(&news, 1, 0) == 1, "the signal took it");
	CHECK(sbx_task_dispatch(t) == 0 && h.n == 1);
	sbx_task_unref(t);
	sbx_policy_unref(p);
	return 0;
}

LIVE_TEST_BOTH_TIERS(denials_live, handlers_of_another_size_are_refused)
{
	struct sbx_policy *p = live_policy(l);
	struct sbx_handlers handlers = SBX_HANDLERS_INIT;
	struct sbx_spawn_opts opts = SBX_SPAWN_OPTS_INIT;
	static struct live_run r;

	CHECK(p);
	opts.handlers = &handlers;
	handlers.size--;
	CHECK(live_sh(p, &opts, "exit 0", &r) < 0 && r.rc == -EINVAL);
	CHECK(!strcmp(r.error.object, "opts.handlers"), "%s", r.error.object);
	handlers = (struct sbx_handlers)SBX_HANDLERS_INIT;
	handlers.reserved = 1;
	CHECK(live_sh(p, &opts, "exit 0", &r) < 0 && r.rc == -EINVAL);
	/* The twin: handlers that want nothing. */
	handlers.reserved = 0;
	CHECK(live_sh(p, &opts, "exit 0", &r) == 0 && r.exit.code == 0);
	sbx_policy_unref(p);
	return 0;
}

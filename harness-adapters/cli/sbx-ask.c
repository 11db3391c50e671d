/* SPDX-License-Identifier: Apache-2.0 */
/* sbx-ask: from a shell script inside a task, ask for more. */
#include <errno.h>
#include <inttypes.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sandbox/client.h>

#include "askopt.h"
#include "askrun.h"
#include "stdfds.h"
#include "text.h"

#define EXIT_LIMIT 124
#define EXIT_SIGNAL 128

static const struct {
	const char *verb;
	uint32_t kind;
} kinds[] = {
	{ "connect", SBX_ASK_CONNECT },	    { "open", SBX_ASK_OPEN },
	{ "data", SBX_ASK_DATA },	    { "listen", SBX_ASK_LISTEN },
	{ "directory", SBX_ASK_DIRECTORY },
};

/* The kinds of sbx_grant(3): what was handed in at the start is listed, too. */
static const char *const kind_names[] = { "?", "fd", "open", "connect",
					  "data", "listen", "directory" };

static int failed(int rc, const char *object, const char *text)
{
	ask_say(object, text);
	/* The broker is gone, or is none. */
	return rc == -EPIPE || rc == -EPROTO || rc == -EPROTONOSUPPORT ?
		       ASK_NO_BROKER : ASK_REFUSED;
}

static int done(int rc, const struct ask_options *o,
		const struct sbx_error *e)
{
	return rc < 0 ? failed(rc, o->object, e->text) : ASK_GRANTED;
}

static int flushed(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return ASK_GRANTED;
	ask_say("standard output", strerror(errno));
	return ASK_REFUSED;
}

static void print_number(uint64_t n)
{
	if (n == SBX_NO_LIMIT)
		(void)fputs("\t-", stdout);
	else
		(void)printf("\t%" PRIu64, n);
}

/* A line a grant, with tabs between what scripts want to cut. */
static int print_held(const struct sbx_held *h, void *userdata)
{
	size_t n = sizeof(kind_names) / sizeof(*kind_names);

	(void)userdata;
	cli_text_print(stdout, h->name);
	(void)printf("\t%s\t%s%s\t", kind_names[h->kind < n ? h->kind : 0],
		     h->rights & SBX_READ ? "r" : "",
		     h->rights & SBX_WRITE ? "w" : "");
	cli_text_print(stdout, h->target);
	print_number(h->lifetime_ms);
	print_number(h->max_uses);
	print_number(h->max_bytes_in);
	print_number(h->max_bytes_out);
	print_number(h->max_cost);
	(void)fputc('\t', stdout);
	cli_text_print(stdout, h->labels);
	(void)fputc('\n', stdout);
	return 0;
}

static int list(struct sbx_client *c, const struct ask_options *o)
{
	struct sbx_error e = { .code = 0 };
	int rc = sbx_client_list(c, print_held, NULL, o->timeout_ms, &e);

	return rc < 0 ? done(rc, o, &e) : flushed();
}

static int narrow(struct sbx_client *c, const struct ask_options *o)
{
	struct sbx_error e = { .code = 0 };
	struct sbx_share s = SBX_SHARE_INIT;

	s.name = o->object;
	s.rights = o->rights;
	s.lifetime_ms = o->budget[0];
	s.max_uses = o->budget[1];
	s.max_bytes_in = o->budget[2];
	s.max_bytes_out = o->budget[3];
	s.max_cost = o->budget[4];
	return done(sbx_client_narrow(c, &s, o->timeout_ms, &e), o, &e);
}

static int release(struct sbx_client *c, const struct ask_options *o)
{
	struct sbx_error e = { .code = 0 };

	return done(sbx_client_release(c, o->object, o->timeout_ms, &e), o,
		    &e);
}

static int say_log(struct sbx_client *c, const struct ask_options *o)
{
	struct sbx_error e = { .code = 0 };
	int rc = sbx_client_log(c, o->object, o->timeout_ms, &e);

	return rc < 0 ? failed(rc, "log", e.text) : ASK_GRANTED;
}

static int say_ready(struct sbx_client *c, const struct ask_options *o)
{
	struct sbx_error e = { .code = 0 };
	int rc = sbx_client_ready(c, o->object, o->timeout_ms, &e);

	return rc < 0 ? failed(rc, "ready", e.text) : ASK_GRANTED;
}

/* Its end is ours: a signal as shells tell it. */
static int delegate(struct sbx_client *c, const struct ask_options *o)
{
	struct sbx_share shares[ASK_SHARES];
	struct sbx_delegate d = SBX_DELEGATE_INIT;
	struct sbx_answer a = SBX_ANSWER_INIT;
	struct sbx_error e = { .code = 0 };
	uint64_t id;
	int rc;

	for (size_t i = 0; i < o->n_shares; i++) {
		shares[i] = (struct sbx_share)SBX_SHARE_INIT;
		shares[i].name = o->share[i];
	}
	d.argv = (const char *const *)o->command;
	d.envp = o->env;
	d.cwd = o->cwd;
	d.reason = o->reason;
	d.shares = shares;
	d.n_shares = o->n_shares;
	d.wall_ms = o->wall_ms;
	for (int i = 0; i < 3; i++)
		d.stdio[i] = i;
	if (o->timeout_ms > 0)
		d.deadline_ms = (uint64_t)o->timeout_ms;
	rc = sbx_client_delegate(c, &d, &id, NULL, o->timeout_ms, &e);
	if (rc == 0)
		rc = sbx_client_wait(c, id, &a, -1, &e);
	if (rc < 0)
		return failed(rc, o->command[0], e.text);
	/* SBX_EXITED is the only kind whose code is the program's own. */
	if (a.exit_kind == 1)
		return a.exit_code;
	return a.exit_code ? EXIT_SIGNAL + a.exit_code : EXIT_LIMIT;
}

static int request(struct sbx_client *c, const struct ask_options *o,
		   uint32_t kind)
{
	struct sbx_answer a = SBX_ANSWER_INIT;
	struct sbx_error e = { .code = 0 };
	struct sbx_ask ask = SBX_ASK_INIT;
	int rc;

	ask.kind = kind;
	ask.target = o->object;
	ask.reason = o->reason;
	ask.rights = o->rights;
	ask.lifetime_ms = o->budget[0];
	ask.max_uses = o->budget[1];
	ask.max_bytes_in = o->budget[2];
	ask.max_bytes_out = o->budget[3];
	ask.max_cost = o->budget[4];
	if (o->timeout_ms > 0)
		ask.deadline_ms = (uint64_t)o->timeout_ms;
	rc = sbx_client_request_answer(c, &ask, &a, o->timeout_ms, &e);
	if (rc < 0)
		return failed(rc, o->object, e.text);
	if (kind == SBX_ASK_DIRECTORY) {
		(void)printf("/grants/%s\n", a.grant.name);
		return flushed();
	}
	/* The channel is not the command's. */
	sbx_client_close(c);
	return ask_use(o, &a);
}

static int act(struct sbx_client *c, const struct ask_options *o)
{
	static const struct {
		const char *verb;
		int (*fn)(struct sbx_client *c, const struct ask_options *o);
	} acts[] = {
		{ "list", list },	{ "narrow", narrow },
		{ "release", release }, { "log", say_log },
		{ "ready", say_ready }, { "delegate", delegate },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(o->verb, kinds[i].verb) == 0)
			return request(c, o, kinds[i].kind);
	for (size_t i = 0; i < sizeof(acts) / sizeof(*acts); i++)
		if (strcmp(o->verb, acts[i].verb) == 0)
			return acts[i].fn(c, o);
	return ASK_USAGE;
}

int main(int argc, char **argv)
{
	static alignas(16) char storage[SBX_CLIENT_SIZE];
	struct sbx_error e = { .code = 0 };
	struct sbx_client *c = NULL;
	struct ask_options o;

	if (cli_stdfds_open() < 0)
		return ASK_REFUSED;
	if (!ask_options(&o, argc, argv))
		return ASK_USAGE;
	if (o.help || o.version) {
		(void)fputs(o.help ? ask_usage :
				     "sbx-ask (libsandbox) " SBX_VERSION "\n",
			    stdout);
		return flushed();
	}
	if (sbx_client_init(storage, sizeof(storage), -1, 0, &c, &e) < 0) {
		ask_say(NULL, e.text);
		return ASK_NO_BROKER;
	}
	return act(c, &o);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* askopt: the command line of sbx-ask. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "askopt.h"
#include "number.h"
#include "text.h"

const char ask_usage[] =
"Usage: sbx-ask [OPTION...] connect TARGET [-- COMMAND [ARGUMENT...]]\n"
"       sbx-ask [OPTION...] open PATH | data NAME [-- COMMAND...]\n"
"       sbx-ask [OPTION...] listen TARGET -- COMMAND...\n"
"       sbx-ask [OPTION...] directory PATH\n"
"       sbx-ask list | release NAME | log TEXT | ready [TEXT]\n"
"       sbx-ask [OPTION...] narrow NAME\n"
"       sbx-ask [OPTION...] delegate -- COMMAND...\n"
"Ask, from inside a task, for what it was not given.\n"
"\n"
"  --reason TEXT        why, for whoever decides\n"
"  --timeout DURATION   wait so long at most; no answer is a refusal\n"
"  --rights r|w|rw      of a file or connection\n"
"  --lifetime DURATION, --uses N, --bytes-in SIZE, --bytes-out SIZE, --cost N\n"
"                       as much is enough; for narrow: keep no more\n"
"  --fd N               the command's descriptor (its number is in SBX_ASK_FD)\n"
"  --stdio              the descriptor is the command's input and output\n"
"  --share NAME         delegate: a grant that the sub-task gets\n"
"  --env NAME=VALUE, --cwd DIR, --wall DURATION\n"
"                       delegate: of the sub-task\n"
"  --help, --version\n"
"\n"
"Without a command, what was granted is copied to standard output; a\n"
"connection gets standard input, too.\n"
"Exit status: the command's; 0 granted, 1 refused, 2 usage, 3 no broker.\n";

enum {
	O_REASON = 256,
	O_TIMEOUT,
	O_RIGHTS,
	O_LIFETIME,
	O_USES,
	O_BYTES_IN,
	O_BYTES_OUT,
	O_COST,
	O_FD,
	O_STDIO,
	O_SHARE,
	O_ENV,
	O_CWD,
	O_WALL,
	O_HELP,
	O_VERSION
};

static const struct option longs[] = {
	{ "reason", required_argument, NULL, O_REASON },
	{ "timeout", required_argument, NULL, O_TIMEOUT },
	{ "rights", required_argument, NULL, O_RIGHTS },
	{ "lifetime", required_argument, NULL, O_LIFETIME },
	{ "uses", required_argument, NULL, O_USES },
	{ "bytes-in", required_argument, NULL, O_BYTES_IN },
	{ "bytes-out", required_argument, NULL, O_BYTES_OUT },
	{ "cost", required_argument, NULL, O_COST },
	{ "fd", required_argument, NULL, O_FD },
	{ "stdio", no_argument, NULL, O_STDIO },
	{ "share", required_argument, NULL, O_SHARE },
	{ "env", required_argument, NULL, O_ENV },
	{ "cwd", required_argument, NULL, O_CWD },
	{ "wall", required_argument, NULL, O_WALL },
	{ "help", no_argument, NULL, O_HELP },
	{ "version", no_argument, NULL, O_VERSION },
	{ NULL, 0, NULL, 0 },
};

/* What each verb takes. */
static const struct verb {
	const char *name;
	int object;	/* 0 = none, 1 = one, 2 = if you like */
	int command;	/* the same */
} verbs[] = {
	{ "connect", 1, 2 }, { "open", 1, 2 },	  { "data", 1, 2 },
	{ "listen", 1, 1 },  { "directory", 1, 0 }, { "list", 0, 0 },
	{ "narrow", 1, 0 },  { "release", 1, 0 }, { "log", 1, 0 },
	{ "ready", 2, 0 },   { "delegate", 0, 1 },
};

void ask_say(const char *object, const char *text)
{
	(void)fputs(ASK_PROGRAM ": ", stderr);
	if (object && *object) {
		cli_text_print(stderr, object);
		(void)fputs(": ", stderr);
	}
	cli_text_print(stderr, text);
	(void)fputc('\n', stderr);
}

static bool bad(const char *object, const char *text)
{
	ask_say(object, text);
	return false;
}

static bool take_rights(struct ask_options *o, const char *text)
{
	if (strcmp(text, "r") == 0)
		o->rights = SBX_READ;
	else if (strcmp(text, "w") == 0)
		o->rights = SBX_WRITE;
	else if (strcmp(text, "rw") == 0)
		o->rights = SBX_READ | SBX_WRITE;
	else
		return bad(text, "is not r, w or rw");
	return true;
}

static bool count(const char *text, uint64_t max, uint64_t *ret)
{
	if (cli_parse_count(text, max, ret) < 0 || *ret == 0)
		return bad(text, "is no number from 1");
	return true;
}

static bool size(const char *text, uint64_t *ret)
{
	if (cli_parse_size(text, ret) < 0 || *ret == 0)
		return bad(text, "is no size such as 4096, 64K or 1M");
	return true;
}

static bool duration(const char *text, uint64_t *ret)
{
	if (cli_parse_duration(text, ret) < 0 || *ret == 0 || *ret > INT_MAX)
		return bad(text, "is no duration such as 500ms, 10s or 5m");
	return true;
}

static bool take_env(struct ask_options *o, const char *text)
{
	if (o->n_env >= ASK_ENV)
		return bad(text, "one variable too many");
	if (*text == '=' || !strchr(text, '='))
		return bad(text, "is not NAME=VALUE");
	o->env[o->n_env++] = text;
	return true;
}

static bool take_share(struct ask_options *o, const char *text)
{
	if (o->n_shares >= ASK_SHARES)
		return bad(text, "one share too many");
	o->share[o->n_shares++] = text;
	return true;
}

static bool take(struct ask_options *o, int option, const char *text)
{
	uint64_t n = 0;
	bool good = true;

	switch (option) {
	case O_REASON:
		o->reason = text;
		return true;
	case O_TIMEOUT:
		good = duration(text, &n);
		o->timeout_ms = (int)n;
		return good;
	case O_RIGHTS:
		return take_rights(o, text);
	case O_LIFETIME:
		return duration(text, &o->budget[0]);
	case O_USES:
		return count(text, UINT64_MAX - 1, &o->budget[1]);
	case O_BYTES_IN:
		return size(text, &o->budget[2]);
	case O_BYTES_OUT:
		return size(text, &o->budget[3]);
	case O_COST:
		return count(text, UINT64_MAX - 1, &o->budget[4]);
	case O_FD:
		if (cli_parse_count(text, INT_MAX, &n) < 0)
			return bad(text, "is no number of a descriptor");
		o->fd = (int)n;
		return true;
	case O_STDIO:
		o->stdio = true;
		return true;
	case O_SHARE:
		return take_share(o, text);
	case O_ENV:
		return take_env(o, text);
	case O_CWD:
		o->cwd = text;
		return true;
	case O_WALL:
		return duration(text, &o->wall_ms);
	case O_HELP:
		o->help = true;
		return true;
	case O_VERSION:
		o->version = true;
		return true;
	default:
		return bad(NULL, "wrong arguments - try 'sbx-ask --help'");
	}
}

static bool wants(int rule, bool is_there)
{
	return rule == 2 || (rule == 1) == is_there;
}

static bool fits(const struct ask_options *o)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
		if (strcmp(o->verb, verbs[i].name) != 0)
			continue;
		if (!wants(verbs[i].object, o->object != NULL) ||
		    !wants(verbs[i].command, o->command != NULL))
			return bad(o->verb,
				   "wrong arguments - try 'sbx-ask --help'");
		if (o->stdio && o->fd >= 0)
			return bad("--stdio", "does not go with --fd");
		return true;
	}
	return bad(o->verb, "is not known - try 'sbx-ask --help'");
}

/* The command is found first: its options are not ours. */
bool ask_options(struct ask_options *o, int argc, char **argv)
{
	int n = 1, c;

	*o = (struct ask_options){ .timeout_ms = -1, .fd = -1 };
	while (n < argc && strcmp(argv[n], "--") != 0)
		n++;
	if (n < argc - 1)
		o->command = argv + n + 1;
	opterr = 0;
	while ((c = getopt_long(n, argv, "", longs, NULL)) != -1)
		if (!take(o, c, optarg))
			return false;
	if (o->help || o->version)
		return true;
	if (optind >= n || n - optind > 2)
		return bad(NULL, "wrong arguments - try 'sbx-ask --help'");
	o->verb = argv[optind];
	o->object = optind + 1 < n ? argv[optind + 1] : NULL;
	return fits(o);
}

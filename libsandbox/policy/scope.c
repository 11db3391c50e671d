/* SPDX-License-Identifier: Apache-2.0 */
/* scope: what a rule matches and what a request asks for, parsed. */
#include "policy/scope.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sandbox/types.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "policy/paths.h"
#include "policy/policy.h"

#define HOST_BYTES 253		/* the longest domain name */
#define LABEL_BYTES 63
#define UNIX_BYTES 107		/* sun_path and its NUL */

#define RW (SBX_READ | SBX_WRITE)

static const struct {
	uint32_t kind;
	const char *name;
	uint32_t all, usual;
} kinds[] = {
	{ SBX_GRANT_CONNECT, "connect", RW, RW },
	{ SBX_GRANT_LISTEN, "listen", RW, RW },
	{ SBX_GRANT_FILE, "open", RW, SBX_READ },
	{ SBX_GRANT_DIRECTORY, "directory", RW | SBX_EXEC, SBX_READ },
	{ SBX_GRANT_DATA, "data", SBX_READ, SBX_READ },
	{ SBX_GRANT_TASK, "task", SBX_EXEC, SBX_EXEC },
};

uint32_t sbxi_scope_rights_all(uint32_t kind)
{
	for (size_t i = 0; i < SBXI_COUNT(kinds); i++)
		if (kinds[i].kind == kind)
			return kinds[i].all;
	return 0;
}

uint32_t sbxi_scope_rights_default(uint32_t kind)
{
	for (size_t i = 0; i < SBXI_COUNT(kinds); i++)
		if (kinds[i].kind == kind)
			return kinds[i].usual;
	return 0;
}

const char *sbxi_scope_kind_name(uint32_t kind)
{
	for (size_t i = 0; i < SBXI_COUNT(kinds); i++)
		if (kinds[i].kind == kind)
			return kinds[i].name;
	return NULL;
}

uint32_t sbxi_scope_kind_by_name(const char *name)
{
	for (size_t i = 0; i < SBXI_COUNT(kinds); i++)
		if (strcmp(kinds[i].name, name) == 0)
			return kinds[i].kind;
	return 0;
}

static int refuse(const char *why, const char **ret_why)
{
	*ret_why = why;
	return -EINVAL;
}

/* Ports */

/* 1 to 65535 at *at, which is moved beyond it; 0 = none there. */
static uint32_t take_port(const char **at)
{
	size_t len = strspn(*at, "0123456789");
	uint32_t port = 0;

	if (len == 0 || len > 5 || **at == '0')
		return 0;
	while (len-- > 0)
		port = port * 10 + (uint32_t)(*(*at)++ - '0');
	return port <= 65535 ? port : 0;
}

static int parse_ports(const char *text, bool pattern, struct sbxi_scope *t,
		       const char **ret_why)
{
	uint32_t low = take_port(&text);
	uint32_t high = low;

	if (low > 0 && pattern && *text == '-') {
		text++;
		high = take_port(&text);
	}
	if (low == 0 || high < low || *text != '\0')
		return refuse(pattern ?
			      "a port is 1 to 65535, a range of them is LOW-HIGH" :
			      "a port is 1 to 65535", ret_why);
	t->port_low = (uint16_t)low;
	t->port_high = (uint16_t)high;
	return 0;
}

/* Hosts */

static bool name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
	       c == '_';
}

/*
 * Resolvers read a last label of digits, or one with 0x in front, as a number
 * and the whole as an address: 127.1, 0x7f000001, 2130706433.
 */
static bool is_number(const char *label)
{
	size_t digits = strspn(label, "0123456789");

	return label[digits] == '\0' ||
	       (label[0] == '0' && (label[1] == 'x' || label[1] == 'X'));
}

/* Labels of a name in lower case; the last one is found on the way. */
static const char *bad_name(const char *name)
{
	const char *label = name;

	for (;;) {
		size_t len = strcspn(label, ".");

		if (len == 0 || len > LABEL_BYTES)
			return "between the dots of a name are 1 to 63 bytes";
		for (size_t i = 0; i < len; i++)
			if (!name_byte(label[i]))
				return "a host is a name of letters, digits, '-', '_' and dots (xn--... for others), or an address";
		if (label[0] == '-' || label[len - 1] == '-')
			return "no part of a name begins or ends with '-'";
		if (label[len] == '\0')
			break;
		label += len + 1;
	}
	if (is_number(label))
		return "this is neither a name nor an address in its usual form";
	return NULL;
}

/* Lower case, without the dot at the end: one spelling for one name. */
static int copy_name(const char *from, size_t len, char **ret,
		     const char **ret_why)
{
	AUTO_FREE char *name = NULL;
	const char *why;

	if (len > 0 && from[len - 1] == '.')
		len--;
	if (len == 0 || len > HOST_BYTES)
		return refuse("a host has 1 to 253 bytes", ret_why);
	name = malloc(len + 1);
	if (!name) {
		*ret_why = "out of memory";
		return -ENOMEM;
	}
	for (size_t i = 0; i < len; i++) {
		char c = from[i];

		name[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
	}
	name[len] = '\0';
	why = bad_name(name);
	if (why)
		return refuse(why, ret_why);
	*ret = name;
	name = NULL;
	return 0;
}

static int parse_name(const char *host, size_t len, bool pattern,
		      struct sbxi_scope *t, const char **ret_why)
{
	bool below = len > 2 && host[0] == '*' && host[1] == '.';
	int rc;

	if (host[0] == '*' && !pattern)
		return refuse("a request names one host, without '*'", ret_why);
	if (len == 1 && host[0] == '*') {
		t->form = SBXI_SCOPE_ANY_HOST;
		return 0;
	}
	t->form = below ? SBXI_SCOPE_BELOW : SBXI_SCOPE_HOST;
	rc = copy_name(host + 2 * below, len - 2 * below, &t->text, ret_why);
	if (rc == 0 && !below && strcmp(t->text, "localhost") == 0) {
		free(t->text);
		t->text = NULL;
		t->form = SBXI_SCOPE_LOCALHOST;
	}
	return rc;
}

static int parse_range(const char *host, size_t len, bool pattern,
		       struct sbxi_scope *t, const char **ret_why)
{
	char text[SBXI_RANGE_BYTES];

	if (len >= sizeof(text))
		return refuse("this is no address", ret_why);
	memcpy(text, host, len);
	text[len] = '\0';
	if (!pattern && strchr(text, '/'))
		return refuse("a request names one address", ret_why);
	t->form = SBXI_SCOPE_RANGE;
	return sbxi_range_parse(text, &t->range, ret_why);
}

/* Only digits, dots and a slash: an IPv4 address or range, never a name. */
static bool looks_v4(const char *host, size_t len)
{
	return len > 0 && strspn(host, "0123456789./") >= len;
}

static int parse_tcp(const char *text, bool pattern, struct sbxi_scope *t,
		     const char **ret_why)
{
	bool bracket = text[0] == '[';
	const char *host = text + bracket;
	size_t len = strcspn(host, bracket ? "]" : ":");
	const char *rest = host + len;
	int rc;

	if (bracket && *rest == ']')
		rest++;
	if (*rest != ':')
		return refuse("a host is followed by a colon and a port",
			      ret_why);
	if (strchr(rest + 1, ':'))
		return refuse("an IPv6 address is put in brackets", ret_why);
	if (bracket && !memchr(host, ':', len))
		return refuse("in brackets is an IPv6 address", ret_why);
	rc = parse_ports(rest + 1, pattern, t, ret_why);
	if (rc < 0)
		return rc;
	if (bracket || looks_v4(host, len))
		return parse_range(host, len, pattern, t, ret_why);
	return parse_name(host, len, pattern, t, ret_why);
}

/* Paths */

/* A slash at the end stands for all below, where that can be asked for. */
static int parse_path(const char *text, bool pattern, struct sbxi_scope *t,
		      const char **ret_why)
{
	size_t len = strlen(text);
	bool tree = len > 0 && text[len - 1] == '/';
	int rc;

	if (tree && !pattern && t->kind != SBX_GRANT_DIRECTORY)
		return refuse("a slash at the end is for directories", ret_why);
	rc = sbxi_path_clean(text, &t->text, ret_why);
	t->form = tree && pattern ? SBXI_SCOPE_TREE : SBXI_SCOPE_PATH;
	return rc;
}

static int parse_unix(const char *text, bool pattern, struct sbxi_scope *t,
		      const char **ret_why)
{
	int rc = parse_path(text, pattern, t, ret_why);

	if (rc < 0)
		return rc;
	if (strlen(t->text) > UNIX_BYTES)
		return refuse("the path of a socket is over 107 bytes",
			      ret_why);
	t->form = t->form == SBXI_SCOPE_TREE ? SBXI_SCOPE_SOCKETS :
						SBXI_SCOPE_SOCKET;
	return 0;
}

static int parse_socket(const char *text, bool pattern, struct sbxi_scope *t,
			const char **ret_why)
{
	if (strncmp(text, "tcp:", 4) == 0)
		return parse_tcp(text + 4, pattern, t, ret_why);
	if (strncmp(text, "unix:", 5) == 0)
		return parse_unix(text + 5, pattern, t, ret_why);
	return refuse("a target begins with \"tcp:\" or \"unix:\"", ret_why);
}

/* Names of data, with a '*' at the end in patterns. */
static int parse_item(const char *text, bool pattern, struct sbxi_scope *t,
		      const char **ret_why)
{
	size_t len = strlen(text);
	bool many = pattern && len > 0 && text[len - 1] == '*';
	char *copy = strndup(text, many ? len - 1 : len);

	t->text = copy;
	if (!copy) {
		*ret_why = "out of memory";
		return -ENOMEM;
	}
	t->form = many ? SBXI_SCOPE_ITEMS : SBXI_SCOPE_ITEM;
	if (!sbxi_grant_name_ok(copy) && !(many && copy[0] == '\0'))
		return refuse("a name has 1 to 64 of the letters A-Za-z0-9._-",
			      ret_why);
	return 0;
}

int sbxi_scope_parse(uint32_t kind, const char *text, bool pattern,
		      struct sbxi_scope *ret, const char **ret_why)
{
	struct sbxi_scope t = { .kind = kind };
	int rc;

	switch (kind) {
	case SBX_GRANT_CONNECT:
	case SBX_GRANT_LISTEN:
		rc = parse_socket(text, pattern, &t, ret_why);
		break;
	case SBX_GRANT_FILE:
	case SBX_GRANT_DIRECTORY:
	case SBX_GRANT_TASK:
		rc = parse_path(text, pattern, &t, ret_why);
		break;
	case SBX_GRANT_DATA:
		rc = parse_item(text, pattern, &t, ret_why);
		break;
	default:
		rc = refuse("there are no rules of this kind", ret_why);
		break;
	}
	if (rc < 0)
		sbxi_scope_done(&t);
	else
		*ret = t;
	return rc;
}

void sbxi_scope_done(struct sbxi_scope *target)
{
	free(target->text);
	target->text = NULL;
}

/* Print */

static void print_host(const struct sbxi_scope *t, struct sbxi_text *out)
{
	char range[SBXI_RANGE_BYTES];

	sbxi_text_add(out, "tcp:");
	if (t->form == SBXI_SCOPE_ANY_HOST)
		sbxi_text_add(out, "*");
	if (t->form == SBXI_SCOPE_BELOW)
		sbxi_text_add(out, "*.");
	if (t->form == SBXI_SCOPE_LOCALHOST)
		sbxi_text_add(out, "localhost");
	if (t->form == SBXI_SCOPE_RANGE) {
		sbxi_range_print(&t->range, range);
		sbxi_text_add(out, range);
	}
	if (t->text)
		sbxi_text_add(out, t->text);
	sbxi_text_add(out, ":");
	sbxi_text_number(out, t->port_low);
	if (t->port_high == t->port_low)
		return;
	sbxi_text_add(out, "-");
	sbxi_text_number(out, t->port_high);
}

void sbxi_scope_print(const struct sbxi_scope *target, char *buf,
		       size_t size)
{
	struct sbxi_text out = { .buf = buf, .size = size };

	buf[0] = '\0';
	if (target->form <= SBXI_SCOPE_RANGE) {
		print_host(target, &out);
		return;
	}
	if (target->form == SBXI_SCOPE_SOCKET ||
	    target->form == SBXI_SCOPE_SOCKETS)
		sbxi_text_add(&out, "unix:");
	for (const char *c = target->text; *c; c++)
		sbxi_text_char(&out, (unsigned char)*c < ' ' ||
			       (unsigned char)*c >= 0x7f ? '?' : *c);
	if (target->form == SBXI_SCOPE_ITEMS)
		sbxi_text_add(&out, "*");
	if ((target->form == SBXI_SCOPE_SOCKETS ||
	     target->form == SBXI_SCOPE_TREE) &&
	    strcmp(target->text, "/") != 0)
		sbxi_text_add(&out, "/");
}

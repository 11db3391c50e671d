/* SPDX-License-Identifier: Apache-2.0 */
/* scope: what a rule matches and what a request asks for, parsed. */
#ifndef SBXI_POLICY_SCOPE_H
#define SBXI_POLICY_SCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sandbox/grant.h>

#include "policy/address.h"

enum sbxi_scope_form {
	SBXI_SCOPE_ANY_HOST,	/* "tcp:*:443" */
	SBXI_SCOPE_BELOW,	/* "tcp:*.example.org:443", text "example.org" */
	SBXI_SCOPE_HOST,	/* "tcp:example.org:443", text in lower case */
	SBXI_SCOPE_LOCALHOST,	/* "tcp:localhost:80": 127.0.0.1 and ::1 too */
	SBXI_SCOPE_RANGE,	/* "tcp:10.0.0.0/8:5432", or one address */
	SBXI_SCOPE_SOCKET,	/* "unix:/run/x", text is the path */
	SBXI_SCOPE_SOCKETS,	/* "unix:/run/x/": that place and all below */
	SBXI_SCOPE_PATH,	/* "/srv/x" */
	SBXI_SCOPE_TREE,	/* "/srv/x/": that place and all below */
	SBXI_SCOPE_ITEM,	/* "config" */
	SBXI_SCOPE_ITEMS	/* "config-*", text is what comes before */
};

/* Zeros, or filled by sbxi_scope_parse(); the same for both sides. */
struct sbxi_scope {
	uint32_t kind;			/* SBX_GRANT_... */
	enum sbxi_scope_form form;
	uint16_t port_low, port_high;	/* of forms with a host */
	struct sbxi_range range;	/* of SBXI_SCOPE_RANGE */
	char *text;			/* as the form says, or NULL; owned */
};

/*
 * One parser for rules and for requests, so that both mean the same.
 *
 * kind: SBX_GRANT_CONNECT, _LISTEN, _FILE, _DIRECTORY, _DATA or _TASK.
 * pattern: may it stand for more than one thing, as in rules?
 * Returns 0 and a target for sbxi_scope_done(), or -EINVAL, -ENAMETOOLONG
 * or -ENOMEM and why; *ret is untouched then.
 */
int sbxi_scope_parse(uint32_t kind, const char *text, bool pattern,
		      struct sbxi_scope *ret, const char **ret_why);
void sbxi_scope_done(struct sbxi_scope *target);

/*
 * A target as it is written.  Cut to what fits, and without control
 * characters, since it may come from a task and end up on a terminal.
 */
void sbxi_scope_print(const struct sbxi_scope *target, char *buf,
		       size_t size);

/* The rights that a kind can have, and those of a request that names none. */
uint32_t sbxi_scope_rights_all(uint32_t kind);
uint32_t sbxi_scope_rights_default(uint32_t kind);

/* "connect", "open" and so on, as in policy files; NULL = unknown. */
const char *sbxi_scope_kind_name(uint32_t kind);
/* The kind of that name, or 0. */
uint32_t sbxi_scope_kind_by_name(const char *name);

#endif

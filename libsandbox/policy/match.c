/* SPDX-License-Identifier: Apache-2.0 */
/* match: which targets lie in which. */
#include "policy/match.h"

#include <string.h>

#include "policy/paths.h"

static const struct sbxi_range local_v4 = {
	{ .byte = { 127, 0, 0, 1 }, .v6 = false }, 32
};
static const struct sbxi_range local_v6 = {
	{ .byte = { [15] = 1 }, .v6 = true }, 128
};

static bool has_host(const struct sbxi_scope *t)
{
	return t->form <= SBXI_SCOPE_RANGE;
}

static bool is_path(const struct sbxi_scope *t)
{
	return t->form == SBXI_SCOPE_PATH || t->form == SBXI_SCOPE_TREE;
}

static bool is_socket(const struct sbxi_scope *t)
{
	return t->form == SBXI_SCOPE_SOCKET || t->form == SBXI_SCOPE_SOCKETS;
}

/* Is name one or more labels below top? */
static bool name_below(const char *top, const char *name)
{
	size_t n = strlen(name), t = strlen(top);

	return n > t + 1 && name[n - t - 1] == '.' &&
	       strcmp(name + n - t, top) == 0;
}

static bool below_covers(const char *top, const struct sbxi_scope *b)
{
	if (b->form != SBXI_SCOPE_HOST && b->form != SBXI_SCOPE_BELOW)
		return false;
	return name_below(top, b->text) ||
	       (b->form == SBXI_SCOPE_BELOW && strcmp(top, b->text) == 0);
}

static bool host_covers(const struct sbxi_scope *a,
			const struct sbxi_scope *b)
{
	if (a->form == SBXI_SCOPE_ANY_HOST)
		return true;
	if (a->form == SBXI_SCOPE_BELOW)
		return below_covers(a->text, b);
	if (a->form == SBXI_SCOPE_HOST)
		return b->form == SBXI_SCOPE_HOST &&
		       strcmp(a->text, b->text) == 0;
	if (a->form == SBXI_SCOPE_RANGE)
		return b->form == SBXI_SCOPE_RANGE &&
		       sbxi_range_within(&a->range, &b->range);
	return b->form == SBXI_SCOPE_LOCALHOST ||
	       (b->form == SBXI_SCOPE_RANGE &&
		(sbxi_range_within(&local_v4, &b->range) ||
		 sbxi_range_within(&local_v6, &b->range)));
}

static bool local_in_range(const struct sbxi_scope *a,
			   const struct sbxi_scope *b)
{
	return a->form == SBXI_SCOPE_LOCALHOST &&
	       b->form == SBXI_SCOPE_RANGE &&
	       (sbxi_range_within(&b->range, &local_v4) ||
		sbxi_range_within(&b->range, &local_v6));
}

/* All sets of hosts lie in each other or apart, but those of localhost. */
static bool hosts_meet(const struct sbxi_scope *a,
		       const struct sbxi_scope *b)
{
	return host_covers(a, b) || host_covers(b, a) ||
	       local_in_range(a, b) || local_in_range(b, a);
}

static bool ports_cover(const struct sbxi_scope *a,
			const struct sbxi_scope *b)
{
	return a->port_low <= b->port_low && b->port_high <= a->port_high;
}

static bool ports_meet(const struct sbxi_scope *a,
		       const struct sbxi_scope *b)
{
	return a->port_low <= b->port_high && b->port_low <= a->port_high;
}

static bool path_covers(const struct sbxi_scope *a,
			const struct sbxi_scope *b)
{
	bool many = b->form == SBXI_SCOPE_TREE ||
		    b->form == SBXI_SCOPE_SOCKETS;

	if (a->form == SBXI_SCOPE_TREE || a->form == SBXI_SCOPE_SOCKETS)
		return sbxi_path_within(a->text, b->text);
	return !many && strcmp(a->text, b->text) == 0;
}

static bool item_covers(const struct sbxi_scope *a,
			const struct sbxi_scope *b)
{
	if (a->form == SBXI_SCOPE_ITEMS)
		return strncmp(a->text, b->text, strlen(a->text)) == 0;
	return b->form == SBXI_SCOPE_ITEM && strcmp(a->text, b->text) == 0;
}

bool sbxi_match_covers(const struct sbxi_scope *a,
		       const struct sbxi_scope *b)
{
	if (has_host(a) || has_host(b))
		return has_host(a) && has_host(b) && ports_cover(a, b) &&
		       host_covers(a, b);
	if (is_socket(a) || is_socket(b))
		return is_socket(a) && is_socket(b) && path_covers(a, b);
	if (is_path(a) || is_path(b))
		return is_path(a) && is_path(b) && path_covers(a, b);
	return item_covers(a, b);
}

bool sbxi_match_meets(const struct sbxi_scope *a,
		      const struct sbxi_scope *b)
{
	if (has_host(a) && has_host(b))
		return ports_meet(a, b) && hosts_meet(a, b);
	return sbxi_match_covers(a, b) || sbxi_match_covers(b, a);
}

/* The special block that a target lies in; localhost has one of its own. */
static const void *special(const struct sbxi_scope *t)
{
	if (t->form == SBXI_SCOPE_LOCALHOST)
		return &local_v4;
	if (t->form == SBXI_SCOPE_RANGE)
		return sbxi_range_special(&t->range);
	return NULL;
}

bool sbxi_match_names(const struct sbxi_scope *a,
		      const struct sbxi_scope *b)
{
	if (!sbxi_match_covers(a, b))
		return false;
	return a->form == SBXI_SCOPE_LOCALHOST || special(a) == special(b);
}

static bool is_local(const struct sbxi_scope *t)
{
	return t->form == SBXI_SCOPE_LOCALHOST;
}

bool sbxi_match_both_name(const struct sbxi_scope *a,
			  const struct sbxi_scope *b)
{
	if (!sbxi_match_meets(a, b))
		return false;
	if (is_local(a) || is_local(b))
		return (is_local(a) || a->form == SBXI_SCOPE_RANGE) &&
		       (is_local(b) || b->form == SBXI_SCOPE_RANGE);
	return special(a) == special(b);
}

static bool is_name(const struct sbxi_scope *t)
{
	return t->form <= SBXI_SCOPE_HOST;
}

static bool is_address(const struct sbxi_scope *t)
{
	return t->form == SBXI_SCOPE_RANGE || t->form == SBXI_SCOPE_LOCALHOST;
}

bool sbxi_match_may_resolve(const struct sbxi_scope *a,
			    const struct sbxi_scope *b)
{
	return has_host(a) && has_host(b) && ports_meet(a, b) &&
	       ((is_name(a) && is_address(b)) ||
		(is_name(b) && is_address(a)));
}

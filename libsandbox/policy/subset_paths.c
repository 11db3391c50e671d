/* SPDX-License-Identifier: Apache-2.0 */
/* subset_paths: does one plan reach at most the files of another? */
#include "policy/subset.h"

#include <errno.h>
#include <string.h>

#include <sandbox/types.h>

#include "policy/paths.h"

/* One plan, at hand. */
struct side {
	const struct sbxi_plan *plan;
	const struct sbxi_plan_path *paths;
	size_t n;
};

static struct side side_of(const struct sbxi_plan *plan)
{
	return (struct side){ plan, sbxi_plan_paths(plan), plan->n_paths };
}

static const char *source_of(const struct side *s, size_t i)
{
	return sbxi_plan_string(s->plan, s->paths[i].source);
}

static const char *dest_of(const struct side *s, size_t i)
{
	return sbxi_plan_string(s->plan, s->paths[i].dest);
}

/*
 * The place of path below `from`, seen below `to`: /a/b/c below /a is
 * /x/b/c below /x.  False if that is too long to be a path.
 */
static bool moved(const char *path, const char *from, const char *to,
		  char out[SBXI_PATH_BYTES + 1])
{
	const char *rest = path + strlen(from);
	size_t n = strlen(to), r = strlen(rest);

	if (strcmp(from, "/") == 0)
		rest = path, r = strlen(path);
	if (strcmp(to, "/") == 0 && r > 0)
		n = 0;
	if (n + r > SBXI_PATH_BYTES)
		return false;
	memcpy(out, to, n);
	memcpy(out + n, rest, r + 1);
	return true;
}

/* The path that a place belongs to, or n. */
static size_t nearest(const struct side *s, const char *place)
{
	size_t found = s->n;

	for (size_t i = 0; i < s->n; i++)
		if (sbxi_path_within(dest_of(s, i), place) &&
		    (found == s->n ||
		     strlen(dest_of(s, i)) > strlen(dest_of(s, found))))
			found = i;
	return found;
}

static bool same_file(const struct sbxi_identity *a,
		      const struct sbxi_identity *b)
{
	return a->ino == b->ino && a->btime_ns == b->btime_ns &&
	       a->dev_major == b->dev_major && a->dev_minor == b->dev_minor &&
	       a->type == b->type;
}

static bool less_or_equal(const struct sbxi_plan_path *a,
			  const struct sbxi_plan_path *b)
{
	bool unprotected = (a->flags & SBXI_PATH_NO_PROTECT) &&
			   (a->rights & SBX_WRITE);

	return !(a->rights & ~b->rights) &&
	       !(unprotected && !(b->flags & SBXI_PATH_NO_PROTECT));
}

/* Does path q of the parent show what lies in p's tree at that place? */
static bool natural(const struct side *s, size_t p, size_t q)
{
	char place[SBXI_PATH_BYTES + 1];

	return moved(dest_of(s, q), dest_of(s, p), source_of(s, p), place) &&
	       strcmp(place, source_of(s, q)) == 0;
}

/*
 * What the parent has of its own below the place `top`: where the child's
 * path c goes through, it may not be more than that.
 */
static bool inside_fits(const struct side *child, size_t c,
			const struct side *parent, size_t p, const char *top)
{
	char place[SBXI_PATH_BYTES + 1];

	for (size_t q = 0; q < parent->n; q++) {
		const char *dest = dest_of(parent, q);

		if (strcmp(dest, top) == 0 || !sbxi_path_within(top, dest))
			continue;
		if (!moved(dest, top, dest_of(child, c), place))
			return false;
		if (nearest(child, place) != c)
			continue;
		if (!natural(parent, p, q) ||
		    !less_or_equal(&child->paths[c], &parent->paths[q]))
			return false;
	}
	return true;
}

/* Does the parent's path p give all that the child's path c does? */
static bool gives(const struct side *child, size_t c,
		  const struct side *parent, size_t p)
{
	const char *source = source_of(child, c);
	char place[SBXI_PATH_BYTES + 1];

	if (!sbxi_path_within(source_of(parent, p), source) ||
	    !less_or_equal(&child->paths[c], &parent->paths[p]))
		return false;
	if (strcmp(source_of(parent, p), source) == 0 &&
	    !same_file(&child->paths[c].id, &parent->paths[p].id))
		return false;
	return moved(source, source_of(parent, p), dest_of(parent, p),
		     place) &&
	       nearest(parent, place) == p &&
	       inside_fits(child, c, parent, p, place);
}

int sbxi_subset_paths(const struct sbxi_plan *child,
		      const struct sbxi_plan *parent, struct sbxi_fail *fail)
{
	struct side c = side_of(child), p = side_of(parent);

	for (size_t i = 0; i < c.n; i++) {
		size_t k = 0;

		while (k < p.n && !gives(&c, i, &p, k))
			k++;
		if (k == p.n)
			return sbxi_fail(fail, SBX_STEP_COMPILE, -EPERM,
					 source_of(&c, i),
					 "the parent does not reach this file, or not with these rights everywhere in it");
	}
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* compile: find the files that a policy names, put them in order, freeze. */
#include "policy/policy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "policy/flat.h"
#include "policy/paths.h"
#include "policy/resolve.h"

#define NOBODY SIZE_MAX

/* A path of the policy; number = its place there, later ones win. */
struct named {
	const struct sbxi_policy_path *path;
	size_t number;
};

/* A path that was found. */
struct item {
	const struct sbxi_policy_path *path;
	const struct sbxi_resolved *file;
	const char *dest;
	size_t number;
	uint32_t rights;
	uint32_t flags;		/* SBXI_PATH_... */
	uint32_t above;		/* rights of all items that it lies in */
	size_t up;		/* the nearest of them, or NOBODY */
};

struct work {
	struct sbxi_resolved *files;	/* what items and links point into */
	size_t n_files;
	struct item *items;
	size_t n_items;
	struct sbxi_flat flat;
	struct sbxi_fail *fail;
};

static void work_done(struct work *w)
{
	for (size_t i = 0; i < w->n_files; i++)
		sbxi_resolved_done(&w->files[i]);
	free(w->files);
	free(w->items);
	free(w->flat.paths);
	free(w->flat.links);
}

static int no_memory(struct work *w)
{
	return sbxi_fail(w->fail, SBX_STEP_COMPILE, -ENOMEM, "policy", NULL);
}

static int by_number(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

/* A path that was written twice counts as it was written last. */

static int same_spelling(const struct sbxi_policy_path *a,
			 const struct sbxi_policy_path *b)
{
	int rc = strcmp(a->source, b->source);

	if (rc)
		return rc;
	if (!a->dest || !b->dest)
		return (a->dest != NULL) - (b->dest != NULL);
	return strcmp(a->dest, b->dest);
}

static int by_spelling(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int rc = same_spelling(x->path, y->path);

	return rc ? rc : by_number(x->number, y->number);
}

static int named_by_number(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return by_number(x->number, y->number);
}

static size_t drop_replaced(struct named *names, size_t n)
{
	size_t kept = 0;

	qsort(names, n, sizeof(*names), by_spelling);
	for (size_t i = 0; i < n; i++)
		if (i + 1 == n ||
		    same_spelling(names[i].path, names[i + 1].path) != 0)
			names[kept++] = names[i];
	qsort(names, kept, sizeof(*names), named_by_number);
	return kept;
}

/* Find the files. */

static bool may_be_missing(const struct sbxi_policy_path *path, int code)
{
	if (code == -EMFILE || code == -ENFILE || code == -ENOMEM)
		return false;
	if (path->system)
		return true;
	return (path->flags & SBX_PATH_OPTIONAL) &&
	       (code == -ENOENT || code == -ENOTDIR);
}

static int find_one(struct work *w, const struct named *name)
{
	const struct sbxi_policy_path *path = name->path;
	struct sbxi_resolved *file = &w->files[w->n_files];
	struct item *item = &w->items[w->n_items];
	struct sbxi_fail fail;
	int rc = sbxi_resolve(path->source, file, &fail);

	if (rc < 0) {
		if (may_be_missing(path, rc))
			return 0;
		*w->fail = fail;
		return rc;
	}
	w->n_files++;
	w->n_items++;
	*item = (struct item){
		.path = path,
		.file = file,
		.dest = path->dest ? path->dest : file->real,
		.number = name->number,
		.rights = path->rights,
		.up = NOBODY,
	};
	if (path->system)
		item->flags |= SBXI_PATH_SYSTEM;
	if (path->flags & SBX_PATH_NO_PROTECT)
		item->flags |= SBXI_PATH_NO_PROTECT;
	if (strcmp(item->dest, file->real) != 0)
		item->flags |= SBXI_PATH_ELSEWHERE;
	return 0;
}

static int find_all(struct work *w, const struct sbx_policy *p)
{
	AUTO_FREE struct named *names = NULL;
	size_t n = p->n_paths;

	if (n == 0)
		return 0;
	names = calloc(n, sizeof(*names));
	w->files = calloc(n, sizeof(*w->files));
	w->items = calloc(n, sizeof(*w->items));
	if (!names || !w->files || !w->items)
		return no_memory(w);
	for (size_t i = 0; i < n; i++)
		names[i] = (struct named){ &p->paths[i], i };
	n = drop_replaced(names, n);
	for (size_t i = 0; i < n; i++) {
		int rc = find_one(w, &names[i]);

		if (rc < 0)
			return rc;
	}
	return 0;
}

/*
 * Note every link that was met, before any path is dropped: a path that adds
 * nothing may still be another spelling of one that does.
 */
static int note_links(struct work *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n_items; i++)
		n += w->items[i].file->n_links;
	if (n == 0)
		return 0;
	w->flat.links = calloc(n, sizeof(*w->flat.links));
	if (!w->flat.links)
		return no_memory(w);
	for (size_t i = 0; i < w->n_items; i++) {
		const struct sbxi_resolved *file = w->items[i].file;

		/* A chosen place is used literally. */
		if (w->items[i].path->dest)
			continue;
		for (size_t k = 0; k < file->n_links; k++)
			w->flat.links[w->flat.n_links++] =
				(struct sbxi_flat_link){
					file->links[k].path,
					file->links[k].text,
				};
	}
	return 0;
}

/* One item a place: later ones win, a profile's own spellings add up. */

static int by_dest(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int rc = sbxi_path_order(x->dest, y->dest);

	return rc ? rc : by_number(x->number, y->number);
}

static void merge_places(struct work *w)
{
	size_t kept = 0;

	if (w->n_items > 0)
		qsort(w->items, w->n_items, sizeof(*w->items), by_dest);
	for (size_t i = 0; i < w->n_items; i++) {
		struct item *item = &w->items[i];
		struct item *next = item + 1;

		if (i + 1 == w->n_items ||
		    strcmp(item->dest, next->dest) != 0)
			w->items[kept++] = *item;
		else if (item->flags & next->flags & SBXI_PATH_SYSTEM)
			next->rights |= item->rights;
	}
	w->n_items = kept;
}

/* Nested items. */

/* The nearest of the first n items that path is or lies in, or NOBODY. */
static size_t nearest(const struct item *items, size_t n, const char *path)
{
	size_t i = n ? n - 1 : NOBODY;

	while (i != NOBODY && !sbxi_path_within(items[i].dest, path))
		i = items[i].up;
	return i;
}

static bool adds_nothing(const struct item *item, const struct item *up)
{
	uint32_t both = item->flags | up->flags;

	/* Who puts a tree at /etc has said what is in /etc. */
	if ((item->flags & SBXI_PATH_SYSTEM) &&
	    (up->flags & SBXI_PATH_ELSEWHERE))
		return true;
	if (both & SBXI_PATH_ELSEWHERE)
		return false;
	if (item->flags & SBXI_PATH_SYSTEM)
		return (item->rights & ~up->rights) == 0;
	/* Of one class and kind: id-mapped or not, protected or not. */
	return item->rights == up->rights &&
	       !((item->flags ^ up->flags) &
		 (SBXI_PATH_SYSTEM | SBXI_PATH_NO_PROTECT));
}

/*
 * A profile takes nothing away from what the policy grants: below a path of
 * the policy, the profile's rights come on top.
 */
static void add_to_explicit(struct item *item, const struct item *up)
{
	if (!(item->flags & SBXI_PATH_SYSTEM) ||
	    (up->flags & SBXI_PATH_SYSTEM))
		return;
	item->rights |= up->rights;
	item->flags = up->flags & SBXI_PATH_NO_PROTECT;
}

static int nest_all(struct work *w)
{
	size_t kept = 0;

	for (size_t i = 0; i < w->n_items; i++) {
		struct item *item = &w->items[i];
		const struct item *up;

		item->up = nearest(w->items, kept, item->dest);
		if (item->up != NOBODY) {
			up = &w->items[item->up];
			if (adds_nothing(item, up))
				continue;
			if (up->file->id.type != S_IFDIR)
				return sbxi_fail(w->fail, SBX_STEP_COMPILE,
						 -EINVAL, item->dest,
						 "is below %.120s, which is no directory",
						 up->dest);
			add_to_explicit(item, up);
			item->above = up->above | up->rights;
			if (item->above & ~item->rights)
				item->flags |= SBXI_PATH_NARROWER;
		}
		w->items[kept++] = *item;
	}
	w->n_items = kept;
	return 0;
}

/* Links that have to be made inside. */

static int by_link_path(const void *a, const void *b)
{
	const struct sbxi_flat_link *x = a, *y = b;

	return sbxi_path_order(x->path, y->path);
}

/* How many items come before path or at it. */
static size_t up_to(const struct work *w, const char *path)
{
	size_t low = 0, high = w->n_items;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (sbxi_path_order(w->items[mid].dest, path) <= 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* A link in a granted tree is there by itself, and no place is a link too. */
static int pick_links(struct work *w)
{
	struct sbxi_flat *flat = &w->flat;
	size_t kept = 0;

	if (flat->n_links > 0)
		qsort(flat->links, flat->n_links, sizeof(*flat->links),
		      by_link_path);
	for (size_t i = 0; i < flat->n_links; i++) {
		struct sbxi_flat_link *link = &flat->links[i];
		size_t n = up_to(w, link->path);

		if (kept > 0 &&
		    strcmp(flat->links[kept - 1].path, link->path) == 0)
			continue;
		if (nearest(w->items, n, link->path) != NOBODY)
			continue;
		if (n < w->n_items &&
		    sbxi_path_within(link->path, w->items[n].dest))
			return sbxi_fail(w->fail, SBX_STEP_COMPILE, -EINVAL,
					 w->items[n].dest,
					 "is below %.120s, which is a link to %.60s: name the place behind it",
					 link->path, link->text);
		flat->links[kept++] = *link;
	}
	flat->n_links = kept;
	return 0;
}

static int fill_paths(struct work *w)
{
	struct sbxi_flat *flat = &w->flat;

	if (w->n_items == 0)
		return 0;
	flat->paths = calloc(w->n_items, sizeof(*flat->paths));
	if (!flat->paths)
		return no_memory(w);
	for (size_t i = 0; i < w->n_items; i++)
		flat->paths[i] = (struct sbxi_flat_path){
			.source = w->items[i].file->real,
			.dest = w->items[i].dest,
			.id = w->items[i].file->id,
			.rights = w->items[i].rights,
			.flags = w->items[i].flags,
		};
	flat->n_paths = w->n_items;
	return 0;
}

int sbxi_policy_plan(const struct sbx_policy *policy,
		     struct sbxi_plan **ret_plan, struct sbxi_fail *fail)
{
	struct work w = { .fail = fail };
	int rc = find_all(&w, policy);

	if (rc == 0)
		rc = note_links(&w);
	if (rc == 0) {
		merge_places(&w);
		rc = nest_all(&w);
	}
	if (rc == 0)
		rc = pick_links(&w);
	if (rc == 0)
		rc = fill_paths(&w);
	if (rc == 0)
		rc = sbxi_flat_build(policy, &w.flat, ret_plan, fail);
	work_done(&w);
	return rc;
}

int sbxi_policy_compile(struct sbx_policy *policy, struct sbxi_fail *fail)
{
	AUTO_FREE struct sbxi_plan *plan = NULL;
	int rc;

	if (atomic_load(&policy->frozen))
		return 0;
	rc = sbxi_policy_plan(policy, &plan, fail);
	if (rc == 0)
		rc = sbxi_mandate_find(&policy->mandate, fail);
	if (rc == 0)
		rc = sbxi_mandate_check(policy, plan, fail);
	if (rc < 0)
		return rc;
	policy->plan = plan;
	plan = NULL;
	atomic_store(&policy->frozen, true);
	return 0;
}

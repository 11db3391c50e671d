/* SPDX-License-Identifier: Apache-2.0 */
/* lend: trees of a root harness, lent to the task's own host id. */
#include "init/lend.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/kconst.h"
#include "init/jail.h"
#include "init/paths.h"
#include "kernel/mount.h"
#include "kernel/source.h"

/* Room for a descriptor a path; the helper has no heap. */
static int *new_table(size_t n)
{
	int *table = mmap(NULL, n * sizeof(int) + 1, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (table == MAP_FAILED)
		return NULL;
	for (size_t i = 0; i < n; i++)
		table[i] = -1;
	return table;
}

static int lend_one(const struct sbxi_plan *plan,
		    const struct sbxi_plan_path *path)
{
	AUTO_FD source = sbxi_source_open(sbxi_plan_string(plan, path->source),
					  &path->id);
	AUTO_FD tree = -1;
	int rc;

	if (source < 0)
		return source;
	tree = sbxi_mount_clone(source);
	if (tree < 0)
		return tree;
	rc = sbxi_mount_attributes(tree, SBXI_MOUNT_ATTR_IDMAP, 1,
				   SBXI_FD_IDMAP);
	return rc < 0 ? rc : sbxi_steal_fd(&tree);
}

static void drop_table(int *table, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (table[i] >= 0)
			close(table[i]);
}

/* Devices keep their owner: lending one would change who may open it. */
static bool is_lent(const struct sbxi_plan_path *path)
{
	return !(path->flags & SBXI_PATH_SYSTEM) &&
	       !S_ISCHR(path->id.type) && !S_ISBLK(path->id.type);
}

bool sbxi_lend_trees(struct sbxi_jail *jail)
{
	const struct sbxi_plan *plan = jail->plan;
	const struct sbxi_plan_path *path = sbxi_plan_paths(plan);
	int *table;

	if (!(plan->flags & SBXI_PLAN_TASK_ID) ||
	    fcntl(SBXI_FD_IDMAP, F_GETFD) < 0)
		return false;
	table = new_table(plan->n_paths);
	if (!table)
		sbxi_check(jail, -ENOMEM, "id-mapped trees");
	for (size_t i = 0; i < plan->n_paths; i++) {
		if (!is_lent(&path[i]))
			continue;
		table[i] = lend_one(plan, &path[i]);
		if (table[i] == -ESTALE || table[i] == -ENOENT)
			sbxi_source_die(jail, table[i], &path[i]);
		if (table[i] == -EMFILE || table[i] == -ENFILE)
			sbxi_check(jail, table[i],
				   sbxi_plan_string(plan, path[i].source));
		if (table[i] < 0) {
			drop_table(table, plan->n_paths);
			close(SBXI_FD_IDMAP);
			return false;
		}
	}
	close(SBXI_FD_IDMAP);
	jail->tree = table;
	return true;
}

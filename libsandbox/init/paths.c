/* SPDX-License-Identifier: Apache-2.0 */
/* paths: granted paths, as Landlock rules and (tier A) as mounts. */
#include "init/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/errors.h"
#include "base/kconst.h"
#include "init/jail.h"
#include "init/tree.h"
#include "kernel/landlock.h"
#include "kernel/mount.h"
#include "kernel/source.h"

static bool is_device(uint32_t type)
{
	return S_ISCHR(type) || S_ISBLK(type);
}

/* Devices and folders of devices take ioctls, which a rule must name. */
static bool takes_ioctls(uint32_t type, const char *path)
{
	return is_device(type) || !strncmp(path, "/dev/", 5) ||
	       !strncmp(path, "dev/", 4);
}

void sbxi_ruleset_make(struct sbxi_jail *jail, unsigned int what)
{
	jail->facts.landlock_abi = sbxi_landlock_abi();
	if (jail->facts.landlock_abi == 0)
		return;
	jail->ruleset = sbxi_landlock_create(jail->facts.landlock_abi, what);
	sbxi_check(jail, jail->ruleset, "landlock_create_ruleset");
	jail->outer = sbxi_landlock_create(jail->facts.landlock_abi,
					   SBXI_LANDLOCK_SCOPES);
	sbxi_check(jail, jail->outer, "landlock_create_ruleset");
}

int sbxi_paths_allow_access(struct sbxi_jail *jail, int fd,
			    unsigned long access)
{
	int rc = sbxi_landlock_allow(jail->ruleset, fd, access);

	return rc < 0 ? rc : sbxi_landlock_allow(jail->outer, fd, access);
}

static int allow(struct sbxi_jail *jail, int fd, uint32_t type,
		 uint32_t rights, const char *path)
{
	if (jail->ruleset < 0)
		return 0;
	return sbxi_paths_allow_access(
		jail, fd,
		sbxi_landlock_access(rights, S_ISDIR(type),
				     takes_ioctls(type, path),
				     jail->facts.landlock_abi));
}

static uint64_t attributes(const struct sbxi_plan_path *path)
{
	uint64_t attr = SBXI_MOUNT_ATTR_NOSUID;

	if (!is_device(path->id.type))
		attr |= SBXI_MOUNT_ATTR_NODEV;
	/* A device is written on a read-only mount too, its node is not. */
	if (!(path->rights & SBX_WRITE) || is_device(path->id.type))
		attr |= SBXI_MOUNT_ATTR_RDONLY;
	if (!(path->rights & SBX_EXEC))
		attr |= SBXI_MOUNT_ATTR_NOEXEC;
	return attr;
}

void sbxi_source_die(struct sbxi_jail *jail, int rc,
		     const struct sbxi_plan_path *path)
{
	const char *source = sbxi_plan_string(jail->plan, path->source);

	jail->step = SBX_STEP_MOUNTS;
	if (rc == -ESTALE)
		sbxi_die(jail, rc, SBXI_REMEDY_RECOMPILE, source,
			 "another file is there than when the policy was compiled");
	sbxi_die(jail, rc, rc == -ENOENT ? SBXI_REMEDY_GRANT_PATH : 0, source,
		 "");
}

/* The tree to attach: lent by the host side already, or opened by path. */
static int take_tree(struct sbxi_jail *jail, size_t i, int *ret_tree)
{
	const struct sbxi_plan_path *path = &sbxi_plan_paths(jail->plan)[i];
	const char *source = sbxi_plan_string(jail->plan, path->source);
	AUTO_FD fd = -1;

	if (jail->tree && jail->tree[i] >= 0) {
		*ret_tree = jail->tree[i];
		return allow(jail, *ret_tree, path->id.type, path->rights,
			     source);
	}
	fd = sbxi_source_open(source, &path->id);
	if (fd < 0)
		sbxi_source_die(jail, fd, path);
	*ret_tree = sbxi_mount_clone(fd);
	if (*ret_tree < 0)
		return *ret_tree;
	return allow(jail, fd, path->id.type, path->rights, source);
}

static bool is_below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	return !strncmp(path, folder, n) && path[n] == '/';
}

/* Paths are sorted: what lies above comes before. */
static bool is_below_writable(const struct sbxi_plan *plan, size_t i)
{
	const struct sbxi_plan_path *path = sbxi_plan_paths(plan);
	const char *dest = sbxi_plan_string(plan, path[i].dest);

	for (size_t k = 0; k < i; k++)
		if ((path[k].rights & SBX_WRITE) &&
		    is_below(dest, sbxi_plan_string(plan, path[k].dest)))
			return true;
	return false;
}

static void attach_one(struct sbxi_jail *jail, size_t i)
{
	const struct sbxi_plan_path *path = &sbxi_plan_paths(jail->plan)[i];
	const char *dest = sbxi_plan_string(jail->plan, path->dest);
	AUTO_FD tree = -1;
	int rc;

	if ((path->flags & SBXI_PATH_NARROWER) &&
	    is_below_writable(jail->plan, i))
		sbxi_check(jail, sbxi_tree_pin(jail->root, dest), dest);
	sbxi_check(jail, take_tree(jail, i, &tree), dest);
	sbxi_check(jail, sbxi_mount_attributes(tree, attributes(path), 1, 0),
		   dest);
	rc = sbxi_tree_attach(jail->root, dest, tree, S_ISDIR(path->id.type));
	if (rc == -ENOENT)
		sbxi_die(jail, -EINVAL, 0, dest,
			 "there is nothing at that place to mount it on");
	sbxi_check(jail, rc, dest);
}

void sbxi_paths_attach(struct sbxi_jail *jail)
{
	const struct sbxi_plan_link *link = sbxi_plan_links(jail->plan);

	for (size_t i = 0; i < jail->plan->n_paths; i++)
		attach_one(jail, i);
	for (size_t i = 0; i < jail->plan->n_links; i++) {
		const char *at = sbxi_plan_string(jail->plan, link[i].path);
		int rc = sbxi_tree_link(
			jail->root, at,
			sbxi_plan_string(jail->plan, link[i].text));

		/* A file of ours or a folder on the way is there already. */
		if (rc < 0 && rc != -EEXIST)
			sbxi_check(jail, rc, at);
	}
}

static void allow_one(struct sbxi_jail *jail,
		      const struct sbxi_plan_path *path)
{
	const char *source = sbxi_plan_string(jail->plan, path->source);
	AUTO_FD fd = -1;

	if (path->flags & SBXI_PATH_ELSEWHERE)
		sbxi_die(jail, -EPERM, SBXI_REMEDY_USERNS_SYSCTL,
			 sbxi_plan_string(jail->plan, path->dest),
			 "files: another place needs a mount namespace");
	if (path->flags & SBXI_PATH_NARROWER)
		sbxi_die(jail, -EPERM, SBXI_REMEDY_USERNS_SYSCTL, source,
			 "files: fewer rights than the folder above need a mount namespace");
	fd = sbxi_source_open(source, &path->id);
	if (fd < 0)
		sbxi_source_die(jail, fd, path);
	sbxi_check(jail,
		   allow(jail, fd, path->id.type, path->rights, source),
		   source);
}

void sbxi_paths_allow(struct sbxi_jail *jail)
{
	const struct sbxi_plan_path *path = sbxi_plan_paths(jail->plan);

	for (size_t i = 0; i < jail->plan->n_paths; i++)
		allow_one(jail, &path[i]);
}

void sbxi_paths_allow_tree(struct sbxi_jail *jail, int fd, unsigned int type,
			   const char *path, unsigned int rights)
{
	sbxi_check(jail, allow(jail, fd, type, rights, path), path);
}

int sbxi_paths_allow_own(struct sbxi_jail *jail, int dir, const char *path,
			 unsigned int rights)
{
	AUTO_FD fd = openat(dir, path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	return allow(jail, fd, st.st_mode & S_IFMT, rights, path);
}

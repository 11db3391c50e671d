/* SPDX-License-Identifier: Apache-2.0 */
/* dev: a private /dev with the nodes that every program counts on. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/kconst.h"
#include "base/text.h"
#include "init/jail.h"
#include "init/paths.h"
#include "init/tree.h"
#include "kernel/mount.h"

static const char *const nodes[] = {
	"null", "zero", "full", "random", "urandom", "tty",
};

static const struct {
	const char *path, *text;
} links[] = {
	{ "/dev/fd", "/proc/self/fd" },	 { "/dev/stdin", "/proc/self/fd/0" },
	{ "/dev/stdout", "/proc/self/fd/1" },
	{ "/dev/stderr", "/proc/self/fd/2" }, { "/dev/ptmx", "pts/ptmx" },
};

static int add_node(struct sbxi_jail *jail, int host_dev, const char *name)
{
	char path[32];
	struct sbxi_text t = SBXI_TEXT(path);
	AUTO_FD source = openat(host_dev, name,
				O_PATH | O_NOFOLLOW | O_CLOEXEC);
	AUTO_FD target = -1;
	AUTO_FD tree = -1;
	int rc;

	if (source < 0)
		return -errno;
	sbxi_text_add(&t, "/dev/");
	sbxi_text_add(&t, name);
	target = sbxi_tree_mountpoint(jail->root, path, false);
	tree = sbxi_mount_clone(source);
	if (target < 0 || tree < 0)
		return target < 0 ? target : tree;
	rc = sbxi_mount_attributes(tree,
				   SBXI_MOUNT_ATTR_NOSUID |
					   SBXI_MOUNT_ATTR_NOEXEC,
				   0, 0);
	if (rc == 0)
		rc = sbxi_mount_attach(tree, target);
	return rc < 0 ? rc
		      : sbxi_paths_allow_own(jail, jail->root, path + 1,
					     SBX_READ | SBX_WRITE);
}

static int add_pts(struct sbxi_jail *jail)
{
	const struct sbxi_mount_option options[] = {
		{ "newinstance", NULL },
		{ "ptmxmode", "0666" },
		{ "mode", "0620" },
		{ NULL, NULL },
	};
	AUTO_FD target = sbxi_tree_mountpoint(jail->root, "/dev/pts", true);
	AUTO_FD pts = -1;
	int rc;

	if (target < 0)
		return target;
	pts = sbxi_mount_new("devpts", options, SBXI_MOUNT_ATTR_NOEXEC);
	if (pts < 0)
		return pts;
	rc = sbxi_mount_attach(pts, target);
	if (rc < 0)
		return rc;
	/* Terminals take ioctls, which a rule on a folder must name. */
	return sbxi_paths_allow_own(jail, jail->root, "dev/pts",
				    SBX_READ | SBX_WRITE);
}

void sbxi_dev_mount(struct sbxi_jail *jail)
{
	AUTO_FD host = open("/dev", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (host < 0)
		sbxi_check(jail, -errno, "/dev");
	for (size_t i = 0; i < SBXI_COUNT(nodes); i++)
		sbxi_check(jail, add_node(jail, host, nodes[i]), nodes[i]);
	sbxi_check(jail, add_pts(jail), "/dev/pts");
	for (size_t i = 0; i < SBXI_COUNT(links); i++)
		sbxi_check(jail,
			   sbxi_tree_link(jail->root, links[i].path,
					  links[i].text),
			   links[i].path);
}

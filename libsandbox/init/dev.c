/* SPDX-License-Identifier: Apache-2.0 */
/* dev: a private /dev with the nodes that every program counts on. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/kconst.h"
#include "base/text.h"
#include "init/jail.h"
#include "init/paths.h"
#include "kernel/mount.h"

static const char *const nodes[] = {
	"null", "zero", "full", "random", "urandom", "tty",
};

static const struct {
	const char *path, *text;
} links[] = {
	{ "dev/fd", "/proc/self/fd" },
	{ "dev/stdin", "/proc/self/fd/0" },
	{ "dev/stdout", "/proc/self/fd/1" },
	{ "dev/stderr", "/proc/self/fd/2" },
	{ "dev/ptmx", "pts/ptmx" },
};

static int add_node(struct sbxi_jail *jail, int host_dev, const char *name)
{
	char path[32];
	struct sbxi_text t = SBXI_TEXT(path);
	AUTO_FD tree = sbxi_mount_clone_at(host_dev, name);
	int rc;

	if (tree < 0)
		return tree;
	sbxi_text_add(&t, "dev/");
	sbxi_text_add(&t, name);
	if (mknodat(jail->root, path, S_IFREG | 0644, 0) < 0)
		return -errno;
	/* Read-only keeps the node as it is; the device is written all the same. */
	rc = sbxi_mount_attributes(tree,
				   SBXI_MOUNT_ATTR_RDONLY |
					   SBXI_MOUNT_ATTR_NOSUID |
					   SBXI_MOUNT_ATTR_NOEXEC,
				   0, 0);
	if (rc == 0)
		rc = sbxi_mount_attach_at(tree, jail->root, path);
	if (rc == 0)
		sbxi_paths_allow_tree(jail, tree, S_IFCHR, path,
				      SBX_READ | SBX_WRITE);
	return rc;
}

/* Terminals take ioctls, which a rule on a folder must name. */
static int add_pts(struct sbxi_jail *jail)
{
	const struct sbxi_mount_option options[] = {
		{ "newinstance", NULL },
		{ "ptmxmode", "0666" },
		{ "mode", "0620" },
		{ NULL, NULL },
	};
	AUTO_FD pts = sbxi_mount_new("devpts", options,
				     SBXI_MOUNT_ATTR_NOEXEC);
	int rc;

	if (pts < 0)
		return pts;
	rc = sbxi_mount_attach_at(pts, jail->root, "dev/pts");
	if (rc == 0)
		sbxi_paths_allow_tree(jail, pts, S_IFDIR, "dev/pts",
				      SBX_READ | SBX_WRITE);
	return rc;
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
		if (symlinkat(links[i].text, jail->root, links[i].path) < 0)
			sbxi_check(jail, -errno, links[i].path);
}

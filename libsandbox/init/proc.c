/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proc: a /proc of the jail's own pid namespace.
 *
 * Not subset=pid, since tools read meminfo, cpuinfo and stat.  What tells of
 * the host's devices, keys or addresses is covered, and /proc/sys is
 * read-only; the task lives in a second user namespace, which cannot unmount
 * a cover.  hidepid hides pid 1.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/kconst.h"
#include "init/jail.h"
#include "init/paths.h"
#include "init/tree.h"
#include "kernel/mount.h"

/* Anybody may read these. */
static const char *const covered_files[] = {
	"cmdline", "diskstats", "interrupts", "key-users", "keys",
	"locks",   "modules",	"partitions", "schedstat",
};

/* Only root may, so they are covered where the task has root's host id. */
static const char *const covered_for_root[] = {
	"buddyinfo",	 "config.gz",	  "iomem",	"ioports",
	"kallsyms",	 "kcore",	  "kmsg",	"kpagecgroup",
	"kpagecount",	 "kpageflags",	  "latency_stats", "mtrr",
	"pagetypeinfo",	 "sched_debug",	  "slabinfo",	"softirqs",
	"sysrq-trigger", "timer_list",	  "timer_stats", "vmallocinfo",
	"zoneinfo",
};

static const char *const covered_folders[] = {
	"acpi", "asound", "bus", "driver", "fs", "irq", "pressure", "scsi",
	"tty",
};

static int mount_proc(void)
{
	const struct sbxi_mount_option options[] = {
		{ "hidepid", "invisible" },
		{ NULL, NULL },
	};
	const struct sbxi_mount_option old_options[] = {
		{ "hidepid", "2" },	/* its name before 5.8 */
		{ NULL, NULL },
	};
	const uint64_t attr = SBXI_MOUNT_ATTR_NODEV | SBXI_MOUNT_ATTR_NOEXEC;
	int fd = sbxi_mount_new("proc", options, attr);

	return fd == -EINVAL ? sbxi_mount_new("proc", old_options, attr) : fd;
}

/* Mount an empty thing over a name of /proc; a name that is not there is fine. */
static int cover(int proc, int empty, const char *name)
{
	AUTO_FD target = openat(proc, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	AUTO_FD tree = -1;
	int rc;

	if (target < 0)
		return errno == ENOENT ? 0 : -errno;
	tree = sbxi_mount_clone(empty);
	if (tree < 0)
		return tree;
	rc = sbxi_mount_attributes(tree,
				   SBXI_MOUNT_ATTR_RDONLY |
					   SBXI_MOUNT_ATTR_NODEV |
					   SBXI_MOUNT_ATTR_NOEXEC,
				   0, 0);
	return rc < 0 ? rc : sbxi_mount_attach(tree, target);
}

static int cover_all(struct sbxi_jail *jail, int proc)
{
	AUTO_FD file = sbxi_tree_mountpoint(jail->root, "/.empty", false);
	AUTO_FD folder = sbxi_tree_mountpoint(jail->root, "/.none", true);
	int rc = file < 0 ? file : folder < 0 ? folder : 0;

	for (size_t i = 0; rc == 0 && i < SBXI_COUNT(covered_files); i++)
		rc = cover(proc, file, covered_files[i]);
	for (size_t i = 0; rc == 0 && i < SBXI_COUNT(covered_for_root) &&
			   jail->facts.root_id; i++)
		rc = cover(proc, file, covered_for_root[i]);
	for (size_t i = 0; rc == 0 && i < SBXI_COUNT(covered_folders); i++)
		rc = cover(proc, folder, covered_folders[i]);
	(void)unlinkat(jail->root, ".empty", 0);
	(void)unlinkat(jail->root, ".none", AT_REMOVEDIR);
	return rc;
}

static int write_at(int dir, const char *path, const char *text)
{
	AUTO_FD fd = openat(dir, path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return write(fd, text, strlen(text)) < 0 ? -errno : 0;
}

/*
 * Before /proc/sys becomes read-only: how many user namespaces may still be
 * made below ours.
 */
static void limit_nesting(struct sbxi_jail *jail, int proc, const char *nested)
{
	jail->facts.nest_refused =
		write_at(proc, "sys/user/max_user_namespaces", nested) == 0;
}

static int sys_read_only(int proc)
{
	AUTO_FD target = openat(proc, "sys", O_PATH | O_NOFOLLOW | O_CLOEXEC);
	AUTO_FD tree = -1;
	int rc;

	if (target < 0)
		return -errno;
	tree = sbxi_mount_clone(target);
	if (tree < 0)
		return tree;
	rc = sbxi_mount_attributes(tree,
				   SBXI_MOUNT_ATTR_RDONLY |
					   SBXI_MOUNT_ATTR_NODEV |
					   SBXI_MOUNT_ATTR_NOEXEC,
				   0, 0);
	return rc < 0 ? rc : sbxi_mount_attach(tree, target);
}

/*
 * Where a container masks /proc no new one can be had: then there is none.
 * The target cannot write a map then, so it gets no second user namespace.
 */
static void without_proc(struct sbxi_jail *jail, int rc)
{
	AUTO_FD host = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);

	jail->facts.proc_errno = -rc;
	if (host >= 0)
		limit_nesting(jail, host, "0");
}

void sbxi_proc_mount(struct sbxi_jail *jail)
{
	AUTO_FD target = sbxi_tree_mountpoint(jail->root, "/proc", true);
	AUTO_FD proc = mount_proc();

	sbxi_check(jail, target, "/proc");
	if (proc < 0) {
		without_proc(jail, proc);
		return;
	}
	sbxi_check(jail, sbxi_mount_attach(proc, target), "/proc");
	limit_nesting(jail, proc, "1");
	sbxi_check(jail, cover_all(jail, proc), "/proc");
	sbxi_check(jail, sys_read_only(proc), "/proc/sys");
	sbxi_check(jail, sbxi_paths_allow_own(jail, proc, ".", SBX_READ),
		   "/proc");
	jail->facts.own_proc = true;
	jail->proc = openat(proc, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	sbxi_check(jail, jail->proc, "/proc");
}

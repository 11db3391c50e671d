/* SPDX-License-Identifier: Apache-2.0 */
/*
 * proc: a /proc of the jail's own pid namespace.
 *
 * Not subset=pid, since tools read meminfo, cpuinfo and stat.  What tells of
 * the host's devices, keys or addresses is covered, and /proc/sys is
 * read-only, with a boot id of the jail's own; the task lives in a second user namespace, which cannot unmount
 * a cover.  hidepid hides pid 1.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/kconst.h"
#include "init/jail.h"
#include "init/paths.h"
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

#define READ_ONLY                                           \
	(SBXI_MOUNT_ATTR_RDONLY | SBXI_MOUNT_ATTR_NODEV |   \
	 SBXI_MOUNT_ATTR_NOEXEC)

/* Mount a thing read-only on its own name: what is cloned from it is so too. */
static int read_only_in_place(int dir, const char *name)
{
	AUTO_FD tree = sbxi_mount_clone_at(dir, name);
	int rc;

	if (tree < 0)
		return tree;
	rc = sbxi_mount_attributes(tree, READ_ONLY, 0, 0);
	return rc < 0 ? rc : sbxi_mount_attach_at(tree, dir, name);
}

/* Mount an empty thing over names of /proc; one that is not there is fine. */
static int cover(const struct sbxi_jail *jail, int proc, const char *empty,
		 const char *const *names, size_t n)
{
	AUTO_FD tree = -1;

	for (size_t i = 0; i < n; i++) {
		int rc;

		if (tree < 0)
			tree = sbxi_mount_clone_at(jail->root, empty);
		if (tree < 0)
			return tree;
		rc = sbxi_mount_attach_at(tree, proc, names[i]);
		if (rc < 0 && rc != -ENOENT)
			return rc;
		if (rc == 0) {
			close(tree);
			tree = -1;
		}
	}
	return 0;
}

static int make_empties(int root)
{
	int rc;

	if (mknodat(root, ".empty", S_IFREG | 0444, 0) < 0 ||
	    mkdirat(root, ".none", 0555) < 0)
		return -errno;
	rc = read_only_in_place(root, ".empty");
	return rc < 0 ? rc : read_only_in_place(root, ".none");
}

static int remove_empties(int root)
{
	/* umount2(2) takes no descriptor; sources are absolute paths anyway. */
	if (fchdir(root) < 0 || umount2(".empty", MNT_DETACH) < 0 ||
	    umount2(".none", MNT_DETACH) < 0 ||
	    unlinkat(root, ".empty", 0) < 0 ||
	    unlinkat(root, ".none", AT_REMOVEDIR) < 0)
		return -errno;
	return 0;
}

static int cover_all(struct sbxi_jail *jail, int proc)
{
	int rc = make_empties(jail->root);

	if (rc == 0)
		rc = cover(jail, proc, ".empty", covered_files,
			   SBXI_COUNT(covered_files));
	if (rc == 0 && jail->facts.root_id)
		rc = cover(jail, proc, ".empty", covered_for_root,
			   SBXI_COUNT(covered_for_root));
	if (rc == 0)
		rc = cover(jail, proc, ".none", covered_folders,
			   SBXI_COUNT(covered_folders));
	return rc < 0 ? rc : remove_empties(jail->root);
}

#define BOOT_ID "sys/kernel/random/boot_id"
#define UUID_BYTES 37		/* with the newline */

/* A file of the root with a random UUID in it, from the kernel. */
static int write_uuid(int root, int proc, const char *name)
{
	AUTO_FD from = openat(proc, "sys/kernel/random/uuid",
			      O_RDONLY | O_CLOEXEC);
	AUTO_FD to = openat(root, name,
			    O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0444);
	char uuid[UUID_BYTES];

	if (from < 0 || to < 0)
		return -errno;
	if (read(from, uuid, sizeof(uuid)) != sizeof(uuid) ||
	    write(to, uuid, sizeof(uuid)) != sizeof(uuid))
		return -EIO;
	return 0;
}

/* Each task has a boot of its own: the host's would be a mark to know it by. */
static int replace_boot_id(const struct sbxi_jail *jail, int proc)
{
	AUTO_FD tree = -1;
	int rc;

	if (faccessat(proc, BOOT_ID, F_OK, 0) < 0)
		return errno == ENOENT ? 0 : -errno;
	rc = write_uuid(jail->root, proc, ".boot");
	if (rc == 0)
		rc = tree = sbxi_mount_clone_at(jail->root, ".boot");
	if (rc >= 0)
		rc = sbxi_mount_attributes(tree, READ_ONLY, 0, 0);
	if (rc == 0)
		rc = sbxi_mount_attach_at(tree, proc, BOOT_ID);
	if (rc == 0 && unlinkat(jail->root, ".boot", 0) < 0)
		rc = -errno;
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
	AUTO_FD proc = mount_proc();

	if (proc < 0) {
		without_proc(jail, proc);
		return;
	}
	sbxi_check(jail, sbxi_mount_attach_at(proc, jail->root, "proc"),
		   "/proc");
	limit_nesting(jail, proc, "1");
	sbxi_check(jail, cover_all(jail, proc), "/proc");
	sbxi_check(jail, read_only_in_place(proc, "sys"), "/proc/sys");
	sbxi_check(jail, replace_boot_id(jail, proc), "/proc/" BOOT_ID);
	sbxi_paths_allow_tree(jail, proc, S_IFDIR, "/proc", SBX_READ);
	jail->facts.own_proc = true;
	jail->proc = openat(proc, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	sbxi_check(jail, jail->proc, "/proc");
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tier_b: a jail without namespaces of its own: Landlock, the filter, the
 * descriptor allow list, and a subreaper that kills every descendant.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <sandbox/policy.h>

#include "base/cleanup.h"
#include "base/errors.h"
#include "base/kconst.h"
#include "base/rmtree.h"
#include "base/text.h"
#include "init/jail.h"
#include "init/paths.h"
#include "kernel/host_files.h"
#include "kernel/ids.h"
#include "kernel/landlock.h"

static const char *const private_parents[] = { "/tmp", "/var/tmp" };

static void join(char *to, size_t size, const char *a, const char *b)
{
	struct sbxi_text t = { .buf = to, .size = size };

	to[0] = '\0';
	sbxi_text_add(&t, a);
	sbxi_text_add(&t, b);
}

/*
 * The folder's name comes from the harness, which removes it if we are
 * killed before we can.
 */
static int make_below(struct sbxi_jail *jail, const char *parent)
{
	char name[sizeof(jail->private_dir)];

	join(name, sizeof(name), parent, jail->private_dir);
	if (mkdir(name, 0700) < 0)
		return -errno;
	/* The supervisor removes it. */
	if (jail->outer >= 0) {
		AUTO_FD fd = open(parent, O_PATH | O_DIRECTORY | O_CLOEXEC);

		sbxi_check(jail,
			   fd < 0 ? -errno
				  : sbxi_landlock_allow(jail->outer, fd,
							SBXI_LL_FS_REMOVE_DIR),
			   parent);
	}
	join(jail->private_dir, sizeof(jail->private_dir), name, "");
	return 0;
}

void sbxi_private_dir_make(struct sbxi_jail *jail)
{
	int rc = -ENOENT;

	for (size_t i = 0; i < SBXI_COUNT(private_parents) && rc < 0; i++)
		rc = make_below(jail, private_parents[i]);
	sbxi_check(jail, rc, "private folder");
	jail->home = jail->tmp = jail->private_dir;
	sbxi_check(jail,
		   sbxi_paths_allow_own(jail, AT_FDCWD, jail->private_dir,
					SBX_READ | SBX_WRITE | SBX_EXEC),
		   jail->private_dir);
}

void sbxi_private_dir_remove(struct sbxi_jail *jail)
{
	/* Only the supervisor, and only what it made. */
	if (jail->tier != SBX_TIER_B || jail->home == NULL ||
	    jail->where != SBX_WHERE_INIT)
		return;
	(void)sbxi_rmtree(AT_FDCWD, jail->private_dir);
}

static void allow_host_files(struct sbxi_jail *jail)
{
	for (size_t i = 0; i < SBXI_COUNT(sbxi_host_devices); i++)
		(void)sbxi_paths_allow_own(jail, AT_FDCWD, sbxi_host_devices[i],
					   SBX_READ | SBX_WRITE);
	if (!(jail->plan->flags & SBXI_PLAN_TOOL))
		return;
	for (size_t i = 0; i < SBXI_COUNT(sbxi_host_user_database); i++)
		(void)sbxi_paths_allow_own(jail, AT_FDCWD, sbxi_host_user_database[i],
					   SBX_READ);
}

void sbxi_tier_b_main(struct sbxi_jail *jail)
{
	jail->tier = SBX_TIER_B;
	jail->host_uid = jail->uid = geteuid();
	jail->host_gid = jail->gid = getegid();
	jail->facts.root_id = jail->uid == 0 && sbxi_ids_initial_namespace();
	sbxi_step(jail, SBX_STEP_SUPERVISE);
	if (prctl(PR_SET_DUMPABLE, 0) < 0 ||
	    prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		sbxi_check(jail, -errno, "prctl");
	jail->proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	sbxi_step(jail, SBX_STEP_MOUNTS);
	sbxi_ruleset_make(jail, SBXI_LANDLOCK_SCOPES | SBXI_LANDLOCK_NET);
	if (jail->ruleset < 0)
		sbxi_die(jail, -EPERM, SBXI_REMEDY_LANDLOCK, "files",
			 "neither user namespaces nor Landlock are to be had");
	sbxi_private_dir_make(jail);
	allow_host_files(jail);
	sbxi_paths_allow(jail);
}

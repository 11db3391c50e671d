/* SPDX-License-Identifier: Apache-2.0 */
/*
 * probe_namespaces: user namespaces, and the others inside of one.
 *
 * Made with the same clone as a jail is, not with unshare: an outer filter
 * may know the one and not the other.  A namespace that can be made proves
 * nothing (AppArmor takes its capabilities away), so something is done in it.
 */
#include <errno.h>
#include <net/if.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/errors.h"
#include "base/kconst.h"
#include "init/probe.h"
#include "kernel/ids.h"
#include "kernel/process.h"

/* A removed network namespace lingers some 60 ms in the kernel's count. */
#define LINGER_TRIES 6
#define LINGER_NS 25000000

static int wait_for(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* A new user namespace and nothing else: 0 or -errno. */
static int make_userns(void)
{
	pid_t pid = sbxi_process_clone(SBXI_CLONE_NEWUSER, -1, NULL);

	if (pid == 0)
		_exit(0);
	if (pid < 0)
		return pid;
	return wait_for(pid) ? -EIO : 0;
}

static pid_t clone_patiently(uint64_t flags)
{
	const struct timespec pause = { .tv_nsec = LINGER_NS };
	pid_t pid = sbxi_process_clone(flags, -1, NULL);

	if (!(flags & SBXI_CLONE_NEWNET))
		return pid;
	for (int i = 0; pid == -ENOSPC && i < LINGER_TRIES; i++) {
		nanosleep(&pause, NULL);
		pid = sbxi_process_clone(flags, -1, NULL);
	}
	return pid;
}

/* No child: is it the user namespace that is refused, or another? */
static uint32_t clone_cause(uint64_t flags, int err)
{
	int user = make_userns();

	if (user < 0)
		return sbxi_probe_userns_cause(-user);
	if (err != ENOSPC)
		return sbxi_probe_userns_cause(err);
	return flags & SBXI_CLONE_NEWNET ? SBXI_REMEDY_NET_NAMESPACES
					 : SBXI_REMEDY_NONE;
}

/* Not 0 inside: what a jail never maps must not decide here either. */
static int map_ids(uint32_t host_uid, uint32_t host_gid, struct sbxi_try *t)
{
	const struct sbxi_id_pair uid = { host_uid ? host_uid : 1, host_uid };
	const struct sbxi_id_pair gid = { host_gid ? host_gid : 1, host_gid };
	int rc = sbxi_ids_map_self(&uid, &gid);

	if (rc == 0 && (getuid() != uid.inside || getgid() != gid.inside))
		rc = -EPERM;
	if (rc < 0)
		t->remedy = sbxi_probe_restricted_cause(-rc);
	return rc;
}

int sbxi_probe_enter(uint64_t flags, struct sbxi_try *t)
{
	uint32_t uid = geteuid(), gid = getegid();
	pid_t pid = clone_patiently(SBXI_CLONE_NEWUSER | flags);
	int sig;

	if (pid < 0) {
		t->remedy = clone_cause(flags, -pid);
		return pid;
	}
	if (pid > 0) {
		/* The child answers; its death is told as a shell tells it. */
		sig = wait_for(pid);
		_exit(sig ? 128 + sig : 0);
	}
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	return map_ids(uid, gid, t);
}

int sbxi_try_userns(struct sbxi_try *t)
{
	int rc = make_userns();

	if (rc < 0)
		t->remedy = sbxi_probe_userns_cause(-rc);
	return rc;
}

int sbxi_try_id_maps(struct sbxi_try *t)
{
	return sbxi_probe_enter(0, t);
}

static int loopback_up(void)
{
	AUTO_FD fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq request = { .ifr_name = "lo" };

	if (fd < 0 || ioctl(fd, SIOCGIFFLAGS, &request) < 0)
		return -errno;
	request.ifr_flags |= IFF_UP;
	if (ioctl(fd, SIOCSIFFLAGS, &request) < 0 ||
	    ioctl(fd, SIOCGIFFLAGS, &request) < 0)
		return -errno;
	return request.ifr_flags & IFF_UP ? 0 : -EIO;
}

int sbxi_try_netns(struct sbxi_try *t)
{
	int rc = sbxi_probe_enter(SBXI_CLONE_NEWNET, t);

	if (rc < 0)
		return rc;
	rc = loopback_up();
	if (rc < 0)
		t->remedy = sbxi_probe_restricted_cause(-rc);
	return rc;
}

int sbxi_try_pidns(struct sbxi_try *t)
{
	int rc = sbxi_probe_enter(SBXI_CLONE_NEWPID, t);

	if (rc < 0)
		return rc;
	return getpid() == 1 ? 0 : -EIO;
}

/* Which namespace we are in; 0 where there is no /proc to ask. */
static uint64_t namespace_of(const char *path)
{
	struct stat st;

	return stat(path, &st) < 0 ? 0 : (uint64_t)st.st_ino;
}

/* Make one, and see that it is another than before. */
static int make_other(uint64_t flag, const char *path, struct sbxi_try *t)
{
	uint64_t before = namespace_of(path), after;
	int rc = sbxi_probe_enter(flag, t);

	if (rc < 0)
		return rc;
	after = namespace_of(path);
	return before && before == after ? -EIO : 0;
}

int sbxi_try_ipcns(struct sbxi_try *t)
{
	return make_other(SBXI_CLONE_NEWIPC, "/proc/self/ns/ipc", t);
}

int sbxi_try_cgroupns(struct sbxi_try *t)
{
	return make_other(SBXI_CLONE_NEWCGROUP, "/proc/self/ns/cgroup", t);
}

int sbxi_try_utsns(struct sbxi_try *t)
{
	static const char name[] = "sbx-probe";
	char found[sizeof(name)] = "";
	int rc = make_other(SBXI_CLONE_NEWUTS, "/proc/self/ns/uts", t);

	if (rc < 0)
		return rc;
	if (sethostname(name, sizeof(name) - 1) < 0) {
		rc = -errno;
		t->remedy = sbxi_probe_restricted_cause(-rc);
		return rc;
	}
	if (gethostname(found, sizeof(found)) < 0)
		return -errno;
	return memcmp(found, name, sizeof(name)) ? -EIO : 0;
}

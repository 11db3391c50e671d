/* SPDX-License-Identifier: Apache-2.0 */
/* probe_confine: what a process gives up for good: Landlock, filters. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sandbox/types.h>

#include "base/cleanup.h"
#include "base/errors.h"
#include "base/rawcall.h"
#include "init/probe.h"
#include "kernel/landlock.h"
#include "kernel/privileges.h"
#include "kernel/process.h"
#include "kernel/seccomp.h"

/* Scopes came with it: below, the row names what is open. */
#define ABI_FULL 6
#define NOTIFY_MS 1000
#define NOTIFY_ANSWER 77

/* The call that is filtered here: every profile allows it, nobody needs it. */
#define FILTERED SYS_getppid

static int open_root(void)
{
	AUTO_FD fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : 0;
}

static int restrict_all(int abi)
{
	AUTO_FD ruleset = sbxi_landlock_create(
		abi, SBXI_LANDLOCK_NET | SBXI_LANDLOCK_SCOPES);

	return ruleset < 0 ? ruleset : sbxi_landlock_enter(ruleset);
}

int sbxi_try_landlock(struct sbxi_try *t)
{
	int abi = sbxi_landlock_abi();
	int rc;

	if (abi <= 0) {
		t->remedy = SBXI_REMEDY_LANDLOCK;
		return errno ? -errno : -ENOSYS;
	}
	/* What was refused before is no proof afterwards. */
	rc = open_root();
	if (rc == 0)
		rc = restrict_all(abi);
	if (rc < 0)
		return rc;
	if (open_root() != -EACCES)
		return -EIO;
	t->value = (uint32_t)abi;
	t->state = SBX_STATE_ENFORCED;
	if (abi < ABI_FULL) {
		t->state = SBX_STATE_PARTIAL;
		t->remedy = SBXI_REMEDY_LANDLOCK_ABI;
	}
	return 0;
}

int sbxi_try_no_new_privs(struct sbxi_try *t)
{
	int rc = sbxi_no_new_privs_enter();

	(void)t;
	if (rc < 0)
		return rc;
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? 0 : -EIO;
}

#define FILTER_OF(action)                                                  \
	{                                                                  \
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,                         \
			 offsetof(struct seccomp_data, nr)),               \
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FILTERED, 0, 1),       \
		BPF_STMT(BPF_RET | BPF_K, (action)),                       \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),              \
	}

int sbxi_try_seccomp(struct sbxi_try *t)
{
	static const struct sock_filter code[] =
		FILTER_OF(SECCOMP_RET_ERRNO | EXDEV);
	int rc = sbxi_seccomp_enter(code, SBXI_COUNT(code));

	if (rc == 0 && sbxi_raw(FILTERED) != -EXDEV)
		rc = -EIO;
	if (rc < 0)
		t->remedy = SBXI_REMEDY_SECCOMP;
	return rc;
}

/* A listener for FILTERED in us and our children; or -errno. */
static int listen_for_calls(void)
{
	static struct sock_filter code[] = FILTER_OF(SECCOMP_RET_USER_NOTIF);
	const struct sock_fprog prog = {
		.len = SBXI_COUNT(code),
		.filter = code,
	};

	return (int)sbxi_raw(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			     SECCOMP_FILTER_FLAG_NEW_LISTENER, &prog);
}

/* Take one call and answer it. */
static int answer_one(int listener)
{
	/* A later kernel's structure is longer, and has to be zero. */
	union {
		struct seccomp_notif call;
		char room[512];
	} in;
	struct seccomp_notif_resp out = { .val = NOTIFY_ANSWER };
	struct pollfd p = { .fd = listener, .events = POLLIN };
	int n = poll(&p, 1, NOTIFY_MS);

	if (n <= 0)
		return n < 0 ? -errno : -ETIMEDOUT;
	memset(&in, 0, sizeof(in));
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &in) < 0)
		return -errno;
	out.id = in.call.id;
	return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &out) < 0 ? -errno
								   : 0;
}

/* A child makes the call; it must get the answer that we gave. */
static int serve_child(int listener)
{
	pid_t pid = sbxi_process_clone(0, -1, NULL);
	int rc, status = 0;

	if (pid < 0)
		return pid;
	if (pid == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(sbxi_raw(FILTERED) != NOTIFY_ANSWER);
	}
	rc = answer_one(listener);
	if (rc < 0)
		(void)kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (rc < 0)
		return rc;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -EIO;
}

int sbxi_try_notify(struct sbxi_try *t)
{
	int listener = listen_for_calls();
	int rc = listener < 0 ? listener : serve_child(listener);

	/* Taken by whoever confines the harness: no setting helps. */
	if (rc < 0 && rc != -EBUSY)
		t->remedy = SBXI_REMEDY_SECCOMP;
	return rc;
}

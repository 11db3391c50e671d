/* SPDX-License-Identifier: Apache-2.0 */
/*
 * idmap: the user namespace that id-mapped mounts of a root harness name.
 *
 * It swaps root's id and the task's and keeps all others, so that what is
 * root's in a granted tree is the task's inside, new files are root's outside,
 * and other people's files behave as before.  Made once for a policy.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fdmsg.h"
#include "base/kconst.h"
#include "base/text.h"
#include "init/jail.h"
#include "kernel/ids.h"
#include "kernel/process.h"

static int open_namespace(pid_t pid)
{
	char path[48];
	struct sbxi_text t = SBXI_TEXT(path);
	int fd;

	sbxi_text_add(&t, "/proc/");
	sbxi_text_number(&t, (uint64_t)pid);
	sbxi_text_add(&t, "/ns/user");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int make_namespace(uint32_t task_id)
{
	int pidfd = -1;
	pid_t pid = sbxi_process_clone(SBXI_CLONE_NEWUSER, -1, &pidfd);
	int rc, fd = -1;

	if (pid < 0)
		return pid;
	if (pid == 0)
		for (;;)
			pause();
	rc = sbxi_ids_map_swapped(pid, geteuid(), task_id);
	if (rc == 0)
		fd = open_namespace(pid);
	(void)syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return rc < 0 ? rc : fd;
}

void sbxi_idmap_main(struct sbxi_jail *jail)
{
	const uint32_t type = SBXI_MSG_IDMAP;
	AUTO_FD fd = make_namespace(jail->plan->task_id);

	if (fd >= 0)
		(void)sbxi_fdmsg_send(jail->hand, &type, sizeof(type), &fd,
				      1);
	_exit(0);
}

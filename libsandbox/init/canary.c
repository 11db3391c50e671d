/* SPDX-License-Identifier: Apache-2.0 */
/*
 * canary: try what must be refused, in the process that becomes the task.
 *
 * A mechanism whose set-up call succeeded may still not hold (an emulation,
 * an outer filter that answers 0).  What gets through here ends the spawn.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/kconst.h"
#include "init/jail.h"
#include "init/target.h"

_Noreturn static void got_through(struct sbxi_jail *jail, const char *what)
{
	sbxi_die(jail, -EPERM, 0, what, "the canary got through");
}

/* The root folder takes no file, whatever was granted below it. */
void sbxi_canaries_files(struct sbxi_jail *jail)
{
	int fd = open("/.sbx-canary",
		      O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);

	if (fd >= 0) {
		(void)unlink("/.sbx-canary");
		got_through(jail, "files");
	}
	/* In tier B the folder itself must not be readable either. */
	if (jail->tier == SBX_TIER_B &&
	    open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC) >= 0)
		got_through(jail, "files");
	if (jail->facts.landlock_abi > 0 || errno == EROFS)
		jail->facts.files_canary = true;
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
		got_through(jail, "privileges");
}

void sbxi_canaries_filter(struct sbxi_jail *jail)
{
	int fd;

	if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 2)
		got_through(jail, "syscalls");
	if (syscall(SYS_keyctl, 0, -3, 0, 0, 0) >= 0)
		got_through(jail, "keyring");
	if (unshare(CLONE_NEWUSER) == 0)
		got_through(jail, "privileges");
	fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	if (fd >= 0)
		got_through(jail, "network");
	/* A protocol that the filter refuses without asking the supervisor. */
	if (jail->tier == SBX_TIER_B &&
	    (socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_MPTCP) >= 0 ||
	     errno != EAFNOSUPPORT))
		got_through(jail, "network");
	jail->facts.filter_canary = true;
}

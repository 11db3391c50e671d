/* SPDX-License-Identifier: Apache-2.0 */
/*
 * privileges: capabilities, set-uid programs and bits, device nodes, and the
 * namespaces in which everything could be had again.
 */
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include "probe.h"

static enum verdict capabilities(void)
{
	char text[4096] = "";
	static const char *const sets[] = {
		"CapInh:\t", "CapPrm:\t", "CapEff:\t", "CapBnd:\t", "CapAmb:\t"
	};
	int fd = open("/proc/thread-self/status", O_RDONLY | O_CLOEXEC);
	unsigned long long all = 0;

	if (fd < 0)
		fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		return absent("no /proc");
	for (int i = 0; i < 5; i++) {
		const char *line = strstr(text, sets[i]);

		if (line)
			all |= strtoull(line + 8, NULL, 16);
	}
	show("%llx", all);
	return all ? DID : REFUSED;
}

static enum verdict new_privileges(void)
{
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 ? DID : REFUSED;
}

/* The program says its effective user when that is another one. */
static enum verdict run_setuid(void)
{
	const char *const argv[] = { in_ws("program"), NULL };

	if (access(argv[0], F_OK) < 0)
		return absent("nobody could plant it");
	return show_program(argv);
}

static enum verdict bits_chmod(void)
{
	if (make_file(in_ws("file"), "") < 0)
		return outcome(-1);
	return outcome(chmod(in_ws("file"), 04755));
}

static enum verdict bits_fchmod(void)
{
	int fd = open(in_ws("file"), O_RDWR | O_CREAT | O_CLOEXEC, 0755);

	return outcome(fd < 0 ? -1 : fchmod(fd, 02755));
}

static enum verdict bits_fchmodat2(void)
{
	if (make_file(in_ws("file"), "") < 0)
		return outcome(-1);
	if (syscall(452, AT_FDCWD, in_ws("file"), 04755, 0) == 0)
		return DID;
	return errno == ENOSYS ? absent("no such call") : outcome(-1);
}

static enum verdict bits_open(void)
{
	return outcome(open(in_ws("file"), O_RDWR | O_CREAT | O_CLOEXEC,
			    04755));
}

static enum verdict bits_mknod(void)
{
	return outcome(mknod(in_ws("file"), S_IFREG | 04755, 0));
}

static enum verdict bits_mkdir(void)
{
	if (mkdir(in_ws("file"), 0755) < 0)
		return outcome(-1);
	return outcome(chmod(in_ws("file"), 02755));
}

/* The upper half of an argument is not what the kernel reads. */
static enum verdict bits_wide(void)
{
	if (make_file(in_ws("file"), "") < 0)
		return outcome(-1);
	return outcome(syscall(SYS_chmod, in_ws("file"),
			       0x100000000UL | 04755));
}

static enum verdict character_device(void)
{
	return outcome(mknod(in_ws("file"), S_IFCHR | 0666, makedev(1, 3)));
}

static enum verdict block_device(void)
{
	return outcome(mknod(in_ws("file"), S_IFBLK | 0600, makedev(7, 77)));
}

static enum verdict own_file(void)
{
	return outcome(make_file(in_ws("file"), "whose is it?"));
}

static enum verdict become_root(void)
{
	return outcome(setresuid(0, 0, 0) < 0 ? -1 :
		       setgroups(0, NULL) < 0 ? -1 : 0);
}

static enum verdict user_namespace(void)
{
	return outcome(unshare(CLONE_NEWUSER));
}

static int nothing(void *arg)
{
	(void)arg;
	return 0;
}

static enum verdict user_namespace_clone(void)
{
	static char stack[1 << 16];
	int pid = clone(nothing, stack + sizeof(stack) - 64,
			CLONE_NEWUSER | SIGCHLD, NULL);

	if (pid > 0)
		waitpid(pid, NULL, 0);
	return outcome(pid);
}

static enum verdict user_namespace_clone3(void)
{
	unsigned long long args[11] = { CLONE_NEWUSER, 0, 0, 0, SIGCHLD };
	long pid = syscall(SYS_clone3, args, 64);

	if (pid == 0)
		_exit(0);
	if (pid > 0)
		waitpid((pid_t)pid, NULL, 0);
	return outcome(pid);
}

static enum verdict mount_namespace(void)
{
	return outcome(unshare(CLONE_NEWNS));
}

static enum verdict mount_it(void)
{
	return outcome(mount("none", in_ws(""), "tmpfs", 0, NULL));
}

static enum verdict mount_bind(void)
{
	return outcome(mount("/etc", in_ws(""), NULL, MS_BIND, NULL));
}

static enum verdict mount_clone(void)
{
	return outcome(syscall(SYS_open_tree, AT_FDCWD, "/", 1));
}

static enum verdict mount_open(void)
{
	return outcome(syscall(SYS_fsopen, "tmpfs", 0));
}

static enum verdict mount_change(void)
{
	return outcome(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
}

static enum verdict change_root(void)
{
	return outcome(chroot(in_ws("")));
}

static enum verdict host_name(void)
{
	return outcome(sethostname("changed", 7));
}

const struct probe privileges_probes[] = {
	{ "priv.capabilities", capabilities },
	{ "priv.no-new-privs", new_privileges },
	{ "priv.run-setuid", run_setuid },
	{ "priv.bits-chmod", bits_chmod },
	{ "priv.bits-fchmod", bits_fchmod },
	{ "priv.bits-fchmodat2", bits_fchmodat2 },
	{ "priv.bits-open", bits_open },
	{ "priv.bits-mknod", bits_mknod },
	{ "priv.bits-mkdir", bits_mkdir },
	{ "priv.bits-wide", bits_wide },
	{ "priv.char-device", character_device },
	{ "priv.block-device", block_device },
	{ "work.owner", own_file },
	{ "priv.become-root", become_root },
	{ "priv.userns", user_namespace },
	{ "priv.userns-clone", user_namespace_clone },
	{ "priv.userns-clone3", user_namespace_clone3 },
	{ "priv.mountns", mount_namespace },
	{ "priv.mount", mount_it },
	{ "priv.bind-mount", mount_bind },
	{ "priv.open-tree", mount_clone },
	{ "priv.fsopen", mount_open },
	{ "priv.remount", mount_change },
	{ "priv.chroot", change_root },
	{ "priv.hostname", host_name },
	{ NULL, NULL }
};

/* SPDX-License-Identifier: Apache-2.0 */
/* landlock: which files a thread and its descendants may use.  landlock(7) */
#include "kernel/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

#include <sandbox/types.h>

#include "base/cleanup.h"
#include "base/kconst.h"

#define ACCESS_READ (SBXI_LL_FS_READ_FILE | SBXI_LL_FS_READ_DIR)
/* No device nodes: nothing may make one, whatever was granted. */
#define ACCESS_WRITE                                                         \
	(SBXI_LL_FS_WRITE_FILE | SBXI_LL_FS_REMOVE_DIR |                     \
	 SBXI_LL_FS_REMOVE_FILE | SBXI_LL_FS_MAKE_DIR | SBXI_LL_FS_MAKE_REG | \
	 SBXI_LL_FS_MAKE_SOCK | SBXI_LL_FS_MAKE_FIFO | SBXI_LL_FS_MAKE_SYM | \
	 SBXI_LL_FS_REFER | SBXI_LL_FS_TRUNCATE)
#define ACCESS_OF_FILES                                         \
	(SBXI_LL_FS_EXECUTE | SBXI_LL_FS_WRITE_FILE |           \
	 SBXI_LL_FS_READ_FILE | SBXI_LL_FS_TRUNCATE |           \
	 SBXI_LL_FS_IOCTL_DEV)

/* A bit that the running kernel does not know makes the call fail. */
static uint64_t known_access(int abi)
{
	if (abi >= 9)
		return (SBXI_LL_FS_RESOLVE_UNIX << 1) - 1;
	if (abi >= 5)
		return (SBXI_LL_FS_IOCTL_DEV << 1) - 1;
	if (abi >= 3)
		return (SBXI_LL_FS_TRUNCATE << 1) - 1;
	if (abi == 2)
		return (SBXI_LL_FS_REFER << 1) - 1;
	return (SBXI_LL_FS_MAKE_SYM << 1) - 1;
}

int sbxi_landlock_abi(void)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0,
			   SBXI_LL_CREATE_VERSION);

	return abi < 0 ? 0 : (int)abi;
}

static int create(int abi, uint64_t files, uint32_t what)
{
	struct sbxi_landlock_ruleset_attr attr = { .handled_access_fs = files };
	size_t size = sizeof(attr.handled_access_fs);
	long fd;

	if (abi >= 4)
		size = offsetof(struct sbxi_landlock_ruleset_attr, scoped);
	if (abi >= 6)
		size = sizeof(attr);
	if (abi >= 4 && (what & SBXI_LANDLOCK_NET))
		attr.handled_access_net = SBXI_LL_NET_BIND_TCP |
					  SBXI_LL_NET_CONNECT_TCP;
	if (abi >= 6 && (what & SBXI_LANDLOCK_SCOPES))
		attr.scoped = SBXI_LL_SCOPE_ABSTRACT_UNIX |
			      SBXI_LL_SCOPE_SIGNAL;
	fd = syscall(SYS_landlock_create_ruleset, &attr, size, 0);
	return fd < 0 ? -errno : (int)fd;
}

int sbxi_landlock_create(int abi, uint32_t what)
{
	return create(abi, known_access(abi), what);
}

int sbxi_landlock_create_outer(int abi)
{
	uint64_t files = SBXI_LL_FS_MAKE_CHAR | SBXI_LL_FS_MAKE_BLOCK |
			 (abi >= 2 ? SBXI_LL_FS_REFER : 0);
	int fd = create(abi, files, SBXI_LANDLOCK_SCOPES);
	int root, rc;

	if (fd < 0 || abi < 2)
		return fd;
	/* A layer that says nothing of REFER refuses it everywhere. */
	root = open("/", O_PATH | O_CLOEXEC);
	rc = root < 0 ? -errno
		      : sbxi_landlock_allow(fd, root, SBXI_LL_FS_REFER);
	sbxi_closep(&root);
	if (rc < 0) {
		close(fd);
		return rc;
	}
	return fd;
}

uint64_t sbxi_landlock_access(uint32_t rights, bool is_dir, bool is_device,
			      int abi)
{
	uint64_t access = 0;

	if (rights & SBX_READ)
		access |= ACCESS_READ;
	if (rights & SBX_WRITE)
		access |= ACCESS_WRITE;
	if (rights & SBX_EXEC)
		access |= SBXI_LL_FS_EXECUTE;
	if (is_device)
		access |= SBXI_LL_FS_IOCTL_DEV;
	if (!is_dir)
		access &= ACCESS_OF_FILES;
	return access & known_access(abi);
}

int sbxi_landlock_allow(int ruleset, int fd, uint64_t access)
{
	struct sbxi_landlock_path_beneath_attr rule = {
		.allowed_access = access,
		.parent_fd = fd,
	};

	if (access == 0)
		return 0;
	if (syscall(SYS_landlock_add_rule, ruleset, SBXI_LL_RULE_PATH_BENEATH,
		    &rule, 0) < 0)
		return -errno;
	return 0;
}

int sbxi_landlock_enter(int ruleset)
{
	if (syscall(SYS_landlock_restrict_self, ruleset, 0) < 0)
		return -errno;
	return 0;
}

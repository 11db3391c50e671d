/* SPDX-License-Identifier: Apache-2.0 */
/* source: a path of the host, opened and compared with what was meant. */
#include "kernel/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/kconst.h"

/* struct statx of the kernel: musl 1.2.3 has none, so it stands here. */
struct statx_time {
	int64_t sec;
	uint32_t nsec;
	int32_t reserved;
};

struct statx_buf {
	uint32_t mask, blksize;
	uint64_t attributes;
	uint32_t nlink, uid, gid;
	uint16_t mode, pad;
	uint64_t ino, size, blocks, attributes_mask;
	struct statx_time atime, btime, ctime, mtime;
	uint32_t rdev_major, rdev_minor, dev_major, dev_minor;
	uint64_t mnt_id;
	uint64_t spare[13];
};

#define MASK_TYPE_INO_BTIME (0x1u | 0x100u | 0x800u)
#define MASK_BTIME 0x800u

int sbxi_identity_of(int fd, struct sbxi_identity *ret)
{
	struct statx_buf st = { .mask = 0 };

	if (syscall(SYS_statx, fd, "", 0x1000 /* AT_EMPTY_PATH */,
		    MASK_TYPE_INO_BTIME, &st) < 0)
		return -errno;
	*ret = (struct sbxi_identity){
		.ino = st.ino,
		.dev_major = st.dev_major,
		.dev_minor = st.dev_minor,
		.type = st.mode & S_IFMT,
	};
	if (st.mask & MASK_BTIME)
		ret->btime_ns = (uint64_t)st.btime.sec * 1000000000u +
				st.btime.nsec;
	return 0;
}

static bool same(const struct sbxi_identity *a, const struct sbxi_identity *b)
{
	return a->ino == b->ino && a->dev_major == b->dev_major &&
	       a->dev_minor == b->dev_minor && a->type == b->type &&
	       a->btime_ns == b->btime_ns;
}

int sbxi_source_open(const char *path, const struct sbxi_identity *expected)
{
	AUTO_FD fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct sbxi_identity found;
	int rc;

	if (fd < 0)
		return -errno;
	rc = sbxi_identity_of(fd, &found);
	if (rc < 0)
		return rc;
	if (!same(&found, expected))
		return -ESTALE;
	return sbxi_steal_fd(&fd);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* place: descriptors on the numbers that the manifest names, and no other. */
#include "init/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/closefrom.h"
#include "base/fd.h"
#include "base/kconst.h"

static int highest(const struct sbxi_place *place, size_t n)
{
	int high = 2;

	for (size_t i = 0; i < n; i++)
		if (place[i].to > high)
			high = place[i].to;
	return high;
}

static bool is_target(const struct sbxi_place *place, size_t n, int fd)
{
	for (size_t i = 0; i < n; i++)
		if (place[i].to == fd)
			return true;
	return false;
}

/*
 * A number that is both a source and somebody's target would be overwritten:
 * so first all sources go above every target.
 */
static int lift(int fd, int above)
{
	int high = fcntl(fd, F_DUPFD_CLOEXEC, above + 1);

	return high < 0 ? -errno : high;
}

static void close_gaps(const struct sbxi_place *place, size_t n, int high)
{
	for (int fd = 0; fd <= high; fd++) {
		int end = fd;

		if (is_target(place, n, fd))
			continue;
		while (end < high && !is_target(place, n, end + 1))
			end++;
		if (syscall(SYS_close_range, fd, end, 0) < 0)
			for (int i = fd; i <= end; i++)
				close(i);
		fd = end;
	}
}

/* Move the kept ones to high+1, high+2, ... so that one cut closes the rest. */
static int pack(int *keep, size_t n_keep, int high)
{
	int to = high + 1;

	for (size_t i = 0; i < n_keep; i++) {
		if (keep[i] < 0)
			continue;
		if (dup3(keep[i], to, O_CLOEXEC) < 0)
			return -errno;
		keep[i] = to++;
	}
	return sbxi_close_from((unsigned int)to);
}

int sbxi_place_all(const struct sbxi_place *place, size_t n, int *keep,
		   size_t n_keep)
{
	int high = highest(place, n);
	/* Room for the kept ones between the targets and what was lifted. */
	int above = high + (int)n_keep + 1;
	struct sbxi_place lifted[SBXI_PLACES_MAX];

	if (n > SBXI_PLACES_MAX)
		return -E2BIG;
	for (size_t i = 0; i < n_keep; i++) {
		int high_fd = keep[i] < 0 ? -1 : lift(keep[i], above);

		if (high_fd < -1)
			return high_fd;
		keep[i] = high_fd;
	}
	for (size_t i = 0; i < n; i++) {
		lifted[i] = place[i];
		lifted[i].from = lift(place[i].from, above);
		if (lifted[i].from < 0)
			return lifted[i].from;
	}
	for (size_t i = 0; i < n; i++)
		if (dup3(lifted[i].from, lifted[i].to, 0) < 0)
			return -errno;
	close_gaps(place, n, high);
	return pack(keep, n_keep, high);
}

static bool is_known(const struct sbxi_place *place, size_t n,
		     const int *keep, size_t n_keep, int fd)
{
	for (size_t i = 0; i < n_keep; i++)
		if (keep[i] == fd)
			return true;
	return is_target(place, n, fd);
}

static int number_of(const char *name)
{
	int n = 0;

	if (*name < '0' || *name > '9')
		return -1;
	for (; *name; name++)
		n = n * 10 + (*name - '0');
	return n;
}

static int audit_listed(const struct sbxi_place *place, size_t n,
			const int *keep, size_t n_keep, int fd_dir,
			int *ret_fd)
{
	char buf[1024] __attribute__((aligned(8)));
	long len;

	while ((len = syscall(SYS_getdents64, fd_dir, buf, sizeof(buf))) > 0) {
		for (long at = 0; at < len;) {
			const struct sbxi_dirent *e =
				(const void *)(buf + at);
			int fd = number_of(e->name);

			at += e->reclen;
			if (fd < 0 ||
			    is_known(place, n, keep, n_keep, fd))
				continue;
			*ret_fd = fd;
			return -EBADF;
		}
	}
	return len < 0 ? -errno : 0;
}

int sbxi_place_audit(const struct sbxi_place *place, size_t n,
		     const int *keep, size_t n_keep, int fd_dir, int *ret_fd)
{
	int high = highest(place, n) + (int)n_keep + 1;

	for (size_t i = 0; i < n; i++) {
		*ret_fd = place[i].to;
		if (fcntl(place[i].to, F_GETFD) != 0)
			return -EBADF;	/* not open, or close-on-exec */
	}
	if (fd_dir >= 0)
		return audit_listed(place, n, keep, n_keep, fd_dir, ret_fd);
	for (int fd = 0; fd <= high; fd++) {
		*ret_fd = fd;
		if (fcntl(fd, F_GETFD) >= 0 &&
		    !is_known(place, n, keep, n_keep, fd))
			return -EBADF;
	}
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* grants: a descriptor granted for reading, and descriptors nobody granted. */
#include <dirent.h>
#include <sys/mman.h>
#include <sys/xattr.h>

#include "probe.h"

static int granted(void)
{
	return (int)own_number("fd");
}

static enum verdict grant_write(void)
{
	return outcome(write(granted(), "changed", 7));
}

static enum verdict grant_reopen(void)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/dev/fd/%d", granted());
	fd = open(path, O_WRONLY | O_APPEND);
	return outcome(fd < 0 ? -1 : write(fd, "changed", 7));
}

static enum verdict grant_truncate(void)
{
	return outcome(ftruncate(granted(), 1));
}

static enum verdict grant_map(void)
{
	char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED,
		       granted(), 0);

	if (p == MAP_FAILED)
		return outcome(-1);
	*p = '#';
	return outcome(msync(p, 4096, MS_SYNC));
}

static enum verdict grant_mode(void)
{
	return outcome(fchmod(granted(), 0640));
}

static enum verdict grant_times(void)
{
	const struct timespec then[2] = { { .tv_sec = 1 }, { .tv_sec = 1 } };

	return outcome(futimens(granted(), then));
}

static enum verdict grant_attribute(void)
{
	if (fsetxattr(granted(), "user.probe", "1", 1, 0) == 0)
		return DID;
	return errno == ENOTSUP ? absent("no attributes here") : outcome(-1);
}

static enum verdict grant_link(void)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", granted());
	if (linkat(AT_FDCWD, path, AT_FDCWD, in_ws("mine"),
		   AT_SYMLINK_FOLLOW) < 0)
		return outcome(-1);
	fd = open(in_ws("mine"), O_WRONLY | O_APPEND);
	return outcome(fd < 0 ? -1 : write(fd, "changed", 7));
}

static enum verdict grant_read(void)
{
	return show_fd(granted());
}

static enum verdict grant_send(void)
{
	return outcome(write(granted(), probe_name, strlen(probe_name)));
}

static bool is_granted(int fd)
{
	char name[32];

	snprintf(name, sizeof(name), "granted.%d", fd);
	return *key(name) != '\0';
}

/* Whatever nobody listed. */
static enum verdict extra(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int own = dir ? dirfd(dir) : -1;
	int found = 0;

	for (int fd = 3; fd < 1024; fd++) {
		if (fd == own || fcntl(fd, F_GETFD) < 0 || is_granted(fd))
			continue;
		show("fd %d ", fd);
		found++;
	}
	return found ? DID : REFUSED;
}

static enum verdict stray_read(void)
{
	char text[256] = "";

	if (pread((int)key_number("stray.file"), text, 255, 0) < 0)
		return outcome(-1);
	show("%s", text);
	return DID;
}

static enum verdict stray_openat(void)
{
	return show_fd(openat((int)key_number("stray.dir"), "secret",
			      O_RDONLY));
}

static enum verdict stray_send(void)
{
	return outcome(write((int)key_number("stray.socket"), probe_name,
			     strlen(probe_name)));
}

const struct probe grants_probes[] = {
	{ "grant.write", grant_write },
	{ "grant.reopen", grant_reopen },
	{ "grant.truncate", grant_truncate },
	{ "grant.mmap", grant_map },
	{ "grant.fchmod", grant_mode },
	{ "grant.futimens", grant_times },
	{ "grant.fsetxattr", grant_attribute },
	{ "grant.link", grant_link },
	{ "work.grant-read", grant_read },
	{ "work.grant-socket", grant_send },
	{ "stray.any", extra },
	{ "stray.read", stray_read },
	{ "stray.openat", stray_openat },
	{ "stray.send", stray_send },
	{ NULL, NULL }
};

/* SPDX-License-Identifier: Apache-2.0 */
/* ids: id maps of user namespaces.  user_namespaces(7) */
#include "kernel/ids.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"

static int write_file(const char *path, const char *text)
{
	AUTO_FD fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return write(fd, text, strlen(text)) < 0 ? -errno : 0;
}

/* /proc/WHO/NAME, where WHO is "self" or a pid. */
static int write_proc(pid_t pid, const char *name, const char *text)
{
	char buf[64];
	struct sbxi_text t = SBXI_TEXT(buf);

	sbxi_text_add(&t, "/proc/");
	if (pid == 0)
		sbxi_text_add(&t, "self");
	else
		sbxi_text_number(&t, (uint64_t)pid);
	sbxi_text_add(&t, "/");
	sbxi_text_add(&t, name);
	return write_file(buf, text);
}

static void add_range(struct sbxi_text *t, uint64_t inside, uint64_t outside,
		      uint64_t count)
{
	if (count == 0)
		return;
	sbxi_text_number(t, inside);
	sbxi_text_add(t, " ");
	sbxi_text_number(t, outside);
	sbxi_text_add(t, " ");
	sbxi_text_number(t, count);
	sbxi_text_add(t, "\n");
}

static int write_pair(pid_t pid, const char *name,
		      const struct sbxi_id_pair *pair)
{
	char buf[64];
	struct sbxi_text t = SBXI_TEXT(buf);

	add_range(&t, pair->inside, pair->outside, 1);
	return write_proc(pid, name, buf);
}

int sbxi_ids_map_self(const struct sbxi_id_pair *uid,
		      const struct sbxi_id_pair *gid)
{
	int rc = write_proc(0, "setgroups", "deny");

	if (rc == 0)
		rc = write_pair(0, "uid_map", uid);
	if (rc == 0)
		rc = write_pair(0, "gid_map", gid);
	return rc;
}

int sbxi_ids_map_child(pid_t pid, const struct sbxi_id_pair *uid,
		       const struct sbxi_id_pair *gid)
{
	int rc = write_proc(pid, "setgroups", "deny");

	if (rc == 0)
		rc = write_pair(pid, "uid_map", uid);
	if (rc == 0)
		rc = write_pair(pid, "gid_map", gid);
	return rc;
}

int sbxi_ids_map_swapped(pid_t pid, uint32_t a, uint32_t b)
{
	uint64_t low = a < b ? a : b, high = a < b ? b : a;
	char buf[160];
	struct sbxi_text t = SBXI_TEXT(buf);
	int rc;

	if (a == b)
		return -EINVAL;
	/* The last id, (uid_t)-1, stands for "none" and cannot be mapped. */
	add_range(&t, 0, 0, low);
	add_range(&t, low, high, 1);
	add_range(&t, low + 1, low + 1, high - low - 1);
	add_range(&t, high, low, 1);
	add_range(&t, high + 1, high + 1, UINT32_MAX - (high + 1));
	rc = write_proc(pid, "uid_map", buf);
	return rc < 0 ? rc : write_proc(pid, "gid_map", buf);
}

int sbxi_ids_initial_namespace(void)
{
	AUTO_FD fd = open("/proc/self/uid_map", O_RDONLY | O_CLOEXEC);
	char buf[64] = "";
	ssize_t n;
	const char *p = buf;

	if (fd < 0)
		return 0;
	n = read(fd, buf, sizeof(buf) - 1);
	if (n <= 0)
		return 0;
	/* "         0          0 4294967295" */
	for (int field = 0; field < 2; field++) {
		p += strspn(p, " ");
		if (p[0] != '0' || p[1] != ' ')
			return 0;
		p++;
	}
	return 1;
}

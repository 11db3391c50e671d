/* SPDX-License-Identifier: Apache-2.0 */
/* source: a path is the file that was meant, or nothing is opened. */
#include <sys/socket.h>
#include <sys/sysmacros.h>

#include "kernel/source.h"

#include "../base/help.h"

TestSuite(source, .init = make_scratch, .fini = drop_scratch, .timeout = 10);

static const char *in(const char *name)
{
	static char path[4][128];
	static unsigned int next;
	char *p = path[next++ % 4];

	snprintf(p, sizeof(path[0]), "%s/%s", scratch, name);
	return p;
}

static void file(const char *name)
{
	cr_assert_eq(put_file(scratch_fd, name, "text"), 0, "%s", name);
}

static struct sbxi_identity identity(const char *name)
{
	struct sbxi_identity id;
	int fd = openat(scratch_fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	memset(&id, 'x', sizeof(id));
	cr_assert_geq(fd, 0, "%s", name);
	cr_assert_eq(sbxi_identity_of(fd, &id), 0);
	close(fd);
	return id;
}

static void expect_opened(const char *name, struct sbxi_identity id)
{
	int before = n_open(), fd = sbxi_source_open(in(name), &id);
	struct stat a, b;

	cr_assert_geq(fd, 0, "%s: %s", name, strerror(-fd));
	cr_expect_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	cr_expect(fcntl(fd, F_GETFL) & O_PATH);
	cr_assert_eq(fstat(fd, &a), 0);
	cr_assert_eq(fstatat(scratch_fd, name, &b, AT_SYMLINK_NOFOLLOW), 0);
	cr_expect_eq(a.st_ino, b.st_ino);
	close(fd);
	cr_expect_eq(n_open(), before);
}

static void expect_refused(const char *name, struct sbxi_identity id, int code)
{
	int before = n_open(), fd = sbxi_source_open(in(name), &id);

	cr_expect_eq(fd, code, "%s: %d", name, fd);
	cr_expect_eq(n_open(), before);
}

Test(source, an_identity_is_what_stat_says)
{
	struct sbxi_identity id;
	struct stat st;

	file("file");
	id = identity("file");
	cr_assert_eq(fstatat(scratch_fd, "file", &st, 0), 0);
	cr_expect_eq(id.ino, st.st_ino);
	cr_expect_eq(id.dev_major, major(st.st_dev));
	cr_expect_eq(id.dev_minor, minor(st.st_dev));
	cr_expect_eq(id.type, (uint32_t)S_IFREG);
	cr_expect_eq(id.reserved, 0);
}

Test(source, an_identity_tells_the_type)
{
	file("file");
	cr_assert_eq(mkdirat(scratch_fd, "folder", 0700), 0);
	cr_assert_eq(mkfifoat(scratch_fd, "fifo", 0600), 0);
	cr_assert_eq(symlinkat("file", scratch_fd, "link"), 0);
	cr_expect_eq(identity("file").type, (uint32_t)S_IFREG);
	cr_expect_eq(identity("folder").type, (uint32_t)S_IFDIR);
	cr_expect_eq(identity("fifo").type, (uint32_t)S_IFIFO);
	cr_expect_eq(identity("link").type, (uint32_t)S_IFLNK);
}

Test(source, an_identity_of_nothing_is_an_error)
{
	struct sbxi_identity id = { .ino = 4711 };

	cr_expect_eq(sbxi_identity_of(-1, &id), -EBADF);
	cr_expect_eq(id.ino, 4711);
}

Test(source, the_same_file_is_opened)
{
	struct sbxi_identity id;

	file("file");
	cr_assert_eq(mkdirat(scratch_fd, "folder", 0700), 0);
	expect_opened("file", identity("file"));
	expect_opened("folder", identity("folder"));
	/* Its content, mode and name are not what it is. */
	id = identity("file");
	cr_assert_eq(put_file(scratch_fd, "file", "another text"), 0);
	cr_assert_eq(fchmodat(scratch_fd, "file", 0, 0), 0);
	expect_opened("file", id);
	cr_assert_eq(renameat(scratch_fd, "file", scratch_fd, "moved"), 0);
	expect_opened("moved", id);
}

Test(source, each_part_of_an_identity_counts)
{
	struct sbxi_identity id;

	file("file");
	expect_opened("file", identity("file"));
	id = identity("file");
	id.ino++;
	expect_refused("file", id, -ESTALE);
	id = identity("file");
	id.dev_major++;
	expect_refused("file", id, -ESTALE);
	id = identity("file");
	id.dev_minor++;
	expect_refused("file", id, -ESTALE);
	id = identity("file");
	id.type = S_IFDIR;
	expect_refused("file", id, -ESTALE);
	id = identity("file");
	id.btime_ns++;
	expect_refused("file", id, -ESTALE);
}

Test(source, another_file_in_its_place_is_stale)
{
	struct sbxi_identity id;

	file("file");
	file("other");
	id = identity("file");
	cr_assert_eq(renameat(scratch_fd, "other", scratch_fd, "file"), 0);
	expect_refused("file", id, -ESTALE);
}

Test(source, another_kind_of_file_in_its_place_is_stale)
{
	struct sbxi_identity id;

	file("file");
	id = identity("file");
	cr_assert_eq(unlinkat(scratch_fd, "file", 0), 0);
	cr_assert_eq(mkfifoat(scratch_fd, "file", 0600), 0);
	/* And nobody waits for a writer. */
	expect_refused("file", id, -ESTALE);
}

Test(source, a_link_in_its_place_is_stale_wherever_it_leads)
{
	struct sbxi_identity id;

	file("file");
	id = identity("file");
	cr_assert_eq(renameat(scratch_fd, "file", scratch_fd, "moved"), 0);
	cr_assert_eq(symlinkat("moved", scratch_fd, "file"), 0);
	expect_refused("file", id, -ESTALE);
	expect_opened("moved", id);
}

Test(source, a_link_swapped_in_on_the_way_is_stale)
{
	struct sbxi_identity id;

	cr_assert_eq(mkdirat(scratch_fd, "folder", 0700), 0);
	cr_assert_eq(mkdirat(scratch_fd, "secret", 0700), 0);
	file("folder/file");
	file("secret/file");
	id = identity("folder/file");
	expect_opened("folder/file", id);
	cr_assert_eq(renameat(scratch_fd, "folder", scratch_fd, "moved"), 0);
	cr_assert_eq(symlinkat("secret", scratch_fd, "folder"), 0);
	expect_refused("folder/file", id, -ESTALE);
}

Test(source, what_is_not_there_is_an_error)
{
	struct sbxi_identity id;

	file("file");
	id = identity("file");
	expect_refused("missing", id, -ENOENT);
	expect_refused("file/below", id, -ENOTDIR);
	cr_assert_eq(symlinkat("loop", scratch_fd, "loop"), 0);
	expect_refused("loop/below", id, -ELOOP);
}

static int open_forbidden(void)
{
	struct sbxi_identity id = identity("file");

	HOLDS(be_ordinary() == 0);
	HOLDS(openat(scratch_fd, "file", O_RDONLY | O_CLOEXEC) < 0);
	/* To name a file needs no right to it, and gives none. */
	HOLDS(sbxi_source_open(in("file"), &id) >= 0);
	HOLDS(sbxi_source_open(in("closed/file"), &id) == -EACCES);
	return 0;
}

Test(source, a_file_without_rights_can_be_named)
{
	file("file");
	cr_assert_eq(fchmodat(scratch_fd, "file", 0, 0), 0);
	cr_assert_eq(mkdirat(scratch_fd, "closed", 0), 0);
	expect_child(open_forbidden);
}

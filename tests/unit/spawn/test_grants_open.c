/* SPDX-License-Identifier: Apache-2.0 */
/* grants_open: rights, files by path and sealed data. */
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <criterion/criterion.h>

#include "base/kconst.h"
#include "grants_test.h"

TestSuite(grants_open, .init = set_up, .fini = tear_down, .timeout = 30);

/* Rights */

Test(grants_open, more_rights_than_the_descriptor_has_are_eacces)
{
	const char *path = file("f", "x");
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct sbx_grant g = fd_grant("f", fd, SBX_READ | SBX_WRITE);

	expect_refused(&g, 1, -EACCES);
	g.rights = SBX_WRITE;
	expect_refused(&g, 1, -EACCES);
	g.rights = SBX_READ;
	cr_expect_eq(open_all(&g, 1), 0);
	done();
	close(fd);
}

Test(grants_open, a_file_is_reopened_with_fewer_rights_at_the_same_place)
{
	const char *path = file("f", "0123456789");
	int fd = open(path, O_RDWR | O_CLOEXEC), got;
	struct sbx_grant g = fd_grant("f", fd, SBX_READ);
	char c;

	cr_assert_eq(lseek(fd, 4, SEEK_SET), 4);
	cr_assert_eq(open_all(&g, 1), 0, "%s", fail.text);
	got = out.grant[0].fd;
	cr_expect_eq(write(got, "x", 1), -1);
	cr_expect_eq(read(got, &c, 1), 1);
	cr_expect_eq(c, '4');
	cr_expect_eq(fcntl(got, F_GETFD), FD_CLOEXEC);
	cr_expect_eq(lseek(fd, 0, SEEK_CUR), 4, "the caller's place is his");
	done();
	/* The twin: as it is, it can be written. */
	g.rights = 0;
	cr_assert_eq(open_all(&g, 1), 0);
	cr_expect_eq(write(out.grant[0].fd, "x", 1), 1);
	done();
	close(fd);
}

Test(grants_open, narrowing_keeps_append)
{
	const char *path = file("f", "0123");
	int fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC);
	struct sbx_grant g = fd_grant("f", fd, SBX_WRITE);

	cr_assert_eq(open_all(&g, 1), 0);
	cr_expect_eq(fcntl(out.grant[0].fd, F_GETFL) & (O_ACCMODE | O_APPEND),
		     O_WRONLY | O_APPEND);
	done();
	close(fd);
}

Test(grants_open, what_cannot_be_narrowed_is_refused)
{
	int pair[2], fd;
	struct sbx_grant g;

	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0,
				pair), 0);
	g = fd_grant("s", pair[0], SBX_READ);
	expect_refused(&g, 1, -EINVAL);
	g.rights = SBX_READ | SBX_WRITE;
	cr_expect_eq(open_all(&g, 1), 0);
	done();
	fd = eventfd(0, EFD_CLOEXEC);
	g = fd_grant("e", fd, SBX_WRITE);
	expect_refused(&g, 1, -EINVAL);
	close(fd);
	close(pair[0]);
	close(pair[1]);
}

Test(grants_open, unknown_rights_flags_and_kinds_are_refused)
{
	int fd = eventfd(0, EFD_CLOEXEC);
	struct sbx_grant g = fd_grant("e", fd, SBX_EXEC);

	expect_refused(&g, 1, -EINVAL);
	g.rights = 0;
	g.flags = 1;
	expect_refused(&g, 1, -EINVAL);
	g.flags = 0;
	g.kind = 99;
	expect_refused(&g, 1, -EINVAL);
	g.kind = SBX_GRANT_FD;
	g.target = "/etc/passwd";
	expect_refused(&g, 1, -EINVAL);
	g.target = NULL;
	cr_expect_eq(open_all(&g, 1), 0);
	done();
	close(fd);
}

/* Files by path */

Test(grants_open, a_file_is_opened_with_its_rights)
{
	static const struct {
		uint32_t rights;
		int mode;
	} m[] = { { 0, O_RDONLY }, { SBX_READ, O_RDONLY },
		  { SBX_WRITE, O_WRONLY }, { SBX_READ | SBX_WRITE, O_RDWR } };
	const char *path = file("f", "content");
	size_t i;

	for (i = 0; i < 4; i++) {
		struct sbx_grant g = named(SBX_GRANT_FILE, "f", path,
					   m[i].rights);
		struct stat st;
		int got;

		cr_assert_eq(open_all(&g, 1), 0, "%s", fail.text);
		got = out.grant[0].fd;
		cr_expect_eq(fcntl(got, F_GETFL) & (O_ACCMODE | O_NONBLOCK),
			     m[i].mode);
		cr_expect_eq(fcntl(got, F_GETFD), FD_CLOEXEC);
		cr_assert_eq(fstat(got, &st), 0);
		cr_expect_eq(st.st_size, 7, "never truncated");
		done();
	}
}

Test(grants_open, a_link_to_a_file_is_followed)
{
	const char *path = file("f", "x");
	char link[128];
	struct sbx_grant g;

	snprintf(link, sizeof(link), "%s/link", dir);
	cr_assert_eq(symlink(path, link), 0);
	g = named(SBX_GRANT_FILE, "f", link, 0);
	cr_expect_eq(open_all(&g, 1), 0);
	done();
}

Test(grants_open, what_is_no_regular_file_is_refused_without_waiting)
{
	struct sbx_grant g = named(SBX_GRANT_FILE, "f", dir, 0);
	char path[128];

	expect_refused(&g, 1, -EINVAL);
	cr_expect(strstr(fail.text, dir), "%s", fail.text);
	snprintf(path, sizeof(path), "%s/fifo", dir);
	cr_assert_eq(mkfifo(path, 0600), 0);
	g.target = path;
	expect_refused(&g, 1, -EINVAL);
	g.target = "/dev/null";
	expect_refused(&g, 1, -EINVAL);
	g.target = "/dev/tty";
	expect_refused(&g, 1, -EINVAL);
	g.target = "/proc/self/environ";
	expect_refused(&g, 1, -EINVAL);
}

Test(grants_open, a_missing_file_is_enoent_and_is_not_made)
{
	struct sbx_grant g;
	char path[128];

	snprintf(path, sizeof(path), "%s/missing", dir);
	g = named(SBX_GRANT_FILE, "f", path, SBX_READ | SBX_WRITE);
	expect_refused(&g, 1, -ENOENT);
	cr_expect_eq(access(path, F_OK), -1);
	snprintf(path, sizeof(path), "%s/f", dir);
	file("f", "x");
	cr_expect_eq(open_all(&g, 1), 0);
	done();
	strcat(path, "/x");
	expect_refused(&g, 1, -ENOTDIR);
}

Test(grants_open, paths_that_are_not_plain_are_refused)
{
	static const char *const bad[] = { "", "f", "./f", "/tmp/../etc/passwd",
					   "/etc/./passwd" };
	struct sbx_grant g = named(SBX_GRANT_FILE, "f", NULL, 0);
	size_t i;

	expect_refused(&g, 1, -EINVAL);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		g.target = bad[i];
		expect_refused(&g, 1, -EINVAL);
	}
	g.target = file("f", "x");
	g.fd = 0;
	expect_refused(&g, 1, -EINVAL);
	g.fd = -1;
	cr_expect_eq(open_all(&g, 1), 0);
	done();
}

static int eacces_in_child(void)
{
	struct sbx_grant g = named(SBX_GRANT_FILE, "f", NULL, SBX_WRITE);
	char path[128];

	snprintf(path, sizeof(path), "%s/f", dir);
	g.target = path;
	if (setgid(65534) < 0 || setuid(65534) < 0)
		return 77;
	if (open_all(&g, 1) != -EACCES)
		return 1;
	g.rights = SBX_READ;
	return open_all(&g, 1) == 0 ? 0 : 2;
}

Test(grants_open, a_file_that_may_not_be_written_is_eacces)
{
	pid_t pid;
	int st;

	if (geteuid() != 0)
		skip("needs root to have a file of another user's");
	cr_assert_eq(chmod(dir, 0755), 0);
	cr_assert_eq(chmod(file("f", "x"), 0644), 0);
	pid = fork();
	if (pid == 0)
		_exit(eacces_in_child());
	cr_assert_eq(waitpid(pid, &st, 0), pid);
	if (WIFEXITED(st) && WEXITSTATUS(st) == 77)
		skip("this root cannot become another user");
	cr_expect_eq(st, 0);
}

/* Data */

static void expect_data(int fd, const char *text)
{
	char buf[64] = { 0 };
	int seals = fcntl(fd, SBXI_F_GET_SEALS);

	cr_expect_eq(read(fd, buf, sizeof(buf) - 1), (ssize_t)strlen(text));
	cr_expect_str_eq(buf, text);
	cr_expect_eq(seals & SBXI_SEALS_ALL, SBXI_SEALS_ALL);
	cr_expect_eq(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	cr_expect_eq(write(fd, "x", 1), -1);
	cr_expect_eq(ftruncate(fd, 0), -1);
}

Test(grants_open, data_is_a_sealed_copy_of_a_text)
{
	struct sbx_grant g[2] = { named(SBX_GRANT_DATA, "a", "secret", 0),
				  named(SBX_GRANT_DATA, "b", "", SBX_READ) };

	cr_assert_eq(open_all(g, 2), 0, "%s", fail.text);
	expect_data(out.grant[0].fd, "secret");
	expect_data(out.grant[1].fd, "");
	done();
}

Test(grants_open, data_is_a_copy_of_a_whole_file_wherever_it_stands)
{
	const char *path = file("f", "0123456789");
	int fd = open(path, O_RDWR | O_CLOEXEC);
	struct sbx_grant g = named(SBX_GRANT_DATA, "d", NULL, 0);

	g.fd = fd;
	cr_assert_eq(lseek(fd, 7, SEEK_SET), 7);
	cr_assert_eq(open_all(&g, 1), 0);
	cr_assert_eq(pwrite(fd, "X", 1, 0), 1);
	expect_data(out.grant[0].fd, "0123456789");
	cr_expect_eq(lseek(fd, 0, SEEK_CUR), 7);
	done();
	close(fd);
}

Test(grants_open, data_is_what_a_pipe_has_until_its_end)
{
	struct sbx_grant g = named(SBX_GRANT_DATA, "d", NULL, 0);
	int p[2];

	cr_assert_eq(pipe2(p, O_CLOEXEC), 0);
	cr_assert_eq(write(p[1], "in a pipe", 9), 9);
	close(p[1]);
	g.fd = p[0];
	cr_assert_eq(open_all(&g, 1), 0);
	expect_data(out.grant[0].fd, "in a pipe");
	done();
	close(p[0]);
}

Test(grants_open, a_pipe_that_nobody_closes_is_a_timeout)
{
	struct sbx_grant g = named(SBX_GRANT_DATA, "d", NULL, 0);
	int p[2], before;

	cr_assert_eq(pipe2(p, O_CLOEXEC), 0);
	g.fd = p[0];
	before = n_open();
	cr_expect_eq(sbxi_grants_open(&policy, &g, 1, 100, &out, &fail),
		     -ETIMEDOUT);
	cr_expect_eq(n_open(), before);
	close(p[0]);
	close(p[1]);
}

Test(grants_open, data_over_64_mib_is_too_big)
{
	struct sbx_grant g = named(SBX_GRANT_DATA, "d", NULL, 0);
	int fd = memfd_create("m", MFD_CLOEXEC);
	struct stat st;

	cr_assert_eq(ftruncate(fd, (64 << 20) + 1), 0);
	g.fd = fd;
	expect_refused(&g, 1, -E2BIG);
	cr_assert_eq(ftruncate(fd, 64 << 20), 0);
	cr_assert_eq(open_all(&g, 1), 0);
	cr_assert_eq(fstat(out.grant[0].fd, &st), 0);
	cr_expect_eq(st.st_size, 64 << 20);
	done();
	close(fd);
}

Test(grants_open, data_that_cannot_be_read_is_refused)
{
	struct sbx_grant g = named(SBX_GRANT_DATA, "d", NULL, 0);
	const char *path = file("f", "x");
	int fd, p[2];

	expect_refused(&g, 1, -EINVAL);
	g.fd = 700;
	expect_refused(&g, 1, -EBADF);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	g.fd = fd;
	expect_refused(&g, 1, -EACCES);
	close(fd);
	fd = open(path, O_PATH | O_CLOEXEC);
	g.fd = fd;
	expect_refused(&g, 1, -EACCES);
	close(fd);
	cr_assert_eq(pipe2(p, O_CLOEXEC), 0);
	g.fd = p[1];
	expect_refused(&g, 1, -EACCES);
	close(p[0]);
	close(p[1]);
	fd = open(dir, O_RDONLY | O_CLOEXEC);
	g.fd = fd;
	expect_refused(&g, 1, -EINVAL);
	close(fd);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	g.fd = fd;
	g.target = "both";
	expect_refused(&g, 1, -EINVAL);
	g.target = NULL;
	g.rights = SBX_WRITE;
	expect_refused(&g, 1, -EINVAL);
	g.rights = 0;
	cr_expect_eq(open_all(&g, 1), 0);
	done();
	close(fd);
}

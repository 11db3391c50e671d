/* SPDX-License-Identifier: Apache-2.0 */
/* memfd: what is sealed stays as it is, and only a program can be executed. */
#include "base/memfd.h"

#include "help.h"

TestSuite(memfd, .timeout = 20);

static void expect_content(int fd, const char *data, size_t len)
{
	char *buf = malloc(len + 1);

	cr_assert_not_null(buf);
	cr_expect_eq(pread(fd, buf, len + 1, 0), (ssize_t)len);
	cr_expect_eq(memcmp(buf, data, len), 0);
	free(buf);
}

Test(memfd, holds_the_data)
{
	static const char text[] = "one\0two";
	int before = n_open();
	int fd = sbxi_memfd_sealed("sbx-test", text, sizeof(text), false);

	cr_assert_geq(fd, 3);
	cr_expect_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	expect_content(fd, text, sizeof(text));
	cr_expect_eq(n_open(), before + 1);
	close(fd);
}

Test(memfd, holds_nothing_or_much)
{
	size_t len = (3u << 20) + 1;
	char *data = malloc(len);
	int fd = sbxi_memfd_sealed("sbx-test", "", 0, false);

	cr_assert_not_null(data);
	cr_assert_geq(fd, 3);
	expect_content(fd, "", 0);
	cr_expect_eq(sbxi_memfd_check(fd), 0);
	close(fd);
	for (size_t i = 0; i < len; i++)
		data[i] = (char)(i >> 4);
	fd = sbxi_memfd_sealed("sbx-test", data, len, false);
	cr_assert_geq(fd, 3);
	expect_content(fd, data, len);
	close(fd);
	free(data);
}

static void expect_sealed(int fd)
{
	cr_expect_eq(sbxi_memfd_check(fd), 0);
	cr_expect_eq(pwrite(fd, "x", 1, 0), -1);
	cr_expect_eq(errno, EPERM);
	cr_expect_eq(ftruncate(fd, 0), -1);
	cr_expect_eq(errno, EPERM);
	cr_expect_eq(ftruncate(fd, 1 << 20), -1);
	cr_expect_eq(errno, EPERM);
	cr_expect_eq(mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0),
		     MAP_FAILED);
	cr_expect_eq(fcntl(fd, SBXI_F_ADD_SEALS, 0x10), -1);
	cr_expect_eq(errno, EPERM, "no seal can be added");
}

Test(memfd, cannot_be_changed)
{
	int fd = sbxi_memfd_sealed("sbx-test", "text", 4, false);

	cr_assert_geq(fd, 3);
	expect_sealed(fd);
	expect_content(fd, "text", 4);
	close(fd);
}

Test(memfd, cannot_be_changed_if_it_is_a_program)
{
	int fd = sbxi_memfd_sealed("sbx-test", "text", 4, true);

	if (fd == -EACCES)
		skip_or_fail("vm.memfd_noexec=2 refuses programs in memory");
	cr_assert_geq(fd, 3);
	expect_sealed(fd);
	expect_content(fd, "text", 4);
	close(fd);
}

/* An unsealed one with these seals. */
static int with_seals(int seals)
{
	int fd = (int)syscall(SYS_memfd_create, "sbx-test",
			      SBXI_MFD_CLOEXEC | SBXI_MFD_ALLOW_SEALING);

	cr_assert_geq(fd, 0);
	cr_assert_eq(fcntl(fd, SBXI_F_ADD_SEALS, seals), 0);
	return fd;
}

static void expect_check(int fd, int code)
{
	cr_expect_eq(sbxi_memfd_check(fd), code);
	close(fd);
}

Test(memfd, each_missing_seal_is_noticed)
{
	expect_check(with_seals(SBXI_SEALS_ALL), 0);
	expect_check(with_seals(0), -EPERM);
	expect_check(with_seals(SBXI_SEALS_ALL & ~SBXI_F_SEAL_SEAL), -EPERM);
	expect_check(with_seals(SBXI_SEALS_ALL & ~SBXI_F_SEAL_SHRINK),
		     -EPERM);
	expect_check(with_seals(SBXI_SEALS_ALL & ~SBXI_F_SEAL_GROW), -EPERM);
	expect_check(with_seals(SBXI_SEALS_ALL & ~SBXI_F_SEAL_WRITE), -EPERM);
}

Test(memfd, what_is_no_memfd_has_no_seals)
{
	int pipes[2];

	cr_assert_eq(pipe2(pipes, O_CLOEXEC), 0);
	cr_expect_eq(sbxi_memfd_check(pipes[0]), -EINVAL);
	cr_expect_eq(sbxi_memfd_check(-1), -EBADF);
	expect_check(null_device(), -EINVAL);
	close(pipes[0]);
	close(pipes[1]);
}

static bool sealed_and_high(bool executable)
{
	int fd = sbxi_memfd_sealed("sbx-test", "text", 4, executable);
	char buf[5];
	bool ok = fd >= 3 && fcntl(fd, F_GETFD) == FD_CLOEXEC &&
		  sbxi_memfd_check(fd) == 0 && pread(fd, buf, 5, 0) == 4;

	if (fd >= 0)
		close(fd);
	return ok;
}

static int with_low_numbers_free(void)
{
	close(0);
	close(1);
	close(2);
	HOLDS(sealed_and_high(false));
	HOLDS(n_open_in(0, 3) == 0);
	return 0;
}

Test(memfd, leaves_low_numbers_free)
{
	expect_child(with_low_numbers_free);
}

static int with_a_full_table(void)
{
	HOLDS(clear_table() == 0);
	HOLDS(limit_files(3) == 0);
	HOLDS(sbxi_memfd_sealed("sbx-test", "x", 1, false) == -EMFILE);
	/* There is room for one, but not to move it up. */
	close(0);
	HOLDS(sbxi_memfd_sealed("sbx-test", "x", 1, false) < 0);
	HOLDS(n_open_in(0, 20) == 2);
	return 0;
}

Test(memfd, a_full_table_is_an_error_and_nothing_leaks)
{
	expect_child(with_a_full_table);
}

/* Kernels before 6.3: memfd_create(2) refuses flags that it does not know. */
static int be_older(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, args[1])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K,
			 SBXI_MFD_NOEXEC_SEAL | SBXI_MFD_EXEC, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { .len = 6, .filter = code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
}

static int on_an_older_kernel(void)
{
	HOLDS(be_older() == 0);
	HOLDS(syscall(SYS_memfd_create, "x", SBXI_MFD_EXEC) == -1);
	HOLDS(sealed_and_high(false));
	HOLDS(sealed_and_high(true));
	return 0;
}

Test(memfd, works_on_kernels_without_the_newer_flags)
{
	expect_child(on_an_older_kernel);
}

static int without_memfd(void)
{
	HOLDS(refuse_call(SYS_memfd_create, ENOSYS) == 0);
	HOLDS(sbxi_memfd_sealed("sbx-test", "x", 1, false) == -ENOSYS);
	return 0;
}

Test(memfd, a_host_without_it_is_an_error)
{
	expect_child(without_memfd);
}

static int execute(bool executable)
{
	static char program[4u << 20];
	char *argv[] = { program, NULL };
	int fd = open("/bin/true", O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, program, sizeof(program));

	if (n <= 0 || n == (ssize_t)sizeof(program))
		return CHILD_SKIPS;
	fd = sbxi_memfd_sealed("sbx-test", program, (size_t)n, executable);
	if (fd == -EACCES)
		return CHILD_SKIPS;
	HOLDS(fd >= 0);
	program[0] = '\0';
	syscall(SYS_execveat, fd, "", argv, argv + 1, 0x1000);
	return errno == EACCES ? 13 : CHILD_FAILED;
}

static int execute_a_program(void)
{
	return execute(true);
}

static int execute_data(void)
{
	return execute(false);
}

Test(memfd, a_program_can_be_executed)
{
	int rc = in_child(execute_a_program);

	if (rc == CHILD_SKIPS)
		skip_or_fail("no program to try, or vm.memfd_noexec=2");
	cr_expect_eq(rc, 0, "%d", rc);
}

Test(memfd, data_cannot_be_executed)
{
	int fd = (int)syscall(SYS_memfd_create, "x", SBXI_MFD_NOEXEC_SEAL);
	int rc;

	if (fd < 0)
		skip_or_fail("this kernel lets every memfd be executed");
	close(fd);
	rc = in_child(execute_data);
	if (rc == CHILD_SKIPS)
		skip_or_fail("no program to try");
	cr_expect_eq(rc, 13, "%d", rc);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* landlock: the right bits, and what they refuse and allow. */
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

#include <sandbox/types.h>

#include "kernel/landlock.h"

#include "../base/help.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define RW (SBX_READ | SBX_WRITE)
#define ALL (SBX_READ | SBX_WRITE | SBX_EXEC)

TestSuite(landlock_bits, .timeout = 10);

static uint64_t of_dir(uint32_t rights, int abi)
{
	return sbxi_landlock_access(rights, true, false, abi);
}

static uint64_t of_file(uint32_t rights, int abi)
{
	return sbxi_landlock_access(rights, false, false, abi);
}

Test(landlock_bits, no_right_is_no_bit)
{
	for (int abi = 1; abi <= 9; abi++) {
		cr_expect_eq(of_dir(0, abi), 0);
		cr_expect_eq(of_file(0, abi), 0);
	}
}

Test(landlock_bits, each_right_has_its_bits)
{
	const uint64_t read = SBXI_LL_FS_READ_FILE | SBXI_LL_FS_READ_DIR;
	const uint64_t write = SBXI_LL_FS_WRITE_FILE |
		SBXI_LL_FS_REMOVE_DIR | SBXI_LL_FS_REMOVE_FILE |
		SBXI_LL_FS_MAKE_DIR | SBXI_LL_FS_MAKE_REG |
		SBXI_LL_FS_MAKE_SOCK | SBXI_LL_FS_MAKE_FIFO |
		SBXI_LL_FS_MAKE_SYM;

	cr_expect_eq(of_dir(SBX_READ, 1), read);
	cr_expect_eq(of_dir(SBX_EXEC, 1), SBXI_LL_FS_EXECUTE);
	cr_expect_eq(of_dir(SBX_WRITE, 1), write);
	cr_expect_eq(of_dir(SBX_WRITE, 2), write | SBXI_LL_FS_REFER);
	cr_expect_eq(of_dir(SBX_WRITE, 3),
		     write | SBXI_LL_FS_REFER | SBXI_LL_FS_TRUNCATE);
	cr_expect_eq(of_dir(ALL, 1), read | write | SBXI_LL_FS_EXECUTE);
}

Test(landlock_bits, a_file_has_no_bits_of_folders)
{
	cr_expect_eq(of_file(SBX_READ, 3), SBXI_LL_FS_READ_FILE);
	cr_expect_eq(of_file(SBX_EXEC, 3), SBXI_LL_FS_EXECUTE);
	cr_expect_eq(of_file(SBX_WRITE, 1), SBXI_LL_FS_WRITE_FILE);
	cr_expect_eq(of_file(SBX_WRITE, 3),
		     SBXI_LL_FS_WRITE_FILE | SBXI_LL_FS_TRUNCATE);
}

Test(landlock_bits, nobody_may_make_a_device)
{
	for (int abi = 1; abi <= 9; abi++)
		cr_expect_eq(sbxi_landlock_access(ALL, true, true, abi) &
			     (SBXI_LL_FS_MAKE_CHAR | SBXI_LL_FS_MAKE_BLOCK),
			     0);
}

Test(landlock_bits, only_a_device_takes_ioctl)
{
	cr_expect_eq(sbxi_landlock_access(RW, false, true, 4) &
		     SBXI_LL_FS_IOCTL_DEV, 0);
	cr_expect_eq(sbxi_landlock_access(RW, false, true, 5) &
		     SBXI_LL_FS_IOCTL_DEV, SBXI_LL_FS_IOCTL_DEV);
	cr_expect_eq(of_file(ALL, 9) & SBXI_LL_FS_IOCTL_DEV, 0);
	cr_expect_eq(of_dir(ALL, 9) & SBXI_LL_FS_IOCTL_DEV, 0);
}

Test(landlock_bits, no_abi_gets_a_bit_that_it_does_not_know)
{
	static const int bits[] = { 0, 13, 14, 15, 15, 16, 16, 16, 16, 17 };

	for (int abi = 1; abi <= 9; abi++) {
		uint64_t known = (1ull << bits[abi]) - 1;

		for (int i = 0; i < 4; i++)
			cr_expect_eq(sbxi_landlock_access(ALL, i & 1, i & 2,
							  abi) & ~known, 0,
				     "ABI %d", abi);
	}
}

static void set_up(void)
{
	make_scratch();
	if (sbxi_landlock_abi() == 0) {
		drop_scratch();
		skip_or_fail("this kernel has no Landlock");
	}
	cr_assert_eq(mkdirat(scratch_fd, "granted", 0777), 0);
	cr_assert_eq(mkdirat(scratch_fd, "granted/sub", 0777), 0);
	cr_assert_eq(mkdirat(scratch_fd, "other", 0777), 0);
	cr_assert_eq(put_file(scratch_fd, "granted/file", "text"), 0);
	cr_assert_eq(put_file(scratch_fd, "other/file", "text"), 0);
}

TestSuite(landlock, .init = set_up, .fini = drop_scratch, .timeout = 20);

Test(landlock, a_ruleset_of_each_abi_up_to_the_hosts_is_made)
{
	int host = sbxi_landlock_abi(), before = n_open();

	for (int abi = 1; abi <= host; abi++) {
		int fds[] = {
			sbxi_landlock_create(abi, 0),
			sbxi_landlock_create(abi, SBXI_LANDLOCK_NET),
			sbxi_landlock_create(abi, SBXI_LANDLOCK_SCOPES),
			sbxi_landlock_create(abi, SBXI_LANDLOCK_NET |
						  SBXI_LANDLOCK_SCOPES),
			sbxi_landlock_create_outer(abi),
		};

		for (size_t i = 0; i < COUNT(fds); i++) {
			cr_expect_geq(fds[i], 0, "ABI %d: %s", abi,
				      strerror(-fds[i]));
			cr_expect_eq(fcntl(fds[i], F_GETFD), FD_CLOEXEC);
			close(fds[i]);
		}
	}
	cr_expect_eq(n_open(), before);
}

/* These rights to a name of the scratch folder, and then for good. */
static int confine(int abi, uint32_t what, const char *name, uint32_t rights)
{
	int rules = sbxi_landlock_create(abi, what), fd = -1, rc;
	struct stat st;

	if (rules < 0)
		return rules;
	if (name) {
		fd = openat(scratch_fd, name, O_PATH | O_CLOEXEC);
		if (fd < 0 || fstat(fd, &st) < 0)
			return -errno;
		rc = sbxi_landlock_allow(rules, fd,
			sbxi_landlock_access(rights, S_ISDIR(st.st_mode),
					     S_ISCHR(st.st_mode), abi));
		close(fd);
		if (rc < 0)
			return rc;
	}
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	rc = sbxi_landlock_enter(rules);
	close(rules);
	return rc;
}

static int can_open(const char *name, int flags)
{
	int fd = openat(scratch_fd, name, flags | O_CLOEXEC, 0600);

	if (fd < 0)
		return 0;
	close(fd);
	return 1;
}

static int cannot_open(const char *name, int flags)
{
	return !can_open(name, flags) && errno == EACCES;
}

static int nothing(void)
{
	HOLDS(can_open("other/file", O_RDWR));
	HOLDS(confine(sbxi_landlock_abi(), 0, NULL, 0) == 0);
	HOLDS(cannot_open("other/file", O_RDONLY));
	HOLDS(cannot_open("other/file", O_WRONLY));
	HOLDS(cannot_open("granted", O_RDONLY | O_DIRECTORY));
	HOLDS(cannot_open("granted/new", O_WRONLY | O_CREAT));
	return 0;
}

static int reading(void)
{
	HOLDS(confine(sbxi_landlock_abi(), 0, "granted", SBX_READ) == 0);
	HOLDS(can_open("granted/file", O_RDONLY));
	HOLDS(can_open("granted", O_RDONLY | O_DIRECTORY));
	HOLDS(cannot_open("granted/file", O_WRONLY));
	HOLDS(cannot_open("granted/new", O_WRONLY | O_CREAT));
	HOLDS(unlinkat(scratch_fd, "granted/file", 0) < 0 && errno == EACCES);
	HOLDS(cannot_open("other/file", O_RDONLY));
	return 0;
}

static int writing(void)
{
	HOLDS(confine(sbxi_landlock_abi(), 0, "granted", SBX_WRITE) == 0);
	HOLDS(can_open("granted/file", O_WRONLY));
	HOLDS(cannot_open("granted/file", O_RDONLY));
	HOLDS(can_open("granted/new", O_WRONLY | O_CREAT));
	HOLDS(mkdirat(scratch_fd, "granted/folder", 0700) == 0);
	HOLDS(symlinkat("x", scratch_fd, "granted/link") == 0);
	HOLDS(mkfifoat(scratch_fd, "granted/fifo", 0600) == 0);
	HOLDS(unlinkat(scratch_fd, "granted/fifo", 0) == 0);
	HOLDS(unlinkat(scratch_fd, "granted/folder", AT_REMOVEDIR) == 0);
	HOLDS(cannot_open("other/file", O_WRONLY));
	HOLDS(cannot_open("other/new", O_WRONLY | O_CREAT));
	HOLDS(mkdirat(scratch_fd, "other/folder", 0700) < 0);
	return 0;
}

static int one_file(void)
{
	HOLDS(confine(sbxi_landlock_abi(), 0, "granted/file", RW) == 0);
	HOLDS(can_open("granted/file", O_RDWR));
	HOLDS(cannot_open("granted", O_RDONLY | O_DIRECTORY));
	HOLDS(cannot_open("granted/new", O_WRONLY | O_CREAT));
	return 0;
}

Test(landlock, a_ruleset_without_rules_refuses_all)
{
	expect_child(nothing);
}

Test(landlock, rights_reach_as_far_as_they_are_granted)
{
	expect_child(reading);
	expect_child(writing);
	expect_child(one_file);
}

static int execution(uint32_t rights)
{
	char *argv[] = { NULL, NULL };
	int fd = open("/bin/true", O_PATH | O_CLOEXEC);
	int rules = sbxi_landlock_create(sbxi_landlock_abi(), 0);
	int root = open("/", O_PATH | O_CLOEXEC);

	HOLDS(fd >= 0 && rules >= 0 && root >= 0);
	HOLDS(sbxi_landlock_allow(rules, root,
		of_dir(rights, sbxi_landlock_abi())) == 0);
	HOLDS(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	HOLDS(sbxi_landlock_enter(rules) == 0);
	argv[0] = scratch;
	syscall(SYS_execveat, fd, "", argv, argv + 1, 0x1000);
	return errno == EACCES ? 13 : CHILD_FAILED;
}

static int with_exec(void)
{
	return execution(SBX_READ | SBX_EXEC);
}

static int without_exec(void)
{
	return execution(RW);
}

Test(landlock, only_what_may_be_executed_is)
{
	cr_expect_eq(in_child(with_exec), 0);
	cr_expect_eq(in_child(without_exec), 13);
}

static int truncation(void)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/granted/file", scratch);
	HOLDS(confine(sbxi_landlock_abi(), 0, "granted", SBX_READ) == 0);
	HOLDS(truncate(path, 0) < 0 && errno == EACCES);
	return 0;
}

static int truncation_with_right(void)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/granted/file", scratch);
	HOLDS(confine(sbxi_landlock_abi(), 0, "granted", RW) == 0);
	HOLDS(truncate(path, 0) == 0);
	return 0;
}

Test(landlock, truncation_is_writing)
{
	if (sbxi_landlock_abi() < 3) {
		drop_scratch();
		skip_or_fail("ABI 3 brought truncation");
	}
	expect_child(truncation);
	expect_child(truncation_with_right);
}

/* Between folders, which ABI 1 never allows. */
static int moving(void)
{
	HOLDS(confine(sbxi_landlock_abi(), 0, "granted", RW) == 0);
	HOLDS(renameat(scratch_fd, "granted/file", scratch_fd,
		       "granted/sub/file") == 0);
	HOLDS(renameat(scratch_fd, "granted/sub/file", scratch_fd,
		       "other/new") < 0);
	return 0;
}

Test(landlock, files_move_between_granted_folders_only)
{
	if (sbxi_landlock_abi() < 2) {
		drop_scratch();
		skip_or_fail("ABI 2 brought moving");
	}
	expect_child(moving);
}

static int bind_tcp(void)
{
	struct sockaddr_in a = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), rc;

	rc = bind(fd, (struct sockaddr *)&a, sizeof(a)) < 0 ? -errno : 0;
	close(fd);
	return rc;
}

static int tcp_refused(void)
{
	HOLDS(confine(sbxi_landlock_abi(), SBXI_LANDLOCK_NET, NULL, 0) == 0);
	HOLDS(bind_tcp() == -EACCES);
	return 0;
}

static int tcp_not_handled(void)
{
	HOLDS(confine(sbxi_landlock_abi(), 0, NULL, 0) == 0);
	HOLDS(bind_tcp() == 0);
	return 0;
}

static int tcp_of_an_older_abi(void)
{
	HOLDS(confine(3, SBXI_LANDLOCK_NET, NULL, 0) == 0);
	HOLDS(bind_tcp() == 0);
	return 0;
}

Test(landlock, tcp_is_refused_where_that_is_asked_for)
{
	if (sbxi_landlock_abi() < 4 || bind_tcp() < 0) {
		drop_scratch();
		skip_or_fail("ABI 4 brought TCP, and it needs a loopback");
	}
	expect_child(tcp_refused);
	expect_child(tcp_not_handled);
	expect_child(tcp_of_an_older_abi);
}

/* An abstract socket that listens outside. */
static struct sockaddr_un outside;
static socklen_t outside_len;

static int connect_outside(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), rc;

	rc = connect(fd, (struct sockaddr *)&outside, outside_len) < 0
		     ? -errno : 0;
	close(fd);
	return rc;
}

static int signals_and_sockets_stay_inside(int rc)
{
	pid_t pid;
	int st;

	HOLDS(rc == 0);
	HOLDS(kill(getppid(), 0) < 0 && errno == EPERM);
	HOLDS(connect_outside() == -EPERM);
	/* The twin: its own child is inside. */
	pid = fork();
	if (pid == 0) {
		pause();
		_exit(0);
	}
	HOLDS(kill(pid, SIGKILL) == 0);
	HOLDS(waitpid(pid, &st, 0) == pid);
	return 0;
}

static int with_scopes(void)
{
	return signals_and_sockets_stay_inside(
		confine(sbxi_landlock_abi(), SBXI_LANDLOCK_SCOPES, NULL, 0));
}

static int enter_outer(int abi)
{
	int rules = sbxi_landlock_create_outer(abi), rc;

	if (rules < 0)
		return rules;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	rc = sbxi_landlock_enter(rules);
	close(rules);
	return rc;
}

static int with_outer_layer(void)
{
	return signals_and_sockets_stay_inside(
		enter_outer(sbxi_landlock_abi()));
}

static int without_scopes(void)
{
	HOLDS(confine(sbxi_landlock_abi(), 0, NULL, 0) == 0);
	HOLDS(kill(getppid(), 0) == 0);
	HOLDS(connect_outside() == 0);
	return 0;
}

Test(landlock, scopes_keep_signals_and_abstract_sockets_inside)
{
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (sbxi_landlock_abi() < 6) {
		drop_scratch();
		skip_or_fail("ABI 6 brought scopes");
	}
	outside.sun_family = AF_UNIX;
	outside_len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
				  snprintf(outside.sun_path + 1, 64,
					   "sbx-unit-%d", getpid()));
	cr_assert_eq(bind(s, (struct sockaddr *)&outside, outside_len), 0);
	cr_assert_eq(listen(s, 8), 0);
	expect_child(with_scopes);
	expect_child(with_outer_layer);
	expect_child(without_scopes);
	close(s);
}

static int make_device(const char *name)
{
	return mknodat(scratch_fd, name, S_IFCHR | 0600, makedev(1, 3)) < 0
		       ? -errno : 0;
}

static int outer_layer(void)
{
	HOLDS(enter_outer(sbxi_landlock_abi()) == 0);
	HOLDS(can_open("granted/file", O_RDWR));
	HOLDS(can_open("other/new", O_RDWR | O_CREAT));
	HOLDS(mkdirat(scratch_fd, "other/folder", 0700) == 0);
	if (sbxi_landlock_abi() >= 2)
		HOLDS(renameat(scratch_fd, "granted/file", scratch_fd,
			       "other/folder/file") == 0);
	/* A task's own layer still goes on top. */
	HOLDS(confine(sbxi_landlock_abi(), 0, "granted", SBX_READ) == 0);
	HOLDS(cannot_open("other/file", O_RDONLY));
	return 0;
}

Test(landlock, an_outer_layer_leaves_files_as_they_are)
{
	expect_child(outer_layer);
}

static int no_device(void)
{
	HOLDS(make_device("granted/twin") == 0);
	HOLDS(enter_outer(sbxi_landlock_abi()) == 0);
	HOLDS(make_device("granted/device") == -EACCES);
	return 0;
}

static int no_device_in_a_granted_folder(void)
{
	HOLDS(confine(sbxi_landlock_abi(), 0, "granted", ALL) == 0);
	HOLDS(make_device("granted/device") == -EACCES);
	return 0;
}

Test(landlock, no_device_is_made)
{
	if (make_device("device") < 0) {
		drop_scratch();
		cr_skip_test("only root makes devices, and not everywhere");
	}
	expect_child(no_device);
	expect_child(no_device_in_a_granted_folder);
}

Test(landlock, bad_rules_are_errors)
{
	int abi = sbxi_landlock_abi();
	int rules = sbxi_landlock_create(abi, 0);

	cr_assert_geq(rules, 0);
	cr_expect_eq(sbxi_landlock_allow(rules, scratch_fd,
					 of_dir(RW, abi)), 0);
	cr_expect_eq(sbxi_landlock_allow(rules, -1, of_dir(RW, abi)), -EBADF);
	cr_expect_eq(sbxi_landlock_allow(-1, scratch_fd, of_dir(RW, abi)),
		     -EBADF);
	cr_expect_eq(sbxi_landlock_allow(rules, scratch_fd, 1ull << 60),
		     -EINVAL);
	cr_expect_eq(sbxi_landlock_allow(rules, scratch_fd, 0), 0);
	close(rules);
}

static int enter_nothing(void)
{
	HOLDS(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	HOLDS(sbxi_landlock_enter(-1) == -EBADF);
	HOLDS(can_open("other/file", O_RDWR));
	return 0;
}

static int enter_with_privileges(void)
{
	int rules = sbxi_landlock_create(sbxi_landlock_abi(), 0);

	/* Whoever could gain some by exec may confine nobody. */
	HOLDS(rules >= 0);
	HOLDS(be_ordinary() == 0);
	HOLDS(sbxi_landlock_enter(rules) == -EPERM);
	HOLDS(can_open("other/file", O_RDONLY));
	return 0;
}

Test(landlock, what_cannot_be_entered_is_an_error)
{
	expect_child(enter_nothing);
	expect_child(enter_with_privileges);
}

static int not_there(void)
{
	HOLDS(refuse_call(SYS_landlock_create_ruleset, ENOSYS) == 0);
	HOLDS(sbxi_landlock_abi() == 0 && errno == ENOSYS);
	HOLDS(sbxi_landlock_create(1, 0) == -ENOSYS);
	HOLDS(sbxi_landlock_create_outer(1) == -ENOSYS);
	return 0;
}

Test(landlock, a_host_without_it_says_so)
{
	expect_child(not_there);
}

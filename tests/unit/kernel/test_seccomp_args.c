/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the filters compare: calls with their answers, written from the
 * promise and not from the tables.  Each denial has its allowed twin.
 */

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <criterion/criterion.h>

#include "seccomp_attempts.h"

#define N(array) (sizeof(array) / sizeof(*(array)))
#define ANY_POINTER 0x7f0012345678ull

TestSuite(seccomp_args, .init = attempts_init, .fini = attempts_done,
	  .timeout = 20);

Test(seccomp_args, set_id_bits_are_never_made)
{
	static const struct attempt t[] = {
		{ A, SYS_fchmod, OK, { 3, 0755 } },
		{ A, SYS_fchmod, ERR(EPERM), { 3, 04755 } },
		{ A, SYS_fchmod, OK, { 3, 01777 } },
		{ B, SYS_fchmod, ERR(EPERM), { 3, 02755 } },
		{ A, SYS_fchmodat, OK, { 3, 0, 0644 } },
		{ A, SYS_fchmodat, ERR(EPERM), { 3, 0, 06644 } },
		{ A, 452, OK, { 3, 0, 0644, 0x1000 } },
		{ A, 452, ERR(EPERM), { 3, 0, 04644, 0x1000 } },
		{ A, SYS_mkdirat, OK, { 3, 0, 0777 } },
		{ A, SYS_mkdirat, ERR(EPERM), { 3, 0, 02777 } },
		{ B, SYS_mkdirat, ERR(EPERM), { 3, 0, 04777 } },
		{ A, SYS_openat, OK, { 3, 0, O_CREAT | O_WRONLY, 0666 } },
		{ A, SYS_openat, ERR(EPERM), { 3, 0, O_CREAT, 04666 } },
		{ B, SYS_openat, ERR(EPERM), { 3, 0, O_CREAT, 02666 } },
		{ A, SYS_openat, ERR(EPERM), { 3, 0, O_TMPFILE, 04600 } },
		{ A, SYS_openat, OK, { 3, 0, O_TMPFILE | O_RDWR, 0600 } },
		/* Without a file to make the argument is not read. */
		{ A, SYS_openat, OK, { 3, 0, O_RDONLY, 07777 } },
		{ A, SYS_openat, OK, { 3, 0, O_DIRECTORY, 07777 } },
#if defined(__x86_64__)
		{ A, SYS_chmod, OK, { 0, 0755 } },
		{ A, SYS_chmod, ERR(EPERM), { 0, 04755 } },
		{ A, SYS_open, OK, { 0, O_CREAT, 0644 } },
		{ A, SYS_open, ERR(EPERM), { 0, O_CREAT, 06644 } },
		{ B, SYS_open, ERR(EPERM), { 0, O_CREAT, 06644 } },
		{ A, SYS_creat, OK, { 0, 0644 } },
		{ A, SYS_creat, ERR(EPERM), { 0, 04644 } },
		{ A, SYS_mkdir, OK, { 0, 0755 } },
		{ A, SYS_mkdir, ERR(EPERM), { 0, 02755 } },
#endif
	};

	CHECK(t);
}

Test(seccomp_args, device_nodes_are_never_made)
{
	static const struct attempt t[] = {
		{ A, SYS_mknodat, OK, { 3, 0, 0010644 } },
		{ A, SYS_mknodat, OK, { 3, 0, 0100644 } },
		{ A, SYS_mknodat, OK, { 3, 0, 0644 } },
		{ B, SYS_mknodat, OK, { 3, 0, 0140644 } },
		{ A, SYS_mknodat, ERR(EPERM), { 3, 0, 0020644 } },
		{ A, SYS_mknodat, ERR(EPERM), { 3, 0, 0060644 } },
		{ B, SYS_mknodat, ERR(EPERM), { 3, 0, 0020000 } },
		{ A, SYS_mknodat, ERR(EPERM), { 3, 0, 0014755 } },
#if defined(__x86_64__)
		{ A, SYS_mknod, OK, { 0, 0010644 } },
		{ A, SYS_mknod, ERR(EPERM), { 0, 0020644 } },
#endif
		/* A whiteout is one, too. */
		{ A, SYS_renameat2, OK, { 3, 0, 3, 0, 1 } },
		{ A, SYS_renameat2, ERR(EPERM), { 3, 0, 3, 0, 4 } },
		{ B, SYS_renameat2, ERR(EPERM), { 3, 0, 3, 0, 5 } },
	};

	CHECK(t);
}

Test(seccomp_args, old_landlock_does_not_let_truncation_through)
{
	static const struct attempt t[] = {
		{ B, SYS_truncate, OK, { 0, 0 } },
		{ B5, SYS_truncate, OK, { 0, 0 } },
		{ B2, SYS_truncate, ERR(EACCES), { 0, 0 } },
		{ A_OLD, SYS_truncate, OK, { 0, 0 } },
		{ B2, SYS_ftruncate, OK, { 3, 0 } },
		{ B5, SYS_openat, OK, { 3, 0, O_TRUNC } },
		{ B2, SYS_openat, ERR(EACCES), { 3, 0, O_TRUNC } },
		{ B2, SYS_openat, ERR(EACCES), { 3, 0, O_TRUNC | O_CREAT } },
		{ B2, SYS_openat, ERR(EACCES), { 3, 0, O_TRUNC | O_ACCMODE } },
		{ B2, SYS_openat, OK, { 3, 0, O_TRUNC | O_WRONLY } },
		{ B2, SYS_openat, OK, { 3, 0, O_TRUNC | O_RDWR } },
		{ B2, SYS_openat, OK, { 3, 0, O_RDONLY } },
		{ A_OLD, SYS_openat, OK, { 3, 0, O_TRUNC } },
#if defined(__x86_64__)
		{ B2, SYS_open, OK, { 0, O_RDONLY } },
		{ B2, SYS_open, ERR(EACCES), { 0, O_TRUNC } },
#endif
	};

	CHECK(t);
}

Test(seccomp_args, tier_b_changes_no_metadata)
{
	static const struct attempt t[] = {
		{ A, SYS_fchmodat, OK, { 3, 0, 0644 } },
		{ B, SYS_fchmodat, ERR(EPERM), { 3, 0, 0644 } },
		{ B, 452, ERR(EPERM), { 3, 0, 0644, 0x1000 } },
		{ B, SYS_fchmod, ERR(EPERM), { 3, 0644 } },
		{ A, SYS_fchownat, OK, { 3, 0, 1, 1, 0 } },
		{ B, SYS_fchownat, ERR(EPERM), { 3, 0, 1, 1, 0x1000 } },
		{ B, SYS_fchown, ERR(EPERM), { 3, 1, 1 } },
		{ A, SYS_fchown, OK, { 3, 1, 1 } },
		{ A, SYS_setxattr, OK, { 0 } },
		{ B, SYS_setxattr, ERR(EPERM), { 0 } },
		{ B, SYS_lsetxattr, ERR(EPERM), { 0 } },
		{ B, SYS_fsetxattr, ERR(EPERM), { 3 } },
		{ A, SYS_fsetxattr, OK, { 3 } },
		{ B, SYS_removexattr, ERR(EPERM), { 0 } },
		{ B, SYS_lremovexattr, ERR(EPERM), { 0 } },
		{ B, SYS_fremovexattr, ERR(EPERM), { 3 } },
		{ A, 463, OK, { 0 } },
		{ B, 463, ERR(EPERM), { 0 } },
		{ A, 466, OK, { 0 } },
		{ B, 466, ERR(EPERM), { 0 } },
		{ B, SYS_getxattr, OK, { 0 } },
#if defined(__x86_64__)
		{ A, SYS_chmod, OK, { 0, 0644 } },
		{ B, SYS_chmod, ERR(EPERM), { 0, 0644 } },
		{ A, SYS_chown, OK, { 0 } },
		{ B, SYS_chown, ERR(EPERM), { 0 } },
		{ B, SYS_lchown, ERR(EPERM), { 0 } },
		{ A, SYS_utime, OK, { 0 } },
		{ B, SYS_utime, ERR(EPERM), { 0 } },
		{ B, SYS_utimes, ERR(EPERM), { 0 } },
#endif
	};

	CHECK(t);
}

Test(seccomp_args, tier_b_answers_times_of_a_descriptor_without_effect)
{
	static const struct attempt t[] = {
		{ A, SYS_utimensat, OK, { 3, ANY_POINTER, 0, 0 } },
		{ B, SYS_utimensat, ERR(0), { 3, 0, ANY_POINTER, 0 } },
		{ B, SYS_utimensat, ERR(EPERM), { 3, ANY_POINTER, 0, 0 } },
		/* Half a pointer that is zero is no null pointer. */
		{ B, SYS_utimensat, ERR(EPERM), { 3, 0x7f0000000000, 0, 0 } },
		{ B, SYS_utimensat, ERR(EPERM), { 3, 0x12345678, 0, 0 } },
#if defined(__x86_64__)
		{ B, SYS_futimesat, ERR(0), { 3, 0 } },
		{ B, SYS_futimesat, ERR(EPERM), { 3, ANY_POINTER } },
#endif
	};

	CHECK_AS_IS(t);
}

Test(seccomp_args, no_namespace_is_made_or_entered)
{
	static const struct attempt t[] = {
		{ A, SYS_clone, OK, { 0x003d0f00 } },	/* pthread_create */
		{ A, SYS_clone, OK, { 0x01200011 } },	/* fork */
		{ B, SYS_clone, OK, { 0x4111 } },	/* vfork */
		{ A, SYS_clone, ERR(EPERM), { 0x10000011 } },
		{ B, SYS_clone, ERR(EPERM), { 0x00020011 } },
		{ A, SYS_clone, ERR(EPERM), { 0x02000011 } },
		{ A, SYS_clone, ERR(EPERM), { 0x04000011 } },
		{ A, SYS_clone, ERR(EPERM), { 0x08000011 } },
		{ A, SYS_clone, ERR(EPERM), { 0x20000011 } },
		{ A, SYS_clone, ERR(EPERM), { 0x40000011 } },
		{ A, SYS_unshare, OK, { 0x400 } },
		{ A, SYS_unshare, OK, { 0x00040600 } },
		{ A, SYS_unshare, ERR(EPERM), { 0x10000000 } },
		{ A, SYS_unshare, ERR(EPERM), { 0x10000400 } },
		{ B, SYS_unshare, ERR(EPERM), { 0x80 } },
		{ A, SYS_setns, ERR(EPERM), { 3, 0 } },
		{ A, SYS_getpid, OK, { 0 } },
		/* Their flags are in memory: programs fall back on clone. */
		{ A, 435, ERR(ENOSYS), { 0 } },
		{ B, 435, ERR(ENOSYS), { 0 } },
	};

	CHECK(t);
}

Test(seccomp_args, what_is_unknown_is_not_there_and_what_is_refused_says_so)
{
	static const struct attempt t[] = {
		{ A, 437, ERR(ENOSYS), { 0 } },	/* openat2 */
		{ A, SYS_openat, OK, { 0 } },
		{ A, 425, ERR(ENOSYS), { 0 } },	/* io_uring_setup */
		{ B, 426, ERR(ENOSYS), { 0 } },
		{ A, 427, ERR(ENOSYS), { 0 } },
		{ A, 447, ERR(ENOSYS), { 0 } },	/* memfd_secret */
		{ A, 457, ERR(ENOSYS), { 0 } },	/* statmount */
		{ A, 469, ERR(ENOSYS), { 0 } },	/* file_setattr */
		{ A, 468, OK, { 0 } },	/* file_getattr */
		{ A, 462, OK, { 0 } },	/* mseal */
		{ A, 599, ERR(ENOSYS), { 0 } },
		{ A, SYS_mount, ERR(EPERM), { 0 } },
		{ B, SYS_umount2, ERR(EPERM), { 0 } },
		{ A, 428, ERR(EPERM), { 0 } },	/* open_tree */
		{ A, 467, ERR(EPERM), { 0 } },	/* open_tree_attr */
		{ A, SYS_chroot, ERR(EPERM), { 0 } },
		{ A, SYS_bpf, ERR(EPERM), { 0 } },
		{ A, SYS_perf_event_open, ERR(EPERM), { 0 } },
		{ A, SYS_userfaultfd, ERR(EPERM), { 0 } },
		{ A, SYS_keyctl, ERR(EPERM), { 0 } },
		{ B, SYS_add_key, ERR(EPERM), { 0 } },
		{ A, SYS_request_key, ERR(EPERM), { 0 } },
		{ A, SYS_open_by_handle_at, ERR(EPERM), { 0 } },
		{ A, SYS_init_module, ERR(EPERM), { 0 } },
		{ A, SYS_reboot, ERR(EPERM), { 0 } },
		{ A, SYS_clock_settime, ERR(EPERM), { 0 } },
		{ A, SYS_clock_gettime, OK, { 0 } },
		{ A, SYS_setgroups, ERR(EPERM), { 0 } },
		{ A, SYS_getgroups, OK, { 0 } },
	};

	CHECK(t);
}

Test(seccomp_args, no_memfd_can_be_executed)
{
	static const struct attempt t[] = {
		{ A, SYS_memfd_create, OK, { 0, 3 } },
		{ A, SYS_memfd_create, ERR(EACCES), { 0, 0x13 } },
		{ A_OLD, SYS_memfd_create, ERR(ENOSYS), { 0, 3 } },
		{ A_OLD, SYS_memfd_create, OK, { 0, 0xb } },
		{ B, SYS_memfd_create, ERR(ENOSYS), { 0, 3 } },
		{ B, SYS_memfd_create, OK, { 0, 9 } },
		{ B, SYS_memfd_create, ERR(EACCES), { 0, 0x11 } },
		{ B, SYS_memfd_create, ERR(EACCES), { 0, 0x19 } },
		{ A, SYS_execveat, OK, { 3, 0, 0, 0, 0 } },
		{ A, SYS_execveat, OK, { 3, 0, 0, 0, 0x100 } },
		{ A, SYS_execveat, ERR(EPERM), { 3, 0, 0, 0, 0x1000 } },
		{ B, SYS_execveat, ERR(EPERM), { 3, 0, 0, 0, 0x1100 } },
		{ A, SYS_execve, OK, { 0 } },
	};

	CHECK(t);
}

Test(seccomp_args, a_task_filters_itself_but_gets_no_listener)
{
	static const struct attempt t[] = {
		{ A, SYS_seccomp, OK, { 1, 0 } },
		{ A, SYS_seccomp, OK, { 1, 1 } },
		{ A, SYS_seccomp, ERR(EPERM), { 1, 8 } },
		{ B, SYS_seccomp, ERR(EPERM), { 1, 0x39 } },
		{ A, SYS_seccomp, OK, { 2, 0 } },
		{ A, SYS_landlock_create_ruleset, OK, { 0 } },
	};

	CHECK(t);
}

Test(seccomp_args, prctl_and_personality_are_lists)
{
	static const struct attempt t[] = {
		{ A, SYS_prctl, OK, { PR_SET_NAME } },
		{ B, SYS_prctl, OK, { PR_SET_NO_NEW_PRIVS, 1 } },
		{ A, SYS_prctl, OK, { PR_SET_VMA } },
		{ A, SYS_prctl, OK, { PR_SET_PTRACER } },
		{ A, SYS_prctl, ERR(EINVAL), { PR_SET_MM } },
		{ A, SYS_prctl, ERR(EINVAL), { PR_MCE_KILL } },
		{ B, SYS_prctl, ERR(EINVAL), { PR_SET_SECUREBITS } },
		{ A, SYS_prctl, ERR(EINVAL), { 67 } },
		{ A, SYS_personality, OK, { 0xffffffff } },
		{ A, SYS_personality, OK, { 0 } },
		{ A, SYS_personality, OK, { 0x0040000 } },
		{ A, SYS_personality, OK, { 8 } },
		{ A, SYS_personality, ERR(EPERM), { 0x0400000 } },
		{ A, SYS_personality, ERR(EPERM), { 0x0100000 } },
		{ B, SYS_personality, ERR(EPERM), { 1 } },
	};

	CHECK(t);
}

Test(seccomp_args, a_task_tunes_nobody_but_its_own)
{
	static const struct attempt t[] = {
		{ A, SYS_prlimit64, OK, { 7, 0 } },
		{ B, SYS_prlimit64, OK, { 0, 0 } },
		{ B, SYS_prlimit64, ERR(EPERM), { 7, 0 } },
		{ A, SYS_setpriority, OK, { 0, 7, 1 } },
		{ B, SYS_setpriority, OK, { 0, 0, 1 } },
		{ B, SYS_setpriority, ERR(EPERM), { 0, 7, 1 } },
		{ B, SYS_setpriority, ERR(EPERM), { 2, 0, 1 } },
		{ A, SYS_ioprio_set, OK, { 1, 7, 1 } },
		/* The supervisor has the same user, and is pid 1. */
		{ A, SYS_prlimit64, ERR(EPERM), { 1, 7 } },
		{ A, SYS_setpriority, ERR(EPERM), { 0, 1, 1 } },
		{ A, SYS_setpriority, ERR(EPERM), { 2, 0, 1 } },
		{ A, SYS_setpriority, OK, { 1, 0, 1 } },
		{ A, SYS_ioprio_set, ERR(EPERM), { 1, 1, 1 } },
		{ A, SYS_ioprio_set, ERR(EPERM), { 3, 7, 1 } },
		{ A, SYS_sched_setscheduler, ERR(EPERM), { 1 } },
		{ A, SYS_sched_setaffinity, ERR(EPERM), { 1 } },
		{ B, SYS_ioprio_set, OK, { 1, 0, 1 } },
		{ B, SYS_ioprio_set, ERR(EPERM), { 1, 7, 1 } },
		{ B, SYS_ioprio_set, ERR(EPERM), { 3, 0, 1 } },
		{ B, SYS_sched_setaffinity, OK, { 0 } },
		{ B, SYS_sched_setaffinity, ERR(EPERM), { 7 } },
		{ A, SYS_sched_setaffinity, OK, { 7 } },
		{ B, SYS_sched_setscheduler, OK, { 0 } },
		{ B, SYS_sched_setscheduler, ERR(EPERM), { 7 } },
		{ B, SYS_sched_setparam, ERR(EPERM), { 7 } },
		{ B, SYS_sched_setattr, ERR(EPERM), { 7 } },
		{ B, SYS_move_pages, ERR(EPERM), { 7 } },
		{ B, SYS_move_pages, OK, { 0 } },
		{ B, SYS_migrate_pages, ERR(EPERM), { 7 } },
		{ A, SYS_migrate_pages, OK, { 7 } },
		{ B, SYS_getpriority, OK, { 0, 7 } },
	};

	CHECK(t);
}

Test(seccomp_args, tier_b_asks_before_limits_of_a_number_are_read)
{
	static const struct attempt t[] = {
		{ B_HEARD, SYS_prlimit64, ASKED, { 7, 7, 0 } },
		{ B_HEARD, SYS_prlimit64, ERR(EPERM), { 7, 7, 1ull << 32 } },
		{ B, SYS_prlimit64, ERR(EPERM), { 7, 7, 0 } },
		{ SUP_HEARS, SYS_prlimit64, OK, { 7, 7, 0 } },
		{ SUP_HEARS, SYS_prlimit64, ERR(EPERM), { 7, 7, 1ull << 32 } },
		{ SUP, SYS_prlimit64, ERR(EPERM), { 7, 7, 0 } },
	};

	CHECK_AS_IS(t);
}

Test(seccomp_args, tier_b_asks_about_numbers_where_somebody_listens)
{
	static const struct attempt t[] = {
		{ B_HEARD, SYS_prlimit64, OK, { 0, 0 } },
		{ B_HEARD, SYS_prlimit64, ERR(EPERM), { 7, 0, 1 } },
		{ B_HEARD, SYS_sched_setaffinity, ASKED, { 7 } },
		{ B_HEARD, SYS_sched_setaffinity, OK, { 0 } },
		{ B_HEARD, SYS_sched_setscheduler, ASKED, { 7 } },
		{ B_HEARD, SYS_sched_setparam, ERR(EPERM), { 7 } },
		{ B_HEARD, SYS_sched_setattr, ERR(EPERM), { 7 } },
		{ B_HEARD, SYS_move_pages, ERR(EPERM), { 7 } },
		{ B_HEARD, SYS_migrate_pages, ERR(EPERM), { 7 } },
		{ B_HEARD, SYS_setpriority, ASKED, { 0, 7, 1 } },
		{ B_HEARD, SYS_setpriority, OK, { 0, 0, 1 } },
		/* Groups and users are not asked about. */
		{ B_HEARD, SYS_setpriority, ERR(EPERM), { 1, 7, 1 } },
		{ B_HEARD, SYS_setpriority, ERR(EPERM), { 2, 0, 1 } },
		{ B_HEARD, SYS_ioprio_set, ERR(EPERM), { 1, 7, 1 } },
		{ B_HEARD, SYS_ioprio_set, OK, { 1, 0, 1 } },
		{ B_HEARD, SYS_ioprio_set, ERR(EPERM), { 2, 7, 1 } },
		{ B_HEARD, SYS_ioprio_set, ERR(EPERM), { 3, 0, 1 } },
		{ SUP_HEARS, SYS_setpriority, OK, { 0, 7, 1 } },
		{ SUP_HEARS, SYS_setpriority, ERR(EPERM), { 1, 7, 1 } },
		{ SUP_HEARS, SYS_setpriority, ERR(EPERM), { 2, 7, 1 } },
		{ SUP_HEARS, SYS_sched_setaffinity, OK, { 7 } },
		{ SUP_HEARS, SYS_sched_setscheduler, OK, { 7 } },
		{ SUP_HEARS, SYS_sched_setattr, ERR(EPERM), { 7 } },
		{ SUP, SYS_setpriority, ERR(EPERM), { 0, 7, 1 } },
		{ SUP, SYS_sched_setaffinity, ERR(EPERM), { 7 } },
	};

	CHECK(t);
}

Test(seccomp_args, tier_b_asks_about_signals_that_landlock_does_not_judge)
{
	static const struct attempt t[] = {
		{ B5_HEARD, SYS_kill, ASKED, { 7, 9 } },
		{ B5_HEARD, SYS_kill, ASKED, { 0xffffffff, 9 } },
		{ B5_HEARD, SYS_kill, OK, { 7, 0 } },
		{ B5_HEARD, SYS_kill, OK, { 0, 15 } },
		{ B5_HEARD, SYS_tgkill, ASKED, { 7, 7, 6 } },
		{ B5_HEARD, SYS_tgkill, OK, { 7, 7, 0 } },
		{ B5_HEARD, SYS_tkill, ASKED, { 7, 6 } },
		{ B5_HEARD, SYS_rt_sigqueueinfo, ASKED, { 7, 6 } },
		{ B5_HEARD, SYS_rt_tgsigqueueinfo, ASKED, { 7, 7, 6 } },
		{ B5_HEARD, SYS_pidfd_send_signal, ASKED, { 3, 9 } },
		{ B5_HEARD, SYS_pidfd_send_signal, OK, { 3, 0 } },
		/* Landlock judges them. */
		{ B_HEARD, SYS_kill, OK, { 7, 9 } },
		{ B_HEARD, SYS_tgkill, OK, { 7, 7, 6 } },
		{ B_HEARD, SYS_pidfd_send_signal, OK, { 3, 9 } },
		/* By number only within the process that asked. */
		{ SUP_HEARS, SYS_tgkill, OK, { 7, 7, 6 } },
		{ SUP_HEARS, SYS_tkill, ERR(EPERM), { 7, 6 } },
		{ SUP_HEARS, SYS_pidfd_send_signal, OK, { 3, 9 } },
	};

	CHECK(t);
}

Test(seccomp_args, tier_b_sends_signals_where_landlock_judges_them)
{
	static const struct attempt t[] = {
		{ A_OLD, SYS_kill, OK, { 7, 9 } },
		{ B, SYS_kill, OK, { 7, 9 } },
		{ B5, SYS_kill, ERR(EPERM), { 7, 9 } },
		{ B5, SYS_kill, OK, { 7, 0 } },
		{ B5, SYS_kill, OK, { 0, 15 } },
		{ B5, SYS_kill, ERR(EPERM), { 0xffffffff, 9 } },
		{ B, SYS_tgkill, OK, { 7, 7, 6 } },
		{ B5, SYS_tgkill, ERR(EPERM), { 7, 7, 6 } },
		{ B5, SYS_tgkill, ERR(EPERM), { 0, 7, 6 } },
		{ B5, SYS_tgkill, OK, { 7, 7, 0 } },
		{ B5, SYS_tkill, ERR(EPERM), { 7, 6 } },
		{ B5, SYS_rt_sigqueueinfo, ERR(EPERM), { 7, 6 } },
		{ B5, SYS_rt_tgsigqueueinfo, ERR(EPERM), { 7, 7, 6 } },
		{ B5, SYS_pidfd_send_signal, ERR(EPERM), { 3, 9 } },
		{ B, SYS_pidfd_send_signal, OK, { 3, 9 } },
		{ A, SYS_fcntl, OK, { 3, F_SETOWN, 7 } },
		{ B, SYS_fcntl, ERR(EPERM), { 3, F_SETOWN, 7 } },
		{ B, SYS_fcntl, ERR(EPERM), { 3, F_SETSIG, 9 } },
		{ B, SYS_fcntl, ERR(EPERM), { 3, F_SETOWN_EX } },
		{ B, SYS_fcntl, OK, { 3, F_SETFL } },
		{ B, SYS_fcntl, OK, { 3, F_DUPFD_CLOEXEC } },
		{ A, SYS_fcntl, OK, { 3, F_SETLK } },
		{ A, SYS_fcntl, ERR(EINVAL), { 3, F_SETLEASE } },
	};

	CHECK(t);
}

Test(seccomp_args, tier_b_shares_no_ipc)
{
	static const struct attempt t[] = {
		{ A, SYS_shmget, OK, { 0 } },
		{ B, SYS_shmget, ERR(EPERM), { 0 } },
		{ A, SYS_semop, OK, { 0 } },
		{ B, SYS_semop, ERR(EPERM), { 0 } },
		{ A, SYS_msgsnd, OK, { 0 } },
		{ B, SYS_msgsnd, ERR(EPERM), { 0 } },
		{ A, SYS_mq_open, OK, { 0 } },
		{ B, SYS_mq_open, ERR(EPERM), { 0 } },
		{ A, SYS_ptrace, OK, { 0 } },
		{ B, SYS_ptrace, OK, { 0 } },
		{ B, SYS_process_vm_readv, OK, { 0 } },
		{ B, SYS_pidfd_getfd, OK, { 0 } },
	};

	CHECK(t);
}

Test(seccomp_args, the_supervisor_keeps_only_its_trade)
{
	static const struct attempt t[] = {
		{ SUP, SYS_ppoll, OK, { 0 } },
		{ SUP, SYS_splice, OK, { 0 } },
		{ SUP, SYS_recvmsg, OK, { 0 } },
		{ SUP, SYS_kill, OK, { 7, 9 } },
		{ SUP, SYS_waitid, OK, { 0 } },
		{ SUP, SYS_unlinkat, OK, { 0 } },
		{ SUP, SYS_openat, OK, { 3, 0, O_RDONLY | O_CLOEXEC } },
		{ SUP, SYS_openat, OK, { 3, 0, O_DIRECTORY } },
		{ SUP, SYS_openat, ERR(EPERM), { 3, 0, O_WRONLY } },
		{ SUP, SYS_openat, ERR(EPERM), { 3, 0, O_RDWR } },
		{ SUP, SYS_openat, ERR(EPERM), { 3, 0, O_CREAT } },
		{ SUP, SYS_openat, ERR(EPERM), { 3, 0, O_TRUNC } },
		{ SUP, SYS_mmap, OK, { 0, 4096, 3 } },
		{ SUP, SYS_mmap, ERR(EPERM), { 0, 4096, 5 } },
		{ SUP, SYS_mprotect, ERR(EPERM), { 0 } },
		{ SUP, SYS_prlimit64, OK, { 7, 6 } },
		{ SUP, SYS_prlimit64, ERR(EPERM), { 7, 0 } },
		{ SUP, SYS_ioctl, OK, { 3, 0x541b } },
		{ SUP, SYS_ioctl, ERR(ENOTTY), { 3, 0x5412 } },
		{ SUP, SYS_execve, ERR(EPERM), { 0 } },
		{ SUP, SYS_execveat, ERR(EPERM), { 0 } },
		{ SUP, SYS_clone, ERR(EPERM), { 0 } },
		{ SUP, 435, ERR(EPERM), { 0 } },
		{ SUP, SYS_socket, ERR(EPERM), { 0 } },
		{ SUP, SYS_connect, ERR(EPERM), { 0 } },
		{ SUP, SYS_ptrace, ERR(EPERM), { 0 } },
		{ SUP, SYS_exit_group, OK, { 0 } },
	};

	CHECK(t);
}

Test(seccomp_args, what_the_target_still_does_after_loading_is_allowed)
{
	static const int calls[] = { SYS_sendmsg, SYS_write, SYS_execve,
				     SYS_execveat, SYS_openat, SYS_close,
				     SYS_exit_group, SYS_rt_sigprocmask };
	static const int filters[] = { A, A_OLD, B, B2 };

	for (size_t i = 0; i < N(calls); i++)
		for (size_t k = 0; k < N(filters); k++) {
			struct attempt t = { filters[k], calls[i], OK,
					     { 0 } };

			attempts_check(&t, 1, true);
		}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A process that confines itself: what holds, and what is refused. */
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "enter.h"

TestSuite(enter_self_live, .timeout = 120);

/* Files. */

static int confined_files(void *arg)
{
	const struct live *l = arg;
	char secret[128], made[128], granted[128], script[400];
	int st;

	snprintf(secret, sizeof(secret), "%s/secret", l->dir);
	snprintf(made, sizeof(made), "%s/made", l->dir);
	snprintf(granted, sizeof(granted), "%s/granted", l->ws);
	CHECK(live_write(secret, l->token) == 0);
	CHECK(can_open(secret, O_RDWR));
	CHECK(can_open(made, O_RDWR | O_CREAT) && unlink(made) == 0);
	CHECK(enter_closed(l) == 0);
	CHECK(!can_open(secret, O_RDONLY) && errno == EACCES);
	CHECK(!can_open(secret, O_WRONLY));
	CHECK(!can_open(made, O_RDWR | O_CREAT));
	CHECK(truncate(secret, 0) < 0 && unlink(secret) < 0);
	CHECK(chmod(secret, 0777) < 0);
	CHECK(can_open(granted, O_RDWR | O_CREAT) && unlink(granted) == 0);
	CHECK(can_open("/dev/null", O_RDWR));
	/* What it executes is bound as well, and can do what was granted. */
	snprintf(script, sizeof(script),
		 "cat %s && exit 9; echo x >%s/by-sh && exit 5", secret,
		 l->ws);
	st = fork();
	CHECK(st >= 0);
	if (st == 0) {
		execl("/bin/sh", "sh", "-c", script, (char *)NULL);
		_exit(99);
	}
	CHECK(waitpid(st, &st, 0) > 0);
	CHECK(WIFEXITED(st) && WEXITSTATUS(st) == 5, "%x", st);
	return 0;
}

LIVE_TEST_BOTH_TIERS(enter_self_live, files_that_were_not_granted)
{
	char secret[128];

	CHECK(in_child(confined_files, l) == 0);
	snprintf(secret, sizeof(secret), "%s/secret", l->dir);
	CHECK(!strcmp(live_read(secret), l->token), "it is as it was");
	return 0;
}

/* Network. */

static int confined_network(void *arg)
{
	const struct live *l = arg;
	struct sockaddr_in to;
	int pair[2];
	char c = 0;

	CHECK(listen_on_loopback(&to) >= 0);
	CHECK(connect_to(&to) >= 0);
	CHECK(enter_closed(l) == 0);
	CHECK(connect_to(&to) < 0);
	CHECK(socket(AF_INET6, SOCK_DGRAM, 0) < 0);
	CHECK(socket(AF_NETLINK, SOCK_RAW, 0) < 0);
	CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
	CHECK(write(pair[0], "x", 1) == 1 && read(pair[1], &c, 1) == 1);
	CHECK(c == 'x');
	return 0;
}

LIVE_TEST_BOTH_TIERS(enter_self_live, no_new_connection)
{
	return in_child(confined_network, l);
}

/* Privileges, limits, signals. */

static bool has_no_capability(void)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = { { 0, 0, 0 } };

	return syscall(SYS_capget, &head, data) == 0 &&
	       !(data[0].permitted | data[1].permitted | data[0].effective |
		 data[1].effective | data[0].inheritable |
		 data[1].inheritable);
}

static int confined_privileges(void *arg)
{
	const struct live *l = arg;
	struct rlimit core, files;
	bool root = geteuid() == 0;

	CHECK(has_no_capability() == !root);
	CHECK(kill(getppid(), 0) == 0);
	if (syscall(__NR_keyctl, 0, -3, 0, 0, 0) < 0 && errno == EPERM)
		fprintf(stderr, "keyctl is refused here without us, too\n");
	CHECK(enter_closed(l) == 0);
	CHECK(has_no_capability());
	CHECK(!root || prctl(PR_CAPBSET_READ, CAP_SYS_ADMIN) == 0);
	CHECK(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1);
	CHECK(prctl(PR_GET_SECCOMP) == 2);
	CHECK(syscall(__NR_keyctl, 0, -3, 0, 0, 0) < 0 && errno == EPERM);
	CHECK(getrlimit(RLIMIT_CORE, &core) == 0 && core.rlim_max == 0);
	CHECK(getrlimit(RLIMIT_NOFILE, &files) == 0);
	CHECK(files.rlim_max <= 1024);
	CHECK(!root || getgroups(0, NULL) == 0);
	CHECK(kill(getppid(), 0) < 0 && errno == EPERM);
	return 0;
}

LIVE_TEST_BOTH_TIERS(enter_self_live, privileges_limits_and_signals)
{
	return in_child(confined_privileges, l);
}

/* Refusals of what a policy asks. */

static int refused_properties(void *arg)
{
	const struct live *l = arg;
	struct sbx_policy *p = live_policy(l);
	struct sbx_error e = { .code = 0 };

	CHECK(p);
	CHECK(enter(p, SBX_ENTER_CLOSE, &e) == -EPERM);
	CHECK(!strcmp(e.object, "environment"), "%s", e.object);
	CHECK(e.step == SBX_STEP_VERIFY && e.where == SBX_WHERE_HARNESS);
	p = in_place_policy(l);
	CHECK(p && sbx_policy_limit(p, SBX_LIMIT_WALL_MS, 1000) == 0);
	CHECK(enter(p, SBX_ENTER_CLOSE, &e) == -EPERM);
	CHECK(!strcmp(e.object, "time"), "%s", e.object);
	p = in_place_policy(l);
	CHECK(p && sbx_policy_require(p, SBX_PROP_NAMES, SBX_REQUIRE) == 0);
	CHECK(enter(p, SBX_ENTER_CLOSE, &e) == -EPERM);
	CHECK(!strcmp(e.object, "names"), "%s", e.object);
	CHECK(is_free(l));
	return 0;
}

LIVE_TEST_BOTH_TIERS(enter_self_live, a_required_property_that_cannot_be_held)
{
	return in_child(refused_properties, l);
}

static int refused_parts(void *arg)
{
	const struct live *l = arg;
	struct sbx_policy *p = in_place_policy(l);
	struct sbx_error e = { .code = 0 };
	char below[128];

	CHECK(p && sbx_policy_limit(p, SBX_LIMIT_OUTPUT, 1000) == 0);
	CHECK(enter(p, SBX_ENTER_CLOSE, &e) == -EOPNOTSUPP);
	CHECK(!strcmp(e.object, "output_bytes"), "%s", e.object);
	p = in_place_policy(l);
	CHECK(p && sbx_policy_path_at(p, l->ws, "/elsewhere", SBX_READ,
				      &e) == 0);
	CHECK(enter(p, SBX_ENTER_CLOSE, &e) == -EOPNOTSUPP);
	CHECK(!strcmp(e.object, "/elsewhere"), "%s", e.object);
	p = in_place_policy(l);
	snprintf(below, sizeof(below), "%s/below", l->ws);
	CHECK(p && mkdir(below, 0700) == 0);
	CHECK(sbx_policy_path(p, below, SBX_READ, 0, &e) == 0);
	CHECK(enter(p, SBX_ENTER_CLOSE, &e) == -EOPNOTSUPP);
	CHECK(!strcmp(e.object, below), "%s", e.object);
	p = in_place_policy(l);
	CHECK(p && sbx_policy_path(p, "/not/there", SBX_READ, 0, &e) == 0);
	CHECK(enter(p, SBX_ENTER_CLOSE, &e) == -ENOENT);
	CHECK(e.where == SBX_WHERE_HARNESS && is_free(l));
	return 0;
}

LIVE_TEST_BOTH_TIERS(enter_self_live, parts_of_a_policy_that_only_a_task_has)
{
	return in_child(refused_parts, l);
}

static int refused_arguments(void *arg)
{
	struct sbx_policy *p = ((void **)arg)[0];
	const struct live *l = ((void **)arg)[1];
	struct sbx_report *r = (void *)arg;
	struct sbx_policy *own = in_place_policy(l);
	struct sbx_error e = { .code = 0 };

	CHECK(own);
	CHECK(sbx_enter_self(p, SBX_ENTER_CLOSE, &r, &e) == -ECHILD);
	CHECK(sbx_enter_self(own, 1u << 9, &r, &e) == -EINVAL);
	CHECK(!strcmp(e.object, "flags"), "%s", e.object);
	CHECK(sbx_enter_self(own, 1u << 9, &r, NULL) == -EINVAL);
	CHECK(r == arg, "it is untouched");
	CHECK(is_free(l));
	CHECK(say(enter(own, SBX_ENTER_CLOSE, &e), &e) == 0);
	return 0;
}

LIVE_TEST_BOTH_TIERS(enter_self_live, arguments_that_are_wrong)
{
	void *arg[2] = { in_place_policy(l), l };

	CHECK(arg[0]);
	CHECK(in_child(refused_arguments, arg) == 0);
	sbx_policy_unref(arg[0]);
	return 0;
}

/* Poorer hosts. */

static int refuse_call(uint32_t number, uint32_t err)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | err),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = 4, .filter = code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int without_landlock(void *arg)
{
	const struct live *l = arg;
	struct sbx_policy *p;
	struct sbx_error e = { .code = 0 };
	struct sbx_report_row row;
	struct sbx_report *r = NULL;
	char secret[128];

	snprintf(secret, sizeof(secret), "%s/secret", l->dir);
	CHECK(live_write(secret, l->token) == 0);
	CHECK(refuse_call(__NR_landlock_create_ruleset, EOPNOTSUPP) == 0);
	p = in_place_policy(l);
	CHECK(p && enter(p, SBX_ENTER_CLOSE, &e) == -EPERM);
	CHECK(!strcmp(e.object, "files"), "%s", e.object);
	CHECK(strstr(sbx_remedy_text(e.remedy), "lsm="));
	CHECK(e.where == SBX_WHERE_HARNESS && is_free(l));
	p = in_place_policy(l);
	CHECK(p && sbx_policy_require(p, SBX_PROP_FILES, SBX_PREFER) == 0);
	CHECK(sbx_policy_require(p, SBX_PROP_SIGNALS, SBX_PREFER) == 0);
	CHECK(say(sbx_enter_self(p, SBX_ENTER_CLOSE, &r, &e), &e) == 0);
	CHECK(row_of(r, SBX_PROP_FILES, &row) == 0);
	CHECK(row.state == SBX_STATE_ABSENT && row.sys_errno == EOPNOTSUPP);
	CHECK(row_of(r, SBX_PROP_SIGNALS, &row) == 0);
	CHECK(row.state == SBX_STATE_PARTIAL);
	sbx_report_free(r);
	CHECK(can_open(secret, O_RDONLY), "as the report says");
	CHECK(socket(AF_INET, SOCK_STREAM, 0) < 0, "the filter is there");
	return 0;
}

LIVE_TEST_BOTH_TIERS(enter_self_live, a_host_without_landlock)
{
	return in_child(without_landlock, l);
}

static int without_filters(void *arg)
{
	const struct live *l = arg;
	struct sbx_policy *p = in_place_policy(l);
	struct sbx_error e = { .code = 0 };

	CHECK(p && refuse_call(__NR_seccomp, EPERM) == 0);
	CHECK(enter(p, SBX_ENTER_CLOSE, &e) == -EPERM);
	CHECK(!strcmp(e.object, "syscalls"), "%s", e.object);
	CHECK(e.where == SBX_WHERE_HARNESS && is_free(l));
	return 0;
}

LIVE_TEST_BOTH_TIERS(enter_self_live, a_host_without_filters)
{
	return in_child(without_filters, l);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A process that confines itself: what it has already, and cannot undo. */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "enter.h"

TestSuite(enter_held_live, .timeout = 120);

/* Sockets. */

static int held_socket(void *arg)
{
	const struct live *l = arg;
	const struct sockaddr nowhere = { .sa_family = AF_UNSPEC };
	struct sbx_policy *p = in_place_policy(l);
	struct sbx_error e = { .code = 0 };
	struct sockaddr_in to, other;
	int listener = listen_on_loopback(&to), fd, probe, peer;
	char c = 0;

	CHECK(p && listener >= 0 && listen_on_loopback(&other) >= 0);
	fd = connect_to(&to);
	probe = connect_to(&to);
	CHECK(fd >= 0 && probe >= 0);
	peer = accept(listener, NULL, NULL);
	CHECK(peer >= 0);
	/* The control: a connected socket can be sent elsewhere. */
	CHECK(connect(probe, &nowhere, sizeof(nowhere)) == 0);
	CHECK(connect(probe, (void *)&other, sizeof(other)) == 0);
	CHECK(sbx_policy_require(p, SBX_PROP_DESCRIPTORS, SBX_PREFER) == 0);
	CHECK(say(enter(p, 0, &e), &e) == 0);
	CHECK(write(fd, "x", 1) == 1 && read(peer, &c, 1) == 1 && c == 'x');
	CHECK(connect(fd, &nowhere, sizeof(nowhere)) < 0);
	CHECK(connect(fd, (void *)&other, sizeof(other)) < 0);
	CHECK(errno != EISCONN, "refused, not just connected already");
	return 0;
}

LIVE_TEST_BOTH_TIERS(enter_held_live, a_held_connection_goes_nowhere_else)
{
	return in_child(held_socket, l);
}

static int stray_socket(void *arg)
{
	const struct live *l = arg;
	struct sbx_policy *p = in_place_policy(l);
	struct sbx_error e = { .code = 0 };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	CHECK(p && fd >= 0);
	CHECK(sbx_policy_require(p, SBX_PROP_DESCRIPTORS, SBX_PREFER) == 0);
	CHECK(enter(p, 0, &e) == -EPERM);
	CHECK(!strcmp(e.object, "network"), "%s", e.object);
	CHECK(e.where == SBX_WHERE_HARNESS && is_free(l));
	close(fd);
	CHECK(say(enter(p, 0, &e), &e) == 0);
	return 0;
}

LIVE_TEST_BOTH_TIERS(enter_held_live, a_held_socket_without_a_peer_is_no_network_kept)
{
	return in_child(stray_socket, l);
}

/* Descriptors. */

static int held_descriptor(void *arg)
{
	const struct live *l = arg;
	struct sbx_policy *p = in_place_policy(l);
	struct sbx_error e = { .code = 0 };
	char secret[128];
	int fd;

	snprintf(secret, sizeof(secret), "%s/secret", l->dir);
	CHECK(p && live_write(secret, l->token) == 0);
	for (fd = 3; fd < 1024; fd++)
		close(fd);
	fd = open(secret, O_RDONLY | O_CLOEXEC);
	CHECK(fd == 3);
	CHECK(enter(p, 0, &e) == -EPERM);
	CHECK(!strcmp(e.object, "descriptors"), "%s", e.object);
	CHECK(strstr(e.text, "3 ") && strstr(e.text, secret), "%s", e.text);
	CHECK(sbx_remedy_text(e.remedy)[0] != '\0');
	CHECK(e.where == SBX_WHERE_HARNESS && is_free(l));
	CHECK(fcntl(fd, F_GETFD) >= 0, "it is still open");
	CHECK(say(enter(p, SBX_ENTER_CLOSE, &e), &e) == 0);
	CHECK(fcntl(fd, F_GETFD) < 0, "it is closed");
	CHECK(fcntl(2, F_GETFD) >= 0);
	return 0;
}

LIVE_TEST_BOTH_TIERS(enter_held_live, a_held_descriptor_is_named_or_closed)
{
	return in_child(held_descriptor, l);
}

static int descriptor_for_exec(void *arg)
{
	const struct live *l = arg;
	struct sbx_policy *p = in_place_policy(l);
	struct sbx_error e = { .code = 0 };
	struct sbx_report_row row;
	struct sbx_report *r = NULL;
	int fd;

	CHECK(p);
	for (fd = 3; fd < 1024; fd++)
		close(fd);
	fd = open("/dev/null", O_RDONLY);
	CHECK(fd == 3);
	CHECK(enter(p, SBX_ENTER_EXEC, &e) == -EPERM);
	CHECK(fcntl(fd, F_SETFD, FD_CLOEXEC) == 0);
	CHECK(say(sbx_enter_self(p, SBX_ENTER_EXEC, &r, &e), &e) == 0);
	CHECK(row_of(r, SBX_PROP_DESCRIPTORS, &row) == 0);
	CHECK(row.state == SBX_STATE_ENFORCED);
	sbx_report_free(r);
	return 0;
}

LIVE_TEST_BOTH_TIERS(enter_held_live, before_exec_only_what_passes_it_counts)
{
	return in_child(descriptor_for_exec, l);
}

static int reported_descriptor(void *arg)
{
	const struct live *l = arg;
	struct sbx_policy *p = in_place_policy(l);
	struct sbx_error e = { .code = 0 };
	struct sbx_report_row row;
	struct sbx_report *r = NULL;
	char *json = NULL;
	int fd;

	CHECK(p);
	for (fd = 3; fd < 1024; fd++)
		close(fd);
	CHECK(open("/dev/zero", O_RDONLY) == 3);
	CHECK(sbx_policy_require(p, SBX_PROP_DESCRIPTORS, SBX_PREFER) == 0);
	CHECK(say(sbx_enter_self(p, 0, &r, &e), &e) == 0);
	CHECK(sbx_report_tier(r) == SBX_TIER_B);
	CHECK(row_of(r, SBX_PROP_DESCRIPTORS, &row) == 0);
	CHECK(row.state == SBX_STATE_PARTIAL);
	CHECK(strstr(row.object, "3 /dev/zero"), "%s", row.object);
	CHECK(row_of(r, SBX_PROP_ENVIRONMENT, &row) == 0);
	CHECK(row.state == SBX_STATE_ABSENT && row.object[0]);
	CHECK(row_of(r, SBX_PROP_FILES, &row) == 0);
	CHECK(row.state == SBX_STATE_ENFORCED &&
	      row.verified == SBX_VERIFIED_CANARY);
	CHECK(sbx_report_json(r, &json) == 0 && strstr(json, "/dev/zero"));
	free(json);
	sbx_report_free(r);
	return 0;
}

LIVE_TEST_BOTH_TIERS(enter_held_live, the_report_lists_what_stays)
{
	return in_child(reported_descriptor, l);
}

/* What nothing could hold afterwards. */

static void *wait_for_end(void *arg)
{
	char c;

	(void)!read(*(int *)arg, &c, 1);
	return NULL;
}

static int with_a_thread(void *arg)
{
	const struct live *l = arg;
	struct sbx_policy *p = in_place_policy(l);
	struct sbx_error e = { .code = 0 };
	pthread_t thread;
	int end[2];

	CHECK(p && pipe2(end, O_CLOEXEC) == 0);
	CHECK(pthread_create(&thread, NULL, wait_for_end, &end[0]) == 0);
	CHECK(enter(p, SBX_ENTER_CLOSE, &e) == -EBUSY);
	CHECK(!strcmp(e.object, "threads"), "%s", e.object);
	CHECK(sbx_remedy_text(e.remedy)[0] != '\0');
	CHECK(e.where == SBX_WHERE_HARNESS && is_free(l));
	CHECK(enter(p, SBX_ENTER_EXEC, &e) == -EBUSY);
	CHECK(write(end[1], "x", 1) == 1);
	CHECK(pthread_join(thread, NULL) == 0);
	/* The kernel may need a moment to forget it. */
	for (int i = 0; i < 100 && enter(p, SBX_ENTER_CLOSE, &e) == -EBUSY;)
		i++, live_sleep(10);
	CHECK(!is_free(l));
	return 0;
}

LIVE_TEST_BOTH_TIERS(enter_held_live, a_process_with_threads_is_refused)
{
	return in_child(with_a_thread, l);
}

static int with_a_ring(void *arg)
{
	const struct live *l = arg;
	struct sbx_policy *p = in_place_policy(l);
	struct sbx_error e = { .code = 0 };
	char params[120] = { 0 };
	int ring = (int)syscall(__NR_io_uring_setup, 1, params);

	if (ring < 0)
		return LIVE_SKIP;
	CHECK(p);
	CHECK(sbx_policy_require(p, SBX_PROP_DESCRIPTORS, SBX_PREFER) == 0);
	CHECK(enter(p, 0, &e) == -EBUSY);
	CHECK(!strcmp(e.object, "io_uring"), "%s", e.object);
	CHECK(e.where == SBX_WHERE_HARNESS && is_free(l));
	close(ring);
	CHECK(say(enter(p, 0, &e), &e) == 0);
	return 0;
}

LIVE_TEST_BOTH_TIERS(enter_held_live, a_held_ring_is_refused)
{
	return in_child(with_a_ring, l);
}

static void *map(const char *path, int open_for, int protection, int kind)
{
	int fd = open(path, open_for | O_CLOEXEC);
	void *at = mmap(NULL, 4096, protection, kind, fd, 0);

	close(fd);
	return at == MAP_FAILED ? NULL : at;
}

static int with_a_mapping(void *arg)
{
	const struct live *l = arg;
	struct sbx_policy *p = in_place_policy(l);
	struct sbx_error e = { .code = 0 };
	char secret[128], granted[128];
	void *at, *sleeping;

	snprintf(secret, sizeof(secret), "%s/secret", l->dir);
	snprintf(granted, sizeof(granted), "%s/granted", l->ws);
	CHECK(p && live_write(secret, l->token) == 0);
	CHECK(live_write(granted, l->token) == 0);
	at = map(secret, O_RDWR, PROT_READ | PROT_WRITE, MAP_SHARED);
	CHECK(at);
	CHECK(enter(p, SBX_ENTER_CLOSE, &e) == -EBUSY);
	CHECK(!strcmp(e.object, secret), "%s", e.object);
	CHECK(e.where == SBX_WHERE_HARNESS && is_free(l));
	munmap(at, 4096);
	/* One that mprotect would make writable, and did in the control. */
	sleeping = map(secret, O_RDWR, PROT_READ, MAP_SHARED);
	CHECK(sleeping && mprotect(sleeping, 4096, PROT_WRITE) == 0);
	CHECK(mprotect(sleeping, 4096, PROT_READ) == 0);
	CHECK(enter(p, SBX_ENTER_CLOSE, &e) == -EBUSY);
	munmap(sleeping, 4096);
	/* These are fine: granted, read only, private. */
	CHECK(map(granted, O_RDWR, PROT_READ | PROT_WRITE, MAP_SHARED));
	CHECK(map(secret, O_RDONLY, PROT_READ, MAP_SHARED));
	CHECK(map(secret, O_RDONLY, PROT_READ | PROT_WRITE, MAP_PRIVATE));
	CHECK(say(enter(p, SBX_ENTER_CLOSE, &e), &e) == 0);
	return 0;
}

LIVE_TEST_BOTH_TIERS(enter_held_live, a_writable_mapping_of_a_file_outside_is_refused)
{
	return in_child(with_a_mapping, l);
}

static int with_shared_memory(void *arg)
{
	const struct live *l = arg;
	struct sbx_policy *p = in_place_policy(l);
	struct sbx_error e = { .code = 0 };
	void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	CHECK(p && at != MAP_FAILED);
	CHECK(enter(p, SBX_ENTER_CLOSE, &e) == -EPERM);
	CHECK(!strcmp(e.object, "ipc"), "%s", e.object);
	munmap(at, 4096);
	CHECK(say(enter(p, SBX_ENTER_CLOSE, &e), &e) == 0);
	return 0;
}

LIVE_TEST_BOTH_TIERS(enter_held_live, shared_memory_is_a_gap_in_ipc)
{
	return in_child(with_shared_memory, l);
}

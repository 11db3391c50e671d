/* SPDX-License-Identifier: Apache-2.0 */
/* grants: from what the caller names to descriptors for a task. */
#include "spawn/grants.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "spawn/connect.h"
#include "spawn/grants_open.h"

#define GRANTS_MAX 240		/* what one datagram to the helper carries */
#define TASK_FD_MAX 65535
#define STRUCT_MAX 4096		/* a struct larger than a page is a mistake */
#define RIGHTS_KNOWN ((uint32_t)(SBX_READ | SBX_WRITE))

struct wanted_list {
	struct sbxi_wanted *item;
	size_t n;
};

/* Grants of a call differ in the name that errors have for them. */
static void set_object(struct sbxi_wanted *want, size_t index)
{
	if (want->name && sbxi_grant_name_ok(want->name))
		(void)snprintf(want->object, sizeof(want->object), "%s",
			       want->name);
	else
		(void)snprintf(want->object, sizeof(want->object),
			       "grants[%zu]", index);
}

static int refuse(struct sbxi_fail *fail, const struct sbxi_wanted *want,
		  int code, const char *why)
{
	return sbxi_fail(fail, SBX_STEP_GRANTS, code, want->object, "%s",
			 why);
}

static int check_size(uint32_t size, uint32_t first, struct sbxi_fail *fail,
		      size_t index)
{
	char object[32];

	(void)snprintf(object, sizeof(object), "grants[%zu]", index);
	if (size < sizeof(struct sbx_grant))
		return sbxi_fail(fail, SBX_STEP_GRANTS, -EINVAL, object,
				 "its size is not set: begin with "
				 "SBX_GRANT_INIT");
	if (size != first)
		return sbxi_fail(fail, SBX_STEP_GRANTS, -EINVAL, object,
				 "all grants of a call have the same size");
	if (size > STRUCT_MAX)
		return sbxi_fail(fail, SBX_STEP_GRANTS, -E2BIG, object,
				 "its size is beyond any version");
	return 0;
}

/* The part that a newer caller knows and we do not must be unused. */
static int check_tail(const char *at, uint32_t size, struct sbxi_fail *fail,
		      const struct sbxi_wanted *want)
{
	size_t i;

	for (i = sizeof(struct sbx_grant); i < size; i++)
		if (at[i] != 0)
			return refuse(fail, want, -E2BIG,
				      "it uses a field that this library does "
				      "not know");
	return 0;
}

/*
 * The elements lie as far apart as the caller's struct is long, which need
 * not be as long as ours: never index the array.
 */
static int take_call(const struct sbx_grant *grants, size_t n_grants,
		     struct wanted_list *list, struct sbxi_fail *fail)
{
	const char *at = (const char *)grants;
	uint32_t first = 0;
	size_t i;

	for (i = 0; i < n_grants; i++, at += first) {
		struct sbxi_wanted *want = &list->item[list->n];
		struct sbx_grant g = SBX_GRANT_INIT;
		uint32_t size;
		int rc;

		memcpy(&size, at, sizeof(size));
		if (i == 0)
			first = size;
		rc = check_size(size, first, fail, i);
		if (rc < 0)
			return rc;
		memcpy(&g, at, sizeof(g));
		*want = (struct sbxi_wanted){
			.kind = g.kind, .name = g.name, .target = g.target,
			.fd = g.fd, .task_fd = g.task_fd,
			.rights = g.rights, .flags = g.flags,
		};
		set_object(want, i);
		rc = check_tail(at, size, fail, want);
		if (rc < 0)
			return rc;
		list->n++;
	}
	return 0;
}

static void take_policy(const struct sbx_policy *policy,
			struct wanted_list *list)
{
	size_t i;

	for (i = 0; i < policy->n_grants; i++) {
		const struct sbxi_policy_grant *g = &policy->grants[i];
		struct sbxi_wanted *want = &list->item[list->n++];

		*want = (struct sbxi_wanted){
			.kind = g->kind, .name = g->name,
			.target = g->target, .fd = -1,
			.task_fd = g->task_fd, .rights = g->rights,
		};
		set_object(want, i);
	}
}

static int take_all(const struct sbx_policy *policy,
		    const struct sbx_grant *grants, size_t n_grants,
		    struct wanted_list *list, struct sbxi_fail *fail)
{
	size_t n = policy->n_grants + n_grants;

	if (n_grants > GRANTS_MAX || n > GRANTS_MAX)
		return sbxi_fail(fail, SBX_STEP_GRANTS, -E2BIG, "grants",
				 "%zu grants, and a task can have %d", n,
				 GRANTS_MAX);
	if (n_grants > 0 && !grants)
		return sbxi_fail(fail, SBX_STEP_GRANTS, -EINVAL, "grants",
				 "n_grants is %zu and grants is NULL",
				 n_grants);
	list->item = calloc(n > 0 ? n : 1, sizeof(*list->item));
	if (!list->item)
		return sbxi_fail(fail, SBX_STEP_GRANTS, -ENOMEM, NULL, NULL);
	take_policy(policy, list);
	return take_call(grants, n_grants, list, fail);
}

static int check_names(const struct wanted_list *list, size_t at,
		       struct sbxi_fail *fail)
{
	const struct sbxi_wanted *want = &list->item[at];
	size_t i;

	if (!want->name)
		return refuse(fail, want, -EINVAL, "a grant has a name");
	if (!sbxi_grant_name_ok(want->name))
		return refuse(fail, want, -EINVAL,
			      "a name has 1 to 64 of the letters "
			      "A-Za-z0-9._-");
	for (i = 0; i < at; i++)
		if (strcmp(list->item[i].name, want->name) == 0)
			return refuse(fail, want, -EINVAL,
				      "two grants have this name");
	return 0;
}

static int check_number(const struct sbx_policy *policy,
			const struct sbxi_wanted *want, int32_t task_fd,
			struct sbxi_fail *fail)
{
	uint64_t limit = policy->limit[SBX_LIMIT_OPEN_FILES];

	if (task_fd >= 0 && task_fd <= 2)
		return sbxi_fail_remedy(fail, SBX_STEP_GRANTS, -EINVAL,
					SBXI_REMEDY_GRANT_NUMBER,
					want->object,
					"0 to 2 are the task's standard "
					"streams: use stdio");
	if (task_fd < 0 || task_fd > TASK_FD_MAX)
		return sbxi_fail_remedy(fail, SBX_STEP_GRANTS, -EINVAL,
					SBXI_REMEDY_GRANT_NUMBER,
					want->object,
					"%d is no number for a descriptor: 3 "
					"to %d, or -1", task_fd, TASK_FD_MAX);
	if ((uint64_t)task_fd >= limit)
		return sbxi_fail_remedy(fail, SBX_STEP_GRANTS, -EINVAL,
					SBXI_REMEDY_GRANT_NUMBER,
					want->object,
					"its number would be %d, and the "
					"limit of open files is %llu", task_fd,
					(unsigned long long)limit);
	return 0;
}

static const struct sbxi_wanted *who_has(const struct wanted_list *list,
					 size_t n, int32_t task_fd)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (list->item[i].task_fd == task_fd)
			return &list->item[i];
	return NULL;
}

static int check_one(const struct sbx_policy *policy,
		     const struct wanted_list *list, size_t at,
		     struct sbxi_fail *fail)
{
	const struct sbxi_wanted *want = &list->item[at], *other;
	int rc = check_names(list, at, fail);

	if (rc < 0)
		return rc;
	if (want->flags != 0)
		return refuse(fail, want, -EINVAL, "no flag is known yet");
	if (want->rights & ~RIGHTS_KNOWN)
		return refuse(fail, want, -EINVAL,
			      "the rights of a grant are read and write");
	if (want->task_fd == -1)
		return 0;
	rc = check_number(policy, want, want->task_fd, fail);
	if (rc < 0)
		return rc;
	other = who_has(list, at, want->task_fd);
	if (other)
		return sbxi_fail_remedy(fail, SBX_STEP_GRANTS, -EINVAL,
					SBXI_REMEDY_GRANT_NUMBER,
					want->object,
					"%s and %s both want number %d",
					other->object, want->object,
					want->task_fd);
	return 0;
}

/* The lowest free numbers from 3, in the order of the grants. */
static int number_rest(const struct sbx_policy *policy,
		       struct wanted_list *list, struct sbxi_fail *fail)
{
	int32_t next = 3;
	size_t i;

	for (i = 0; i < list->n; i++) {
		struct sbxi_wanted *want = &list->item[i];
		int rc;

		if (want->task_fd != -1)
			continue;
		while (who_has(list, list->n, next))
			next++;
		rc = check_number(policy, want, next, fail);
		if (rc < 0)
			return rc;
		want->task_fd = next++;
	}
	return 0;
}

static int open_connect(const struct sbxi_wanted *want, int64_t deadline_ms,
			bool *ret_inet, struct sbxi_fail *fail)
{
	if (!want->target || !*want->target || want->fd != -1)
		return refuse(fail, want, -EINVAL,
			      "a grant to connect has a target and no "
			      "descriptor");
	if (want->rights != 0 && want->rights != RIGHTS_KNOWN)
		return refuse(fail, want, -EINVAL,
			      "the rights of a socket cannot be narrowed");
	return sbxi_connect(want->target, deadline_ms, ret_inet, fail);
}

static int open_one(const struct sbxi_wanted *want, int64_t deadline_ms,
		    bool *ret_inet, struct sbxi_fail *fail)
{
	switch (want->kind) {
	case SBX_GRANT_FD:
		return sbxi_grant_open_fd(want, ret_inet, fail);
	case SBX_GRANT_FILE:
		return sbxi_grant_open_file(want, fail);
	case SBX_GRANT_CONNECT:
		return open_connect(want, deadline_ms, ret_inet, fail);
	case SBX_GRANT_DATA:
		return sbxi_grant_open_data(want, deadline_ms, fail);
	default:
		return sbxi_fail(fail, SBX_STEP_GRANTS, -EINVAL, want->object,
				 "%u is no kind of grant", want->kind);
	}
}

static int open_all(const struct wanted_list *list, int64_t deadline_ms,
		    struct sbxi_grants *grants, struct sbxi_fail *fail)
{
	size_t i;

	grants->grant = calloc(list->n > 0 ? list->n : 1,
			       sizeof(*grants->grant));
	if (!grants->grant)
		return sbxi_fail(fail, SBX_STEP_GRANTS, -ENOMEM, NULL, NULL);
	for (i = 0; i < list->n; i++) {
		const struct sbxi_wanted *want = &list->item[i];
		struct sbxi_ready_grant *ready = &grants->grant[i];
		bool inet = false;
		int fd = open_one(want, deadline_ms, &inet, fail);

		if (fd < 0)
			return fd;
		(void)snprintf(ready->name, sizeof(ready->name), "%s",
			       want->name);
		ready->fd = fd;
		ready->task_fd = want->task_fd;
		grants->inet |= inet;
		grants->n++;
	}
	return 0;
}

/* Everything is checked before anything is opened: connecting has effects. */
static int check_all(const struct sbx_policy *policy,
		     struct wanted_list *list, struct sbxi_fail *fail)
{
	size_t i;
	int rc;

	for (i = 0; i < list->n; i++) {
		rc = check_one(policy, list, i, fail);
		if (rc < 0)
			return rc;
	}
	return number_rest(policy, list, fail);
}

int sbxi_grants_open(const struct sbx_policy *policy,
		     const struct sbx_grant *grants, size_t n_grants,
		     int connect_timeout_ms, struct sbxi_grants *ret,
		     struct sbxi_fail *fail)
{
	int64_t deadline_ms = sbxi_deadline_ms(connect_timeout_ms);
	struct wanted_list list = { .item = NULL };
	struct sbxi_grants ready = { .grant = NULL };
	int rc = take_all(policy, grants, n_grants, &list, fail);

	if (rc == 0)
		rc = check_all(policy, &list, fail);
	if (rc == 0)
		rc = open_all(&list, deadline_ms, &ready, fail);
	free(list.item);
	if (rc < 0) {
		sbxi_grants_done(&ready);
		return rc;
	}
	*ret = ready;
	return 0;
}

void sbxi_grants_done(struct sbxi_grants *grants)
{
	while (grants->n > 0)
		close(grants->grant[--grants->n].fd);
	free(grants->grant);
	*grants = (struct sbxi_grants){ .grant = NULL };
}

char *sbxi_grants_list(const struct sbxi_grants *grants)
{
	/* A name, a colon, a number of five digits, a blank. */
	size_t each = sizeof(grants->grant->name) + 1 + 5 + 1;
	size_t size = grants->n * each + 1, len = 0, i;
	char *text = malloc(size);

	if (!text)
		return NULL;
	text[0] = '\0';
	for (i = 0; i < grants->n; i++) {
		int n = snprintf(text + len, size - len, "%s%s:%d",
				 i > 0 ? " " : "", grants->grant[i].name,
				 grants->grant[i].task_fd);

		if (n < 0 || (size_t)n >= size - len)
			break;
		len += (size_t)n;
	}
	return text;
}

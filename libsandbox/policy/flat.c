/* SPDX-License-Identifier: Apache-2.0 */
/* flat: from sorted tables of paths and links to one block, the plan. */
#include "policy/flat.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"

#include "base/cleanup.h"
#include "kernel/landlock.h"
#include "kernel/seccomp.h"

#define ALIGN 8u

/* A plan in the making: first with base NULL, to measure, then to write. */
struct block {
	char *base;
	uint64_t size;
	bool overflow;
};

/* The offset of n elements of `each` bytes; 0 if there are none. */
static uint32_t take(struct block *b, size_t n, size_t each)
{
	uint64_t start = (b->size + ALIGN - 1) / ALIGN * ALIGN;
	uint64_t bytes;

	if (n == 0)
		return 0;
	if (__builtin_mul_overflow((uint64_t)n, (uint64_t)each, &bytes) ||
	    bytes > SBXI_PLAN_MAX || start + bytes > SBXI_PLAN_MAX) {
		b->overflow = true;
		return 0;
	}
	b->size = start + bytes;
	return (uint32_t)start;
}

static uint32_t put(struct block *b, const void *from, size_t n, size_t each)
{
	uint32_t at = take(b, n, each);

	if (b->base && at)
		memcpy(b->base + at, from, n * each);
	return at;
}

static uint32_t put_string(struct block *b, const char *text)
{
	return put(b, text, strlen(text) + 1, 1);
}

static uint32_t put_paths(struct block *b, const struct sbxi_flat *flat)
{
	uint32_t at = take(b, flat->n_paths, sizeof(struct sbxi_plan_path));

	for (size_t i = 0; i < flat->n_paths && !b->overflow; i++) {
		const struct sbxi_flat_path *from = &flat->paths[i];
		struct sbxi_plan_path to = {
			.id = from->id,
			.rights = from->rights,
			.flags = from->flags,
			.source = put_string(b, from->source),
		};

		to.dest = strcmp(from->source, from->dest) == 0 ?
			to.source : put_string(b, from->dest);
		if (b->base)
			memcpy(b->base + at + i * sizeof(to), &to, sizeof(to));
	}
	return at;
}

static uint32_t put_links(struct block *b, const struct sbxi_flat *flat)
{
	uint32_t at = take(b, flat->n_links, sizeof(struct sbxi_plan_link));

	for (size_t i = 0; i < flat->n_links && !b->overflow; i++) {
		struct sbxi_plan_link to = {
			.path = put_string(b, flat->links[i].path),
			.text = put_string(b, flat->links[i].text),
		};

		if (b->base)
			memcpy(b->base + at + i * sizeof(to), &to, sizeof(to));
	}
	return at;
}

/* Write the header and all that it names, or measure it. */
static void put_all(struct block *b, struct sbxi_plan *head,
		    const struct sbxi_flat *flat,
		    const struct sbxi_bpf bpf[SBXI_N_FILTERS])
{
	b->size = 0;
	(void)take(b, 1, sizeof(*head));	/* at 0, so there is no offset */
	head->n_paths = (uint32_t)flat->n_paths;
	head->paths = put_paths(b, flat);
	head->n_links = (uint32_t)flat->n_links;
	head->links = put_links(b, flat);
	for (size_t i = 0; i < SBXI_N_FILTERS; i++) {
		head->filter[i].count = (uint32_t)bpf[i].count;
		head->filter[i].offset = put(b, bpf[i].code, bpf[i].count,
					     sizeof(struct sock_filter));
	}
	head->size = (uint32_t)b->size;
	if (b->base)
		memcpy(b->base, head, sizeof(*head));
}

/*
 * Is this root of the host, and can it hand out the task's id?  Root of a
 * user namespace has no other id to lend; without /proc nobody knows.
 */
static bool is_host_root(uint32_t task_id)
{
	unsigned int inside, outside, count;
	char text[64];
	ssize_t n;

	if (geteuid() != 0)
		return false;
	AUTO_FD fd = open("/proc/self/uid_map", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	if (n <= 0)
		return false;
	text[n] = '\0';
	return sscanf(text, "%u %u %u", &inside, &outside, &count) == 3 &&
	       inside == 0 && outside == 0 && count > task_id;
}

static void fill_head(const struct sbx_policy *p, struct sbxi_plan *head)
{
	*head = (struct sbxi_plan){
		.magic = SBXI_PLAN_MAGIC,
		.version = SBXI_PLAN_VERSION,
		.protect = p->protect,
		.limit_asked = p->limit_asked,
	};
	memcpy(head->level, p->level, sizeof(head->level));
	memcpy(head->limit, p->limit, sizeof(head->limit));
	if (p->loopback)
		head->flags |= SBXI_PLAN_LOOPBACK;
	if (p->limit[SBX_LIMIT_OUTPUT] != SBXI_NO_LIMIT)
		head->flags |= SBXI_PLAN_RELAY_OUTPUT;
	if (p->profile == SBX_PROFILE_TOOL)
		head->flags |= SBXI_PLAN_TOOL;
	if (is_host_root(SBX_TASK_ID)) {
		head->flags |= SBXI_PLAN_TASK_ID;
		head->task_id = SBX_TASK_ID;
	}
}

static int compile_filters(struct sbxi_bpf bpf[SBXI_N_FILTERS], size_t *ret_n,
			   struct sbxi_fail *fail)
{
	int abi = sbxi_landlock_abi();
	struct sbxi_seccomp_opts opts = {
		.landlock_abi = abi > 0 ? (uint32_t)abi : 0,
	};

	for (*ret_n = 0; *ret_n < SBXI_N_FILTERS; ++*ret_n) {
		int rc = sbxi_seccomp_prepare((enum sbxi_filter)*ret_n, &opts,
					      &bpf[*ret_n]);

		if (rc < 0)
			return sbxi_fail(fail, SBX_STEP_COMPILE, rc, "filter",
					 "system call filter %zu does not compile",
					 *ret_n);
	}
	return 0;
}

static int lay_out(const struct sbx_policy *policy,
		   const struct sbxi_flat *flat,
		   const struct sbxi_bpf bpf[SBXI_N_FILTERS],
		   struct sbxi_plan **ret_plan, struct sbxi_fail *fail)
{
	struct block b = { .base = NULL };
	struct sbxi_plan head;

	fill_head(policy, &head);
	put_all(&b, &head, flat, bpf);
	if (b.overflow)
		return sbxi_fail(fail, SBX_STEP_COMPILE, -EINVAL, "policy",
				 "the compiled policy is over %u MiB",
				 SBXI_PLAN_MAX >> 20);
	b.base = calloc(1, b.size);
	if (!b.base)
		return sbxi_fail(fail, SBX_STEP_COMPILE, -ENOMEM, "policy",
				 NULL);
	put_all(&b, &head, flat, bpf);
	*ret_plan = (struct sbxi_plan *)(void *)b.base;
	return 0;
}

int sbxi_flat_build(const struct sbx_policy *policy,
		    const struct sbxi_flat *flat, struct sbxi_plan **ret_plan,
		    struct sbxi_fail *fail)
{
	struct sbxi_bpf bpf[SBXI_N_FILTERS] = { { NULL, 0 } };
	size_t n = 0;
	int rc = compile_filters(bpf, &n, fail);

	if (rc == 0)
		rc = lay_out(policy, flat, bpf, ret_plan, fail);
	while (n > 0)
		sbxi_bpf_done(&bpf[--n]);
	return rc;
}

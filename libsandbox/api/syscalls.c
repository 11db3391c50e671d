/* SPDX-License-Identifier: Apache-2.0 */
/* sbx_syscall_set(): which system calls a task may make, and why. */
#include <errno.h>
#include <string.h>

#include <sandbox/report.h>

#include "base/cleanup.h"

#include "kernel/seccomp.h"
#include "kernel/seccomp_sets.h"

/* A size beyond it is garbage, not a later version's. */
#define SET_SIZE_MAX 4096

struct group {
	uint32_t kind;
	const struct sbxi_syscall_set *sets;
	size_t n;
};

/* The sets of all kinds in one row: the index'th, or NULL. */
static const struct sbxi_syscall_set *find(size_t index, uint32_t *ret_kind)
{
	const struct sbxi_filter_spec *task =
		sbxi_filter_spec(SBXI_FILTER_TASK_A);
	const struct sbxi_filter_spec *connected =
		sbxi_filter_spec(SBXI_FILTER_CONNECTED);
	const struct sbxi_filter_spec *reader =
		sbxi_filter_spec(SBXI_FILTER_READER);
	const struct group groups[] = {
		{ SBX_SYSCALLS_ALLOWED, task->sets, task->n_sets },
		{ SBX_SYSCALLS_REFUSED, task->refused, task->n_refused },
		{ SBX_SYSCALLS_CONNECTED, connected->sets, connected->n_sets },
		{ SBX_SYSCALLS_READER, reader->sets, reader->n_sets },
	};

	for (size_t i = 0; i < SBXI_COUNT(groups); i++) {
		*ret_kind = groups[i].kind;
		if (index < groups[i].n)
			return &groups[i].sets[index];
		index -= groups[i].n;
	}
	return NULL;
}

int sbx_syscall_set(size_t index, struct sbx_syscall_set *ret_set)
{
	const uint32_t size = ret_set->size;
	const struct sbxi_syscall_set *set;
	uint32_t kind;

	if (size < sizeof(*ret_set) || size > SET_SIZE_MAX)
		return -EINVAL;
	set = find(index, &kind);
	if (!set)
		return -ENOENT;
	/* A caller of a later version finds zeros in what we do not know. */
	memset(ret_set, 0, size);
	*ret_set = (struct sbx_syscall_set){
		.size = size,
		.kind = kind,
		.name = set->name,
		.reason = set->reason,
		.calls = set->calls,
	};
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* sbx_syscall_set(): which system calls a task may make, and why. */
#include <errno.h>
#include <string.h>

#include <sandbox/report.h>

#include "kernel/seccomp.h"
#include "kernel/seccomp_sets.h"

/* A size beyond it is garbage, not a later version's. */
#define SET_SIZE_MAX 4096

/* The sets of all kinds in one row: the index'th, or NULL. */
static const struct sbxi_syscall_set *find(size_t index, uint32_t *ret_kind)
{
	const struct sbxi_filter_spec *task =
		sbxi_filter_spec(SBXI_FILTER_TASK_A);
	const struct sbxi_filter_spec *connected =
		sbxi_filter_spec(SBXI_FILTER_CONNECTED);

	*ret_kind = SBX_SYSCALLS_ALLOWED;
	if (index < task->n_sets)
		return &task->sets[index];
	index -= task->n_sets;
	*ret_kind = SBX_SYSCALLS_REFUSED;
	if (index < task->n_refused)
		return &task->refused[index];
	index -= task->n_refused;
	*ret_kind = SBX_SYSCALLS_CONNECTED;
	return index < connected->n_sets ? &connected->sets[index] : NULL;
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

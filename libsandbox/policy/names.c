/* SPDX-License-Identifier: Apache-2.0 */
/* names: the stable words for sbxi_property_names and limits. */
#include "kernel/property_names.h"
#include "policy/policy.h"

#include <string.h>

#include "base/cleanup.h"

static const char *const limits[SBXI_N_LIMITS] = {
	[SBX_LIMIT_WALL_MS] = "wall_ms",
	[SBX_LIMIT_CPU_MS] = "cpu_ms",
	[SBX_LIMIT_MEMORY] = "memory_bytes",
	[SBX_LIMIT_PROCESSES] = "processes",
	[SBX_LIMIT_OPEN_FILES] = "open_files",
	[SBX_LIMIT_FILE_SIZE] = "file_size_bytes",
	[SBX_LIMIT_OUTPUT] = "output_bytes",
	[SBX_LIMIT_SCRATCH] = "scratch_bytes",
};

static int find(const char *const *table, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(table[i], name) == 0)
			return (int)i;
	return -1;
}

const char *sbxi_property_name(uint32_t property)
{
	return property < SBXI_COUNT(sbxi_property_names) ? sbxi_property_names[property] : NULL;
}

int sbxi_property_by_name(const char *name)
{
	return find(sbxi_property_names, SBXI_COUNT(sbxi_property_names), name);
}

const char *sbxi_limit_name(uint32_t which)
{
	return which < SBXI_COUNT(limits) ? limits[which] : NULL;
}

int sbxi_limit_by_name(const char *name)
{
	return find(limits, SBXI_COUNT(limits), name);
}

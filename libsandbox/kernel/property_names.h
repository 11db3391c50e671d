/* SPDX-License-Identifier: Apache-2.0 */
/* property_names: as JSON, the command line, reports and errors have them. */
#ifndef SBXI_KERNEL_PROPERTY_NAMES_H
#define SBXI_KERNEL_PROPERTY_NAMES_H

#include <sandbox/types.h>

#include "kernel/plan.h"

static const char *const sbxi_property_names[SBXI_N_PROPERTIES] = {
	[SBX_PROP_FILES] = "files",
	[SBX_PROP_NAMES] = "names",
	[SBX_PROP_TRUST] = "trust",
	[SBX_PROP_NETWORK] = "network",
	[SBX_PROP_DESCRIPTORS] = "descriptors",
	[SBX_PROP_SYSCALLS] = "syscalls",
	[SBX_PROP_PRIVILEGES] = "privileges",
	[SBX_PROP_IDENTITY] = "identity",
	[SBX_PROP_SIGNALS] = "signals",
	[SBX_PROP_IPC] = "ipc",
	[SBX_PROP_TERMINAL] = "terminal",
	[SBX_PROP_PROCESSES] = "processes",
	[SBX_PROP_MEMORY] = "memory",
	[SBX_PROP_CPU] = "cpu",
	[SBX_PROP_TIME] = "time",
	[SBX_PROP_ENVIRONMENT] = "environment",
	[SBX_PROP_KEYRING] = "keyring",
};

#endif

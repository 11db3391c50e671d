/* SPDX-License-Identifier: Apache-2.0 */
/* errors: notes of failure, their texts, and the way out to the caller. */
#include "base/errors.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

static const char *const step_names[] = {
	[SBX_STEP_NONE] = "none",
	[SBX_STEP_COMPILE] = "compile",
	[SBX_STEP_OPEN_PATHS] = "open-paths",
	[SBX_STEP_SOCKETS] = "sockets",
	[SBX_STEP_CLONE] = "clone",
	[SBX_STEP_PLACE_HELPER] = "place-helper",
	[SBX_STEP_EXEC_HELPER] = "exec-helper",
	[SBX_STEP_RESTORE_MASK] = "restore-mask",
	[SBX_STEP_CHECK_PLAN] = "check-plan",
	[SBX_STEP_NAMESPACES] = "namespaces",
	[SBX_STEP_MAP_IDS] = "map-ids",
	[SBX_STEP_CHECK_IDS] = "check-ids",
	[SBX_STEP_SUPERVISE] = "supervise",
	[SBX_STEP_MOUNTS] = "mounts",
	[SBX_STEP_SYSTEM] = "system",
	[SBX_STEP_CWD] = "cwd",
	[SBX_STEP_FORK_TARGET] = "fork-target",
	[SBX_STEP_NEST] = "nest",
	[SBX_STEP_RLIMITS] = "rlimits",
	[SBX_STEP_GRANTS] = "grants",
	[SBX_STEP_CAPABILITIES] = "capabilities",
	[SBX_STEP_LANDLOCK] = "landlock",
	[SBX_STEP_VERIFY] = "verify",
	[SBX_STEP_FILTER] = "filter",
	[SBX_STEP_EXEC] = "exec",
	[SBX_STEP_ARGUMENT] = "argument",
	[SBX_STEP_PARSE] = "parse",
	[SBX_STEP_WAIT] = "wait",
	[SBX_STEP_PROBE] = "probe",
};

static const char *const remedy_texts[SBXI_N_REMEDIES] = {
	[SBXI_REMEDY_NONE] = "",
	[SBXI_REMEDY_USERNS_SYSCTL] =
		"allow user namespaces: sysctl user.max_user_namespaces=15000",
	[SBXI_REMEDY_USERNS_DEBIAN] =
		"allow user namespaces: sysctl kernel.unprivileged_userns_clone=1",
	[SBXI_REMEDY_USERNS_APPARMOR] =
		"AppArmor restricts user namespaces: sysctl kernel.apparmor_restrict_unprivileged_userns=0, or a profile with userns for the program",
	[SBXI_REMEDY_USERNS_FILTER] =
		"the container's seccomp filter refuses namespaces: allow clone and unshare in its profile, or let tier B do",
	[SBXI_REMEDY_LANDLOCK] =
		"boot a kernel with CONFIG_SECURITY_LANDLOCK and landlock in lsm=",
	[SBXI_REMEDY_LANDLOCK_ABI] =
		"use a newer kernel, whose Landlock knows this right",
	[SBXI_REMEDY_SECCOMP] =
		"use a kernel with CONFIG_SECCOMP_FILTER, or allow seccomp(2) in the container's profile",
	[SBXI_REMEDY_NET_NAMESPACES] =
		"raise the limit: sysctl user.max_net_namespaces",
	[SBXI_REMEDY_MEMFD_EXEC] =
		"vm.memfd_noexec=2 refuses the embedded helper: install the library, so that the installed one is found",
	[SBXI_REMEDY_CGROUP] =
		"delegate a cgroup v2 with the controller to this user, and pass it as cgroup_fd",
	[SBXI_REMEDY_PREFER] =
		"if less is enough, prefer the property instead of requiring it (sbx-exec --prefer)",
	[SBXI_REMEDY_GRANT_PATH] =
		"create it, correct the path, or mark it optional",
	[SBXI_REMEDY_RECOMPILE] =
		"another file is at that path now: compile the policy again",
	[SBXI_REMEDY_OPEN_FILES] =
		"raise the limit of open files (ulimit -n)",
	[SBXI_REMEDY_INTERPRETER] =
		"grant the directory of the interpreter with read and execute (sbx-exec --rox)",
	[SBXI_REMEDY_GRANT_EXEC] =
		"grant the directory of the program with read and execute (sbx-exec --rox)",
	[SBXI_REMEDY_GRANT_NUMBER] =
		"give each grant a number of its own from 3 upward, or -1",
	[SBXI_REMEDY_TASK_ID] =
		"keep granted trees on a file system with id-mapped mounts (ext4, xfs, btrfs, tmpfs), or start as an ordinary user",
	[SBXI_REMEDY_PROC] =
		"the container masks /proc, so no new one can be mounted: unmask it (Docker: --security-opt systempaths=unconfined)",
	[SBXI_REMEDY_CWD] =
		"grant that directory, or choose another working directory (sbx-exec --cwd)",
	[SBXI_REMEDY_PROCESSES] =
		"the limit of processes is reached: raise ulimit -u or the cgroup's pids.max",
	[SBXI_REMEDY_LISTENER] =
		"the supervisor cannot be asked here (seccomp user notification, Linux 5.19, and no filter outside that listens): prefer the property, or turn workspace trust off (sbx-exec --protect off)",
	[SBXI_REMEDY_IN_PLACE] =
		"only a task of its own can have that: use sbx_spawn (sbx-exec without --in-place), or prefer the property",
	[SBXI_REMEDY_THREADS] =
		"confine the process before it starts threads, or after they have ended",
	[SBXI_REMEDY_CLOSE] =
		"close it first (SBX_ENTER_CLOSE closes all above 2), or prefer the property",
	[SBXI_REMEDY_UNMAP] =
		"unmap it first, or grant it with write",
	[SBXI_REMEDY_VERSION] =
		"this version does not enforce that part: take it out",
};

const char *sbx_step_name(uint32_t step)
{
	if (step >= SBXI_COUNT(step_names) || !step_names[step])
		return "unknown";
	return step_names[step];
}

const char *sbx_remedy_text(uint32_t remedy)
{
	return remedy < SBXI_N_REMEDIES ? remedy_texts[remedy] : "";
}

__attribute__((format(printf, 6, 0)))
static void note(struct sbxi_fail *fail, uint32_t step, int code,
		 uint32_t remedy, const char *object, const char *fmt,
		 va_list args)
{
	*fail = (struct sbxi_fail){
		.step = step,
		.remedy = remedy,
		.sys_errno = -code,
	};
	if (object)
		snprintf(fail->object, sizeof(fail->object), "%s", object);
	if (fmt)
		vsnprintf(fail->text, sizeof(fail->text), fmt, args);
	else
		snprintf(fail->text, sizeof(fail->text), "%s",
			 strerror(-code));
}

int sbxi_fail(struct sbxi_fail *fail, uint32_t step, int code,
	      const char *object, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	note(fail, step, code, SBXI_REMEDY_NONE, object, fmt, args);
	va_end(args);
	return code;
}

int sbxi_fail_remedy(struct sbxi_fail *fail, uint32_t step, int code,
		     uint32_t remedy, const char *object, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	note(fail, step, code, remedy, object, fmt, args);
	va_end(args);
	return code;
}

int sbxi_fail_export(const struct sbxi_fail *fail, int code,
		     struct sbx_error *reterr)
{
	if (code >= 0 || !reterr)
		return code;
	*reterr = (struct sbx_error){
		.code = code,
		.step = fail->step,
		.where = fail->where,
		.remedy = fail->remedy,
		.sys_errno = fail->sys_errno,
	};
	memcpy(reterr->object, fail->object, sizeof(reterr->object) - 1);
	memcpy(reterr->text, fail->text, sizeof(reterr->text) - 1);
	return code;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* errors: how a failure travels inside the library, up to struct sbx_error. */
#ifndef SBXI_BASE_ERRORS_H
#define SBXI_BASE_ERRORS_H

#include <stdint.h>

#include <sandbox/error.h>

/* Remedies; the texts are in errors.c.  Append only. */
enum {
	SBXI_REMEDY_NONE = 0,
	SBXI_REMEDY_USERNS_SYSCTL,	/* user.max_user_namespaces is 0 */
	SBXI_REMEDY_USERNS_DEBIAN,	/* kernel.unprivileged_userns_clone is 0 */
	SBXI_REMEDY_USERNS_APPARMOR,	/* kernel.apparmor_restrict_unprivileged_userns */
	SBXI_REMEDY_USERNS_FILTER,	/* an outer seccomp filter, as Docker's */
	SBXI_REMEDY_LANDLOCK,		/* not built or not in lsm= */
	SBXI_REMEDY_LANDLOCK_ABI,	/* kernel too old for the right */
	SBXI_REMEDY_SECCOMP,
	SBXI_REMEDY_NET_NAMESPACES,	/* user.max_net_namespaces reached */
	SBXI_REMEDY_MEMFD_EXEC,		/* vm.memfd_noexec=2: install the helper */
	SBXI_REMEDY_CGROUP,		/* delegate a cgroup v2, or prefer */
	SBXI_REMEDY_PREFER,		/* ask for less: prefer that property */
	SBXI_REMEDY_GRANT_PATH,		/* the path does not exist: make it, or mark it optional */
	SBXI_REMEDY_RECOMPILE,		/* the path is another file now */
	SBXI_REMEDY_OPEN_FILES,		/* raise RLIMIT_NOFILE */
	SBXI_REMEDY_INTERPRETER,	/* grant the interpreter with rox */
	SBXI_REMEDY_GRANT_EXEC,		/* grant the program's directory with x */
	SBXI_REMEDY_GRANT_NUMBER,	/* choose another task_fd */
	SBXI_REMEDY_TASK_ID,		/* file system cannot be id-mapped */
	SBXI_REMEDY_PROC,		/* /proc is masked by the container */
	SBXI_REMEDY_CWD,		/* grant the directory, or choose another cwd */
	SBXI_REMEDY_PROCESSES,		/* RLIMIT_NPROC or pids.max reached */
	SBXI_REMEDY_VERSION,		/* not in this version */
	SBXI_REMEDY_LISTENER,		/* no listener: old kernel, or an outer one has it */
	SBXI_REMEDY_IN_PLACE,		/* only a task of its own holds that */
	SBXI_REMEDY_THREADS,		/* confine before there are threads */
	SBXI_REMEDY_CLOSE,		/* close it first */
	SBXI_REMEDY_UNMAP,		/* unmap it first, or grant it */
	SBXI_N_REMEDIES
};

/*
 * Where a failure is noted, deep down.  Every function that can fail for
 * more than one reason takes one; it is copied into the caller's struct
 * sbx_error once, by the exported function.  Never NULL inside the library.
 */
struct sbxi_fail {
	uint32_t step;		/* SBX_STEP_... */
	uint32_t where;		/* SBX_WHERE_... */
	uint32_t remedy;	/* SBXI_REMEDY_... */
	int32_t sys_errno;
	char object[256];
	char text[224];
};

/*
 * Note a failure and return its code: "return sbxi_fail(...)".
 *
 * code: negative; object: may be NULL; fmt: what happened, printf(3) style,
 * may be NULL for strerror(-code).
 */
__attribute__((format(printf, 5, 6)))
int sbxi_fail(struct sbxi_fail *fail, uint32_t step, int code,
	      const char *object, const char *fmt, ...);

/* The same with a remedy. */
__attribute__((format(printf, 6, 7)))
int sbxi_fail_remedy(struct sbxi_fail *fail, uint32_t step, int code,
		     uint32_t remedy, const char *object, const char *fmt,
		     ...);

/* Copy into the caller's error, at the edge.  reterr may be NULL.  Returns code. */
int sbxi_fail_export(const struct sbxi_fail *fail, int code,
		     struct sbx_error *reterr);

#endif

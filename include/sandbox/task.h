/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks: start one in a jail, follow it, end it.
 *
 * The library makes no thread, installs no signal handler, waits for no
 * process but its own, prints nothing and reads no environment.  The status
 * of a task arrives by a socket, so a caller that ignores SIGCHLD or calls
 * waitpid(-1) elsewhere loses nothing.
 *
 * One task's sbx_task_dispatch() and sbx_task_wait() are for one thread at a
 * time; all else here is safe from any thread.  In a forked copy of the
 * process every function returns -ECHILD.
 */
#ifndef SANDBOX_TASK_H
#define SANDBOX_TASK_H

#include <sandbox/error.h>
#include <sandbox/grant.h>
#include <sandbox/policy.h>
#include <sandbox/report.h>
#include <sandbox/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Values of sbx_spawn_opts.stdio besides a descriptor. */
enum {
	SBX_STDIO_NULL = -1,	/* /dev/null; the default */
	SBX_STDIO_INHERIT = -2,	/* the caller's descriptor of that number; /dev/null if he has closed it */
	SBX_STDIO_PIPE = -3	/* a pipe; its other end is sbx_task_stdio() */
};

/* Flags of sbx_spawn_opts. */
enum {
	/*
	 * stdio[0] is a terminal that becomes the task's controlling
	 * terminal.  Give a pty of your own, never the user's.
	 */
	SBX_SPAWN_CTTY = 1 << 0
};

/* Why a task was refused something. */
enum {
	SBX_DENIAL_WRITE = 1,	/* object: a path that no grant lets it change */
	SBX_DENIAL_READ = 2,	/* object: a path that no grant lets it read */
	SBX_DENIAL_TRUST = 3,	/* object: a path whose name others trust (sbx_policy_protect()) */
	SBX_DENIAL_LINKS = 4,	/* object: a path of a file that has other names, one of which may be trusted */
	SBX_DENIAL_SOCKET = 5,	/* object: the path of a socket file that the task has not made */
	SBX_DENIAL_NETWORK = 6,	/* object: "tcp:192.0.2.1:443", "" where no address was named yet */
	SBX_DENIAL_SYSCALL = 7	/* object: "mount", ...: a call that no task may make */
};

/* Flags of a denial. */
enum {
	SBX_DENIAL_EXISTS = 1 << 0,	/* there is something of that name in the jail */
	SBX_DENIAL_CUT = 1 << 1		/* object or grant was too long, and is cut */
};

/* One refusal.  The strings are good until the handler returns. */
struct sbx_denial {
	uint32_t size;		/* sizeof(struct sbx_denial) */
	uint32_t kind;		/* SBX_DENIAL_... */
	int32_t code;		/* what the task's call returned: a negative errno */
	uint32_t missed;	/* others before this one that were not told */
	uint32_t flags;		/* SBX_DENIAL_EXISTS, SBX_DENIAL_CUT */
	uint32_t reserved;
	const char *operation;	/* "open", "rename", "connect", ...: what the task wanted */
	const char *object;	/* as the task names it; any bytes.  "" = none */
	const char *grant;	/* the granted path that the object lies in, "" = none */
};

/* What the library tells its caller of a running task.  Begin with SBX_HANDLERS_INIT. */
struct sbx_handlers {
	uint32_t size;		/* sizeof(struct sbx_handlers) */
	uint32_t reserved;	/* 0 */
	/*
	 * The task was refused something.  Called inside sbx_task_dispatch()
	 * and sbx_task_wait() only, once for what is refused again and again.
	 * A denial that nobody comes to fetch is counted in `missed`, of the next
	 * one or of struct sbx_exit; it was a denial all the same.  Seen are changes of files, socket addresses and
	 * the calls that no task may make, as far as a supervisor can listen
	 * (the report's row "files" says "supervisor" then); not what a task
	 * fails to read or to execute.
	 *
	 * The handler may call everything but sbx_task_dispatch(),
	 * sbx_task_wait() and the last sbx_task_unref() of this task.
	 */
	void (*on_denial)(struct sbx_task *task, const struct sbx_denial *denial,
			  void *userdata);
};
#define SBX_HANDLERS_INIT { (uint32_t)sizeof(struct sbx_handlers), 0, NULL }

/* How to start a task.  Begin with SBX_SPAWN_OPTS_INIT. */
struct sbx_spawn_opts {
	uint32_t size;			/* sizeof(struct sbx_spawn_opts) */
	uint32_t flags;			/* SBX_SPAWN_..., or'ed */
	const char *const *argv;	/* argv[0]: a path, or a name to be found in the task's PATH */
	const char *cwd;		/* absolute path inside; NULL = the task's HOME */
	int32_t stdio[3];		/* a descriptor or SBX_STDIO_... */
	int32_t cgroup_fd;		/* directory of a delegated cgroup v2; -1 = none */
	const struct sbx_grant *grants;
	size_t n_grants;
	void *userdata;			/* for sbx_task_userdata(), and for handlers */
	const struct sbx_handlers *handlers;	/* copied; NULL = none */
};
#define SBX_SPAWN_OPTS_INIT { (uint32_t)sizeof(struct sbx_spawn_opts), 0, NULL, NULL, \
	{ SBX_STDIO_NULL, SBX_STDIO_NULL, SBX_STDIO_NULL }, -1, NULL, 0, NULL, NULL }

/* How a task ended. */
enum {
	SBX_EXITED = 1,		/* code: exit status */
	SBX_SIGNALED = 2,	/* code: signal number */
	SBX_DENIED_SYSCALL = 3,	/* killed by the system call filter; code: SIGSYS */
	SBX_TIMEOUT = 4,	/* SBX_LIMIT_WALL_MS */
	SBX_CPU_LIMIT = 5,	/* SBX_LIMIT_CPU_MS */
	SBX_MEMORY_LIMIT = 6,	/* SBX_LIMIT_MEMORY */
	SBX_BUDGET = 7,		/* a grant's budget */
	SBX_HARNESS_GONE = 8,	/* the harness died; seen in receipts only */
	SBX_PROCESS_LIMIT = 9	/* SBX_LIMIT_PROCESSES, where it is watched */
};

struct sbx_exit {
	uint32_t size;		/* sizeof(struct sbx_exit) */
	uint32_t kind;		/* SBX_EXITED, ... */
	int32_t code;		/* exit status or signal number; 0 for the other kinds */
	uint32_t flags;		/* SBX_EXIT_... */
	uint64_t wall_ms;	/* from the start to the end of the tree */
	uint64_t cpu_us;	/* user and system time of the tree, as far as it was waited for */
	uint64_t max_rss_bytes;	/* the largest process of the tree */
	uint64_t output_bytes;	/* relayed standard output and error; 0 if not relayed */
	uint64_t missed;	/* denials at the end that no handler was told of */
};
#define SBX_EXIT_INIT { (uint32_t)sizeof(struct sbx_exit), 0, 0, 0, 0, 0, 0, 0, 0 }

/* Flags of sbx_exit. */
enum {
	SBX_EXIT_OUTPUT_CUT = 1 << 0	/* SBX_LIMIT_OUTPUT was reached */
};

/*
 * Start argv[0] in a new jail that holds only what the policy and the grants
 * of this call allow.
 *
 * The first spawn freezes the policy.  Descriptors in opts are dup'd: the
 * caller keeps his.  All other descriptors of the calling process stay
 * invisible to the task, close-on-exec or not.
 *
 * Returns 0 and sets *ret_task, which the caller drops with sbx_task_unref();
 * dropping the last handle kills the whole tree.  On failure *ret_task is
 * untouched and no process, descriptor, mount or cgroup is left:
 *   -EINVAL	bad opts or handlers, a bad or doubled grant, a bad number
 *   -E2BIG	opts newer than this library, or argv and environment over 2 MiB
 *   -EBADF	a descriptor that is not open
 *   -EPERM	a required property cannot be held here; the error names it
 *   -ENOENT	argv[0], its interpreter, cwd or a path of the policy is missing
 *   -EACCES	argv[0] cannot be executed, or a path may not be opened
 *   -ENOTDIR, -ELOOP, -ENAMETOOLONG	a path
 *   -ENOEXEC	argv[0] is no program
 *   -ESTALE	a path names another file than when the policy was compiled
 *   -ECONNREFUSED, -ETIMEDOUT, -EHOSTUNREACH, -ENETUNREACH	a CONNECT grant
 *   -EMFILE, -ENFILE, -ENOMEM, -EAGAIN, -ENOSPC	a resource of the host
 *   -ECHILD	called in a forked copy of the process
 *   -EOPNOTSUPP	a part that this host or library cannot do
 *   -EIO	anything else; the error has the errno
 * reterr may be NULL.  Blocks until the task has passed execve or failed.
 * Safe from any thread; the thread may end before the task does.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 2, 3)
int sbx_spawn(struct sbx_policy *policy, const struct sbx_spawn_opts *opts,
	      struct sbx_task **ret_task, struct sbx_error *reterr);

/* One more handle of the same task.  Returns task.  Safe from any thread. */
SBX_API SBX_NONNULL(1)
struct sbx_task *sbx_task_ref(struct sbx_task *task);

/*
 * Drop a handle; the last one kills the whole tree and returns when it is
 * gone.  NULL is fine.
 */
SBX_API void sbx_task_unref(struct sbx_task *task);

/*
 * Wait until the whole tree has ended.  Dropping the last handle then waits,
 * for less than a millisecond mostly, for the end of its supervisor.
 *
 * timeout_ms: milliseconds; 0 = look, -1 = no limit.
 * ret_exit: size set by SBX_EXIT_INIT.  A task can be waited for again.
 * Returns 0, -ETIMEDOUT, -EINVAL (size), -EINTR (a signal handler ran),
 * -ECHILD or -EIO.  One thread at a time.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 3)
int sbx_task_wait(struct sbx_task *task, int timeout_ms,
		  struct sbx_exit *ret_exit);

/*
 * A descriptor that is readable when sbx_task_dispatch() has something to do
 * or the task has ended.  Stays the task's: only poll it.
 */
SBX_API SBX_NONNULL(1)
int sbx_task_fd(const struct sbx_task *task);

/*
 * Do what is to be done now, and call the handlers; never blocks.
 *
 * Returns 1 if the task has ended, else 0; -EIO or -ECHILD.
 * One thread at a time.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1)
int sbx_task_dispatch(struct sbx_task *task);

/*
 * The caller's end of a pipe asked for with SBX_STDIO_PIPE.
 *
 * which: 0 (write to it), 1 or 2 (read from it).
 * Returns a descriptor that stays the task's, or -EBADF.  For another
 * lifetime, dup(2) it; to close the task's input use sbx_task_close_stdio().
 */
SBX_API SBX_NONNULL(1)
int sbx_task_stdio(struct sbx_task *task, int which);

/*
 * Close the caller's end of such a pipe.
 *
 * Returns 0 or -EBADF.  Not while another thread uses that descriptor.
 */
SBX_API SBX_NONNULL(1)
int sbx_task_close_stdio(struct sbx_task *task, int which);

/*
 * Send a signal to the task's first process; SIGKILL ends the whole tree.
 *
 * sig: 1 to 64.
 * Returns 0, -EINVAL, -ESRCH (ended already), -EAGAIN (too many unread
 * signals; SIGKILL never) or -ECHILD.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1)
int sbx_task_kill(struct sbx_task *task, int sig);

/*
 * A pidfd of the jail's supervisor: it becomes readable when the whole tree
 * has ended.  Stays the task's: only poll it.  See pidfd_open(2).
 */
SBX_API SBX_NONNULL(1)
int sbx_task_pidfd(const struct sbx_task *task);

/* opts.userdata of the spawn. */
SBX_API SBX_NONNULL(1)
void *sbx_task_userdata(const struct sbx_task *task);

/* Flags of sbx_enter_self(). */
enum {
	SBX_ENTER_CLOSE = 1 << 0,	/* close every descriptor above 2 */
	/*
	 * The caller executes a program next: what execve(2) takes away
	 * (close-on-exec descriptors, mappings) does not count.
	 */
	SBX_ENTER_EXEC = 1 << 1
};

/*
 * Confine the calling process itself, for good, without a new one: what needs
 * no supervisor.  No new privileges, no capabilities, no supplementary groups
 * (root), a session keyring of its own, the policy's limits of one process,
 * Landlock with the policy's paths, and the system call filter of tier B.
 * All that it executes or forks later is bound as well.
 *
 * Environment, working directory, descriptors (but for SBX_ENTER_CLOSE) and
 * signals stay as they are, and nobody watches: so `environment` is ABSENT;
 * `names`, `trust`, `memory` and `time` are ABSENT where asked for; and
 * `descriptors`, `terminal`, `ipc` and others PARTIAL where the process holds
 * something, which the report names.  Prefer what is not needed.
 *
 * flags: SBX_ENTER_..., or'ed.  Freezes the policy.
 * Returns 0 and sets *ret_report, which the caller frees with
 * sbx_report_free(); else *ret_report is untouched:
 *   -EINVAL	unknown flags
 *   -EBUSY	more than one thread, a held io_uring, or a writable shared
 *		mapping of a file that the policy does not let be written
 *   -EPERM	a required property cannot be held in place; the error names it
 *   -EOPNOTSUPP	the policy has what only a task can have: grants, a
 *		mandate, a network, limits of output or scratch space, a path
 *		at another place
 *   -ENOENT, -EACCES, -ENOTDIR, -ELOOP, -ENAMETOOLONG	a path
 *   -ESTALE	a path names another file than when the policy was compiled
 *   -EMFILE, -ENFILE, -ENOMEM	a resource of the host
 *   -ECHILD	called in a forked copy of the process that made the policy
 *   -EIO	anything else; the error has the errno
 * reterr may be NULL.  While error.where is SBX_WHERE_HARNESS nothing has
 * been changed; with SBX_WHERE_TARGET the process is confined in part, and
 * should end.  Once a process.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 3)
int sbx_enter_self(struct sbx_policy *policy, uint32_t flags,
		   struct sbx_report **ret_report, struct sbx_error *reterr);

#ifdef __cplusplus
}
#endif

#endif

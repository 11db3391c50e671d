/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Policies: what a task may reach before it starts.
 *
 * A policy is built by one thread, then frozen by sbx_policy_compile() or by
 * the first spawn.  A frozen policy may be used from any number of threads.
 * Functions that change a policy return -EBUSY once it is frozen, and
 * -ECHILD in a forked copy of the process that made it.
 */
#ifndef SANDBOX_POLICY_H
#define SANDBOX_POLICY_H

#include <sandbox/error.h>
#include <sandbox/grant.h>
#include <sandbox/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where a policy starts from. */
enum {
	SBX_PROFILE_EMPTY = 0,	/* reaches nothing, not even /usr */
	SBX_PROFILE_TOOL = 1	/* the system's programs and libraries, private /tmp and HOME, own loopback */
};

/* Flags of sbx_policy_path(). */
enum {
	SBX_PATH_OPTIONAL = 1 << 0,	/* no error if it does not exist when the policy is compiled */
	SBX_PATH_NO_PROTECT = 1 << 1	/* no workspace trust below it */
};

/* Limits; the unit is in the name or beside it. */
enum {
	SBX_LIMIT_WALL_MS = 0,	/* milliseconds of real time for the whole tree */
	SBX_LIMIT_CPU_MS,	/* milliseconds of CPU time of the whole tree */
	SBX_LIMIT_MEMORY,	/* bytes of the whole tree, memfds included */
	SBX_LIMIT_PROCESSES,	/* processes and threads */
	SBX_LIMIT_OPEN_FILES,	/* descriptors of one process */
	SBX_LIMIT_FILE_SIZE,	/* bytes of one file */
	SBX_LIMIT_OUTPUT,	/* bytes of standard output and error together */
	SBX_LIMIT_SCRATCH	/* bytes of private /tmp, /dev/shm and HOME together */
};

/* Workspace trust, see libsandbox(7). */
enum {
	SBX_PROTECT_STRICT = 0,		/* the default */
	SBX_PROTECT_EXISTING = 1,
	SBX_PROTECT_OFF = 2
};

/* Network modes. */
enum {
	SBX_NET_NONE = 0,	/* no socket but granted ones; the default */
	SBX_NET_BROKER = 1	/* and those that the mandate lets it connect */
};

/* What a rule of the mandate says; from the most to the least. */
enum {
	SBX_DECIDE_GRANT = 1,	/* as asked, if the rule gives all of it */
	SBX_DECIDE_NARROW = 2,	/* what the rule gives of it */
	SBX_DECIDE_ASK = 3,	/* what the rule gives, if somebody agrees */
	SBX_DECIDE_DENY = 4	/* nothing, whatever other rules say */
};

/*
 * A rule of the mandate: what a task may ask for while it runs.  Start from
 * SBX_RULE_INIT.  A task asks for one thing at a time.  Rules that deny come
 * first; of the others the first that fits decides, in the order in which
 * they were added; where none fits, the request is denied.
 */
struct sbx_rule {
	uint32_t size;		/* sizeof(struct sbx_rule) */
	uint32_t kind;		/* SBX_GRANT_CONNECT, _LISTEN, _FILE, _DIRECTORY, _DATA or _TASK */
	const char *match;	/* what it is about, see sbx_policy_rule(3) */
	uint32_t rights;	/* SBX_READ..., at most these; 0 = the usual ones of the kind, all if it denies */
	uint32_t decision;	/* SBX_DECIDE_... */
	uint64_t lifetime_ms;	/* of each grant; 0 = until the task ends */
	uint64_t max_uses;	/* this and the rest: of all grants of this rule together; 0 = no limit */
	uint64_t max_bytes_in;	/* towards the task */
	uint64_t max_bytes_out;	/* from the task */
	uint64_t max_cost;	/* units of the harness's own */
	const char *const *labels;	/* what its grants bear, NULL at the end; NULL = none */
};
#define SBX_RULE_INIT { (uint32_t)sizeof(struct sbx_rule), 0, NULL, 0, 0, 0, 0, 0, 0, 0, NULL }

/* Values for "${x}" in a policy file and for "pass" in its environment. */
struct sbx_load_opts {
	uint32_t size;			/* sizeof(struct sbx_load_opts) */
	uint32_t flags;			/* none yet: 0 */
	const char *const *vars;	/* "NAME=value", NULL at the end; NULL = none */
	const char *const *envp;	/* "NAME=value", NULL at the end; NULL = none */
};
#define SBX_LOAD_OPTS_INIT { (uint32_t)sizeof(struct sbx_load_opts), 0, NULL, NULL }

/*
 * Make a policy.
 *
 * profile: SBX_PROFILE_EMPTY or SBX_PROFILE_TOOL.
 * Returns 0 and sets *ret_policy, which the caller drops with
 * sbx_policy_unref().  Returns -EINVAL (unknown profile) or -ENOMEM.
 * reterr may be NULL.  Safe from any thread.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(2)
int sbx_policy_new(uint32_t profile, struct sbx_policy **ret_policy,
		   struct sbx_error *reterr);

/*
 * Make a policy from the JSON text of a policy file (sbx_policy(5)).
 *
 * json, len: the text, len bytes; need not end in NUL.
 * opts: values for variables; NULL = none.
 * Unknown keys, duplicate keys, wrong types, NUL bytes and variables without
 * a value are errors; the error's object names the key ("files[0].rights").
 * Nothing is read from the environment or from disk.
 *
 * Returns 0 and sets *ret_policy, which the caller drops with
 * sbx_policy_unref().  Returns -EINVAL (the text is no policy),
 * -EOPNOTSUPP (a part that this library does not enforce), -E2BIG (text over
 * 1 MiB, nesting over 32, or opts newer than this library) or -ENOMEM.
 * reterr may be NULL.  Safe from any thread.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 4)
int sbx_policy_load(const char *json, size_t len,
		    const struct sbx_load_opts *opts,
		    struct sbx_policy **ret_policy, struct sbx_error *reterr);

/* One more handle of the same policy.  Returns policy.  Safe from any thread. */
SBX_API SBX_NONNULL(1)
struct sbx_policy *sbx_policy_ref(struct sbx_policy *policy);

/* Drop a handle; the last one frees the policy.  NULL is fine. */
SBX_API void sbx_policy_unref(struct sbx_policy *policy);

/*
 * Let the task reach a file or a tree, at the same path.
 *
 * path: absolute, without "." and "..", at most 4,095 bytes; copied.  Links
 *	 in it are followed when the policy is compiled, and the file that is
 *	 found then is the one that is granted.
 * rights: SBX_READ, SBX_WRITE, SBX_EXEC, or'ed; at least one.
 * flags: SBX_PATH_..., or'ed.
 * The most specific path wins, whatever the order.  Granting a path twice
 * replaces the rights.
 *
 * Returns 0, -EINVAL (path or bits), -ENAMETOOLONG, -EBUSY (frozen), -ECHILD
 * or -ENOMEM.  reterr may be NULL.  One thread at a time.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 2)
int sbx_policy_path(struct sbx_policy *policy, const char *path,
		    uint32_t rights, uint32_t flags, struct sbx_error *reterr);

/*
 * The same, shown to the task at another path.  Needs a mount namespace: on
 * a host without user namespaces the spawn fails with -EPERM.
 *
 * path: as for sbx_policy_path().
 * dest: where the task finds it; absolute, without "." and "..", not below
 *	 /proc, /dev or /sys; copied.
 * rights: SBX_READ, SBX_WRITE, SBX_EXEC, or'ed; at least one.
 *
 * Returns as sbx_policy_path().  reterr may be NULL.  One thread at a time.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 2, 3)
int sbx_policy_path_at(struct sbx_policy *policy, const char *path,
		       const char *dest, uint32_t rights,
		       struct sbx_error *reterr);

/*
 * Set a variable of the task's environment, which is otherwise PATH, HOME,
 * TMPDIR, LANG, TERM, USER, LOGNAME, SHELL and the XDG folders.
 *
 * name: non-empty, without '='; copied.  "SBX_FDS", "SBX_BROKER_FD",
 *	 "LISTEN_FDS", "LISTEN_FDNAMES" and "LISTEN_PID" belong to the library.
 * value: copied; NULL takes the variable out.
 *
 * Returns 0, -EINVAL (name), -E2BIG (over 128 KiB in one variable), -EBUSY
 * (frozen), -ECHILD or -ENOMEM.  One thread at a time.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 2)
int sbx_policy_env(struct sbx_policy *policy, const char *name,
		   const char *value);

/*
 * Set a limit.
 *
 * which: SBX_LIMIT_...; value: in the limit's unit; 0 is -EINVAL.
 * UINT64_MAX takes a default limit away.
 *
 * Returns 0, -EINVAL, -EBUSY (frozen) or -ECHILD.  One thread at a time.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1)
int sbx_policy_limit(struct sbx_policy *policy, uint32_t which, uint64_t value);

/*
 * Say how much a property is wanted.  Default: SBX_REQUIRE, and SBX_PREFER
 * for names, identity, memory, cpu, processes and trust.
 *
 * property: SBX_PROP_...; level: SBX_OFF, SBX_PREFER or SBX_REQUIRE.
 * SBX_OFF leaves a mechanism out only where the property has one of its own;
 * it never opens what another property closes.
 *
 * Returns 0, -EINVAL, -EBUSY (frozen) or -ECHILD.  One thread at a time.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1)
int sbx_policy_require(struct sbx_policy *policy, uint32_t property,
		       uint32_t level);

/*
 * Choose workspace trust for all writable paths.
 *
 * level: SBX_PROTECT_STRICT, SBX_PROTECT_EXISTING or SBX_PROTECT_OFF.
 * Returns 0, -EINVAL, -EBUSY (frozen) or -ECHILD.  One thread at a time.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1)
int sbx_policy_protect(struct sbx_policy *policy, uint32_t level);

/*
 * Choose the network.
 *
 * mode: SBX_NET_NONE or SBX_NET_BROKER.
 * loopback: 1 = a loopback interface of the task's own is up (default of
 *	     SBX_PROFILE_TOOL), 0 = no interface is up.
 * Returns 0, -EINVAL, -EBUSY (frozen) or -ECHILD.  One thread at a time.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1)
int sbx_policy_network(struct sbx_policy *policy, uint32_t mode,
		       uint32_t loopback);

/*
 * Add a rule to the mandate: what a task may ask for while it runs.
 *
 * rule: copied, strings and all.
 * The error's object is the rule, "mandate.rules[N]", counted from 0.
 *
 * Returns 0; -EINVAL (a field of the rule), -ENAMETOOLONG (a path),
 * -E2BIG (over 1,024 rules, over 64 labels, or a rule newer than this
 * library), -EBUSY (frozen), -ECHILD or -ENOMEM.
 * reterr may be NULL.  One thread at a time.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 2)
int sbx_policy_rule(struct sbx_policy *policy, const struct sbx_rule *rule,
		    struct sbx_error *reterr);

/*
 * Labels that no task holds together: a request that would complete the set
 * is denied, counting what the task has held before.
 *
 * labels: two or more of [A-Za-z0-9._-]{1,64}, NULL at the end; copied.
 * Returns 0, -EINVAL (fewer than two, or no label), -E2BIG (over 64 labels or
 * sets), -EBUSY (frozen), -ECHILD or -ENOMEM.  One thread at a time.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 2)
int sbx_policy_never_together(struct sbx_policy *policy,
			      const char *const *labels);

/*
 * Label a place: who reaches it, or what is below it, bears the label.
 *
 * path: as for sbx_policy_path(); copied.  It grants nothing.
 * label: [A-Za-z0-9._-]{1,64}; copied.
 * Returns 0, -EINVAL (path or label), -ENAMETOOLONG, -E2BIG (over 1,024),
 * -EBUSY (frozen), -ECHILD or -ENOMEM.  One thread at a time.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 2, 3)
int sbx_policy_label(struct sbx_policy *policy, const char *path,
		     const char *label);

/*
 * Say what the task is for, to those who answer its requests.
 *
 * text: 1 to 1,024 bytes without control characters; copied; replaces an
 * earlier one.
 * Returns 0, -EINVAL, -EBUSY (frozen), -ECHILD or -ENOMEM.
 * One thread at a time.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 2)
int sbx_policy_purpose(struct sbx_policy *policy, const char *text);

/*
 * Does the child reach at most what the parent does, at the start and by
 * asking?  Neither is changed; of one that is not compiled, the files are
 * looked up as sbx_policy_compile() would.
 *
 * Returns 0: yes.  Returns -EPERM: no, or not for sure, and the error names
 * the first excess; or a code of sbx_policy_compile().
 * reterr may be NULL.  Safe from any thread if both are frozen.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 2)
int sbx_policy_subset(const struct sbx_policy *child,
		      const struct sbx_policy *parent,
		      struct sbx_error *reterr);

/*
 * Check a policy, find the files that it names, compile it, and freeze it.
 * The first spawn does the same if this was not called.  A second call
 * returns 0.
 *
 * Returns 0; -ENOENT, -ENOTDIR, -EACCES, -ELOOP (a path, named in the
 * error), -EINVAL (a contradiction), -ECHILD, -EMFILE, -ENFILE or -ENOMEM;
 * the policy is then unchanged and not frozen.
 * reterr may be NULL.  Safe from any thread.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1)
int sbx_policy_compile(struct sbx_policy *policy, struct sbx_error *reterr);

#ifdef __cplusplus
}
#endif

#endif

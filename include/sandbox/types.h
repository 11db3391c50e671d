/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names that every other header of libsandbox uses: rights, properties,
 * levels, and the attributes of exported functions.
 *
 * Values are frozen: a number never changes its meaning, new ones are added
 * at the end.  Structures that cross the library's edge begin with their own
 * size; a shorter one than the library's is filled up with zeros, a longer
 * one whose unknown tail is not zero is -E2BIG (the rule of clone3(2)).
 */
#ifndef SANDBOX_TYPES_H
#define SANDBOX_TYPES_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SBX_API __attribute__((visibility("default")))
#define SBX_MUST_USE __attribute__((warn_unused_result))
#define SBX_NONNULL(...) __attribute__((nonnull(__VA_ARGS__)))
#else
#define SBX_API
#define SBX_MUST_USE
#define SBX_NONNULL(...)
#endif

struct sbx_policy;	/* what one task may reach; empty = nothing */
struct sbx_task;	/* one confined process tree */
struct sbx_report;	/* what holds, and by which mechanism */
struct sbx_error;

/* Rights of a path or of a grant. */
enum {
	SBX_READ = 1 << 0,	/* read a file, list a directory */
	SBX_WRITE = 1 << 1,	/* write, create, delete, rename, link, metadata */
	SBX_EXEC = 1 << 2	/* execute a file */
};

/*
 * Properties: what is to hold.  A property is held by mechanisms that differ
 * from host to host; the report says by which.
 */
enum {
	SBX_PROP_FILES = 0,	/* content, creation, removal, execution, metadata writes */
	SBX_PROP_NAMES,		/* whether a path exists */
	SBX_PROP_TRUST,		/* files that others run or trust later */
	SBX_PROP_NETWORK,	/* no socket but granted ones */
	SBX_PROP_DESCRIPTORS,	/* no descriptor but granted ones */
	SBX_PROP_SYSCALLS,	/* system calls by allow list */
	SBX_PROP_PRIVILEGES,	/* no capability, no gain by exec */
	SBX_PROP_IDENTITY,	/* host id is not root's; no extra groups */
	SBX_PROP_SIGNALS,	/* no signal leaves the jail */
	SBX_PROP_IPC,		/* no shared memory, queue or abstract socket */
	SBX_PROP_TERMINAL,	/* own session, no injected input */
	SBX_PROP_PROCESSES,	/* others unseen, number bounded, none outlives */
	SBX_PROP_MEMORY,	/* memory of the whole tree is bounded */
	SBX_PROP_CPU,		/* CPU time of the whole tree is bounded */
	SBX_PROP_TIME,		/* the deadline ends the whole tree */
	SBX_PROP_ENVIRONMENT,	/* no variable but listed ones */
	SBX_PROP_KEYRING	/* no key of the harness */
};

/* How much a property is wanted. */
enum {
	SBX_OFF = 0,		/* not asked for */
	SBX_PREFER = 1,		/* take what the host offers, report it */
	SBX_REQUIRE = 2		/* enforced, or no task is started */
};

/* What was found to hold. */
enum {
	SBX_STATE_OFF = 0,	/* not asked for, not set up */
	SBX_STATE_ABSENT = 1,	/* nothing holds it on this host */
	SBX_STATE_PARTIAL = 2,	/* held with the gap that the row's text names */
	SBX_STATE_ENFORCED = 3	/* held */
};

/* How that was found out. */
enum {
	SBX_VERIFIED_ASSUMED = 0,	/* the call that sets it up succeeded */
	SBX_VERIFIED_READBACK = 1,	/* the kernel was asked afterwards */
	SBX_VERIFIED_CANARY = 2		/* the forbidden act was tried, and refused */
};

/* Which kind of jail this host can give. */
enum {
	SBX_TIER_NONE = 0,	/* not even Landlock and seccomp */
	SBX_TIER_B = 1,		/* Landlock, seccomp, descriptor allow list */
	SBX_TIER_A = 2		/* and user namespaces */
};

#endif

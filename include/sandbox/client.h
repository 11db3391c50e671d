/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside a task: ask the broker for what the task was not given.
 *
 * This is libsandbox-client, a library of its own: it needs libc only, uses
 * no heap, starts no thread, and installs no handler.  A task that may ask
 * finds a socket in SBX_BROKER_FD; sbx_client_open() makes a channel of its
 * own through it, so any number of processes may ask at the same time.
 *
 * A handle is for one thread at a time; several handles know nothing of each
 * other.  In a forked copy of the process every function returns -ECHILD.
 *
 * What may go wrong is the same for all functions that wait for an answer:
 *   -EINVAL	an argument, or the broker found one to make no sense
 *   -E2BIG	a struct that is newer than this library
 *   -EMSGSIZE	more than fits one message (16 KiB)
 *   -ENAMETOOLONG	a target over 1,023, a reason or a text over 223 bytes
 *   -EACCES	refused: the mandate does not allow it, or somebody said no
 *   -ETIMEDOUT	no answer in time; what came too late is given back
 *   -EAGAIN	too many messages, or too many unanswered ones: later, perhaps
 *   -EDQUOT	what may be used of that is used up
 *   -ENOENT	no such grant, file, or sub-task
 *   -EEXIST	it is held already
 *   -ECANCELED	the request was cancelled
 *   -ECONNREFUSED, -ECONNRESET, -EHOSTUNREACH, -ENETUNREACH, -EADDRINUSE,
 *   -ENOTDIR, -EISDIR, -ELOOP	it was allowed, and the host said that
 *   -EMFILE, -ENFILE, -ENOMEM, -ENOSPC	a resource, here or in the harness
 *   -EOPNOTSUPP	the broker does not know that
 *   -EPROTONOSUPPORT	it speaks no version of the protocol that we do
 *   -EPIPE	the broker is gone; so it stays
 *   -EPROTO	what came from it was no message; so it stays
 *   -EBUSY	called from a callback of the same handle
 *   -ECHILD	called in a forked copy of the process
 *   -EIO	anything else
 * reterr may be NULL.  Results are untouched on failure.
 */
#ifndef SANDBOX_CLIENT_H
#define SANDBOX_CLIENT_H

#include <sandbox/error.h>
#include <sandbox/types.h>
#include <sandbox/wire.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sbx_client;	/* one channel to the broker */

/* Bytes that sbx_client_init() needs, aligned to 16. */
#define SBX_CLIENT_SIZE 98304

/* Flags of sbx_client_init(). */
enum {
	SBX_CLIENT_EVENTS = 1 << 0	/* be told when grants of the task end */
};

/* What is asked for.  Begin with SBX_ASK_INIT. */
struct sbx_ask {
	uint32_t size;		/* sizeof(struct sbx_ask) */
	uint32_t kind;		/* SBX_ASK_... */
	const char *target;	/* what the kind says */
	const char *reason;	/* for whoever decides; or NULL */
	uint32_t rights;	/* SBX_READ | SBX_WRITE; 0 = what the kind needs */
	uint32_t flags;		/* none yet: 0 */
	uint64_t deadline_ms;	/* no answer by then is a refusal; 0 = the broker's own */
	/* As much is enough; 0 = what the mandate gives. */
	uint64_t lifetime_ms, max_uses, max_bytes_in, max_bytes_out, max_cost;
};
#define SBX_ASK_INIT { (uint32_t)sizeof(struct sbx_ask), 0, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0 }

/* "No limit", in a budget of struct sbx_held. */
#define SBX_NO_LIMIT UINT64_MAX

/* A grant that the task holds. */
struct sbx_held {
	uint32_t size;		/* set by the library: of this struct */
	uint32_t kind;		/* SBX_ASK_... or another kind of sbx_grant(3) */
	uint32_t rights;	/* SBX_READ | SBX_WRITE */
	uint32_t flags;		/* SBX_HELD_... */
	/* What is left; SBX_NO_LIMIT = as much as you like. */
	uint64_t lifetime_ms, max_uses, max_bytes_in, max_bytes_out, max_cost;
	uint64_t used_uses, used_bytes_in, used_bytes_out, used_cost;
	char name[72];		/* for the other calls; "" = none */
	char target[1024];
	char labels[528];	/* separated by single blanks */
};

/* What an answer is. */
enum {
	SBX_ANSWER_REPLY = 1,	/* to the request id */
	SBX_ANSWER_EVENT = 2	/* something ended; see event */
};

/* Flags of an answer. */
enum {
	SBX_ANSWER_NARROWED = 1 << 0	/* less than was asked for: see grant */
};

/* Begin with SBX_ANSWER_INIT. */
struct sbx_answer {
	uint32_t size;		/* sizeof(struct sbx_answer) */
	uint32_t type;		/* SBX_ANSWER_... */
	uint64_t id;		/* of the request or the sub-task's; 0 = none */
	int32_t status;		/* 0 or a code of the list above */
	int32_t fd;		/* the caller's, close-on-exec; -1 = none */
	uint32_t flags;		/* SBX_ANSWER_NARROWED */
	uint32_t event;		/* SBX_EVENT_..., 0 for a reply */
	uint64_t task;		/* number of a sub-task, or 0 */
	uint32_t exit_kind;	/* SBX_EVENT_EXIT: SBX_EXITED, ... of sbx_spawn(3) */
	int32_t exit_code;	/* exit status or signal number */
	char text[224];		/* why, in English; may be "" */
	struct sbx_held grant;	/* what was given, or what ended (its name) */
};
#define SBX_ANSWER_INIT { (uint32_t)sizeof(struct sbx_answer), 0, 0, 0, -1, 0, 0, 0, 0, 0, { 0 }, \
	{ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, { 0 }, { 0 }, { 0 } } }

/* A part of a grant: rights and budgets.  Begin with SBX_SHARE_INIT. */
struct sbx_share {
	uint32_t size;		/* sizeof(struct sbx_share) */
	uint32_t rights;	/* 0 = as they are */
	const char *name;	/* of a grant that is held */
	/* 0 = as it is, or all that is left. */
	uint64_t lifetime_ms, max_uses, max_bytes_in, max_bytes_out, max_cost;
};
#define SBX_SHARE_INIT { (uint32_t)sizeof(struct sbx_share), 0, NULL, 0, 0, 0, 0, 0 }

/* A sub-task.  Begin with SBX_DELEGATE_INIT. */
struct sbx_delegate {
	uint32_t size;			/* sizeof(struct sbx_delegate) */
	uint32_t flags;			/* none yet: 0 */
	const char *const *argv;	/* ends with NULL */
	const char *const *envp;	/* NAME=VALUE, ends with NULL; NULL = none */
	const char *cwd;		/* absolute; NULL = its HOME */
	const char *reason;		/* for whoever decides; or NULL */
	const struct sbx_share *shares;	/* what it gets; nothing else */
	size_t n_shares;
	int32_t stdio[3];		/* descriptors of the caller; -1 = /dev/null */
	uint32_t reserved;		/* zero */
	uint64_t wall_ms;		/* limit of real time; 0 = the broker's own */
	uint64_t deadline_ms;		/* as in struct sbx_ask */
};
#define SBX_DELEGATE_INIT { (uint32_t)sizeof(struct sbx_delegate), 0, NULL, NULL, NULL, NULL, NULL, 0, \
	{ -1, -1, -1 }, 0, 0, 0 }

/*
 * Make a channel to the broker in memory of the caller.
 *
 * storage: aligned to 16; size: its bytes, SBX_CLIENT_SIZE is enough
 * fd: the broker's socket, -1 = the number in SBX_BROKER_FD.  It is used in
 *     this call only and stays the caller's: programs that this one starts
 *     may need it, too.
 * flags: SBX_CLIENT_..., or'ed
 * Returns 0 and sets *ret_client, which lies in storage and ends with
 * sbx_client_close(); or -ENOENT (no SBX_BROKER_FD: this task may ask
 * nothing), -EINVAL (storage, flags, or a variable that is no number),
 * -EBADF or -ENOTSOCK (the descriptor), -EPIPE (the broker is gone), -EAGAIN
 * (it has not read what came before), -EMFILE, -ENFILE, -ENOMEM, -EACCES.
 * Does not wait: whether the broker takes the channel is told by the first
 * call that does.  Reads the environment if fd is -1.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 5)
int sbx_client_init(void *storage, size_t size, int fd, uint32_t flags,
		    struct sbx_client **ret_client, struct sbx_error *reterr);

/*
 * The same in memory that the library gets from the kernel, with fd -1 and
 * no flags.  Errors as there.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1)
int sbx_client_open(struct sbx_client **ret_client, struct sbx_error *reterr);

/*
 * End a channel; what is pending is cancelled.  Grants stay: they are the
 * task's.  NULL is fine; so is a forked copy, where the original lives on.
 */
SBX_API void sbx_client_close(struct sbx_client *client);

/*
 * Ask, and wait for the answer.
 *
 * ret_fd: a descriptor for the caller to close, close-on-exec: a connected
 *     socket, an open file, a listener, or sealed memory; -1 for a
 *     directory, which lies at /grants/NAME (sbx_client_list()).
 * timeout_ms: milliseconds; -1 = as long as the broker takes, 0 = do not
 *     wait at all.
 * Returns 0 or a code of the list above; error.text has the broker's reason.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 2, 3)
int sbx_client_request(struct sbx_client *client, const struct sbx_ask *ask,
		       int *ret_fd, int timeout_ms, struct sbx_error *reterr);

/*
 * The same with all that the broker said: the grant's name and budgets.
 *
 * ret_answer: size set by SBX_ANSWER_INIT; its fd is the caller's.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 2, 3)
int sbx_client_request_answer(struct sbx_client *client,
			      const struct sbx_ask *ask,
			      struct sbx_answer *ret_answer, int timeout_ms,
			      struct sbx_error *reterr);

/*
 * Ask, and do not wait; at most 16 such requests may be unanswered.
 *
 * ret_id: what the answer will bear.
 * Returns 0; -EAGAIN (16 are unanswered, or the broker reads nothing), or
 * another code of the list above.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 2, 3)
int sbx_client_ask(struct sbx_client *client, const struct sbx_ask *ask,
		   uint64_t *ret_id, struct sbx_error *reterr);

/*
 * A descriptor that becomes readable when an answer comes.  Stays the
 * client's: only poll it, and only after sbx_client_receive() returned 0,
 * since answers that came during another call wait elsewhere.
 * Returns -1 if the channel has ended.
 */
SBX_API SBX_NONNULL(1)
int sbx_client_fd(const struct sbx_client *client);

/*
 * Take the next answer or event; never waits.
 *
 * ret_answer: size set by SBX_ANSWER_INIT; its fd is the caller's.
 * Returns 1; 0 if there is none now; or a code of the list above.  A refusal
 * is an answer, with its code in status.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 2)
int sbx_client_receive(struct sbx_client *client,
		       struct sbx_answer *ret_answer,
		       struct sbx_error *reterr);

/*
 * Wait for the answer to one request of sbx_client_ask(), or for the end of
 * a sub-task (its id).  Other answers are kept for sbx_client_receive().
 *
 * timeout_ms: milliseconds; -1 = no limit.
 * Returns 0, whatever the status; -ETIMEDOUT (it stays pending); -ENOENT (no
 * such request); or a code of the list above.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 3)
int sbx_client_wait(struct sbx_client *client, uint64_t id,
		    struct sbx_answer *ret_answer, int timeout_ms,
		    struct sbx_error *reterr);

/*
 * Forget a request of sbx_client_ask().  No answer to it will be seen; what
 * was granted all the same is given back.
 *
 * Returns 0; -ENOENT (answered already, or no such request); -EAGAIN (the
 * broker reads nothing; it is forgotten here all the same), or a code of the
 * list above.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1)
int sbx_client_cancel(struct sbx_client *client, uint64_t id,
		      struct sbx_error *reterr);

/*
 * Call fn for each grant that the task holds.
 *
 * fn: gets the grant, which is gone when it returns, and userdata; anything
 *     but 0 ends the list.  It may not use this client.
 * timeout_ms: milliseconds; -1 = no limit.
 * Returns 0, what fn returned, or a code of the list above.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 2)
int sbx_client_list(struct sbx_client *client,
		    int (*fn)(const struct sbx_held *held, void *userdata),
		    void *userdata, int timeout_ms, struct sbx_error *reterr);

/*
 * Make a grant smaller, for the whole task and for good.
 *
 * share: its name, and the new rights and budgets; a budget that is larger
 *     than what is left changes nothing.
 * timeout_ms: milliseconds; -1 = no limit.
 * Returns 0; -EOPNOTSUPP where that cannot be held any more (a descriptor
 * that was handed over raw); or a code of the list above.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 2)
int sbx_client_narrow(struct sbx_client *client,
		      const struct sbx_share *share, int timeout_ms,
		      struct sbx_error *reterr);

/*
 * Give a grant back before its end.  Descriptors stay the caller's to close;
 * a relayed one sees its end.
 *
 * name: of the grant.  timeout_ms: milliseconds; -1 = no limit.
 * Returns 0 or a code of the list above.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 2)
int sbx_client_release(struct sbx_client *client, const char *name,
		       int timeout_ms, struct sbx_error *reterr);

/*
 * Start a sub-task that holds the named shares and nothing else.
 *
 * ret_id: for sbx_client_wait(), which tells its end, as an answer of type
 *     SBX_ANSWER_EVENT.  ret_task: its number, for sbx_client_end().
 *     Either may be NULL.
 * timeout_ms: milliseconds; -1 = as long as the broker takes.
 * Returns 0 or a code of the list above, or one of sbx_spawn(3).  The
 * descriptors of delegate->stdio stay the caller's.  The sub-task lives on
 * if the channel ends, and ends with the task at the latest.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 2)
int sbx_client_delegate(struct sbx_client *client,
			const struct sbx_delegate *delegate,
			uint64_t *ret_id, uint64_t *ret_task, int timeout_ms,
			struct sbx_error *reterr);

/*
 * End a sub-task; its end is told as any other.
 *
 * task: its number.  timeout_ms: milliseconds; -1 = no limit.
 * Returns 0 or a code of the list above.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1)
int sbx_client_end(struct sbx_client *client, uint64_t task, int timeout_ms,
		   struct sbx_error *reterr);

/*
 * Write a line into the audit, as the task's own words.
 *
 * text: at most 223 bytes.  timeout_ms: milliseconds; -1 = no limit.
 * Returns 0 or a code of the list above.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1, 2)
int sbx_client_log(struct sbx_client *client, const char *text,
		   int timeout_ms, struct sbx_error *reterr);

/*
 * Tell the harness that the task is set up.
 *
 * text: at most 223 bytes, or NULL.  timeout_ms: milliseconds; -1 = no limit.
 * Returns 0 or a code of the list above.
 */
SBX_API SBX_MUST_USE SBX_NONNULL(1)
int sbx_client_ready(struct sbx_client *client, const char *text,
		     int timeout_ms, struct sbx_error *reterr);

#ifdef __cplusplus
}
#endif

#endif

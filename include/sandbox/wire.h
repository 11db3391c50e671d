/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The protocol between a task and its broker: numbers and limits.
 *
 * docs/wire.md describes it, with examples.  Programs in C use
 * <sandbox/client.h>; this header is for other implementations.  Values are
 * frozen: new ones are added, none changes its meaning.
 */
#ifndef SANDBOX_WIRE_H
#define SANDBOX_WIRE_H

#include <sandbox/types.h>

/* The first four bytes: 'S' 'B' 'X', then the version. */
#define SBX_WIRE_MAGIC 0x00584253u
#define SBX_WIRE_VERSION 1u

/* Limits of one datagram and of what is in it, in bytes where it says so. */
#define SBX_WIRE_HEADER 32	/* bytes of the header */
#define SBX_WIRE_DATAGRAM 16384	/* bytes, with the header */
#define SBX_WIRE_FDS 16		/* descriptors */
#define SBX_WIRE_NAME 64	/* bytes of a name or a label */
#define SBX_WIRE_LABELS 8	/* labels of one grant */
#define SBX_WIRE_TARGET 1023	/* bytes of a target or a path */
#define SBX_WIRE_TEXT 223	/* bytes of a reason or a line of text */
#define SBX_WIRE_PENDING 32	/* unanswered messages of one task */
#define SBX_WIRE_CHANNELS 64	/* channels of one task */

/* Message types. */
enum {
	SBX_MSG_ATTACH = 1,	/* to the door: here is a channel of mine */
	SBX_MSG_REQUEST = 2,	/* may I have this? */
	SBX_MSG_CANCEL = 3,	/* a pending request is not wanted any more */
	SBX_MSG_LIST = 4,	/* what do I hold? */
	SBX_MSG_NARROW = 5,	/* a grant of mine becomes smaller */
	SBX_MSG_RELEASE = 6,	/* a grant, or a sub-task, of mine ends now */
	SBX_MSG_DELEGATE = 7,	/* start a sub-task with part of what I hold */
	SBX_MSG_LOG = 8,	/* a line for the audit */
	SBX_MSG_READY = 9,	/* I am set up */
	SBX_MSG_REPLY = 64,	/* from the broker: the answer to any of these */
	SBX_MSG_EVENT = 65	/* from the broker: something ended */
};

/* Flags of the header. */
enum {
	SBX_WIRE_EVENTS = 1 << 0,	/* ATTACH: send events of grants, too */
	SBX_WIRE_MORE = 1 << 1,		/* REPLY: another one follows */
	SBX_WIRE_NARROWED = 1 << 2	/* REPLY: less than was asked for */
};

/* The receiver of a tag that it does not know, with this bit, refuses. */
#define SBX_TAG_CRITICAL 0x8000u

/* Tags of the body. */
enum {
	SBX_TAG_KIND = 1,		/* u32: SBX_ASK_... */
	SBX_TAG_TARGET = 2,		/* target */
	SBX_TAG_RIGHTS = 3,		/* u32: SBX_READ, ..., or'ed */
	SBX_TAG_REASON = 4,		/* text: why the task wants it */
	SBX_TAG_DEADLINE_MS = 5,	/* u64: no answer by then is a refusal */
	SBX_TAG_NAME = 6,		/* name of a grant */
	SBX_TAG_LABEL = 7,		/* name; may repeat */
	SBX_TAG_TEXT = 8,		/* text */
	SBX_TAG_GRANT = 9,		/* tags of one grant; may repeat */
	SBX_TAG_ID = 10,		/* u64: id of another message */
	SBX_TAG_GRANT_FLAGS = 11,	/* u32: SBX_HELD_... */
	SBX_TAG_LIFETIME_MS = 16,	/* u64: budgets, or what is left of them */
	SBX_TAG_MAX_USES = 17,		/* u64 */
	SBX_TAG_MAX_BYTES_IN = 18,	/* u64: from the peer to the task */
	SBX_TAG_MAX_BYTES_OUT = 19,	/* u64 */
	SBX_TAG_MAX_COST = 20,		/* u64: units that the harness charges */
	SBX_TAG_USED_USES = 24,		/* u64: what was used of them */
	SBX_TAG_USED_BYTES_IN = 25,	/* u64 */
	SBX_TAG_USED_BYTES_OUT = 26,	/* u64 */
	SBX_TAG_USED_COST = 27,		/* u64 */
	SBX_TAG_ARG = 32,		/* bytes: one argument; may repeat */
	SBX_TAG_ENV = 33,		/* bytes: NAME=VALUE; may repeat */
	SBX_TAG_CWD = 34,		/* target */
	SBX_TAG_SHARE = 35,		/* tags of a share; may repeat */
	SBX_TAG_STDIO = 36,		/* u32: bit n = a descriptor for n comes along */
	SBX_TAG_WALL_MS = 37,		/* u64: limit of real time of the sub-task */
	SBX_TAG_TASK = 38,		/* u64: number of a sub-task */
	SBX_TAG_EVENT = 48,		/* u32: SBX_EVENT_... */
	SBX_TAG_EXIT_KIND = 49,		/* u32: SBX_EXITED, ... */
	SBX_TAG_EXIT_CODE = 50		/* u32: exit status or signal number */
};

/* What is asked for; the numbers are those of a grant's kind. */
enum {
	SBX_ASK_OPEN = 2,	/* target: absolute path of a file */
	SBX_ASK_CONNECT = 3,	/* "tcp:host:port", "tcp:[v6]:port", "unix:/path" */
	SBX_ASK_DATA = 4,	/* the name of sealed data that the harness has */
	SBX_ASK_LISTEN = 5,	/* "tcp:host:port" */
	SBX_ASK_DIRECTORY = 6	/* absolute path of a directory */
};

/* Flags of a grant that is held. */
enum {
	SBX_HELD_RECALLABLE = 1 << 0,	/* it can be ended from outside */
	SBX_HELD_AT_START = 1 << 1	/* it was handed in when the task started */
};

/* What happened. */
enum {
	SBX_EVENT_EXPIRED = 1,	/* a grant: its lifetime is over */
	SBX_EVENT_REVOKED = 2,	/* a grant: the harness took it back */
	SBX_EVENT_BUDGET = 3,	/* a grant: its budget is used up */
	SBX_EVENT_RELEASED = 4,	/* a grant: the task gave it back */
	SBX_EVENT_EXIT = 5,	/* a sub-task ended */
	SBX_EVENT_LOST = 6	/* events were dropped: list again */
};

#endif

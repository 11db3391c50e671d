/* SPDX-License-Identifier: Apache-2.0 */
/* client: the state of one channel, and what its parts call. */
#ifndef SBXI_CLIENT_CLIENT_H
#define SBXI_CLIENT_CLIENT_H

#include <stdbool.h>
#include <sys/types.h>

#include <sandbox/client.h>

#include "base/wire.h"

#define SBXI_CLIENT_OPEN 16	/* unanswered requests and sub-tasks */
#define SBXI_CLIENT_EVENTS 8	/* events of grants that wait to be taken */
#define SBXI_CLIENT_PENDING 48	/* and what is sent beside them */

/* Who waits for the message of an id. */
enum sbxi_waits {
	SBXI_NOBODY = 0,	/* a free entry */
	SBXI_CALLER,		/* a call, which has its own room for it */
	SBXI_QUEUE,		/* sbx_client_receive() */
	SBXI_TASK,		/* answered: a sub-task whose end is to come */
	SBXI_FORGOTTEN		/* nobody any more: give back what it brings */
};

struct sbxi_pending {
	uint64_t id;
	enum sbxi_waits waits;
	uint16_t type;			/* SBX_MSG_... that was sent */
	bool brings_fd;			/* its reply has one, if it is a yes */
	bool done;			/* SBXI_CALLER: it is there */
	struct sbx_answer *into;	/* SBXI_CALLER */
};

struct sbx_client {
	pid_t pid;		/* whose handle it is */
	bool mapped;		/* our memory, not the caller's */
	bool busy;		/* in a callback */
	bool lost;		/* an event had no room */
	int sock;		/* our end of the channel, -1 = ended */
	int door, other;	/* until the broker was told of the channel */
	int dead;		/* why it ended, or 0 */
	uint32_t flags;		/* SBX_CLIENT_... */
	uint64_t last_id;
	int (*list)(const struct sbx_held *held, void *userdata);
	void *userdata;		/* of list */
	int listed;		/* what list returned */
	uint64_t list_id;	/* whose answers go there, 0 = none */
	size_t n_queue;
	struct sbxi_pending pending[SBXI_CLIENT_PENDING];
	struct sbx_answer queue[SBXI_CLIENT_OPEN + SBXI_CLIENT_EVENTS];
	char dead_text[224];	/* what the broker said of it */
	uint8_t out[SBX_WIRE_DATAGRAM];
	struct sbxi_wire_msg in;
};

/* fail.c: note a failure for the caller; returns code, filtered. */
int sbxi_client_fail(struct sbx_error *reterr, int code, uint32_t step,
		     const char *object, const char *text);
/* One of the codes of client.h: -EIO for any other. */
int sbxi_client_code(int code);

/* answer.c: what a message says.  -EPROTO where it makes no sense. */
int sbxi_client_answer(const struct sbxi_wire_msg *msg,
		       struct sbx_answer *ret);
void sbxi_client_held(struct sbxi_wire_tags grant, struct sbx_held *ret);
/* The struct of a caller, maybe an older one. */
int sbxi_client_give(const struct sbx_answer *from, struct sbx_answer *to);

/* channel.c: milliseconds from now; never is "no limit". */
uint64_t sbxi_client_until(int timeout_ms);
/* Is it over?  A peer that never ends talking ends no wait either. */
bool sbxi_client_late(uint64_t until);
/* May this handle be used?  0, or the code that says why not. */
int sbxi_client_check(const struct sbx_client *c);
/* Tell the broker of the channel, once; -EAGAIN where it does not read. */
int sbxi_client_attach(struct sbx_client *c);
/* End the channel for good; returns why, which may have been said before. */
int sbxi_client_die(struct sbx_client *c, int why);
/*
 * Begin a message, with an id of its own and an entry that says who waits.
 * NULL if there is no room for another.
 */
struct sbxi_pending *sbxi_client_begin(struct sbx_client *c,
				       struct sbxi_wire_out *out,
				       uint16_t type, size_t n_fds);
/* Send it; on failure the entry is free again. */
int sbxi_client_post(struct sbx_client *c, struct sbxi_pending *p,
		     struct sbxi_wire_out *out, const int *fds, size_t n_fds,
		     uint64_t until);
/* Receive what is there.  1 = something came, 0 = nothing, or a code. */
int sbxi_client_pump(struct sbx_client *c);
/* Wait until something can be received; -ETIMEDOUT. */
int sbxi_client_poll(struct sbx_client *c, uint64_t until);
/* Wait for the answer to a message that was posted for a caller. */
int sbxi_client_await(struct sbx_client *c, struct sbxi_pending *p,
		      uint64_t until);
/* Nobody waits for it any more; tells the broker if tell is set. */
int sbxi_client_forget(struct sbx_client *c, struct sbxi_pending *p,
		       bool tell);
struct sbxi_pending *sbxi_client_find(struct sbx_client *c, uint64_t id);
/* Unanswered requests, sub-tasks, and answers of theirs not yet taken. */
size_t sbxi_client_open_count(const struct sbx_client *c);

/* simple.c: a whole exchange, into an answer of the caller. */
int sbxi_client_exchange(struct sbx_client *c, struct sbxi_pending *p,
			 struct sbxi_wire_out *out, const int *fds,
			 size_t n_fds, int timeout_ms, const char *object,
			 struct sbx_answer *answer, struct sbx_error *reterr);
/* Copy a struct of the caller's that may be of another size. */
int sbxi_client_take(void *to, size_t size, const void *from,
		     uint32_t from_size);
/* Budgets as tags; 0 is left out. */
void sbxi_client_budgets(struct sbxi_wire_out *out, const uint64_t budget[5]);

#endif

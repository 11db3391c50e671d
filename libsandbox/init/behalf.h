/* SPDX-License-Identifier: Apache-2.0 */
/*
 * behalf: the supervisor acts on the task's behalf.
 *
 * It does what the task asked for itself, with the task's umask, below the
 * task's own Landlock rules and mounts, and gives back the result.  What it
 * does not understand it refuses.
 */
#ifndef SBXI_INIT_BEHALF_H
#define SBXI_INIT_BEHALF_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "init/behalf_peer.h"
#include "init/call.h"
#include "init/jail.h"
#include "init/tell.h"
#include "init/where.h"

#define SBXI_BEHALF_WAITING 32	/* calls that cannot be done yet */
#define SBXI_BEHALF_SOCKETS 256	/* socket files that the jail has made */

#define SBXI_BEHALF_LINKS 1024	/* older files that it has given a name */

/* A call that is tried again, or whose connection is on its way. */
struct sbxi_waiting {
	struct sbxi_call call;
	int socket;		/* connecting, or -1: try again */
	int flags;		/* of the socket's description, to restore */
};

struct sbxi_behalf {
	const struct sbxi_jail *jail;
	int listener;		/* or -1 */
	int terminal;		/* the first session's, if it was handed over; or -1 */
	pid_t session;		/* the first one: the target's */
	uint64_t netns;		/* cookie of our own network namespace */
	size_t n_waiting;
	struct sbxi_waiting waiting[SBXI_BEHALF_WAITING];
	int made[SBXI_BEHALF_SOCKETS];	/* O_PATH, of socket files, or -1 */
	struct sbxi_peers peers;
	struct sbxi_tell tell;
	char outside[PATH_MAX];	/* where the call at hand acts, if nothing was granted there */
	size_t n_linked;
	struct sbxi_linked {
		dev_t dev;
		ino_t ino;
	} linked[SBXI_BEHALF_LINKS];	/* files whose other names the task made */
};

/* Once, before the supervisor confines itself. */
void sbxi_behalf_init(struct sbxi_behalf *b, const struct sbxi_jail *jail,
		      pid_t target);

/* Take the listener that the target has sent, if it has. */
void sbxi_behalf_listen(struct sbxi_behalf *b);

/* What to wait for; how long at most, in milliseconds, or -1. */
void sbxi_behalf_poll(const struct sbxi_behalf *b, struct pollfd *ret);
int sbxi_behalf_timeout(const struct sbxi_behalf *b);

/* Do what can be done.  Never blocks for long. */
void sbxi_behalf_serve(struct sbxi_behalf *b, const struct pollfd *p);

/* Handlers: answer the call, or return false to have it tried again. */
typedef bool (*sbxi_handler)(struct sbxi_behalf *b, struct sbxi_call *c);
sbxi_handler sbxi_behalf_names(int nr);		/* behalf_names.c */
sbxi_handler sbxi_behalf_open(int nr);		/* behalf_open.c */
sbxi_handler sbxi_behalf_metadata(int nr);	/* behalf_metadata.c */
sbxi_handler sbxi_behalf_reads(int nr);		/* behalf_reads.c */
sbxi_handler sbxi_behalf_sockets(int nr);	/* behalf_sockets.c */
sbxi_handler sbxi_behalf_signals(int nr);	/* behalf_signals.c */
sbxi_handler sbxi_behalf_own(int nr);		/* behalf_own.c */

/* One of them: SO_PEERCRED, from behalf_peer.c. */
bool sbxi_behalf_peer(struct sbxi_behalf *b, struct sbxi_call *c);

/*
 * sbxi_where_judge() for the call at hand; what it refuses is told to whoever
 * started the task.
 */
int sbxi_behalf_judge(struct sbxi_behalf *b, const struct sbxi_call *c,
		      const struct sbxi_where *w, enum sbxi_change change);

/* The same for sbxi_where_judge_read(). */
int sbxi_behalf_judge_read(struct sbxi_behalf *b, const struct sbxi_call *c,
			   const struct sbxi_where *w);

/* Tell of a refusal that a handler found by itself.  Returns code. */
int sbxi_behalf_refuse(struct sbxi_behalf *b, const struct sbxi_call *c,
		       uint32_t kind, const struct sbxi_where *w, int code);

/* The task gives an older file a second name, and is to be believed for it. */
bool sbxi_behalf_knows_names(const struct sbxi_behalf *b, int fd);
void sbxi_behalf_note_name(struct sbxi_behalf *b, int fd);

/* Keep a connection on its way: answered when it stands.  false: no room. */
bool sbxi_behalf_connecting(struct sbxi_behalf *b, const struct sbxi_call *c,
			    int socket, int flags);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* connect: from the text of a CONNECT grant to a connected socket. */
#ifndef SBXI_SPAWN_CONNECT_H
#define SBXI_SPAWN_CONNECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "base/errors.h"

#define SBXI_HOST_BYTES 253
#define SBXI_MAX_ADDRESSES 16

enum sbxi_target_kind {
	SBXI_TARGET_UNIX = 1,
	SBXI_TARGET_ADDRESS,	/* tcp, and the address is written out */
	SBXI_TARGET_NAME	/* tcp, and a name is to be looked up */
};

struct sbxi_target {
	enum sbxi_target_kind kind;
	struct sockaddr_storage address;	/* with its port */
	char host[SBXI_HOST_BYTES + 1];
	uint16_t port;
	const char *path;	/* points into the text */
};

/*
 * Take a target apart.  Strict: what another program may read as another
 * place is refused (127.1, 0x7f.1, leading zeros, an empty label).
 * Returns 0, or -EINVAL or -ENAMETOOLONG, and then *ret_why says why.
 */
int sbxi_target_parse(const char *text, struct sbxi_target *ret,
		      const char **ret_why);

struct sbxi_addresses {
	size_t n;
	struct sockaddr_storage address[SBXI_MAX_ADDRESSES];
};

/* A point in time, CLOCK_MONOTONIC; timeout_ms -1: never. */
int64_t sbxi_deadline_ms(int timeout_ms);

/* What is left of it for poll(2): -1 for never, 0 when it has passed. */
int sbxi_deadline_left(int64_t deadline_ms);

/*
 * Look a name up in /etc/hosts, then by DNS; "localhost" and what ends in
 * ".localhost" is 127.0.0.1 and ::1 and asks nobody.
 *
 * servers: "127.0.0.1:5353,..." instead of those of /etc/resolv.conf; NULL.
 * Returns 0; -ENOENT (no such name, or no address), -ETIMEDOUT,
 * -EHOSTUNREACH (no server, or none that knows), -ENOMEM or -EIO.
 */
int sbxi_name_resolve(const char *host, uint16_t port, const char *servers,
		      int64_t deadline_ms, struct sbxi_addresses *ret);

/*
 * Connect to a target.  *ret_inet: is it an inet socket?
 * Returns a blocking, close-on-exec stream socket >= 3, or a code of
 * sbx_spawn() with step GRANTS and the target as object.
 */
int sbxi_connect(const char *text, int64_t deadline_ms, bool *ret_inet,
		 struct sbxi_fail *fail);

#endif

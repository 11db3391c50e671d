/* SPDX-License-Identifier: Apache-2.0 */
/* Grants: one named capability of one task, handed in when it starts. */
#ifndef SANDBOX_GRANT_H
#define SANDBOX_GRANT_H

#include <sandbox/types.h>

/* What a grant is. */
enum {
	SBX_GRANT_FD = 1,	/* fd: a descriptor of the caller, dup'd */
	SBX_GRANT_FILE = 2,	/* target: absolute path of a regular file, opened with rights */
	SBX_GRANT_CONNECT = 3,	/* target: "tcp:host:port", "tcp:[v6]:port" or "unix:/path" */
	SBX_GRANT_DATA = 4,	/* target: text, or fd: content; the task gets a sealed copy */

	/* Kinds of mandate rules so far; no spawn takes them. */
	SBX_GRANT_LISTEN = 5,	/* target: "tcp:address:port" or "unix:/path" */
	SBX_GRANT_DIRECTORY = 6,	/* target: absolute path of a directory */
	SBX_GRANT_TASK = 7	/* target: absolute path of the program of a sub-task */
};

/*
 * Zero a struct with SBX_GRANT_INIT, then set what the kind needs.
 * All strings and descriptors are copied or dup'd by the call that takes the
 * grant; the caller keeps his.
 *
 * A connected socket of the caller's network namespace stays the connection
 * it is: in a jail that holds one, connect(2), bind(2) and listen(2) are
 * refused.  Datagram sockets, unconnected inet sockets, directories and
 * O_PATH descriptors are refused, since they reach more than they name.
 */
struct sbx_grant {
	uint32_t size;		/* sizeof(struct sbx_grant) */
	uint32_t kind;		/* SBX_GRANT_... */
	const char *name;	/* [A-Za-z0-9._-]{1,64}, unique in the task; listed in SBX_FDS */
	const char *target;	/* what the kind says, or NULL */
	int32_t fd;		/* what the kind says, or -1 */
	int32_t task_fd;	/* its number in the task, 3 or more; -1 = lowest free from 3 */
	uint32_t rights;	/* SBX_READ | SBX_WRITE; 0 = what the descriptor has */
	uint32_t flags;		/* none yet: 0 */
};
#define SBX_GRANT_INIT { (uint32_t)sizeof(struct sbx_grant), 0, NULL, NULL, -1, -1, 0, 0 }

#endif

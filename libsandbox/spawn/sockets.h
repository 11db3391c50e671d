/* SPDX-License-Identifier: Apache-2.0 */
/* sockets: SEQPACKET pairs between the harness and its helpers. */
#ifndef SBXI_SPAWN_SOCKETS_H
#define SBXI_SPAWN_SOCKETS_H

/* Both ends close-on-exec and above 2.  0 or -errno, nothing left open. */
int sbxi_socket_pair(int *ret_ours, int *ret_theirs);

/* An eventfd for the progress of a helper, not blocking.  Or -errno. */
int sbxi_progress_fd(void);

#endif

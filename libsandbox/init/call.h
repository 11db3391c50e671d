/* SPDX-License-Identifier: Apache-2.0 */
/*
 * call: one system call of the task that its filter asked us about.
 *
 * Arguments are copied once; what they point to is copied once.  Nothing is
 * looked at twice, and nothing goes on in the kernel by itself: a sibling
 * thread may change memory and descriptors at any time.  seccomp_unotify(2)
 */
#ifndef SBXI_INIT_CALL_H
#define SBXI_INIT_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/kconst.h"

struct sbxi_call {
	int listener;
	int proc;		/* directory of a proc(5) mount */
	struct sbxi_notif n;
	pid_t tgid;		/* of the thread n.pid; 0 until it was looked up */
	uint32_t umask;		/* with tgid */
	bool answered;
	int32_t code;		/* the answer, if it was an error: -errno */
};

/* Take the next one.  0, or -errno: -ENOENT if it has gone meanwhile. */
int sbxi_call_receive(struct sbxi_call *c, int listener, int proc);

/* Does the thread wait for its answer still? */
bool sbxi_call_is_alive(const struct sbxi_call *c);

/* Answer with a value, or with -errno.  Only the first answer counts. */
void sbxi_call_return(struct sbxi_call *c, long rc);

/* Is it the number of the calling thread, or of its process? */
bool sbxi_call_is_own(struct sbxi_call *c, pid_t number);

/* Answer with a descriptor of the task's own for what fd is. */
void sbxi_call_return_fd(struct sbxi_call *c, int fd, bool close_on_exec);

/* Give the task a descriptor without an answer yet.  Its number or -errno. */
int sbxi_call_add_fd(struct sbxi_call *c, int fd, bool close_on_exec);

/* Copy from and to the task's memory.  0 or -EFAULT, -EPERM, -ESRCH. */
int sbxi_call_read(const struct sbxi_call *c, uint64_t from, void *to,
		   size_t size);
int sbxi_call_write(const struct sbxi_call *c, uint64_t to, const void *from,
		    size_t size);

/* A string, with its end: 0, -ENAMETOOLONG or as above. */
int sbxi_call_string(const struct sbxi_call *c, uint64_t from, char *to,
		     size_t size);

/* Fill tgid and umask.  0 or -ESRCH. */
int sbxi_call_look_up(struct sbxi_call *c);

/*
 * Open something of /proc/TID: "cwd", "fd/3"...  O_PATH takes hold of what a
 * link there leads to, whatever it is.  A descriptor or -errno.
 */
int sbxi_call_open_proc(const struct sbxi_call *c, const char *name,
			int flags);

/* The same for its descriptor number fd; -EBADF if there is none. */
int sbxi_call_open_fd(const struct sbxi_call *c, int fd, int flags);

/*
 * A descriptor of ours for the same open file description: for sockets, which
 * cannot be opened anew.  -EBADF, or -EPERM where an outer filter refuses.
 */
int sbxi_call_take_fd(struct sbxi_call *c, int fd);

/* Its open flags (open(2)), or -errno. */
int sbxi_call_fd_flags(const struct sbxi_call *c, int fd);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* usage_proc: reading proc(5) without heap and stdio. */
#ifndef SBXI_INIT_USAGE_PROC_H
#define SBXI_INIT_USAGE_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One directory of numbers, read with getdents64. */
struct sbxi_numbers {
	int fd;
	long have, at;
	_Alignas(8) char buf[4096];
};

/* What stat says of a process. */
struct sbxi_stat_line {
	int32_t pid, ppid, group;
	char state;
	uint32_t threads;
	uint64_t own_us;	/* user and system time of all its threads */
	uint64_t waited_us;	/* of children it waited for */
	uint64_t start;
};

/* A read-only, close-on-exec descriptor, not through a last link; or -errno. */
int sbxi_proc_open(int dir, const char *name, int flags);

/* Start reading the entries of dir/name that are numbers.  0 or -errno. */
int sbxi_numbers_open(int dir, const char *name, struct sbxi_numbers *ret);

/* The next one, or NULL at the end; close numbers->fd then. */
const char *sbxi_numbers_next(struct sbxi_numbers *numbers);

/* The number at *at, after blanks; *at is moved behind it. */
uint64_t sbxi_number(const char **at);

/* dir: of a process or a thread.  0, or -errno, -ESRCH for no such line. */
int sbxi_stat_read(int dir, struct sbxi_stat_line *ret);

/* A first thread that has ended while others run is no dead process. */
bool sbxi_stat_dead(const struct sbxi_stat_line *line);

/* The name of a process's directory. */
void sbxi_pid_name(int32_t pid, char *buf, size_t size);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* usage_proc: reading proc(5) without heap and stdio. */
#include "init/usage_proc.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"

/* Clock ticks of proc(5) are 1/100 s on x86-64 and aarch64. */
#define US_PER_TICK 10000u

struct dirent_raw {
	uint64_t ino;
	int64_t off;
	uint16_t len;
	uint8_t type;
	char name[];
};

static bool is_number(const char *name)
{
	if (!*name)
		return false;
	for (; *name; name++)
		if (*name < '0' || *name > '9')
			return false;
	return true;
}

uint64_t sbxi_number(const char **at)
{
	uint64_t n = 0;

	while (**at == ' ' || **at == '\t')
		(*at)++;
	for (; **at >= '0' && **at <= '9'; (*at)++)
		n = n * 10 + (uint64_t)(**at - '0');
	return n;
}

int sbxi_proc_open(int dir, const char *name, int flags)
{
	int fd = openat(dir, name, flags | O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* The parent's own offset in dir is left alone: it may be shared. */
int sbxi_numbers_open(int dir, const char *name, struct sbxi_numbers *ret)
{
	ret->fd = sbxi_proc_open(dir, name, O_DIRECTORY);
	ret->have = ret->at = 0;
	return ret->fd < 0 ? ret->fd : 0;
}

/* The next entry that is a number, or NULL at the end. */
const char *sbxi_numbers_next(struct sbxi_numbers *n)
{
	for (;;) {
		const struct dirent_raw *entry;

		if (n->at >= n->have) {
			n->have = syscall(SYS_getdents64, n->fd, n->buf,
					  sizeof(n->buf));
			n->at = 0;
			if (n->have <= 0)
				return NULL;
		}
		entry = (const void *)(n->buf + n->at);
		n->at += entry->len;
		if (is_number(entry->name))
			return entry->name;
	}
}

static ssize_t read_file(int dir, const char *name, char *buf, size_t size)
{
	AUTO_FD fd = sbxi_proc_open(dir, name, 0);
	size_t len = 0;

	if (fd < 0)
		return fd;
	while (len + 1 < size) {
		ssize_t n = read(fd, buf + len, size - 1 - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	buf[len] = '\0';
	return (ssize_t)len;
}

/*
 * Fields are counted from the last ')': the second field is the name, which
 * the task chooses and which may hold anything, ')' and digits included.
 */
static int parse_stat(const char *line, struct sbxi_stat_line *ret)
{
	const char *at = strrchr(line, ')');
	uint64_t field[23] = { 0 };
	int i;

	if (!at || at[1] != ' ' || !at[2])
		return -ESRCH;
	ret->pid = (int32_t)sbxi_number(&line);
	ret->state = at[2];
	at += 3;
	for (i = 4; i <= 22; i++) {
		while (*at == ' ')
			at++;
		if (!*at)
			return -ESRCH;
		/* A negative number (a terminal's group) is nothing we use. */
		if (*at == '-')
			at++;
		field[i] = sbxi_number(&at);
	}
	ret->ppid = (int32_t)field[4];
	ret->group = (int32_t)field[5];
	ret->own_us = (field[14] + field[15]) * US_PER_TICK;
	ret->waited_us = (field[16] + field[17]) * US_PER_TICK;
	ret->threads = (uint32_t)field[20];
	ret->start = field[22];
	return 0;
}

int sbxi_stat_read(int dir, struct sbxi_stat_line *ret)
{
	char buf[2048];
	ssize_t n = read_file(dir, "stat", buf, sizeof(buf));

	return n < 0 ? (int)n : parse_stat(buf, ret);
}

bool sbxi_stat_dead(const struct sbxi_stat_line *s)
{
	return (s->state == 'Z' || s->state == 'X') && s->threads <= 1;
}

void sbxi_pid_name(int32_t pid, char *buf, size_t size)
{
	struct sbxi_text t = { .buf = buf, .size = size };

	sbxi_text_number(&t, (uint64_t)pid);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* askrun: what is done with a descriptor that was granted. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "askrun.h"

static bool copy(int from, int to)
{
	static char buf[65536];
	ssize_t n, done, k;

	for (;;) {
		n = read(from, buf, sizeof(buf));
		if (n == 0)
			return true;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		for (done = 0; done < n; done += k) {
			k = write(to, buf + done, (size_t)(n - done));
			if (k < 0 && errno != EINTR)
				return false;
			if (k < 0)
				k = 0;
		}
	}
}

static int copied(bool good, const char *what)
{
	if (good)
		return ASK_GRANTED;
	ask_say(what, strerror(errno));
	return ASK_REFUSED;
}

/* Both ways at once; it is over when the peer says so. */
static int relay(int fd, const char *what)
{
	bool good;
	pid_t pid = fork();

	if (pid < 0)
		return copied(false, what);
	if (pid == 0) {
		good = copy(STDIN_FILENO, fd);
		(void)shutdown(fd, SHUT_WR);
		_exit(good ? 0 : 1);
	}
	good = copy(fd, STDOUT_FILENO);
	if (!good)
		ask_say(what, strerror(errno));
	/* It may wait for input that nobody wants any more. */
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	return good ? ASK_GRANTED : ASK_REFUSED;
}

static int copy_out(const struct ask_options *o, int fd)
{
	if (strcmp(o->verb, "connect") == 0)
		return relay(fd, o->object);
	if (o->rights == SBX_WRITE)
		return copied(copy(STDIN_FILENO, fd), o->object);
	return copied(copy(fd, STDOUT_FILENO), o->object);
}

/* SBX_ASK_FD=N, and the name in SBX_FDS beside those that were there. */
static bool tell_number(const char *name, int fd)
{
	const char *old = getenv("SBX_FDS");
	char number[16];
	char *all = NULL;
	bool good;

	(void)snprintf(number, sizeof(number), "%d", fd);
	if (setenv("SBX_ASK_FD", number, 1) < 0)
		return false;
	if (name[0] == '\0')
		return true;
	if (asprintf(&all, "%s%s%s:%d", old ? old : "",
		     old && *old ? " " : "", name, fd) < 0)
		return false;
	good = setenv("SBX_FDS", all, 1) == 0;
	free(all);
	return good;
}

/* On its number, and open in the command. */
static int place(const struct ask_options *o, int fd)
{
	int want = o->fd;

	if (o->stdio)
		return dup2(fd, STDIN_FILENO) < 0 ||
		       dup2(fd, STDOUT_FILENO) < 0 ? -1 : STDIN_FILENO;
	if (want >= 0 && want != fd)
		return dup2(fd, want);
	return fcntl(fd, F_SETFD, 0) < 0 ? -1 : fd;
}

int ask_use(const struct ask_options *o, const struct sbx_answer *answer)
{
	int fd;

	if (!o->command)
		return copy_out(o, answer->fd);
	fd = place(o, answer->fd);
	if (fd < 0 || !tell_number(answer->grant.name, fd)) {
		ask_say(o->object, strerror(errno));
		return ASK_REFUSED;
	}
	(void)execvp(o->command[0], o->command);
	ask_say(o->command[0], strerror(errno));
	return errno == ENOENT ? ASK_NOT_FOUND : ASK_NOT_EXECUTABLE;
}

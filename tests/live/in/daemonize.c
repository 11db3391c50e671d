/* SPDX-License-Identifier: Apache-2.0 */
/*
 * daemonize FILE stay|leave: a grandchild in a session of its own, deaf to
 * signals, whose child adds a byte to FILE every 10 ms.  "stay": the first
 * process goes on, too; "leave": it ends with 0 once the file is there.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "in.h"

static void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
}

static void beat(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);

	for (int i = 0; fd >= 0 && i < 6000; i++) {
		if (write(fd, ".", 1) != 1)
			break;
		nap();
	}
	_exit(0);
}

static void leave_all_behind(const char *path)
{
	int null;

	setsid();
	for (int sig = 1; sig < 32; sig++)
		signal(sig, SIG_IGN);
	if (fork() != 0)
		_exit(0);
	null = open("/dev/null", O_RDWR);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	if (fork() == 0)
		beat(path);
	for (int i = 0; i < 6000; i++)
		nap();
	_exit(0);
}

int main(int argc, char **argv)
{
	struct stat st;

	if (argc < 3)
		return 2;
	if (fork() == 0)
		leave_all_behind(argv[1]);
	while (stat(argv[1], &st) < 0 || st.st_size == 0)
		nap();
	for (int i = 0; argv[2][0] == 's' && i < 6000; i++)
		nap();
	return 0;
}

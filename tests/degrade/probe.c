/* SPDX-License-Identifier: Apache-2.0 */
/*
 * probe: try each act and print "name=OK", "name=ERRNO" or "name=number".
 *
 * probe			all acts
 * probe NAME...		these only
 * probe --listen		listen on loopback, print the port, stay
 * probe --connect PORT		exit 0, or with the errno of the connect
 * probe --exit N | --kill N	end like that
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"

int outcome(long rc)
{
	return rc < 0 ? -errno : (int)rc;
}

int in_child(int (*fn)(void))
{
	int pipefd[2], rc = -EIO, st;
	pid_t pid;

	if (pipe(pipefd) < 0 || (pid = fork()) < 0)
		return -errno;
	if (pid == 0) {
		close(pipefd[0]);
		rc = fn();
		_exit(write(pipefd[1], &rc, sizeof(rc)) != sizeof(rc));
	}
	close(pipefd[1]);
	if (read(pipefd[0], &rc, sizeof(rc)) != sizeof(rc))
		rc = -EIO;
	close(pipefd[0]);
	waitpid(pid, &st, 0);
	return rc;
}

static bool wanted(const char *name, char **names)
{
	if (!*names)
		return true;
	for (; *names; names++)
		if (!strcmp(*names, name))
			return true;
	return false;
}

static void try_all(const struct act *a, char **names)
{
	for (; a->name; a++) {
		int rc;

		if (!wanted(a->name, names))
			continue;
		rc = in_child(a->run);
		if (rc < 0)
			printf("%s=%s\n", a->name,
			       strerrorname_np(-rc) ? strerrorname_np(-rc) :
						      "?");
		else if (rc > 0)
			printf("%s=%d\n", a->name, rc);
		else
			printf("%s=OK\n", a->name);
		fflush(stdout);
	}
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "--listen"))
		return listen_main();
	if (argc > 2 && !strcmp(argv[1], "--connect"))
		return connect_main(argv[2]);
	if (argc > 2 && !strcmp(argv[1], "--exit"))
		return atoi(argv[2]);
	if (argc > 2 && !strcmp(argv[1], "--kill"))
		return raise(atoi(argv[2]));
	try_all(namespace_acts, argv + 1);
	try_all(restriction_acts, argv + 1);
	try_all(process_acts, argv + 1);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* trace: ptrace a child of our own, to its end. */
#include <signal.h>
#include <stdint.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "in.h"

static volatile long word = 42;

int main(void)
{
	pid_t pid = fork();
	long seen;
	int st = 0;

	if (pid == 0) {
		word = 4711;
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
			_exit(1);
		raise(SIGSTOP);
		_exit(5);
	}
	if (pid < 0 || waitpid(pid, &st, 0) < 0 || !WIFSTOPPED(st)) {
		printf("trace=not stopped\n");
		return 1;
	}
	errno = 0;
	seen = ptrace(PTRACE_PEEKDATA, pid, (void *)(uintptr_t)&word, NULL);
	in_tell("peek", errno ? -1 : 0);
	in_tell("continue", ptrace(PTRACE_CONT, pid, NULL, NULL));
	waitpid(pid, &st, 0);
	printf("trace=%s\n", seen == 4711 && WIFEXITED(st) &&
	       WEXITSTATUS(st) == 5 ? "ok" : "wrong");
	return 0;
}

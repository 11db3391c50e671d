/* SPDX-License-Identifier: Apache-2.0 */
/* forkbomb-bounded N: up to N children at once; how many could be made. */
#include <signal.h>
#include <unistd.h>

#include "in.h"

int main(int argc, char **argv)
{
	static pid_t child[4096];
	long wanted = in_number(argc, argv, 1, 100);
	long n;

	for (n = 0; n < wanted && n < 4096; n++) {
		child[n] = fork();
		if (child[n] < 0)
			break;
		if (child[n] == 0) {
			alarm(20);
			pause();
			_exit(0);
		}
	}
	in_tell("fork", n == wanted ? 0 : -1);
	printf("children=%ld\n", n);
	fflush(stdout);
	for (long i = 0; i < n; i++)
		kill(child[i], SIGKILL);
	return 0;
}

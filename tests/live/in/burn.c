/* SPDX-License-Identifier: Apache-2.0 */
/* burn CHILDREN MS: as many processes, each burns MS of processor time. */
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "in.h"

static void burn(long ms)
{
	struct timespec used;

	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	while (used.tv_sec * 1000 + used.tv_nsec / 1000000 < ms);
}

int main(int argc, char **argv)
{
	long children = in_number(argc, argv, 1, 0);
	long ms = in_number(argc, argv, 2, 1000);

	for (long i = 0; i < children; i++)
		if (fork() == 0) {
			burn(ms);
			_exit(0);
		}
	if (children == 0)
		burn(ms);
	while (wait(NULL) > 0)
		;
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* openfiles N: open up to N descriptors; the highest number, and why no more. */
#include <fcntl.h>
#include <unistd.h>

#include "in.h"

int main(int argc, char **argv)
{
	long wanted = in_number(argc, argv, 1, 100);
	long n;
	int fd = 0;

	for (n = 0; n < wanted; n++) {
		fd = dup(1);
		if (fd < 0)
			break;
	}
	in_tell("open", fd);
	printf("opened=%ld\n", n);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* sealed FD: read all of it, then try to change it, each way. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "in.h"

int main(int argc, char **argv)
{
	int fd = (int)in_number(argc, argv, 1, 3);
	char path[64], text[4096];
	ssize_t n;
	void *p;
	int again;

	n = read(fd, text, sizeof(text) - 1);
	in_tell("read", n);
	printf("content=%.*s\n", n > 0 ? (int)n : 0, text);
	in_tell("write", write(fd, "X", 1));
	in_tell("pwrite", pwrite(fd, "X", 1, 0));
	in_tell("ftruncate", ftruncate(fd, 0));
	p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	in_tell("mmap", p == MAP_FAILED ? -1 : 0);
	if (p != MAP_FAILED)
		memset(p, 'X', 1);
	in_tell("unseal", fcntl(fd, F_ADD_SEALS, 0) < 0 ? -1 : 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	again = open(path, O_RDWR);
	in_tell("reopen", again);
	in_tell("rewrite", again < 0 ? -1 : write(again, "X", 1));
	in_tell("truncate", truncate(path, 0));
	return 0;
}

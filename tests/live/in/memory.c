/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory heap|memfd|shm|children MIB: use that much, 4 MiB at a time, hold it
 * for two seconds, end with 0.
 */
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "in.h"

#define CHUNK (4 << 20)
#define NOEXEC_SEAL 8	/* MFD_NOEXEC_SEAL, Linux 6.3 */

static void nap_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_sec = ms / 1000,
				      .tv_nsec = ms % 1000 * 1000000 }, NULL);
}

static int use_heap(long mib)
{
	for (long i = 0; i < mib; i += 4) {
		unsigned char *p = malloc(CHUNK);

		if (!p)
			return 3;
		for (size_t at = 0; at < CHUNK; at += 512)
			p[at] = (unsigned char)(at >> 9);
		/* Else the compiler may see that nobody reads it. */
		__asm__ volatile("" : : "r"(p) : "memory");
		nap_ms(2);
	}
	return 0;
}

static int use_file(int fd, long mib)
{
	static char chunk[CHUNK];

	memset(chunk, 'm', sizeof(chunk));
	for (long i = 0; i < mib; i += 4) {
		if (write(fd, chunk, sizeof(chunk)) != CHUNK)
			return 4;
		nap_ms(2);
	}
	return 0;
}

/* A task may make only memfds that cannot be executed. */
static int use_memfd(long mib)
{
	int fd = memfd_create("memory", NOEXEC_SEAL);

	if (fd >= 0)
		return use_file(fd, mib);
	in_tell("sealed", fd);
	in_tell("plain", memfd_create("memory", 0));
	return 5;
}

/* No process of them has much; together they have. */
static int use_children(long mib)
{
	for (int i = 0; i < 8; i++)
		if (fork() == 0) {
			int rc = use_heap(mib / 8);

			nap_ms(2000);
			_exit(rc);
		}
	while (wait(NULL) > 0)
		;
	return 0;
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "heap";
	long mib = in_number(argc, argv, 2, 16);
	int rc;

	if (!strcmp(kind, "memfd"))
		rc = use_memfd(mib);
	else if (!strcmp(kind, "shm"))
		rc = use_file(open("/dev/shm/memory", O_RDWR | O_CREAT, 0600),
			      mib);
	else if (!strcmp(kind, "children"))
		rc = use_children(mib);
	else
		rc = use_heap(mib);
	nap_ms(2000);
	return rc;
}

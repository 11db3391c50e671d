# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Named shared memory and semaphores, as programs in C make them, which are the
# task's own.
needs gcc

inside()
{
	cat >ipc.c <<'END'
#include <fcntl.h>
#include <semaphore.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	int status, fd = shm_open("/field", O_CREAT | O_EXCL | O_RDWR, 0600);
	sem_t *sem = sem_open("/field", O_CREAT | O_EXCL, 0600, 0);
	char *text;

	if (fd < 0 || sem == SEM_FAILED || ftruncate(fd, 4096))
		return 1;
	text = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (text == MAP_FAILED)
		return 2;
	if (fork() == 0) {
		strcpy(text, "shared");
		sem_post(sem);
		_exit(0);
	}
	sem_wait(sem);
	wait(&status);
	if (strcmp(text, "shared") || shm_unlink("/field") ||
	    sem_unlink("/field"))
		return 3;
	return 0;
}
END
	gcc -o ipc ipc.c
	./ipc
}

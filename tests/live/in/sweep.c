/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep: read a token from standard input, and look for it in our environment
 * and in what /proc shows.  Not on the command line, where it would be found.
 */
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "in.h"

extern char **environ;

static char token[64];
static int files, hits;

static void look(const char *path)
{
	static char text[1 << 20];
	int fd = open(path, O_RDONLY | O_NONBLOCK);
	ssize_t n;

	if (fd < 0)
		return;
	n = read(fd, text, sizeof(text));
	close(fd);
	files += n > 0;
	if (n > 0 && memmem(text, (size_t)n, token, strlen(token))) {
		hits++;
		printf("in %s\n", path);
	}
}

static void look_at_process(const char *name)
{
	static const char *const parts[] = {
		"environ", "cmdline", "comm", "status", "maps", "mountinfo",
		"cgroup", "auxv", "limits", "stat", "task/1/environ"
	};
	char path[512];

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		snprintf(path, sizeof(path), "/proc/%s/%s", name, parts[i]);
		look(path);
	}
}

int main(void)
{
	ssize_t n = read(0, token, sizeof(token) - 1);
	struct dirent *entry;
	int own = 0;
	DIR *dir;

	if (n < 8)
		return 2;
	token[strcspn(token, "\n")] = '\0';
	for (char **e = environ; *e; e++)
		own += strstr(*e, token) != NULL;
	dir = opendir("/proc");
	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
			look_at_process(entry->d_name);
		else if (entry->d_type == DT_REG &&
			 strcmp(entry->d_name, "kcore") != 0 &&
			 strcmp(entry->d_name, "kmsg") != 0) {
			char path[512];

			snprintf(path, sizeof(path), "/proc/%s",
				 entry->d_name);
			look(path);
		}
	look_at_process("self");
	printf("own=%d hits=%d read=%s\n", own, hits, files ? "some" : "none");
	return 0;
}

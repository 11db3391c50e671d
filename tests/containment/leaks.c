/* SPDX-License-Identifier: Apache-2.0 */
/* leaks: what can be learnt of the host and of the harness. */
#include <dirent.h>

#include "probe.h"

extern char **environ;

static enum verdict environment(void)
{
	for (char **e = environ; *e; e++)
		if (!strncmp(*e, "HARNESS_SECRET", 14))
			show("%s ", *e);
	return DID;
}

/* Shows what a file of /proc says after a word, as far as there is room. */
static enum verdict look_for(const char *path, const char *word)
{
	static char text[1 << 20];
	FILE *f = fopen(path, "re");
	char *found = NULL;
	size_t n;

	if (!f)
		return outcome(-1);
	while (!found && (n = fread(text, 1, sizeof(text), f)) > 0)
		found = memmem(text, n, word, strlen(word));
	fclose(f);
	if (found)
		show("%.120s", found);
	return DID;
}

/* In every process there is to be seen. */
static enum verdict everywhere(const char *leaf, const char *word)
{
	DIR *dir = opendir("/proc");
	struct dirent *e;
	char path[300];

	if (!dir)
		return outcome(-1);
	while ((e = readdir(dir))) {
		if (e->d_name[0] < '1' || e->d_name[0] > '9')
			continue;
		snprintf(path, sizeof(path), "/proc/%s/%s", e->d_name, leaf);
		look_for(path, word);
	}
	closedir(dir);
	return DID;
}

static enum verdict environments(void)
{
	return everywhere("environ", "HARNESS_SECRET");
}

static enum verdict arguments(void)
{
	return everywhere("cmdline", "argument-secret");
}

static enum verdict process_names(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%ld/comm", own_number("victim"));
	return show_fd(open(path, O_RDONLY));
}

static enum verdict host_name(void)
{
	char text[256] = "";

	gethostname(text, sizeof(text) - 1);
	show("name=%s.", text);
	return DID;
}

static enum verdict machine_id(void)
{
	return show_fd(open("/etc/machine-id", O_RDONLY));
}

static enum verdict boot_id(void)
{
	return show_fd(open("/proc/sys/kernel/random/boot_id", O_RDONLY));
}

static enum verdict root_mount(void)
{
	return look_for("/proc/self/mountinfo", " / / ");
}

static enum verdict unix_names(void)
{
	return look_for("/proc/net/unix", key("unix.abstract"));
}

static enum verdict tcp_ports(void)
{
	char word[32];

	snprintf(word, sizeof(word), "0100007F:%04lX", key_number("tcp4"));
	return look_for("/proc/net/tcp", word);
}

static enum verdict key_names(void)
{
	return look_for("/proc/keys", key("ipc.key-name"));
}

static enum verdict kernel_addresses(void)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	unsigned long long address = 0;

	if (!f)
		return outcome(-1);
	if (fscanf(f, "%llx", &address) != 1)
		address = 0;
	while (!address && fscanf(f, "%*[^\n] %llx", &address) == 1)
		;
	fclose(f);
	return address ? DID : REFUSED;
}

static enum verdict kernel_messages(void)
{
	char text[64];
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	return outcome(fd < 0 ? -1 : read(fd, text, sizeof(text)) < 0 &&
		       errno != EINVAL ? -1 : 0);
}

static enum verdict session(void)
{
	show("session=%d.", (int)getsid(0));
	return DID;
}

static enum verdict cgroup(void)
{
	return show_fd(open("/proc/self/cgroup", O_RDONLY));
}

static enum verdict groups(void)
{
	gid_t list[256];
	int n = getgroups(256, list);

	for (int i = 0; i < n; i++)
		show("group=%u. ", list[i]);
	return DID;
}

const struct probe leaks_probes[] = {
	{ "leak.environment", environment },
	{ "leak.environments", environments },
	{ "leak.arguments", arguments },
	{ "leak.processes", process_names },
	{ "leak.hostname", host_name },
	{ "leak.machine-id", machine_id },
	{ "leak.boot-id", boot_id },
	{ "leak.mounts", root_mount },
	{ "leak.proc-net-unix", unix_names },
	{ "leak.proc-net-tcp", tcp_ports },
	{ "leak.proc-keys", key_names },
	{ "leak.kallsyms", kernel_addresses },
	{ "leak.kmsg", kernel_messages },
	{ "leak.session", session },
	{ "leak.cgroup", cgroup },
	{ "leak.groups", groups },
	{ NULL, NULL }
};

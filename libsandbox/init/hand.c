/* SPDX-License-Identifier: Apache-2.0 */
/* hand: the hand-off, as the target receives it. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fdmsg.h"
#include "base/memfd.h"
#include "base/text.h"
#include "init/jail.h"
#include "init/target.h"

#define N_OWN_VARIABLES 16

static const struct sbxi_payload *map_payload(struct sbxi_jail *jail, int fd)
{
	const struct sbxi_payload *p;
	struct stat st;

	sbxi_check(jail, sbxi_memfd_check(fd), "seals of the payload");
	if (fstat(fd, &st) < 0)
		sbxi_check(jail, -errno, "payload");
	if (st.st_size < (off_t)sizeof(*p) || st.st_size > SBXI_PAYLOAD_MAX)
		sbxi_die(jail, -EPROTO, 0, "payload", "its size is wrong");
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		sbxi_check(jail, -errno, "payload");
	close(fd);
	return p;
}

static int null_device(struct sbxi_jail *jail)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		sbxi_check(jail, -errno, "/dev/null");
	return fd;
}

static int stdio_source(struct sbxi_jail *jail, const struct sbxi_msg_hand *m,
			int i, struct sbxi_fdmsg *msg, size_t *next)
{
	switch (m->stdio[i]) {
	case SBXI_STDIO_NULL:
		return null_device(jail);
	case SBXI_STDIO_RELAY:
		return jail->pipe[i].task;
	default:
		return sbxi_fdmsg_take(msg, (*next)++);
	}
}

/* SEQPACKET keeps the borders: a short message is no message of ours. */
static const struct sbxi_msg_hand *check_message(struct sbxi_jail *jail,
						 const struct sbxi_fdmsg *msg)
{
	const struct sbxi_msg_hand *m = (const void *)msg->data;

	if (msg->len < sizeof(*m) || m->type != SBXI_MSG_HAND ||
	    m->n_grants > SBXI_PLACES_MAX - 3 ||
	    msg->len != sizeof(*m) + m->n_grants * sizeof(int32_t))
		sbxi_die(jail, -EPROTO, 0, "hand-off", "it is malformed");
	return m;
}

void sbxi_hand_receive(struct sbxi_jail *jail, struct sbxi_hand *ret)
{
	static struct sbxi_fdmsg msg;
	const struct sbxi_msg_hand *m;
	size_t next = 1;
	int rc = sbxi_fdmsg_recv(jail->hand, &msg, 0);

	/* The harness is gone, or does not want this jail: no task, no error. */
	if (rc == 0)
		_exit(0);
	sbxi_check(jail, rc, "hand-off");
	m = check_message(jail, &msg);
	ret->flags = m->flags;
	ret->payload = map_payload(jail, sbxi_fdmsg_take(&msg, 0));
	for (int i = 0; i < 3; i++)
		ret->place[i] = (struct sbxi_place){
			stdio_source(jail, m, i, &msg, &next), i
		};
	for (uint32_t i = 0; i < m->n_grants; i++)
		ret->place[3 + i] = (struct sbxi_place){
			sbxi_fdmsg_take(&msg, next++), m->grant_fd[i]
		};
	ret->n = 3 + m->n_grants;
	for (size_t i = 0; i < ret->n; i++)
		if (ret->place[i].from < 0)
			sbxi_die(jail, -EPROTO, 0, "hand-off",
				 "a descriptor is missing");
}

/* Room that lasts until exec; the helper has no heap. */
static void *new_memory(struct sbxi_jail *jail, size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		sbxi_check(jail, -ENOMEM, "arguments");
	return p;
}

static char *string_at(const struct sbxi_payload *p, uint32_t array,
		       uint32_t i)
{
	const uint32_t *offset = (const void *)((const char *)p + array);

	/* execve(2) wants char *, and does not write. */
	return (char *)(uintptr_t)((const char *)p + offset[i]);
}

char **sbxi_payload_argv(struct sbxi_jail *jail, const struct sbxi_payload *p)
{
	char **argv = new_memory(jail, (p->argc + 1) * sizeof(char *));

	for (uint32_t i = 0; i < p->argc; i++)
		argv[i] = string_at(p, p->argv, i);
	return argv;
}

const char *sbxi_environ_get(char *const *envp, const char *name)
{
	size_t n = strlen(name);

	for (; *envp; envp++)
		if (!strncmp(*envp, name, n) && (*envp)[n] == '=')
			return *envp + n + 1;
	return NULL;
}

/* Folders of the task's own; only the helper knows where they are. */
static const struct {
	const char *name, *below;
	bool in_tmp;
} own_variables[] = {
	{ "HOME", "", false },
	{ "TMPDIR", "", true },
	{ "XDG_CACHE_HOME", "/.cache", false },
	{ "XDG_CONFIG_HOME", "/.config", false },
	{ "XDG_DATA_HOME", "/.local/share", false },
	{ "XDG_STATE_HOME", "/.local/state", false },
	{ "XDG_RUNTIME_DIR", "", true },
};

static void add_variable(struct sbxi_text *t, const struct sbxi_jail *jail,
			 size_t i)
{
	sbxi_text_add(t, own_variables[i].name);
	sbxi_text_add(t, "=");
	sbxi_text_add(t, own_variables[i].in_tmp ? jail->tmp : jail->home);
	sbxi_text_add(t, own_variables[i].below);
}

char **sbxi_payload_environ(struct sbxi_jail *jail,
			    const struct sbxi_payload *p)
{
	static char text[SBXI_COUNT(own_variables)][160];
	char **envp = new_memory(jail, (p->envc + N_OWN_VARIABLES) *
					       sizeof(char *));
	size_t n = 0;

	for (uint32_t i = 0; i < p->envc; i++)
		envp[n++] = string_at(p, p->envp, i);
	for (size_t i = 0; i < SBXI_COUNT(own_variables); i++) {
		struct sbxi_text t = SBXI_TEXT(text[i]);

		if (sbxi_environ_get(envp, own_variables[i].name))
			continue;
		add_variable(&t, jail, i);
		envp[n++] = text[i];
	}
	return envp;
}

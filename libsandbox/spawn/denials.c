/* SPDX-License-Identifier: Apache-2.0 */
/* denials: what a task was refused, until its harness comes to hear of it. */
#include "spawn/denials.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "kernel/seccomp_sets.h"

#define MAX_ERRNO 4095

/* The words of a denial; other calls go by their own names. */
static const struct {
	const char *call, *operation;
} words[] = {
	{ "openat", "open" },
	{ "creat", "open" },
	{ "mkdirat", "mkdir" },
	{ "mknodat", "mknod" },
	{ "symlinkat", "symlink" },
	{ "linkat", "link" },
	{ "unlinkat", "unlink" },
	{ "rmdir", "unlink" },
	{ "renameat", "rename" },
	{ "renameat2", "rename" },
	{ "fchmod", "chmod" },
	{ "fchmodat", "chmod" },
	{ "fchmodat2", "chmod" },
	{ "fchown", "chown" },
	{ "lchown", "chown" },
	{ "fchownat", "chown" },
	{ "utime", "utimes" },
	{ "utimensat", "utimes" },
	{ "futimesat", "utimes" },
	{ "lsetxattr", "setxattr" },
	{ "fsetxattr", "setxattr" },
	{ "lremovexattr", "removexattr" },
	{ "fremovexattr", "removexattr" },
	{ "inotify_add_watch", "watch" },
};

static const char *word_of(int call)
{
	const char *name = sbxi_syscall_name(call);

	for (size_t i = 0; i < SBXI_COUNT(words); i++)
		if (strcmp(words[i].call, name) == 0)
			return words[i].operation;
	return name;
}

/* Both texts end within the message. */
static bool is_whole(const struct sbxi_msg_denial *m, size_t len)
{
	size_t text = len - offsetof(struct sbxi_msg_denial, text);

	return len <= sizeof(*m) && m->code < 0 && m->code >= -MAX_ERRNO &&
	       m->near > 0 && m->near < text &&
	       m->text[m->near - 1] == '\0' && m->text[text - 1] == '\0';
}

void sbxi_denials_add(struct sbxi_denials *d, const struct sbxi_msg_denial *m,
		      size_t len)
{
	struct sbxi_msg_denial *copy;

	if (!is_whole(m, len))
		return;
	copy = d->n < SBXI_DENIALS_MAX ? malloc(len) : NULL;
	if (!copy) {
		d->missed++;
		return;
	}
	memcpy(copy, m, len);
	copy->missed += d->missed;
	d->missed = 0;
	d->waiting[d->n++] = copy;
}

static void tell(const struct sbxi_msg_denial *m, struct sbx_task *task,
		 const struct sbx_handlers *handlers, void *userdata)
{
	bool is_call = m->kind == SBX_DENIAL_SYSCALL;
	const struct sbx_denial d = {
		.size = sizeof(d),
		.kind = m->kind,
		.code = m->code,
		.missed = m->missed,
		.flags = m->flags,
		.operation = is_call ? "syscall" : word_of(m->call),
		.object = is_call ? sbxi_syscall_name(m->call) : m->text,
		.grant = m->text + m->near,
	};

	handlers->on_denial(task, &d, userdata);
}

void sbxi_denials_deliver(struct sbxi_denials *d, struct sbx_task *task,
			  const struct sbx_handlers *handlers, void *userdata)
{
	for (size_t i = 0; i < d->n && handlers->on_denial; i++)
		tell(d->waiting[i], task, handlers, userdata);
	sbxi_denials_drop(d);
}

void sbxi_denials_drop(struct sbxi_denials *d)
{
	while (d->n > 0)
		free(d->waiting[--d->n]);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* tell: what the task was refused, for whoever started it. */
#include "init/tell.h"

#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <asm/ioctls.h>

#include <sandbox/task.h>

#define UNREAD_MAX 65536

void sbxi_tell_init(struct sbxi_tell *t, int ctl)
{
	int size = 0;
	socklen_t n = sizeof(size);

	t->ctl = ctl;
	if (getsockopt(ctl, SOL_SOCKET, SO_SNDBUF, &size, &n) == 0)
		t->room = size / 3 < UNREAD_MAX ? size / 3 : UNREAD_MAX;
	/* So that no name can be made up that passes for another. */
	if (getrandom(&t->seed, sizeof(t->seed), GRND_NONBLOCK) < 0)
		t->seed = 0;
}

/* FNV-1a, from a start that the task does not know. */
static uint64_t add_to_hash(uint64_t hash, const void *data, size_t n)
{
	const unsigned char *p = data;

	while (n-- > 0)
		hash = (hash ^ *p++) * 0x100000001b3u;
	return hash;
}

static uint64_t hash_of(const struct sbxi_tell *t, const struct sbxi_denied *d)
{
	uint64_t hash = add_to_hash(0xcbf29ce484222325u, &t->seed,
				    sizeof(t->seed));

	hash = add_to_hash(hash, &d->kind, sizeof(d->kind));
	hash = add_to_hash(hash, &d->call, sizeof(d->call));
	return add_to_hash(hash, d->object, strlen(d->object));
}

static bool was_said(const struct sbxi_tell *t, uint64_t hash)
{
	size_t n = t->n_said < SBXI_TELL_REMEMBERED ? t->n_said
						    : SBXI_TELL_REMEMBERED;

	for (size_t i = 0; i < n; i++)
		if (t->said[i] == hash)
			return true;
	return false;
}

static bool has_room(const struct sbxi_tell *t)
{
	int unread = 0;

	return ioctl(t->ctl, TIOCOUTQ, &unread) == 0 && unread < t->room;
}

/* A text with its end, cut where it must be. */
static uint32_t put(struct sbxi_msg_denial *m, uint32_t at, const char *text)
{
	size_t n = strnlen(text, SBXI_DENIAL_TEXT - 1);

	if (text[n] != '\0')
		m->flags |= SBX_DENIAL_CUT;
	memcpy(m->text + at, text, n);
	m->text[at + n] = '\0';
	return at + (uint32_t)n + 1;
}

void sbxi_tell(struct sbxi_tell *t, const struct sbxi_denied *d)
{
	static struct sbxi_msg_denial m;
	uint64_t hash;
	uint32_t size;

	if (!t->wanted)
		return;
	hash = hash_of(t, d);
	if (was_said(t, hash))
		return;
	m = (struct sbxi_msg_denial){
		.type = SBXI_MSG_DENIAL,
		.kind = d->kind,
		.missed = t->missed,
		.flags = d->flags,
		.call = d->call,
		.code = d->code,
	};
	m.near = put(&m, 0, d->object);
	size = put(&m, m.near, d->near ? d->near : "");
	if (!has_room(t) ||
	    send(t->ctl, &m, offsetof(struct sbxi_msg_denial, text) + size,
		 MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
		t->missed++;
		return;
	}
	t->missed = 0;
	t->said[t->n_said++ % SBXI_TELL_REMEMBERED] = hash;
}

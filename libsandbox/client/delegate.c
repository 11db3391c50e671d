/* SPDX-License-Identifier: Apache-2.0 */
/* delegate: a sub-task with part of what this task holds. */
#include <errno.h>
#include <string.h>

#include "client/client.h"

/* A share, found by the caller's own size of the struct. */
static int put_share(struct sbxi_wire_out *out, const void *from,
		     uint32_t size)
{
	struct sbx_share s;
	size_t mark;
	int rc = sbxi_client_take(&s, sizeof(s), from, size);

	if (rc < 0)
		return rc;
	if (s.size != size || !s.name ||
	    !sbxi_wire_name_ok(s.name, strnlen(s.name, SBX_WIRE_NAME + 1)))
		return -EINVAL;
	mark = sbxi_wire_open(out, SBX_TAG_SHARE);
	sbxi_wire_put_text(out, SBX_TAG_NAME, s.name);
	if (s.rights != 0)
		sbxi_wire_put_u32(out, SBX_TAG_RIGHTS, s.rights);
	sbxi_client_budgets(out, (const uint64_t[]){ s.lifetime_ms,
		s.max_uses, s.max_bytes_in, s.max_bytes_out, s.max_cost });
	sbxi_wire_close(out, mark);
	return 0;
}

static int put_shares(struct sbxi_wire_out *out, const struct sbx_delegate *d)
{
	const char *at = (const char *)d->shares;
	int rc = 0;

	if (d->n_shares > 0 && !d->shares)
		return -EINVAL;
	for (size_t i = 0; rc == 0 && i < d->n_shares; i++)
		rc = put_share(out, at + i * d->shares[0].size,
			       d->shares[0].size);
	return rc;
}

static int check(const struct sbx_delegate *d)
{
	if (!d->argv || !d->argv[0] || d->flags != 0 || d->reserved != 0)
		return -EINVAL;
	if ((d->cwd && strlen(d->cwd) > SBX_WIRE_TARGET) ||
	    (d->reason && strlen(d->reason) > SBX_WIRE_TEXT))
		return -ENAMETOOLONG;
	return d->cwd && d->cwd[0] != '/' ? -EINVAL : 0;
}

static int put(struct sbxi_wire_out *out, const struct sbx_delegate *d)
{
	uint32_t stdio = 0;

	for (size_t i = 0; d->argv[i]; i++)
		sbxi_wire_put_text(out, SBX_TAG_ARG, d->argv[i]);
	for (size_t i = 0; d->envp && d->envp[i]; i++)
		sbxi_wire_put_text(out, SBX_TAG_ENV, d->envp[i]);
	if (d->cwd)
		sbxi_wire_put_text(out, SBX_TAG_CWD, d->cwd);
	if (d->reason)
		sbxi_wire_put_text(out, SBX_TAG_REASON, d->reason);
	for (uint32_t i = 0; i < 3; i++)
		if (d->stdio[i] >= 0)
			stdio |= 1u << i;
	if (stdio != 0)
		sbxi_wire_put_u32(out, SBX_TAG_STDIO, stdio);
	if (d->wall_ms != 0)
		sbxi_wire_put_u64(out, SBX_TAG_WALL_MS | SBX_TAG_CRITICAL,
				  d->wall_ms);
	if (d->deadline_ms != 0)
		sbxi_wire_put_u64(out, SBX_TAG_DEADLINE_MS, d->deadline_ms);
	return put_shares(out, d);
}

static int prepare(struct sbx_client *c, const struct sbx_delegate *from,
		   struct sbxi_wire_out *out, int fds[3], size_t *n_fds,
		   struct sbxi_pending **ret)
{
	struct sbx_delegate d;
	int rc = sbxi_client_check(c);

	if (rc == 0)
		rc = sbxi_client_take(&d, sizeof(d), from, from->size);
	if (rc == 0)
		rc = check(&d);
	if (rc < 0)
		return rc;
	*n_fds = 0;
	for (int i = 0; i < 3; i++)
		if (d.stdio[i] >= 0)
			fds[(*n_fds)++] = d.stdio[i];
	/* Its end waits in the queue, if the caller is slow. */
	if (sbxi_client_open_count(c) >= SBXI_CLIENT_OPEN)
		return -EAGAIN;
	*ret = sbxi_client_begin(c, out, SBX_MSG_DELEGATE, *n_fds);
	if (!*ret)
		return -EAGAIN;
	rc = put(out, &d);
	if (rc < 0)
		(*ret)->waits = SBXI_NOBODY;
	return rc;
}

int sbx_client_delegate(struct sbx_client *client,
			const struct sbx_delegate *delegate, uint64_t *ret_id,
			uint64_t *ret_task, int timeout_ms,
			struct sbx_error *reterr)
{
	struct sbx_answer answer = SBX_ANSWER_INIT;
	struct sbxi_pending *p = NULL;
	struct sbxi_wire_out out;
	size_t n_fds = 0;
	int fds[3];
	int rc = prepare(client, delegate, &out, fds, &n_fds, &p);

	if (rc < 0)
		return sbxi_client_fail(reterr, rc, SBX_STEP_ARGUMENT,
					"delegate", NULL);
	rc = sbxi_client_exchange(client, p, &out, fds, n_fds, timeout_ms,
				  delegate->argv[0], &answer, reterr);
	if (rc < 0)
		return rc;
	if (ret_id) {
		p->waits = SBXI_TASK;
		*ret_id = p->id;
	}
	if (ret_task)
		*ret_task = answer.task;
	return 0;
}

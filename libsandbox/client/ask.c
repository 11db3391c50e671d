/* SPDX-License-Identifier: Apache-2.0 */
/* ask: requests, and their answers now or later. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "client/client.h"

void sbxi_client_budgets(struct sbxi_wire_out *out, const uint64_t budget[5])
{
	static const uint16_t tags[5] = {
		SBX_TAG_LIFETIME_MS, SBX_TAG_MAX_USES, SBX_TAG_MAX_BYTES_IN,
		SBX_TAG_MAX_BYTES_OUT, SBX_TAG_MAX_COST,
	};

	/* Who does not know of a budget must not give without it. */
	for (int i = 0; i < 5; i++)
		if (budget[i] != 0)
			sbxi_wire_put_u64(out, tags[i] | SBX_TAG_CRITICAL,
					  budget[i]);
}

static int take_ask(const struct sbx_ask *from, struct sbx_ask *to)
{
	int rc = sbxi_client_take(to, sizeof(*to), from, from->size);

	if (rc < 0)
		return rc;
	if (!to->target || to->target[0] == '\0' || to->flags != 0 ||
	    to->kind == 0)
		return -EINVAL;
	if (strlen(to->target) > SBX_WIRE_TARGET ||
	    (to->reason && strlen(to->reason) > SBX_WIRE_TEXT))
		return -ENAMETOOLONG;
	return 0;
}

/* An entry whose message is on its way. */
static int send_ask(struct sbx_client *c, const struct sbx_ask *ask,
		    uint64_t until, struct sbxi_pending **ret)
{
	const uint64_t budget[5] = { ask->lifetime_ms, ask->max_uses,
				     ask->max_bytes_in, ask->max_bytes_out,
				     ask->max_cost };
	struct sbxi_wire_out out;
	int rc;

	*ret = sbxi_client_begin(c, &out, SBX_MSG_REQUEST, 0);
	if (!*ret)
		return -EAGAIN;
	(*ret)->brings_fd = ask->kind != SBX_ASK_DIRECTORY;
	sbxi_wire_put_u32(&out, SBX_TAG_KIND, ask->kind);
	sbxi_wire_put_text(&out, SBX_TAG_TARGET, ask->target);
	if (ask->rights != 0)
		sbxi_wire_put_u32(&out, SBX_TAG_RIGHTS, ask->rights);
	if (ask->reason)
		sbxi_wire_put_text(&out, SBX_TAG_REASON, ask->reason);
	if (ask->deadline_ms != 0)
		sbxi_wire_put_u64(&out, SBX_TAG_DEADLINE_MS,
				  ask->deadline_ms);
	sbxi_client_budgets(&out, budget);
	rc = sbxi_client_post(c, *ret, &out, NULL, 0, until);
	return rc;
}

static int request(struct sbx_client *client, const struct sbx_ask *ask,
		   struct sbx_answer *answer, int timeout_ms,
		   struct sbx_error *reterr)
{
	uint64_t until = sbxi_client_until(timeout_ms);
	struct sbxi_pending *p = NULL;
	struct sbx_ask copy;
	int rc = sbxi_client_check(client);

	if (rc == 0)
		rc = take_ask(ask, &copy);
	if (rc == 0)
		rc = send_ask(client, &copy, until, &p);
	if (rc == 0) {
		p->waits = SBXI_CALLER;
		p->into = answer;
		rc = sbxi_client_await(client, p, until);
		/* Whether that can be said or not: nobody waits for it. */
		if (rc == -ETIMEDOUT)
			(void)sbxi_client_forget(client, p, true);
	}
	if (rc == 0)
		rc = answer->status;
	return sbxi_client_fail(reterr, rc, SBX_STEP_GRANTS, ask->target,
				rc == client->dead ? client->dead_text :
						     answer->text);
}

int sbx_client_request(struct sbx_client *client, const struct sbx_ask *ask,
		       int *ret_fd, int timeout_ms, struct sbx_error *reterr)
{
	struct sbx_answer answer = SBX_ANSWER_INIT;
	int rc = request(client, ask, &answer, timeout_ms, reterr);

	if (rc < 0)
		return rc;
	*ret_fd = answer.fd;
	return 0;
}

int sbx_client_request_answer(struct sbx_client *client,
			      const struct sbx_ask *ask,
			      struct sbx_answer *ret_answer, int timeout_ms,
			      struct sbx_error *reterr)
{
	struct sbx_answer answer = SBX_ANSWER_INIT;
	int rc = 0;

	/* Before it is too late to give anything back. */
	if (ret_answer->size < sizeof(answer) || ret_answer->size > 65536)
		return sbxi_client_fail(reterr, -EINVAL, SBX_STEP_ARGUMENT,
					"answer.size", NULL);
	rc = request(client, ask, &answer, timeout_ms, reterr);
	return rc < 0 ? rc : sbxi_client_give(&answer, ret_answer);
}

int sbx_client_ask(struct sbx_client *client, const struct sbx_ask *ask,
		   uint64_t *ret_id, struct sbx_error *reterr)
{
	struct sbxi_pending *p = NULL;
	struct sbx_ask copy;
	int rc = sbxi_client_check(client);

	if (rc == 0)
		rc = take_ask(ask, &copy);
	if (rc == 0 && sbxi_client_open_count(client) >= SBXI_CLIENT_OPEN)
		rc = -EAGAIN;
	if (rc == 0)
		rc = send_ask(client, &copy, 0, &p);
	if (rc < 0)
		return sbxi_client_fail(reterr, rc, SBX_STEP_GRANTS,
					ask->target, NULL);
	p->waits = SBXI_QUEUE;
	*ret_id = p->id;
	return 0;
}

static int take_queued(struct sbx_client *c, size_t i, struct sbx_answer *to)
{
	int rc = sbxi_client_give(&c->queue[i], to);

	if (rc < 0)
		return rc;
	c->n_queue--;
	memmove(&c->queue[i], &c->queue[i + 1],
		(c->n_queue - i) * sizeof(c->queue[0]));
	return 1;
}

static int take_lost(struct sbx_client *c, struct sbx_answer *to)
{
	struct sbx_answer lost = SBX_ANSWER_INIT;
	int rc;

	lost.type = SBX_ANSWER_EVENT;
	lost.event = SBX_EVENT_LOST;
	rc = sbxi_client_give(&lost, to);
	if (rc < 0)
		return rc;
	c->lost = false;
	return 1;
}

static int receive(struct sbx_client *c, struct sbx_answer *ret)
{
	int rc = 0;

	if (c->pid != getpid())
		return -ECHILD;
	if (c->busy)
		return -EBUSY;
	/* What came before the end is told before the end. */
	while (c->n_queue == 0 && !c->lost) {
		if (c->dead != 0)
			return c->dead;
		rc = sbxi_client_attach(c);
		if (rc == -EAGAIN)
			return 0;
		rc = rc < 0 ? sbxi_client_die(c, rc) : sbxi_client_pump(c);
		if (rc <= 0)
			return rc;
	}
	return c->n_queue > 0 ? take_queued(c, 0, ret) : take_lost(c, ret);
}

int sbx_client_receive(struct sbx_client *client,
		       struct sbx_answer *ret_answer,
		       struct sbx_error *reterr)
{
	int rc = receive(client, ret_answer);

	return sbxi_client_fail(reterr, rc, SBX_STEP_WAIT, NULL,
				rc == client->dead ? client->dead_text :
						     NULL);
}

static int wait_id(struct sbx_client *c, uint64_t id, struct sbx_answer *ret,
		   uint64_t until)
{
	int rc = c->pid == getpid() ? 0 : -ECHILD;

	if (rc == 0 && c->busy)
		rc = -EBUSY;
	while (rc >= 0) {
		struct sbxi_pending *p = NULL;

		for (size_t i = 0; i < c->n_queue; i++)
			if (id != 0 && c->queue[i].id == id)
				return take_queued(c, i, ret);
		if (c->dead != 0)
			return c->dead;
		p = sbxi_client_find(c, id);
		if (!p || (p->waits != SBXI_QUEUE && p->waits != SBXI_TASK))
			return -ENOENT;
		rc = sbxi_client_pump(c);
		if (rc == 0)
			rc = sbxi_client_poll(c, until);
		else if (rc > 0 && p->waits != SBXI_NOBODY &&
			 sbxi_client_late(until))
			rc = -ETIMEDOUT;
	}
	return rc;
}

int sbx_client_wait(struct sbx_client *client, uint64_t id,
		    struct sbx_answer *ret_answer, int timeout_ms,
		    struct sbx_error *reterr)
{
	int rc = wait_id(client, id, ret_answer,
			 sbxi_client_until(timeout_ms));

	if (rc > 0)
		return 0;
	return sbxi_client_fail(reterr, rc, SBX_STEP_WAIT, NULL,
				rc == client->dead ? client->dead_text :
						     NULL);
}

/* It may have been answered, and not been taken yet. */
static int cancel(struct sbx_client *c, uint64_t id)
{
	struct sbxi_pending *p = NULL;
	int rc = sbxi_client_check(c);

	if (rc < 0)
		return rc;
	p = sbxi_client_find(c, id);
	if (!p || p->waits != SBXI_QUEUE)
		return -ENOENT;
	return sbxi_client_forget(c, p, true);
}

int sbx_client_cancel(struct sbx_client *client, uint64_t id,
		      struct sbx_error *reterr)
{
	return sbxi_client_fail(reterr, cancel(client, id), SBX_STEP_WAIT,
				NULL, NULL);
}

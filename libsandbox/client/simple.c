/* SPDX-License-Identifier: Apache-2.0 */
/* simple: one message, one answer: list, narrow, release, end, log, ready. */
#include <errno.h>
#include <string.h>

#include "client/client.h"

int sbxi_client_exchange(struct sbx_client *c, struct sbxi_pending *p,
			 struct sbxi_wire_out *out, const int *fds,
			 size_t n_fds, int timeout_ms, const char *object,
			 struct sbx_answer *answer, struct sbx_error *reterr)
{
	uint64_t until = sbxi_client_until(timeout_ms);
	int rc = sbxi_client_post(c, p, out, fds, n_fds, until);

	if (rc == 0) {
		p->waits = SBXI_CALLER;
		p->into = answer;
		rc = sbxi_client_await(c, p, until);
		/* Only what is decided by somebody can be cancelled. */
		if (rc == -ETIMEDOUT)
			(void)sbxi_client_forget(c, p, p->type ==
						 SBX_MSG_DELEGATE);
	}
	if (rc == 0)
		rc = answer->status;
	if (rc < 0)
		return sbxi_client_fail(reterr, rc, SBX_STEP_GRANTS, object,
					rc == c->dead ? c->dead_text :
							answer->text);
	return 0;
}

static int failed(struct sbx_error *reterr, int rc, const char *object)
{
	return sbxi_client_fail(reterr, rc, SBX_STEP_ARGUMENT, object, NULL);
}

static int begin(struct sbx_client *c, struct sbxi_wire_out *out,
		 uint16_t type, struct sbxi_pending **ret)
{
	int rc = sbxi_client_check(c);

	if (rc < 0)
		return rc;
	*ret = sbxi_client_begin(c, out, type, 0);
	return *ret ? 0 : -EAGAIN;
}

int sbx_client_list(struct sbx_client *client,
		    int (*fn)(const struct sbx_held *held, void *userdata),
		    void *userdata, int timeout_ms, struct sbx_error *reterr)
{
	struct sbx_answer answer = SBX_ANSWER_INIT;
	struct sbxi_wire_out out;
	struct sbxi_pending *p = NULL;
	int rc = begin(client, &out, SBX_MSG_LIST, &p);

	if (rc < 0)
		return failed(reterr, rc, NULL);
	client->list = fn;
	client->userdata = userdata;
	client->listed = 0;
	client->list_id = p->id;
	rc = sbxi_client_exchange(client, p, &out, NULL, 0, timeout_ms, NULL,
				  &answer, reterr);
	client->list_id = 0;
	return rc < 0 ? rc : client->listed;
}

/* A name that is none can name no grant; the broker need not be asked. */
static int check_name(const char *name)
{
	return name && sbxi_wire_name_ok(name, strnlen(name, SBX_WIRE_NAME + 1))
		       ? 0 : -EINVAL;
}

int sbx_client_narrow(struct sbx_client *client,
		      const struct sbx_share *share, int timeout_ms,
		      struct sbx_error *reterr)
{
	struct sbx_answer answer = SBX_ANSWER_INIT;
	struct sbxi_wire_out out;
	struct sbxi_pending *p = NULL;
	struct sbx_share s;
	int rc = sbxi_client_take(&s, sizeof(s), share, share->size);

	if (rc == 0)
		rc = check_name(s.name);
	if (rc == 0)
		rc = begin(client, &out, SBX_MSG_NARROW, &p);
	if (rc < 0)
		return failed(reterr, rc, share->name);
	sbxi_wire_put_text(&out, SBX_TAG_NAME, s.name);
	if (s.rights != 0)
		sbxi_wire_put_u32(&out, SBX_TAG_RIGHTS, s.rights);
	sbxi_client_budgets(&out, (const uint64_t[]){ s.lifetime_ms,
		s.max_uses, s.max_bytes_in, s.max_bytes_out, s.max_cost });
	return sbxi_client_exchange(client, p, &out, NULL, 0, timeout_ms,
				    s.name, &answer, reterr);
}

int sbx_client_release(struct sbx_client *client, const char *name,
		       int timeout_ms, struct sbx_error *reterr)
{
	struct sbx_answer answer = SBX_ANSWER_INIT;
	struct sbxi_wire_out out;
	struct sbxi_pending *p = NULL;
	int rc = check_name(name);

	if (rc == 0)
		rc = begin(client, &out, SBX_MSG_RELEASE, &p);
	if (rc < 0)
		return failed(reterr, rc, name);
	sbxi_wire_put_text(&out, SBX_TAG_NAME, name);
	return sbxi_client_exchange(client, p, &out, NULL, 0, timeout_ms,
				    name, &answer, reterr);
}

int sbx_client_end(struct sbx_client *client, uint64_t task, int timeout_ms,
		   struct sbx_error *reterr)
{
	struct sbx_answer answer = SBX_ANSWER_INIT;
	struct sbxi_wire_out out;
	struct sbxi_pending *p = NULL;
	int rc = task != 0 ? begin(client, &out, SBX_MSG_RELEASE, &p) :
			     -EINVAL;

	if (rc < 0)
		return failed(reterr, rc, NULL);
	sbxi_wire_put_u64(&out, SBX_TAG_TASK, task);
	return sbxi_client_exchange(client, p, &out, NULL, 0, timeout_ms,
				    NULL, &answer, reterr);
}

static int say(struct sbx_client *client, uint16_t type, const char *text,
	       int timeout_ms, struct sbx_error *reterr)
{
	struct sbx_answer answer = SBX_ANSWER_INIT;
	struct sbxi_wire_out out;
	struct sbxi_pending *p = NULL;
	int rc = text && strlen(text) > SBX_WIRE_TEXT ? -ENAMETOOLONG : 0;

	if (rc == 0)
		rc = begin(client, &out, type, &p);
	if (rc < 0)
		return failed(reterr, rc, NULL);
	if (text)
		sbxi_wire_put_text(&out, SBX_TAG_TEXT, text);
	return sbxi_client_exchange(client, p, &out, NULL, 0, timeout_ms,
				    NULL, &answer, reterr);
}

int sbx_client_log(struct sbx_client *client, const char *text, int timeout_ms,
		   struct sbx_error *reterr)
{
	return say(client, SBX_MSG_LOG, text, timeout_ms, reterr);
}

int sbx_client_ready(struct sbx_client *client, const char *text,
		     int timeout_ms, struct sbx_error *reterr)
{
	return say(client, SBX_MSG_READY, text, timeout_ms, reterr);
}

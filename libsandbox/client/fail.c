/* SPDX-License-Identifier: Apache-2.0 */
/* fail: codes that callers know, and the caller's struct sbx_error. */
#include <errno.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "client/client.h"

/* Codes are part of the interface: these, and no other. */
static const struct {
	int err;
	const char *text;
} codes[] = {
	{ EINVAL, "an argument makes no sense" },
	{ E2BIG, "a struct is newer than this library" },
	{ EMSGSIZE, "it does not fit one message" },
	{ ENAMETOOLONG, "a target or text is too long" },
	{ EACCES, "refused" },
	{ ETIMEDOUT, "no answer in time" },
	{ EAGAIN, "too many messages: later, perhaps" },
	{ EDQUOT, "what may be used is used up" },
	{ ENOENT, "there is none of that name" },
	{ EEXIST, "it is held already" },
	{ ECANCELED, "cancelled" },
	{ ECONNREFUSED, "the peer refused the connection" },
	{ ECONNRESET, "the peer ended the connection" },
	{ EHOSTUNREACH, "the host cannot be reached" },
	{ ENETUNREACH, "the network cannot be reached" },
	{ EADDRINUSE, "the address is in use" },
	{ ENOTDIR, "a part of the path is no directory" },
	{ EISDIR, "it is a directory" },
	{ ELOOP, "too many links" },
	{ EMFILE, "too many open files" },
	{ ENFILE, "too many open files on this host" },
	{ ENOMEM, "no memory" },
	{ ENOSPC, "no space" },
	{ EOPNOTSUPP, "the broker does not know that" },
	{ EPROTONOSUPPORT, "the broker speaks another protocol" },
	{ EPIPE, "the broker is gone" },
	{ EPROTO, "what the broker said is no message" },
	{ EBUSY, "called from a callback of the same client" },
	{ ECHILD, "called in a forked copy of the process" },
	{ EBADF, "it is not open" },
	{ ENOTSOCK, "it is no socket of that kind" },
	/* Of sbx_spawn(3), for a sub-task. */
	{ EPERM, "a required property cannot be held" },
	{ ENOEXEC, "it is no program" },
	{ ESTALE, "a path names another file now" },
	{ EIO, "an unexpected failure" },
};

static const char *text_of(int code)
{
	for (size_t i = 0; i < SBXI_COUNT(codes); i++)
		if (codes[i].err == -code)
			return codes[i].text;
	return "an unexpected failure";
}

int sbxi_client_code(int code)
{
	if (code >= 0)
		return code;
	for (size_t i = 0; i < SBXI_COUNT(codes); i++)
		if (codes[i].err == -code)
			return code;
	return -EIO;
}

int sbxi_client_fail(struct sbx_error *reterr, int code, uint32_t step,
		     const char *object, const char *text)
{
	struct sbxi_text t;

	if (code >= 0 || !reterr)
		return sbxi_client_code(code);
	*reterr = (struct sbx_error){
		.code = sbxi_client_code(code),
		.step = step,
		.sys_errno = -code,
	};
	t = SBXI_TEXT(reterr->object);
	sbxi_text_add(&t, object ? object : "");
	t = SBXI_TEXT(reterr->text);
	sbxi_text_add(&t, text && text[0] ? text : text_of(code));
	return reterr->code;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* note: which step runs, and how its failure gets to the harness. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/errors.h"
#include "base/text.h"
#include "init/jail.h"

#ifdef SBX_FAULT_INJECTION
/* Test builds: the plan names a step to fail, by an errno or by SIGKILL. */
static void sbxi_fault(struct sbxi_jail *jail)
{
	if (!jail->plan || jail->plan->fault_step != jail->step)
		return;
	if (jail->plan->fault_errno == -SIGKILL) {
		kill(getpid(), SIGKILL);
		/* pid 1 of a namespace cannot kill itself. */
		_exit(1);
	}
	sbxi_die(jail, -jail->plan->fault_errno, 0, "injected", "");
}
#else
#define sbxi_fault(jail) ((void)0)
#endif

void sbxi_step(struct sbxi_jail *jail, uint32_t step)
{
	uint64_t bit = 1ull << step;

	jail->step = step;
	jail->step_ns[step] = sbxi_now_ns();
	/* A lost note costs the name of the step, nothing else. */
	(void)!write(jail->progress, &bit, sizeof(bit));
	sbxi_fault(jail);
}

static void copy(char *to, size_t size, const char *from)
{
	struct sbxi_text t = { .buf = to, .size = size };

	sbxi_text_add(&t, from);
}

void sbxi_die(struct sbxi_jail *jail, int code, uint32_t remedy,
	      const char *object, const char *text)
{
	struct sbxi_msg_error m = {
		.type = SBXI_MSG_ERROR,
		.step = jail->step,
		.where = jail->where,
		.remedy = remedy,
		.code = code,
		.sys_errno = -code,
	};

	if (object)
		copy(m.object, sizeof(m.object), object);
	copy(m.text, sizeof(m.text), text);
	/* If it does not arrive, our end and the progress still do. */
	(void)send(jail->hand, &m, sizeof(m), MSG_NOSIGNAL);
	sbxi_private_dir_remove(jail);
	_exit(1);
}

void sbxi_check(struct sbxi_jail *jail, int rc, const char *object)
{
	if (rc < 0)
		sbxi_die(jail, rc, SBXI_REMEDY_NONE, object, "");
}

/* SPDX-License-Identifier: Apache-2.0 */
/* one-socket HOST:PORT COMMAND...: one connected socket and nothing else. */
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <sandbox/sandbox.h>

static int connect_to(const char *target)
{
	const char *colon = strrchr(target, ':');
	struct addrinfo want = { .ai_socktype = SOCK_STREAM }, *list, *a;
	char host[256];
	int fd = -1;

	if (!colon || (size_t)(colon - target) >= sizeof(host))
		return -1;
	snprintf(host, sizeof(host), "%.*s", (int)(colon - target), target);
	if (getaddrinfo(host, colon + 1, &want, &list) != 0)
		return -1;
	for (a = list; a && fd < 0; a = a->ai_next) {
		fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, 0);
		if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen) < 0) {
			close(fd);
			fd = -1;
		}
	}
	freeaddrinfo(list);
	return fd;
}

int main(int argc, char **argv)
{
	struct sbx_spawn_opts o = SBX_SPAWN_OPTS_INIT;
	struct sbx_grant g = SBX_GRANT_INIT;
	struct sbx_exit ex = SBX_EXIT_INIT;
	struct sbx_error e = { .code = 0 };
	struct sbx_policy *p = NULL;
	struct sbx_task *t = NULL;
	int rc;

	if (argc < 3 || (g.fd = connect_to(argv[1])) < 0) {
		fprintf(stderr, "one-socket: no connection\n");
		return 125;
	}
	g.kind = SBX_GRANT_FD;
	g.name = "api";
	g.rights = SBX_READ | SBX_WRITE;
	o.argv = (const char *const *)argv + 2;
	o.stdio[1] = o.stdio[2] = SBX_STDIO_INHERIT;
	o.grants = &g;
	o.n_grants = 1;

	rc = sbx_policy_new(SBX_PROFILE_TOOL, &p, &e);
	if (rc == 0)
		rc = sbx_spawn(p, &o, &t, &e);
	close(g.fd);	/* the task has a copy */
	if (rc < 0)
		fprintf(stderr, "one-socket: %s: %s: %s\n",
			sbx_step_name(e.step), e.object, e.text);
	else
		rc = sbx_task_wait(t, -1, &ex);
	sbx_task_unref(t);
	sbx_policy_unref(p);
	if (rc < 0)
		return 125;
	return ex.kind == SBX_EXITED ? ex.code : 128 + ex.code;
}

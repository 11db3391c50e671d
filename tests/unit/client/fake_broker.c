/* SPDX-License-Identifier: Apache-2.0 */
/* fake_broker: grants by name; see the header. */
#include "fake_broker.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/wire.h"

#define CHANNELS 64
#define GRANTS 64
#define PENDING 32
#define TASKS 16

struct channel {
	int sock;
	bool events;
};

struct grant {
	char name[SBX_WIRE_NAME + 1];
	char target[SBX_WIRE_TARGET + 1];
	uint32_t kind, rights;
	uint64_t max_bytes_out;		/* 0 = no limit */
};

struct waiting {
	int sock;		/* the channel's, -1 = free */
	uint64_t id;
	char target[SBX_WIRE_TARGET + 1];
};

struct sub_task {
	pid_t pid;		/* 0 = free */
	int pidfd, sock;
	uint64_t id;
};

static struct channel channel[CHANNELS];
static struct grant grant[GRANTS];
static struct waiting waiting[PENDING];
static struct sub_task task[TASKS];
static struct sbxi_wire_msg in;
static uint8_t buf[SBX_WIRE_DATAGRAM];
static struct sbxi_wire_out out;
static int log_fd;

static void begin(uint16_t type, uint64_t id, int32_t status, uint16_t flags,
		  uint32_t n_fds)
{
	const struct sbxi_wire_head h = { .type = type, .id = id,
					  .status = status, .flags = flags,
					  .n_fds = n_fds };

	sbxi_wire_begin(&out, buf, sizeof(buf), &h);
}

static void send_it(int sock, int fd)
{
	struct pollfd p = { .fd = sock, .events = POLLOUT };

	while (sbxi_wire_send(sock, &out, &fd, fd >= 0) == -EAGAIN)
		(void)poll(&p, 1, -1);
}

static void reply(int sock, uint64_t id, int32_t status, const char *text)
{
	begin(SBX_MSG_REPLY, id, status, 0, 0);
	if (text)
		sbxi_wire_put_text(&out, SBX_TAG_TEXT, text);
	send_it(sock, -1);
}

static void put_grant(const struct grant *g)
{
	size_t mark = sbxi_wire_open(&out, SBX_TAG_GRANT);

	sbxi_wire_put_text(&out, SBX_TAG_NAME, g->name);
	sbxi_wire_put_u32(&out, SBX_TAG_KIND, g->kind);
	sbxi_wire_put_text(&out, SBX_TAG_TARGET, g->target);
	sbxi_wire_put_u32(&out, SBX_TAG_RIGHTS, g->rights);
	sbxi_wire_put_u32(&out, SBX_TAG_GRANT_FLAGS, SBX_HELD_RECALLABLE);
	if (g->max_bytes_out)
		sbxi_wire_put_u64(&out, SBX_TAG_MAX_BYTES_OUT,
				  g->max_bytes_out);
	sbxi_wire_put_u64(&out, SBX_TAG_USED_BYTES_OUT, 12);
	sbxi_wire_put_text(&out, SBX_TAG_LABEL, "egress");
	sbxi_wire_put_text(&out, SBX_TAG_LABEL, "test");
	sbxi_wire_close(&out, mark);
}

static struct grant *find_grant(const char *name)
{
	for (size_t i = 0; i < GRANTS; i++)
		if (strcmp(grant[i].name, name) == 0)
			return &grant[i];
	return NULL;
}

static int memory(const char *target)
{
	int fd = memfd_create("fake", MFD_CLOEXEC);

	(void)dprintf(fd, "content of %s\n", target);
	(void)lseek(fd, 0, SEEK_SET);
	return fd;
}

static int echo(bool again, const char *target)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return -1;
	if (!again) {
		(void)dprintf(pair[1], "hello from %s\n", target);
	} else if (fork() == 0) {
		char text[4096];
		ssize_t n;

		close(pair[0]);
		while ((n = read(pair[1], text, sizeof(text))) > 0)
			if (write(pair[1], text, (size_t)n) != n)
				_exit(1);
		_exit(0);
	}
	close(pair[1]);
	return pair[0];
}

static int listener(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	(void)bind(fd, (void *)&a, sizeof(a));
	(void)listen(fd, 4);
	return fd;
}

static int make(uint32_t kind, const char *target)
{
	if (kind == SBX_ASK_CONNECT)
		return echo(strstr(target, ":echo:") != NULL, target);
	if (kind == SBX_ASK_LISTEN)
		return listener();
	return kind == SBX_ASK_DIRECTORY ? -1 : memory(target);
}

/* The name of a grant: one letter of the word, and what is last. */
static void give(int sock, uint64_t id, uint32_t kind, uint32_t rights,
		 const char *target, char letter)
{
	bool is_socket = kind == SBX_ASK_CONNECT || kind == SBX_ASK_LISTEN;
	const char *tail = strrchr(target, is_socket ? ':' : '/');
	struct grant *g = find_grant("");
	int fd = make(kind, target);

	(void)snprintf(g->name, sizeof(g->name), "%c%s", letter,
		       tail ? tail + 1 : target);
	(void)snprintf(g->target, sizeof(g->target), "%s", target);
	g->kind = kind;
	g->rights = rights ? rights : SBX_READ | SBX_WRITE;
	g->max_bytes_out = letter == 'n' ? 1000 : 0;
	begin(SBX_MSG_REPLY, id, 0, letter == 'n' ? SBX_WIRE_NARROWED : 0,
	      fd >= 0);
	put_grant(g);
	send_it(sock, fd);
	if (fd >= 0)
		close(fd);
}

static void park(int sock, uint64_t id, const char *target)
{
	for (size_t i = 0; i < PENDING; i++) {
		if (waiting[i].sock >= 0)
			continue;
		waiting[i].sock = sock;
		waiting[i].id = id;
		(void)snprintf(waiting[i].target, sizeof(waiting[i].target),
			       "%s", target);
		return;
	}
	reply(sock, id, -EAGAIN, "too many are pending");
}

static void request(int sock)
{
	char target[SBX_WIRE_TARGET + 1];
	uint32_t kind = sbxi_wire_u32(in.body, SBX_TAG_KIND, 0);
	uint32_t rights = sbxi_wire_u32(in.body, SBX_TAG_RIGHTS, 0);
	uint64_t id = in.head.id;

	sbxi_wire_text(in.body, SBX_TAG_TARGET, target, sizeof(target));
	if (kind == 0 || target[0] == '\0')
		reply(sock, id, -EINVAL, "no kind or no target");
	else if (strncmp(target, "tcp:denied:", 11) == 0)
		reply(sock, id, -EACCES, "no rule of the mandate allows it");
	else if (strncmp(target, "tcp:refused:", 12) == 0)
		reply(sock, id, -ECONNREFUSED, NULL);
	else if (strncmp(target, "tcp:weird:", 10) == 0)
		reply(sock, id, -ENOTTY, NULL);
	else if (strncmp(target, "tcp:never:", 10) == 0 ||
		 strncmp(target, "tcp:late", 8) == 0)
		park(sock, id, target);
	else
		give(sock, id, kind, rights, target,
		     strncmp(target, "tcp:narrowed:", 13) == 0 ? 'n' :
		     strncmp(target, "tcp:echo:", 9) == 0 ? 'e' : 'g');
}

static void cancel(int sock)
{
	uint64_t which = sbxi_wire_u64(in.body, SBX_TAG_ID, 0);
	uint64_t id = in.head.id;

	for (size_t i = 0; i < PENDING; i++) {
		struct waiting *w = &waiting[i];

		if (w->sock != sock || w->id != which)
			continue;
		w->sock = -1;
		if (strncmp(w->target, "tcp:late:", 9) == 0) {
			give(sock, which, SBX_ASK_CONNECT, 0, w->target, 'l');
			break;
		}
		reply(sock, which, -ECANCELED, NULL);
		reply(sock, id, 0, NULL);
		return;
	}
	reply(sock, id, -ENOENT, NULL);
}

/* Two a datagram, so that there is something to put together. */
static void list(int sock)
{
	uint64_t id = in.head.id;
	size_t n = 0;

	begin(SBX_MSG_REPLY, id, 0, SBX_WIRE_MORE, 0);
	for (size_t i = 0; i < GRANTS; i++) {
		if (grant[i].name[0] == '\0')
			continue;
		put_grant(&grant[i]);
		if (++n % 2 == 0) {
			send_it(sock, -1);
			begin(SBX_MSG_REPLY, id, 0, SBX_WIRE_MORE, 0);
		}
	}
	send_it(sock, -1);
	reply(sock, id, 0, NULL);
}

static void narrow(int sock)
{
	char name[SBX_WIRE_NAME + 1];
	struct grant *g;

	sbxi_wire_text(in.body, SBX_TAG_NAME, name, sizeof(name));
	g = name[0] ? find_grant(name) : NULL;
	if (!g) {
		reply(sock, in.head.id, -ENOENT, NULL);
		return;
	}
	g->rights &= sbxi_wire_u32(in.body, SBX_TAG_RIGHTS, g->rights);
	g->max_bytes_out = sbxi_wire_u64(in.body, SBX_TAG_MAX_BYTES_OUT,
					 g->max_bytes_out);
	begin(SBX_MSG_REPLY, in.head.id, 0, 0, 0);
	put_grant(g);
	send_it(sock, -1);
}

static void release_task(int sock, uint64_t number)
{
	for (size_t i = 0; i < TASKS; i++) {
		if (task[i].pid != 0 && (uint64_t)task[i].pid == number) {
			kill(task[i].pid, SIGKILL);
			reply(sock, in.head.id, 0, NULL);
			return;
		}
	}
	reply(sock, in.head.id, -ENOENT, "no such sub-task");
}

static void tell_all(const char *name)
{
	for (size_t i = 0; i < CHANNELS; i++) {
		if (channel[i].sock < 0 || !channel[i].events)
			continue;
		begin(SBX_MSG_EVENT, 0, 0, 0, 0);
		sbxi_wire_put_u32(&out, SBX_TAG_EVENT, SBX_EVENT_RELEASED);
		sbxi_wire_put_text(&out, SBX_TAG_NAME, name);
		send_it(channel[i].sock, -1);
	}
}

static void release(int sock)
{
	uint64_t number = sbxi_wire_u64(in.body, SBX_TAG_TASK, 0);
	char name[SBX_WIRE_NAME + 1];
	struct grant *g;

	if (number != 0) {
		release_task(sock, number);
		return;
	}
	sbxi_wire_text(in.body, SBX_TAG_NAME, name, sizeof(name));
	g = name[0] ? find_grant(name) : NULL;
	if (!g) {
		reply(sock, in.head.id, -ENOENT, "no such grant");
		return;
	}
	g->name[0] = '\0';
	tell_all(name);
	reply(sock, in.head.id, 0, NULL);
}

static void become(void)
{
	uint32_t stdio = sbxi_wire_u32(in.body, SBX_TAG_STDIO, 0);
	char *argv[64] = { NULL }, *envp[64] = { NULL };
	char cwd[SBX_WIRE_TARGET + 1];
	struct sbxi_wire_tag t;
	size_t n_argv = 0, n_envp = 0, fd = 0;

	for (int i = 0; i < 3; i++)
		if (stdio & 1u << i)
			(void)dup2(in.fd[fd++], i);
	sbxi_wire_text(in.body, SBX_TAG_CWD, cwd, sizeof(cwd));
	while (sbxi_wire_next(&in.body, &t)) {
		if (t.tag == SBX_TAG_ARG && n_argv < 63)
			argv[n_argv++] = strndup((const char *)t.value, t.len);
		if (t.tag == SBX_TAG_ENV && n_envp < 63)
			envp[n_envp++] = strndup((const char *)t.value, t.len);
	}
	if (cwd[0] && chdir(cwd) < 0)
		_exit(126);
	if (argv[0])
		execvpe(argv[0], argv, envp);
	_exit(127);
}

static void delegate(int sock)
{
	struct sbxi_wire_tag t, name;
	struct sbxi_wire_tags body = in.body;
	struct sub_task *s = task;

	while (sbxi_wire_next(&body, &t)) {
		char text[SBX_WIRE_NAME + 1] = "";

		if (t.tag != SBX_TAG_SHARE)
			continue;
		if (sbxi_wire_find(sbxi_wire_inside(&t), SBX_TAG_NAME, &name))
			memcpy(text, name.value, name.len);
		if (text[0] == '\0' || !find_grant(text)) {
			reply(sock, in.head.id, -ENOENT, "no such grant");
			return;
		}
	}
	while (s < task + TASKS - 1 && s->pid != 0)
		s++;
	s->pid = fork();
	if (s->pid == 0)
		become();
	s->pidfd = (int)syscall(SYS_pidfd_open, s->pid, 0);
	s->sock = sock;
	s->id = in.head.id;
	begin(SBX_MSG_REPLY, in.head.id, 0, 0, 0);
	sbxi_wire_put_u64(&out, SBX_TAG_TASK, (uint64_t)s->pid);
	send_it(sock, -1);
}

static void ended(struct sub_task *s)
{
	int st = 0;

	(void)waitpid(s->pid, &st, 0);
	close(s->pidfd);
	begin(SBX_MSG_EVENT, s->id, 0, 0, 0);
	sbxi_wire_put_u32(&out, SBX_TAG_EVENT, SBX_EVENT_EXIT);
	sbxi_wire_put_u64(&out, SBX_TAG_TASK, (uint64_t)s->pid);
	sbxi_wire_put_u32(&out, SBX_TAG_EXIT_KIND, WIFEXITED(st) ? 1 : 2);
	sbxi_wire_put_u32(&out, SBX_TAG_EXIT_CODE, (uint32_t)(
			  WIFEXITED(st) ? WEXITSTATUS(st) : WTERMSIG(st)));
	if (s->sock >= 0)
		send_it(s->sock, -1);
	s->pid = 0;
}

static void log_message(int sock)
{
	char text[SBX_WIRE_TEXT + 1];

	sbxi_wire_text(in.body, SBX_TAG_TEXT, text, sizeof(text));
	for (size_t i = 0; i < PENDING && strcmp(text, "go") == 0; i++) {
		struct waiting *w = &waiting[i];

		if (w->sock < 0 || strncmp(w->target, "tcp:later:", 10) != 0)
			continue;
		give(w->sock, w->id, SBX_ASK_CONNECT, 0, w->target, 'w');
		w->sock = -1;
	}
	reply(sock, in.head.id, 0, NULL);
}

/* A line a message: its type, then the tags that have texts or numbers. */
static void write_down(void)
{
	char line[4096];
	struct sbxi_wire_tags body = in.body;
	struct sbxi_wire_tag t;
	int n = snprintf(line, sizeof(line), "%u", in.head.type);

	while (sbxi_wire_next(&body, &t) && n < 3000) {
		n += snprintf(line + n, sizeof(line) - (size_t)n, " %u=",
			      t.tag);
		if (t.tag == SBX_TAG_SHARE)
			n += snprintf(line + n, sizeof(line) - (size_t)n,
				      "(%zu)", t.len);
		else if (t.len == 4 && t.tag != SBX_TAG_TEXT &&
			 sbxi_wire_u32(in.body, t.tag, 0) < 256)
			n += snprintf(line + n, sizeof(line) - (size_t)n, "%u",
				      sbxi_wire_u32(in.body, t.tag, 0));
		else if (t.len == 8 && t.value[7] == 0)
			n += snprintf(line + n, sizeof(line) - (size_t)n,
				      "%llu", (unsigned long long)
				      sbxi_wire_u64(in.body, t.tag, 0));
		else
			n += snprintf(line + n, sizeof(line) - (size_t)n,
				      "%.*s", (int)t.len,
				      (const char *)t.value);
	}
	(void)dprintf(log_fd, "%s\n", line);
}

static void end_channel(struct channel *c)
{
	for (size_t i = 0; i < PENDING; i++)
		if (waiting[i].sock == c->sock)
			waiting[i].sock = -1;
	for (size_t i = 0; i < TASKS; i++)
		if (task[i].sock == c->sock)
			task[i].sock = -1;
	close(c->sock);
	c->sock = -1;
}

static void serve(struct channel *c)
{
	static void (*const handlers[])(int sock) = {
		[SBX_MSG_REQUEST] = request,   [SBX_MSG_CANCEL] = cancel,
		[SBX_MSG_LIST] = list,	       [SBX_MSG_NARROW] = narrow,
		[SBX_MSG_RELEASE] = release,   [SBX_MSG_DELEGATE] = delegate,
		[SBX_MSG_LOG] = log_message,   [SBX_MSG_READY] = log_message,
	};
	int rc = sbxi_wire_recv(c->sock, &in);

	if (rc == -EAGAIN)
		return;
	if (rc == -EOPNOTSUPP || rc == -EPROTONOSUPPORT) {
		reply(c->sock, in.head.id, rc, NULL);
	} else if (rc != 1 || in.head.type == SBX_MSG_ATTACH ||
		   in.head.type > SBX_MSG_READY) {
		end_channel(c);
	} else {
		write_down();
		handlers[in.head.type](c->sock);
	}
	sbxi_wire_drop(&in);
}

/* What is no ATTACH is nothing: who sent it cannot be answered. */
static bool open_door(int door)
{
	int rc = sbxi_wire_recv(door, &in);

	if (rc == 0)
		return false;
	for (size_t i = 0; rc == 1 && i < CHANNELS; i++) {
		if (in.head.type != SBX_MSG_ATTACH || channel[i].sock >= 0)
			continue;
		channel[i].sock = sbxi_wire_take(&in, 0);
		channel[i].events = in.head.flags & SBX_WIRE_EVENTS;
		reply(channel[i].sock, in.head.id, 0, NULL);
		break;
	}
	sbxi_wire_drop(&in);
	return true;
}

static void loop(int door)
{
	for (;;) {
		struct pollfd p[1 + CHANNELS + TASKS];
		bool any = door >= 0;

		p[0] = (struct pollfd){ .fd = door, .events = POLLIN };
		for (size_t i = 0; i < CHANNELS; i++) {
			p[1 + i] = (struct pollfd){ .fd = channel[i].sock,
						    .events = POLLIN };
			any = any || channel[i].sock >= 0;
		}
		for (size_t i = 0; i < TASKS; i++)
			p[1 + CHANNELS + i] = (struct pollfd){
				.fd = task[i].pid ? task[i].pidfd : -1,
				.events = POLLIN };
		if (!any || (poll(p, 1 + CHANNELS + TASKS, -1) < 0 &&
			     errno != EINTR))
			_exit(0);
		for (size_t i = 0; i < TASKS; i++)
			if (p[1 + CHANNELS + i].revents)
				ended(&task[i]);
		for (size_t i = 0; i < CHANNELS; i++)
			if (channel[i].sock >= 0 && p[1 + i].revents)
				serve(&channel[i]);
		if (p[0].revents && !open_door(door)) {
			close(door);
			door = -1;
		}
	}
}

pid_t fake_broker_start(int log, int *ret_door)
{
	int pair[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(pair[1]);
		log_fd = log;
		for (size_t i = 0; i < CHANNELS; i++)
			channel[i].sock = -1;
		for (size_t i = 0; i < PENDING; i++)
			waiting[i].sock = -1;
		loop(pair[0]);
	}
	close(pair[0]);
	*ret_door = pair[1];
	return pid;
}

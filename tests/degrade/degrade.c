/* SPDX-License-Identifier: Apache-2.0 */
/*
 * degrade: run a command as a poorer host would.
 *
 * Options combine.  The exit status is the command's own; 99 = the poorer
 * host could not be made.  No user notification is used but in
 * --notify-taken, so that the command can have a listener of its own.  With
 * a tracer (--landlock-abi, --trace-clone3) the command cannot be traced by
 * another, and what it leaves behind is killed when it ends.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "filter.h"
#include "host.h"
#include "tracer.h"

#define EXIT_DEGRADE 99
#define MAX_SETS 16

struct options {
	const struct rule_set *sets[MAX_SETS];
	size_t n_sets;
	long max_userns, max_netns, nofile;	/* -1 = leave */
	int userns_errno, landlock_errno;	/* 0 = leave */
	int landlock_abi;			/* 0 = leave */
	bool apparmor, masked_proc, user, trace_clone3, notify_taken;
};

static const struct {
	const char *name;
	int number;
} errnos[] = {
	{ "EPERM", EPERM },	  { "EACCES", EACCES }, { "ENOSPC", ENOSPC },
	{ "ENOSYS", ENOSYS },	  { "EINVAL", EINVAL },
	{ "EOPNOTSUPP", EOPNOTSUPP },
};

static void usage(FILE *f)
{
	fputs("usage: degrade [options] -- cmd args\n"
	      "  --no-userns        user namespaces: EPERM (clone3: ENOSYS)\n"
	      "  --userns-errno=E   the same with another errno\n"
	      "  --trace-clone3     with these: clone3 by its flags\n"
	      "  --max-userns=N     user.max_user_namespaces\n"
	      "  --max-netns=N      user.max_net_namespaces\n"
	      "  --apparmor         user namespaces without capabilities\n"
	      "  --masked-proc      an entry of /proc is covered\n"
	      "  --no-landlock[=E]  ENOSYS or EOPNOTSUPP\n"
	      "  --landlock-abi=N   an older Landlock\n"
	      "  --notify-taken     the one listener is somebody else's\n"
	      "  --nofile=N         limit of descriptors\n"
	      "  --user             become uid and gid 65534\n", f);
	for (const struct rule_set *s = rule_sets; s->option; s++)
		fprintf(f, "  %-18s %s\n", s->option, s->help);
}

static int to_errno(const char *name)
{
	for (size_t i = 0; i < sizeof(errnos) / sizeof(*errnos); i++)
		if (!strcmp(errnos[i].name, name))
			return errnos[i].number;
	return 0;
}

static long to_number(const char *text)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	return errno || end == text || *end || n < 0 ? -1 : n;
}

/* The text behind "name=", or NULL. */
static const char *value_of(const char *arg, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(arg, name, len) && arg[len] == '=' ? arg + len + 1 :
							     NULL;
}

static bool take_set(struct options *o, const char *arg)
{
	const struct rule_set *s = rule_sets;

	while (s->option && strcmp(s->option, arg) != 0)
		s++;
	if (!s->option || o->n_sets == MAX_SETS)
		return false;
	o->sets[o->n_sets++] = s;
	return true;
}

static bool take_switch(struct options *o, const char *arg)
{
	struct {
		const char *name;
		bool *on;
	} table[] = {
		{ "--apparmor", &o->apparmor },
		{ "--masked-proc", &o->masked_proc },
		{ "--user", &o->user },
		{ "--trace-clone3", &o->trace_clone3 },
		{ "--notify-taken", &o->notify_taken },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		if (!strcmp(table[i].name, arg)) {
			*table[i].on = true;
			return true;
		}
	}
	if (!strcmp(arg, "--no-userns"))
		return (o->userns_errno = EPERM);
	if (!strcmp(arg, "--no-landlock"))
		return (o->landlock_errno = ENOSYS);
	return false;
}

static bool take_value(struct options *o, const char *arg)
{
	const char *v;

	if ((v = value_of(arg, "--userns-errno")))
		return (o->userns_errno = to_errno(v)) != 0;
	if ((v = value_of(arg, "--no-landlock")))
		return (o->landlock_errno = to_errno(v)) != 0;
	if ((v = value_of(arg, "--max-userns")))
		return (o->max_userns = to_number(v)) >= 0;
	if ((v = value_of(arg, "--max-netns")))
		return (o->max_netns = to_number(v)) >= 0;
	if ((v = value_of(arg, "--nofile")))
		return (o->nofile = to_number(v)) >= 0;
	if ((v = value_of(arg, "--landlock-abi"))) {
		long n = to_number(v);

		o->landlock_abi = n > tracer_host_abi() ? 0 : (int)n;
		return n > 0 && o->landlock_abi;
	}
	return false;
}

/* Returns the index of the command, or -1. */
static int parse(struct options *o, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (take_switch(o, argv[i]) || take_value(o, argv[i]) ||
		    take_set(o, argv[i]))
			continue;
		fprintf(stderr, "degrade: %s: unknown or not to be had here\n",
			argv[i]);
		return -1;
	}
	if (o->trace_clone3 && !o->userns_errno) {
		fputs("degrade: --trace-clone3 needs --no-userns\n", stderr);
		return -1;
	}
	return i + 1 < argc ? i + 1 : -1;
}

static bool needs_filter(const struct options *o)
{
	return o->n_sets || o->userns_errno || o->landlock_errno ||
	       o->landlock_abi || o->apparmor || o->notify_taken;
}

/* All that needs privilege, in an order in which no step forbids the next. */
static int make_poorer(const struct options *o)
{
	bool limits = o->max_userns >= 0 || o->max_netns >= 0;
	int rc = 0;

	if (limits || (o->masked_proc && geteuid() != 0))
		rc = host_enter_userns();
	if (rc == 0 && o->masked_proc)
		rc = host_mask_proc();
	if (rc == 0 && o->max_userns >= 0)
		rc = host_limit("max_user_namespaces",
				(unsigned long)o->max_userns);
	if (rc == 0 && o->max_netns >= 0)
		rc = host_limit("max_net_namespaces",
				(unsigned long)o->max_netns);
	if (rc == 0 && o->user)
		rc = host_drop_user();
	if (rc == 0 && geteuid() != 0 && needs_filter(o) &&
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		rc = -errno;
	if (rc == 0 && o->apparmor)
		rc = host_readonly_proc();
	return rc;
}

static int load_filters(const struct options *o)
{
	int rc = 0;

	if (o->apparmor)
		rc = filter_load(apparmor_rules, 0, 0);
	if (rc == 0 && o->userns_errno)
		rc = filter_load(o->trace_clone3 ? no_userns_trace_rules :
						   no_userns_rules,
				 o->userns_errno, 0);
	if (rc == 0 && o->landlock_abi)
		rc = filter_load(landlock_abi_rules, 0, 0);
	if (rc == 0 && o->landlock_errno)
		rc = filter_load(no_landlock_rules, o->landlock_errno, 0);
	/* --no-seccomp forbids further filters, so it must be the last. */
	for (size_t i = 0; rc == 0 && i < o->n_sets; i++)
		if (strcmp(o->sets[i]->option, "--no-seccomp") != 0)
			rc = filter_load(o->sets[i]->rules, 0, 0);
	for (size_t i = 0; rc == 0 && i < o->n_sets; i++)
		if (!strcmp(o->sets[i]->option, "--no-seccomp"))
			rc = filter_load(o->sets[i]->rules, 0, 0);
	return rc;
}

static int run_command(const struct options *o, char **argv)
{
	int rc = load_filters(o);

	if (rc < 0) {
		fprintf(stderr, "degrade: filter: %s\n", strerror(-rc));
		return EXIT_DEGRADE;
	}
	if (o->nofile >= 0 && host_nofile((unsigned long)o->nofile) < 0)
		return EXIT_DEGRADE;
	execvp(argv[0], argv);
	rc = errno;
	fprintf(stderr, "degrade: %s: %s\n", argv[0], strerror(rc));
	return rc == ENOENT ? 127 : 126;
}

static volatile sig_atomic_t followed;

static void forward(int sig)
{
	if (followed > 0)
		kill(followed, sig);
}

static void forward_signals(pid_t child)
{
	static const int sigs[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT,
				    SIGUSR1, SIGUSR2 };
	struct sigaction sa = { .sa_handler = forward };

	followed = child;
	for (size_t i = 0; i < sizeof(sigs) / sizeof(*sigs); i++)
		sigaction(sigs[i], &sa, NULL);
}

/* With somebody who stays: the tracer, or the owner of the listener. */
static int run_beside(const struct options *o, char **argv)
{
	struct tracer t = {
		.clone3 = o->trace_clone3,
		.userns_errno = o->userns_errno,
		.landlock_abi = o->landlock_abi,
	};
	bool traced = t.clone3 || t.landlock_abi;
	int go[2], rc = 0;
	char byte = 0;
	pid_t pid;

	if (pipe2(go, O_CLOEXEC) < 0 || (pid = fork()) < 0) {
		perror("degrade: fork");
		return EXIT_DEGRADE;
	}
	if (pid == 0) {
		close(go[1]);
		if (read(go[0], &byte, 1) != 1)
			_exit(EXIT_DEGRADE);
		close(go[0]);
		_exit(run_command(o, argv));
	}
	close(go[0]);
	if (traced)
		rc = tracer_attach(pid);
	if (rc < 0)
		fprintf(stderr, "degrade: tracer: %s\n", strerror(-rc));
	else if (write(go[1], &byte, 1) != 1)
		perror("degrade: pipe");
	close(go[1]);
	forward_signals(pid);
	return tracer_run(&t, pid);
}

int main(int argc, char **argv)
{
	struct options o = { .max_userns = -1, .max_netns = -1, .nofile = -1 };
	int at;

	if (argc > 1 && !strcmp(argv[1], "--help")) {
		usage(stdout);
		return 0;
	}
	at = parse(&o, argc, argv);
	if (at < 0) {
		usage(stderr);
		return EXIT_DEGRADE;
	}
	if (make_poorer(&o) < 0)
		return EXIT_DEGRADE;
	if (o.notify_taken) {
		/* Close-on-exec: the listener stays with this process. */
		int fd = filter_load(notify_taken_rules, 0,
				     SECCOMP_FILTER_FLAG_NEW_LISTENER);

		if (fd < 0) {
			fprintf(stderr, "degrade: listener: %s\n",
				strerror(-fd));
			return EXIT_DEGRADE;
		}
	}
	if (o.notify_taken || o.landlock_abi || o.trace_clone3)
		return run_beside(&o, argv + at);
	return run_command(&o, argv + at);
}

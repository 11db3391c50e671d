/* SPDX-License-Identifier: Apache-2.0 */
/* sbx-exec: run a command as a task that reaches what the options grant. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build.h"
#include "denial.h"
#include "denial_args.h"
#include "explain.h"
#include "inplace.h"
#include "options.h"
#include "report.h"
#include "run.h"
#include "status.h"
#include "stdfds.h"
#include "table.h"
#include "usage.h"

#define PROGRAM "sbx-exec"

/* All that a run needs, so that one place takes it down again. */
struct session {
	struct cli_options options;
	struct cli_fault fault;
	struct cli_status status;
	struct cli_signals signals;
	struct cli_pty pty;
	struct cli_relay relay;
	struct sbx_policy *policy;
	struct sbx_task *task;
	int report_fd;
};

/* What was printed has arrived, or it is an error: of 125, for nothing ran. */
static int finish_output(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	cli_note(PROGRAM, "standard output: %s", strerror(errno));
	return CLI_EXIT_SETUP;
}

/* Say what went wrong, to people and to the status descriptor. */
static int fail(struct session *s)
{
	int status = cli_fault_status(&s->fault);

	cli_raw_leave();
	cli_message(PROGRAM, &s->fault);
	cli_status_error(&s->status, &s->fault, status);
	return status;
}

static int print_dry_run(struct session *s, const struct sbx_report *report)
{
	const char *name = s->options.report;

	/* JSON in place of the table, so that standard output stays JSON. */
	if (name && strcmp(name, "-") == 0)
		return cli_report_write(report, STDOUT_FILENO, name,
					&s->fault);
	(void)printf("tier %s\n\n", cli_tier_name(sbx_report_tier(report)));
	if (cli_table_print(stdout, report, false,
			    cli_colour(STDOUT_FILENO)) < 0)
		return cli_fault(&s->fault, -ENOMEM, SBX_STEP_NONE, NULL,
				 NULL, NULL);
	(void)fflush(stdout);
	if (s->report_fd < 0)
		return 0;
	return cli_report_write(report, s->report_fd, name, &s->fault);
}

static int dry_run(struct session *s)
{
	struct sbx_error error = { .code = 0 };
	struct sbx_report *report = NULL;
	int rc;

	rc = sbx_policy_dry_run(s->policy, &report, &error);
	if (rc < 0) {
		(void)cli_fault_library(&s->fault, rc, &error, NULL);
		return fail(s);
	}
	rc = print_dry_run(s, report);
	if (rc == 0)
		rc = cli_report_check(report, &s->fault);
	sbx_report_free(report);
	return rc < 0 ? fail(s) : finish_output(0);
}

static void pass_on(struct session *s, const struct cli_denial *denial)
{
	cli_denial_tell(PROGRAM, denial);
	cli_status_denial(&s->status, denial);
}

static void on_denial(struct sbx_task *task, const struct sbx_denial *told,
		      void *userdata)
{
	struct session *s = userdata;
	struct cli_denial_texts texts;
	struct cli_denial denial;

	(void)task;
	cli_denial_of_task(told, &texts, &denial);
	pass_on(s, &denial);
}

static int spawn(struct session *s)
{
	struct sbx_handlers handlers = SBX_HANDLERS_INIT;
	const struct cli_options *o = &s->options;
	struct sbx_spawn_opts opts = SBX_SPAWN_OPTS_INIT;
	struct sbx_error error = { .code = 0 };
	bool is_guess;
	int i, rc;

	opts.argv = o->argv;
	opts.cwd = cli_build_cwd(o, &is_guess);
	opts.grants = o->grants;
	opts.n_grants = o->n_grants;
	for (i = 0; i < 3; i++)
		opts.stdio[i] = o->new_tty ? s->pty.slave : SBX_STDIO_INHERIT;
	if (o->new_tty)
		opts.flags |= SBX_SPAWN_CTTY;
	/* Listening costs the task something: not where nobody would hear. */
	handlers.on_denial = on_denial;
	if (s->status.fd >= 0 || isatty(STDERR_FILENO))
		opts.handlers = &handlers;
	opts.userdata = s;
	rc = sbx_spawn(s->policy, &opts, &s->task, &error);
	if (rc < 0 && is_guess && error.step == SBX_STEP_CWD) {
		/* The policy file does not grant it: HOME, as it is said. */
		opts.cwd = NULL;
		rc = sbx_spawn(s->policy, &opts, &s->task, &error);
	}
	return rc < 0 ? cli_fault_library(&s->fault, rc, &error, NULL) : 0;
}

/*
 * In a file the report is there while the task runs; on standard output,
 * where the task writes at the same time, it comes when that is over.
 */
static int write_report(struct session *s, bool has_ended)
{
	struct sbx_report *report = NULL;
	int rc;

	if (s->report_fd < 0 || (s->report_fd == STDOUT_FILENO) != has_ended)
		return 0;
	rc = sbx_task_report(s->task, &report);
	if (rc < 0)
		return cli_fault(&s->fault, rc, SBX_STEP_NONE, "--report",
				 NULL, NULL);
	rc = cli_report_write(report, s->report_fd, s->options.report,
			      &s->fault);
	s->report_fd = -1;
	sbx_report_free(report);
	return rc;
}

/*
 * A person at a terminal gets one for the task too; a job in the background
 * must not touch it, and what goes to a terminal cannot be counted.
 */
static void choose_tty(struct cli_options *o)
{
	if (!o->tty_chosen && !o->policy_file &&
	    o->limit[SBX_LIMIT_OUTPUT] == 0)
		o->new_tty = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) &&
			     isatty(STDERR_FILENO) &&
			     tcgetpgrp(STDIN_FILENO) == getpgrp();
}

/* Signals and terminal first: from the spawn on, none may be missed. */
static int start(struct session *s)
{
	bool new_tty;
	int rc;

	choose_tty(&s->options);
	new_tty = s->options.new_tty;
	rc = cli_signals_open(new_tty, &s->signals);
	if (rc < 0)
		return cli_fault(&s->fault, rc, SBX_STEP_NONE, "signals",
				 NULL, NULL);
	rc = new_tty ? cli_pty_open(&s->pty) : 0;
	if (rc < 0)
		return cli_fault(&s->fault, rc, SBX_STEP_NONE, "--new-tty",
				 "mount devpts, or raise kernel.pty.max",
				 NULL);
	rc = spawn(s);
	if (rc == 0)
		rc = write_report(s, false);
	if (rc < 0)
		return rc;
	cli_status_start(&s->status, s->task);
	rc = new_tty ? cli_raw_enter() : 0;
	if (rc < 0)
		return cli_fault(&s->fault, rc, SBX_STEP_NONE, "--new-tty",
				 NULL, NULL);
	return 0;
}

/* What a failed command was pointed at and could not see. */
static void explain_arguments(struct session *s)
{
	struct cli_denial_texts texts;
	struct cli_denial denial;
	size_t i;

	/* What a policy file grants is not known here. */
	if (s->options.policy_file)
		return;
	for (i = 1; s->options.argv[0] && s->options.argv[i]; i++)
		if (cli_denial_of_argument(&s->options, i, &texts, &denial))
			pass_on(s, &denial);
}

/* What the end of the task shows to have been refused, and what allows it. */
static void explain_end(struct session *s, const struct sbx_exit *ex)
{
	struct cli_denial denial;
	size_t i;

	for (i = 0; cli_denial_of_exit(ex, i, &denial); i++)
		pass_on(s, &denial);
	if (ex->kind == SBX_EXITED && ex->code != 0)
		explain_arguments(s);
}

static int end(struct session *s, const struct sbx_exit *ex)
{
	int status = cli_exit_status(ex);

	/* The command has run: its status counts, the loss is only said. */
	if (write_report(s, true) < 0)
		cli_message(PROGRAM, &s->fault);
	explain_end(s, ex);
	cli_status_exit(&s->status, ex, status);
	return status;
}

static int run(struct session *s)
{
	struct sbx_exit ex = SBX_EXIT_INIT;
	struct cli_run r = { .program = PROGRAM,
			     .signals = &s->signals,
			     .kill_after_ms = s->options.kill_after_ms };
	int rc;

	rc = start(s);
	if (rc < 0)
		return fail(s);
	r.task = s->task;
	if (s->options.new_tty) {
		cli_relay_init(&s->relay, &s->pty);
		r.relay = &s->relay;
	}
	rc = cli_run(&r, &ex);
	if (r.relay)
		cli_relay_done(r.relay);
	cli_raw_leave();
	if (rc < 0) {
		(void)cli_fault(&s->fault, rc, SBX_STEP_WAIT, NULL, NULL,
				NULL);
		return fail(s);
	}
	return end(s, &ex);
}

static int set_up(struct session *s)
{
	const struct cli_options *o = &s->options;
	int rc;

	rc = cli_build_policy(o, &s->policy, &s->fault);
	if (rc < 0 || !o->report ||
	    (o->action == CLI_DRY_RUN && strcmp(o->report, "-") == 0))
		return rc;
	/* Before anything runs, so that a run without a report is no run. */
	s->report_fd = cli_report_open(o->report, &s->fault);
	return s->report_fd < 0 ? s->report_fd : 0;
}

/* Returns only to say why the command does not run, or after a dry run. */
static int in_place(struct session *s)
{
	struct sbx_report *report = NULL;
	bool is_dry = s->options.action == CLI_DRY_RUN;
	int rc = cli_in_place_enter(&s->options, s->policy, &report,
				    &s->fault);

	if (rc == 0 && is_dry)
		rc = print_dry_run(s, report);
	else if (rc == 0 && s->report_fd >= 0)
		rc = cli_report_write(report, s->report_fd, s->options.report,
				      &s->fault);
	sbx_report_free(report);
	if (rc == 0 && !is_dry)
		rc = cli_in_place_exec(&s->options, &s->fault);
	return rc < 0 ? fail(s) : finish_output(0);
}

static int act(struct session *s)
{
	switch (s->options.action) {
	case CLI_HELP:
		(void)fputs(cli_usage, stdout);
		return finish_output(0);
	case CLI_VERSION:
		(void)puts("sbx-exec (libsandbox) " SBX_VERSION);
		return finish_output(0);
	case CLI_EXPLAIN:
		cli_explain_syscalls(stdout);
		return finish_output(0);
	case CLI_DRY_RUN:
	case CLI_RUN:
	default:
		break;
	}
	if (s->options.in_place &&
	    cli_in_place_check(&s->options, &s->fault) < 0)
		return fail(s);
	if (set_up(s) < 0)
		return fail(s);
	if (s->options.in_place)
		return in_place(s);
	return s->options.action == CLI_DRY_RUN ? dry_run(s) : run(s);
}

int main(int argc, char **argv)
{
	static struct session s = {
		.status = { .program = PROGRAM, .fd = -1 },
		.signals = { .fd = -1 },
		.pty = { .master = -1, .slave = -1, .outer = -1 },
		.report_fd = -1,
	};
	int rc, status;

	rc = cli_stdfds_open();
	if (rc < 0) {
		cli_note(PROGRAM, "/dev/null: %s", strerror(-rc));
		return CLI_EXIT_SETUP;
	}
	rc = cli_options_parse(argc, argv, getenv("PWD"), &s.options,
			       &s.fault);
	s.status.fd = s.options.status_fd;
	status = rc < 0 ? fail(&s) : act(&s);
	/* Dropping the last handle ends what may be left of the task. */
	sbx_task_unref(s.task);
	sbx_policy_unref(s.policy);
	cli_pty_close(&s.pty);
	cli_signals_close(&s.signals);
	cli_options_done(&s.options);
	return status;
}

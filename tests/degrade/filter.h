/* SPDX-License-Identifier: Apache-2.0 */
/* filter: tables of refused system calls, and the BPF made of them. */
#ifndef DEGRADE_FILTER_H
#define DEGRADE_FILTER_H

#include <stdint.h>

/* When a rule holds; value is compared with the low word of argument arg. */
enum when {
	ALWAYS = 0,
	ANY_BIT,	/* argument & value */
	NO_BIT,		/* !(argument & value) */
	EQUAL		/* argument == value */
};

/* What it does, if it is not an errno. */
enum {
	ACT_CHOSEN = 0,		/* the errno chosen on the command line */
	ACT_TRACE = -1,		/* ask the tracer */
	ACT_ALLOW = -2,		/* this set has no objection */
	ACT_NOTIFY = -3		/* wait for a listener */
};

/* The first rule of a set that holds decides; sets are filters of their own. */
struct rule {
	int nr;			/* system call number; -1 ends the table */
	int act;		/* errno or ACT_... */
	enum when when;
	unsigned int arg;
	uint32_t value;
};

/* An option that is nothing but a set of rules. */
struct rule_set {
	const char *option;	/* "--no-clone3" */
	const char *help;
	const struct rule *rules;
};

/* Ends with an entry whose option is NULL. */
extern const struct rule_set rule_sets[];

/* Sets that need more than a name. */
extern const struct rule no_userns_rules[];
extern const struct rule no_userns_trace_rules[];
extern const struct rule no_landlock_rules[];
extern const struct rule apparmor_rules[];
extern const struct rule notify_taken_rules[];

/*
 * Load one set for good.  flags: SECCOMP_FILTER_FLAG_...
 * Returns 0, or a descriptor if a listener was asked for, or -errno.
 */
int filter_load(const struct rule *rules, int chosen_errno,
		unsigned int flags);

#endif

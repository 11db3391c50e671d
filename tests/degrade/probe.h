/* SPDX-License-Identifier: Apache-2.0 */
/* probe: the acts that the probe tries, each in a process of its own. */
#ifndef DEGRADE_PROBE_H
#define DEGRADE_PROBE_H

/*
 * One act.  Returns 0, a positive number that the act found out, or -errno.
 * Runs in a throw-away child and may change that as it likes.
 */
struct act {
	const char *name;
	int (*run)(void);
};

/* Each ends with an entry whose name is NULL. */
extern const struct act namespace_acts[];
extern const struct act restriction_acts[];
extern const struct act process_acts[];

/* errno of the call that just failed, or its result. */
int outcome(long rc);

/* Run a function in a child and return what it returned. */
int in_child(int (*fn)(void));

/* "probe --listen" and "probe --connect PORT", for the loopback tests. */
int listen_main(void);
int connect_main(const char *port);

#endif

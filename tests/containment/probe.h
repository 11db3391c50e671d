/* SPDX-License-Identifier: Apache-2.0 */
/*
 * probe: acts that a jail must hold back, or must let through.  A probe only
 * tries and says what came of it; the runner, outside, looks what happened.
 */
#ifndef TESTS_CONTAINMENT_PROBE_H
#define TESTS_CONTAINMENT_PROBE_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum verdict {
	DIED,           /* killed, or out of time: what the memory is born with */
	DID,            /* the act went through, as far as can be seen inside */
	REFUSED,
	ABSENT          /* there is nothing here to try it on */
};

struct probe {
	const char *name;
	enum verdict (*act)(void);
};

/* Each ends with an entry without a name. */
extern const struct probe files_probes[], grants_probes[], network_probes[];
extern const struct probe sockets_probes[], processes_probes[];
extern const struct probe privileges_probes[], ipc_probes[], surface_probes[];
extern const struct probe leaks_probes[], resources_probes[], trust_probes[];
extern const struct probe work_probes[], work_ipc_probes[];

/* The probe that runs. */
extern const char *probe_name;
/* Whoever started all of them. */
extern pid_t probe_parent;

/* What the runner says about a target; "" when it says nothing. */
const char *key(const char *name);
long key_number(const char *name);
/* The same for the target of this probe alone: "victim" is victim.NAME. */
const char *own_key(const char *name);
long own_number(const char *name);

/* A path in this probe's part of its group's tree, or of the workspace.
 * Valid for the next few calls. */
char *at(const char *leaf);
char *in_ws(const char *leaf);

/* Adds to what is told about this probe. */
void show(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Shows what can be read from it, and closes it. */
enum verdict show_fd(int fd);
/* Negative is a refusal, whose errno is shown. */
enum verdict outcome(long rc);
enum verdict absent(const char *why);

/* Creates a file with this content; negative on failure. */
int make_file(const char *path, const char *text);
/* Runs it in a child; its exit status, or 128 and the signal. */
int in_child(int (*fn)(void *), void *arg);
/* Runs a program and shows its output. */
enum verdict show_program(const char *const *argv);

#endif

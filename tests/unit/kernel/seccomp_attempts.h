/* SPDX-License-Identifier: Apache-2.0 */
/* seccomp_attempts: calls with the answers that the filters owe them. */
#ifndef SBX_TESTS_SECCOMP_ATTEMPTS_H
#define SBX_TESTS_SECCOMP_ATTEMPTS_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/seccomp.h>

#define OK SECCOMP_RET_ALLOW
#define ERR(e) (SECCOMP_RET_ERRNO | (e))
#define ASKED SECCOMP_RET_USER_NOTIF

/* The filters that the attempts are tried on. */
enum {
	A = 0,		/* tier A, newest Landlock, kernel executes no memfd */
	A_OLD,		/* tier A without either */
	B,		/* tier B, Landlock ABI 10 */
	B8, B5, B2,	/* older ones */
	B_HEARD, B5_HEARD,	/* the supervisor listens, about files, too */
	CON, SUP,
	SUP_HEARS,
	N_FILTERS_TRIED
};

struct attempt {
	int filter;
	int number;
	uint32_t want;
	uint64_t args[6];
};

/* For .init and .fini of a suite. */
void attempts_init(void);
void attempts_done(void);

/*
 * Expect each attempt to be answered as it says; with garbage, also with
 * something in the upper halves, which the kernel does not read.
 */
void attempts_check(const struct attempt *t, size_t n, bool garbage);

#define CHECK(table) \
	attempts_check(table, sizeof(table) / sizeof(*(table)), true)
/* For tables that hold a pointer, whose upper half counts. */
#define CHECK_AS_IS(table) \
	attempts_check(table, sizeof(table) / sizeof(*(table)), false)

#endif

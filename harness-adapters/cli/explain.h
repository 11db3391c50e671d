/* SPDX-License-Identifier: Apache-2.0 */
/* explain: which system calls a task may make, and why. */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include <stdio.h>

/* All sets with their reasons and calls, for people. */
void cli_explain_syscalls(FILE *out);

#endif

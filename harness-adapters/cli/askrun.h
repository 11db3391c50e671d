/* SPDX-License-Identifier: Apache-2.0 */
/* askrun: what is done with a descriptor that was granted. */
#ifndef CLI_ASKRUN_H
#define CLI_ASKRUN_H

#include "askopt.h"

/*
 * Become the command, with the descriptor where the options say, or copy to
 * standard output where there is none.  Returns an exit status, if at all.
 */
int ask_use(const struct ask_options *o, const struct sbx_answer *answer);

#endif

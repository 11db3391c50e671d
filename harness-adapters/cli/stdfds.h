/* SPDX-License-Identifier: Apache-2.0 */
/* stdfds: descriptors 0 to 2 are open, whoever started us. */
#ifndef CLI_STDFDS_H
#define CLI_STDFDS_H

/*
 * Open /dev/null on those of 0 to 2 that are closed.  To be called before
 * anything else is opened, or that would take such a number and appear as
 * the task's input or output.  Returns 0 or a negative errno.
 */
int cli_stdfds_open(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* report: where --report and --dry-run write what holds. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <sandbox/sandbox.h>

#include "message.h"

/*
 * The descriptor for --report NAME, "-" being standard output; or a negative
 * errno with *fault filled.
 */
int cli_report_open(const char *name, struct cli_fault *fault);

/* JSON text and a newline; closes fd unless it is standard output. */
int cli_report_write(const struct sbx_report *report, int fd,
		     const char *name, struct cli_fault *fault);

/* 0 if all holds that is required; else -EPERM and a fault with the rest. */
int cli_report_check(const struct sbx_report *report,
		     struct cli_fault *fault);

#endif

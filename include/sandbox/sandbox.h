/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libsandbox: run a sub-task that reaches exactly what it was granted.
 *
 * This header includes all others.  libsandbox(7) is the place to start.
 */
#ifndef SANDBOX_SANDBOX_H
#define SANDBOX_SANDBOX_H

#include <sandbox/error.h>
#include <sandbox/grant.h>
#include <sandbox/policy.h>
#include <sandbox/report.h>
#include <sandbox/task.h>
#include <sandbox/types.h>

#endif

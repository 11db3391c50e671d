/* SPDX-License-Identifier: Apache-2.0 */
/*
 * storm: many threads spawn while they also allocate and free.  No cr_ and no
 * fork, so that it runs under ThreadSanitizer and AddressSanitizer.
 */
#ifndef TESTS_LIVE_STORM_H
#define TESTS_LIVE_STORM_H

/*
 * Run so many spawns of /bin/true from so many threads; TAP on standard
 * output, skipped loudly where no task can run.  The status for exit(3).
 */
int storm_main(int threads, int spawns);

#endif

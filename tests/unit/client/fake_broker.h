/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake_broker: the other side, for tests of clients: a process that decides
 * by the name of what is asked for, and writes down what it was told.
 *
 *   tcp:granted:N   a socket with a line to read, then the end; grant gN
 *   tcp:echo:N      a socket that says everything again; grant eN
 *   tcp:narrowed:N  the same as granted, with 1,000 bytes out; grant nN
 *   tcp:denied:N    -EACCES and a reason
 *   tcp:refused:N   -ECONNREFUSED
 *   tcp:weird:N     a code that clients do not know
 *   tcp:never:N     no answer before it is cancelled
 *   tcp:late:N      granted just when it is cancelled; grant lN
 *   tcp:later:N     granted when somebody logs "go"; grant wN
 * A file or data is memory with its name in it, a listener is on loopback, a
 * directory comes without a descriptor, and a sub-task is a plain process.
 */
#ifndef TESTS_UNIT_CLIENT_FAKE_BROKER_H
#define TESTS_UNIT_CLIENT_FAKE_BROKER_H

#include <sys/types.h>

/*
 * Start it.  *ret_door is the client's end of the door, not close-on-exec;
 * what it was told goes to log, a line a message.  It ends when nobody holds
 * the door or a channel any more.  Its pid, or -1.
 */
pid_t fake_broker_start(int log, int *ret_door);

#endif

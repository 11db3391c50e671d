# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Locks on files: flock, records, leases of open files, across processes.
needs flock

inside()
{
	flock lock true
	exec 9>lock
	flock 9
	rc=0
	flock -n lock true || rc=$?
	same $rc 1
	flock -u 9
	flock -n lock true
	py - <<'END'
import fcntl
import os
f = open("records", "w+")
fcntl.lockf(f, fcntl.LOCK_EX, 10, 0)
pid = os.fork()
if pid == 0:
    try:
        fcntl.lockf(f, fcntl.LOCK_EX | fcntl.LOCK_NB, 5, 5)
        os._exit(1)
    except OSError:
        fcntl.lockf(f, fcntl.LOCK_EX | fcntl.LOCK_NB, 5, 10)
        os._exit(0)
assert os.waitpid(pid, 0)[1] == 0
END
}

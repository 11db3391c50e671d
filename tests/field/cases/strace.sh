# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# strace on the task's own processes: followed, counted, attached to.
needs strace

inside()
{
	strace -f -o trace sh -c 'echo traced | cat' >traced
	same "$(cat traced)" traced
	grep -q 'execve(.*cat' trace
	strace -c -o counts true
	grep -q execve counts
	mkfifo gate
	(cat <gate >opened) &
	strace -q -o attached -p $! &
	until [ -s attached ]; do sleep 0.02; done
	echo go >gate
	wait
	grep -q "exited with 0" attached
}

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Job control in a script: process groups, stop and continue, wait, traps.

inside()
{
	set -m
	sleep 1000 &
	first=$!
	(sleep 1000 | cat) &
	test "$(jobs | wc -l)" = 2
	same "$(py -c 'import os, sys; print(os.getpgid(int(sys.argv[1])))' \
		$first)" $first 'process group'
	kill -STOP $first
	until jobs -s | grep -q sleep; do sleep 0.01; done
	kill -CONT %1
	kill %1
	rc=0
	wait %1 || rc=$?
	same $rc 143
	kill -TERM -- -$!
	wait || true
	set +m
	bash -c 'trap "exit 5" USR1; kill -USR1 $$; exit 1' || rc=$?
	same $rc 5
	(exit 3) & (exit 3) &
	wait -n || rc=$?
	same $rc 3
	rc=0
	timeout -s KILL 0.1 sleep 1000 || rc=$?
	same $rc 137
	setsid -w sh -c 'exit 6' || rc=$?
	same $rc 6
	nohup true >/dev/null 2>&1
	same "$(seq 8 | xargs -P 4 -n 1 echo | sort -n | tr '\n' ' ')" \
		'1 2 3 4 5 6 7 8 '
	nice -n 5 true
}

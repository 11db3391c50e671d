# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# FIFOs: between the task's own processes, and one that the host left in a
# granted tree, as it can be used with anything else there.
needs mkfifo

prepare()
{
	mkfifo "$W/from-host"
	on_host sh -c 'echo sent >"$0"' "$W/from-host"
}

inside()
{
	mkfifo own
	test -p own
	echo text >own &
	same "$(cat own)" text
	wait
	same "$(cat from-host)" sent
	mkfifo "$TMPDIR/other"
	seq 100000 >"$TMPDIR/other" &
	same "$(wc -l <"$TMPDIR/other")" 100000
	wait
	exec 5<>own
	echo kept >&5
	read -r line <&5
	same "$line" kept
	rm own
}

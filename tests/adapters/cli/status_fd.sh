#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --status-fd: JSON lines.
. "${srcdir:-.}/tests/adapters/cli/tap.sh"
need_tool python3
need_live

# field LINE KEY: what the line's object holds at the key.
field() {
	python3 -c '
import json, sys
lines = open(sys.argv[1]).read().splitlines()
print(json.loads(lines[int(sys.argv[2])])[sys.argv[3]])' \
		"$tmp/status" "$1" "$2" 2>&1
}
lines() { wc -l <"$tmp/status" | tr -d ' '; }

run --status-fd 3 -- sh -c 'exit 7' 3>"$tmp/status"
ok 'the exit status is still the command'\''s' rc_is 7
ok 'two lines for a run' is "$(lines)" 2
ok 'the first is the start' is "$(field 0 event)" start
ok 'the start names the tier' matches '^[AB]$' "$(field 0 tier)"
ok 'the second is the end' is "$(field 1 event)" exit
ok 'the end has its kind' is "$(field 1 kind)" exited
ok 'the end has its code' is "$(field 1 code)" 7
ok 'the end has the exit status' is "$(field 1 status)" 7
ok 'the end has the time it took' \
	matches '^[0-9]+$' "$(field 1 wall_ms)"
ok 'nothing is said elsewhere' err_is_empty

run --status-fd 3 -- sh -c 'kill -TERM $$' 3>"$tmp/status"
ok 'death by a signal is told apart' is "$(field 1 kind)" signaled
ok 'the code is the signal' is "$(field 1 code)" 15
ok 'the status is 128 + n' is "$(field 1 status)" 143

run --status-fd 3 --timeout 200ms -- sleep 30 3>"$tmp/status"
ok 'a time limit is told apart' is "$(field -1 kind)" timeout
ok 'the status of a time limit is 124' is "$(field -1 status)" 124
ok 'the limit is a denial' is "$(field 1 type)" denial
ok 'the denial is an event like the others' is "$(field 1 event)" denial
ok 'it says of what' is "$(field 1 operation)" time
ok 'and which option allows more' is "$(field 1 allow_with)" --timeout
run --status-fd 3 --timeout 30s -- true 3>"$tmp/status"
ok 'without a refusal there is no denial' \
	not grep -q denial "$tmp/status"

name=$(printf 'no"such\\program\001\377\303\244')
run --status-fd 3 -- "$name" 3>"$tmp/status"
ok 'one line for a failed start' is "$(lines)" 1
ok 'it is an error' is "$(field 0 event)" error
ok 'the error names its step' is "$(field 0 step)" exec
ok 'the error has its code' is "$(field 0 code)" ENOENT
ok 'the error has the exit status' is "$(field 0 status)" 127
ok 'the error holds any text as JSON' \
	matches '^no"such' "$(field 0 object)"
run --status-fd 3 --bogus 3>"$tmp/status"
ok 'a wrong command line is an error, too' is "$(field 0 event)" error

run --status-fd 3 -- sh -c 'echo forged 2>/dev/null >&3' 3>"$tmp/status"
ok 'the task does not hold the descriptor' not rc_is 0
ok 'the task cannot add lines' is "$(lines)" 2

{
	"$sbx_exec" --status-fd 3 -- sh -c 'sleep 1; exit 5' 3>&1 \
		>"$tmp/out" 2>"$tmp/err"
	echo $? >"$tmp/rc"
} | head -c 1 >/dev/null
rc=$(cat "$tmp/rc")
ok 'a reader that is gone does not end the task' rc_is 5
ok 'a reader that is gone is said' err_has '--status-fd 3'
finish

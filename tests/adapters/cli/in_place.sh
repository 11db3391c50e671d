#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --in-place: this process confines itself and becomes the command.
. "${srcdir:-.}/tests/adapters/cli/tap.sh"
need_tool python3

# What needs somebody who stays is refused by name, on every host.
refused() {
	run --in-place "$@" -- sh -c 'echo ran'
	ok "$1: 125" rc_is 125
	ok "$1: nothing ran" not grep -qx ran "$tmp/out"
	ok "$1: it is named" err_has "$1: not with --in-place: "
	ok "$1: one line" err_is_one_line
}
refused --timeout 10s
refused --memory 1G
refused --processes 10
refused --output 1M
refused --scratch 1M
refused --kill-after 1s
refused --status-fd 1
refused --new-tty
refused --open a=/etc/hostname
refused --connect a=localhost:1
refused --unix a=/run/no-such-socket
run --in-place
ok 'it needs a command' err_has 'COMMAND: none is given'

run --in-place -- true
if [ "$rc" != 0 ]; then
	ok 'what cannot be held is named' \
		err_has 'required, and cannot be held in place'
	skip 'a process can be confined in place' "$(head -n 1 "$tmp/err")"
	finish
fi
ok 'nothing is said' err_is_empty

# The same process, and confined.
echo secret >"$tmp/secret"
mkdir "$tmp/ws"
run --in-place -- sh -c 'echo $$ $PPID'
ok 'it has no other parent' is "$(cut -d ' ' -f 2 "$tmp/out")" $$
"$sbx_exec" --in-place -- sh -c 'echo $$; exec sleep 0' >"$tmp/out" &
pid=$!
wait $pid
ok 'it is the same process' out_is $pid
run --in-place -- cat "$tmp/secret"
ok 'what was not granted is not read' not rc_is 0
ok 'nor shown' out_is ''
run --in-place --ro "$tmp" -- cat "$tmp/secret"
ok 'what was granted is' out_is secret
run --in-place --ro "$tmp" -- sh -c "echo x >>'$tmp/secret'"
ok 'a grant to read does not let write' not rc_is 0
ok 'it is as it was' is "$(cat "$tmp/secret")" secret
run --in-place --rw "$tmp/ws" -- sh -c "echo x >'$tmp/ws/made'"
ok 'one to write does' is "$(cat "$tmp/ws/made" 2>&1)" x
run --in-place -- python3 -c 'import socket; socket.socket()'
ok 'there is no network' not rc_is 0
python3 -c 'import socket; socket.socket()' 2>"$tmp/err"
rc=$?
ok 'but without it there is' rc_is 0
run --in-place -- sh -c "kill -0 $$"
ok 'no signal leaves' not rc_is 0
ok 'as it would' kill -0 $$
run --in-place -- sh -c 'grep -c . /etc/services >/dev/null; exec sh -c "exit 3"'
ok 'the status is the command'\''s' rc_is 3
run --in-place -- sh -c 'kill -TERM $$'
ok 'death by a signal is one' rc_is 143

# Environment, folder, limits.
run --in-place --env A=b -- sh -c 'echo "$A $HOME"'
ok 'the environment stays, and is added to' out_is "b $HOME"
cd "$tmp" || exit 99
run --in-place -- pwd
ok 'the folder stays' out_is "$tmp"
run --in-place --cwd / -- pwd
ok '--cwd changes it' out_is /
run --in-place --cwd "$tmp/none" -- pwd
ok 'a folder that is not there is 125' rc_is 125
cd / || exit 99
run --in-place --open-files 33 --cpu 7 -- sh -c 'ulimit -n; ulimit -t'
ok 'limits of a process are set' \
	matches '^33 [789]$' "$(tr '\n' ' ' <"$tmp/out" | sed 's/ $//')"
run --in-place --timeout none -- true
ok 'no limit is not refused' rc_is 0

# Descriptors.
fds='import os
print([n for n in range(3, 60) if not os.system(f"true <&{n}")])'
"$sbx_exec" --in-place -- python3 -c "$fds" >"$tmp/out" 2>"$tmp/err" \
	5</dev/null 7</dev/null
ok 'no descriptor passes' out_is '[]'
"$sbx_exec" --in-place --allow-fd 7:seven -- python3 -c "$fds" \
	>"$tmp/out" 2>"$tmp/err" 5</dev/null 7</dev/null
ok 'but those that are allowed' out_is '[7]'
"$sbx_exec" --in-place --allow-fd 7:seven -- sh -c 'echo "$SBX_FDS"' \
	>"$tmp/out" 2>"$tmp/err" 7</dev/null
ok 'which are listed' out_is seven:7
"$sbx_exec" --in-place --allow-fd 7 --require descriptors -- echo ran \
	>"$tmp/out" 2>"$tmp/err" 7</dev/null
rc=$?
ok 'and are no descriptors kept away' rc_is 125
ok 'which is said' err_has 'descriptors: required, and cannot be held'

# Programs.
# A folder of the caller's PATH that may not be searched would be 126.
PATH=/usr/bin:/bin run --in-place -- no-such-program-here
ok 'no such program is 127' rc_is 127
ok 'it is named' err_has no-such-program-here
run --in-place -- "$tmp/none"
ok 'no such path is 127' rc_is 127
printf '#!/bin/sh\necho ran\n' >"$tmp/ws/script"
chmod 755 "$tmp/ws/script"
run --in-place --ro "$tmp/ws" -- "$tmp/ws/script"
ok 'one that may not be executed is 126' rc_is 126
ok 'with what would allow it' err_has --rox
run --in-place --rox "$tmp/ws" -- "$tmp/ws/script"
ok 'one that may is executed' out_is ran
PATH=/none:$tmp/ws:$PATH "$sbx_exec" --in-place --rox "$tmp/ws" -- script \
	>"$tmp/out" 2>"$tmp/err"
ok 'it is found in PATH' out_is ran
echo 'echo ran' >"$tmp/ws/formless"
chmod 755 "$tmp/ws/formless"
run --in-place --rox "$tmp/ws" -- "$tmp/ws/formless"
ok 'what is no program is 126' rc_is 126
printf '#!/none/sh\n' >"$tmp/ws/orphan"
chmod 755 "$tmp/ws/orphan"
run --in-place --rox "$tmp/ws" -- "$tmp/ws/orphan"
ok 'a missing interpreter is 127' rc_is 127
ok 'and said' err_has interpreter

# Reports and properties.
run --in-place --report "$tmp/report" -- echo ran
ok 'with a report it runs' out_is ran
ok 'the report has its row' python3 -c '
import json, sys
row = {r["name"]: r for r in json.load(open(sys.argv[1]))["properties"]}
assert row["files"]["state"] == "enforced"
assert row["environment"]["state"] == "absent"' "$tmp/report"
run --in-place --dry-run
ok 'a dry run needs no command' rc_is 0
ok 'and prints a table' out_has environment
run --in-place --dry-run -- touch "$tmp/ws/ran"
ok 'it runs nothing' test ! -e "$tmp/ws/ran"
run --in-place --require environment -- echo ran
ok 'a required property that cannot be held is 125' rc_is 125
ok 'nothing ran' out_is ''
ok 'it is named' err_has environment
run --in-place --require names -- echo ran
ok 'whichever it is' err_has names
echo '{"version": 1, "limits": {"wall_ms": 1000}}' >"$tmp/policy.json"
run --in-place --policy "$tmp/policy.json" -- echo ran
ok 'a policy file speaks for itself' rc_is 125
ok 'nothing ran by it' out_is ''
finish

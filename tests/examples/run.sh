#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The programs in examples/ do what README.md says of them.
. "${srcdir:-.}/tests/adapters/cli/tap.sh"
examples=${top_builddir:-.}/examples
server=
need_live
need_tool python3

# shellcheck disable=SC2317 # called by trap
end_server() {
	if [ -n "$server" ]; then
		kill "$server" 2>/dev/null
		wait "$server" 2>/dev/null
	fi
	rm -rf "$tmp"
}
trap end_server EXIT

# example NAME ARGUMENT...: sets rc, $tmp/out and $tmp/err.
example() {
	"$examples/$1" "${@:2}" >"$tmp/out" 2>"$tmp/err" </dev/null
	rc=$?
}

# The server notes a connection a moment after it was made.
# shellcheck disable=SC2317 # called by eventually
seen() { [ "$(wc -l <"$tmp/log" | tr -d ' ')" = "$1" ]; }

python3 "${srcdir:-.}/examples/quickstart/serve.py" "$tmp/port" "$tmp/log" \
	</dev/null >/dev/null 2>"$tmp/server.err" &
server=$!
ok 'a server runs on loopback' eventually test -s "$tmp/port"
port=$(cat "$tmp/port")

# shellcheck disable=SC2016 # for the shell inside
example one-socket "127.0.0.1:$port" sh -c \
	'echo hello >&3; IFS= read -r line <&3; echo "$line, $SBX_FDS"'
ok 'one-socket: the task talks over its socket' \
	out_is 'served: hello, api:3'
ok 'one-socket: it exits with the status of the task' rc_is 0
ok 'one-socket: the server saw that connection' eventually seen 1
example one-socket "127.0.0.1:$port" bash -c \
	"exec 4<>/dev/tcp/127.0.0.1/$port || exit 3; echo connected"
ok 'one-socket: the task makes no second connection' rc_is 3
ok 'one-socket: and the server saw none' eventually seen 2
bash -c "exec 4<>/dev/tcp/127.0.0.1/$port"
ok 'outside of a jail the same makes one' eventually seen 3
example one-socket 127.0.0.1:1 true
ok 'one-socket: without a connection there is no task' rc_is 125

mkdir "$tmp/ws"
chmod 777 "$tmp/ws"
example run-script "$tmp/ws" 'echo made >file && cat file'
ok 'run-script: the script writes in its folder' \
	is "$(cat "$tmp/ws/file")" made
ok 'run-script: its output comes by the pipe' \
	is "$(head -n 1 "$tmp/out")" made
ok 'run-script: a row for each property follows' \
	is "$(grep -cE '^[a-z]+ +(enforced|partial|absent|off)' "$tmp/out")" 17
ok 'run-script: files are held' grep -Eq '^files +enforced' "$tmp/out"
ok 'run-script: the time limit is in force' \
	grep -Eq '^time +enforced +supervisor' "$tmp/out"
example run-script "$tmp/ws" "echo changed >'$tmp/log'"
ok 'run-script: nothing else is written' not grep -q changed "$tmp/log"
ok 'run-script: and the script is told so' not rc_is 0
example run-script "$tmp/ws" 'exit 7'
ok 'run-script: it exits with the status of the script' rc_is 7
example run-script "$tmp/nothing" true
ok 'run-script: without a folder there is no task' rc_is 125

example many-tasks
ok 'many-tasks: it succeeds' rc_is 0
ok 'many-tasks: eight tasks exit, each with its own status' \
	is "$(grep -cE '^task ([0-7]): status \1 after' "$tmp/out")" 8
finish

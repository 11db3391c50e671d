#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Denials that teach: one line on a terminal, none elsewhere.
. "${srcdir:-.}/tests/adapters/cli/tap.sh"
need_tool script
need_live

# on_tty ARGUMENT...: sbx-exec at a terminal; what is seen is in $tmp/out.
on_tty() {
	for word in "$sbx_exec" "$@"; do
		printf "'%s' " "$word"
	done >"$tmp/command"
	script -qec "$(cat "$tmp/command")" /dev/null </dev/null >"$tmp/out" \
		2>"$tmp/err"
	rc=$?
}
esc=$(printf '\033')

on_tty --no-tty --timeout 200ms -- sleep 30
ok 'the limit ended it' rc_is 124
ok 'a terminal is told' out_has 'ended by its limit of real time'
ok 'with the option that allows more' out_has 'raise it with --timeout'
ok 'in colour' out_has "${esc}[1;33msbx-exec: denied:${esc}[0m"
NO_COLOR=1 on_tty --no-tty --timeout 200ms -- sleep 30
ok 'NO_COLOR is honoured' not out_has "$esc"
ok 'and the line is there' out_has 'sbx-exec: denied: time: '
on_tty --no-tty --timeout 30s -- true
ok 'who is refused nothing is told nothing' not out_has denied
run --timeout 200ms -- sleep 30
ok 'without a terminal it is the same end' rc_is 124
ok 'and no line' err_is_empty
on_tty --no-tty --output 5 -- echo more than that
ok 'output that was cut is told' out_has 'raise it with --output'
finish

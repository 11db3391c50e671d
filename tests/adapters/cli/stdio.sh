#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Standard input and output: closed ones, pipes, nothing added or kept.
. "${srcdir:-.}/tests/adapters/cli/tap.sh"
need_live

"$sbx_exec" -- readlink /proc/self/fd/0 <&- >"$tmp/out" 2>"$tmp/err"
rc=$?
ok 'a closed input is /dev/null' out_is /dev/null
# Standard output has to be closed at the program, not here.
"$sbx_exec" -- sh -c 'x=$(readlink /proc/$$/fd/1); echo "$x" >&2' \
	>&- 2>"$tmp/out"
ok 'a closed output is /dev/null' out_is /dev/null
"$sbx_exec" -- sh -c 'readlink /proc/$$/fd/2' 2>&- >"$tmp/out"
ok 'a closed error output is /dev/null' out_is /dev/null
chmod 777 "$tmp"
"$sbx_exec" --rwx "$tmp" -- sh -c 'for f in /proc/$$/fd/*; do
	[ -L "$f" ] && list="$list ${f##*/}"
done
echo "${list# }" >"$0"' "$tmp/list" <&- >&- 2>&-
rc=$?
ok 'with all three closed the command runs' rc_is 0
ok 'with all three closed nothing else is open' \
	is "$(cat "$tmp/list")" '0 1 2'

printf 'a\nb\n' >"$tmp/in"
"$sbx_exec" -- cat <"$tmp/in" >"$tmp/out" 2>"$tmp/err"
ok 'input and output pass unchanged' cmp -s "$tmp/in" "$tmp/out"
printf 'one\ntwo\n' | "$sbx_exec" -- sh -c 'read x; cat' >"$tmp/out"
ok 'a pipe is read as far as the command reads' out_is two
"$sbx_exec" -- sh -c 'cat; echo end' </dev/null >"$tmp/out"
ok 'the end of input arrives' out_is end
"$sbx_exec" -- seq 200000 2>"$tmp/err" | { sleep 1; cat; } >"$tmp/out"
ok 'a slow reader gets all' is "$(tail -n 1 "$tmp/out")" 200000
{ "$sbx_exec" -- yes; echo $? >"$tmp/rc"; } 2>"$tmp/err" | head -n 1 >"$tmp/out"
rc=$(cat "$tmp/rc")
ok 'a reader that is gone ends the writer by SIGPIPE' rc_is 141
run -- sh -c 'echo to-out; echo to-err >&2'
ok 'standard output holds what the command wrote' out_is to-out
ok 'standard error holds what the command wrote' \
	is "$(cat "$tmp/err")" to-err
finish

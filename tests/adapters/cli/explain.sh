#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --explain-syscalls: the sets and their reasons; it needs no jail.
. "${srcdir:-.}/tests/adapters/cli/tap.sh"
page=${srcdir:-.}/docs/syscalls.md

# Every set and call of the page, in this order: "name" or "  call".
of_page() {
	awk -F '|' '
	/^## / { wanted = /task may call|is refused, with|On top/ }
	wanted && $2 ~ /\*\*/ {
		gsub(/[ *]/, "", $2)
		print $2
		n = split($4, call, "`")
		for (i = 2; i <= n; i += 2)
			print "  " call[i]
	}' "$page"
}
of_program() {
	awk '
	/^  [a-z]+: / { sub(/:.*/, ""); print substr($0, 3); next }
	/^    / { for (i = 1; i <= NF; i++) print "  " $i }' "$tmp/out"
}

run --explain-syscalls
ok 'it is 0' rc_is 0
ok 'it says nothing else' err_is_empty
ok 'it has what is allowed' out_has 'A task may call'
ok 'it has what is refused' out_has 'Refused, with EPERM'
ok 'each set has its reason' out_has 'files: find, make and remove files'
ok 'a call is in it' grep -qw openat "$tmp/out"
ok 'one that no task has is not' not grep -qw io_uring_setup "$tmp/out"
ok 'no line is too long' not grep -qE '.{100}' "$tmp/out"
of_page >"$tmp/page"
of_program >"$tmp/program"
ok 'the page has sets to compare' test -s "$tmp/page"
ok 'the page and the program have the same' \
	cmp "$tmp/page" "$tmp/program"
run --explain-syscalls --ro / -- true
ok 'a command beside it is not run' out_has 'A task may call'
run --explain-syscalls=x
ok 'it takes no argument' rc_is 125
if [ -c /dev/full ]; then
	"$sbx_exec" --explain-syscalls >/dev/full 2>"$tmp/err"
	rc=$?
	ok 'output that cannot be written is 125' rc_is 125
fi
finish

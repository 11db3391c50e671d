#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sbx-doctor: a table, a verdict, JSON, and exit statuses that agree.
. "${srcdir:-.}/tests/adapters/cli/tap.sh"

doctor() {
	"$sbx_doctor" "$@" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}
last_word() { grep -E '^(full|degraded|unusable): ' "$tmp/out"; }

doctor
verdict=$(last_word | cut -d: -f1)
case $verdict in
full) expected=0 ;;
degraded) expected=1 ;;
unusable) expected=2 ;;
*) expected=none ;;
esac
ok 'there is one verdict' is "$(last_word | wc -l | tr -d ' ')" 1
ok 'the exit status agrees with it' rc_is "$expected"
ok 'the kernel is named' out_has "kernel $(uname -r)"
ok 'there is a table' grep -q '^MECHANISM ' "$tmp/out"
ok 'nothing is on standard error' err_is_empty
if [ "$verdict" = full ]; then
	ok 'where all holds there is no cause' not out_has 'cause: '
else
	ok 'what does not hold has a cause' out_has 'cause: '
fi
if command -v python3 >/dev/null; then
	doctor --json
	ok 'the JSON is JSON' python3 -c \
		'import json, sys; json.load(open(sys.argv[1]))' "$tmp/out"
	ok 'the exit status is the same' rc_is "$expected"
	ok 'the JSON is one line' is "$(wc -l <"$tmp/out" | tr -d ' ')" 1
fi
doctor --bogus
ok 'a wrong option is 2' rc_is 2
ok 'a wrong option is one line' err_is_one_line
doctor surplus
ok 'a surplus argument is 2' rc_is 2
doctor --help
ok '--help is 0' rc_is 0
ok '--help is on standard output' out_has 'Usage: sbx-doctor'
doctor --version
ok '--version is 0' rc_is 0
CLICOLOR_FORCE=1 "$sbx_doctor" >"$tmp/out" 2>"$tmp/err"
ok 'CLICOLOR_FORCE gives colour' out_has "$(printf '\033')"
NO_COLOR=1 CLICOLOR_FORCE=1 "$sbx_doctor" >"$tmp/out" 2>"$tmp/err"
ok 'NO_COLOR wins' not out_has "$(printf '\033')"
finish

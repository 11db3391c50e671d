#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --dry-run and --report.
. "${srcdir:-.}/tests/adapters/cli/tap.sh"
need_tool python3
need_live

is_json() { python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$1"; }

run --dry-run --rwx "$tmp" -- touch "$tmp/ran"
ok 'a dry run where all holds is 0' rc_is 0
ok 'a dry run runs nothing' test ! -e "$tmp/ran"
ok 'a dry run lists properties' out_has network
ok 'a dry run says what holds' out_has enforced
ok 'a dry run names the tier' grep -q '^tier [AB]$' "$tmp/out"
run --rwx "$tmp" -- touch "$tmp/ran"
ok 'the same without --dry-run runs' test -e "$tmp/ran"
run --dry-run
ok 'a dry run needs no command' rc_is 0
run --dry-run --ro "$tmp/not-there"
ok 'a dry run with a missing path is 125' rc_is 125
ok 'a dry run names the missing path' err_has "$tmp/not-there"

run --dry-run --report -
ok 'a dry run can print JSON' is_json "$tmp/out"
run --dry-run --report "$tmp/report.json"
ok 'a dry run can write JSON to a file' is_json "$tmp/report.json"
ok 'a dry run prints its table beside that' out_has network

rm -f "$tmp/report.json"
run --report "$tmp/report.json" -- sh -c 'exit 3'
ok 'a run with a report has its own status' rc_is 3
ok 'the report is JSON' is_json "$tmp/report.json"
ok 'the report is one line' is "$(wc -l <"$tmp/report.json" | tr -d ' ')" 1
run --report - -- echo first
ok 'a report on standard output comes last' \
	is "$(head -n 1 "$tmp/out")" first
tail -n +2 "$tmp/out" >"$tmp/rest"
ok 'a report on standard output is JSON' is_json "$tmp/rest"
run --report - -- no-such-program-here
ok 'without a task there is no report' out_is ''
run --report "$tmp/no/such/dir" -- sh -c 'echo ran'
ok 'a report that cannot be written is 125' rc_is 125
ok 'nothing ran without its report' out_is ''
ok 'the report'\''s file is named' err_has "$tmp/no/such/dir"
finish

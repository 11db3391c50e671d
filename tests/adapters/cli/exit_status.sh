#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Exit statuses: the command's own, 124 to 127, 128 + n.
. "${srcdir:-.}/tests/adapters/cli/tap.sh"
need_live

for status in 0 1 42 124 255; do
	run -- sh -c "exit $status"
	ok "exit $status is passed on" rc_is "$status"
	ok "exit $status says nothing" err_is_empty
done
for signal in KILL=137 TERM=143 HUP=129 ABRT=134 SEGV=139; do
	run -- sh -c "ulimit -c 0; kill -${signal%=*} \$\$; sleep 9"
	ok "death by ${signal%=*} is ${signal#*=}" rc_is "${signal#*=}"
done

run -- no-such-program-here
ok 'a missing program is 127' rc_is 127
ok 'a missing program is named' err_has no-such-program-here
ok 'a missing program is one line' err_is_one_line
run -- /usr/bin/no-such-program-here
ok 'a missing path is 127' rc_is 127

printf 'echo ran\n' >"$tmp/notexec"
chmod 644 "$tmp/notexec"
run --rwx "$tmp" -- "$tmp/notexec"
ok 'a file without x is 126' rc_is 126
ok 'a file without x is named' err_has notexec
ok 'a file without x is one line' err_is_one_line
printf '#!/bin/sh\nexit 6\n' >"$tmp/script"
chmod 755 "$tmp/script"
run --rwx "$tmp" -- "$tmp/script"
ok 'the same with x runs' rc_is 6
run --rwx "$tmp" -- /usr
ok 'a directory is 126' rc_is 126
printf '#!/no/such/interpreter\n' >"$tmp/orphan"
chmod 755 "$tmp/orphan"
run --rwx "$tmp" -- "$tmp/orphan"
ok 'a missing interpreter is 127' rc_is 127
ok 'a missing interpreter is named' err_has /no/such/interpreter

run --timeout 300ms -- sleep 30
ok 'the time limit is 124' rc_is 124
run --timeout 60s -- true
ok 'a time limit that is not reached changes nothing' rc_is 0
run --cpu 200ms --timeout 60s -- sh -c 'while :; do :; done'
ok 'the limit of CPU time is 124' rc_is 124

run --ro "$tmp/not-there" -- true
ok 'a missing grant is 125' rc_is 125
ok 'a missing grant is named' err_has "$tmp/not-there"
ok 'a missing grant is one line' err_is_one_line
ok 'a missing grant has a remedy' err_has ' - '
run --cwd "$tmp/gone" -- sh -c 'echo ran'
ok 'a missing working directory is 125' rc_is 125
ok 'a missing working directory is named' err_has "$tmp/gone"
ok 'nothing ran without its working directory' out_is ''
run --open "x=$tmp/not-there" -- sh -c 'echo ran'
ok 'a file that cannot be opened is 125' rc_is 125
ok 'nothing ran without its file' out_is ''
finish

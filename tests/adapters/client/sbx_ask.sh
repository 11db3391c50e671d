#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sbx-ask, against the broker of the tests.
. "${srcdir:-.}/tests/adapters/cli/tap.sh"
ask=${SBX_ASK:-${top_builddir:-.}/sbx-ask}
fake=${top_builddir:-.}/tests/adapters/client/fake-broker
dir=$tmp
export ask dir

# run ARGUMENT...: sbx-ask with them, as the only process of a task.
run() {
	"$fake" "$tmp/log" "$ask" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	rc=$?
}

# script TEXT: a shell script of a task; the program is "$ask".
script() {
	"$fake" "$tmp/log" sh -c "$1" >"$tmp/out" 2>"$tmp/err" </dev/null
	rc=$?
}

logged() { grep -qxF -e "$1" "$tmp/log"; }

run connect tcp:granted:1 -- sh -c 'cat <&"$SBX_ASK_FD"'
ok 'connect: the command has the connection' \
	out_is 'hello from tcp:granted:1'
ok 'and its status is ours' rc_is 0
run connect tcp:granted:1 -- sh -c 'exit 42'
ok 'whatever it is' rc_is 42
run connect tcp:echo:1 --stdio -- sh -c 'echo there; read -r x; echo "$x" >&2'
ok '--stdio: it is standard output and input' err_has there
ok '--stdio: ours is not' out_is ''
run --fd 9 connect tcp:granted:1 -- sh -c 'cat <&9; echo "$SBX_ASK_FD"'
ok '--fd: it has that number' out_is 'hello from tcp:granted:1
9'
SBX_FDS=other:5 run connect tcp:granted:1 --fd 9 -- sh -c 'echo "$SBX_FDS"'
ok 'SBX_FDS has it beside what was there' out_is 'other:5 g1:9'
run connect tcp:granted:1 -- /nonexistent/program
ok 'a program that is not there is 127' rc_is 127
run connect tcp:granted:1 -- /etc/passwd
ok 'one that is none is 126' rc_is 126

run connect tcp:denied:1 -- echo ran
ok 'a refusal is 1' rc_is 1
ok 'the command did not run' out_is ''
ok 'the reason is on standard error' err_has \
	'sbx-ask: tcp:denied:1: no rule of the mandate allows it'
ok 'in one line' err_is_one_line
run connect tcp:refused:1
ok 'a connection that fails is 1, and says so' err_has refused
run --timeout 50ms connect tcp:never:1
ok 'no answer in time is 1' rc_is 1
ok 'and says so' err_has 'no answer in time'

run connect tcp:granted:1
ok 'without a command the peer is heard' out_is 'hello from tcp:granted:1'
script 'echo text | "$ask" connect tcp:echo:1'
ok 'and hears standard input' out_is text
script 'head -c 300000 /dev/zero | "$ask" connect tcp:echo:1 | wc -c'
ok 'all of it' out_is 300000
run open /srv/a
ok 'open: the content comes' out_is 'content of /srv/a'
run data blob
ok 'data: the content comes' out_is 'content of blob'
run open /srv/a -- sh -c 'read x <&"$SBX_ASK_FD"; echo "<$x>"'
ok 'open: the command has the file' out_is '<content of /srv/a>'
run directory /srv/d
ok 'directory: its place is printed' out_is /grants/gd
run listen tcp:localhost:0 -- sh -c 'test -S "/proc/self/fd/$SBX_ASK_FD"'
ok 'listen: the command has the socket' rc_is 0

run --reason why --rights r --timeout 5s --lifetime 1m --uses 2 \
	--bytes-in 1K --bytes-out 2K --cost 3 connect tcp:granted:8
ok 'options reach the broker' logged \
	'2 1=3 2=tcp:granted:8 3=1 4=why 5=5000 16=60000 17=2 18=1024 19=2048 20=3'
script '"$ask" connect tcp:granted:1 >/dev/null; "$ask" data blob >/dev/null
	"$ask" list; "$ask" narrow --bytes-out 5 g1 && "$ask" list | cut -f 8
	"$ask" release g1 && "$ask" list | cut -f 1; "$ask" release g1'
tab=$(printf '\t')
ok 'list, narrow and release do so' out_is \
	"g1${tab}connect${tab}rw${tab}tcp:granted:1$tab-$tab-$tab-$tab-$tab-${tab}egress test
gblob${tab}data${tab}rw${tab}blob$tab-$tab-$tab-$tab-$tab-${tab}egress test
5
-
gblob"
ok 'what is not held cannot be released' rc_is 1
ok 'as is said' err_has 'g1: no such grant'

script '"$ask" log "one line" && "$ask" ready && "$ask" ready "is up"'
ok 'log and ready are heard' rc_is 0
ok 'log: the text' logged '8 8=one line'
ok 'ready: no text' logged 9
ok 'ready: the text' logged '9 8=is up'

script '"$ask" connect tcp:granted:1 >/dev/null
	"$ask" delegate --share g1 --env A=b --env PATH="$PATH" --cwd / -- \
		sh -c "echo \$A \$PWD; exit 9"'
ok 'delegate: the status of the sub-task' rc_is 9
ok 'delegate: its output' out_is 'b /'
script '"$ask" delegate --share g1 --env PATH="$PATH" -- true'
ok 'delegate: what is not held is refused' rc_is 1
script '"$ask" delegate --env PATH="$PATH" -- sh -c "kill -TERM \$\$"'
ok 'delegate: a signal is told' rc_is 143

# Many at once: nobody takes another's answer.
script 'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	"$ask" connect tcp:granted:$i >"$dir/at.$i" & done; wait
	cat "$dir/at.1" "$dir/at.20"; cat "$dir"/at.* | sort -u | wc -l'
ok 'twenty at once get their own' out_is 'hello from tcp:granted:1
hello from tcp:granted:20
20'

for bad in '' 'nonsense x' 'connect' 'connect a b' 'list x' 'listen tcp:h:1' \
	'delegate' '--rights x open /a' '--uses 0 open /a' '--unknown open /a' \
	'--timeout x open /a' '--fd x open /a' '--env x delegate -- true' \
	'--stdio --fd 3 open /a -- true' 'release g1 -- true'; do
	# shellcheck disable=SC2086 # words
	run $bad
	ok "usage: '$bad' is 2" rc_is 2
done
run --help
ok '--help is 0' rc_is 0
ok 'and on standard output' out_has 'Usage: sbx-ask'

env -u SBX_BROKER_FD "$ask" connect tcp:granted:1 >"$tmp/out" 2>"$tmp/err"
rc=$?
ok 'no broker is 3' rc_is 3
ok 'and says so' err_has 'may not ask'
SBX_BROKER_FD=0 "$ask" list </dev/null >"$tmp/out" 2>"$tmp/err"
rc=$?
ok 'what is no broker is 3' rc_is 3
finish

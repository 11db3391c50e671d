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

# What the supervisor refuses: a record of each, and the option that it names
# does allow the same command.
mkdir -p "$tmp/ws/.git" "$tmp/ro"
echo before >"$tmp/ws/.git/config"
echo before >"$tmp/ro/file"
records=$tmp/records

# on_record SCRIPT OPTION...: run it with a status descriptor.
on_record() {
	script=$1
	shift
	"$sbx_exec" --status-fd 9 --rw "$tmp/ws" --ro "$tmp/ro" "$@" -- \
		sh -c "$script" 9>"$records" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}
has_record() {
	grep -qF "\"operation\":\"$1\",\"errno\":\"$2\",\"object\":\"$3\"" \
		"$records"
}
# denied WHAT OPERATION ERRNO OBJECT SCRIPT
denied() {
	on_record "$5"
	ok "$1 is refused" not rc_is 0
	ok "$1 is on record" has_record "$2" "$3" "$4"
	option=$(sed -n 's/.*"allow_with":"\([^"]*\)".*/\1/p' "$records")
}
# The option that the record names, beside the others.
allowed_by_it() {
	# shellcheck disable=SC2086 # words of the option
	on_record "$2" $option
	ok "$1 is allowed by $option" rc_is 0
	ok "and nothing is on record" not grep -q denial "$records"
}

# What a mount says, and Landlock.
case $("$sbx_exec" --dry-run) in
'tier A'*) read_only=EROFS ;;
*) read_only=EACCES ;;
esac
write="echo x >$tmp/ws/.git/config"
denied 'a name that others trust' open EPERM "$tmp/ws/.git/config" "$write"
allowed_by_it 'it' "$write"
write="mkdir $tmp/ws/.git/hooks"
denied 'a new name of that kind' mkdir EPERM "$tmp/ws/.git/hooks" "$write"
allowed_by_it 'it' "$write"
write="echo x >$tmp/ro/file"
denied 'a file that is only to be read' open "$read_only" "$tmp/ro/file" "$write"
allowed_by_it 'it' "$write"
write="rm $tmp/ro/file"
denied 'its removal' unlink "$read_only" "$tmp/ro/file" "$write"
allowed_by_it 'it' "$write"
write="echo x >$tmp/ro/new"
denied 'a new file there' open "$read_only" "$tmp/ro/new" "$write"
allowed_by_it 'it' "$write"
denied 'a call that no task may make' syscall EPERM chroot 'chroot / true'
ok 'and says where to look' test "$option" = --explain-syscalls
on_record 'exit 3'
ok 'a failure of its own is none' not grep -q denial "$records"
on_record "for i in 1 2 3 4 5 6 7 8; do echo x >$tmp/ro/other; done"
ok 'what is refused again and again is said once' \
	test "$(grep -c '"denial"' "$records")" = 1
on_record "i=0; while [ \$i -lt 3000 ]; do echo x >$tmp/ro/\$i; i=\$((i + 1))
	done; exit 5"
ok 'a flood of them ends as it would' rc_is 5
ok 'and the end is on record' grep -q '"event":"exit"' "$records"
ok 'with how many were not told' grep -q '"missed":' "$records"
# Nobody reads the pipe until all is over.
( "$sbx_exec" --timeout 30s --status-fd 9 --ro "$tmp/ro" -- \
	python3 -c 'for i in range(2000):
    try: open("/usr/%0200d" % i, "w")
    except OSError: pass' 9>&1 >"$tmp/out" 2>"$tmp/err"; echo "$?" >"$tmp/rc"
	) | { while [ ! -s "$tmp/rc" ] && [ "${n:=0}" -lt 400 ]; do
		n=$((n + 1)); sleep 0.1; done; cat >"$records"; }
ok 'a reader who waits for the end first does not hold it up' \
	test "$(cat "$tmp/rc")" = 0
ok 'and finds the end' grep -q '"event":"exit"' "$records"
on_tty --no-tty --rw "$tmp/ws" -- mkdir "$tmp/ws/.vscode"
ok 'a terminal is told as it happens' \
	out_has "mkdir: $tmp/ws/.vscode - allow it with --protect existing"

# What it could not see: paths among its arguments.
echo 'exit 0' >"$tmp/script"
on_record "exit 1" --env X=1
ok 'without a path there is nothing to say' not grep -q argument "$records"
"$sbx_exec" --status-fd 9 -- sh "$tmp/script" 9>"$records" 2>"$tmp/err"
rc=$?
ok 'a script that is not granted does not run' not rc_is 0
ok 'and its option is on record' \
	grep -qF "\"allow_with\":\"--ro $tmp/script\"" "$records"
"$sbx_exec" --status-fd 9 --ro "$tmp/script" -- sh "$tmp/script" 9>"$records"
rc=$?
ok 'with that it runs' rc_is 0
ok 'and nothing is on record' not grep -q denial "$records"
"$sbx_exec" --status-fd 9 -- sh "$tmp/missing" 9>"$records" 2>"$tmp/err"
ok 'one that is not there is no denial' not grep -q denial "$records"
finish

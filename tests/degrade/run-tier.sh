#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: run-tier.sh A|B|refused|none [CAUSE [REMEDY]]
#
# Runs the built programs under $SBX_WRAP, which makes a poorer host of this
# one, and checks that a task gets the tier that is expected there and is
# confined in it, or is refused with a remedy: "refused" where it could have
# less than what is required by default, "none" where nothing can be had.
# $SBX_OPTIONS are further options of sbx-exec.  CAUSE and REMEDY are extended
# regular expressions for what sbx-doctor must say.  As root the whole is
# repeated as an ordinary user.  TAP on standard output.

expect=$1
cause=$2
remedy=$3
exec_program=${SBX_EXEC:-$PWD/sbx-exec}
doctor=${SBX_DOCTOR:-$PWD/sbx-doctor}
probe_dir=${DEGRADE_DIR:-$PWD/tests/degrade}
n=0
failed=0
listener=

case $expect in
A|B|refused|none) ;;
*)
	echo "Bail out! usage: run-tier.sh A|B|refused|none [CAUSE [REMEDY]]"
	exit 99
	;;
esac
for program in "$exec_program" "$doctor" "$probe_dir/probe"; do
	if [ ! -x "$program" ]; then
		echo "Bail out! $program has not been built"
		exit 99
	fi
done

dir=$(mktemp -d "${TMPDIR:-/tmp}/sbx-tier.XXXXXX") || exit 99

finish()
{
	[ -n "$listener" ] && kill "$listener" 2>/dev/null
	rm -rf "$dir"
}
trap finish EXIT
trap 'exit 99' HUP INT TERM

# check NAME COMMAND...: ok if the command succeeds.
check()
{
	name=$1
	shift
	n=$((n + 1))
	if "$@"; then
		echo "ok $n - $who: $name"
	else
		failed=$((failed + 1))
		echo "not ok $n - $who: $name"
		sed 's/^/# out: /' "$dir/out" 2>/dev/null
		sed 's/^/# err: /' "$dir/err" 2>/dev/null
		sed 's/^/# status: /' "$dir/status" 2>/dev/null
		echo "# rc: $rc"
	fi
}

skip()
{
	n=$((n + 1))
	if [ -n "$SBX_REQUIRE_LIVE" ]; then
		failed=$((failed + 1))
		echo "not ok $n - $1 (nothing may be skipped: $2)"
	else
		echo "ok $n - $1 # SKIP $2"
	fi
}

as()
{
	if [ "$who" = user ] && [ "$(id -u)" = 0 ]; then
		setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
	else
		"$@"
	fi
}

# start COMMAND...: in the background, its process id in "started".
start()
{
	if [ "$who" = user ] && [ "$(id -u)" = 0 ]; then
		setpriv --reuid 65534 --regid 65534 --clear-groups "$@" &
	else
		"$@" &
	fi
	started=$!
}

# run COMMAND...: on the poorer host.  Sets rc; output in $dir.
run()
{
	# shellcheck disable=SC2086 # a command and its options
	as $SBX_WRAP "$@" >"$dir/out" 2>"$dir/err" </dev/null
	rc=$?
}

# jail OPTIONS -- COMMAND: the same inside a jail.
jail()
{
	: >"$dir/status"
	# shellcheck disable=SC2086 # options
	run "$exec_program" --status-fd 7 $SBX_OPTIONS "$@" 7>"$dir/status"
}

# In the lines of its table, or in the one that says why there is none.
says_cause()
{
	grep -Eiq "^(cause: |sbx-doctor: ).*($1)" "$dir/out" "$dir/err"
}

says_remedy()
{
	grep -Eiq "(^ *remedy: | - ).*($1)" "$dir/out" "$dir/err"
}

rc_is()
{
	[ "$rc" = "$1" ]
}

out_is()
{
	[ "$rc" = 0 ] && [ "$(cat "$dir/out")" = "$1" ]
}

tier_is()
{
	grep -Eq "\"event\": ?\"start\".*\"tier\": ?\"$1\"" "$dir/status"
}

doctor_rc_ok()
{
	case $expect in
	A) [ "$rc" = 0 ] || [ "$rc" = 1 ] ;;
	B|refused) [ "$rc" = 1 ] ;;
	none) [ "$rc" = 2 ] ;;
	esac
}

check_doctor()
{
	run "$doctor"
	check "sbx-doctor: exit status for $expect" doctor_rc_ok
	[ -z "$cause" ] || check "sbx-doctor names the cause" says_cause "$cause"
	[ -z "$remedy" ] || check "sbx-doctor names a remedy" says_remedy "$remedy"
	# Where nothing could be tried, there is nothing to print.
	[ "$expect" = none ] && return
	run "$doctor" --json
	check "sbx-doctor --json: exit status for $expect" doctor_rc_ok
	check "sbx-doctor --json is one JSON object" json_ok
}

json_ok()
{
	grep -q '^{' "$dir/out" || return 1
	command -v python3 >/dev/null || return 0
	python3 -c 'import json, sys; json.load(sys.stdin)' \
		<"$dir/out" 2>>"$dir/err"
}

has_remedy()
{
	grep -Eq '"event": ?"error".*"remedy": ?"[^"]' "$dir/status" &&
		grep -Eq ' - .' "$dir/err"
}

check_refused()
{
	jail --rwx "$ws" -- sh -c "echo ran >$ws/ran"
	check "sbx-exec is refused with exit status 125" rc_is 125
	check "the refusal names a remedy" has_remedy
	check "the command never ran" [ ! -e "$ws/ran" ]
}

hidden()
{
	[ "$rc" != 0 ] && [ "$rc" -lt 125 ] && ! grep -q sesame "$dir/out"
}

check_files()
{
	jail --rwx "$ws" -- sh -c "echo hello >$ws/new && cat $ws/new"
	check "a command runs and writes what it was granted" out_is hello
	check "it runs in tier $expect" tier_is "$expect"
	check "what it wrote is there outside" \
		[ "$(cat "$ws/new" 2>/dev/null)" = hello ]
	jail --ro "$dir/granted" -- cat "$dir/granted"
	check "a granted file is readable" out_is granted
	as cat "$dir/secret" >"$dir/out"
	rc=$?
	check "the secret is readable outside" out_is sesame
	jail --ro "$dir/granted" -- cat "$dir/secret"
	check "the secret is unreadable in the jail" hidden
	jail --ro "$ws" -- sh -c "echo changed >$ws/new"
	check "a file granted for reading is not writable" hidden
	check "and is unchanged" [ "$(cat "$ws/new" 2>/dev/null)" = hello ]
}

# Open descriptors that nobody granted, close-on-exec or not.
check_descriptors()
{
	jail --allow-fd 8:in -- sh -c 'cat <&8' 8<"$dir/granted" \
		9<"$dir/secret"
	check "a granted descriptor keeps its number" out_is granted
	jail --allow-fd 8:in -- sh -c 'cat <&9' 8<"$dir/granted" \
		9<"$dir/secret"
	check "another descriptor is closed" hidden
	jail --allow-fd 8:in -- sh -c 'ls /dev/fd/9' 8<"$dir/granted" \
		9<"$dir/secret"
	check "and has no name" hidden
}

refused_connect()
{
	[ "$rc" != 0 ] && [ "$rc" -lt 125 ]
}

check_network()
{
	start "$probe_dir/probe" --listen >"$dir/port"
	listener=$started
	tries=0
	while [ ! -s "$dir/port" ] && [ $tries -lt 100 ]; do
		sleep 0.05
		tries=$((tries + 1))
	done
	port=$(cat "$dir/port")
	run "$probe_dir/probe" --connect "$port"
	check "the listener can be reached outside" rc_is 0
	jail --rox "$probe_dir" -- "$probe_dir/probe" unix
	check "the program for it runs in the jail" out_is unix=OK
	jail --rox "$probe_dir" -- "$probe_dir/probe" --connect "$port"
	check "the listener cannot be reached from the jail" refused_connect
	kill "$listener" 2>/dev/null
	wait "$listener" 2>/dev/null
	listener=
}

# sleepers SECONDS: process ids of all "sleep SECONDS".
sleepers()
{
	for cmdline in /proc/[0-9]*/cmdline; do
		if tr '\0' ' ' 2>/dev/null <"$cmdline" |
			grep -q "^sleep $1 "; then
			pid=${cmdline%/cmdline}
			echo "${pid#/proc/}"
		fi
	done 2>/dev/null
}

has_process()
{
	[ -n "$(sleepers "$1")" ]
}

# What is found is ended here, so that a broken build leaves nothing either.
no_process()
{
	left=$(sleepers "$1")
	# shellcheck disable=SC2086 # one word a process
	[ -z "$left" ] || kill -9 $left
	[ -z "$left" ]
}

check_end()
{
	jail -- sh -c 'exit 42'
	check "the exit status is passed on" rc_is 42
	# shellcheck disable=SC2016 # for the shell in the jail
	jail -- sh -c 'kill -TERM $$'
	check "a signal is passed on as 128+n" rc_is 143
	jail -- /nonexistent/command
	check "a missing command is 127" rc_is 127

	seconds=98765.$$
	start sleep "$seconds"
	sleeper=$started
	sleep 0.2
	check "a process that goes on is found" has_process "$seconds"
	kill "$sleeper"
	wait "$sleeper" 2>/dev/null
	# shellcheck disable=SC2016 # for the shell in the jail
	jail -- sh -c 'setsid sleep '"$seconds"' >/dev/null 2>&1 &
		sleep 0.2; kill -0 $! && echo alive'
	check "a task may start a session of its own" out_is alive
	check "nothing of it is left when it has ended" no_process "$seconds"
}

for who in root user; do
	[ "$who" = root ] && [ "$(id -u)" != 0 ] && continue
	ws=$dir/ws-$who
	mkdir "$ws"
	echo granted >"$dir/granted"
	echo sesame >"$dir/secret"
	chmod 755 "$dir"
	chmod 644 "$dir/granted" "$dir/secret"
	[ "$(id -u)" = 0 ] && [ "$who" = user ] && chown 65534:65534 "$ws"
	if ! as test -x "$exec_program"; then
		skip "an ordinary user" "he cannot reach the build directory"
		continue
	fi
	check_doctor
	case $expect in
	refused|none)
		check_refused
		continue
		;;
	esac
	check_files
	check_descriptors
	check_network
	check_end
done
echo "1..$n"
[ "$failed" = 0 ]

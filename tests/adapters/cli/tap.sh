# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What the tests of the programs share: TAP, the program under test, skips.
#
#   SBX_EXEC, SBX_DOCTOR   the programs; default: those in the build directory
#   SBX_REQUIRE_LIVE=1     a test that cannot run a task here fails

sbx_exec=${SBX_EXEC:-./sbx-exec}
sbx_doctor=${SBX_DOCTOR:-./sbx-doctor}
case $sbx_exec in /*) ;; *) sbx_exec=$PWD/$sbx_exec ;; esac
case $sbx_doctor in /*) ;; *) sbx_doctor=$PWD/$sbx_doctor ;; esac

count=0
failures=0
# Not /tmp: the task has one of its own at that place.
tmp=$(mktemp -d "${TMPDIR:-/var/tmp}/sbx-cli.XXXXXX") || exit 99
chmod 755 "$tmp"
trap 'rm -rf "$tmp"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# ok NAME COMMAND...: the command succeeds.  It is to print nothing, and never
# to be redirected here: that would swallow the line of TAP.
ok() {
	name=$1
	shift
	count=$((count + 1))
	if "$@"; then
		echo "ok $count - $name"
	else
		echo "not ok $count - $name"
		failures=$((failures + 1))
		sed 's/^/# stderr: /' "$tmp/err" 2>/dev/null
		sed 's/^/# stdout: /' "$tmp/out" 2>/dev/null | head -n 20
		echo "# status: ${rc-}"
	fi
}

skip() {
	count=$((count + 1))
	if [ "${SBX_REQUIRE_LIVE-}" = 1 ]; then
		echo "not ok $count - $1 (cannot run here: $2)"
		failures=$((failures + 1))
	else
		echo "ok $count - $1 # SKIP $2"
	fi
}

finish() {
	echo "1..$count"
	[ "$failures" = 0 ]
	exit
}

# run ARGUMENT...: sbx-exec with them; sets rc, $tmp/out and $tmp/err.
run() {
	"$sbx_exec" "$@" >"$tmp/out" 2>"$tmp/err"
	rc=$?
}

is() { [ "$1" = "$2" ]; }
matches() { printf '%s\n' "$2" | grep -qE -e "$1"; }
rc_is() { [ "$rc" = "$1" ]; }
out_is() { [ "$(cat "$tmp/out")" = "$1" ]; }
out_has() { grep -qF -e "$1" "$tmp/out"; }
err_has() { grep -qF -e "$1" "$tmp/err"; }
err_is_empty() { [ ! -s "$tmp/err" ]; }
err_is_one_line() { [ "$(wc -l <"$tmp/err")" = 1 ]; }
not() { ! "$@"; }

# Wait until a command succeeds, ten seconds at most.
eventually() {
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 \
		21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 \
		41 42 43 44 45 46 47 48 49 50; do
		"$@" && return 0
		sleep 0.2
	done
	return 1
}

# The rest of the file needs a task that runs.
need_live() {
	[ -x "$sbx_exec" ] || { echo "Bail out! no program $sbx_exec"; exit 99; }
	run -- true
	[ "$rc" = 0 ] && return 0
	reason=$(head -n 1 "$tmp/err")
	if [ "${SBX_REQUIRE_LIVE-}" = 1 ]; then
		echo "1..1"
		echo "not ok 1 - a task runs here: $reason"
		exit 1
	fi
	echo "1..0 # SKIP no task runs here: $reason"
	exit 0
}

need_tool() {
	command -v "$1" >/dev/null && return 0
	if [ "${SBX_REQUIRE_LIVE-}" = 1 ]; then
		echo "1..1"
		echo "not ok 1 - $1 is installed"
		exit 1
	fi
	echo "1..0 # SKIP $1 is not installed"
	exit 0
}

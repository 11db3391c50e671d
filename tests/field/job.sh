#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: job.sh WHO CASE DIR TIERS
#
# One case: its control run, then a run in each tier that the file TIERS
# names.  Prints a line of TAP, without a number, for each tier.
#
# A case is a file of functions; what it calls at its top is defined here:
#
#   needs TOOL...      skipped where one is missing
#   options OPTION...  further options of sbx-exec
#   bare               no grant of the workspace but by options
#   prepare()          on the host, before: makes what is there already
#   inside()           in the task (inside.sh says with what)
#   drive COMMAND...   on the host: starts the task; for terminals and pipes
#   outside()          on the host, afterwards
#
# W is the workspace, H a folder of the host that is granted only by options;
# MODE is control, A or B.  OUT and ERR hold what the task wrote.
set -u
who=$1 name=$2 dir=$3 tiers=$4
file=$FIELD_LIB/cases/$name.sh
# TAP's word for what is known to fail.
to_do="# TO""DO"
seconds=90

# shellcheck disable=SC2317 # the cases call them
define()
{
	missing='' task_options=() is_bare='' host_pids=()
	needs() {
		local tool
		for tool; do
			command -v "$tool" >/dev/null || missing="$missing $tool"
		done
	}
	options() { task_options+=("$@"); }
	bare() { is_bare=1; }
	# on_host COMMAND...: in the background, ended after the run.
	on_host() {
		"$@" &
		host_pids+=($!)
	}
	# Ten seconds at most, for a process of the host to get ready.
	await() {
		local i
		for ((i = 0; i < 200; i++)); do
			"$@" 2>/dev/null && return 0
			sleep 0.05
		done
		return 1
	}
	in_jail() { [ "$MODE" != control ]; }
	prepare() { :; }
	drive() { "$@"; }
	outside() { :; }
}

end_host()
{
	local pid
	set +e
	trap - ERR
	for pid in "${host_pids[@]}"; do
		kill "$pid" 2>/dev/null
		wait "$pid" 2>/dev/null
	done
	host_pids=()
}

# The command that runs inside() in this mode, in "command".
compose()
{
	local inner=(bash "$FIELD_LIB/inside.sh" "$file")
	local vars=("MODE=$MODE" "W=$W" "H=$H" "FIELD_LIB=$FIELD_LIB")
	local v
	if [ "$MODE" = control ]; then
		command=(env -i --chdir="$W" PATH=/usr/local/bin:/usr/bin:/bin
			HOME="$base/home" TMPDIR="$base/tmp" LANG=C.UTF-8
			TERM=dumb "${vars[@]}" "${inner[@]}")
		return
	fi
	command=("$FIELD_BIN/sbx-exec" --ro "$FIELD_LIB")
	[ "$MODE" = B ] && command=("$FIELD_BIN/degrade" --no-userns --
		"${command[@]}")
	[ -n "$is_bare" ] || command+=(--rwx "$W" --cwd "$W")
	for v in "${vars[@]}"; do
		command+=(--env "$v")
	done
	command+=("${task_options[@]}" -- "${inner[@]}")
}

# Nothing of a run is left in the workspace but what the case made; each step
# stops at its first failure.
steps()
{
	define
	trap end_host EXIT
	# Not in a condition, where bash would not stop at a failure.
	set -eE
	trap 'echo "line $LINENO: $BASH_COMMAND"' ERR
	cd "$base"
	# shellcheck disable=SC1090 # the case
	. "$file"
	prepare
	compose
	set +e
	trap - ERR
	drive "${command[@]}" >"$OUT" 2>"$ERR" </dev/null
	rc=$?
	if [ $rc != 0 ]; then
		echo "the task ended with $rc"
		exit $rc
	fi
	set -e
	trap 'echo "outside: line $LINENO: $BASH_COMMAND"' ERR
	cd "$base"
	outside
}

# run MODE: 0 if the case passed; what it said in $dir/MODE/log.
run()
{
	export MODE=$1 base=$dir/$1
	export W=$base/work H=$base/host OUT=$base/out ERR=$base/err
	mkdir "$base" "$W" "$H" "$base/home" "$base/tmp"
	export -f define end_host compose steps
	export file HOME=$base/home
	timeout -k 5 "$seconds" bash -uc steps >"$base/log" 2>&1
}

explain()
{
	{
		cat "$dir/$1/log"
		tail -n 12 "$dir/$1/err" 2>/dev/null | sed 's/^/stderr: /'
		tail -n 8 "$dir/$1/out" 2>/dev/null | sed 's/^/stdout: /'
	} | cut -c 1-300 | tr -d '\000-\010\013-\037' | sed 's/^/# /'
}

# In the list of those that cannot pass in tier B: the reason.
listed()
{
	awk -F '\t' -v name="$name" '$1 == name { print $2 }' \
		"$FIELD_LIB/tier-b.skip"
}

define
# shellcheck disable=SC1090 # the case
MODE=none W=$dir H=$dir . "$file"
if [ -n "$missing" ]; then
	why="not installed:$missing"
elif run control; then
	why=
else
	why="the control run fails"
	explain control
fi

while read -r tier; do
	label="$name: $who, tier $tier"
	reason=
	[ "$tier" = B ] && reason=$(listed)
	if [ -n "$reason" ] && [ -z "${FIELD_TRY_LISTED-}" ]; then
		echo "# tier B cannot: $name: $reason"
	elif [ -n "$why" ]; then
		echo "ok - $label # SKIP $why"
	elif run "$tier"; then
		echo "ok - $label${reason:+ $to_do $reason}"
	else
		echo "not ok - $label${reason:+ $to_do $reason}"
		explain "$tier"
	fi
	# What a failed run left must not disturb the next one.
	chmod -R u+rwX "$dir" 2>/dev/null
done <"$tiers"

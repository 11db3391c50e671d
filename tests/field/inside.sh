#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: inside.sh CASE
#
# Runs the function inside() of a case, in the task or, as its control, on the
# host.  It stops at the first command that fails, and says which.
set -euE
trap 'echo "inside: line $LINENO: $BASH_COMMAND" >&2' ERR

# shellcheck disable=SC2317 # the cases call them
needs() { :; }
options() { :; }
bare() { :; }

in_jail() { [ "$MODE" != control ]; }
in_tier_b() { [ "$MODE" = B ]; }

# denied COMMAND...: fails in a jail; the control shows that it can succeed.
denied()
{
	local rc=0
	("$@") </dev/null >/dev/null 2>&1 || rc=$?
	if in_jail && [ $rc = 0 ]; then
		echo "not denied: $*" >&2
		return 1
	elif ! in_jail && [ $rc != 0 ]; then
		echo "the control was denied ($rc): $*" >&2
		return 1
	fi
}

# same A B [WHAT]
same()
{
	[ "$1" = "$2" ] && return
	printf '%s: "%s" is not "%s"\n' "${3-got}" "$1" "$2" >&2
	return 1
}

py() { /usr/bin/python3 "$@"; }

# shellcheck disable=SC1090 # the case
. "$1"
inside

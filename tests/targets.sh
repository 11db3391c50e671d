#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# targets.sh NAME MAKE TARGET...: make each target, keep its output as a .tap
# file, and go on after a failure.  With one target '' MAKE is a TAP program.
set -u
name=$1 make=$2
shift 2
failed=0
for target in "$@"; do
	out=$name${target:+-$target}.tap
	# shellcheck disable=SC2086 # the command and its options
	if ${make} ${target:+-s "$target"} >"$out" 2>"$out.err"; then
		echo "PASS: $name $target"
	else
		failed=1
		echo "FAIL: $name $target"
		grep '^not ok' "$out" || echo "not ok - $target" >>"$out"
		tail -n 20 "$out.err"
	fi
done
exit $failed

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The tests of signals where Landlock judges none: ABI 5, emulated.
build=${top_builddir:-.}
degrade=$build/tests/degrade/degrade

# It is loud where nothing may be skipped.
skip() {
	if [ -n "${SBX_REQUIRE_LIVE-}" ]; then
		echo "not ok 1 - Landlock ABI 5 (nothing may be skipped: $1)"
	else
		echo "ok 1 - Landlock ABI 5 # SKIP $1"
	fi
	echo 1..1
	exit 0
}

abi=$("$build/tests/degrade/probe" ll_abi)
case $abi in
ll_abi=[1-4]) skip "this kernel has an older one: $abi" ;;
ll_abi=[1-9]*) ;;
*) skip "no Landlock: $abi" ;;
esac
# The tracer that emulates it cannot trace what is traced already.
"$degrade" --landlock-abi=5 -- true 2>/dev/null ||
	skip 'no older Landlock can be made here'
exec "$degrade" --landlock-abi=5 -- "$build/tests/live/test_signals"

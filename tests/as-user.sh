#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# as-user.sh SRCDIR BUILDDIR TEST...: run tests as an ordinary user.
#
# The user (65534) may read the tree but not write to it, so each test runs in
# a scratch folder of his own with links to what it needs.
set -u
src=$1 build=$2
shift 2
if [ "$(id -u)" != 0 ]; then
	echo "as-user.sh: not root: 'make check' was the ordinary user already" >&2
	exit 0
fi
scratch=$(mktemp -d /var/tmp/sbx-user.XXXXXX)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/run"
cp -a "$build/." "$scratch/run/"
mkdir "$scratch/src"
(cd "$src" && tar cf - --exclude=./build* --exclude=./.git .) |
	tar xf - -C "$scratch/src"
chown -R 65534:65534 "$scratch"
chmod 755 "$scratch"
cd "$scratch/run" || exit 99
# What needs root was run as root: here it may skip.
unset SBX_REQUIRE_LIVE
failed=0
for test in "$@"; do
	out=$build/user-$(printf '%s' "$test" | tr / -).tap
	# libtool's wrappers name the first build folder: run what they run.
	program=$(dirname "$test")/.libs/$(basename "$test")
	[ -x "$program" ] || program=$test
	run=("./$program")
	case $test in
	*.sh) run=(bash "$scratch/src/$test") ;;
	esac
	# Criterion opens /dev/stdout anew, which asks for the file's own mode.
	: >"$out"
	chown 65534 "$out"
	HOME=$scratch TMPDIR=/tmp srcdir=$scratch/src \
		top_builddir=$scratch/run SBX_EXEC=$scratch/run/.libs/sbx-exec \
		SBX_DOCTOR=$scratch/run/.libs/sbx-doctor \
		SBX_ASK=$scratch/run/sbx-ask \
		LD_LIBRARY_PATH=$scratch/run/libsandbox/.libs \
		CRITERION_OUTPUTS=tap:/dev/stdout CRITERION_JOBS=1 \
		timeout 600 setpriv --reuid 65534 --regid 65534 --clear-groups \
		"${run[@]}" >>"$out" 2>"$out.err" </dev/null
	rc=$?
	if [ $rc = 0 ] && ! grep -q '^1\.\.' "$out"; then
		rc='0 without a plan'
	fi
	if [ "$rc" != 0 ] || grep -q '^not ok' "$out"; then
		failed=1
		echo "FAIL: as an ordinary user: $test (status $rc)"
		grep '^not ok' "$out"
		tail -n 5 "$out.err"
		grep -q '^not ok' "$out" || echo "not ok - status $rc" >>"$out"
	else
		echo "PASS: as an ordinary user: $test"
	fi
done
exit $failed

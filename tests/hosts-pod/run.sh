#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: run.sh SRCDIR BUILDDIR TEST...
#
# Makes a container as Kubernetes makes a pod's (see bundle.py), and runs
# in-pod.sh in it.  Leaves pod-*.tap in BUILDDIR.  Where no runtime can run,
# it skips and says why; with SBX_REQUIRE_LIVE=1 it fails.
set -u
src=$1 build=$2
shift 2
here=$(dirname "$(readlink -f "$0")")
seconds=${SBX_POD_SECONDS:-1800}
cd "$build" || exit 99
rm -f pod.tap pod-*.tap
work=$(mktemp -d /var/tmp/sbx-pod.XXXXXX) || exit 99
runtime=
id=sbx-pod-$$

finish()
{
	[ -z "$runtime" ] || "$runtime" --root "$work/state" delete --force \
		"$id" >/dev/null 2>&1
	rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM HUP

skip()
{
	local result="ok 1 - a pod # SKIP $1"
	if [ -n "${SBX_REQUIRE_LIVE-}" ]; then
		result="not ok 1 - a pod (nothing may be skipped: $1)"
	fi
	printf '%s\n1..1\n' "$result" | tee pod.tap
	[ -z "${SBX_REQUIRE_LIVE-}" ]
	exit
}

# pod COMMAND...: run it in a new one.
pod()
{
	rm -rf "$work/bundle"
	mkdir "$work/bundle"
	python3 "$here/bundle.py" "$work/bundle" "$work/build" "$work/src" \
		"$work/results" "$@" || return 99
	timeout -k 5 "$seconds" "$runtime" --root "$work/state" run \
		--bundle "$work/bundle" "$id" </dev/null
}

# What the pod may read, whatever the modes of the folders here.
copy_trees()
{
	mkdir "$work/build" "$work/src" "$work/results"
	tar -C "$build" --exclude='*.o' --exclude='*.lo' --exclude='*.a' \
		-cf - . | tar -C "$work/build" -xf -
	tar -C "$src" --exclude=.git --exclude='./b*' --exclude='*.o' \
		-cf - . | tar -C "$work/src" -xf -
	chmod -R a+rX "$work"
	chown 1000:1000 "$work/results"
}

find_runtime()
{
	local try
	[ "$(id -u)" = 0 ] || skip "making a pod needs root"
	command -v python3 >/dev/null || skip "needs python3"
	why='needs the package runc or crun'
	for try in ${SBX_OCI_RUNTIME:-runc crun}; do
		command -v "$try" >/dev/null || continue
		runtime=$try
		if pod true >"$work/out" 2>&1; then
			echo "# the runtime is $runtime"
			return
		fi
		why="$try cannot run here: $(tail -n 1 "$work/out")"
	done
	runtime=
	skip "$why"
}

copy_trees
find_runtime
pod bash /src/tests/hosts-pod/in-pod.sh "$@" 2>pod.log
rc=$?
if [ -e "$work/results/done" ]; then
	printf 'ok 1 - the pod came to its end\n1..1\n' >pod.tap
else
	printf 'not ok 1 - the pod came to its end (%s)\n1..1\n' "$rc" \
		>pod.tap
fi
failed=0
cp "$work"/results/*.tap . 2>/dev/null
for tap in pod.tap pod-*.tap; do
	if grep -q '^not ok' "$tap"; then
		failed=1
		echo "FAIL: $tap"
		grep -A 3 '^not ok' "$tap"
	else
		echo "PASS: $tap ($(grep -c '^ok' "$tap"))"
	fi
done
[ "$failed" = 0 ] || tail -n 20 pod.log
exit "$failed"

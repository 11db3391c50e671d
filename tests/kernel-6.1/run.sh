#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: run.sh SRCDIR BUILDDIR TEST...
#
# Boots Debian 12's kernel in an emulated machine, without /dev/kvm, and runs
# tests in it: 6.1 has Landlock ABI 2, and lacks much of what newer kernels
# have.  Leaves kernel-6.1-*.tap in BUILDDIR, and kernel-6.1.log, which is
# what the guest said.  What is missing here is named, and skips; with
# SBX_REQUIRE_LIVE=1 it fails.
set -u
src=$1 build=$2
shift 2
here=$(dirname "$(readlink -f "$0")")
seconds=${SBX_GUEST_SECONDS:-2400}
cd "$build" || exit 99
work=$(mktemp -d "${TMPDIR:-/tmp}/sbx-kernel.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
rm -f kernel-6.1*.tap kernel-6.1.log

skip()
{
	local result="ok 1 - Linux 6.1 # SKIP $1"
	if [ -n "${SBX_REQUIRE_LIVE-}" ]; then
		result="not ok 1 - Linux 6.1 (nothing may be skipped: $1)"
	fi
	printf '%s\n1..1\n' "$result" | tee kernel-6.1.tap
	[ -z "${SBX_REQUIRE_LIVE-}" ]
	exit
}

check_tools()
{
	local missing=''
	command -v qemu-system-x86_64 >/dev/null || missing+=' qemu-system-x86'
	# A guest has no libraries before it has its system.
	if [ ! -x /bin/busybox ] || ldd /bin/busybox >/dev/null 2>&1; then
		missing+=' busybox-static'
	fi
	command -v cpio >/dev/null || missing+=' cpio'
	command -v dpkg >/dev/null || missing+=' dpkg'
	command -v mkfs.ext4 >/dev/null || missing+=' e2fsprogs'
	[ "$(uname -m)" = x86_64 ] || skip "the guest is x86-64, this is not"
	[ -z "$missing" ] || skip "needs the packages$missing"
}

# Plain emulation: some ten times slower than the machine, but always there.
boot()
{
	timeout "$seconds" qemu-system-x86_64 -accel tcg,thread=multi \
		-cpu max,la57=off -smp 2 -m 3072 -nodefaults -no-user-config \
		-display none -no-reboot -serial file:kernel-6.1.log \
		-serial file:"$work/results" -kernel "$work/kernel/vmlinuz" \
		-initrd "$work/initramfs" -append \
		"console=ttyS0 quiet loglevel=3 panic=-1 mitigations=off" </dev/null
}

# One .tap file a result; a failure without a failed test counts as one.
split_results()
{
	tr -d '\r' <"$work/results" | awk '
	/^@@ begin / { name = "kernel-6.1-" $3 ".tap"; bad = plan = 0
		printf "" >name; next }
	/^@@ end / {
		if (!bad && ($3 != 0 || !plan))
			print "not ok - status " $3 ", plan " plan >name
		close(name); name = ""; next }
	/^@@ done/ { done = 1; next }
	name == "" { next }
	/^not ok/ { bad = 1 }
	/^1\.\./ { plan = 1 }
	{ print >name }
	END {
		if (done)
			print "ok 1 - the guest came to its end\n1..1" \
				>"kernel-6.1.tap"
		else
			print "not ok 1 - the guest came to its end\n1..1" \
				>"kernel-6.1.tap"
	}'
}

check_tools
problem=$(bash "$here/kernel.sh" "$work/kernel") || skip "$problem"
bash "$here/image.sh" "$src" "$build" "$work/kernel" "$@" \
	>"$work/initramfs" || exit 99
boot || echo "# qemu ended with $?" >&2
split_results
failed=0
for tap in kernel-6.1*.tap; do
	if grep -q '^not ok' "$tap"; then
		failed=1
		echo "FAIL: $tap"
		grep -A 3 '^not ok' "$tap"
	else
		echo "PASS: $tap ($(grep -c '^ok' "$tap"))"
	fi
done
grep -q '^not ok' kernel-6.1.tap && tail -n 20 kernel-6.1.log
exit "$failed"

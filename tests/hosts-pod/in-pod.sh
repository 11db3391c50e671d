#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: in-pod.sh TEST...
#
# In the pod: what a task can have in tier B, each suite's results in
# /results/pod-NAME.tap.
set -u
export srcdir=/src top_builddir=/build
export LD_LIBRARY_PATH=/build/libsandbox/.libs
export CRITERION_OUTPUTS=tap:/dev/stdout CRITERION_JOBS=1
export DEGRADE_DIR=/build/tests/degrade SBX_WRAP=''
export DEGRADE=$DEGRADE_DIR/degrade PROBE=/build/tests/containment/probe
cd /build || exit 99

# The program that libtool's script would start.
program_of()
{
	local lib
	lib=/build/$(dirname "$1")/.libs/$(basename "$1")
	if [ -x "$lib" ]; then
		echo "$lib"
	else
		echo "/build/$1"
	fi
}

# report NAME COMMAND...: a failure without a failed test counts as one.
report()
{
	local tap=/results/pod-$1.tap rc=0
	shift
	timeout -k 5 ${SBX_SUITE_SECONDS:-600} "$@" >"$tap" </dev/null || rc=$?
	if [ "$rc" != 0 ] || ! grep -q '^1\.\.' "$tap"; then
		grep -q '^not ok' "$tap" || echo "not ok - status $rc" >>"$tap"
	fi
}

# Results without those of tests that the filter left out, which Criterion
# calls skipped.
selected_only()
{
	local tap=/results/pod-$1.tap
	grep -v -e '# SKIP test was skipped' -e '^1\.\.' "$tap" >/tmp/tap
	echo "1..$(grep -cE '^(not )?ok' /tmp/tap)" >>/tmp/tap
	grep -qE '^(not )?ok' /tmp/tap ||
		echo "not ok - nothing was selected" >>/tmp/tap
	cat /tmp/tap >"$tap"
}

# Of the live tests those for a host without user namespaces; what is not
# about tiers is run whole, and skips what it has no program for.
run_live()
{
	local test name filter
	for test; do
		name=$(basename "$test")
		case $name in
		test_probe) filter='*/*' ;;
		# It expects to be refused what the pod refuses otherwise.
		test_seccomp_live) filter='*/!(what_tier_a_refuses*)' ;;
		# Nobody can hold a ring where the pod refuses io_uring.
		test_enter_held)
			filter='*/!(a_held_ring*)__without_user_namespaces' ;;
		# The pod's own refusal of chroot comes before ours, and is told
		# to nobody.
		test_denials)
			filter='*/!(each_kind*)__without_user_namespaces' ;;
		*) filter='*/*__without_user_namespaces' ;;
		esac
		case $name in
		test_seccomp_live | test_probe)
			report "$name" env -u SBX_REQUIRE_LIVE \
				"$(program_of "$test")" --filter "$filter"
			;;
		*)
			report "$name" "$(program_of "$test")" \
				--filter "$filter"
			;;
		esac
		selected_only "$name"
	done
}

# run_suite NAME SIGN COMMAND...: where that suite is.  It skips what needs
# another tier, but not everything: SIGN is in results of tier B.
run_suite()
{
	local name=$1 sign=$2
	shift 2
	report "$name" env -u SBX_REQUIRE_LIVE TMPDIR=/var/tmp "$@"
	if ! grep -E "^ok.*$sign" "/results/pod-$name.tap" |
		grep -qv '# SKIP'; then
		echo "not ok - $name: no result of tier B" \
			>>"/results/pod-$name.tap"
	fi
}

SBX_EXEC=$(program_of sbx-exec)
SBX_DOCTOR=$(program_of sbx-doctor)
export SBX_EXEC SBX_DOCTOR
report pod bash /src/tests/hosts-pod/tier.sh
report tier sh /src/tests/degrade/run-tier.sh B 'user.*EPERM' \
	'seccomp|sysctl|AppArmor'
run_live "$@"
export FIELD_SKIP=/src/tests/hosts-pod/field.skip
export CONTAINMENT_SKIP=/src/tests/hosts-pod/containment.skip
field=/src/tests/field/run.sh
[ ! -f $field ] || run_suite field 'tier B' bash $field
containment=/src/tests/containment/run.py
[ ! -f $containment ] || run_suite containment '' \
	python3 $containment --tier B
: >/results/done

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# In the guest: make the host what a Debian host is, run the tests, switch
# off.  Results go through the second serial port, each between "@@ begin"
# and "@@ end"; what is said besides goes to the first.
set -u
export PATH=/usr/bin:/usr/sbin HOME=/root TERM=dumb LANG=C
export srcdir=/src top_builddir=/build LD_LIBRARY_PATH=/build/libsandbox/.libs
export CRITERION_OUTPUTS=tap:/dev/stdout CRITERION_JOBS=1
seconds=600
# Tests of test_seccomp_live, without those of programs that are not here.
known='seccomp_live/!(compiler*|debugger*|transfer*|version*|python*|*python*)'

end()
{
	echo "@@ done" >&5
	sync
	busybox poweroff -f
}

set_up()
{
	mkdir -p /dev/pts /dev/shm
	mount -t devpts devpts /dev/pts
	mount -t tmpfs -o mode=1777 shm /dev/shm
	mount -t cgroup2 cgroup /sys/fs/cgroup
	ln -s /proc/self/fd /dev/fd
	ln -s /proc/self/fd/0 /dev/stdin
	ln -s /proc/self/fd/1 /dev/stdout
	ln -s /proc/self/fd/2 /dev/stderr
	busybox ip link set lo up
	hostname debian-12
	# An ordinary file system below /tmp: id-mapped mounts of a tmpfs
	# came with Linux 6.3.
	for module in /kernel/*.ko; do
		busybox insmod "$module"
	done
	truncate -s 700M /var/disk
	mkfs.ext4 -q -E lazy_itable_init=0 /var/disk &&
		mknod /dev/loop-tmp b 7 0 &&
		busybox losetup /dev/loop-tmp /var/disk &&
		mount -t ext4 /dev/loop-tmp /tmp && chmod 1777 /tmp
}

# give NAME STATUS: what is in /var/out, to whoever started the guest.
give()
{
	echo "@@ begin $1" >&5
	cat /var/out >&5
	echo "@@ end $2" >&5
}

# report NAME COMMAND...: run it; its output is the result of that name.
report()
{
	local name=$1 rc=0
	shift
	read -r up _ </proc/uptime
	echo "== $up $name"
	timeout -k 5 "$seconds" "$@" >/var/out </dev/null || rc=$?
	give "$name" "$rc"
}

# check NAME COMMAND...: one line of TAP.
check()
{
	local name=$1
	shift
	n=$((n + 1))
	if "$@" >&2; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
	fi
}

abi_is()
{
	local abi
	abi=$(/build/tests/degrade/probe ll_abi)
	echo "$abi"
	[ "$abi" = "ll_abi=$1" ]
}

host_is_as_meant()
{
	n=0
	check "the kernel is 6.1" grep -q ' 6\.1\.' /proc/version
	check "Landlock has ABI 2" abi_is 2
	check "root may make user namespaces" unshare -Urm true
	check "an ordinary user may" setpriv --reuid 65534 --regid 65534 \
		--clear-groups unshare -Urm true
	check "/tmp is an ordinary file system" \
		[ "$(stat -f -c %T /tmp)" = ext2/ext3 ]
	check "there is a cgroup v2" [ -e /sys/fs/cgroup/cgroup.procs ]
	echo "1..$n"
}

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

# Only what needs programs that the guest has not may skip, and what is not
# meant to be tried as an ordinary user.
run_tests()
{
	local test name
	while read -r test; do
		name=$(echo "$test" | tr / -)
		case $test in
		*/test_seccomp_live | tests/unit/*) unset SBX_REQUIRE_LIVE ;;
		*) export SBX_REQUIRE_LIVE=1 ;;
		esac
		filter=()
		[[ $test != */test_seccomp_live ]] || filter=(--filter "$known")
		report "root-$name" "$(program_of "$test")" "${filter[@]}"
		# Other live tests do everything as an ordinary user, too.
		case $test in
		*/test_landlock | */test_source | */test_seccomp_live | \
			*/test_probe)
			unset SBX_REQUIRE_LIVE
			report "user-$name" setpriv --reuid 65534 \
				--regid 65534 --clear-groups \
				"$(program_of "$test")" "${filter[@]}"
			;;
		esac
	done </tests
}

# Tasks of sbx-exec as root and as an ordinary user, in both tiers.
run_tiers()
{
	local tier=/src/tests/degrade/run-tier.sh
	export SBX_EXEC SBX_DOCTOR DEGRADE_DIR=/build/tests/degrade
	SBX_EXEC=$(program_of sbx-exec)
	SBX_DOCTOR=$(program_of sbx-doctor)
	export SBX_REQUIRE_LIVE=1
	"$SBX_DOCTOR"
	SBX_WRAP='' report tier-a sh $tier A
	SBX_WRAP="$DEGRADE_DIR/degrade --no-userns --" \
		report tier-b sh $tier B 'user.*EPERM' 'seccomp|sysctl|AppArmor'
	# The kernel's own way to refuse.
	most=$(cat /proc/sys/user/max_user_namespaces)
	echo 0 >/proc/sys/user/max_user_namespaces
	SBX_WRAP='' report tier-b-sysctl sh $tier B 'user.*ENOSPC' \
		max_user_namespaces
	echo "$most" >/proc/sys/user/max_user_namespaces
}

# The usual number of descriptors for whom tests are run by.
ulimit -n 65536
busybox stty -F /dev/ttyS1 raw -echo
exec 5>/dev/ttyS1
trap end EXIT
set_up
# Criterion opens its standard output anew, whoever it runs as.
: >/var/out
chmod 666 /var/out
host_is_as_meant >/var/out
give host 0
run_tiers
run_tests

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Each option of degrade refuses what it names, and nothing else: the probe
# is run without and with it, and the difference must be the one listed here.
# As root the whole is repeated as an ordinary user.

build=${DEGRADE_DIR:-tests/degrade}
degrade=$build/degrade
probe=$build/probe
n=0
failed=0
runs=user
[ "$(id -u)" = 0 ] && runs="root user"

ok()
{
	n=$((n + 1))
	echo "ok $n - $*"
}

not_ok()
{
	n=$((n + 1))
	failed=$((failed + 1))
	echo "not ok $n - $*"
}

# skip REASON NAME: loud where everything must run.
skip()
{
	if [ -n "$SBX_REQUIRE_LIVE" ]; then
		not_ok "$2 (nothing may be skipped: $1)"
	else
		n=$((n + 1))
		echo "ok $n - $2 # SKIP $1"
	fi
}

as()
{
	if [ "$who" = user ] && [ "$(id -u)" = 0 ]; then
		setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
	else
		"$@"
	fi
}

value()
{
	sed -n "s/^$1=//p" <<<"$base"
}

# change NAME=VALUE...: the base with these lines instead.
change()
{
	local text=$base c

	for c in "$@"; do
		# shellcheck disable=SC2001 # a line of many is meant
		text=$(sed "s/^${c%%=*}=.*/$c/" <<<"$text")
	done
	echo "$text"
}

# all VALUE NAME...: "NAME=VALUE" for each.
all()
{
	local v=$1 name

	shift
	for name in "$@"; do
		echo "$name=$v"
	done
}

# Every filter answers i386 calls; a user's filters need no_new_privs.
common()
{
	[ "$(value i386)" = OK ] && echo i386=ENOSYS
	[ "$who" = user ] && echo no_new_privs=1
}

# compare OPTIONS EXPECTED-CHANGES...
compare()
{
	local opts=$1 want got

	shift
	want=$(change "$@")
	# shellcheck disable=SC2086 # options are words
	got=$(as "$degrade" $opts -- "$probe")
	if [ "$want" = "$got" ]; then
		ok "$who: $opts"
	else
		not_ok "$who: $opts"
		diff <(echo "$want") <(echo "$got") | sed 's/^/# /'
	fi
}

# filtered OPTIONS CHANGES...: an option made of filters.
filtered()
{
	local opts=$1

	shift
	# shellcheck disable=SC2046 # one word a change
	compare "$opts" $(common) "$@"
}

inside="in_mount in_umount in_proc in_userns in_netns in_chroot in_hostname
in_pivot_root in_fsopen in_mount_setattr uid_map"
direct="userns_unshare userns_others userns_netns userns_clone"
landlock="ll_abi ll_bad_version ll_errata ll_fs ll_refer ll_truncate
ll_ioctl_dev ll_unknown_right ll_net ll_net_rule ll_scope ll_zero_tail
ll_unknown_tail ll_short ll_bad_address ll_restrict ll_restrict_log
ll_restrict_unknown ll_holds"

# shellcheck disable=SC2046,SC2086 # lists of words
test_namespaces()
{
	local e

	filtered --no-userns $(all EPERM $direct $inside setns_user) \
		$(all ENOSYS userns_clone3 clone3)
	for e in EPERM EACCES ENOSPC; do
		filtered "--userns-errno=$e" \
			$(all $e $direct $inside setns_user) \
			$(all ENOSYS userns_clone3 clone3)
	done
	filtered "--userns-errno=ENOSPC --trace-clone3" \
		$(all ENOSPC $direct $inside setns_user userns_clone3)
	compare --max-userns=0 \
		$(all ENOSPC $direct $inside userns_clone3) setns_uts=EPERM
	compare --max-netns=0 userns_netns=ENOSPC in_netns=ENOSPC \
		setns_uts=EPERM
	filtered --apparmor uid_map=EACCES in_userns=EACCES \
		$(all EACCES in_mount in_umount in_proc) \
		$(all EPERM in_netns in_chroot in_hostname in_pivot_root \
			in_fsopen in_mount_setattr open_tree \
			setns_uts setns_user)
	if [ "$who" = root ]; then
		compare --masked-proc in_proc=EPERM
	else
		compare --masked-proc in_proc=EPERM groups=OK
	fi
	filtered --docker $(all EPERM $direct $inside setns_uts setns_user \
		open_tree keyctl add_key request_key bpf userfaultfd \
		io_uring perf pidfd_getfd) $(all ENOSYS clone3 userns_clone3)
	filtered --no-mount-api \
		$(all ENOSYS in_fsopen in_mount_setattr open_tree)
}

# An older Landlock: what ABI $1 does not know yet.
# shellcheck disable=SC2046,SC2086 # lists of words
test_abi()
{
	local abi=$1 c=("ll_abi=$1")

	[ "$abi" -lt 2 ] && c+=(ll_refer=EINVAL)
	[ "$abi" -lt 3 ] && c+=(ll_truncate=EINVAL)
	[ "$abi" -lt 4 ] && c+=(ll_net=E2BIG ll_net_rule=EINVAL)
	[ "$abi" -lt 5 ] && c+=(ll_ioctl_dev=EINVAL)
	[ "$abi" -lt 6 ] && c+=(ll_scope=E2BIG)
	[ "$abi" -lt 7 ] && c+=(ll_errata=EINVAL ll_restrict_log=EINVAL)
	filtered "--landlock-abi=$abi" "${c[@]}"
}

# shellcheck disable=SC2046,SC2086 # lists of words
test_landlock()
{
	local abi host

	host=$(value ll_abi)
	case $host in
	[1-9]*) ;;
	*)
		skip "this kernel has no Landlock" "$who: Landlock options"
		return
		;;
	esac
	filtered --no-landlock $(all ENOSYS $landlock)
	filtered --no-landlock=EOPNOTSUPP $(all EOPNOTSUPP $landlock)
	for abi in 1 2 3 4 5 6 7; do
		if [ "$abi" -gt "$host" ]; then
			skip "ABI $host" "$who: --landlock-abi=$abi"
		else
			test_abi "$abi"
		fi
	done
	if as "$degrade" --landlock-abi=99 -- true 2>/dev/null; then
		not_ok "$who: an ABI newer than the host's is refused"
	else
		ok "$who: an ABI newer than the host's is refused"
	fi
}

# shellcheck disable=SC2046 # lists of words
test_calls()
{
	filtered --no-seccomp $(all ENOSYS seccomp_filter seccomp_holds \
		seccomp_listener seccomp_wait_killable seccomp_notif_sizes) \
		seccomp_prctl=EINVAL
	filtered --no-notify $(all EINVAL seccomp_listener \
		seccomp_wait_killable seccomp_notif_sizes)
	filtered --no-wait-killable seccomp_wait_killable=EINVAL
	filtered --no-addfd seccomp_addfd=EINVAL
	filtered --notify-taken \
		$(all EBUSY seccomp_listener seccomp_wait_killable)
	filtered --no-clone3 clone3=ENOSYS userns_clone3=ENOSYS
	filtered --no-openat2 openat2=ENOSYS
	filtered --no-close-range close_range=ENOSYS
	filtered --no-pidfd $(all ENOSYS pidfd_open pidfd_signal pidfd_getfd \
		clone3 userns_clone3) clone_pidfd=EINVAL waitid_pidfd=EINVAL
	filtered --no-memfd \
		$(all ENOSYS memfd_plain memfd_exec memfd_noexec)
	filtered --no-memfd-exec memfd_plain=EACCES memfd_exec=EACCES
	filtered --no-exec-fd exec_fd=EACCES
	filtered --no-io-uring io_uring=EPERM
	filtered --no-vm-access vm_read=EPERM
}

# shellcheck disable=SC2046,SC2086 # lists of words
test_rest()
{
	compare --nofile=64 nofile=64
	compare --nofile=16 nofile=16
	if [ "$who" = root ]; then
		compare --user uid=65534 gid=65534 setns_uts=EPERM
		filtered "--user --no-openat2" openat2=ENOSYS uid=65534 \
			gid=65534 no_new_privs=1 setns_uts=EPERM
		filtered "--user --landlock-abi=1 --apparmor" \
			$(sed -n 's/^ll_errata=.*/ll_errata=EINVAL/p
				s/^ll_net=.*/ll_net=E2BIG/p
				s/^ll_net_rule=.*/ll_net_rule=EINVAL/p
				s/^ll_scope=.*/ll_scope=E2BIG/p
				s/^ll_refer=.*/ll_refer=EINVAL/p
				s/^ll_truncate=.*/ll_truncate=EINVAL/p
				s/^ll_ioctl_dev=.*/ll_ioctl_dev=EINVAL/p
				s/^ll_restrict_log=.*/ll_restrict_log=EINVAL/p
				' <<<"$base") \
			ll_abi=1 uid=65534 gid=65534 no_new_privs=1 \
			uid_map=EACCES in_userns=EACCES \
			$(all EACCES in_mount in_umount in_proc) \
			$(all EPERM in_netns in_chroot in_hostname \
				in_pivot_root in_fsopen in_mount_setattr \
				open_tree setns_uts setns_user)
	fi
	filtered "--no-clone3 --no-openat2 --no-close-range --nofile=32" \
		$(all ENOSYS clone3 userns_clone3 openat2 close_range) \
		nofile=32
	filtered "--masked-proc --no-landlock" in_proc=EPERM \
		$(all ENOSYS $landlock)
}

# status NAME WANT COMMAND...
status()
{
	local name=$1 want=$2 got

	shift 2
	as "$@" >/dev/null 2>&1
	got=$?
	if [ "$got" = "$want" ]; then
		ok "$who: $name"
	else
		not_ok "$who: $name (status $got, not $want)"
	fi
}

test_status()
{
	local o

	for o in --no-openat2 --landlock-abi=1 --notify-taken \
		"--no-userns --trace-clone3"; do
		# shellcheck disable=SC2086 # options are words
		status "$o passes a status on" 42 \
			"$degrade" $o -- "$probe" --exit 42
		# shellcheck disable=SC2086 # options are words
		status "$o passes a signal on" 137 \
			"$degrade" $o -- "$probe" --kill 9
		# shellcheck disable=SC2086 # options are words
		status "$o: a missing command is 127" 127 \
			"$degrade" $o -- /nonexistent/command
	done
	status "an unknown option is refused" 99 "$degrade" --nonsense -- true
	status "no command is refused" 99 "$degrade" --no-clone3
	status "a signal sent to it reaches the command" 143 \
		"$degrade" --landlock-abi=1 -- sh -c "kill \$PPID; sleep 5"
}

# The leak checker is a tracer of its own.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"

for who in $runs; do
	if ! as test -x "$probe"; then
		skip "he cannot reach the build directory" "$who: all options"
		continue
	fi
	base=$(as "$probe")
	if [ "$(value userns_unshare)" != OK ]; then
		skip "no user namespaces here" "$who: namespaces"
	else
		test_namespaces
	fi
	test_landlock
	test_calls
	test_rest
	test_status
done
echo "1..$n"
[ "$failed" = 0 ]

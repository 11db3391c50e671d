#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# In the pod: it is as poor as it is meant to be, a task runs in it, the
# report says what that costs, and what cannot be had is refused with a remedy.
# shellcheck source=tests/adapters/cli/tap.sh
. "${srcdir:-.}/tests/adapters/cli/tap.sh"
probe=$DEGRADE_DIR/probe
status=$tmp/status

# probe_is NAME=VALUE...
probe_is()
{
	local want
	for want; do
		[ "$("$probe" "${want%%=*}")" = "$want" ] || return 1
	done
}

own_status_has()
{
	grep -qE "$1" /proc/self/status
}

# row NAME STATE: in the report of the last run.
row()
{
	grep -qE "\"(name|property)\": *\"$1\"[^}]*\"state\": *\"($2)\"" \
		"$tmp/report"
}

tier_is()
{
	grep -qE '"event": ?"start".*"tier": ?"'"$1"'"' "$status"
}

# Words after a dash: what to change.
has_remedy()
{
	grep -qE ' - .' "$tmp/err"
}

# task OPTION... -- COMMAND: with a report and a status.
task()
{
	rm -f "$tmp/report"
	: >"$status"
	run --status-fd 7 --report "$tmp/report" "$@" 7>"$status"
}

check_pod()
{
	ok 'the user is an ordinary one' is "$(id -u):$(id -G)" 1000:1000
	ok 'there is no capability to be had' \
		own_status_has '^CapBnd:.0000000000000000$'
	ok 'there are no new privileges' own_status_has '^NoNewPrivs:.1$'
	ok 'namespaces are refused' probe_is userns_unshare=EPERM \
		userns_clone=EPERM setns_uts=EPERM
	ok 'clone3 is not there' probe_is clone3=ENOSYS
	ok 'keys, bpf, io_uring and userfaultfd are refused' probe_is \
		keyctl=EPERM bpf=EPERM io_uring=EPERM userfaultfd=EPERM
	ok 'descriptors cannot be taken from others' probe_is pidfd_getfd=EPERM
	ok 'what the host tells in /proc is masked' test ! -s /proc/kcore
	ok 'and its settings cannot be written' test ! -w /proc/sys
	ok 'the root is read-only' not touch /src/new /usr/new 2>/dev/null
	ok 'Landlock is there' probe_is ll_holds=EACCES
}

check_doctor()
{
	"$sbx_doctor" >"$tmp/out" 2>"$tmp/err"
	rc=$?
	ok 'sbx-doctor: degraded' rc_is 1
	ok 'sbx-doctor names a cause' grep -qE '^cause: .*EPERM' "$tmp/out"
	ok 'sbx-doctor names a remedy' grep -qE '^ *remedy: .' "$tmp/out"
}

check_task()
{
	task -- sh -c 'echo a | cat'
	ok 'a task runs with the default policy' out_is a
	ok 'in tier B' tier_is B
	ok 'files are held' row files enforced
	ok 'the network is held' row network enforced
	ok 'descriptors are held' row descriptors enforced
	ok 'trust is held' row trust enforced
	ok 'nor are names' not row names enforced
	task --rwx "$tmp" -- sh -c "echo new >$tmp/made; cat $tmp/made"
	ok 'it writes what it was granted' out_is new
	task --rwx "$tmp" -- touch "$tmp/.envrc"
	ok 'a name that others trust is not made' not test -e "$tmp/.envrc"
	task --rwx "$tmp" --no-protect "$tmp" -- touch "$tmp/.envrc"
	ok 'unless it is not to be protected' test -e "$tmp/.envrc"
	echo sesame >"$tmp/secret"
	ok 'a secret can be read outside' is "$(cat "$tmp/secret")" sesame
	task -- cat "$tmp/secret"
	ok 'but not by a task' not out_has sesame
	ok 'which ran' tier_is B
	task -- python3 -c 'import subprocess as s
assert s.run(["true"]).returncode == 0; print("done")'
	ok 'python starts processes' out_is 'done'
}

# What the host cannot hold, required: refused.  Its twin, preferred: runs.
check_require()
{
	task --require names -- echo ran
	ok 'names, required, are refused' rc_is 125
	ok 'names: nothing ran' out_is ''
	ok 'names: with a remedy' has_remedy
	task --prefer names -- echo ran
	ok 'names, preferred, are not' out_is ran
	task --require files,network,descriptors,syscalls,trust -- echo ran
	ok 'what it can hold may be required' out_is ran
}

check_pod
need_live
check_doctor
check_task
check_require
finish

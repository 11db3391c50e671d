# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# One consistent identity: file owners, groups and, in tier A, a user database
# that knows the task.

prepare() { echo host >"$W/before"; }

inside()
{
	id >/dev/null
	echo task >after
	test -O before
	test -O after
	same "$(stat -c %u before)" "$(id -u)"
	chmod 600 before
	touch before
	rm -f before
	if in_jail && ! in_tier_b; then
		whoami >/dev/null
		py -c 'import getpass, os, pwd
assert pwd.getpwuid(os.getuid()).pw_name
assert getpass.getuser()'
	fi
	hostname >/dev/null
	uname -a >/dev/null
	getent passwd root >/dev/null
	mkdir -m 700 mine
	test -w mine
}

outside()
{
	test "$(stat -c %u "$W/after")" = "$(id -u)"
	rm -r "$W/mine" "$W/after"
}

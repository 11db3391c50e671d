# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Files with a second name: the task's own can be written to; one that came
# with two names, which may lead out of the workspace, only be read.

prepare()
{
	echo host >"$H/file"
	ln "$H/file" "$W/twin"
	ln "$H/file" "$H/second"
}

inside()
{
	echo own >own
	ln own other
	echo more >>other
	same "$(tail -n 1 own)" more
	cp -l own third
	same "$(stat -c %h own)" 3
	same "$(cat twin)" host
	denied sh -c 'echo changed >>twin'
	denied truncate -s 0 twin
}

outside()
{
	test "$(stat -c %h "$W/own")" = 3
	! in_jail || test "$(cat "$H/file")" = host
}

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A workspace named by a symbolic link: the name works, and so does the place.
bare
options --rwx "$H/link" --cwd "$H/link"

prepare()
{
	ln -s "$W" "$H/link"
	mkdir "$W/real"
	ln -s real "$W/inner"
}

inside()
{
	cd "$H/link" || return
	echo by-link >"$H/link/file"
	same "$(cat file)" by-link
	same "$(cat "$(pwd -P)/file")" by-link
	same "$(pwd -P)" "$W"
	cd inner || return
	echo deep >file
	same "$(cat "$H/link/real/file")" deep
	py -c 'import os; os.chdir(os.path.realpath("."))'
}

outside()
{
	test "$(cat "$W/file")" = by-link
	test -L "$H/link"
}

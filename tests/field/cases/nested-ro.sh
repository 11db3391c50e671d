# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A read-only folder in a writable tree, whatever the order of the options.
options --ro "$W/kept" --rwx "$W" --ro "$W/deep/er/kept"

prepare()
{
	mkdir -p "$W/kept" "$W/deep/er/kept"
	echo old >"$W/kept/file"
	echo old >"$W/deep/er/kept/file"
}

inside()
{
	echo new >file
	echo new >deep/er/file
	same "$(cat kept/file)" old
	denied tee kept/file
	denied touch kept/new
	denied rm deep/er/kept/file
	denied mv kept away
	in_jail || mv away kept
	denied mv deep gone
	mkdir beside
}

outside()
{
	test "$(cat "$W/deep/er/file" 2>/dev/null ||
		cat "$W/gone/er/file")" = new
	! in_jail || test "$(cat "$W/kept/file")" = old
	! in_jail || test "$(cat "$W/deep/er/kept/file")" = old
}

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A writable folder and one with programs, both in a read-only tree, beside a
# folder that is closed.
options --rw "$H/tree/out" --ro "$H/tree" --rox "$H/tree/bin"

prepare()
{
	mkdir -p "$H/tree/out" "$H/tree/bin" "$H/tree/src" "$H/closed"
	echo text >"$H/tree/src/file"
	printf '#!/bin/sh\necho ran\n' >"$H/tree/bin/tool"
	cp "$H/tree/bin/tool" "$H/tree/src/tool"
	chmod +x "$H/tree/bin/tool" "$H/tree/src/tool"
	echo secret >"$H/closed/file"
}

inside()
{
	cd "$H/tree" || return
	cp src/file out/file
	mkdir out/sub
	mv out/file out/sub/file
	same "$(bin/tool)" ran
	denied touch src/new
	denied src/tool
	denied cp /bin/true bin/tool
	denied mv out/sub/file src/moved
	denied cat "$H/closed/file"
	ls src >/dev/null
}

outside()
{
	! in_jail || test "$(cat "$H/tree/out/sub/file")" = text
	! in_jail || test ! -e "$H/tree/src/new"
}

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Single files: read, written in place, run; their neighbours stay closed.
options --ro "$H/read" --rw "$H/write" --rox "$H/tool"

prepare()
{
	echo text >"$H/read"
	echo old >"$H/write"
	echo secret >"$H/neighbour"
	printf '#!/bin/sh\necho ran\n' >"$H/tool"
	chmod +x "$H/tool"
	cp "$H/tool" "$H/other-tool"
}

inside()
{
	same "$(cat "$H/read")" text
	echo new >"$H/write"
	echo more >>"$H/write"
	truncate -s 4 "$H/write"
	same "$(cat "$H/write")" new
	same "$("$H/tool")" ran
	denied tee -a "$H/read"
	denied cat "$H/neighbour"
	denied "$H/other-tool"
	denied touch "$H/new"
	denied rm "$H/write"
}

outside()
{
	! in_jail || test "$(cat "$H/write")" = new
	! in_jail || test "$(cat "$H/read")" = text
}

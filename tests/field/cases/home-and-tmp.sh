# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# HOME, TMPDIR and the XDG folders are the task's own: writable, programs run
# from them, nothing of them is left; the caller's are closed.
options --ro "$FIELD_LIB"

prepare()
{
	echo secret >"$W/../home/.netrc"
	echo secret >"$W/../tmp/token"
	printf '%s\n' "$W/../home/.netrc" "$W/../tmp/token" >"$W/paths"
}

inside()
{
	mkdir -p "$HOME/.cache/tool" "$HOME/.config" "$HOME/.local/bin"
	echo new >"$HOME/.bashrc"
	echo cached >"$HOME/.cache/tool/file"
	printf '#!/bin/sh\necho ran\n' >"$HOME/.local/bin/tool"
	chmod +x "$HOME/.local/bin/tool"
	same "$(PATH=$HOME/.local/bin:$PATH tool)" ran
	echo cached | dd of="$TMPDIR/big" bs=1M status=none
	same "$(cat "$TMPDIR/big")" cached
	same ~ "$HOME"
	py -c 'import os
assert os.path.expanduser("~") == os.environ["HOME"]'
	git config --global user.name Task 2>/dev/null || true
	while read -r path; do
		denied cat "$path"
	done <paths
	echo "$HOME"
}

outside()
{
	if in_jail; then
		test "$(ls -A "$W/../home")" = .netrc
		test ! -e "$(cat "$OUT")"
	fi
}

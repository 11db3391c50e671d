# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Granted paths that do not exist: an error that names them, unless they are
# optional; then the task starts without.
bare
options --policy "$H/policy.json" --var "w=$W" --var "h=$H" --cwd "$W" \
	--ro "$FIELD_LIB"

prepare()
{
	cat >"$H/policy.json" <<'END'
{ "version": 1, "name": "field", "profile": "tool", "files": [
  { "path": "${w}", "rights": "rwx" },
  { "path": "${h}/there", "rights": "r", "optional": true },
  { "path": "${h}/gone", "rights": "rw", "optional": true } ] }
END
	echo text >"$H/there"
	in_jail || return 0
	rc=0
	"$FIELD_BIN/sbx-exec" --ro "$H/gone" -- true 2>message || rc=$?
	test $rc = 125
	grep -q gone message
	"$FIELD_BIN/sbx-exec" --ro "$H/there" -- true
}

inside()
{
	same "$(cat "$H/there")" text
	echo made >file
	test ! -e "$H/gone"
	denied mkdir "$H/gone"
}

outside()
{
	test "$(cat "$W/file")" = made
	! in_jail || test ! -e "$H/gone"
}

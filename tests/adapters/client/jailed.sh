#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sbx-ask where it belongs: in a jail, which has the door of the tests' broker
# as a granted descriptor.  Its filter must let channels be made.
. "${srcdir:-.}/tests/adapters/cli/tap.sh"
need_live
fake=${top_builddir:-.}/tests/adapters/client/fake-broker
mkdir "$tmp/bin" || exit 99
cp "${SBX_ASK:-${top_builddir:-.}/sbx-ask}" "$tmp/bin/sbx-ask" || exit 99
chmod 755 "$tmp/bin" "$tmp/bin/sbx-ask"

cat >"$tmp/harness" <<'END'
exec "$@" --allow-fd "$SBX_BROKER_FD" --env "DOOR=$SBX_BROKER_FD" \
	-- sh -c "SBX_BROKER_FD=\$DOOR; export SBX_BROKER_FD; $SCRIPT"
END

# jailed TEXT: a script in a jail; "$ask" is the program.
jailed() {
	SCRIPT="ask='$tmp/bin/sbx-ask'; $1" "$fake" "$tmp/log" \
		sh "$tmp/harness" "$sbx_exec" --rox "$tmp/bin" \
		>"$tmp/out" 2>"$tmp/err" </dev/null
	rc=$?
}

jailed '"$ask" connect tcp:granted:1'
ok 'a connection is granted' out_is 'hello from tcp:granted:1'
jailed '"$ask" connect tcp:denied:1'
ok 'a refusal comes with its reason' err_has 'no rule of the mandate'
ok 'and is 1' rc_is 1
jailed '"$ask" open /srv/a'
ok 'a file is granted' out_is 'content of /srv/a'
jailed 'for i in 1 2 3 4 5 6 7 8; do "$ask" data "b$i" & done; wait
	"$ask" list | wc -l'
ok 'eight at once get theirs' out_has 'content of b8'
ok 'all of them' out_has 8
jailed '"$ask" delegate --env PATH=/usr/bin:/bin -- sh -c "exit 5"'
ok 'a sub-task runs' rc_is 5
"$sbx_exec" --rox "$tmp/bin" -- "$tmp/bin/sbx-ask" list \
	>"$tmp/out" 2>"$tmp/err" </dev/null
rc=$?
ok 'a task without a door may not ask' rc_is 3
finish

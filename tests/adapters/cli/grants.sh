#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Grants on the command line: paths, descriptors, environment, cwd, policy.
. "${srcdir:-.}/tests/adapters/cli/tap.sh"
need_live

mkdir -p "$tmp/ws/sub" "$tmp/other"
chmod 777 "$tmp/ws" "$tmp/ws/sub"
echo text >"$tmp/ws/file"
ln -s ws "$tmp/link"

run --ro "$tmp/ws" -- cat "$tmp/ws/file"
ok '--ro: a file is read' out_is text
run --ro "$tmp/ws" -- sh -c "echo x >'$tmp/ws/new'"
ok '--ro: nothing is written' test ! -e "$tmp/ws/new"
run --rw "$tmp/ws" -- sh -c "echo x >'$tmp/ws/new'"
ok '--rw: a file is written' test -e "$tmp/ws/new"
run -- cat "$tmp/ws/file"
ok 'without a grant nothing is read' not rc_is 0

cd "$tmp/ws/sub" || exit 99
run --rwx .. -- sh -c 'echo here >made'
ok 'a relative path means the caller'\''s directory' test -e made
run --rwx .. -- pwd -P
ok 'the caller'\''s directory, if granted, is the task'\''s' \
	out_is "$(pwd -P)"
run --rwx ./../sub/. -- sh -c 'echo here >made2'
ok 'dots in paths are resolved' test -e made2
cd "$tmp/other" || exit 99
run --rwx "$tmp/ws" -- sh -c '[ "$(pwd -P)" = "$(cd "$HOME" && pwd -P)" ]'
ok 'else it is HOME' rc_is 0
run --rwx "$tmp/ws" --cwd ../ws/sub -- pwd -P
ok '--cwd is resolved, too' out_is "$(cd ../ws/sub && pwd -P)"
cd "$tmp/link/sub" || exit 99
run --rwx "$tmp/link" -- sh -c 'echo here >made3; basename "$PWD"'
ok 'a directory reached by a link works' test -e "$tmp/ws/sub/made3"
run --rwx "$tmp/ws" -- sh -c 'echo here >made4'
ok 'a link to a directory granted by its real name works' \
	test -e "$tmp/ws/sub/made4"
cd "$tmp" || exit 99

run --allow-fd 7 -- sh -c 'read x <&7; echo "$x $SBX_FDS"' 7<"$tmp/ws/file"
ok '--allow-fd keeps the number and lists it' out_is 'text fd7:7'
run --allow-fd 7:in -- sh -c 'echo "$SBX_FDS"' 7<"$tmp/ws/file"
ok '--allow-fd takes a name' out_is in:7
run -- sh -c 'read x <&7' 7<"$tmp/ws/file"
ok 'without it the descriptor is closed' not rc_is 0
run --open "in=$tmp/ws/file" -- sh -c 'read x <&3; echo "$x $SBX_FDS"'
ok '--open opens a file' out_is 'text in:3'
run --open "out=ws/file2" -- sh -c 'echo x >&3'
ok '--open of no file is 125' rc_is 125
: >"$tmp/ws/file2"
run --open "out=ws/file2:w" -- sh -c 'echo x >&3'
ok '--open NAME=PATH:w writes' is "$(cat "$tmp/ws/file2")" x

SECRET=1 KEPT=2 run --env KEPT --env SET=3 --env UNSET_HERE -- env
ok 'a variable is passed' out_has KEPT=2
ok 'a variable is set' out_has SET=3
ok 'no other variable is passed' not out_has SECRET
ok 'a variable that is not set stays so' not out_has UNSET_HERE

cat >"$tmp/policy.json" <<-END
	{"version": 1, "profile": "tool",
	 "files": [{"path": "\${ws}", "rights": "r"}]}
END
run --policy "$tmp/policy.json" --var "ws=$tmp/ws" -- cat "$tmp/ws/file"
ok 'a policy file grants, with a variable' out_is text
run --policy "$tmp/policy.json" -- true
ok 'a variable without a value is 125' rc_is 125
cd "$tmp/ws" || exit 99
run --policy "$tmp/policy.json" --var "ws=$tmp/ws" -- pwd -P
ok 'a directory that the policy file grants is kept' out_is "$(pwd -P)"
cd "$tmp/other" || exit 99
run --policy "$tmp/policy.json" --var "ws=$tmp/ws" -- sh -c 'exit 4'
ok 'a directory that it does not grant is no error' rc_is 4
run --policy "$tmp/policy.json" --var "ws=$tmp/ws" --rw "$tmp/other" \
	-- sh -c 'echo x >made'
ok 'options add to the policy file' test -e "$tmp/other/made"
run -- sh -c 'echo --not-an-option "$@"' sh --timeout x
ok 'options end at the command' out_is '--not-an-option --timeout x'
cd "$tmp" || exit 99

if command -v python3 >/dev/null; then
	python3 -c '
import socket, sys
s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen()
s.settimeout(30); open(sys.argv[1] + ".up", "w").close()
c, _ = s.accept(); c.sendall(b"hello\n"); c.close()' "$tmp/sock" &
	eventually test -e "$tmp/sock.up"
	run --unix peer=sock -- sh -c 'cat <&3'
	ok '--unix gives a connected socket' out_is hello
	wait
else
	skip '--unix gives a connected socket' 'no python3'
fi
# A folder on the way to a narrower grant stays where it is, for the next task.
mkdir -p "$tmp/ws/way/to" "$tmp/ws/free"
echo old >"$tmp/ws/way/to/file"
run --rw "$tmp/ws" --ro "$tmp/ws/way/to" -- mv "$tmp/ws/way" "$tmp/ws/gone"
ok 'the parent of a narrower grant cannot be renamed' not rc_is 0
run --rw "$tmp/ws" --ro "$tmp/ws/way/to" -- mv "$tmp/ws/free" "$tmp/ws/moved"
ok 'its neighbour can' rc_is 0
finish

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Links in a granted tree: those within it work, those that lead out of it do
# not, and none is followed to make or change a thing outside.
options --ro "$H/granted"

prepare()
{
	mkdir "$H/granted" "$H/closed"
	echo text >"$H/granted/file"
	echo secret >"$H/closed/file"
	ln -s "$H/closed" "$W/out"
	ln -s "$H/closed/new" "$W/new"
	ln -s "$H/granted/file" "$W/ok"
	ln -s ../host/closed/file "$W/up"
	ln -s loop "$W/loop"
	ln -s /proc/self/root "$W/root"
}

inside()
{
	echo here >file
	ln -s file near
	same "$(cat near)" here
	echo changed >near
	same "$(cat file)" changed
	same "$(cat ok)" text
	same "$(readlink out)" "$H/closed"
	denied cat out/file
	denied cat up
	denied cat "root$H/closed/file"
	denied sh -c 'echo made >new'
	denied tee ok
	denied ln "$H/closed/file" stolen
	ln -s "$H/closed/file" made
	denied cat made
	if cat loop 2>/dev/null; then
		return 1
	fi
}

outside()
{
	if in_jail; then
		test "$(cat "$H/closed/file")" = secret
		test ! -e "$H/closed/new"
		test "$(cat "$H/granted/file")" = text
	fi
}

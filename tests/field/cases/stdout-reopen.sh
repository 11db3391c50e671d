# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Standard streams opened anew by name, whether they are files or pipes.

inside()
{
	echo one >/dev/stdout
	echo two | tee /dev/stderr >/dev/null
	echo three >/dev/fd/1
	echo four >>/proc/self/fd/1
	echo five | cat /dev/stdin
	echo six | tee /dev/fd/2 >/dev/null
	same "$(echo seven | cat /proc/self/fd/0)" seven
	echo eight >/dev/stderr
	sh -c 'echo nine >/dev/stdout' | cat
}

drive() { "$@" 2>&1 | cat; return "${PIPESTATUS[0]}"; }

outside()
{
	test "$(tr '\n' ' ' <"$OUT")" = \
		'one two three four five six eight nine '
}

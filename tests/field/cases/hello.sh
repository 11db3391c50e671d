# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A shell script writes into its workspace, and its files are the caller's.

inside()
{
	echo hello >made
	mkdir -p folder/deeper
	cp made folder/deeper/copy
	test -O made
	cat folder/deeper/copy
}

outside()
{
	test "$(cat "$OUT")" = hello
	test ! -s "$ERR"
	test "$(stat -c %u "$W/made")" = "$(id -u)"
	test "$(cd "$W" && find . | sort | tr '\n' ' ')" = \
		". ./folder ./folder/deeper ./folder/deeper/copy ./made "
}

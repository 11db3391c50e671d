#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: spdx.sh [TREE]
#
# Every source file says its licence: C in its first line, the rest in one of
# the first three.
lint=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$lint/lib.sh"

tops="include libsandbox harness-adapters examples tests bench scripts"

# without LINES < files: those that do not say it in the first lines.
without()
{
	while read -r f; do
		head -n "$1" "$tree/$f" |
			grep -q 'SPDX-License-Identifier: Apache-2\.0' ||
			echo "$f"
	done
}

c=$(files "$tops" '*.c' '*.h' '*.S')
other=$(files "$tops" '*.sh' '*.mk' '*.awk' '*.py' '*.js' '*.ts' '*.map')
report "there are sources to look at" "$([ -n "$c" ] || echo none)"
report "C files say it in their first line" "$(echo "$c" | sed '/^$/d' | without 1)"
report "other sources say it" "$(echo "$other" | sed '/^$/d' | without 3)"
report "the build files say it" "$(for f in configure.ac Makefile.am; do
	[ -f "$tree/$f" ] && echo "$f"
done | without 3)"
finish

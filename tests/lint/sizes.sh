#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: sizes.sh [TREE]
#
# No function over 100 lines, no file over 600; prints the median function.
lint=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$lint/lib.sh"

max_function=100
max_file=600
tops="include libsandbox harness-adapters examples tests bench scripts"

sources=$(files "$tops" '*.c' '*.h' '*.S' '*.py' '*.js' '*.ts' '*.sh' '*.mk')
report "there are sources to look at" "$([ -n "$sources" ] || echo none)"
report "no file has over $max_file lines" \
	"$(cd "$tree" && printf '%s\n' "$sources" | xargs -r awk -v max=$max_file '
	FNR == max + 1 { print FILENAME }')"

if ! ctags --version 2>/dev/null | grep -q Universal; then
	skip "no function has over $max_function lines" "no universal-ctags"
	finish
fi

# "lines file:line name" of each function, sorted.
functions=$(cd "$tree" && printf '%s\n' "$sources" | grep '\.[ch]$' |
	ctags -L - -x --languages=C --langmap=C:.c.h --c-kinds=f \
		--_xformat='%{end} %n %F %N' 2>/dev/null |
	awk '{ print $1 - $2 + 1, $3 ":" $2, $4 }' | sort -n)
report "ctags finds functions" "$([ -n "$functions" ] || echo none)"
report "no function has over $max_function lines" \
	"$(printf '%s\n' "$functions" | awk -v max=$max_function '$1 > max')"

printf '%s\n' "$functions" | awk '
	$2 ~ /^libsandbox\// { length_of[n++] = $1 }
	END {
		if (n)
			printf "# libsandbox: %d functions, median %d lines, " \
				"90th percentile %d, longest %d\n", n,
				length_of[int((n - 1) / 2)],
				length_of[int((n - 1) * 0.9)], length_of[n - 1]
	}'
finish

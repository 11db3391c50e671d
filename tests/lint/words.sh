#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: words.sh [TREE]
#
# Nothing is left for later, and no line ends in blanks.
lint=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$lint/lib.sh"

tops="include libsandbox harness-adapters examples tests bench scripts
docs pkgconfig"
# Taken apart, or this file would find itself.
later="TO""DO|FIX""ME|XX""X"

all=$(files "$tops" '*.c' '*.h' '*.S' '*.py' '*.js' '*.ts' '*.sh' '*.mk' \
	'*.awk' '*.map' '*.md' '*.json' '*.in' '*.txt' '*.[1-9]'
	cd "$tree" && for f in configure.ac Makefile.am README.md CHANGELOG.md \
		CONTRIBUTING.md SECURITY.md; do
		[ -f $f ] && echo $f
	done)
report "there are files to look at" "$([ -n "$all" ] || echo none)"
report "nothing is left for later" "$(cd "$tree" && echo "$all" |
	sed '/^$/d' | xargs -r grep -nE "(^|[^A-Za-z0-9_])($later)([^A-Za-z0-9_]|\$)" \
	/dev/null)"
# Two blanks at the end of a line mean something in Markdown.
report "no line ends in blanks" "$(cd "$tree" && echo "$all" |
	grep -v '\.md$' | sed '/^$/d' |
	xargs -r grep -nE '[[:space:]]+$' /dev/null)"
finish

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Every exported function has its page; every page is clean.
lint=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$lint/lib.sh"

man=$srcdir/docs/man

# missing SYMBOL: what is wrong with its page, if anything is.
missing()
{
	page=$man/$1.3
	if [ ! -f "$page" ]; then
		echo "$1: no page"
		return
	fi
	target=$(sed -n '1s/^\.so  *//p' "$page")
	if [ -n "$target" ]; then
		page=$man/${target##*/}
		if [ ! -f "$page" ]; then
			echo "$1: its stub names $target, which is missing"
			return
		fi
	fi
	grep -Eq "^\.(Nm|Fn|Fo) +\"?$1( |,|\"|\$)" "$page" ||
		echo "$1: ${page##*/} does not name it"
}

symbols=$(for map in libsandbox libsandbox-client; do
	map_symbols "$srcdir/libsandbox/$map.map"
done)
report "the map names symbols" "$([ -n "$symbols" ] || echo none)"
report "every exported function has a page" \
	"$(for s in $symbols; do missing "$s"; done)"

# A page that says it is about a function says so of an exported one.
report "no page in section 3 is about a function that is gone" \
	"$(for page in "$man"/sbx_*.3; do
		[ -f "$page" ] || continue
		name=${page##*/}
		# Pages of a group of functions are named for a header.
		[ -f "$srcdir/include/sandbox/$(basename "${name#sbx_}" .3).h" ] && continue
		printf '%s\n' "$symbols" | grep -Fxq "${name%.3}" ||
			echo "$name"
	done)"

if ! command -v mandoc >/dev/null; then
	skip "mandoc finds nothing to complain of" "no mandoc"
	finish
fi
for page in "$man"/*.[1-9]; do
	[ -f "$page" ] || continue
	case $(head -n 1 "$page") in
	.so*) continue ;;
	esac
	report "mandoc -Tlint ${page##*/}" \
		"$(mandoc -Tlint -W warning "$page" 2>&1)"
done
finish

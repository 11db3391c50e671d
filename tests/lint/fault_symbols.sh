#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What is shipped has no fault point: no symbol and no string of that name.
lint=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$lint/lib.sh"

word=sbxi_fault

if grep -Eq '^#define [A-Z_]*FAULT[A-Z_]* 1' config.h 2>/dev/null; then
	skip "the library has no fault point" "built with fault injection"
	skip "the helper has no fault point" "built with fault injection"
	finish
fi

# points FILE: as installed, which is without the debugger's names.
points()
{
	copy=$(mktemp) || exit 99
	strip -g -o "$copy" "$1" || echo "$1 cannot be read"
	nm "$copy" 2>/dev/null | grep $word
	nm -D "$copy" 2>/dev/null | grep $word
	grep -aq $word "$copy" && echo "$1 contains $word"
	rm -f "$copy"
}

so=
for f in libsandbox/.libs/libsandbox.so .libs/libsandbox.so; do
	[ -z "$so" ] && [ -f $f ] && so=$f
done
if [ -n "$so" ]; then
	report "the library has no fault point" "$(points "$so")"
else
	skip "the library has no fault point" "no libsandbox.so"
fi

helper=$(find . -name sbx-init -type f -perm -u+x 2>/dev/null | head -n 1)
if [ -n "$helper" ]; then
	report "the helper has no fault point" "$(points "$helper")"
else
	skip "the helper has no fault point" "no sbx-init has been built"
fi
finish

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What runs between clone and exec shares the memory of a harness with many
# threads: it calls nothing but what launch_symbols.txt lists.
lint=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$lint/lib.sh"

list=$lint/launch_symbols.txt
objects=$(find libsandbox/spawn libsandbox/base \( -name '*launch_child*.o' \
	-o -name '*closefrom*.o' \) 2>/dev/null | sort)
if [ -z "$objects" ]; then
	skip "the launch object calls only what is listed" \
		"no launch object has been built"
	finish
fi
allowed=$(sed 's/#.*//; s/[[:space:]]//g; /^$/d' "$list")
for object in $objects; do
	report "${object#libsandbox/} calls only what is listed" \
		"$(nm -u "$object" | awk '{ print $NF }' | while read -r s; do
			printf '%s\n' "$allowed" | grep -Fxq "$s" || echo "$s"
		done)"
done
finish

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The map, the headers and the built library agree on what is exported.
lint=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$lint/lib.sh"

# differ NAME-A LIST-A NAME-B LIST-B: what only one of them has.
differ()
{
	printf '%s\n@@\n%s\n' "$2" "$4" | awk -v a="$1" -v b="$3" '
	$0 == "@@" { second = 1; next }
	$0 == "" { next }
	second { in_b[$0] = 1; next }
	{ in_a[$0] = 1 }
	END {
		for (s in in_a)
			if (!(s in in_b))
				print s " is in " a ", not in " b
		for (s in in_b)
			if (!(s in in_a))
				print s " is in " b ", not in " a
	}'
}

# declared CLIENT: what the headers declare, without comments and directives;
# client.h belongs to the other library.
declared()
{
	for h in "$srcdir"/include/sandbox/*.h; do
		[ "${h##*/}" = client.h ] && is=1 || is=0
		[ $is != "$1" ] || awk -f "$lint/strip.awk" "$h" |
			sed 's/^.*:[0-9]*://'
	done | awk '
	/\\$/ && (/^[ \t]*#/ || directive) { directive = 1; next }
	/^[ \t]*#/ || directive { directive = 0; next }
	{ print }' | tr '\n' ' ' | tr ';{}' '[\n*]' | grep SBX_API |
		sed 's/SBX_NONNULL *([^)]*)//; s/SBX_API//; s/SBX_MUST_USE//' |
		sed -n 's/^[^(]*[^A-Za-z0-9_]\([A-Za-z0-9_]*\) *(.*/\1/p' | sort
}

# check LIBRARY CLIENT: its map, its headers, and what was built.
check()
{
	map=$srcdir/libsandbox/$1.map
	so=
	for dir in libsandbox/.libs .libs; do
		[ -z "$so" ] && [ -f "$dir/$1.so" ] && so=$dir/$1.so
	done
	in_map=$(map_symbols "$map")

	report "$1: the map names symbols" "$([ -n "$in_map" ] || echo none)"
	report "$1: the map has no pattern but the local one" \
		"$(echo "$in_map" | grep '[^A-Za-z0-9_]')"
	report "$1: and hides the rest" \
		"$(tr -d ' \t\n' <"$map" | grep -Fq 'local:*;' ||
			echo "no local: *;")"
	report "$1: the map names nothing twice" "$(echo "$in_map" | uniq -d)"
	report "$1: the headers declare what the map exports" \
		"$(differ "the map" "$in_map" "a header" "$(declared "$2")")"
	report "$1: every exported name begins with sbx_" \
		"$(echo "$in_map" | grep -v '^sbx_')"
	if [ -z "$so" ]; then
		skip "$1: the library exports what the map names" \
			"no $1.so (static build)"
		skip "$1: the library exports nothing internal" "no $1.so"
		return
	fi
	exported=$(nm -D --defined-only "$so" | awk '$2 != "A" {
		sub(/@.*/, "", $3); print $3 }' | sort -u)
	report "$1: the library exports what the map names" \
		"$(differ "the map" "$in_map" "$so" "$exported")"
	report "$1: the library exports nothing internal" \
		"$(echo "$exported" | grep '^sbxi_')"
}

check libsandbox 0
check libsandbox-client 1

# Nothing but libc: it is loaded into any program of a task.
client=libsandbox/.libs/libsandbox-client.so
if [ -f "$client" ]; then
	report "libsandbox-client needs libc only" "$(readelf -d "$client" |
		sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
		grep -v -e '^libc\.so' -e '^lib[a-z]*san\.so' \
			-e '^ld-linux' -e '^libgcc_s\.so')"
	report "and neither heap nor threads" "$(nm -D -u "$client" |
		sed 's/@.*//' | awk '{ print $NF }' |
		grep -Ex '(m|c|re)alloc|free|pthread_create|fork|sigaction')"
else
	skip "libsandbox-client needs libc only" "no $client"
	skip "and neither heap nor threads" "no $client"
fi
finish

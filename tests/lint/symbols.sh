#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The map, the headers and the built library agree on what is exported.
lint=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$lint/lib.sh"

map=$srcdir/libsandbox/libsandbox.map
so=
for dir in libsandbox/.libs .libs; do
	[ -z "$so" ] && [ -f $dir/libsandbox.so ] && so=$dir/libsandbox.so
done

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

in_map=$(map_symbols "$map")

# Headers without comments and directives, a declaration a line.  client.h
# belongs to the other library.
in_headers=$(for h in "$srcdir"/include/sandbox/*.h; do
	[ "${h##*/}" = client.h ] || awk -f "$lint/strip.awk" "$h" |
		sed 's/^.*:[0-9]*://'
done | awk '
	/\\$/ && (/^[ \t]*#/ || directive) { directive = 1; next }
	/^[ \t]*#/ || directive { directive = 0; next }
	{ print }' | tr '\n' ' ' | tr ';{}' '[\n*]' | grep SBX_API |
	sed 's/SBX_NONNULL *([^)]*)//; s/SBX_API//; s/SBX_MUST_USE//' |
	sed -n 's/^[^(]*[^A-Za-z0-9_]\([A-Za-z0-9_]*\) *(.*/\1/p' | sort)

report "the map names symbols" "$([ -n "$in_map" ] || echo none)"
report "the map has no pattern but the local one" \
	"$(echo "$in_map" | grep '[^A-Za-z0-9_]')"
report "and hides the rest" "$(tr -d ' \t\n' <"$map" | grep -Fq 'local:*;' ||
	echo "no local: *;")"
report "the map names nothing twice" "$(echo "$in_map" | uniq -d)"
report "the headers declare what the map exports" \
	"$(differ "the map" "$in_map" "a header" "$in_headers")"
report "every exported name begins with sbx_" \
	"$(echo "$in_map" | grep -v '^sbx_')"

if [ -z "$so" ]; then
	skip "the library exports what the map names" \
		"no libsandbox.so (static build)"
	skip "the library exports nothing internal" "no libsandbox.so"
else
	exported=$(nm -D --defined-only "$so" | awk '$2 != "A" {
		sub(/@.*/, "", $3); print $3 }' | sort -u)
	report "the library exports what the map names" \
		"$(differ "the map" "$in_map" "$so" "$exported")"
	report "the library exports nothing internal" \
		"$(echo "$exported" | grep '^sbxi_')"
fi
finish

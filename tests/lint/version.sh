#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# One version everywhere.
lint=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$lint/lib.sh"

version=$(sed -n 's/^AC_INIT(\[[^]]*\], *\[\([^]]*\)\].*/\1/p' \
	"$srcdir/configure.ac")
report "configure.ac has a version" "$([ -n "$version" ] || echo none)"

newest=$(sed -n 's/^## *\[\{0,1\}\([0-9][0-9.a-z-]*\).*/\1/p' \
	"$srcdir/CHANGELOG.md" | head -n 1)
report "CHANGELOG.md begins with it" \
	"$([ "$newest" = "$version" ] || echo "$newest, not $version")"

for pc in "$srcdir"/pkgconfig/*.pc.in; do
	[ -f "$pc" ] || continue
	report "${pc##*/} takes it from configure" \
		"$(grep -q '^Version: @PACKAGE_VERSION@$' "$pc" ||
			grep '^Version:' "$pc" || echo "no Version line")"
done
report "there is a .pc.in" \
	"$(ls "$srcdir"/pkgconfig/libsandbox.pc.in 2>&1 >/dev/null)"

# A node a release: the newest node is of this version or an older one.
for map in libsandbox libsandbox-client; do
	node=$(sed -n 's/^LIBSANDBOX_\(CLIENT_\)\{0,1\}\([0-9.]*\) *{.*/\2/p' \
		"$srcdir/libsandbox/$map.map" | tail -n 1)
	report "the newest node of $map.map is not newer" "$([ -n "$node" ] &&
		[ "$(printf '%s\n%s\n' "$node" "$version" | sort -V |
			tail -n 1)" = "$version" ] ||
		echo "$node against $version")"
done

# What falls back to a number of its own must have the same.
report "no other version in the sources" "$(files "libsandbox harness-adapters" \
	'*.h' '*.c' | (cd "$srcdir" && xargs -r grep -nE \
	'define[[:space:]]+(SBX|PACKAGE)_VERSION[[:space:]]+"') |
	grep -vF "\"$version\"")"
for f in harness-adapters/python/pyproject.toml \
	harness-adapters/node/package.json; do
	[ -f "$srcdir/$f" ] || continue
	report "$f has it" "$(grep -Eq \
		"^[[:space:]]*\"?version\"? *[:=] *\"$version\"" \
		"$srcdir/$f" || grep -n version "$srcdir/$f" || echo none)"
done
if [ -f config.h ]; then
	report "the build was configured with it" \
		"$(grep -q "define PACKAGE_VERSION \"$version\"" config.h ||
			grep PACKAGE_VERSION config.h)"
fi
finish

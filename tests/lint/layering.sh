#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: layering.sh [TREE]
#
# A folder of the library includes only folders below it; what is built on
# the library includes public headers and its own files.
lint=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$lint/lib.sh"

order="base kernel policy spawn broker graph workspace call api"

# shellcheck disable=SC2016 # awk's own
# "file:line name kind" of each include; kind is " or <.
list=$(files "include libsandbox harness-adapters examples" '*.[chS]' |
	(cd "$tree" && xargs -r awk '
	/^[ \t]*#[ \t]*include[ \t]*[<"]/ {
		match($0, /[<"].*[>"]/)
		print FILENAME ":" FNR, substr($0, RSTART + 1, RLENGTH - 2), \
			substr($0, RSTART, 1)
	}'))

report "there are sources to look at" "$([ -n "$list" ] || echo none)"

# findings FOLDER ALLOWED...: includes of the library that reach elsewhere.
findings()
{
	printf '%s\n' "$list" | awk -v folder="libsandbox/$1/" \
		-v allowed="$*" -v all="$order init client" '
	BEGIN {
		n = split(allowed, a, " ")
		for (i = 2; i <= n; i++)
			ok[a[i]] = 1
		n = split(all, a, " ")
		for (i = 1; i <= n; i++)
			ours[a[i]] = 1
	}
	index($1, folder) == 1 && $2 != "config.h" {
		slash = index($2, "/")
		first = substr($2, 1, slash - 1)
		if ($3 == "<") {
			if (first in ours)
				print $1 ": <" $2 "> (write it in quotes)"
		} else if (!slash)
			print $1 ": \"" $2 "\" (write it with its folder)"
		else if (!(first in ok))
			print $1 ": \"" $2 "\""
	}'
}

below=
for folder in $order; do
	below="$below $folder"
	# shellcheck disable=SC2086 # words
	report "$folder/ includes only what is below it" \
		"$(findings $folder $below)"
done
report "init/ includes base/, kernel/ and its own" \
	"$(findings init base kernel init)"
report "client/ includes base/ and its own" "$(findings client base client)"

unknown=$(cd "$tree/libsandbox" 2>/dev/null && for d in */; do
	case " $order init client * . " in
	*" ${d%/} "*) ;;
	*) echo "libsandbox/$d" ;;
	esac
done)
report "every folder of libsandbox/ has its place in the order" "$unknown"

report "public headers include public headers and the system's" \
	"$(printf '%s\n' "$list" | grep '^include/' | grep '"$')"

outside=$(printf '%s\n' "$list" | grep -E '^(harness-adapters|examples)/' |
	while read -r place name kind; do
		file=${place%%:*}
		first=${name%%/*}
		case " $order init client " in
		*" $first "*)
			[ "$first" = "$name" ] || echo "$place: $name"
			continue
			;;
		esac
		case $name in
		*libsandbox/*)
			echo "$place: $name"
			continue
			;;
		esac
		[ "$kind" = '<' ] || [ "$name" = config.h ] ||
			[ -f "$tree/${file%/*}/$name" ] ||
			[ -f "$tree/${file%%/*}/$name" ] ||
			echo "$place: $name"
	done)
report "harness-adapters/ and examples/ use public headers and their own" \
	"$outside"
finish

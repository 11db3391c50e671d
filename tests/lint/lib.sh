# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
#
# Shared by the consistency tests: TAP, and C without comments and strings.
# Sourced; "lint" is the folder of these scripts, "tree" what is looked at.

: "${srcdir:=.}"
tree=${1:-$srcdir}
n=0
failed=0

# report NAME TEXT: ok if the text is empty, else each line of it is a finding.
report()
{
	findings=$(printf '%s\n' "$2" | sed '/^$/d')
	n=$((n + 1))
	if [ -z "$findings" ]; then
		echo "ok $n - $1"
	else
		failed=$((failed + 1))
		echo "not ok $n - $1"
		printf '%s\n' "$findings" | sed 's/^/# /'
	fi
}

# skip NAME REASON: loud, and a failure where everything must run.
skip()
{
	n=$((n + 1))
	if [ -n "$SBX_REQUIRE_LIVE" ]; then
		failed=$((failed + 1))
		echo "not ok $n - $1 (nothing may be skipped: $2)"
	else
		echo "ok $n - $1 # SKIP $2"
	fi
}

finish()
{
	echo "1..$n"
	[ "$failed" = 0 ]
	exit
}

# files FOLDERS PATTERN...: files of the tree, sorted, no build products.
files()
{
	folders=$1
	shift
	set -f
	args=
	for pattern in "$@"; do
		args="$args${args:+ -o} -name $pattern"
	done
	# shellcheck disable=SC2086 # words
	(cd "$tree" && for folder in $folders; do
		[ -d "$folder" ] && find "$folder" \
			\( -name .libs -o -name .deps -o -name node_modules \
			-o -name __pycache__ -o -name build \) -prune -o \
			-type f \( $args \) -print
	done) | sort
	set +f
}

# map_symbols FILE: the names that a linker map makes global, sorted.
map_symbols()
{
	sed 's,/\*.*\*/,,' "$1" | tr '{};' '[\n*]' | awk '
	/local:/ { global = 0 }
	/global:/ { global = 1; sub(/.*global:/, "") }
	global && /[A-Za-z]/ { gsub(/[ \t]/, ""); print }
	/^[ \t]*$/ { next }' | sort
}

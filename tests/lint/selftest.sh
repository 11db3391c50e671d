#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The consistency tests can fail: each gets small trees, one in order, and
# others with one thing wrong.
lint=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$lint/lib.sh"

unset SBX_REQUIRE_LIVE
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
spdx="/* SPDX-License-Identifier: Apache-2.0 */"

# A tree in which nothing is wrong, though much looks like it.
fresh()
{
	rm -rf "$dir/t"
	mkdir -p "$dir/t/libsandbox/base" "$dir/t/libsandbox/kernel" \
		"$dir/t/libsandbox/spawn" "$dir/t/libsandbox/init" \
		"$dir/t/include/sandbox" "$dir/t/examples" \
		"$dir/t/harness-adapters/cli"
	put libsandbox/base/text.h "$spdx" "int sbxi_text(void);"
	put libsandbox/kernel/mount.h "$spdx" '#include "base/text.h"'
	put libsandbox/spawn/launch.c "$spdx" \
		'#include <sandbox/types.h>' '#include "kernel/mount.h"' \
		'/* no fork(), no system("x"), no getenv() here */' \
		'// and no strcpy(a, b) either' \
		'static const char text[] = "\"printf(\" exit(1) stdout";' \
		'int sbxi_launch(struct ops *ops)' '{' \
		"	char quote = '\"';" '' \
		'	/*' '	 * abort() and' '	 * getenv()' '	 */' \
		'	_exit(ops->exit(ops->system(sizeof(text)), quote));' '}'
	put libsandbox/init/main.c "$spdx" '#include "kernel/mount.h"'
	put include/sandbox/types.h "$spdx" '#include <stdint.h>'
	put examples/one.c "$spdx" '#include <sandbox/types.h>' \
		'int main(void)' '{' '	return 0;' '}'
	put harness-adapters/cli/main.c "$spdx" '#include "options.h"'
	put harness-adapters/cli/options.h "$spdx"
	put README.md '```c' '#include <sandbox/types.h>' 'int main(void)' \
		'{' '	return 0;' '}' '```'
}

# put FILE LINE...: write it.
put()
{
	f=$dir/t/$1
	shift
	printf '%s\n' "$@" >"$f"
}

# add FILE LINE...: at the end of it.
add()
{
	f=$dir/t/$1
	shift
	printf '%s\n' "$@" >>"$f"
}

# passes TEST / fails TEST NAME: with the tree as it is; then a fresh one.
passes()
{
	out=$("$lint/$1.sh" "$dir/t" 2>&1)
	rc=$?
	report "$1: a tree in order passes" "$([ $rc = 0 ] || echo "$out")"
}

fails()
{
	out=$("$lint/$1.sh" "$dir/t" 2>&1)
	rc=$?
	report "$1: $2 is found" "$({ [ $rc != 0 ] &&
		[ "$(echo "$out" | grep -c '^not ok')" = 1 ]; } ||
		echo "status $rc: $out")"
	fresh
}

lines()
{
	awk -v n="$1" -v text="$2" 'BEGIN { while (n--) print text }'
}

fresh
passes layering
add libsandbox/base/text.h '#include "kernel/mount.h"'
fails layering "a folder above"
add libsandbox/init/main.c '#  include "spawn/launch.h"'
fails layering "the library in the helper"
add libsandbox/spawn/launch.c '#include <base/text.h>'
fails layering "an internal header in angle brackets"
add libsandbox/kernel/mount.h '#include "other.h"'
fails layering "a header without its folder"
add harness-adapters/cli/main.c '#include "base/text.h"'
fails layering "an internal header in an adapter"
add examples/one.c '#include "../libsandbox/base/text.h"'
fails layering "a detour to an internal header"
add include/sandbox/types.h '#include "base/text.h"'
fails layering "an internal header in a public one"
mkdir "$dir/t/libsandbox/misc"
fails layering "a folder without a place"
rm -rf "$dir/t/libsandbox" "$dir/t/include" "$dir/t/examples" \
	"$dir/t/harness-adapters"
fails layering "an empty tree"

passes banned
put calls 'sprintf(b, "x");' 'strcpy (a, b);' 'x = atoi(s);' \
	'system("x");' 'pid = fork();' 'getenv("HOME");' 'return environ;' \
	'printf("x");' 'fprintf(stderr, "x");' 'exit(1);' 'assert(x);' \
	'pthread_create(&t, 0, f, 0);' 'signal(SIGTERM, handler);' \
	'/* comment */ abort();' 'x = "\\"; popen(x);'
cat "$dir/t/calls" >>"$dir/t/libsandbox/spawn/launch.c"
first=$(awk 'END { print NR + 1 }' "$dir/t/libsandbox/spawn/launch.c")
first=$((first - $(awk 'END { print NR }' "$dir/t/calls")))
out=$("$lint/banned.sh" "$dir/t" 2>&1)
while IFS= read -r call; do
	report "banned: $call is found" \
		"$(printf '%s\n' "$out" | grep -q "launch.c:$first:" ||
			printf '%s\n' "$out")"
	first=$((first + 1))
done <"$dir/t/calls"
fresh
add libsandbox/init/main.c '	p = malloc(1);'
fails banned "heap in the helper"
mkdir -p "$dir/t/libsandbox/client"
put libsandbox/client/open.c "$spdx" '	text = getenv("SBX_BROKER_FD");'
passes banned
put libsandbox/client/ask.c "$spdx" '	text = getenv("SBX_BROKER_FD");'
fails banned "the environment elsewhere in the client"
mkdir -p "$dir/t/libsandbox/client"
put libsandbox/client/open.c "$spdx" '	p = malloc(1);'
fails banned "heap in the client"
add libsandbox/init/main.c '	snprintf(b, 1, "x");'
fails banned "stdio in the helper"
add libsandbox/init/main.c '	sigaction(SIGTERM, &sa, 0);'
add libsandbox/spawn/launch.c '	signal(SIGTERM, SIG_DFL);'
passes banned

fresh
if ctags --version 2>/dev/null | grep -q Universal; then
	{
		echo "int f(void)"
		echo "{"
		lines 97 "	f();"
		echo "}"
	} >>"$dir/t/libsandbox/spawn/launch.c"
	passes sizes
	fresh
	{
		echo "int f(void)"
		echo "{"
		lines 98 "	f();"
		echo "}"
	} >>"$dir/t/libsandbox/spawn/launch.c"
	fails sizes "a function of 101 lines"
	lines 599 "int x;" >>"$dir/t/libsandbox/base/text.h"
	fails sizes "a file of 601 lines"
else
	skip "sizes" "no universal-ctags"
fi

passes words
add libsandbox/base/text.h "/* TO""DO: later */"
fails words "something left for later"
add libsandbox/base/text.h "int x; "
fails words "a blank at the end of a line"
add libsandbox/base/text.h "int XX""XX, xx""x, FIX""MES;"
passes words

fresh
passes spdx
put libsandbox/base/text.h "int x;" "$spdx"
fails spdx "a licence in the second line of a header"
put libsandbox/base/base.mk "EXTRA_DIST += x"
fails spdx "a fragment without a licence"

passes examples
lines 75 "int x;" >"$dir/more"
cat "$dir/more" >>"$dir/t/examples/one.c"
{
	sed 1d "$dir/t/examples/one.c"
	echo
} >"$dir/t/README.md"
fails examples "a long one"
add examples/one.c "int x;"
fails examples "one that README.md quotes otherwise"
finish

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Every public header compiles alone, as C99 and as C++11, without a word
# from the compiler; what must never change its layout has not.
lint=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$lint/lib.sh"

first_of()
{
	for c in "$@"; do
		if command -v "$c" >/dev/null; then
			echo "$c"
			return
		fi
	done
}

cc=${CC:-$(first_of cc gcc clang)}
cxx=${CXX:-$(first_of c++ g++ clang++)}

# compile COMPILER LANGUAGE STANDARD < source; findings on standard output.
compile()
{
	# shellcheck disable=SC2086 # a compiler and its options
	$1 -x "$2" "-std=$3" -pedantic -Wall -Wextra -Werror -fsyntax-only \
		"-I$srcdir/include" - 2>&1
}

for h in "$srcdir"/include/sandbox/*.h; do
	name=sandbox/${h##*/}
	report "$name compiles alone as C99" \
		"$(echo "#include <$name>" | compile "$cc" c c99)"
	report "$name compiles alone as C11" \
		"$(echo "#include <$name>" | compile "$cc" c c11)"
	if [ -z "$cxx" ]; then
		skip "$name compiles alone as C++11" "no C++ compiler"
	else
		report "$name compiles alone as C++11" \
			"$(echo "#include <$name>" | compile "$cxx" c++ c++11)"
	fi
	report "$name can be included twice" \
		"$(printf '#include <%s>\n#include <%s>\n' "$name" "$name" |
			compile "$cc" c c99)"
done

report "struct sbx_error has its 504 bytes in their places" \
	"$(compile "$cc" c c11 <<'C'
#include <stddef.h>
#include <sandbox/error.h>
#define AT(member, offset) \
	_Static_assert(offsetof(struct sbx_error, member) == (offset), #member)
_Static_assert(sizeof(struct sbx_error) == 504, "size");
AT(code, 0);
AT(step, 4);
AT(where, 8);
AT(remedy, 12);
AT(sys_errno, 16);
AT(reserved, 20);
AT(object, 24);
AT(text, 280);
C
)"

# The size comes first in every struct whose initialiser sets it.
structs=$(awk -f "$lint/strip.awk" "$srcdir"/include/sandbox/*.h |
	sed -n 's/.*(uint32_t)sizeof(struct \(sbx_[a-z_]*\)).*/\1/p' | sort -u)
report "structs that cross the edge begin with their size" \
	"$({
		echo '#include <stddef.h>'
		echo '#include <sandbox/sandbox.h>'
		echo '#include <sandbox/client.h>'
		for s in $structs; do
			echo "_Static_assert(offsetof(struct $s, size) == 0," \
				"\"$s\");"
		done
	} | compile "$cc" c c11)"
report "there are such structs" "$([ -n "$structs" ] || echo none)"

# Every exported prototype has its comment right above it.
report "every exported prototype is commented" \
	"$(awk '
	/\*\/[ \t]*$/ { commented = 1; next }
	/SBX_API/ && !/#define/ && !commented { print FILENAME ":" FNR }
	{ commented = 0 }' "$srcdir"/include/sandbox/*.h)"
finish

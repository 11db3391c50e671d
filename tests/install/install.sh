#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs into a folder of its own, and builds a program there with nothing
# but pkg-config's flags, as C and as C++; also with the uninstalled .pc.
set -u
src=${srcdir:-.}
build=${top_builddir:-.}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/sbx-install.XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT
n=0
failed=0

ok()
{
	local name=$1
	shift
	n=$((n + 1))
	if "$@" >"$tmp/log" 2>&1; then
		echo "ok $n - $name"
	else
		failed=1
		echo "not ok $n - $name"
		sed 's/^/# /' "$tmp/log"
	fi
}

status_is_7()
{
	"$@"
	[ $? = 7 ]
}

# compile COMPILER OUTPUT [SOURCE LIBRARY]: with the flags of pkg-config, no
# other.
compile()
{
	# shellcheck disable=SC2046 # flags are words
	$1 -Wall -Wextra -Werror -o "$2" \
		"$src/tests/install/${3:-consumer}.c" \
		$(pkg-config --cflags --libs "${4:-libsandbox}")
}

# The archive has all that it needs.
compile_static()
{
	# shellcheck disable=SC2046 # flags are words
	gcc -Wall -Wextra -Werror -o "$1" "$src/tests/install/client.c" \
		$(pkg-config --cflags libsandbox-client) \
		"$lib/libsandbox-client.a"
}

# Not the environment of this test: the programs must find their library.
unset LD_LIBRARY_PATH SBX_BROKER_FD
export PKG_CONFIG_PATH=$build/pkgconfig
ok "it compiles with the uninstalled .pc" compile gcc "$tmp/uninstalled"
ok "and runs" status_is_7 "$tmp/uninstalled"
ok "the client compiles with the uninstalled .pc" \
	compile gcc "$tmp/uninstalled" client libsandbox-client
ok "and runs" status_is_7 "$tmp/uninstalled"

ok "it installs" make -C "$build" install DESTDIR="$tmp/root"
pc=$(find "$tmp/root" -name libsandbox.pc)
ok "there is one .pc" test -f "$pc"
PKG_CONFIG_PATH=$(dirname "$pc")
PKG_CONFIG_SYSROOT_DIR=$tmp/root
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
lib=$(dirname "$(find "$tmp/root" -name libsandbox.so.0)")
ok "it compiles as C" compile gcc "$tmp/as-c"
ok "it compiles as C++" compile "g++ -x c++ -std=c++11" "$tmp/as-cxx"
ok "as C it runs" status_is_7 env LD_LIBRARY_PATH="$lib" "$tmp/as-c"
ok "as C++ it runs" status_is_7 env LD_LIBRARY_PATH="$lib" "$tmp/as-cxx"
ok "the client compiles as C" compile gcc "$tmp/as-c" client libsandbox-client
ok "the client compiles as C++" \
	compile "g++ -x c++ -std=c++11" "$tmp/as-cxx" client libsandbox-client
ok "as C it runs" status_is_7 env LD_LIBRARY_PATH="$lib" "$tmp/as-c"
ok "as C++ it runs" status_is_7 env LD_LIBRARY_PATH="$lib" "$tmp/as-cxx"
ok "the client compiles with the archive" compile_static "$tmp/static"
ok "which runs alone" status_is_7 "$tmp/static"
ok "the schema is installed" test -n "$(find "$tmp/root" -name policy.schema.json)"
ok "the helper is installed" test -x "$(find "$tmp/root" -name sbx-init)"
ok "pages are installed" test -n "$(find "$tmp/root" -name sbx_spawn.3)"
echo "1..$n"
exit $failed

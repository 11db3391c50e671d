#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: image.sh SRCDIR BUILDDIR KERNEL-FOLDER TEST... >initramfs
#
# The guest's file system: commands and libraries of this system, the tests
# below /build as they lie in the build folder, and /guest.sh to run them.
set -eu
src=$1 build=$2 kernel=$3
shift 3
here=$(dirname "$(readlink -f "$0")")
work=$(mktemp -d "${TMPDIR:-/tmp}/sbx-image.XXXXXX")
trap 'rm -rf "$work"' EXIT
# What becomes "/": moved there by init, since nobody can pivot_root away from
# an initramfs itself.
system=$work/system
mkdir -p "$work"/{bin,dev,proc} "$system"/usr/{bin,sbin,lib,lib64} \
	"$system"/{dev,etc,home,proc,root,run,sys,tmp,var/tmp,build,src,kernel}
chmod 1777 "$system/tmp" "$system/var/tmp"
for dir in bin sbin lib lib64; do
	ln -s "usr/$dir" "$system/$dir"
done
cp /bin/busybox "$work/bin/"
cp /bin/busybox "$system/usr/sbin/"
cp "$here/init" "$work/init"
cp "$here/guest.sh" "$system/guest.sh"
chmod 755 "$work/init" "$system/guest.sh"
cp "$kernel"/*.ko "$system/kernel/"

copy_commands()
{
	local name path
	for name in $(sed 's/#.*//' "$here/commands"); do
		# Those of the system: others may be scripts that lead elsewhere.
		path=$(PATH=/usr/bin:/bin:/usr/sbin:/sbin type -P "$name") ||
			continue
		cp -L "$path" "$system/usr/bin/$name"
	done
}

# Both the program and what libtool made of it, where there is one.
copy_built()
{
	local name path
	for name; do
		for path in "$name" "$(dirname "$name")/.libs/${name##*/}"; do
			[ -f "$build/$path" ] || continue
			mkdir -p "$system/build/$(dirname "$path")"
			cp -L "$build/$path" "$system/build/$path"
		done
	done
}

copy_folder()
{
	local path
	for path in "$build/$1"/* "$build/$1"/.libs/*; do
		if [ -f "$path" ] && [ -x "$path" ]; then
			copy_built "${path#"$build/"}"
		fi
	done
}

# The libraries of all that was copied, at their own paths.
copy_libraries()
{
	find "$system" -type f \( -perm -u+x -o -name '*.so*' \) \
		! -name '*.sh' -print0 |
		LD_LIBRARY_PATH=$build/libsandbox/.libs xargs -0 ldd 2>/dev/null |
		grep -oE '/[^ :]+\.so[^ :]*' | sort -u |
		while read -r lib; do
			case $lib in
			"$build"/* | "$system"/*) continue ;;
			esac
			mkdir -p "$system$(dirname "$lib")"
			[ -e "$system$lib" ] || cp -L "$lib" "$system$lib"
		done
}

copy_commands
copy_built sbx-exec sbx-doctor "$@"
copy_folder tests/live/in
copy_folder tests/degrade
mkdir -p "$system/build/libsandbox/.libs"
cp -a "$build"/libsandbox/.libs/libsandbox.so* \
	"$system/build/libsandbox/.libs/"
for part in tests docs share libsandbox; do
	tar -C "$src" --exclude='*.o' --exclude=.libs -cf - "$part" |
		tar -C "$system/src" -xf -
done
copy_libraries
printf '%s\n' "$@" >"$system/tests"
printf 'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n' \
	>"$system/etc/passwd"
printf 'root:x:0:\nnogroup:x:65534:\n' >"$system/etc/group"
printf '127.0.0.1 localhost\n' >"$system/etc/hosts"
chmod -R go+rX "$system"
# Unpacked size is what costs time in the guest: no compression.
(cd "$work" && find . | cpio -o -H newc --quiet -R 0:0)

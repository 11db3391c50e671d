#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# usage: kernel.sh FOLDER
#
# Puts the 6.1 kernel into FOLDER, as vmlinuz and *.ko: from the unpacked
# package $SBX_KERNEL_TREE, from the package file $SBX_KERNEL_DEB or
# linux-image-6.1*.deb in the current folder, or, where that is what runs
# here, from /boot and /lib/modules.  Nothing is installed or downloaded.
set -eu
to=$1
# In the order in which they are loaded.
modules='lib/crc16 fs/mbcache crypto/crc32c_generic fs/jbd2/jbd2 fs/ext4/ext4
drivers/block/loop fs/overlayfs/overlay'

newest()
{
	find "$@" -maxdepth 1 2>/dev/null | sort -V | tail -n 1
}

tree=${SBX_KERNEL_TREE-}
deb=${SBX_KERNEL_DEB-}
[ -n "$tree$deb" ] || deb=$(newest . -name 'linux-image-6.1*.deb')
if [ -z "$tree$deb" ] && [ -n "$(newest /boot -name 'vmlinuz-6.1.*')" ]; then
	tree=/
fi
if [ -z "$tree$deb" ]; then
	echo "no 6.1 kernel: 'apt-get download linux-image-6.1.0-N-amd64'" \
		"into $PWD (apt-cache depends linux-image-amd64 knows N)"
	exit 1
fi
mkdir -p "$to"
if [ -z "$tree" ]; then
	tree=$to/unpacked
	rm -rf "$tree"
	dpkg -x "$deb" "$tree" >&2
fi
image=$(newest "$tree/boot" -name 'vmlinuz-6.1.*')
if [ -z "$image" ]; then
	echo "no boot/vmlinuz-6.1.* in $tree"
	exit 1
fi
version=${image##*/vmlinuz-}
cp "$image" "$to/vmlinuz"
n=0
for module in $modules; do
	n=$((n + 1))
	cp "$tree/lib/modules/$version/kernel/$module.ko" \
		"$to/$n-${module##*/}.ko"
done
rm -rf "$to/unpacked"

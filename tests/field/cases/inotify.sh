# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# File watching: changes by the task itself and by the host are seen.

prepare() { mkdir "$W/watched"; }

inside()
{
	py - <<'END'
import ctypes
import os
import select
import struct

libc = ctypes.CDLL(None, use_errno=True)
fd = libc.inotify_init1(os.O_CLOEXEC)
assert fd >= 0
ALL = 0xfff
assert libc.inotify_add_watch(fd, b"watched", ALL) > 0
with open("watched/a", "w") as f:
    f.write("x")
os.rename("watched/a", "watched/b")
os.chmod("watched/b", 0o600)
os.unlink("watched/b")
seen = {}
while "b" not in seen or not seen["b"] & 0x200:
    assert select.select([fd], [], [], 30)[0], seen
    data = os.read(fd, 65536)
    while data:
        _, mask, _, length = struct.unpack("iIII", data[:16])
        name = data[16:16 + length].rstrip(b"\0").decode()
        seen[name] = seen.get(name, 0) | mask
        data = data[16 + length:]
assert seen["a"] & 0x100 and seen["a"] & 0x2 and seen["a"] & 0x40, seen
assert seen["b"] & 0x80 and seen["b"] & 0x4, seen
END
}

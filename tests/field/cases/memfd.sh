# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Memory files by name: written, mapped, sealed, passed on, opened anew; none
# that can be executed.

inside()
{
	cat >work.py <<'END'
import fcntl
import mmap
import os
import sys

fd = os.memfd_create("plain")
os.write(fd, b"text")
assert os.pread(fd, 10, 0) == b"text"
with open("/proc/self/fd/%d" % fd, "rb") as again:
    assert again.read() == b"text"
fd = os.memfd_create("sealed", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
os.ftruncate(fd, 4096)
m = mmap.mmap(fd, 4096)
m[:3] = b"map"
m.close()
SHRINK_GROW_WRITE = 2 | 4 | 8
fcntl.fcntl(fd, fcntl.F_ADD_SEALS, SHRINK_GROW_WRITE)
try:
    os.write(fd, b"x")
    sys.exit("written to what is sealed")
except PermissionError:
    pass
if os.fork() == 0:
    os._exit(0 if os.pread(fd, 3, 0) == b"map" else 1)
assert os.wait()[1] == 0
END
	py work.py
	cat >run.py <<'END'
import os
fd = os.memfd_create("program", 0)
os.write(fd, open("/bin/true", "rb").read())
os.execve(fd, ["true"], {})
END
	denied py run.py
}

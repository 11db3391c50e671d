# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Temporary files of every kind, in the task's own place and in the workspace.

inside()
{
	cat >work.py <<'END'
import fcntl
import mmap
import os
import tempfile

for place in (None, "."):
    with tempfile.TemporaryFile(dir=place) as f:
        f.write(b"text")
        f.seek(0)
        assert f.read() == b"text"
    with tempfile.NamedTemporaryFile(dir=place) as f:
        f.truncate(8192)
        with mmap.mmap(f.fileno(), 8192) as m:
            m[:3] = b"map"
            m.flush()
        with open(f.name, "rb") as again:
            assert again.read(3) == b"map"
        fcntl.flock(f, fcntl.LOCK_EX)
        fcntl.lockf(f, fcntl.LOCK_EX)
        os.posix_fallocate(f.fileno(), 0, 65536)
        os.fchmod(f.fileno(), 0o644)
    with tempfile.TemporaryDirectory(dir=place) as d:
        os.mkdir(os.path.join(d, "below"))
        fd = os.open(d, os.O_TMPFILE | os.O_RDWR, 0o600)
        os.write(fd, b"nameless")
        # With a directory's descriptor it is linkat, which can follow.
        where = os.open(d, os.O_PATH)
        os.link("/proc/self/fd/%d" % fd, "named", src_dir_fd=where,
                dst_dir_fd=where, follow_symlinks=True)
        with open(os.path.join(d, "named")) as f:
            assert f.read() == "nameless"
    with tempfile.SpooledTemporaryFile(max_size=10, dir=place) as f:
        f.write(b"x" * 100)
END
	py work.py
	f=$(mktemp)
	d=$(mktemp -d)
	echo 'echo ran' >"$d/script"
	same "$(sh "$d/script")" ran
	rm -r "$f" "$d"
}

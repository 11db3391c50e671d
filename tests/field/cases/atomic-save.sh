# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# How editors and tools replace a file: a new one renamed over it, the old one
# kept as a backup, an exchange, a link; sed, patch, vi and ed where they are.

inside()
{
	echo old >file
	chmod 640 file
	echo new >.file.swp
	mv -f .file.swp file
	same "$(cat file)" new
	mv file file~
	echo newer >file
	rm file~
	sed -i s/newer/newest/ file
	same "$(cat file)" newest
	sed -i.bak s/newest/last/ file
	same "$(cat file.bak)" newest
	perl -pi -e 's/last/perl/' file
	same "$(cat file)" perl
	mkdir -p one two
	mv file one/file
	ln one/file two/file
	rm one/file
	mv two one/
	mv one/two/file file
	py - <<'END'
import ctypes
import os

def save(path, text):
    with open(path + ".tmp", "w") as f:
        f.write(text)
        f.flush()
        os.fsync(f.fileno())
    os.replace(path + ".tmp", path)
    folder = os.open(".", os.O_DIRECTORY)
    os.fsync(folder)
    os.close(folder)

save("file", "saved")
save("other", "second")
libc = ctypes.CDLL(None, use_errno=True)
AT_FDCWD, NOREPLACE, EXCHANGE = -100, 1, 2
assert libc.renameat2(AT_FDCWD, b"file", AT_FDCWD, b"other", EXCHANGE) == 0
assert open("file").read() == "second"
assert libc.renameat2(AT_FDCWD, b"file", AT_FDCWD, b"other", NOREPLACE) == -1
assert ctypes.get_errno() == 17
with open("other", "r+") as f:
    f.truncate(3)
assert open("other").read() == "sav"
os.truncate("other", 1)
fd = os.open("excl", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
try:
    os.open("excl", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    raise SystemExit("made twice")
except FileExistsError:
    pass
END
	printf -- '--- a\n+++ b\n@@ -1 +1 @@\n-second\n+patched\n' >changes
	echo second >file
	! command -v patch >/dev/null || patch -s file changes
	# ed keeps its text in /tmp, which a task in tier B does not have.
	in_tier_b || ! command -v ed >/dev/null ||
		printf '1s/.*/edited/\nw\nq\n' | ed -s file
	cat file >/dev/null
}

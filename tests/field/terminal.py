# SPDX-License-Identifier: Apache-2.0
"""terminal.py EXPECT SEND [EXPECT SEND...] -- COMMAND...: talk to it on a terminal.

Waits for each EXPECT (a regular expression) in what the command writes, then
sends SEND, in which \\n, \\x03 and the like are read as Python reads them.
Copies what it sees to standard output; exits as the command does.
"""
import os
import pty
import re
import select
import sys

LIMIT = 60  # seconds without a byte: only for a hang


def read(fd, seen):
    """Add what the terminal shows; False at its end."""
    if not select.select([fd], [], [], LIMIT)[0]:
        sys.exit("terminal.py: nothing more after: %r" % seen[-300:])
    try:
        data = os.read(fd, 65536)
    except OSError:
        return False
    os.write(1, data)
    seen.extend(data)
    return bool(data)


def talk(fd, pairs):
    seen = bytearray()
    start = 0
    for expect, send in pairs:
        while True:
            found = re.compile(expect.encode(), re.S).search(seen, start)
            if found:
                break
            if not read(fd, seen):
                sys.exit("terminal.py: ended before %r" % expect)
        start = found.end()
        os.write(fd, send.encode().decode("unicode_escape").encode())
    while read(fd, seen):
        pass


def main():
    split = sys.argv.index("--")
    words = sys.argv[1:split]
    pid, fd = pty.fork()
    if pid == 0:
        os.execvp(sys.argv[split + 1], sys.argv[split + 1:])
    talk(fd, list(zip(words[::2], words[1::2])))
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


main()

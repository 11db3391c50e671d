# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A terminal that the task makes itself: script, and python's pty.
needs script

inside()
{
	script -q -e -c 'test -t 1 && echo on-a-terminal' log >/dev/null
	grep -q on-a-terminal log
	py -c 'import pty, sys
sys.exit(pty.spawn(["sh", "-c", "test -t 0 && stty size"]))' >/dev/null
	py - <<'END'
import fcntl, os, struct, termios
main, other = os.openpty()
fcntl.ioctl(main, termios.TIOCSWINSZ, struct.pack("HHHH", 33, 77, 0, 0))
assert os.get_terminal_size(other) == (77, 33)
assert os.path.exists(os.ttyname(other))
mode = termios.tcgetattr(other)
mode[3] &= ~termios.ECHO
termios.tcsetattr(other, termios.TCSANOW, mode)
os.write(main, b"line\n")
assert os.read(other, 100) == b"line\n"
END
}

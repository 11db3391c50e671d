# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A pair of datagram sockets keeps the bounds of messages.

inside()
{
	py - <<'END'
import os
import socket
a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
a.send(b"one")
a.send(b"two")
assert b.recv(100) == b"one"
assert b.recv(100) == b"two"
socket.send_fds(a, [b"fd"], [1])
data, fds, _, _ = socket.recv_fds(b, 10, 1)
assert data == b"fd" and os.fstat(fds[0]).st_ino == os.fstat(1).st_ino
a.setblocking(False)
try:
    a.recv(1)
    raise SystemExit("something came")
except BlockingIOError:
    pass
if os.fork() == 0:
    a.setblocking(True)
    a.send(a.recv(100) + b"!")
    os._exit(0)
b.send(b"child")
assert b.recv(100) == b"child!"
os.wait()
END
}

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Who is at the other end of a socket: the process that connected, though the
# connection was made on its behalf.

peer_pidfd()
{
	py - <<'END'
import socket
a, b = socket.socketpair()
SO_PEERPIDFD = 77
a.getsockopt(socket.SOL_SOCKET, SO_PEERPIDFD)
END
}

inside()
{
	# Linux 6.5; the number of a process is all that a jail tells.
	if in_jail || peer_pidfd 2>/dev/null; then
		denied peer_pidfd
	fi
	py - <<'END'
import ctypes
import errno
import os
import socket
import struct

STREAM, PACKET = socket.SOCK_STREAM, socket.SOCK_SEQPACKET
ME = (os.getpid(), os.getuid(), os.getgid())

def cred(sock, size=12):
    got = sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
    return struct.unpack("3i", got) if size == 12 else got

def is_peer(got, pid):
    assert got == (pid, *ME[1:]), (got, pid)

def client(kind):
    sock = socket.socket(socket.AF_UNIX, kind)
    sock.connect("sock")
    is_peer(cred(sock), os.getppid())
    sock.recv(1)
    sock.send(b"x")
    os._exit(0)

# A message carries who sent it, by the kernel's own word.
def sender(sock):
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    sock.send(b"go")
    _, items, _, _ = sock.recvmsg(1, 100)
    return [struct.unpack("3i", data) for level, kind, data in items
            if kind == socket.SCM_CREDENTIALS]

for kind in STREAM, PACKET:
    server = socket.socket(socket.AF_UNIX, kind)
    server.bind("sock")
    server.listen()
    children = [os.fork() or client(kind) for _ in range(3)]
    seen = []
    for _ in children:
        sock, _ = server.accept()
        who = cred(sock)
        is_peer(who, who[0])
        # What does not fit is cut, as it was asked for.
        assert cred(sock, 100) == struct.pack("3i", *who)
        assert cred(sock, 4) == struct.pack("i", who[0])
        assert sender(sock) == [who]
        seen.append(who[0])
    assert sorted(seen) == sorted(children), (seen, children)
    for child in children:
        assert os.waitpid(child, 0)[1] == 0
    os.unlink("sock")

for kind in STREAM, PACKET, socket.SOCK_DGRAM:
    for end in socket.socketpair(socket.AF_UNIX, kind):
        is_peer(cred(end), ME[0])

libc = ctypes.CDLL(None, use_errno=True)
def error_of(fd, size, value=True):
    room = (ctypes.c_char * 12)() if value else None
    size = None if size is None else ctypes.byref(ctypes.c_int(size))
    rc = libc.getsockopt(fd, socket.SOL_SOCKET, socket.SO_PEERCRED, room, size)
    return ctypes.get_errno() if rc < 0 else 0

a, b = socket.socketpair()
assert error_of(a.fileno(), 12) == 0
assert error_of(a.fileno(), 0) == 0
assert error_of(a.fileno(), -1) == errno.EINVAL
assert error_of(a.fileno(), None) == errno.EFAULT
assert error_of(a.fileno(), 12, value=False) == errno.EFAULT
with open("/dev/null") as null:
    assert error_of(null.fileno(), 12) == errno.ENOTSOCK
assert error_of(999, 12) == errno.EBADF
END
}

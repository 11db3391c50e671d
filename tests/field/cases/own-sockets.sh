# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Unix sockets among the task's own processes: socket files, pairs,
# credentials, passed descriptors.

inside()
{
	py - <<'END'
import array
import os
import socket
import struct

STREAM, PACKET = socket.SOCK_STREAM, socket.SOCK_SEQPACKET

def answer(server):
    peer, _ = server.accept()
    got = peer.recv(100)
    r, w = os.pipe()
    socket.send_fds(peer, [b"re:" + got], [r])
    os.write(w, b"passed")
    os._exit(0)

for kind in STREAM, PACKET:
    for name in "./sock", os.path.abspath("abs.sock"):
        server = socket.socket(socket.AF_UNIX, kind)
        server.bind(name)
        server.listen()
        child = os.fork()
        if child == 0:
            answer(server)
        client = socket.socket(socket.AF_UNIX, kind)
        client.connect(name)
        _, uid, _ = struct.unpack("3i", client.getsockopt(
            socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        assert uid == os.getuid()
        client.send(b"hello")
        data, fds, _, _ = socket.recv_fds(client, 100, 1)
        assert data == b"re:hello", data
        assert os.read(fds[0], 100) == b"passed"
        assert os.waitpid(child, 0)[1] == 0
        server.close()
        os.unlink(name)
    a, b = socket.socketpair(socket.AF_UNIX, kind)
    a.sendall(b"pair")
    assert b.recv(10) == b"pair"
try:
    socket.socket(socket.AF_UNIX, STREAM).connect("./nobody")
    raise SystemExit("connected to nobody")
except FileNotFoundError:
    pass
END
	test -z "$(find . -type s)"
}

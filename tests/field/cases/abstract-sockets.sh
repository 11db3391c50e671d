# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sockets with an abstract name, among the task's own processes.

inside()
{
	py - <<'END'
import os
import socket
# The control shares its names with whatever else runs at that time.
name = "\0field-%d" % os.getpid()
server = socket.socket(socket.AF_UNIX)
server.bind(name)
server.listen()
assert server.getsockname() == name.encode()
if os.fork() == 0:
    peer, _ = server.accept()
    peer.sendall(b"hello")
    os._exit(0)
client = socket.socket(socket.AF_UNIX)
client.connect(name)
assert client.recv(10) == b"hello"
assert os.wait()[1] == 0
END
}

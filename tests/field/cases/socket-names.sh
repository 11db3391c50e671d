# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A socket knows the name that it was bound to, as a server hands it on to its
# clients.

inside()
{
	py - <<'END'
import os
import socket
for name in "./sock", os.path.abspath("abs.sock"):
    server = socket.socket(socket.AF_UNIX)
    server.bind(name)
    server.listen()
    got = server.getsockname()
    assert got == name, (got, name)
    client = socket.socket(socket.AF_UNIX)
    client.connect(server.getsockname())
    assert client.getpeername() == name, client.getpeername()
END
}

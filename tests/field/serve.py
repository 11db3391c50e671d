# SPDX-License-Identifier: Apache-2.0
"""serve.py PATH|PORT-FILE tcp: answer each who connects with one word.

A socket file PATH; or TCP on 127.0.0.1, the port written to PORT-FILE.
"""
import os
import socket
import sys

if sys.argv[2:] == ["tcp"]:
    server = socket.create_server(("127.0.0.1", 0))
    with open(sys.argv[1] + ".new", "w") as f:
        f.write(str(server.getsockname()[1]))
    os.rename(sys.argv[1] + ".new", sys.argv[1])
else:
    server = socket.socket(socket.AF_UNIX)
    server.bind(sys.argv[1] + ".new")
    server.listen()
    os.rename(sys.argv[1] + ".new", sys.argv[1])
while True:
    peer, _ = server.accept()
    peer.sendall(b"served")
    peer.close()

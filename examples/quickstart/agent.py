#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""agent.py GRANTED_FILE SECRET_FILE PORT: an ordinary program that tries things.

It knows nothing of sandboxes but that its one connection is a descriptor,
whose number stands in SBX_FDS.  It prints "name=ok ..." for what worked and
"name=refused ERRNO" for what the kernel refused.
"""
import ctypes
import errno
import os
import socket
import sys

granted, secret, port = sys.argv[1], sys.argv[2], int(sys.argv[3])


def attempt(name, act):
    try:
        print("%s=ok %s" % (name, act()), flush=True)
    except OSError as e:
        what = errno.errorcode.get(e.errno, str(e.errno))
        print("%s=refused %s" % (name, what), flush=True)


def read_file(path):
    with open(path, encoding="ascii") as f:
        return f.read().strip()


def append_to_file(path):
    with open(path, "a", encoding="ascii") as f:
        f.write("changed\n")
    return "changed"


def say(sock, text):
    sock.sendall(text.encode("ascii") + b"\n")
    return sock.makefile().readline().strip()


def connect_again():
    with socket.create_connection(("127.0.0.1", port), timeout=5) as sock:
        return say(sock, "second")


def disconnect(sock):
    """connect(2) with AF_UNSPEC frees a socket for another address."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.connect(sock.fileno(), bytes(16), 16) < 0:
        raise OSError(ctypes.get_errno(), "connect")
    return "disconnected"


def go_elsewhere(sock):
    sock.connect(("127.0.0.1", port))
    return "connected anew"


def main():
    attempt("left-open", lambda: os.read(9, 100))
    attempt("granted-file", lambda: read_file(granted))
    attempt("write-granted-file", lambda: append_to_file(granted))
    attempt("secret-file", lambda: read_file(secret))
    print("variable=ok %s" % os.environ.get("QUICKSTART_SECRET", "not set"))

    fds = dict(item.rsplit(":", 1) for item in os.environ["SBX_FDS"].split())
    print("number=ok %s" % fds["api"])
    sock = socket.socket(fileno=int(fds["api"]))
    attempt("granted-socket", lambda: say(sock, "hello"))
    attempt("second-connection", connect_again)
    attempt("disconnect", lambda: disconnect(sock))
    attempt("elsewhere", lambda: go_elsewhere(sock))
    attempt("granted-socket-still", lambda: say(sock, "still here"))


if __name__ == "__main__":
    main()

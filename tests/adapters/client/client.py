# SPDX-License-Identifier: Apache-2.0
"""A client of the broker in plain Python: docs/wire.md is all that it knows.

Not thread-safe.  At most 150 lines, and a test counts them.
"""
import array
import errno
import os
import select
import socket
import struct

HEAD = struct.Struct("<3sBHHQIIiI")
TAG = struct.Struct("<HH")
ATTACH, REQUEST, CANCEL, LIST, NARROW, RELEASE, DELEGATE, LOG, READY = range(1, 10)
REPLY, EVENT = 64, 65
EVENTS, MORE, NARROWED = 1, 2, 4
CRITICAL = 0x8000
KINDS = {"open": 2, "connect": 3, "data": 4, "listen": 5, "directory": 6}
# name: (number, form)
TAGS = {
    "kind": (1, "I"), "target": (2, "s"), "rights": (3, "I"),
    "reason": (4, "s"), "deadline_ms": (5, "Q"), "name": (6, "s"),
    "label": (7, "s"), "text": (8, "s"), "grant": (9, "t"), "id": (10, "Q"),
    "grant_flags": (11, "I"), "lifetime_ms": (16, "Q"), "max_uses": (17, "Q"),
    "max_bytes_in": (18, "Q"), "max_bytes_out": (19, "Q"),
    "max_cost": (20, "Q"), "used_uses": (24, "Q"), "used_bytes_in": (25, "Q"),
    "used_bytes_out": (26, "Q"), "used_cost": (27, "Q"), "arg": (32, "s"),
    "env": (33, "s"), "cwd": (34, "s"), "share": (35, "t"),
    "stdio": (36, "I"), "wall_ms": (37, "Q"), "task": (38, "Q"),
    "event": (48, "I"), "exit_kind": (49, "I"), "exit_code": (50, "I"),
}
BY_NUMBER = {number: (name, form) for name, (number, form) in TAGS.items()}
REPEATED = {"label", "grant", "arg", "env", "share"}


def encode(tags):
    """Pairs of a name and a value, as bytes; budgets are critical."""
    out = b""
    for name, value in tags:
        number, form = TAGS[name]
        if form == "t":
            data = encode(value)
        elif form == "s":
            data = os.fsencode(value)
        else:
            data = struct.pack("<" + form, value)
        critical = CRITICAL if name.startswith(("max_", "lifetime")) else 0
        out += TAG.pack(number | critical, len(data)) + data
    return out


def decode(data):
    """Bytes as a dict; what may be there several times is a list."""
    tags = {}
    while data:
        number, length = TAG.unpack_from(data)
        value, data = data[TAG.size:TAG.size + length], data[TAG.size + length:]
        if len(value) != length:
            raise ValueError("a tag that is cut")
        if number & ~CRITICAL not in BY_NUMBER:
            if number & CRITICAL:
                raise OSError(errno.EOPNOTSUPP, "an unknown critical tag")
            continue
        name, form = BY_NUMBER[number & ~CRITICAL]
        if form == "t":
            value = decode(value)
        elif form == "s":
            value = os.fsdecode(value)
        else:
            value, = struct.unpack("<" + form, value)
        if name in REPEATED:
            tags.setdefault(name, []).append(value)
        else:
            tags[name] = value
    return tags


def message(kind, ident, tags=(), flags=0, n_fds=0):
    body = encode(tags)
    return HEAD.pack(b"SBX", 1, kind, flags, ident, len(body), n_fds, 0, 0) + body


class Client:
    def __init__(self, events=False):
        door = socket.socket(fileno=os.dup(int(os.environ["SBX_BROKER_FD"])))
        self.sock, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with door, other:
            socket.send_fds(door, [message(ATTACH, 1, (), EVENTS if events else 0, 1)],
                            [other.fileno()])
        self.last, self.events, self.replies = 1, [], {1: []}
        self.wait(1)

    def send(self, kind, tags=(), fds=()):
        self.last += 1
        self.replies[self.last] = []
        data = message(kind, self.last, tags, 0, len(fds))
        socket.send_fds(self.sock, [data], list(fds))
        return self.last

    def receive(self):
        """One datagram: an event, or a part of a reply."""
        space = socket.CMSG_LEN(16 * array.array("i").itemsize)
        data, control, flags, _ = self.sock.recvmsg(16384, space)
        fds = array.array("i")
        for _, _, value in control:
            fds.frombytes(value)
        if not data:
            raise OSError(errno.EPIPE, "the broker is gone")
        magic, version, kind, how, ident, length, n_fds, status, _ = HEAD.unpack_from(data)
        if (magic != b"SBX" or version != 1 or flags & (socket.MSG_TRUNC | socket.MSG_CTRUNC)
                or length != len(data) - HEAD.size or n_fds != len(fds)):
            for fd in fds:
                os.close(fd)
            raise OSError(errno.EPROTO, "no message")
        tags = decode(data[HEAD.size:])
        if kind == EVENT:
            self.events.append((ident, tags))
        else:
            self.replies[ident].append((how, status, tags, list(fds)))

    def wait(self, ident):
        """All datagrams of one reply: grants, descriptors, the rest."""
        while not self.replies[ident] or self.replies[ident][-1][0] & MORE:
            self.receive()
        parts = self.replies.pop(ident)
        how, status, tags, fds = parts[-1]
        if status < 0:
            raise OSError(-status, tags.get("text") or os.strerror(-status))
        grants = [grant for part in parts for grant in part[2].get("grant", [])]
        return grants, fds, dict(tags, narrowed=bool(how & NARROWED))

    def call(self, kind, *tags, fds=()):
        return self.wait(self.send(kind, tags, fds))

    def request(self, kind, target, *more):
        """The grant and its descriptor (None for a directory)."""
        grants, fds, _ = self.call(REQUEST, ("kind", KINDS[kind]), ("target", target), *more)
        return grants[0], fds[0] if fds else None

    def next_event(self, timeout):
        while not self.events and select.select([self.sock], [], [], timeout)[0]:
            self.receive()
        return self.events.pop(0) if self.events else None

# SPDX-License-Identifier: Apache-2.0
"""The plain client against the broker of the tests.  TAP on stdout."""
import errno
import os
import sys

import client

count = 0
failed = 0


def ok(name, good):
    global count, failed
    count += 1
    failed += not good
    print("%s %d - %s" % ("ok" if good else "not ok", count, name))


def refusal(call, *args):
    try:
        call(*args)
    except OSError as error:
        return error
    return None


def content(fd):
    with os.fdopen(fd, "rb") as file:
        return file.read()


def requests(c):
    grant, fd = c.request("connect", "tcp:granted:1", ("reason", "a test"))
    ok("a connection is granted", content(fd) == b"hello from tcp:granted:1\n")
    ok("its grant has a name", grant["name"] == "g1")
    ok("and labels", grant["label"] == ["egress", "test"])
    _, fd = c.request("open", "/srv/a", ("rights", 1))
    ok("a file is granted", content(fd) == b"content of /srv/a\n")
    grant, fd = c.request("directory", "/srv/d")
    ok("a directory comes without a descriptor",
       fd is None and grant["name"] == "gd")
    error = refusal(c.request, "connect", "tcp:denied:1")
    ok("a refusal has a code", error.errno == errno.EACCES)
    ok("and a reason", error.strerror == "no rule of the mandate allows it")


def later(c):
    never = c.send(client.REQUEST, [("kind", 3), ("target", "tcp:never:1")])
    wait = c.send(client.REQUEST, [("kind", 3), ("target", "tcp:later:2")])
    c.call(client.LOG, ("text", "go"))
    grants, fds, _ = c.wait(wait)
    os.close(fds[0])
    ok("answers come in any order", grants[0]["name"] == "w2")
    c.call(client.CANCEL, ("id", never))
    error = refusal(c.wait, never)
    ok("a request can be cancelled", error.errno == errno.ECANCELED)


def grants(c):
    held, _, _ = c.call(client.LIST)
    ok("what is held is listed", [g["name"] for g in held] ==
       ["g1", "ga", "gd", "w2"])
    held, _, _ = c.call(client.NARROW, ("name", "g1"), ("max_bytes_out", 7))
    ok("a grant can be narrowed", held[0]["max_bytes_out"] == 7)
    c.call(client.RELEASE, ("name", "g1"))
    held, _, _ = c.call(client.LIST)
    ok("a grant can be given back", len(held) == 3)
    ok("which is an event", c.next_event(30) ==
       (0, {"event": 4, "name": "g1"}))
    error = refusal(c.call, client.RELEASE, ("name", "g1"))
    ok("but once", error.errno == errno.ENOENT)


def sub_task(c):
    reader, writer = os.pipe()
    ident = c.send(client.DELEGATE, [
        ("arg", "sh"), ("arg", "-c"), ("arg", "echo $A; exit 5"),
        ("env", "A=b"), ("env", "PATH=/usr/bin:/bin"), ("stdio", 2),
        ("share", [("name", "ga"), ("max_bytes_out", 1)])], [writer])
    os.close(writer)
    _, _, tags = c.wait(ident)
    ok("a sub-task is started", tags["task"] > 0)
    ok("with its output", content(reader) == b"b\n")
    of, event = c.next_event(30)
    ok("its end is an event", of == ident and event["exit_code"] == 5)
    c.call(client.READY, ("text", "up"))


def foreign(c):
    ident = c.send(99)
    error = refusal(c.wait, ident)
    ok("an unknown message is refused", error.errno == errno.EOPNOTSUPP)
    ident = c.last = c.last + 1
    c.replies[ident] = []
    c.sock.send(client.message(client.LIST, ident) + b"?")
    error = refusal(c.wait, ident)
    ok("after one that is none the channel ends", error.errno == errno.EPIPE)


with open(client.__file__, encoding="utf-8") as source:
    ok("it has at most 150 lines", len(source.readlines()) <= 150)
one = client.Client(events=True)
requests(one)
later(one)
grants(one)
sub_task(one)
foreign(one)
two = client.Client()
ok("another channel goes on", len(two.call(client.LIST)[0]) == 3)
print("1..%d" % count)
sys.exit(failed != 0)

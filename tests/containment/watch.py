# SPDX-License-Identifier: Apache-2.0
"""Listeners outside that note who was there, and callers that try to come in.

Whatever arrives is the name of a probe.  One thread serves all of it.
"""
import fcntl
import os
import selectors
import socket
import struct
import termios
import threading


class Watch:
    def __init__(self):
        self.heard = set()
        self.selector = selectors.DefaultSelector()
        self.calls = []         # functions that are tried again and again
        self.own = []           # what is to be closed
        self.over = False
        self.thread = threading.Thread(target=self._run, daemon=True)

    def start(self):
        self.thread.start()

    def stop(self):
        """After what is still on its way has come."""
        self.over = True
        self.thread.join()
        for thing in self.own:
            thing.close()
        self.selector.close()

    def note(self, data):
        # A stream may carry several; none of the names begins another.
        for name in data.decode("latin-1").split("\n"):
            self.heard.add(name)

    def _receive(self, sock):
        try:
            data = sock.recv(4096)
        except OSError:
            data = b""
        if data:
            self.note(data)
        elif sock.type != socket.SOCK_DGRAM:
            self.selector.unregister(sock)

    def _accept(self, sock):
        peer, _ = sock.accept()
        peer.setblocking(False)
        self.own.append(peer)
        self.selector.register(peer, selectors.EVENT_READ, self._receive)

    def _serve(self, timeout):
        events = self.selector.select(timeout)
        for key, _ in events:
            key.data(key.fileobj)
        return bool(events)

    def _run(self):
        while not self.over:
            self._serve(0.01)
            for call in self.calls:
                try:
                    call()
                except OSError:
                    pass
        while self._serve(0.02):
            pass

    def add(self, sock):
        """Any socket, listening or not."""
        self.own.append(sock)
        sock.setblocking(False)
        listening = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
        self.selector.register(sock, selectors.EVENT_READ,
                               self._accept if listening else self._receive)
        return sock

    def unix(self, kind, address, mode=0o666):
        sock = socket.socket(socket.AF_UNIX, kind)
        sock.bind(address)
        if isinstance(address, str):
            os.chmod(address, mode)
        if kind == socket.SOCK_STREAM:
            sock.listen(64)
        return self.add(sock)

    def inet(self, family, kind):
        """The port; 0 where the family is missing."""
        try:
            sock = socket.socket(family, kind)
            if kind == socket.SOCK_STREAM:
                # Best effort: without it there is one probe less.
                sock.setsockopt(socket.IPPROTO_TCP, 23, 16)
            sock.bind(("::1" if family == socket.AF_INET6 else "127.0.0.1",
                       0))
        except OSError:
            return 0
        if kind == socket.SOCK_STREAM:
            sock.listen(64)
        self.add(sock)
        return sock.getsockname()[1]

    def fifo(self, path):
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        file = os.fdopen(fd, "rb", buffering=0)
        self.own.append(file)

        def read(_):
            data = file.read(4096)
            if data:
                self.note(data)
            else:
                self.selector.unregister(file)
        self.selector.register(file, selectors.EVENT_READ, read)

    def caller(self, family, address):
        """Connects whenever somebody listens there, and notes his name."""
        def call():
            with socket.socket(family, socket.SOCK_STREAM) as sock:
                sock.settimeout(0.5)
                sock.connect(address)
                self.note(sock.recv(4096))
        self.calls.append(call)

    def sender(self, address, data):
        sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.own.append(sock)
        self.calls.append(lambda: sock.sendto(data, address))


class Terminal:
    """A terminal of the harness: what was typed into it, and its modes."""

    def __init__(self, watch):
        self.master, self.slave = os.openpty()
        modes = termios.tcgetattr(self.slave)
        # Without lines, so that one letter can be counted.
        modes[3] &= ~(termios.ICANON | termios.ECHO)
        termios.tcsetattr(self.slave, termios.TCSANOW, modes)
        self.before = termios.tcgetattr(self.slave)
        self.group = None
        self.seen = set()
        watch.calls.append(self.look)

    def look(self):
        waiting = fcntl.ioctl(self.slave, termios.FIONREAD, b"\0" * 4)
        if struct.unpack("i", waiting)[0]:
            self.seen.add("typed")
        if termios.tcgetattr(self.slave) != self.before:
            self.seen.add("modes")
        group = struct.unpack("i", fcntl.ioctl(
            self.master, termios.TIOCGPGRP, b"\0" * 4))[0]
        if self.group and group not in (0, self.group):
            self.seen.add("foreground")

    def close(self):
        os.close(self.master)
        os.close(self.slave)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""serve.py PORT_FILE LOG_FILE: a line server on loopback.

Answers each line with "served: LINE".  Writes the port that it got to
PORT_FILE and a line to LOG_FILE for every connection that it sees.
"""
import os
import socketserver
import sys


class Lines(socketserver.StreamRequestHandler):
    def handle(self):
        with open(sys.argv[2], "a", encoding="ascii") as log:
            log.write("connection from port %d\n" % self.client_address[1])
        try:
            for line in self.rfile:
                self.wfile.write(b"served: " + line)
        except ConnectionError:
            pass


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


def main():
    with Server(("127.0.0.1", 0), Lines) as server:
        new = sys.argv[1] + ".new"
        with open(new, "w", encoding="ascii") as f:
            f.write("%d\n" % server.server_address[1])
        os.rename(new, sys.argv[1])
        server.serve_forever()


if __name__ == "__main__":
    main()

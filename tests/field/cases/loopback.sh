# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The task's own loopback: a web server and curl, by address and by name, and
# UDP; the host's loopback is another one.
needs curl

prepare()
{
	on_host /usr/bin/python3 "$FIELD_LIB/serve.py" "$W/port" tcp
	await test -s "$W/port"
}

reach()
{
	py -c 'import socket, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
sys.exit(0 if s.recv(9) == b"served" else 1)' "$1"
}

inside()
{
	mkdir site
	echo page >site/file
	/usr/bin/python3 -u -c 'import http.server, functools, os
handler = functools.partial(http.server.SimpleHTTPRequestHandler,
                            directory="site")
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
open("own.new", "w").write(str(server.server_port))
os.rename("own.new", "own")
server.serve_forever()' 2>/dev/null &
	until [ -s own ]; do sleep 0.05; done
	port=$(cat own)
	same "$(curl -sS "http://127.0.0.1:$port/file")" page
	same "$(curl -sS "http://localhost:$port/file")" page
	same "$(exec 3<>"/dev/tcp/127.0.0.1/$port" &&
		printf 'GET /file HTTP/1.0\r\n\r\n' >&3 && tail -n 1 <&3)" page
	kill $!
	py - <<'END'
import socket
a = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
a.bind(("127.0.0.1", 0))
b = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
b.sendto(b"datagram", a.getsockname())
assert a.recv(100) == b"datagram"
socket.getaddrinfo(socket.gethostname(), 80)
s = socket.create_server(("", 0))
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
c = socket.create_connection(s.getsockname())
c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
END
	denied reach "$(cat port)"
}

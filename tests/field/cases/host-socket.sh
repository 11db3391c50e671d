# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A socket file that the host left in a granted tree stays closed, unless it is
# granted by name.
options --unix "api=$H/granted.sock" --ro "$H"

prepare()
{
	for s in "$W/host.sock" "$H/granted.sock" "$H/read.sock"; do
		on_host /usr/bin/python3 "$FIELD_LIB/serve.py" "$s"
	done
	await test -S "$W/host.sock"
	await test -S "$H/granted.sock"
	await test -S "$H/read.sock"
}

ask()
{
	py - "$1" <<'END'
import socket
import sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
sys.exit(0 if s.recv(100) == b"served" else 1)
END
}

inside()
{
	/usr/bin/python3 "$FIELD_LIB/serve.py" own.sock &
	until [ -S own.sock ]; do sleep 0.05; done
	ask own.sock
	kill $!
	denied ask "$W/host.sock"
	denied ask host.sock
	denied ask "$H/read.sock"
	in_jail || return 0
	same "${SBX_FDS-}" api:3
	py -c 'import socket
assert socket.socket(fileno=3).recv(100) == b"served"'
}

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A server of the host on loopback: reached by the control, not by a task, in
# either tier; a connection that is granted works.
prepare()
{
	on_host /usr/bin/python3 "$FIELD_LIB/serve.py" "$W/port" tcp
	await test -s "$W/port"
	options --connect "api=127.0.0.1:$(cat "$W/port")"
}

reach()
{
	py -c 'import socket, sys
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
sys.exit(0 if s.recv(9) == b"served" else 1)' "$1"
}

inside()
{
	denied reach "$(cat port)"
	denied bash -c "exec 3<>/dev/tcp/127.0.0.1/$(cat port)"
	in_jail || return 0
	same "${SBX_FDS-}" api:3
	same "$(timeout 20 head -c 6 <&3)" served
}

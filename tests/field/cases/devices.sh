# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The usual device files, for shells and for programs.

inside()
{
	echo x >/dev/null
	same "$(head -c 100 /dev/zero | tr -d '\0' | wc -c)" 0
	same "$(head -c 100 /dev/urandom | wc -c)" 100
	same "$(head -c 10 /dev/random | wc -c)" 10
	if echo x >/dev/full 2>/dev/null; then
		return 1
	fi
	test -c /dev/null
	test -e /dev/fd/0
	dd if=/dev/zero of=/dev/null bs=1M count=4 status=none
	cat </dev/null
	py -c 'import os, secrets
os.urandom(16); os.getrandom(16); secrets.token_hex()
with open(os.devnull, "r+b") as f: f.write(b"x")'
	truncate -s 0 /dev/null || true
	: >>/dev/null
}

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Much output through pipes and out of the task, whole; the end of a reader
# ends its writer.

inside()
{
	same "$(head -c 20000000 /dev/zero | tr '\0' x | tee copy | wc -c)" \
		20000000
	same "$(wc -c <copy)" 20000000
	rm copy
	set +o pipefail
	yes | head -n 1 >/dev/null
	same "${PIPESTATUS[0]}" 141
	seq 300000
	seq 1000 >&2
	py -c 'import fcntl, os
r, w = os.pipe()
assert fcntl.fcntl(w, 1031, 1 << 18) >= 1 << 18
os.write(w, b"x" * 200000)
assert len(os.read(r, 1 << 20)) == 200000'
}

drive() { "$@" | cat; return "${PIPESTATUS[0]}"; }

outside()
{
	cmp "$OUT" <(seq 300000)
	cmp "$ERR" <(seq 1000)
}

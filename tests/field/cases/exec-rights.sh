# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Running programs needs the right to: scripts and binaries in a tree granted
# without it do not start, the same ones in one with it do.
options --rw "$H/data" --rox "$H/tools"

prepare()
{
	for d in data tools; do
		mkdir "$H/$d"
		cp /bin/true "$H/$d/binary"
		printf '#!/bin/sh\nexit 0\n' >"$H/$d/script"
		chmod +x "$H/$d/script"
	done
}

inside()
{
	"$H/tools/binary"
	"$H/tools/script"
	sh "$H/data/script"
	denied "$H/data/binary"
	denied "$H/data/script"
	cp "$H/data/binary" here
	./here
	echo kept >"$H/data/file"
	denied touch "$H/tools/new"
	mkdir bin
	cp "$H/tools/script" bin/mine
	PATH=$PWD/bin:$PATH mine
	env -S 'sh -c' 'exit 0'
	rc=0
	./absent 2>/dev/null || rc=$?
	same $rc 127
	chmod -x here
	./here 2>/dev/null || rc=$?
	same $rc 126
}

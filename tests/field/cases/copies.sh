# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# tar, cp -a, install and the like keep modes, times, links and attributes.
needs tar gzip xz

make_tree()
{
	mkdir -p tree/sub
	echo text >tree/file
	ln tree/file tree/hard
	ln -s file tree/soft
	ln -s /nonexistent tree/broken
	chmod 640 tree/file
	chmod 750 tree/sub
	mkfifo tree/pipe
	truncate -s 1M tree/sparse
	touch -d '2001-02-03 04:05:06.789' tree/file tree/sub
	touch -h -d '2001-02-03 04:05:06' tree/soft
	py -c 'import os; os.setxattr("tree/file", "user.note", b"kept")'
}

looks()
{
	(cd "$1" && find . -printf '%p %y %m %T@ %n %s %l\n' | sort)
}

inside()
{
	make_tree
	looks tree >want
	cp -a tree copied
	looks copied | diff want -
	py -c 'import os
assert os.getxattr("copied/file", "user.note") == b"kept"'
	for kind in gz xz; do
		mkdir "from-$kind"
		tar --xattrs --format=posix -caf "tree.tar.$kind" tree
		tar --xattrs -xpf "tree.tar.$kind" -C "from-$kind"
		looks "from-$kind/tree" | diff want -
	done
	tar -C tree --format=posix -cf - . | (mkdir piped && tar -C piped -xpf -)
	looks piped | diff want -
	install -D -m 755 tree/file bin/deep/tool
	same "$(stat -c %a bin/deep/tool)" 755
	cp --reflink=auto tree/file again
	cp -p --preserve=timestamps tree/file again
	touch -r tree/file reference
	same "$(stat -c %Y reference)" "$(stat -c %Y tree/file)"
	chmod -R go-rwx copied
	chmod u+s,g+s reference 2>/dev/null || true
	mv copied moved
	rm -r moved piped from-gz from-xz
	chgrp "$(id -g)" reference
	chown "$(id -u):$(id -g)" reference
	umask 077
	echo private >private
	same "$(stat -c %a private)" 600
}

outside()
{
	! in_jail || test -z "$(find "$W" -perm /6000)"
}

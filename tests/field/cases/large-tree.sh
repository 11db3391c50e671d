# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A large tree: made, searched, copied, renamed, packed, removed.

inside()
{
	py - <<'END'
import os
for d in range(10):
    os.makedirs("big/%d/deep" % d)
    for n in range(50):
        with open("big/%d/deep/%d" % (d, n), "w") as f:
            f.write("line %d %d\n" % (d, n))
END
	same "$(find big -type f | wc -l)" 500
	same "$(grep -rl 'line 7 ' big | wc -l)" 50
	same "$(find big -type f -print0 | xargs -0 cat | wc -l)" 500
	cp -r big other
	diff -r big other
	same "$(tar -cf - big | tar -tf - | wc -l)" 521
	mv other big/inside
	du -s big >/dev/null
	rm -r big
	test ! -e big
}

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# make -j hands its job server down to makes below; none runs alone.
needs make

inside()
{
	mkdir a b
	cat >Makefile <<'END'
all: a.done b.done
%.done: %
	+$(MAKE) -C $<
	touch $@
END
	cat >a/Makefile <<'END'
all: 1 2 3 4 5 6
1 2 3 4 5 6: ; @echo $@ >made-$@
END
	cp a/Makefile b/
	make -j4 >log 2>&1
	if grep -E 'jobserver (unavailable|mode)' log; then
		return 1
	fi
	ls a/made-* b/made-* | wc -l
	make -j2 -q a.done
}

outside()
{
	test "$(cat "$OUT")" = 12
}

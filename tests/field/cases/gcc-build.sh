# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# gcc: objects, a static and a shared library, a program that loads one, and
# all of them run from the workspace.
needs gcc ar

inside()
{
	printf 'int twice(int n) { return 2 * n; }\n' >twice.c
	cat >main.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int twice(int);
int main(void)
{
	void *handle = dlopen("./libtwice.so", RTLD_NOW);
	int (*loaded)(int);

	if (!handle)
		return 1;
	*(void **)&loaded = dlsym(handle, "twice");
	printf("%d %d\n", twice(21), loaded(4));
	return 0;
}
END
	gcc -O2 -g -fPIC -c twice.c
	ar rcs libtwice.a twice.o
	gcc -shared -o libtwice.so twice.o
	gcc -pipe -o linked main.c -L. -l:libtwice.a -ldl
	same "$(./linked)" '42 8'
	gcc -o stdin-made -x c - <<<'int main(void) { return 7; }'
	rc=0
	./stdin-made || rc=$?
	same $rc 7
	cp linked "$TMPDIR/elsewhere"
	same "$("$TMPDIR/elsewhere")" '42 8'
}

outside()
{
	test "$(cd "$W" && ./linked)" = '42 8'
}

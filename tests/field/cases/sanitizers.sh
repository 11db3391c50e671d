# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# AddressSanitizer and UBSan find what they are for.
needs gcc

inside()
{
	cat >leak.c <<'END'
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	char *volatile p = malloc(16);

	if (argc > 2) {
		volatile int n = 2147483647;
		n += argc;
	}
	if (argc > 1 && argc < 3)
		p[16] = argv[1][0];
	else if (argc > 2)
		free(p);
	p = NULL;
	return 0;
}
END
	# Apart, for at its end ASan searches for leaks: a case of its own.
	gcc -g -fsanitize=undefined -o undefined leak.c
	./undefined a b 2>log
	grep -q 'signed integer overflow' log
	gcc -g -fsanitize=address -o leak leak.c
	rc=0
	./leak a 2>overflow || rc=$?
	test $rc != 0
	grep -q 'heap-buffer-overflow' overflow
}

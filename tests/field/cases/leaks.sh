# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# LeakSanitizer, which stops its own process by ptrace and reads its /proc.
needs gcc

inside()
{
	cat >leak.c <<'END'
#include <stdlib.h>
int main(void)
{
	void *volatile p = malloc(16);

	p = NULL;
	return p != NULL;
}
END
	gcc -g -fsanitize=address -o leak leak.c
	rc=0
	./leak 2>leaked || rc=$?
	test $rc != 0
	grep -q 'SUMMARY: AddressSanitizer: 16 byte' leaked
}

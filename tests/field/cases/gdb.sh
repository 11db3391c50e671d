# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# gdb on the task's own processes: break points, the stack, attached to one.
needs gdb gcc

inside()
{
	printf '%s\n' 'int depth(int n) { return n ? depth(n - 1) + 1 : 0; }' \
		'int main(void) { return depth(3) - 3; }' >deep.c
	gcc -g -O0 -o deep deep.c
	gdb -q -batch -nx -ex 'break depth if n == 0' -ex run -ex backtrace \
		-ex continue ./deep >log 2>&1
	grep -q '^#3 .*depth (n=3)' log
	grep -q 'exited normally' log
	sleep 1000 &
	gdb -q -batch -nx -p $! -ex 'info registers rip' >attached 2>&1
	kill $!
	grep -q '^rip' attached
}

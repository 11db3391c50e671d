# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# make that sorts the output of its jobs keeps it in files of tmpfile(3), which
# looks in /tmp whatever TMPDIR says.
needs make

inside()
{
	printf 'all: 1 2 3\n1 2 3:\n\t@echo first $@; echo second $@\n' >Makefile
	make -s -j3 --output-sync=target >log
	same "$(sort log | head -n 1)" 'first 1'
	same "$(wc -l <log)" 6
}

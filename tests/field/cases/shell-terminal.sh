# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# An interactive bash on a terminal: prompt, Ctrl-C, Ctrl-Z, jobs, fg, exit.
needs python3
options --new-tty

drive()
{
	/usr/bin/python3 "$FIELD_LIB/terminal.py" \
		'READY[$] ' 'bash -c \"echo up; exec cat\"\n' \
		'up\r\n' 'typed\n' 'typed\r\ntyped' '\x1a' \
		'Stopped.*READY[$] ' 'jobs\n' \
		'Stopped.*READY[$] ' 'fg\n' 'fg\r\n.*cat[^\n]*\r\n' 'again\n' 'again\r\nagain\r\n' '\x03' \
		'READY[$] ' 'tty </dev/tty && test -t 0 && echo is-"a"-tty\n' \
		'is-a-tty\r\n.*READY[$] ' 'sleep 1000 &\n' \
		'READY[$] ' 'kill %1; wait\n' \
		'READY[$] ' 'stty -echo; stty size; exit 7\n' \
		-- "$@"
	[ $? = 7 ]
}

inside()
{
	PS1='READY$ ' exec bash --norc --noprofile -i
}

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: banned.sh [TREE]
#
# Calls that the library never makes: unbounded strings, a shell, a fork, the
# environment, output, exit, threads, handlers.  Words in comments and
# strings do not count.
lint=$(dirname "$0")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$lint/lib.sh"

strings="sprintf vsprintf strcpy stpcpy strcat strncpy strncat gets
atoi atol atoll strtok"
processes="system popen fork vfork posix_spawn posix_spawnp daemon"
environment="getenv secure_getenv setenv putenv unsetenv clearenv"
output="printf vprintf puts putchar perror psignal syslog err errx warn warnx"
ending="abort exit quick_exit atexit assert __assert_fail"
threads="pthread_create thrd_create pthread_atfork"
handlers="signal sigaction sigset bsd_signal"
heap="malloc calloc realloc reallocarray free strdup strndup asprintf
vasprintf posix_memalign aligned_alloc"
stdio="fopen fdopen fprintf vfprintf dprintf vdprintf snprintf vsnprintf
fputs fgets fscanf sscanf open_memstream getline"

# All lines of the library as "file:line:text"; not a member's name before it.
stripped=$(mktemp) || exit 99
trap 'rm -f "$stripped"' EXIT
here=$(cd "$lint" && pwd)
files libsandbox '*.[ch]' |
	(cd "$tree" && xargs -r awk -f "$here/strip.awk") >"$stripped"
before='^[^:]*:[0-9]*:(.*[^A-Za-z0-9_.>])?'

calls()
{
	names=$(echo "$1" | tr -s ' \n\t' '|' | sed 's/^|//; s/|$//')
	grep -E "$before($names)[[:space:]]*\(" "$stripped"
}

words()
{
	grep -E "$before($1)([^A-Za-z0-9_]|$)" "$stripped"
}

report "there are sources to look at" "$([ -s "$stripped" ] || echo none)"
report "no unbounded string call" "$(calls "$strings")"
report "no shell, no fork" "$(calls "$processes")"
# Who runs inside a task has to find the broker, and only there and that.
report "no access to the environment" "$(calls "$environment" |
	grep -v '^libsandbox/client/open\.c:[0-9]*:.*[^a-z_]getenv("")')
$(words 'environ|__environ')"
report "nothing is printed" "$(calls "$output")
$(words 'stdout|stderr')"
report "no exit, no abort, no assert" "$(calls "$ending")"
report "no thread" "$(calls "$threads")"
# The task's side puts handlers back to what exec would leave.
report "no signal handler outside the helper" \
	"$(calls "$handlers" | grep -v -e '^libsandbox/init/' -e SIG_DFL)"
for part in init client; do
	report "no heap in $part/" \
		"$(calls "$heap" | grep "^libsandbox/$part/")"
	report "no stdio in $part/" \
		"$(calls "$stdio" | grep "^libsandbox/$part/")"
done
finish

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Errors of the command line: 125, one line, the option and the text in it.
. "${srcdir:-.}/tests/adapters/cli/tap.sh"

# bad NAME EXPECTED ARGUMENT...
bad() {
	name=$1 expected=$2
	shift 2
	run "$@"
	ok "$name: 125" rc_is 125
	ok "$name: one line" err_is_one_line
	ok "$name: says '$expected'" err_has "$expected"
	ok "$name: points to help" err_has "try 'sbx-exec --help'"
	ok "$name: nothing on standard output" out_is ''
}

bad 'unknown option' '--bogus: no such option' --bogus -- true
bad 'unknown short option' '-x: no such option' -x true
bad 'abbreviated option' '--time: no such option' --time 3 -- true
bad 'missing argument' '--timeout: its argument is missing' --timeout
bad 'surplus argument' '--dry-run: it takes no argument' --dry-run=x -- true
bad 'no command' 'COMMAND: none is given' --ro /
bad 'junk duration' "--timeout: '5x'" --timeout 5x -- true
bad 'negative duration' "--cpu: '-1'" --cpu -1 -- true
bad 'zero duration' "--timeout: '0s' is not more than 0" --timeout 0s -- true
bad 'huge duration' "--timeout: '99999999999999999999h' is too large" \
	--timeout=99999999999999999999h -- true
bad 'junk size' "--memory: '1Q'" --memory 1Q -- true
bad 'huge size' "--scratch: '16777216T' is too large" \
	--scratch 16777216T -- true
bad 'half a byte' "--output: '1.5'" --output 1.5 -- true
bad 'junk count' "--processes: '12a'" --processes 12a -- true
bad 'zero count' "--open-files: '0' is not more than 0" \
	--open-files 0 -- true
bad 'unknown property' "--require: 'fileses'" --require files,fileses -- true
bad 'empty list' "--prefer: ''" --prefer '' -- true
bad 'unknown protection' "--protect: 'maybe'" --protect maybe -- true
bad 'unknown profile' "--profile: 'all'" --profile all -- true
bad 'nameless variable' "--env: '=x'" --env =x -- true
bad 'variable for no policy' '--var: it needs --policy' --var a=b -- true
bad 'grant without a name' "--open: '/etc/passwd'" --open /etc/passwd -- true
bad 'bad name of a grant' "--open: 'a b' is no name" --open 'a b=/x' -- true
bad 'no port' "--connect: 'host'" --connect a=host -- true
bad 'port 0' "--connect: 'host:0'" --connect a=host:0 -- true
bad 'port too large' "--connect: 'host:65536'" --connect a=host:65536 -- true
bad 'bare IPv6 address' "--connect: '::1:80'" --connect a=::1:80 -- true
bad 'standard descriptor' '--allow-fd: 1 is standard' --allow-fd 1 -- true
bad 'no descriptor' "--allow-fd: 'x'" --allow-fd x -- true
bad 'two profiles' '--profile: it is the policy file that says it' \
	--policy /dev/null --profile tool -- true

for option in listen ask audit workspace commit discard ask-commit keep \
	changes learn allow-host deny; do
	bad "--$option" "--$option: not in this version" "--$option" x -- true
	bad "--$option=x" "--$option: not in this version" "--$option=x" true
done
bad '--net broker' "'broker' is not in this version" --net broker -- true
bad '--profile call' "'call' is not in this version" --profile call -- true

run --allow-fd 9 -- true 9<&-
ok 'a closed descriptor is 125' rc_is 125
ok 'a closed descriptor is named' err_has 'descriptor 9 is not open'
run --allow-fd 9 --bogus -- true 9</dev/null
ok 'an open descriptor is accepted' err_has '--bogus: no such option'
run --status-fd 9 -- true 9<&-
ok 'a closed status descriptor is 125' rc_is 125
ok 'a closed status descriptor is named' err_has 'descriptor 9 is not open'
run --status-fd 9 -- true 9</dev/null
ok 'a status descriptor for reading is refused' \
	err_has 'not open for writing'
run --status-fd 9 --bogus -- true 9>/dev/null
ok 'a status descriptor for writing is accepted' \
	err_has '--bogus: no such option'

run --ro nowhere/../x -- true
ok 'a path that cannot be resolved is 125' rc_is 125
ok 'a path that cannot be resolved is named' err_has '--ro nowhere/../x'
run --no-protect /srv --ro /usr -- true
ok '--no-protect outside all grants is 125' rc_is 125
ok '--no-protect outside all grants is named' err_has "'/srv' is in no path"
run --policy "$tmp/none.json" -- true
ok 'a missing policy file is 125' rc_is 125
ok 'a missing policy file is named' err_has "$tmp/none.json"
echo '{"version": 1, "unheard-of": 2}' >"$tmp/bad.json"
run --policy "$tmp/bad.json" -- true
ok 'a bad policy file is 125' rc_is 125
ok 'a bad policy file is one line' err_is_one_line
ok 'a bad policy file is named' err_has "$tmp/bad.json"

esc=$(printf '\033')
run --bogus -- true
ok 'no colour but on a terminal' not err_has "$esc"
CLICOLOR_FORCE=1 run --bogus -- true
ok 'CLICOLOR_FORCE gives colour' err_has "$esc"
NO_COLOR=1 CLICOLOR_FORCE=1 run --bogus -- true
ok 'NO_COLOR wins' not err_has "$esc"
run "--timeout=a$(printf '\033[31m\nb')" -- true
ok 'control characters are escaped' err_has 'a\x1b[31m\nb'
ok 'control characters do not arrive' not err_has "$esc"
ok 'a newline in a text makes no second line' err_is_one_line

run --help
ok '--help is 0' rc_is 0
ok '--help is on standard output' out_has 'Usage: sbx-exec'
ok '--help says nothing else' err_is_empty
run --help --bogus
ok '--help ends the command line' rc_is 0
run --version
ok '--version is 0' rc_is 0
ok '--version is on standard output' out_has 'sbx-exec (libsandbox) '
if [ -c /dev/full ]; then
	"$sbx_exec" --help >/dev/full 2>"$tmp/err"
	rc=$?
	ok 'output that cannot be written is 125' rc_is 125
fi
finish

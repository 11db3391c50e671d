#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Signals are passed on; --kill-after ends what does not end.
. "${srcdir:-.}/tests/adapters/cli/tap.sh"
need_live

# start ARGUMENT...: in the background with default signals; a shell without
# job control would have INT and QUIT ignored.  Sets pid.
start() {
	: >"$tmp/out"
	env --default-signal "$sbx_exec" "$@" >"$tmp/out" 2>"$tmp/err" \
		</dev/null &
	pid=$!
}
end() {
	wait "$pid"
	rc=$?
}

for signal in TERM INT HUP QUIT USR1 USR2 WINCH; do
	start --timeout 50s -- sh -c "trap 'echo got-$signal; exit 33' $signal
		echo ready; while :; do sleep 0.1; done"
	ok "a task waits for $signal" eventually out_has ready
	kill -"$signal" "$pid"
	end
	ok "$signal arrives" out_has "got-$signal"
	ok "the status after $signal is the task's" rc_is 33
done

start --timeout 50s -- sh -c 'echo ready; exec sleep 40'
eventually out_has ready
kill -TERM "$pid"
end
ok 'a task that dies of TERM is 143' rc_is 143

start --timeout 50s --kill-after 500ms -- sh -c 'trap "echo no" TERM
	echo ready; while :; do sleep 0.1; done'
eventually out_has ready
kill -TERM "$pid"
end
ok '--kill-after ends a task that does not heed TERM' rc_is 137
ok 'the task had its chance' out_has no

start --timeout 50s --kill-after 500ms -- sh -c 'trap "echo on" USR1
	echo ready; sleep 2; sleep 2; echo lived'
eventually out_has ready
kill -USR1 "$pid"
end
ok '--kill-after does not count from USR1' out_has lived

: >"$tmp/out"
nohup "$sbx_exec" --timeout 50s -- sh -c 'trap "echo hup" HUP
	trap "echo term; exit 3" TERM; echo ready; while :; do sleep 0.1; done' \
	>"$tmp/out" 2>"$tmp/err" </dev/null &
pid=$!
eventually out_has ready
kill -HUP "$pid"
sleep 0.5
kill -TERM "$pid"
end
ok 'a HUP that nohup(1) keeps off does not arrive' not out_has hup
ok 'TERM arrives all the same' rc_is 3
finish

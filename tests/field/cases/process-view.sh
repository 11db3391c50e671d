# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Tools that read /proc and /sys; processes of the host cannot be touched.
needs ps free

prepare()
{
	on_host sleep 1000
	echo "$!" >"$W/pid"
}

inside()
{
	nproc >/dev/null
	free -m | grep -q '^Mem:'
	grep -q '^processor' /proc/cpuinfo
	ps -ef | grep -q "[i]nside.sh"
	test "$(ps -o comm= -p $$)" = bash
	cat /proc/self/status /proc/self/maps /proc/loadavg /proc/uptime >/dev/null
	test -d /proc/self/fd
	ls -l /proc/self/exe >/dev/null
	getconf PAGESIZE >/dev/null
	py -c 'import os
assert len(os.sched_getaffinity(0)) >= 1 and os.cpu_count() >= 1
os.getloadavg()
import resource
resource.getrlimit(resource.RLIMIT_NOFILE)'
	sleep 1000 &
	kill -0 $!
	kill $!
	denied kill -0 "$(cat pid)"
	denied ls "/proc/$(cat pid)/fd"
	denied grep -z . "/proc/$(cat pid)/environ"
}

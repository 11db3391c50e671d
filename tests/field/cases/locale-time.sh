# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Locales and time zones: those of the system, and UTC by default.
options --env LC_ALL=C.UTF-8

inside()
{
	export LC_ALL=C.UTF-8
	same "$(locale charmap)" UTF-8
	same "$(printf 'ä' | wc -m)" 1
	same "$(LC_ALL=C printf 'ä' | LC_ALL=C wc -m)" 2
	same "$(TZ=UTC date -d @0 +%H)" 00
	if [ -e /usr/share/zoneinfo/Asia/Tokyo ]; then
		same "$(TZ=Asia/Tokyo date -d @0 +%H:%Z)" 09:JST
		py -c 'import zoneinfo, datetime
z = zoneinfo.ZoneInfo("Asia/Tokyo")
assert datetime.datetime.fromtimestamp(0, z).hour == 9'
	fi
	same "$(TZ=EST5 date -d @0 +%H)" 19
	date >/dev/null
	same "$(printf 'b\na\nB\n' | LC_ALL=C sort | tr -d '\n')" Bab
}

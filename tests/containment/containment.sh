#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The containment suite, see run.py; as a test it runs all of it.
here=$(dirname "$0")
if ! command -v python3 >/dev/null || ! python3 -c \
	'import sys; sys.exit(sys.version_info < (3, 9))'; then
	if [ "${SBX_REQUIRE_LIVE-}" = 1 ]; then
		echo "1..1"
		echo "not ok 1 - there is Python 3.9 or newer"
		exit 1
	fi
	echo "1..0 # SKIP no Python 3.9"
	exit 0
fi
# Nothing is to be written beside the sources.
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
exec python3 "$here/run.py" "$@"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A client in plain Python, against the broker of the tests.
. "${srcdir:-.}/tests/adapters/cli/tap.sh"
need_tool python3
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
"${top_builddir:-.}/tests/adapters/client/fake-broker" "$tmp/log" \
	python3 "$srcdir/tests/adapters/client/client_cases.py"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The main job of scripts/quickstart, with the programs of this build.
. "${srcdir:-.}/tests/adapters/cli/tap.sh"
need_live
need_tool python3

mkdir "$tmp/t"
TMPDIR=$tmp/t "${srcdir:-.}/scripts/quickstart" --build "${top_builddir:-.}" \
	>"$tmp/out" 2>"$tmp/err" </dev/null
rc=$?
ok 'the quickstart exits with 0' rc_is 0
ok 'it shows a table' out_has '| expected '
ok 'nothing in it is unexpected' not out_has 'NOT AS EXPECTED'
ok 'it shows what holds' out_has PROPERTY
ok 'it says so at its end' is "$(tail -n 1 "$tmp/out")" 'All as expected.'
ok 'it leaves nothing behind' is "$(ls -A "$tmp/t")" ''
finish

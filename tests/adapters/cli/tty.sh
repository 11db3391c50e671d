#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --new-tty on a terminal that tty_cases.py plays.
. "${srcdir:-.}/tests/adapters/cli/tap.sh"
need_tool python3
need_tool bash
need_live
python3 "${srcdir:-.}/tests/adapters/cli/tty_cases.py" "$sbx_exec"

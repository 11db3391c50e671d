# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Folders so deep that a path to them hardly fits a system call: made, entered,
# written in and removed name by name.

inside()
{
	py - <<'END'
import os
part = "d" * 200
top = os.getcwd()
for _ in range(15):
    os.mkdir(part)
    os.chdir(part)
with open("at the end", "w") as f:
    f.write("deep")
os.chdir(top)
import shutil
shutil.rmtree(part)
END
}
